//! What goes over the network: subjects, messages, and their bytes.
//!
//! Announcements and refusals are JSON, so that other versions can read them and say what is wrong. The rest is
//! postcard, in which numbers keep every bit.

use crate::digest::Digest;
use evolve_core::trial::{Deal, Failure, Outcome};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The version of these messages: both sides must have the same.
pub const PROTOCOL: u32 = 1;

/// Where coordinators announce their runs.
pub const HERE: &str = "evolve.here";
/// Where workers ask for announcements.
pub const WHO: &str = "evolve.who";

/// What the names of streams and buckets begin with.
pub const PREFIX: &str = "evolve-";
/// The consumer from which workers take units.
pub const WORKERS: &str = "workers";
/// The consumer from which the coordinator takes outcomes.
pub const COORDINATOR: &str = "coordinator";

/// The most bytes of a message: well below what servers take by default, 1 MiB.
pub const LARGEST: usize = 512 << 10;

/// The name of the stream and of the bucket of a session.
pub fn store(session: &str) -> String {
    format!("{PREFIX}{session}")
}

/// A subject of a session: `work` and `results` are in its stream.
pub fn subject(session: &str, what: &str) -> String {
    format!("evolve.run.{session}.{what}")
}

/// Whether a session's name is one: letters, digits and `-`, so that nothing else gets into a subject.
pub fn is_session(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// A run that can be joined. Every coordinator announces its own every second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Here {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// The version of what reproduces.
    pub version: u64,
    /// One start of one run.
    pub session: String,
    /// The name of the run.
    pub name: String,
    /// The name of its problem.
    pub problem: String,
    /// Whether the job brings a program along.
    pub program: bool,
    /// Workers that it has.
    pub workers: usize,
    /// How long a worker may be silent about a unit before it is given to another.
    pub lease: Duration,
    /// The hash of the list of the job's files.
    pub files: Digest,
}

/// Why a worker does not join, for the coordinator's user.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// The worker's name.
    pub name: String,
    /// Why.
    pub message: String,
}

/// A worker that asks to join.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// Names this worker and no other.
    pub worker: String,
    /// Its machine and process, for people.
    pub name: String,
    /// Trials that it plays at the same time.
    pub threads: u32,
    /// What it is.
    pub build: Build,
}

/// What a program is, as far as outcomes depend on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Build {
    /// The version of what reproduces.
    pub version: u64,
    /// The name of the problem.
    pub problem: String,
    /// The hash of the problem's parameters and settings.
    pub declaration: Digest,
    /// The hash of the executable.
    pub executable: Digest,
}

/// What the coordinator answers to a hello or a proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// Play these first, and show what comes of them.
    Prove(Unit),
    /// Outcomes count from now on.
    Welcome,
    /// They do not, because of this.
    Refused(String),
}

/// The outcomes of the trials that a worker had to show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Which worker.
    pub worker: String,
    /// What came of the trials, in their order.
    pub results: Vec<Played>,
}

/// What came of a trial.
pub type Played = Result<Outcome, Failure>;

/// Some trials in a row, of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// The number of the round in its session.
    pub round: u64,
    /// The place of the first trial in the round.
    pub first: u64,
    /// The values of the candidates that play.
    pub candidates: Vec<Vec<f64>>,
    /// Which of them play which deals.
    pub trials: Vec<(u32, Deal)>,
}

impl Unit {
    /// Whether every trial has its candidate, each with a value for every parameter.
    pub fn fits(&self, parameters: usize) -> bool {
        self.candidates.iter().all(|values| values.len() == parameters)
            && self.trials.iter().all(|&(candidate, _)| (candidate as usize) < self.candidates.len())
    }
}

/// Outcomes of some trials in a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Which worker played.
    pub worker: String,
    /// The number of the round in its session.
    pub round: u64,
    /// The place of the first trial in the round.
    pub first: u64,
    /// What came of them, in the order of the trials.
    pub results: Vec<Played>,
    /// How long one thread took over them.
    pub time: Duration,
}

/// A sign of life, with what was done since the worker joined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beat {
    /// Which worker.
    pub worker: String,
    /// Trials played.
    pub games: u64,
    /// Time that its threads spent on trials, all together.
    pub busy: Duration,
    /// Time since it joined.
    pub since: Duration,
    /// Whether it is the last one.
    pub last: bool,
}

/// The bytes of a message.
pub fn bytes<M: Serialize>(message: &M) -> Vec<u8> {
    postcard::to_stdvec(message).expect("messages are of types that can be written")
}

/// The message of some bytes, if they are one and nothing else.
pub fn message<M: DeserializeOwned>(bytes: &[u8]) -> Option<M> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Some(message),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_core::seed::Purpose;

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
            let outcome = outcome.parts([("left", value)]).kind("layers", "7");
            let failed = Outcome { failure: Some(Failure::new("crash", "signal 11")), ..outcome.clone() };
            let results = vec![Ok(outcome), Ok(failed), Err(Failure::new("stopped", ""))];
            let sent = Results { worker: "w".into(), round: 3, first: 9, results, time: Duration::from_millis(5) };
            let received: Results = message(&bytes(&sent)).unwrap();
            assert_eq!(bytes(&received), bytes(&sent));
            let score = received.results[0].as_ref().unwrap().score;
            assert_eq!(score.to_bits(), value.to_bits());
        }
    }

    #[test]
    fn other_bytes_are_no_message() {
        let deal = Deal { purpose: Purpose::Verdict, number: 3, seed: u64::MAX };
        let unit = Unit { round: 1, first: 0, candidates: vec![vec![1.5, 2.5]], trials: vec![(0, deal)] };
        let sent = bytes(&unit);
        assert_eq!(message(&sent), Some(unit.clone()));
        for end in 0..sent.len() {
            assert_eq!(message::<Unit>(&sent[..end]), None);
        }
        assert_eq!(message::<Unit>(&[&sent[..], &[0]].concat()), None);
        assert_eq!(message::<Unit>(&[0xff; 40]), None);
        assert!(unit.fits(2) && !unit.fits(3));
        assert!(!Unit { trials: vec![(1, deal)], ..unit }.fits(2));
        for (text, is) in [("a-1", true), ("", false), ("a.b", false), ("a>", false), ("a b", false)] {
            assert_eq!(is_session(text), is);
        }
    }
}
