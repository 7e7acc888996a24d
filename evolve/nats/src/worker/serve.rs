//! Plays for one session: for each thread, a task takes a unit, plays it, and delivers its
//! outcomes.

use super::prepare::Prepared;
use super::{Ended, LOOK, WorkerOptions, send};
use crate::play::play_unit;
use crate::server::Connection;
use crate::units::UnitStream;
use crate::wire::{self, Here, Letter, Outcomes, RUNS, Says, Unit, letters, message, stream};
use crate::{BEAT, REST, SILENT, machine};
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use async_nats::{Client, Subscriber};
use evolve_search::evaluator::Opened;
use evolve_search::model::problem::Notes;
use evolve_search::model::trial::Failure;
use futures_util::StreamExt;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};

/// How long the server waits for a unit before it answers that there is none.
const WAIT: Duration = Duration::from_secs(2);
/// The number of failed deliveries of outcomes after which the user is notified.
const PATIENCE: u32 = 3;

/// The data that the tasks of a session share.
struct Post {
    client: Client,
    units: UnitStream,
    letters: String,
    opened: Arc<Opened>,
    /// A flag that prevents the start of further trials.
    quit: AtomicBool,
    /// A flag that is set when outcomes are no longer wanted.
    over: AtomicBool,
    notes: Notes,
}

/// Plays until the run ends, the worker is stopped, or a trial fails.
pub async fn serve(connection: &Connection, here: &Here, host: &WorkerOptions, prepared: &Prepared) -> Ended {
    let Ok(announced) = connection.client.subscribe(RUNS).await else { return Ended::Lost };
    let shared = Arc::new(Post {
        client: connection.client.clone(),
        units: UnitStream::new(connection.jetstream.clone(), &here.session),
        letters: letters(&here.session),
        opened: Arc::clone(&prepared.opened),
        quit: AtomicBool::new(false),
        over: AtomicBool::new(false),
        notes: host.notes.clone(),
    });
    host.notes.tell(&format!("playing for the run {} ({}) on {} threads", here.name, here.build.problem, host.threads));
    let mut seats: JoinSet<Option<Failure>> = (0..host.threads).map(|_| seat(Arc::clone(&shared))).collect();
    let mut listening = pin!(listen(connection, here, announced));
    let ended = tokio::select! {
        ended = &mut listening => ended,
        () = beat(connection, here, host) => Ended::Stopped,
        // A task ends by itself only after such a failure.
        Some(Ok(Some(failure))) = seats.join_next() => Ended::Refused(format!("a trial failed here: {failure}")),
    };
    shared.quit.store(true, Ordering::Relaxed);
    if matches!(ended, Ended::Stopped) {
        // Deliver the outcomes of started units, if the run is there to receive them.
        tokio::select! {
            () = end(&mut seats) => {}
            _ = &mut listening => {}
        }
        send(connection, here, Says::Leaves).await;
    }
    shared.over.store(true, Ordering::Relaxed);
    prepared.abandon.store(true, Ordering::Relaxed);
    end(&mut seats).await;
    ended
}

/// Waits until all tasks have ended.
async fn end(seats: &mut JoinSet<Option<Failure>>) {
    while seats.join_next().await.is_some() {}
}

/// Listens to the run until it ends, starts again, or is silent.
async fn listen(connection: &Connection, here: &Here, mut announced: Subscriber) -> Ended {
    let mut heard = Instant::now();
    while heard.elapsed() < SILENT {
        if !connection.is_up() {
            heard = Instant::now();
        }
        let Ok(Some(received)) = timeout(BEAT, announced.next()).await else { continue };
        let Some(other) = message::<Here>(&received.payload) else { continue };
        if other.session == here.session && !other.has_ended {
            heard = Instant::now();
        } else if stream(&other.session) == stream(&here.session) {
            return Ended::Over;
        }
    }
    Ended::Lost
}

/// Sends signs of life until the worker is asked to leave.
async fn beat(connection: &Connection, here: &Here, host: &WorkerOptions) {
    let mut last: Option<Instant> = None;
    while !host.stop.load(Ordering::Relaxed) {
        if last.is_none_or(|last| last.elapsed() >= BEAT) {
            last = Some(Instant::now());
            send(connection, here, Says::Plays(u32::try_from(host.threads).unwrap_or(u32::MAX))).await;
        }
        sleep(LOOK).await;
    }
}

/// Plays one unit after another. Returns the failure that would end the run, if one occurs.
async fn seat(post: Arc<Post>) -> Option<Failure> {
    while !post.quit.load(Ordering::Relaxed) {
        if let Some(consumer) = post.units.consumer().await {
            while let Ok(taken) = take(&consumer).await {
                if let Some(unit) = taken
                    && let Some(failure) = post.keep(&unit).await
                {
                    return Some(failure);
                }
                if post.quit.load(Ordering::Relaxed) {
                    return None;
                }
            }
        }
        sleep(REST).await;
    }
    None
}

/// Returns the next unit, if one arrives in time; an error if the queue was replaced.
async fn take(consumer: &Consumer<pull::Config>) -> Result<Option<Message>, ()> {
    let mut units = consumer.batch().max_messages(1).expires(WAIT).messages().await.map_err(drop)?;
    match timeout(WAIT + REST, units.next()).await {
        Ok(Some(Ok(unit))) => Ok(Some(unit)),
        Ok(None) => Ok(None),
        // After a reconnection, the server does not know the earlier request and never answers it.
        Ok(Some(Err(_))) | Err(_) => Err(()),
    }
}

impl Post {
    /// Reserves a unit while it is played and delivered. Returns the failure that ended it, if any.
    async fn keep(self: &Arc<Self>, taken: &Message) -> Option<Failure> {
        let mut done = pin!(self.carry_out(taken));
        loop {
            tokio::select! {
                failure = &mut done => return failure,
                () = sleep(SILENT / 3) => { let _ = taken.ack_with(AckKind::Progress).await; }
            }
        }
    }

    /// Plays a unit and delivers its outcomes, if there are any. Returns the failure that ended it,
    /// if any.
    async fn carry_out(self: &Arc<Self>, taken: &Message) -> Option<Failure> {
        let Some(unit) = self.read(&taken.payload) else {
            self.notes.tell("ignoring an unreadable message");
            let _ = taken.ack_with(AckKind::Term).await;
            return None;
        };
        let (round, trials) = (unit.round, unit.places().count());
        let post = Arc::clone(self);
        let quits = move || post.quit.load(Ordering::Relaxed);
        let post = Arc::clone(self);
        let played = spawn_blocking(move || play_unit(&post.opened, &unit, quits));
        let played = played.await.expect("panics are outcomes");
        let failure = played.last().and_then(|(_, played)| played.as_ref().err().cloned());
        let is_complete = played.len() == trials && failure.is_none();
        let is_handed_in = !played.is_empty() && self.hand_in(Outcomes { round, played }).await;
        // If this message is lost, the unit is played again, and its outcomes are already known. An
        // incomplete unit returns to the queue for other workers.
        let _ = taken.ack_with(if is_complete && is_handed_in { AckKind::Ack } else { AckKind::Nak(None) }).await;
        failure
    }

    /// Decodes a unit whose candidates have a value for every parameter.
    fn read(&self, bytes: &[u8]) -> Option<Unit> {
        let parameters = self.opened.values();
        message::<Unit>(bytes).filter(|unit| unit.shares.iter().all(|share| share.values.len() == parameters))
    }

    /// Delivers outcomes until the run has them. Returns whether it has.
    async fn hand_in(&self, outcomes: Outcomes) -> bool {
        let letter = wire::bytes(&Letter { worker: machine::process(), says: Says::Has(outcomes) });
        let mut failures = 0;
        while !self.over.load(Ordering::Relaxed) {
            let Err(error) = self.client.request(self.letters.clone(), letter.clone()).await else { return true };
            failures += 1;
            if failures == PATIENCE {
                self.notes.tell(&format!("the run accepts no outcomes ({error}); keeping them and trying again"));
            }
            sleep(REST).await;
        }
        false
    }
}
