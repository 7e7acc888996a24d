//! Hands outcomes in: into the stream first, and only then is the unit acknowledged.

use super::crew::Done;
use crate::Notes;
use crate::server::Connection;
use crate::wire::{LARGEST, Played, Results, bytes};
use async_nats::jetstream::{AckKind, Message};
use evolve_core::trial::Failure;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// How long to rest after the server did not take outcomes.
const REST: Duration = Duration::from_secs(1);
/// How often it fails until the user is told.
const PATIENCE: u32 = 3;
/// How often the user is told that the server takes nothing.
const TOLD: Duration = Duration::from_secs(30);

/// Hands in what a worker played for one session.
pub struct Reporter {
    /// The connection to the server.
    pub connection: Connection,
    /// Where outcomes go.
    pub subject: String,
    /// What names the worker.
    pub worker: String,
    /// Raised when nobody wants outcomes any more.
    pub over: AtomicBool,
    /// Lines for the user.
    pub notes: Notes,
    /// When the user was told last that the server takes nothing.
    pub told: Mutex<Option<Instant>>,
}

impl Reporter {
    /// Hands in what became of a unit.
    pub async fn report(&self, done: Done, unit: &Message) {
        let Some(results) = done.results else {
            // Somebody else may want to play it.
            let _ = unit.ack_with(AckKind::Nak(None)).await;
            return;
        };
        let (round, first, time) = (done.round, done.first, done.time);
        let message = |first, results, time| Results { worker: self.worker.clone(), round, first, results, time };
        let all = message(first, results, time);
        for bytes in pieces(all) {
            if !self.send(bytes).await {
                return;
            }
        }
        // If this is lost, another plays the unit again, and its outcomes are known already.
        let _ = unit.ack().await;
    }

    /// Sends until the server has it on disk; whether it has.
    async fn send(&self, bytes: Vec<u8>) -> bool {
        let bytes = bytes::Bytes::from(bytes);
        let mut failures = 0;
        while !self.over.load(Ordering::Relaxed) {
            let failed = match self.connection.jetstream.publish(self.subject.clone(), bytes.clone()).await {
                Ok(sent) => match sent.await {
                    Ok(_) => return true,
                    Err(error) => error,
                },
                Err(error) => error,
            };
            failures += 1;
            if self.connection.is_up() && failures >= PATIENCE {
                let told = &mut *self.told.lock().unwrap_or_else(PoisonError::into_inner);
                if told.is_none_or(|told| told.elapsed() > TOLD) {
                    *told = Some(Instant::now());
                    (self.notes)(&format!(
                        "the server takes no outcomes ({failed}); it may have no space left. They are kept here; trying again"
                    ));
                }
            }
            sleep(REST).await;
        }
        false
    }
}

/// Outcomes as messages that the server takes.
fn pieces(results: Results) -> Vec<Vec<u8>> {
    let whole = bytes(&results);
    if whole.len() <= LARGEST {
        return vec![whole];
    }
    let Results { worker, round, first, results: mut all, time } = results;
    if let [one] = &mut all[..] {
        let why = format!("its outcome has {} bytes, and messages have {LARGEST} at most", whole.len());
        *one = Played::Err(Failure::new("size", why));
        return vec![bytes(&Results { worker, round, first, results: all, time })];
    }
    let rest = all.split_off(all.len() / 2);
    let second = first + all.len() as u64;
    let half = time / 2;
    let mut sent = pieces(Results { worker: worker.clone(), round, first, results: all, time: half });
    sent.extend(pieces(Results { worker, round, first: second, results: rest, time: half }));
    sent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::message;
    use evolve_core::trial::Outcome;

    #[test]
    fn large_outcomes_go_in_pieces() {
        let long = |i: usize| {
            Ok(Outcome { failure: Some(Failure::new("wrong", "x".repeat(60_000))), ..Outcome::of(i as f64) })
        };
        let all: Vec<Played> = (0..30).map(long).collect();
        let sent =
            Results { worker: "w".into(), round: 2, first: 5, results: all.clone(), time: Duration::from_secs(3) };
        let mut received = Vec::new();
        for piece in pieces(sent) {
            assert!(piece.len() <= LARGEST);
            let piece: Results = message(&piece).unwrap();
            assert_eq!(piece.first as usize, 5 + received.len());
            received.extend(piece.results);
        }
        assert_eq!(received, all);
        let huge = Ok(Outcome { failure: Some(Failure::new("wrong", "x".repeat(LARGEST))), ..Outcome::of(1.0) });
        let huge = Results { worker: "w".into(), round: 2, first: 5, results: vec![huge], time: Duration::ZERO };
        let piece: Results = message(&pieces(huge)[0]).unwrap();
        assert_eq!(piece.results[0].as_ref().unwrap_err().kind, "size");
    }
}
