//! Checkpoints with their logs. Header and checksum are valid, so that the content is read.

use crate::files::{SEPARATOR, parts, scratch};
use arbitrary::{Result, Unstructured};
use evolve_core::job::Job;
use evolve_core::job::{Catalogue, Game};
use evolve_core::run::{Ending, FORMAT, Progress, Run, RunError, Snapshot, Watch};
use evolve_search::document::Document;
use evolve_search::evaluator::Threads;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{Context, OpenError, Problem, Session, session};
use evolve_search::model::trial::{Case, Outcome};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// A noisy quadratic with parameters of all kinds.
struct Bowl;

impl Problem for Bowl {
    fn name(&self) -> &str {
        "bowl"
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::float("x", -10.0, 10.0, 4.0),
            Parameter::float("t", 0.001, 1000.0, 1.0).log(),
            Parameter::int("n", 1, 20, 15),
            Parameter::choice("move", ["swap", "turn", "skip"], 0),
            Parameter::switch("polish", false),
        ]
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        Ok(session(|candidate| {
            let x = candidate.float("x");
            let height = x * x + (candidate.int("n") - 4).unsigned_abs() as f64 + candidate.choice("move") as f64;
            move |case: &Case| Ok(Outcome::of((case.seed % 8) as f64 - height))
        }))
    }
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(&[Game::plain(Arc::new(Bowl))]));

/// A run by one optimizer, which the beginning of an input names.
struct Base {
    optimizer: &'static str,
    job: Job,
    evaluator: Threads,
}

fn base(optimizer: &'static str, keys: &str) -> Base {
    let job = format!(
        "name = \"fuzz\"\n[game]\nname = \"bowl\"\n[search]\noptimizer = \"{optimizer}\"\n{keys}\n\
         validation = 30\nselection = 8\ntest = 40\n"
    );
    let job = Job::parse(&Document::new(Path::new("base.toml"), job), &CATALOGUE).unwrap_or_else(|e| panic!("{e}"));
    let evaluator = Threads::open(&*job.problem, 1, Context::default()).expect("threads start");
    Base { optimizer, job, evaluator }
}

static BASES: LazyLock<Vec<Base>> = LazyLock::new(|| {
    vec![base("auto", "budget = 400"), base("genetic", "population = 6\ntrials = 4\ngenerations = 4")]
});

const LOG: &str = "log.jsonl";
const FOLDER: &str = "fuzz";

/// Stops a run after some batches.
struct StopAfter<'s>(usize, &'s AtomicBool);

impl Watch for StopAfter<'_> {
    fn progress(&mut self, progress: &Progress) {
        assert!((0.0..=1.0).contains(&progress.figures.share), "{progress:?}");
        match self.0.checked_sub(1) {
            Some(left) => self.0 = left,
            None => self.1.store(true, Ordering::Relaxed),
        }
    }
}

fn execute(run: &mut Run<'_>, batches: usize) -> Result<Ending, RunError> {
    let stop = AtomicBool::new(false);
    run.execute(&stop, &mut StopAfter(batches, &stop))
}

/// Returns the checkpoint with a body that begins with `state`, for this version, job and log.
fn checkpoint(base: &Base, state: &[u8], log: &[u8]) -> Vec<u8> {
    // Without the run in brief, the whole state is read.
    let mut body = format!("{{}}\n{{\"version\":{},\"job\":{},", evolve_core::VERSION, base.job.digest()).into_bytes();
    body.extend_from_slice(&with_checksum(state, log));
    let head = format!("evolve-checkpoint {FORMAT} {:08x}\n", crc32fast::hash(&body));
    [head.as_bytes(), &body, b"\n"].concat()
}

/// Returns the state with the checksum of as many bytes of the log as it expects.
fn with_checksum(state: &[u8], log: &[u8]) -> Vec<u8> {
    const BEFORE: &[u8] = b"\"log\":{\"bytes\":";
    const CRC: &[u8] = b",\"crc\":";
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let found = state.windows(BEFORE.len()).rposition(|bytes| bytes == BEFORE);
    let Some((head, rest)) = found.and_then(|at| state.split_at_checked(at + BEFORE.len())) else {
        return state.to_vec();
    };
    let (count, rest) = rest.split_at(digits(rest));
    let length = std::str::from_utf8(count).ok().and_then(|count| count.parse().ok());
    let (Some(rest), Some(of_run)) = (rest.strip_prefix(CRC), length.and_then(|length| log.get(..length))) else {
        return state.to_vec();
    };
    let crc = crc32fast::hash(of_run).to_string();
    [head, count, CRC, crc.as_bytes(), &rest[digits(rest)..]].concat()
}

/// Resumes from a checkpoint for a few batches, and inspects it from outside.
pub fn resume(bytes: Unstructured<'_>) -> Result<bool> {
    let [optimizer, state, log] = parts::<3>(bytes.take_rest());
    let Some(base) = BASES.iter().find(|base| base.optimizer.as_bytes() == optimizer) else { return Ok(false) };
    let results = scratch();
    let folder = results.path().join(FOLDER);
    fs::create_dir(&folder).expect("a folder is made");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("a file is written");
    write("config.toml", base.job.to_toml().as_bytes());
    write("checkpoint", &checkpoint(base, state.trim_ascii_end(), log));
    write(LOG, log);
    if let Some(Ok(snapshot)) = Snapshot::of(&folder, &CATALOGUE) {
        let status = snapshot.status(results.path());
        assert!((0.0..=1.0).contains(&status.figures.share), "{status:?}");
    }
    let mut run = match Run::resume(&base.job, &base.evaluator, results.path()) {
        Ok(run) => run,
        Err(error) => {
            assert!(error.to_string().len() < 20_000);
            return Ok(false);
        }
    };
    match execute(&mut run, 3) {
        Ok(Ending::Complete(verdict)) => {
            assert!(verdict.difference().is_none_or(|difference| difference.mean.is_finite()))
        }
        Ok(Ending::Stopped) => {
            drop(run);
            // The run can resume from the state that it saved.
            Run::resume(&base.job, &base.evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
        }
        Err(error) => assert!(error.to_string().len() < 20_000),
    }
    Ok(true)
}

/// Returns inputs from whole runs, some batches after their start.
pub fn samples() -> Vec<(String, String, Vec<u8>)> {
    let mut all = Vec::new();
    for base in BASES.iter() {
        for batches in [1, 4, 9, 14, 40, usize::MAX] {
            let results = scratch();
            let mut run = Run::start(&base.job, &base.evaluator, results.path()).unwrap_or_else(|e| panic!("{e}"));
            execute(&mut run, batches).unwrap_or_else(|error| panic!("{error}"));
            drop(run);
            let file = |name| fs::read_to_string(results.path().join(FOLDER).join(name)).expect("it is there");
            let checkpoint = file("checkpoint");
            let state = checkpoint.find("\"state\":").expect("a checkpoint has a state");
            let parts = [base.optimizer, &checkpoint[state..], &file(LOG)];
            let name = if batches == usize::MAX { "end".to_string() } else { batches.to_string() };
            let bytes = parts.join(&char::from(SEPARATOR).to_string()).into_bytes();
            all.push(("checkpoint".to_string(), format!("{}-{name}", base.optimizer), bytes));
        }
    }
    all
}
