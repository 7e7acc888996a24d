//! One start of one run: announces the run, and receives messages of workers.

use crate::build::Build;
use crate::digest::Digest;
use crate::members::Members;
use crate::offer::Offer;
use crate::server::Connection;
use crate::wire::{self, Here, LARGEST, Letter, Outcomes, PROTOCOL, RUNS, Says, message};
use crate::{BEAT, SILENT, machine};
use async_nats::Subscriber;
use bytes::Bytes;
use evolve_core::job::Job;
use evolve_search::lock;
use evolve_search::model::problem::Notes;
use futures_util::StreamExt;
use std::path::Path;
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard};
use std::time::{Instant, SystemTime};
use tokio::time::{MissedTickBehavior, interval};

pub struct RunSession {
    pub connection: Connection,
    here: Here,
    /// The encoded offer to workers.
    offer: Bytes,
    members: Mutex<Members>,
    notes: Notes,
}

/// Returns the name of one start of a run in a folder. Its first part is the same for every start.
pub fn name(job: &Job, folder: &Path) -> String {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let run = format!("{}\n{}\n{}", machine::name(), folder.display(), job.comparable());
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let start = format!("{run}\n{}\n{}", std::process::id(), now.as_nanos());
    let [run, start] = [run, start].map(|text| Digest::of(text.as_bytes()).to_string());
    format!("{}-{}", &run[..12], &start[..12])
}

impl RunSession {
    /// Creates a session without workers.
    pub fn new(session: String, job: &Job, build: Build, offer: &Offer, connection: Connection, notes: Notes) -> Self {
        let bytes = wire::bytes(offer);
        let here = Here {
            protocol: PROTOCOL,
            session,
            name: job.name.clone(),
            build,
            is_program: offer.is_program,
            offer: Digest::of(&bytes),
            size: bytes.len() as u64,
            has_ended: false,
        };
        RunSession { connection, here, offer: bytes, members: Mutex::default(), notes }
    }

    /// Locks the workers.
    pub fn members(&self) -> MutexGuard<'_, Members> {
        lock(&self.members)
    }

    /// Sends a note to the user.
    pub fn note(&self, text: &str) {
        self.notes.tell(text);
    }

    /// Announces the run, or its end.
    pub async fn announce(&self, has_ended: bool) {
        let here = Here { has_ended, ..self.here.clone() };
        let _ = self.connection.client.publish(RUNS, wire::bytes(&here)).await;
    }

    /// Announces the run, answers messages and forwards outcomes, forever.
    pub async fn keep(&self, mut letters: Subscriber, outcomes: Sender<(String, Outcomes)>) {
        let mut tick = interval(BEAT);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut up = Instant::now();
        loop {
            tokio::select! {
                _ = tick.tick() => {
                    self.announce(false).await;
                    // Without a connection, no worker could be heard.
                    if !self.connection.is_up() {
                        up = Instant::now();
                    } else if up.elapsed() > SILENT {
                        self.give_up();
                    }
                }
                Some(received) = letters.next() => {
                    // Ignore messages of other builds.
                    let answer = message(&received.payload).and_then(|letter| self.read(letter, &outcomes));
                    if let (Some(to), Some(answer)) = (received.reply, answer) {
                        let _ = self.connection.client.publish(to, answer).await;
                    }
                }
            }
        }
    }

    fn give_up(&self) {
        let lost = self.members().give_up(SILENT);
        for name in lost {
            self.note(&format!("no sign of worker {name} for {} s; others play its trials", SILENT.as_secs()));
        }
    }

    /// Processes a message and returns the answer.
    fn read(&self, letter: Letter, outcomes: &Sender<(String, Outcomes)>) -> Option<Bytes> {
        let Letter { worker, says } = letter;
        match says {
            Says::Plays(threads) => self.hear(&worker, threads),
            Says::Leaves => {
                if self.members().leave(&worker) {
                    self.note(&format!("worker {worker} has left"));
                }
            }
            Says::Refuses(why) => {
                let was_there = self.members().leave(&worker);
                self.note(&format!("worker {worker} {}: {why}", if was_there { "leaves" } else { "does not join" }));
            }
            // Store the outcomes before answering, because the worker then discards them.
            Says::Has(played) => outcomes.send((worker, played)).ok()?,
            Says::Wants(from) => {
                let from = usize::try_from(from).unwrap_or(usize::MAX).min(self.offer.len());
                return Some(self.offer.slice(from..self.offer.len().min(from + LARGEST)));
            }
        }
        Some(Bytes::new())
    }

    fn hear(&self, worker: &str, threads: u32) {
        let mut members = self.members();
        if members.hear(worker, threads) {
            let (count, threads) = (members.count(), members.threads());
            drop(members);
            let (s, t) = (if count == 1 { "" } else { "s" }, if threads == 1 { "" } else { "s" });
            self.note(&format!("worker {worker} has joined: {count} worker{s}, {threads} thread{t}"));
        }
    }
}
