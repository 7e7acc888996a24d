//! Tests of custom optimizers and evaluators, and of trials that fail.

use super::*;
use crate::fixture::{TINY, parse_with};
use evolve_search::evaluator::Queue;
use evolve_search::model::problem::Input;
use evolve_search::model::space::{Coordinate, Space};
use evolve_search::model::trial::Case;
use evolve_search::optimizer::{self, Ask, FinalistKind, Generation, Method, Optimizer, StateError, Terms, Told};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Map;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::AtomicUsize;

/// The settings of a search that tries a step to both sides of its best point, one coordinate after
/// another.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
struct Steps {
    /// games of each candidate
    #[schemars(range(min = 1, max = 100))]
    games: usize,
    /// length of a step, in scales
    #[schemars(range(min = 0.001, max = 10.0))]
    length: f64,
}

impl Default for Steps {
    fn default() -> Self {
        Steps { games: 4, length: 0.5 }
    }
}

static STEPS: Method = Method {
    name: "steps",
    meaning: "a step to either side, one coordinate after another",
    keys: evolve_search::document::schema::of::<Steps>,
    read: |section| Ok(Box::new(section.part::<Steps>()?)),
};

impl optimizer::Settings for Steps {
    fn method(&self) -> &'static Method {
        &STEPS
    }

    fn write(&self) -> Map<String, Value> {
        evolve_search::document::text::table(self)
    }

    fn start(&self, space: &Space, _: Terms, _: u64) -> Box<dyn Optimizer> {
        let space = space.coordinates();
        let best = space.iter().map(|coordinate| coordinate.start).collect();
        Box::new(Stepper { settings: self.clone(), space: space.to_vec(), best, generation: 0 })
    }

    fn resume(&self, space: &Space, terms: Terms, seed: u64, state: &Value) -> Result<Box<dyn Optimizer>, StateError> {
        let (best, generation): (Vec<f64>, u64) = Deserialize::deserialize(state)?;
        drop(self.start(space, terms, seed));
        Ok(Box::new(Stepper { settings: self.clone(), space: space.coordinates().to_vec(), best, generation }))
    }
}

struct Stepper {
    settings: Steps,
    space: Vec<Coordinate>,
    best: Vec<f64>,
    generation: u64,
}

impl Optimizer for Stepper {
    fn ask(&self) -> Ask {
        let place = self.generation as usize % self.space.len();
        let step = |times: f64| {
            let mut point = self.best.clone();
            point[place] += times * self.settings.length * self.space[place].unit;
            point
        };
        // The trials do not form a full grid: the known middle point plays only every other case.
        let mut ask = Ask::all(vec![self.best.clone(), step(-1.0), step(1.0)], self.settings.games);
        ask.trials.retain(|&(point, case)| point > 0 || case % 2 == 0);
        ask
    }

    fn tell(&mut self, ask: &Ask, told: &Told<'_>) -> Generation {
        let means = ask.means(told.objectives);
        let best = (0..3).max_by(|&a, &b| means[a].total_cmp(&means[b])).unwrap();
        self.best = ask.points[best].clone();
        self.generation += 1;
        Generation {
            number: self.generation - 1,
            best: (self.best.clone(), means[best]),
            mean: evolve_search::statistics::mean(&means),
            spread: evolve_search::statistics::standard_deviation(&means),
            deviations: self.deviations(),
        }
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn mean(&self) -> &[f64] {
        &self.best
    }

    fn recommended(&self) -> Vec<(FinalistKind, Vec<f64>)> {
        vec![(FinalistKind::Mean, self.best.clone())]
    }

    fn method(&self) -> &'static str {
        "still"
    }

    fn deviations(&self) -> Vec<f64> {
        self.space.iter().map(|coordinate| self.settings.length * coordinate.unit).collect()
    }

    fn state(&self) -> Value {
        serde_json::to_value((&self.best, self.generation)).unwrap()
    }
}

#[test]
fn a_custom_optimizer_runs_like_any_other() {
    let catalogue = catalogue().with_method(&STEPS);
    let text = TINY.replace("population = 5\ntrials = 3\ngenerations = 3", "generations = 60");
    let text = text.replace("optimizer = \"genetic\"\nelites = 1", "optimizer = \"steps\"");
    let job = parse_with(&text, &catalogue).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(
        job.to_toml()
            .contains("generations = 60\nvalidation = 30\nselection = 8\ntest = 30\ngames = 4\nlength = 0.5\n")
    );
    let results = folder();
    assert!(complete(&job, results.path()).is_improvement());
    let whole = files(results.path());
    for batches in [2, 17, 40, 75] {
        let results = folder();
        assert_eq!(play(Run::start, &job, &threads(&job, 2), results.path(), batches), Ending::Stopped);
        resume(&job, results.path());
        assert_same(&whole, &files(results.path()), &format!("stopped after {batches} batches"));
    }
    let reference = crate::job::reference(&catalogue);
    assert!(reference.contains("with `optimizer = \"steps\"`") && reference.contains("| `length` | "), "{reference}");
    let mistaken =
        parse_with(&text.replace("\"steps\"", "\"stepps\""), &catalogue).map(|_| ()).unwrap_err().to_string();
    assert!(mistaken.contains("did you mean `steps`?"), "{mistaken}");
}

/// The result of a trial that replaces its outcome.
type Instead = fn() -> Result<Outcome, PlayError>;

/// Plays each batch in reverse order, as another machine might, and counts trials; one given trial
/// returns another result.
struct Backwards<'a> {
    inner: &'a Threads,
    played: AtomicUsize,
    instead: Option<(usize, Instead)>,
}

struct BackwardsQueue<'a> {
    inner: Box<dyn Queue + 'a>,
    trials: VecDeque<Trial>,
    evaluator: &'a Backwards<'a>,
}

impl Evaluator for Backwards<'_> {
    fn queue(&self) -> Box<dyn Queue + '_> {
        Box::new(BackwardsQueue { inner: self.inner.queue(), trials: VecDeque::new(), evaluator: self })
    }

    fn inputs(&self) -> &[Input] {
        self.inner.inputs()
    }

    fn parallelism(&self) -> usize {
        3
    }
}

impl Queue for BackwardsQueue<'_> {
    fn push(&mut self, trials: Vec<Trial>) {
        self.trials.extend(trials);
    }

    fn pop(&mut self, count: usize) -> Result<Vec<Outcome>, PlayError> {
        let before = self.evaluator.played.fetch_add(count, Ordering::Relaxed);
        let mut outcomes = Vec::new();
        let trials: Vec<Trial> = self.trials.drain(..count).collect();
        for trial in trials.into_iter().rev() {
            outcomes.extend(evaluator::play(&mut *self.inner, vec![trial])?);
        }
        outcomes.reverse();
        if let Some((place, instead)) = self.evaluator.instead
            && (before..before + count).contains(&place)
        {
            outcomes[place - before] = instead()?;
        }
        Ok(outcomes)
    }
}

#[test]
fn a_custom_evaluator_gives_the_same_bytes() {
    let (job, results) = (tiny(), folder());
    let inner = threads(&job, 1);
    let backwards = Backwards { inner: &inner, played: AtomicUsize::new(0), instead: None };
    let mut run = Run::start(&job, &backwards, results.path()).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(execute(&mut run, usize::MAX).unwrap(), Ending::Complete(_)));
    assert_same(&whole(&job), &files(results.path()), "backwards");
    // 30 trials of the baseline, 45 of the search, 30 of the validation, then 3 finalists, the
    // effects and the test.
    let effects = run.state().counters.trials[Stage::Effects] as usize;
    assert!(effects > 0);
    assert_eq!(backwards.played.load(Ordering::Relaxed), 30 + 45 + 30 + 3 * 8 + effects + 60);
}

#[test]
fn a_failed_trial_ends_the_run_with_everything_saved() {
    let job = tiny();
    let whole = whole(&job);
    let failed = || Err(Failure::new(FailureKind::Signal, "the program ended by signal 11").into());
    let not_finite = || Ok(Outcome::of(1.0).objective(f64::NAN));
    for instead in [failed, not_finite] as [Instead; 2] {
        // The trial fails in each stage: 30 trials of the baseline, 45 of the search, 30 of the
        // validation, and so on.
        for place in [20, 40, 70, 100, 110, 160] {
            let results = folder();
            let inner = threads(&job, 1);
            let evaluator = Backwards { inner: &inner, played: AtomicUsize::new(0), instead: Some((place, instead)) };
            let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
            let error = execute(&mut run, usize::MAX).unwrap_err();
            let said = error.to_string();
            match error {
                RunError::Failed(failure) => assert!(said.contains(&failure.message), "{said}"),
                RunError::NotFinite(objective, _) => assert!(objective.is_nan() && said.contains("NaN"), "{said}"),
                other => panic!("{other:?}"),
            }
            drop(run);
            // All batches before the failed one are saved.
            let state = checkpoint::state(&file(results.path(), "checkpoint")).unwrap().unwrap();
            assert_eq!(state.failure, Some(said.clone()));
            let saved = state.trials() as usize;
            assert!((place.saturating_sub(14)..=place).contains(&saved), "{place}: {saved}");
            resume(&job, results.path());
            assert_same(&whole, &files(results.path()), &format!("{said}, trial {place}"));
        }
    }
}

#[test]
fn a_run_whose_first_trial_fails_can_be_started_again() {
    let (job, results) = (tiny(), folder());
    let inner = threads(&job, 1);
    let failed: Instead = || Err(Failure::new(FailureKind::Signal, "the program ended by signal 11").into());
    let evaluator = Backwards { inner: &inner, played: AtomicUsize::new(0), instead: Some((0, failed)) };
    let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(execute(&mut run, usize::MAX), Err(RunError::Failed(_))));
    drop(run);
    // Its kept failures are not those of the new run.
    fs::create_dir_all(file(results.path(), "failures/signal-00000001")).unwrap();
    play(Run::start, &job, &inner, results.path(), usize::MAX);
    assert!(!file(results.path(), names::FAILURES).exists());
    assert_same(&whole(&job), &files(results.path()), "started again");
}

/// Failed trials may count as outcomes.
#[test]
fn failures_that_count_are_counted() {
    let (job, results) = (tiny(), folder());
    let inner = threads(&job, 1);
    let fails: Instead =
        || Ok(Outcome { failure: Some(Failure::new(FailureKind::Time, "2 s")), ..Outcome::of(-100.0) });
    let evaluator = Backwards { inner: &inner, played: AtomicUsize::new(0), instead: Some((40, fails)) };
    let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
    let told = Cell::new(0);
    struct Told<'a>(&'a Cell<u64>);
    impl Watch for Told<'_> {
        fn progress(&mut self, progress: &Progress) {
            self.0.set(progress.figures.ends.failures.unwrap());
        }
    }
    run.execute(&AtomicBool::new(false), &mut Told(&told)).unwrap();
    assert_eq!((told.get(), run.state().counters.failures.total()), (1, 1));
}

/// No two splits share a case, and problems with a list of instances use it in order.
#[test]
fn every_split_has_its_own_cases() {
    use std::sync::Mutex;
    struct Listening<'a>(&'a Threads, Mutex<Vec<Case>>);
    struct ListeningQueue<'a>(Box<dyn Queue + 'a>, &'a Mutex<Vec<Case>>);
    impl Evaluator for Listening<'_> {
        fn queue(&self) -> Box<dyn Queue + '_> {
            Box::new(ListeningQueue(self.0.queue(), &self.1))
        }
        fn inputs(&self) -> &[Input] {
            self.0.inputs()
        }
        fn parallelism(&self) -> usize {
            1
        }
    }
    impl Queue for ListeningQueue<'_> {
        fn push(&mut self, trials: Vec<Trial>) {
            self.1.lock().unwrap().extend(trials.iter().map(|trial| trial.case));
            self.0.push(trials);
        }
        fn pop(&mut self, count: usize) -> Result<Vec<Outcome>, PlayError> {
            self.0.pop(count)
        }
    }
    let (job, results) = (tiny(), folder());
    let inner = threads(&job, 1);
    let listening = Listening(&inner, Mutex::default());
    let mut run = Run::start(&job, &listening, results.path()).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(execute(&mut run, usize::MAX).unwrap(), Ending::Complete(_)));
    let cases = listening.1.lock().unwrap();
    // No outcome is reused: the evaluator received every trial of the run.
    assert_eq!(cases.len() as u64, run.state().trials());
    let mut of_seed: BTreeMap<u64, Case> = BTreeMap::new();
    for case in cases.iter() {
        assert_eq!(of_seed.entry(case.seed).or_insert(*case), case);
    }
    let mut numbers: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    for case in of_seed.values() {
        numbers.entry(case.split).or_default().push(case.number);
    }
    let mut counts = Vec::new();
    for numbers in numbers.values_mut() {
        numbers.sort_unstable();
        assert!(numbers.iter().copied().eq(0..numbers.len() as u64), "{numbers:?}");
        counts.push(numbers.len());
    }
    // The counts are for search, validation, selection and test.
    assert_eq!(counts, [9, 30, 8, 30]);
}
