//! The wire format: subjects, messages, and their encoding. Messages are encoded with postcard,
//! which preserves every bit of a number.

use crate::build::Build;
use crate::digest::Digest;
use evolve_search::model::trial::{Case, Failure, Outcome};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the messages, which must be the same on both sides.
pub const PROTOCOL: u32 = 5;

/// The subject on which runs announce themselves.
pub const RUNS: &str = "evolve.runs";

/// The largest message in bytes, well below the default limit of servers, 1 MiB.
pub const LARGEST: usize = 512 << 10;

/// Returns the name of a session's stream. It is the same for every start of a run, as is the first
/// part of the session's name.
pub fn stream(session: &str) -> String {
    format!("evolve-{}", session.split('-').next().unwrap_or_default())
}

/// Returns the subject of a session's units, in its stream.
pub fn work(session: &str) -> String {
    format!("evolve.run.{session}.work")
}

/// Returns the subject on which a session's run receives messages.
pub fn letters(session: &str) -> String {
    format!("evolve.run.{session}.letters")
}

/// Returns whether a session's name is valid: only letters, digits and `-`, so that it cannot
/// change a subject.
pub fn is_session(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The announcement of a run that can be joined, sent every second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Here {
    /// The [`PROTOCOL`]. It is the first field, so that every build can read it.
    pub protocol: u32,
    /// The name of the session, which is one start of the run.
    pub session: String,
    pub name: String,
    /// The build that a worker must have.
    pub build: Build,
    /// Whether the job contains a program.
    pub is_program: bool,
    /// The hash of the encoded offer to workers.
    pub offer: Digest,
    /// The size of the encoded offer in bytes.
    pub size: u64,
    /// Whether the run has ended or stopped.
    pub has_ended: bool,
}

/// A message from a worker to a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Letter {
    /// The worker's machine and process.
    pub worker: String,
    pub says: Says,
}

/// The content of a worker's message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Says {
    /// The worker does not join or no longer plays, for this reason.
    Refuses(String),
    /// A sign of life, with the number of simultaneous trials.
    Plays(u32),
    /// The worker leaves, as requested.
    Leaves,
    /// Outcomes of trials. The run replies once it has them.
    Has(Outcomes),
    /// A request for the bytes of the offer from this offset on. The reply contains them.
    Wants(u64),
}

pub type Played = Result<Outcome, Failure>;

/// The outcomes of some trials of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcomes {
    /// The number of the round in its session.
    pub round: u64,
    /// The index of each trial in the round, and its outcome.
    pub played: Vec<(u64, Played)>,
}

/// Some trials of a round, for one worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// The number of the round in its session.
    pub round: u64,
    /// The trials in order of play, with consecutive trials of the same candidate grouped.
    pub shares: Vec<Share>,
}

/// The consecutive trials of one candidate in a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The candidate's values.
    pub values: Vec<f64>,
    /// The index of each trial in the round, its case, and a rival's objective on the case.
    pub trials: Vec<(u64, Case, Option<f64>)>,
}

impl Unit {
    /// Returns the indices of the trials, in the order of play.
    pub fn places(&self) -> impl Iterator<Item = u64> {
        self.shares.iter().flat_map(|share| share.trials.iter().map(|&(place, ..)| place))
    }
}

pub fn bytes<M: Serialize>(message: &M) -> bytes::Bytes {
    postcard::to_stdvec(message).expect("messages are of types that can be written").into()
}

/// Decodes a message; returns `None` if the bytes are invalid or have a remainder.
pub fn message<M: DeserializeOwned>(bytes: &[u8]) -> Option<M> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Some(message),
        _ => None,
    }
}

/// Reads the protocol of an announcement from any build.
pub fn protocol(bytes: &[u8]) -> Option<u32> {
    postcard::take_from_bytes(bytes).ok().map(|(protocol, _)| protocol)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::seed::Split;
    use evolve_search::model::trial::FailureKind;
    use std::time::{Duration, SystemTime};

    #[test]
    fn numbers_keep_every_bit() {
        let odd = [
            0.1 + 0.2,
            -0.0,
            f64::MIN_POSITIVE / 3.0,
            f64::NAN,
            f64::NEG_INFINITY,
            f64::from_bits(0x7ff8_dead_0000_beef),
        ];
        for value in odd {
            let outcome = Outcome {
                score: value,
                time: Some(Duration::from_nanos(17)),
                started: Some(SystemTime::now()),
                ..Outcome::of(1.0 / 3.0)
            };
            let outcome = outcome.metrics([value]).group("7");
            let failed = Outcome { failure: Some(Failure::new(FailureKind::Signal, "signal 11")), ..outcome.clone() };
            let played = vec![(9, Ok(outcome)), (4, Ok(failed)), (u64::MAX, Err(Failure::new(FailureKind::Time, "")))];
            let sent = Letter { worker: "w".into(), says: Says::Has(Outcomes { round: 3, played }) };
            let received: Letter = message(&bytes(&sent)).unwrap();
            assert_eq!(bytes(&received), bytes(&sent));
            let Says::Has(Outcomes { played, .. }) = received.says else { panic!("another letter") };
            assert_eq!(played[0].1.as_ref().unwrap().score.to_bits(), value.to_bits());
        }
    }

    #[test]
    fn other_bytes_are_not_a_message() {
        let case = Case { split: Split::Test, number: 3, seed: u64::MAX };
        let unit =
            Unit { round: 1, shares: vec![Share { values: vec![1.5, 2.5], trials: vec![(7, case, Some(0.1 + 0.2))] }] };
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
