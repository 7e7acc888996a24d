//! Runs without any gain: the cases of the battery in `benches/judgement` that misled verdicts
//! most.

use super::*;
use crate::job::{Catalogue, Game};
use evolve_search::evaluator::Serial;
use evolve_search::model::goal::{Direction, Goal};
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{Context, OpenError, Problem, Session, session};
use evolve_search::model::rating::Rating;
use evolve_search::model::seed::{Split, generator};
use evolve_search::model::trial::Case;
use evolve_search::optimizer::sampling::normal;
use rand::RngExt;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// The peculiarity of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Scores scatter by 30 % from play to play.
    Noisy,
    /// The first play of an instance is 3 % slower.
    Cold,
    /// Candidates other than the start fail in 2 % of trials and gain as much elsewhere.
    Risky,
}

/// A program whose parameter has no effect on its mean score.
struct Null {
    kind: Kind,
    seed: u64,
}

impl Problem for Null {
    fn name(&self) -> &str {
        "null"
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::float("x", -9.0, 9.0, 0.0).unit(1.0)]
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let kind = self.kind;
        let random = Arc::new(Mutex::new(generator(self.seed)));
        let seen: Arc<Mutex<BTreeSet<(Split, u64)>>> = Arc::default();
        Ok(session(move |candidate| {
            let is_start = candidate.float("x") == 0.0;
            let (random, seen) = (Arc::clone(&random), Arc::clone(&seen));
            move |case: &Case| {
                let mut random = random.lock().unwrap();
                let is_first = seen.lock().unwrap().insert((case.split, case.number));
                let base = 1000.0 + (case.seed % 1000) as f64;
                let noise = if kind == Kind::Noisy { 0.3 } else { 0.02 };
                let score = base * libm::exp(noise * normal(&mut random));
                let outcome = match kind {
                    Kind::Risky if !is_start && random.random::<f64>() < 0.02 => {
                        Outcome { failure: Some(Failure::new(FailureKind::Signal, "")), ..Outcome::of(0.0) }
                    }
                    Kind::Risky if !is_start => Outcome::of(score / (1.0 - 0.02 / 0.98)),
                    Kind::Cold if is_first => Outcome::of(0.97 * score),
                    _ => Outcome::of(score),
                };
                Ok(outcome)
            }
        }))
    }

    fn goal(&self) -> Option<Goal> {
        Some(Goal::of_score(Direction::Maximize, Rating::Ratio))
    }
}

/// Returns the verdict of a run; `None` if the start was the finalist.
fn verdict(kind: Kind, seed: u64) -> Option<Verdict> {
    let problem = Arc::new(Null { kind, seed });
    let text = format!(
        "name = \"tiny\"\nseed = {seed}\n[game]\nname = \"null\"\n[search]\noptimizer = \"genetic\"\npopulation = 4\n\
         elites = 1\ntrials = 2\ngenerations = 2\nvalidation = 30\nselection = 200\ntest = 200\n"
    );
    let job = parse_with(&text, &Catalogue::new(&[Game::plain(problem)])).unwrap_or_else(|fault| panic!("{fault}"));
    let evaluator = Serial::open(&*job.problem, Context::default()).unwrap();
    let results = folder();
    let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
    match run.execute(&AtomicBool::new(false), &mut Nobody).unwrap_or_else(|error| panic!("{error}")) {
        Ending::Complete(verdict) => Some(*verdict).filter(|verdict| verdict.compared().is_some()),
        Ending::Stopped => panic!("nobody stopped it"),
    }
}

/// At most a tenth of the verdicts may claim a gain; the nominal error rate is 2.5 %.
fn assert_rarely_better(kind: Kind) {
    let verdicts: Vec<Verdict> = (1..=200).filter_map(|seed| verdict(kind, seed)).collect();
    let claims = verdicts.iter().filter(|verdict| verdict.is_improvement()).count();
    assert!(verdicts.len() >= 40, "{} verdicts", verdicts.len());
    assert!(claims * 10 <= verdicts.len(), "{claims} of {}", verdicts.len());
}

/// Ratios to the start's own scores would claim a gain in 94 % of the verdicts.
#[test]
fn noise_is_rarely_called_better() {
    assert_rarely_better(Kind::Noisy);
}

/// Playing the start first would claim a gain in 85 % of the verdicts.
#[test]
fn a_slow_first_play_is_rarely_called_better() {
    assert_rarely_better(Kind::Cold);
}

/// Student's t would claim a gain in 30 % of the verdicts.
#[test]
fn rare_failures_are_rarely_called_better() {
    assert_rarely_better(Kind::Risky);
}
