//! `evolve serve`.

use super::{Outcome, catalogue, context};
use evolve_core::document::text::to_toml;
use evolve_core::document::{Document, Faults};
use evolve_core::evaluator::Threads;
use evolve_core::job::Job;
use evolve_core::job::policy_file::values_of;
use evolve_core::lock;
use evolve_core::model::problem::{Context, Notes, OpenError};
use evolve_core::run::{Ending, Figures, Progress, Run, RunError, Verdict, Watch};
use evolve_program::Program;
use evolve_program::host::{Host, HostAnswer};
use evolve_report::plot::plot_run;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use thiserror::Error;

/// Tune a function in another process, over JSON lines on standard input and output
///
/// The other process requests trials, plays them and reports their scores. The run writes the same files as any other
/// run, and has the same test and report. The Python package `evolve_tuner` uses this protocol; docs/serve.md describes
/// it.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// A request: one line from the other process.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    Open(Open),
    Ask(usize),
    Tell(Vec<Played>),
    Recommend,
    Close,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    /// The job, with the keys of a job file.
    job: Map<String, Value>,
    /// The number of simultaneous trials.
    #[serde(default = "one")]
    parallel: u16,
    /// The folder of all runs.
    #[serde(default = "results")]
    results: PathBuf,
    /// Whether to resume an existing run.
    #[serde(default)]
    resume: bool,
}

fn one() -> u16 {
    1
}

fn results() -> PathBuf {
    PathBuf::from("results")
}

/// The result of a trial, from the other process.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    id: u64,
    score: Option<f64>,
    /// Metrics by name, beside the score.
    #[serde(default)]
    metrics: BTreeMap<String, f64>,
    failure: Option<String>,
}

/// The reason why a request is not answered.
#[derive(Debug, Error)]
enum ServeError {
    #[error("not a request: {0}")]
    NoRequest(serde_json::Error),
    #[error("`{name}` needs a value: {form}")]
    NoValue { name: String, form: &'static str },
    #[error("a run is open already")]
    Open,
    #[error("no run is open: `open` comes first")]
    NoRun,
    #[error("`program` is a section")]
    NoSection,
    #[error("`{0}` has a null in a list, which a job cannot have")]
    Null(String),
    #[error("the job must have a [program]: a game cannot be served")]
    NoProgram,
    #[error("trial {0} needs either `score` or `failure`")]
    NoResult(u64),
    #[error("no trial {0} waits for a score")]
    NoTrial(u64),
    #[error("the run ended by a panic")]
    Panic,
    #[error(transparent)]
    Job(#[from] Faults),
    #[error(transparent)]
    Session(#[from] OpenError),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// A trial that waits for its result.
struct Call {
    trial: Map<String, Value>,
    answer: Sender<HostAnswer>,
}

/// Passes trials to the other process.
struct Waiting(Mutex<Sender<Call>>);

impl Host for Waiting {
    fn play(&self, trial: Map<String, Value>) -> Option<HostAnswer> {
        let (answer, answered) = mpsc::channel();
        let calls = lock(&self.0).clone();
        calls.send(Call { trial, answer }).ok()?;
        answered.recv().ok()
    }
}

/// The values of the incumbent and the progress of the run, for `recommend`.
#[derive(Default)]
struct Incumbent {
    values: Vec<f64>,
    figures: Figures,
}

struct Following(Arc<Mutex<Incumbent>>);

impl Watch for Following {
    fn progress(&mut self, Progress { incumbent, figures, .. }: &Progress<'_>) {
        *lock(&self.0) = Incumbent { values: incumbent.clone(), figures: figures.clone() };
    }
}

/// A run in progress.
struct Study {
    job: Job,
    folder: PathBuf,
    /// The trials to pass on; `None` once the run is closed.
    calls: Option<Receiver<Call>>,
    /// The trials that were passed on, by number.
    open: BTreeMap<u64, Sender<HostAnswer>>,
    next: u64,
    stop: Arc<AtomicBool>,
    incumbent: Arc<Mutex<Incumbent>>,
    run: Option<JoinHandle<Result<Ending, RunError>>>,
    ending: Option<Result<Ending, ServeError>>,
}

impl Args {
    pub fn run(self) -> Outcome {
        let mut study: Option<Study> = None;
        let mut output = io::stdout();
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        // Bytes, not text: the answer to a line that is not UTF-8 is an error like any other.
        while input.read_until(b'\n', &mut line)? > 0 {
            if !line.trim_ascii().is_empty() {
                let answer = request(&line).and_then(|request| answer(request, &mut study));
                let answer = answer.unwrap_or_else(|error| json!({ "error": error.to_string() }));
                writeln!(output, "{answer}").and_then(|()| output.flush())?;
            }
            line.clear();
        }
        if let Some(mut study) = study {
            study.close();
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Parses a request.
fn request(line: &[u8]) -> Result<Request, ServeError> {
    serde_json::from_slice(line).map_err(|error| {
        let name = match serde_json::from_slice(line) {
            Ok(Value::String(name)) => name,
            _ => String::new(),
        };
        // The library's message speaks of variants.
        let form = match &name[..] {
            "open" => r#"{"open": {"job": {..}}}"#,
            "ask" => r#"{"ask": 1}"#,
            "tell" => r#"{"tell": [{"id": 0, "score": 12.5}]}"#,
            _ => return ServeError::NoRequest(error),
        };
        ServeError::NoValue { name, form }
    })
}

fn answer(request: Request, study: &mut Option<Study>) -> Result<Value, ServeError> {
    match (request, study) {
        (Request::Open(_), Some(_)) => Err(ServeError::Open),
        (Request::Open(open), study) => {
            let opened = Study::open(open)?;
            let folder = opened.folder.display().to_string();
            *study = Some(opened);
            Ok(json!({ "opened": { "folder": folder, "version": evolve_core::VERSION } }))
        }
        (_, None) => Err(ServeError::NoRun),
        (Request::Ask(count), Some(study)) => Ok(study.ask(count)),
        (Request::Tell(played), Some(study)) => study.tell(played),
        (Request::Recommend, Some(study)) => Ok(study.recommend()),
        (Request::Close, Some(study)) => {
            study.close();
            Ok(json!({ "closed": { "folder": study.folder.display().to_string() } }))
        }
    }
}

/// Returns whether a list contains a null. A null entry of a table, by contrast, counts as absent.
fn lists_null(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| item.is_null() || lists_null(item)),
        Value::Object(table) => table.values().any(lists_null),
        _ => false,
    }
}

/// How long to wait for further trials while others are being played.
const PATIENCE: Duration = Duration::from_millis(20);
/// How long to wait for each trial after the first, so that quick trials are handed out together.
const TOGETHER: Duration = Duration::from_micros(200);

impl Study {
    fn open(Open { mut job, parallel, results, resume }: Open) -> Result<Self, ServeError> {
        complete(&mut job)?;
        if let Some((name, _)) = job.iter().find(|(_, value)| lists_null(value)) {
            return Err(ServeError::Null(name.clone()));
        }
        let document = Document::new(Path::new("job"), to_toml(&job));
        // The command is only a placeholder for the function, and need not exist.
        let job = Job::parse(&document, &catalogue().to_look())?;
        let program = Program::of(&*job.source.problem).ok_or(ServeError::NoProgram)?;
        let (calls, called) = mpsc::channel();
        let folder = results.join(&job.name);
        let stop = Arc::new(AtomicBool::new(false));
        // Standard output belongs to the protocol, so notes are discarded.
        let context = Context { run_folder: Some(folder.clone()), notes: Notes::default(), ..context() };
        let session = program.hosted(context, Arc::new(Waiting(Mutex::new(calls))))?;
        let evaluator = Threads::of_session(&*job.source.problem, session, usize::from(parallel.max(1)))?;
        let incumbent: Arc<Mutex<Incumbent>> = Arc::default();
        let (ready, is_ready) = mpsc::channel();
        let run = {
            let (job, stop) = (job.clone(), Arc::clone(&stop));
            let mut following = Following(Arc::clone(&incumbent));
            thread::spawn(move || {
                let begin = if resume { Run::resume } else { Run::start };
                let mut run = begin(&job, &evaluator, &results)?;
                following.progress(&run.progress());
                let _ = ready.send(());
                let ending = run.execute(&stop, &mut following)?;
                if matches!(ending, Ending::Complete(_)) {
                    // The results are saved; a failed plot does not affect them.
                    let _ = plot_run(run.folder(), catalogue());
                }
                Ok(ending)
            })
        };
        if is_ready.recv().is_err() {
            return Err(joined(run).err().unwrap_or(ServeError::Panic));
        }
        let (open, run) = (BTreeMap::new(), Some(run));
        Ok(Study { job, folder, calls: Some(called), open, next: 0, stop, incumbent, run, ending: None })
    }

    /// Returns up to `count` trials, and at least one unless all trials so far wait for their scores or the run is
    /// over.
    fn ask(&mut self, count: usize) -> Value {
        let mut trials = Vec::new();
        while let Some(calls) = self.calls.as_ref().filter(|_| trials.len() < count.max(1)) {
            let call = match (trials.is_empty(), self.open.is_empty()) {
                (true, true) => calls.recv().map_err(|_| RecvTimeoutError::Disconnected),
                (true, false) => calls.recv_timeout(PATIENCE),
                (false, _) => calls.recv_timeout(TOGETHER),
            };
            match call {
                Ok(Call { mut trial, answer }) => {
                    trial.insert("id".to_string(), json!(self.next));
                    self.open.insert(self.next, answer);
                    self.next += 1;
                    trials.push(Value::Object(trial));
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => {
                    self.calls = None;
                    self.end();
                }
            }
        }
        let mut answer = json!({ "trials": trials });
        match &self.ending {
            Some(Ok(Ending::Complete(verdict))) => answer["result"] = self.result(verdict),
            Some(Ok(Ending::Stopped)) => answer["stopped"] = json!(true),
            Some(Err(error)) => answer["error"] = json!(error.to_string()),
            None => {}
        }
        answer
    }

    fn tell(&mut self, played: Vec<Played>) -> Result<Value, ServeError> {
        let count = played.len();
        for Played { id, score, metrics, failure } in played {
            let answer = match (score, failure) {
                (Some(score), None) => HostAnswer::Score(score, metrics),
                (None, Some(message)) => HostAnswer::Failed(message),
                _ => return Err(ServeError::NoResult(id)),
            };
            let open = self.open.remove(&id).ok_or(ServeError::NoTrial(id))?;
            // The run may have ended for another reason.
            let _ = open.send(answer);
        }
        Ok(json!({ "told": count }))
    }

    fn recommend(&self) -> Value {
        let Incumbent { values, figures } = &*lock(&self.incumbent);
        let mut recommended = json!(figures);
        recommended["params"] = self.named(values);
        json!({ "recommended": recommended })
    }

    fn named(&self, values: &[f64]) -> Value {
        Value::Object(values_of(self.job.space.parameters(), values))
    }

    fn result(&self, verdict: &Verdict) -> Value {
        let weights = evolve_core::job::policy_file::Policy::read(&self.folder, catalogue());
        let values = weights.map_or_else(|_| self.job.space.start().to_vec(), |policy| policy.values);
        json!({
            "params": self.named(&values),
            "improvement": verdict.is_improvement(),
            "difference": verdict.difference().unwrap_or_default(),
            "text": verdict.to_string(),
            "folder": self.folder.display().to_string(),
        })
    }

    /// Stops the run, which saves its state. Once it resumes, it requests trials without a score again.
    fn close(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.open.clear();
        self.calls = None;
        self.end();
    }

    fn end(&mut self) {
        if let Some(run) = self.run.take() {
            self.ending = Some(joined(run));
        }
    }
}

/// Waits for the end of a run.
fn joined(run: JoinHandle<Result<Ending, RunError>>) -> Result<Ending, ServeError> {
    Ok(run.join().map_err(|_| ServeError::Panic)??)
}

/// Adds the keys that a job of a function may omit: the placeholder command.
fn complete(job: &mut Map<String, Value>) -> Result<(), ServeError> {
    let program = job.entry("program").or_insert_with(|| json!({}));
    let program = program.as_object_mut().ok_or(ServeError::NoSection)?;
    program.entry("command").or_insert_with(|| json!(["function", "{args}", "{seed}"]));
    if program.contains_key("metrics") {
        // Metrics have names, as those in JSON do.
        program.entry("score").or_insert_with(|| json!("json:score"));
    }
    Ok(())
}
