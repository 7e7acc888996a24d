//! Tests of verdicts that end early, and of verdicts on instances.

use super::*;
use crate::fixture::{TINY, parse_with};
use crate::job::recorded::Found;
use crate::job::{Catalogue, Game};
use evolve_search::model::behaviour::{Behaviour, Variation};
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{Context, OpenError, Problem, Session, session};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::Case;
use std::sync::Arc;

/// Returns a job whose start is far from the optimum, so that a test of a thousand trials is clear
/// long before its end.
fn long() -> Job {
    job(&[("test = 30", "test = 1000")])
}

#[test]
fn a_clear_verdict_ends_early_with_any_evaluator_and_any_stops() {
    let job = long();
    let results = folder();
    let verdict = complete(&job, results.path());
    let (compared, sample) = tested(&verdict);
    assert!(compared.found() == Found::Better && sample.most == 1000, "{verdict:?}");
    assert!(compared.trials == 100, "{verdict:?}");
    assert!(compared.paired.gain().low >= 0.5 * compared.paired.gain().mean, "known to within a half: {verdict:?}");
    assert!(verdict.to_string().contains("100 of at most 1,000 trials of each candidate:"), "{verdict}");
    let whole = files(results.path());
    for count in [1, 16] {
        let results = folder();
        play(Run::start, &job, &threads(&job, count), results.path(), usize::MAX);
        assert_same(&whole, &files(results.path()), &format!("{count} threads"));
    }
    let results = folder();
    while play(Run::resume, &job, &threads(&job, 2), results.path(), 1) == Ending::Stopped {}
    assert_same(&whole, &files(results.path()), "stopped after every batch");
}

/// The gain of a larger value depends only on the instance, and is zero on average over all
/// instances.
struct Instances {
    shared: bool,
    once: bool,
}

const COUNT: usize = 12;

impl Problem for Instances {
    fn name(&self) -> &str {
        "instances"
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::float("x", -1.0, 1.0, 0.0)]
    }

    fn instances(&self, split: Split) -> Option<Vec<String>> {
        let name = |i| if self.shared { format!("{i}") } else { format!("{split:?} {i}") };
        Some((0..COUNT).map(name).collect())
    }

    fn behaviour(&self) -> Behaviour {
        let variation = if self.once { Variation::Instances } else { Variation::Cases };
        Behaviour { variation, ..Behaviour::default() }
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        Ok(session(|candidate| {
            let x = candidate.float("x");
            move |case: &Case| {
                let instance = case.number % COUNT as u64;
                Ok(Outcome::of(x * (instance as f64 - 4.0) + (case.seed % 7) as f64))
            }
        }))
    }
}

fn verdict_on(problem: Instances) -> Verdict {
    let each = if problem.once { 1 } else { 5 };
    let text = TINY.split("[game]").next().unwrap().to_string()
        + "[game]\nname = \"instances\"\n\n[search]\noptimizer = \"genetic\"\npopulation = 8\ntrials = 12\ngenerations = 20\n\nselection = 24\n";
    let job =
        parse_with(&text, &Catalogue::new(&[Game::plain(Arc::new(problem))])).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(job.plan(job.trials(None)).test, each * COUNT);
    complete(&job, folder().path())
}

#[test]
fn replicates_of_an_instance_are_not_independent_evidence() {
    let verdict = verdict_on(Instances { shared: false, once: false });
    let (compared, sample) = tested(&verdict);
    assert_eq!((compared.trials, sample.instances), (5 * COUNT, Some((COUNT, false))));
    assert!(compared.paired.gain().mean > 0.0, "{verdict:?}");
    // Differences range from -4 to 7 times the value; twelve of them limit the precision of their
    // mean, 1.5.
    let half = compared.paired.gain().half_width();
    assert!((half / compared.paired.gain().mean - 2.2 * 3.6 / 12_f64.sqrt() / 1.5).abs() < 0.1, "{verdict:?}");
    assert!(verdict.to_string().contains("held-out test, 60 trials of each candidate, on 12 instances:"), "{verdict}");
}

#[test]
fn nothing_is_claimed_beyond_instances_of_the_search() {
    let verdict = verdict_on(Instances { shared: true, once: false });
    assert_eq!(tested(&verdict).1.instances, Some((COUNT, true)));
    assert!(verdict.to_string().contains("about these instances only"), "{verdict}");
}

#[test]
fn a_trial_that_repeats_another_is_not_played() {
    let verdict = verdict_on(Instances { shared: false, once: true });
    let (compared, sample) = tested(&verdict);
    assert_eq!((compared.trials, sample.instances), (COUNT, Some((COUNT, false))));
}
