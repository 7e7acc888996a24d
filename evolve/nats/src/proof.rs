//! What a worker is held to before its outcomes count.
//!
//! The version of what reproduces, the problem and its parameters must be the same. Where a problem reproduces, the worker
//! then plays a few trials whose outcomes the coordinator knows, and every bit must be the same: another processor,
//! compiler or build may play, as long as it plays alike. Where it does not reproduce, nothing can be compared: programs
//! are held to their hashes, and other problems to the hash of the executable.

use crate::digest::Digest;
use crate::wire::{Build, Played, Unit};
use chacha20::rand_core::Rng;
use evolve_core::config::Job;
use evolve_core::problem::{Candidate, Contender, Problem};
use evolve_core::seed::{Purpose, generator, seed};
use evolve_core::setup::Setup;
use evolve_core::trial::{Deal, Failure, Outcome};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Trials that a worker has to show at most, and how long the coordinator plays them at most.
const TRIALS: u64 = 24;
const TIME: Duration = Duration::from_secs(2);
/// Different candidates among them: the start and others around it.
const CANDIDATES: usize = 4;

impl Build {
    /// What this process is when it plays a problem.
    ///
    /// # Errors
    /// If its own executable cannot be read.
    pub fn here(problem: &dyn Problem, setup: &Setup) -> Result<Self, String> {
        let mut declaration = String::new();
        for parameter in problem.parameters() {
            let (min, max) = parameter.range();
            let start = parameter.start.to_bits();
            declaration += &format!("{} {:?} {min:?} {max:?} {start:x}\n", parameter.name, parameter.kind);
        }
        declaration += &format!("{setup:?}");
        let executable = std::env::current_exe().and_then(|path| {
            // By what runs, also if the file was replaced since.
            let running = std::path::Path::new("/proc/self/exe");
            Digest::of_file(if running.exists() { running } else { &path })
        });
        Ok(Build {
            version: evolve_core::VERSION,
            problem: problem.name().to_string(),
            declaration: Digest::of(declaration.as_bytes()),
            executable: executable.map_err(|error| format!("this program's own file cannot be read: {error}"))?,
        })
    }

    /// Why outcomes of this build do not count, if so. `by_trials`: its trials will be compared; `is_program`: what plays
    /// is a program of the job, held to its hashes.
    pub fn refusal(&self, worker: &Build, by_trials: bool, is_program: bool) -> Option<String> {
        if worker.version != self.version {
            return Some(format!(
                "it has version {} of players and search, and the run is of version {}: use the same build",
                worker.version, self.version
            ));
        }
        if worker.problem != self.problem {
            return Some(format!("it plays {}, and the run is of {}", worker.problem, self.problem));
        }
        if worker.declaration != self.declaration {
            return Some(format!("{} has other parameters or settings there: use the same build", self.problem));
        }
        if !by_trials && !is_program && worker.executable != self.executable {
            return Some(format!(
                "it is another build, and outcomes of {} do not reproduce, so that they cannot be compared: use the same \
                 executable",
                self.problem
            ));
        }
        None
    }
}

/// Trials with known outcomes.
pub struct Proof {
    /// What a worker plays.
    pub unit: Unit,
    /// What must come of it.
    pub results: Vec<Played>,
    /// How long it took here, on one thread.
    pub time: Duration,
}

impl Proof {
    /// Plays the trials that workers will have to show. None if the problem does not reproduce.
    pub fn play(job: &Job) -> Self {
        let mut proof = Proof {
            unit: Unit { round: 0, first: 0, candidates: candidates(job), trials: Vec::new() },
            results: Vec::new(),
            time: Duration::ZERO,
        };
        if !job.source.problem.reproduces() {
            return proof;
        }
        let start = Instant::now();
        for number in 0..TRIALS {
            let candidate = (number % CANDIDATES as u64) as u32;
            let trial = (candidate, Deal::at(job.seed, Purpose::HeldOut, number / CANDIDATES as u64));
            let one = Unit { trials: vec![trial], ..proof.unit.clone() };
            proof.results.extend(play(job.source.problem, &job.source.setup, &one));
            proof.unit.trials.push(trial);
            proof.time = start.elapsed();
            if proof.time > TIME {
                break;
            }
        }
        proof
    }

    /// Whether a worker's outcomes are the known ones, to the bit.
    pub fn holds(&self, shown: &[Played]) -> bool {
        self.results.len() == shown.len() && self.results.iter().zip(shown).all(|(a, b)| is_same(a, b))
    }
}

/// The start, and others around it.
fn candidates(job: &Job) -> Vec<Vec<f64>> {
    let origin = job.space.origin();
    let mut random = generator(seed(job.seed, Purpose::Measurement, 0, 0));
    let mut uniform = || f64::from(random.next_u32()) / f64::from(u32::MAX) * 2.0 - 1.0;
    let mut candidates = vec![job.space.start().to_vec()];
    while candidates.len() < CANDIDATES {
        let coordinates = job.space.coordinates();
        let near = |(x, c): (&f64, &evolve_core::space::Coordinate)| (x + c.scale * uniform()).clamp(c.min, c.max);
        let point: Vec<f64> = origin.iter().zip(coordinates).map(near).collect();
        candidates.push(job.space.candidate(&point));
    }
    candidates
}

/// Times differ, and messages may name folders.
fn is_same(a: &Played, b: &Played) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => bits(a) == bits(b),
        (Err(a), Err(b)) => a.kind == b.kind,
        _ => false,
    }
}

fn bits(outcome: &Outcome) -> Vec<u8> {
    let failure = outcome.failure.as_ref().map(|failure| Failure::new(failure.kind.clone(), ""));
    crate::wire::bytes(&Outcome { time: None, failure, ..outcome.clone() })
}

/// Plays the trials of a unit, one after the other, on this thread. A panic is a failure like another.
pub fn play(problem: &dyn Problem, setup: &Setup, unit: &Unit) -> Vec<Played> {
    let parameters = problem.parameters();
    let ready = |values| problem.contender(setup, Candidate::new(&parameters, values));
    let mut contenders: Vec<Option<Box<dyn Contender + '_>>> = unit.candidates.iter().map(|_| None).collect();
    // Trials of one candidate together, so that a player has several in a row.
    let mut order: Vec<usize> = (0..unit.trials.len()).collect();
    order.sort_by_key(|&i| unit.trials[i].0);
    let mut results: Vec<Option<Played>> = vec![None; unit.trials.len()];
    for row in order.chunk_by(|&a, &b| unit.trials[a].0 == unit.trials[b].0) {
        let candidate = unit.trials[row[0]].0 as usize;
        let played = catch_unwind(AssertUnwindSafe(|| {
            let contender = contenders[candidate].get_or_insert_with(|| ready(&unit.candidates[candidate]));
            let mut player = contender.player();
            for &i in row {
                results[i] = Some(player.play(&unit.trials[i].1));
            }
        }));
        if let Err(panic) = played {
            let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
            let text = text.unwrap_or("it gave no message");
            for &i in row {
                let deal = unit.trials[i].1;
                let message = format!("the player panicked on the deal of seed {}: {text}", deal.seed);
                results[i].get_or_insert_with(|| Err(Failure::new("panic", message)));
            }
        }
    }
    results.into_iter().map(|result| result.expect("every trial is in one row")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build() -> Build {
        let digest = Digest::of(b"");
        Build { version: 2, problem: "bowl".to_string(), declaration: digest, executable: digest }
    }

    #[test]
    fn builds_are_told_apart() {
        let other = Digest::of(b"other");
        let mine = build();
        assert_eq!(mine.refusal(&build(), true, false), None);
        let executable = Build { executable: other, ..build() };
        assert_eq!(mine.refusal(&executable, true, false), None, "its trials tell");
        assert_eq!(mine.refusal(&executable, false, true), None, "its program is held to its hash");
        for (worker, said) in [
            (executable, "use the same executable"),
            (Build { version: 3, ..build() }, "version 3 of players and search, and the run is of version 2"),
            (Build { problem: "tour".to_string(), ..build() }, "plays tour"),
            (Build { declaration: other, ..build() }, "other parameters"),
        ] {
            let told = mine.refusal(&worker, false, false).unwrap();
            assert!(told.contains(said), "{told}");
        }
    }

    #[test]
    fn outcomes_are_compared_to_the_bit() {
        let result: Played = Ok(Outcome::of(0.1).parts([("left", 0.0)]));
        let proof = |result: &Played| Proof {
            unit: Unit { round: 0, first: 0, candidates: vec![], trials: vec![] },
            results: vec![result.clone()],
            time: Duration::ZERO,
        };
        let known = proof(&result);
        let timed = result.clone().map(|outcome| Outcome { time: Some(Duration::from_secs(1)), ..outcome });
        assert!(known.holds(std::slice::from_ref(&result)) && known.holds(&[timed]));
        assert!(!known.holds(&[]) && !known.holds(&[result.clone(), result.clone()]));
        for other in [
            Ok(Outcome::of(0.1 + 1e-17 + 1e-16).parts([("left", 0.0)])),
            Ok(Outcome::of(0.1).parts([("left", -0.0)])),
            Ok(Outcome::of(0.1)),
            Err(Failure::new("crash", "")),
        ] {
            assert!(!known.holds(std::slice::from_ref(&other)), "{other:?}");
        }
        assert!(proof(&Err(Failure::new("crash", "a"))).holds(&[Err(Failure::new("crash", "b"))]));
    }
}
