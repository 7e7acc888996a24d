//! Executes jobs in temporary folders.

use evolve_core::job::Catalogue;
use evolve_core::job::Job;
use evolve_core::run::{Ending, Nobody, Run, Verdict};
use evolve_search::document::Document;
use evolve_search::evaluator::Serial;
use evolve_search::model::problem::Context;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Returns the results of a function for 1 to `count`, in order, computed with one thread for each
/// core. Does not use rayon, whose threads would start whole runs, nested on one stack, while they
/// wait for trials of others.
pub fn spread<T: Send>(count: u64, of: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = AtomicU64::new(1);
    let done = Mutex::new(Vec::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number > count {
                return;
            }
            let found = of(number);
            done.lock().expect("no holder panics").push((number, found));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().expect("no holder panics");
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, found)| found).collect()
}

pub fn job(text: &str, catalogue: &Catalogue) -> Job {
    let document = Document::new(Path::new("job.toml"), text.to_string());
    Job::parse(&document, catalogue).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Executes a job and returns its verdict.
pub fn carry_out(job: &Job) -> Verdict {
    let results = tempfile::tempdir().expect("a temporary folder can be made");
    let evaluator = Serial::open(&*job.problem, Context::default()).expect("the problem can be played");
    let mut run = Run::start(job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
    match run.execute(&AtomicBool::new(false), &mut Nobody).unwrap_or_else(|error| panic!("{error}")) {
        Ending::Complete(verdict) => *verdict,
        Ending::Stopped => unreachable!("it is never stopped"),
    }
}
