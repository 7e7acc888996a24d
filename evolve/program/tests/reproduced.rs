//! Tests that config.toml alone reproduces a run, to the instances of its test.

mod common;

use common::Place;
use evolve_core::job::Job;
use evolve_core::names::CONFIG;
use evolve_core::run::{Ending, Nobody, Progress, Run, Watch};
use evolve_search::evaluator::Threads;
use evolve_search::model::problem::Context;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops a run once it has played some trials.
struct StopAfter<'a>(u64, &'a AtomicBool);

impl Watch for StopAfter<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.1.store(progress.figures.trials >= Some(self.0), Ordering::Relaxed);
    }
}

fn threads(job: &Job) -> Threads {
    Threads::open(&*job.problem, 2, Context::default()).unwrap()
}

fn read(results: &Path, name: &str) -> String {
    fs::read_to_string(results.join("run").join(name)).unwrap()
}

#[test]
fn a_run_that_was_finished_early_is_reproduced() {
    let place = Place::new();
    place.file("solver.sh", "echo Score = $((1000 + $1 * ($2 % 7 + 1)))");
    let job = "name = \"run\"\n[program]\ncommand = \"sh $DIR/solver.sh {k} {seed}\"\nseeds = \"0-39\"\n\
               [parameters]\nk = { int = [1, 20], start = 5 }\n[search]\nbudget = 120\n";
    let job = place.job(job).unwrap_or_else(|fault| panic!("{fault}"));
    let (first, second) = (place.path().join("first"), place.path().join("second"));
    let (evaluator, stop) = (threads(&job), AtomicBool::new(false));
    let mut run = Run::start(&job, &evaluator, &first).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.execute(&stop, &mut StopAfter(30, &stop)).unwrap(), Ending::Stopped);
    drop(run);
    let mut run = Run::resume(&job, &evaluator, &first).unwrap_or_else(|error| panic!("{error}"));
    run.finish().unwrap();
    assert!(matches!(run.execute(&AtomicBool::new(false), &mut Nobody), Ok(Ending::Complete(_))));

    let config = place.job(&read(&first, CONFIG)).unwrap_or_else(|fault| panic!("{fault}"));
    let evaluator = threads(&config);
    let mut run = Run::start(&config, &evaluator, &second).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(run.execute(&AtomicBool::new(false), &mut Nobody), Ok(Ending::Complete(_))));
    let tested = |results| -> BTreeSet<String> {
        let trials = read(results, "trials.csv");
        let rows = trials.lines().filter(|row| row.contains(",test,"));
        rows.map(|row| row.split(',').nth(3).unwrap().to_string()).collect()
    };
    // Of 40 instances, 20 belong to the search; a run this small tests on all others.
    assert_eq!(tested(&first).len(), 20);
    assert_eq!(tested(&second), tested(&first));
    for name in [CONFIG, "generations.csv", "validation.csv", "recommendation.toml", "trials.csv"] {
        assert_eq!(read(&second, name), read(&first, name), "{name}");
    }
}
