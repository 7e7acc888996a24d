//! Tests of trials that are stopped because a rival is clearly better.

use super::*;
use crate::job::{Catalogue, Game};
use evolve_search::model::behaviour::Behaviour;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{Candidate, Contender, OpenError, Player, Problem, Session};
use evolve_search::model::seed::{Split, generator};
use evolve_search::model::trial::{Case, Failure, FailureKind};
use rand::RngExt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A problem whose score is its work: easy and hard cases differ by a factor of ten, and bad
/// candidates take a hundred times as long as good ones.
struct Work {
    caps: bool,
    searching: Arc<AtomicU64>,
}

/// A trial stops at this multiple of a rival's work.
const FACTOR: f64 = 2.0;

/// Returns the work of a candidate relative to the best one.
fn height(x: f64, y: f64) -> f64 {
    1.0 + (x - 1.0).powi(2) + (y + 2.0).powi(2)
}

struct Open {
    caps: bool,
    searching: Arc<AtomicU64>,
}

struct Worker {
    height: f64,
    caps: bool,
    searching: Arc<AtomicU64>,
}

impl Problem for Work {
    fn name(&self) -> &str {
        "work"
    }

    fn parameters(&self) -> Vec<Parameter> {
        let parameter = |name| Parameter::float(name, -10.0, 10.0, 2.0);
        vec![parameter("x"), parameter("y")]
    }

    /// Trials are played ahead.
    fn behaviour(&self) -> Behaviour {
        Behaviour { is_external: true, has_rivals: self.caps, ..Behaviour::default() }
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        Ok(Box::new(Open { caps: self.caps, searching: Arc::clone(&self.searching) }))
    }
}

impl Session for Open {
    fn contender(self: Arc<Self>, candidate: Candidate<'_>) -> Box<dyn Contender> {
        let height = height(candidate.float("x"), candidate.float("y"));
        Box::new(Worker { height, caps: self.caps, searching: Arc::clone(&self.searching) })
    }
}

impl Contender for Worker {
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(Worker { searching: Arc::clone(&self.searching), ..*self })
    }
}

impl Player for Worker {
    fn play(&mut self, case: &Case, rival: Option<f64>) -> Result<Outcome, PlayError> {
        if rival.is_some() && !(self.caps && case.split == Split::Search) {
            return Err(Failure::new(FailureKind::Exit, format!("{case:?} has one")).into());
        }
        let mut random = generator(case.seed);
        let hard = 100.0 * libm::exp(2.3 * random.random::<f64>());
        let own = 0.8 + 0.4 * generator(case.seed ^ self.height.to_bits()).random::<f64>();
        let whole = hard * self.height * own;
        let cap = rival.map_or(f64::INFINITY, |rival| FACTOR * libm::exp(-rival));
        let work = whole.min(cap);
        if case.split == Split::Search {
            self.searching.fetch_add(work as u64, Ordering::Relaxed);
        }
        Ok(Outcome { capped: whole > cap, ..Outcome::of(work).objective(-libm::log(work)) })
    }
}

fn work(caps: bool, optimizer: &str, generations: u64) -> (Job, Arc<AtomicU64>) {
    let searching = Arc::<AtomicU64>::default();
    let catalogue = Catalogue::new(&[Game::plain(Arc::new(Work { caps, searching: Arc::clone(&searching) }))]);
    let text = format!(
        "name = \"tiny\"\nseed = 3\n[game]\nname = \"work\"\n[search]\n{optimizer}\ngenerations = {generations}\n\
         validation = 30\nselection = 8\ntest = 30\n"
    );
    (parse_with(&text, &catalogue).unwrap_or_else(|fault| panic!("{fault}")), searching)
}

const AUTO: &str = "optimizer = \"auto\"";
const GENETIC: &str = "optimizer = \"genetic\"\npopulation = 8\ntrials = 3\nelites = 1";

#[test]
fn caps_save_work_and_the_recommendation_is_as_good() {
    for (optimizer, generations, most) in [(AUTO, 24, 0.6), (GENETIC, 12, 0.8)] {
        let [plain, capped] = [false, true].map(|caps| {
            let (job, searching) = work(caps, optimizer, generations);
            let (evaluator, results) = (threads(&job, 2), folder());
            let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
            assert!(matches!(execute(&mut run, usize::MAX).unwrap(), Ending::Complete(_)));
            let (state, counters) = (run.state(), run.state().counters);
            let (chosen, verdict) = (state.chosen(), state.verdict().unwrap());
            assert!(verdict.is_improvement(), "{verdict}");
            assert_eq!((counters.failures.total(), counters.capped > 0), (0, caps), "{optimizer}");
            let [x, y] = chosen.values[..] else { panic!("{chosen:?}") };
            (searching.load(Ordering::Relaxed), height(x, y))
        });
        let (share, [plain, capped]) = (capped.0 as f64 / plain.0 as f64, [plain.1, capped.1]);
        assert!(share < most, "{optimizer}: {share}");
        assert!(capped <= 1.01 * plain, "{optimizer}: {capped} {plain}");
    }
}

#[test]
fn capped_runs_give_the_same_bytes_on_any_number_of_threads_and_after_any_stop() {
    for (optimizer, generations) in [(AUTO, 9), (GENETIC, 3)] {
        let (job, _) = work(true, optimizer, generations);
        let whole = whole(&job);
        let many = folder();
        assert!(matches!(play(Run::start, &job, &threads(&job, 4), many.path(), usize::MAX), Ending::Complete(_)));
        assert_same(&whole, &files(many.path()), "4 threads");
        let (mut stopped, mut batches) = (true, 0);
        while stopped {
            let results = folder();
            stopped = play(Run::start, &job, &threads(&job, 2), results.path(), batches) == Ending::Stopped;
            resume(&job, results.path());
            assert_same(&whole, &files(results.path()), &format!("{optimizer} after {batches} batches"));
            batches += 5;
        }
        assert!(batches > 60, "{batches}");
    }
}
