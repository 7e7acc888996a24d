//! Tests of runs of an expensive program: no trial is played only to repeat an outcome, repeated
//! trials that differ are no evidence, and failures are mentioned.

use super::*;
use crate::job::recorded::Found;
use crate::job::{Catalogue, Game};
use evolve_search::evaluator::Serial;
use evolve_search::model::behaviour::{Behaviour, Variation};
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{OpenError, Problem, Session, session};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::Case;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// The trials that a problem played: the choice and the instance.
type Plays = Arc<Mutex<Vec<(u64, u64)>>>;

/// How trials behave.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// The score follows from the choice and the instance.
    Sound,
    /// Each trial has another score, whatever the candidate.
    Dice,
    /// So do trials of all candidates but the baseline.
    LateDice,
    /// Every trial fails.
    Broken,
    /// Trials of the last choice fail.
    Fragile,
}

/// A program that chooses among `choices`, on so many listed instances, or on none.
#[derive(Clone)]
struct Machine {
    choices: usize,
    instances: usize,
    /// Whether the test has instances of its own.
    split: bool,
    variation: Variation,
    kind: Kind,
    plays: Plays,
}

impl Machine {
    fn new(choices: usize, instances: usize, split: bool, kind: Kind) -> Self {
        let variation = if instances == 0 { Variation::OneCase } else { Variation::Instances };
        Machine { choices, instances, split, variation, kind, plays: Plays::default() }
    }

    fn count(&self) -> usize {
        self.plays.lock().unwrap().len()
    }

    /// Returns a run's job on this problem.
    fn job(&self, seed: u64, budget: u64) -> Job {
        let text = format!("name = \"tiny\"\nseed = {seed}\n[game]\nname = \"machine\"\n[search]\nbudget = {budget}\n");
        parse_with(&text, &Catalogue::new(&[Game::plain(Arc::new(self.clone()))]))
            .unwrap_or_else(|fault| panic!("{fault}"))
    }
}

impl Problem for Machine {
    fn name(&self) -> &str {
        "machine"
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::choice("move", (0..self.choices).map(|i| format!("m{i}")), 0)]
    }

    fn instances(&self, split: Split) -> Option<Vec<String>> {
        let name = |i| if self.split { format!("{split:?} {i}") } else { format!("{i}") };
        (self.instances > 0).then(|| (0..self.instances).map(name).collect())
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour { is_external: true, variation: self.variation, ..Behaviour::default() }
    }

    fn not_deterministic(&self) -> Option<Arc<dyn Problem>> {
        Some(Arc::new(Machine { variation: Variation::Chance, ..self.clone() }))
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let Machine { choices, instances, kind, .. } = *self;
        let plays = Arc::clone(&self.plays);
        Ok(session(move |candidate| {
            let (choice, plays) = (candidate.choice("move") as u64, Arc::clone(&plays));
            move |case: &Case| {
                let instance = case.number % instances.max(1) as u64;
                let mut plays = plays.lock().unwrap();
                plays.push((choice, 100 * case.split.stream() + instance));
                let dice = evolve_search::model::seed::seed(7, Split::Variation, 1, plays.len() as u64) as f64
                    / u64::MAX as f64;
                let is_last = choice + 1 == choices as u64;
                let score = match kind {
                    Kind::Dice => dice,
                    Kind::LateDice if choice > 0 => 5.0 + dice,
                    _ => (1 + instance) as f64 * choice as f64,
                };
                let failure = Failure::new(FailureKind::Exit, format!("choice {choice} ended with status 3"));
                let failed = kind == Kind::Broken || kind == Kind::Fragile && is_last;
                Ok(match failed {
                    true => Outcome { failure: Some(failure), ..Outcome::of(-1.0) },
                    false => Outcome::of(score),
                })
            }
        }))
    }
}

/// Executes a job without interruption; returns its state.
fn state(job: &Job, results: &Path) -> State {
    let evaluator = threads(job, 2);
    let mut run = Run::start(job, &evaluator, results).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(execute(&mut run, usize::MAX).unwrap(), Ending::Complete(_)));
    run.state().clone()
}

fn rows(results: &Path) -> usize {
    fs::read_to_string(file(results, "trials.csv")).unwrap().lines().count() - 1
}

/// The baseline is played twice before the run, each of two candidates once, and both twice in the
/// exact test.
#[test]
fn a_choice_of_two_takes_few_trials() {
    let machine = Machine::new(2, 0, false, Kind::Sound);
    let (job, results) = (machine.job(1, 200), folder());
    let state = state(&job, results.path());
    let verdict = state.verdict().unwrap();
    assert!(matches!(verdict, Verdict::Exact(_, None)) && verdict.is_improvement(), "{verdict}");
    assert_eq!((machine.count(), state.search_trials(), state.trials()), (2 + 2 + 4, 2, 6));
    assert_eq!((rows(results.path()), state.notes(&job)), (6, vec![]));
}

#[test]
fn no_candidate_plays_an_instance_twice() {
    let machine = Machine::new(3, 20, true, Kind::Sound);
    let (job, results) = (machine.job(1, 1500), folder());
    let state = state(&job, results.path());
    assert!(matches!(state.verdict(), Some(Verdict::Tested(compared, _)) if compared.found() == Found::Better));
    // The baseline is played before the run, side by side and then alone.
    let plays = machine.plays.lock().unwrap()[8..].to_vec();
    assert_eq!(plays.iter().collect::<BTreeSet<_>>().len(), plays.len(), "no trial twice");
    assert!((20..=3 * 20).contains(&state.search_trials()), "{:?}", state.counters);
    assert_eq!((rows(results.path()) as u64, plays.len() as u64), (state.trials(), state.trials()));
}

#[test]
fn known_outcomes_do_not_change_with_threads_or_stops() {
    for machine in [Machine::new(3, 20, true, Kind::Sound), Machine::new(4, 5, false, Kind::Fragile)] {
        let job = machine.job(1, 400);
        let whole = whole(&job);
        for count in [1, 16] {
            let results = folder();
            play(Run::start, &job, &threads(&job, count), results.path(), usize::MAX);
            assert_same(&whole, &files(results.path()), &format!("{count} threads"));
        }
        let results = folder();
        while play(Run::resume, &job, &threads(&job, 2), results.path(), 1) == Ending::Stopped {}
        assert_same(&whole, &files(results.path()), "stopped after every batch");
    }
}

/// A list that the search uses as well is all there is.
#[test]
fn a_whole_list_is_compared_exactly() {
    for (count, least) in [(1, 1.0), (5, 3.0)] {
        let machine = Machine::new(4, count, false, Kind::Sound);
        let (job, results) = (machine.job(2, 200), folder());
        let state = state(&job, results.path());
        let verdict = state.verdict().unwrap();
        let Verdict::Exact(compared, Some(listed)) = verdict else { panic!("{verdict}") };
        let (difference, trials) = (compared.paired.gain(), &compared.trials);
        assert_eq!((*listed, *trials, state.counters.trials[Stage::Test]), (count, count, 2 * count as u64 + 2));
        assert!(difference.mean >= least && difference.low == difference.mean && difference.high == difference.mean);
        assert!(verdict.is_improvement() && !verdict.to_string().contains("interval"), "{verdict}");
    }
}

/// A verdict on dice would be luck; as trials of chance, they are tested like any other noise.
#[test]
fn trials_that_differ_are_no_fact() {
    let mut claims = 0;
    for seed in 0..20 {
        let machine = Machine::new(5, 0, false, Kind::Dice);
        let (job, results) = (machine.job(seed, 60), folder());
        let state = state(&job, results.path());
        let verdict = state.verdict().unwrap();
        assert!(!matches!(verdict, Verdict::Exact(..)), "{verdict}");
        let [note] = &state.notes(&job)[..] else { panic!("{:?}", state.notes(&job)) };
        assert!(note.contains("trials are not deterministic. The run continued as with `deterministic = false`"));
        let weights = fs::read_to_string(file(results.path(), "recommendation.toml")).unwrap();
        assert!(weights.contains("# note: repeating a trial gave score "), "{weights}");
        assert!(state.trials() <= 60 && state.plan.test >= 6, "{:?}", state.plan);
        claims += usize::from(verdict.is_improvement());
    }
    assert!(claims <= 2, "{claims} of 20");
}

#[test]
fn a_run_whose_trials_differ_resumes_as_it_is() {
    let machine = Machine::new(3, 12, true, Kind::Dice);
    let (job, results) = (machine.job(3, 100), folder());
    let mut stops = 0;
    while play_most(&job, results.path(), 10) == Ending::Stopped {
        stops += 1;
    }
    assert!(stops > 5, "{stops}");
    let state = checkpoint::state(&file(results.path(), "checkpoint")).unwrap().unwrap();
    assert!(state.differing.is_some() && state.trials() <= 100, "{state:?}");
    // Each trial was played: an earlier outcome says nothing about the next.
    assert_eq!(rows(results.path()) as u64, state.trials());
}

/// Resumes a run and plays at most two batches of `most` trials, on one thread.
fn play_most(job: &Job, results: &Path, most: usize) -> Ending {
    let evaluator = Serial::open(&*job.problem, Context::default()).unwrap();
    let mut run = Run::resume(job, &evaluator, results).unwrap_or_else(|error| panic!("{error}"));
    run.pace.most = most;
    let stop = AtomicBool::new(false);
    run.execute(&stop, &mut StopAfter { batches: 1, stop: &stop }).unwrap_or_else(|error| panic!("{error}"))
}

/// The baseline repeats, the finalist does not: the exact comparison becomes a test on repeated
/// trials, if the budget allows one.
#[test]
fn a_finalist_that_does_not_repeat_is_tested_on_repeated_trials() {
    // Stops after every trial come between the two that differ and the end of their schedule.
    for most in [None, Some(7), Some(1)] {
        let machine = Machine::new(2, 0, false, Kind::LateDice);
        let (job, results) = (machine.job(1, 200), folder());
        match most {
            None => drop(complete(&job, results.path())),
            Some(most) => while play_most(&job, results.path(), most) == Ending::Stopped {},
        }
        let state = checkpoint::state(&file(results.path(), "checkpoint")).unwrap().unwrap();
        let verdict = state.verdict().unwrap();
        let (compared, sample) = tested(verdict);
        assert!(compared.found() == Found::Better && compared.trials >= 6 && sample.most >= 6, "{verdict}");
        assert!(compared.paired.gain().low > 0.0 && state.trials() <= 200 && state.notes(&job).len() == 1, "{verdict}");
    }
}

#[test]
fn failures_are_counted_by_stage_and_the_first_is_named() {
    let machine = Machine::new(3, 0, false, Kind::Fragile);
    let (job, results) = (machine.job(1, 100), folder());
    let [note] = &state(&job, results.path()).notes(&job)[..] else { panic!() };
    let named = "failed trials: 1 of 3 search; the first, in the search: exit code: choice 2 ended with status 3";
    assert_eq!(note, named);
}

#[test]
fn a_run_of_which_every_trial_fails_has_no_verdict() {
    let machine = Machine::new(3, 12, true, Kind::Broken);
    let (job, results) = (machine.job(1, 100), folder());
    for _ in 0..2 {
        let evaluator = threads(&job, 2);
        let mut run = Run::resume(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
        let error = execute(&mut run, usize::MAX).unwrap_err();
        let count = run.state().trials();
        let said =
            format!("every trial failed, all {count} of them: there is no result; the first: exit code: choice ");
        assert!(matches!(error, RunError::AllFailed(..)) && error.to_string().starts_with(&said), "{error}");
        assert_eq!(run.state().failure, Some(error.to_string()));
    }
}

/// The time is less than any two trials take.
#[test]
fn a_run_that_cannot_end_in_time_does_not_begin() {
    let machine = Machine::new(3, 12, true, Kind::Sound);
    let (mut job, results) = (machine.job(1, 100), folder());
    job.limits = crate::job::Limits {
        budget: None,
        generations: None,
        time: Some(evolve_search::document::Time(std::time::Duration::from_nanos(1))),
    };
    let evaluator = threads(&job, 1);
    let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
    let error = execute(&mut run, usize::MAX).unwrap_err();
    let said = "`time` = 1ns is too short: one generation of the search and the smallest test take ";
    assert!(matches!(error, RunError::Time(..)) && error.to_string().starts_with(said), "{error}");
    // Four instances, and the first of them again.
    assert_eq!((machine.count(), run.state().trials()), (5, 0));
}

/// The test of a second run on the same instances is named, and changes none of its files.
#[test]
fn earlier_tests_on_the_same_instances_are_named() {
    let machine = Machine::new(3, 20, true, Kind::Sound);
    let results = folder();
    let job = machine.job(1, 200);
    let alone = whole(&job);
    for name in ["first", "deep/second"] {
        let other = Job { name: name.to_string(), seed: 7, ..job.clone() };
        complete(&other, results.path());
    }
    let evaluator = threads(&job, 2);
    let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
    execute(&mut run, usize::MAX).unwrap();
    let [note] = &run.state().notes(run.job())[..] else { panic!("{:?}", run.state().notes(run.job())) };
    assert!(note.starts_with("instances of the test were used by the tests of 2 earlier runs: "), "{note}");
    assert!(note.contains("deep/second, ") && note.ends_with("/first"), "{note}");
    assert_same(&alone, &files(results.path()), "beside other runs");
}
