//! The wire format: subjects, messages, and their bytes. Messages are encoded by postcard, in which numbers keep every
//! bit.

use crate::build::Build;
use crate::digest::Digest;
use evolve_core::model::trial::{Deal, Failure, Outcome};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of these messages: both sides must have the same.
pub const PROTOCOL: u32 = 4;

/// Where runs announce themselves.
pub const RUNS: &str = "evolve.runs";

/// The most bytes of a message: well below what servers take by default, 1 MiB.
pub const LARGEST: usize = 512 << 10;

/// The name of a session's stream. It is the same for every start of a run, and so is the first part of the session.
pub fn stream(session: &str) -> String {
    format!("evolve-{}", session.split('-').next().unwrap_or_default())
}

/// Where the units of a session are, in its stream.
pub fn work(session: &str) -> String {
    format!("evolve.run.{session}.work")
}

/// Where a session's run takes letters.
pub fn letters(session: &str) -> String {
    format!("evolve.run.{session}.letters")
}

/// Whether a session's name is one: letters, digits and `-`, so that nothing else gets into a subject.
pub fn is_session(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// A run that can be joined, as it announces itself every second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Here {
    /// [`PROTOCOL`]. It stays in front, where every build reads it.
    pub protocol: u32,
    /// One start of one run.
    pub session: String,
    /// The name of the run.
    pub name: String,
    /// The build that a worker must have.
    pub build: Build,
    /// Whether the job brings a program along.
    pub is_program: bool,
    /// The hash of the bytes of what workers get of the job.
    pub offer: Digest,
    /// How many bytes they are.
    pub size: u64,
    /// Whether the run has ended or stopped.
    pub has_ended: bool,
}

/// A message of a worker to a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Letter {
    /// The worker's machine and process.
    pub worker: String,
    pub says: Says,
}

/// The content of a worker's message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Says {
    /// It does not join, or no longer, because of this.
    Refuses(String),
    /// It plays so many trials at the same time: a sign of life.
    Plays(u32),
    /// It leaves, as it was asked to.
    Leaves,
    /// Outcomes of trials. The run replies once it has them.
    Has(Outcomes),
    /// It asks for the bytes of the offer from here on. They are the answer.
    Wants(u64),
}

/// The result of a trial.
pub type Played = Result<Outcome, Failure>;

/// Outcomes of some trials of a round, each with its index in the round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcomes {
    /// The number of the round in its session.
    pub round: u64,
    /// Places and outcomes.
    pub played: Vec<(u64, Played)>,
}

/// Some trials of a round, for one worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// The number of the round in its session.
    pub round: u64,
    /// The trials in the order of play, those of one candidate in a row.
    pub shares: Vec<Share>,
}

/// The trials of one candidate in a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The candidate's values.
    pub values: Vec<f64>,
    /// Index of each trial in the round, its deal, and a rival's objective on it.
    pub trials: Vec<(u64, Deal, Option<f64>)>,
}

impl Unit {
    /// The places of its trials, in the order of play.
    pub fn places(&self) -> impl Iterator<Item = u64> {
        self.shares.iter().flat_map(|share| share.trials.iter().map(|&(place, ..)| place))
    }
}

pub fn bytes<M: Serialize>(message: &M) -> bytes::Bytes {
    postcard::to_stdvec(message).expect("messages are of types that can be written").into()
}

/// The message of some bytes, if they are one and nothing else.
pub fn message<M: DeserializeOwned>(bytes: &[u8]) -> Option<M> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Some(message),
        _ => None,
    }
}

/// The protocol of an announcement, of whatever build.
pub fn protocol(bytes: &[u8]) -> Option<u32> {
    postcard::take_from_bytes(bytes).ok().map(|(protocol, _)| protocol)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_core::model::seed::Split;
    use std::time::Duration;

    #[test]
    fn every_bit_arrives() {
        let odd = [
            0.1 + 0.2,
            -0.0,
            f64::MIN_POSITIVE / 3.0,
            f64::NAN,
            f64::NEG_INFINITY,
            f64::from_bits(0x7ff8_dead_0000_beef),
        ];
        for value in odd {
            let outcome = Outcome { score: value, time: Some(Duration::from_nanos(17)), ..Outcome::of(1.0 / 3.0) };
            let outcome = outcome.parts([value]).kind("7");
            let failed = Outcome { failure: Some(Failure::new("crash", "signal 11")), ..outcome.clone() };
            let played = vec![(9, Ok(outcome)), (4, Ok(failed)), (u64::MAX, Err(Failure::new("stopped", "")))];
            let sent = Letter { worker: "w".into(), says: Says::Has(Outcomes { round: 3, played }) };
            let received: Letter = message(&bytes(&sent)).unwrap();
            assert_eq!(bytes(&received), bytes(&sent));
            let Says::Has(Outcomes { played, .. }) = received.says else { panic!("another letter") };
            assert_eq!(played[0].1.as_ref().unwrap().score.to_bits(), value.to_bits());
        }
    }

    #[test]
    fn other_bytes_are_no_message() {
        let deal = Deal { split: Split::Test, number: 3, seed: u64::MAX };
        let unit =
            Unit { round: 1, shares: vec![Share { values: vec![1.5, 2.5], trials: vec![(7, deal, Some(0.1 + 0.2))] }] };
        let sent = bytes(&unit);
        assert_eq!(message(&sent), Some(unit));
        for end in 0..sent.len() {
            assert_eq!(message::<Unit>(&sent[..end]), None);
        }
        assert_eq!(message::<Unit>(&[&sent[..], &[0]].concat()), None);
        assert_eq!(message::<Unit>(&[0xff; 40]), None);
        assert_eq!(protocol(&bytes(&(7u32, "whatever follows"))), Some(7));
        for (text, is) in [("a-1", true), ("", false), ("a.b", false), ("a>", false), ("a b", false)] {
            assert_eq!(is_session(text), is);
        }
    }
}
