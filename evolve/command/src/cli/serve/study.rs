//! A run whose trials the other process plays.

use super::request::{self, JOB, Played, ServeError};
use super::told::{Key, Scores, Told};
use crate::cli::report;
use crate::cli::{catalogue, context};
use evolve_core::job::Job;
use evolve_core::job::policy_file::{Policy, values_of};
use evolve_core::names::REPORT;
use evolve_core::run::{Ending, Figures, Progress, Run, RunError, Snapshot, Verdict, Watch};
use evolve_program::Program;
use evolve_program::host::{FUNCTION, Host, HostAnswer, HostTrial};
use evolve_report::plot::plot_run;
use evolve_search::document::Document;
use evolve_search::document::text::to_toml;
use evolve_search::evaluator::Threads;
use evolve_search::lock;
use evolve_search::model::problem::{Context, Notes};
use evolve_search::model::space::Space;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A trial that waits for its result.
struct Call {
    key: Key,
    trial: Map<String, Value>,
    answer: Sender<Timed>,
}

/// An answer with the run time.
type Timed = (HostAnswer, Duration);

/// A trial that was passed on.
struct Open {
    key: Key,
    answer: Sender<Timed>,
    since: Instant,
}

/// Passes trials to the other process, except those that it scored before the run resumed.
struct Waiting {
    space: Space,
    calls: Mutex<Sender<Call>>,
    told: Mutex<Scores>,
}

impl Host for Waiting {
    fn play(&self, trial: HostTrial<'_>) -> Option<Timed> {
        let key = Key::of(&self.space, &trial);
        let told = lock(&self.told).get_mut(&key).and_then(|answers| answers.pop_front());
        if let Some(told) = told {
            return Some((told, Duration::ZERO));
        }
        let (answer, answered) = mpsc::channel();
        let calls = lock(&self.calls).clone();
        calls.send(Call { key, trial: trial.object, answer }).ok()?;
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
    fn progress(&mut self, Progress { incumbent, figures, .. }: &Progress) {
        *lock(&self.0) = Incumbent { values: incumbent.clone(), figures: figures.clone() };
    }
}

/// A run in progress.
pub struct Study {
    job: Job,
    folder: PathBuf,
    /// The trials to pass on; `None` once the run is closed.
    calls: Option<Receiver<Call>>,
    /// The trials that were passed on, by number.
    open: BTreeMap<u64, Open>,
    next: u64,
    told: Told,
    /// Whether a reported result ends the run.
    is_ending: bool,
    stop: Arc<AtomicBool>,
    incumbent: Arc<Mutex<Incumbent>>,
    run: Option<JoinHandle<Result<Ending, RunError>>>,
    ending: Option<Result<Ending, ServeError>>,
}

/// How long to wait for further trials while others are being played.
const PATIENCE: Duration = Duration::from_millis(20);
/// How long to wait for each trial after the first, so that one answer has several quick trials.
const TOGETHER: Duration = Duration::from_micros(200);

impl Study {
    pub fn open(request::Open { mut job, parallel, results, resume }: request::Open) -> Result<Self, ServeError> {
        complete(&mut job)?;
        if let Some((name, _)) = job.iter().find(|(_, value)| lists_null(value)) {
            return Err(ServeError::Null(name.clone()));
        }
        let document = Document::new(Path::new(JOB), to_toml(&job));
        // The command is only a placeholder for the function, and need not exist.
        let job = Job::parse(&document, &catalogue().to_look())?;
        let program = Program::of(&*job.problem).ok_or(ServeError::NoProgram)?;
        let (calls, called) = mpsc::channel();
        let folder = results.join(&job.name);
        let stop = Arc::new(AtomicBool::new(false));
        // Standard output belongs to the protocol, so notes are discarded.
        let context = Context { run_folder: Some(folder.clone()), notes: Notes::default(), ..context() };
        let waiting = Waiting { space: job.space.clone(), calls: Mutex::new(calls), told: Mutex::default() };
        let waiting = Arc::new(waiting);
        let session = program.hosted(context, Arc::clone(&waiting) as Arc<dyn Host>)?;
        let evaluator = Threads::of_session(&*job.problem, session, usize::from(parallel.max(1)))?;
        let incumbent: Arc<Mutex<Incumbent>> = Arc::default();
        let (ready, is_ready) = mpsc::channel();
        let run = {
            let (job, stop) = (job.clone(), Arc::clone(&stop));
            let mut following = Following(Arc::clone(&incumbent));
            thread::spawn(move || {
                let begin = if resume { Run::resume } else { Run::start };
                let mut run = begin(&job, &evaluator, &results)?;
                let (told, scores) = Told::open(&run)?;
                *lock(&waiting.told) = scores;
                drop(waiting);
                following.progress(&run.progress());
                let _ = ready.send(told);
                let ending = run.execute(&stop, &mut following)?;
                if matches!(ending, Ending::Complete(_)) {
                    Told::remove(run.folder());
                    // The results are saved; a failed plot or page does not affect them.
                    let _ = plot_run(run.folder(), catalogue());
                    if !run.folder().join(REPORT).exists() {
                        let _ = report::Args::of(run.folder(), 1).write();
                    }
                }
                Ok(ending)
            })
        };
        let Ok(told) = is_ready.recv() else {
            return Err(joined(run).err().unwrap_or(ServeError::Panic));
        };
        let (open, run) = (BTreeMap::new(), Some(run));
        let (calls, is_ending, ending) = (Some(called), false, None);
        Ok(Study { job, folder, calls, open, next: 0, told, is_ending, stop, incumbent, run, ending })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns up to `count` trials, and at least one unless all trials so far wait for their
    /// scores or the run is over.
    pub fn ask(&mut self, count: usize) -> Value {
        let mut trials = Vec::new();
        while let Some(calls) = self.calls.as_ref().filter(|_| trials.len() < count.max(1)) {
            let call = match (trials.is_empty(), self.open.is_empty()) {
                (true, true) => calls.recv().map_err(|_| RecvTimeoutError::Disconnected),
                (true, false) => calls.recv_timeout(PATIENCE),
                (false, _) => calls.recv_timeout(TOGETHER),
            };
            match call {
                Ok(Call { key, mut trial, answer }) => {
                    trial.insert("id".to_string(), json!(self.next));
                    self.open.insert(self.next, Open { key, answer, since: Instant::now() });
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

    /// Reports results to the run. Entries before a wrong one count.
    pub fn tell(&mut self, played: Vec<Played>) -> Result<Value, ServeError> {
        let count = played.len();
        let mut told = Vec::new();
        let mut take = |Played { id, score, metrics, failure, seconds }| {
            let answer = match (score, failure) {
                (Some(score), None) => HostAnswer::Score(score, metrics),
                (None, Some(message)) => HostAnswer::Failed(message),
                _ => return Err(ServeError::NoResult(id)),
            };
            let open = self.open.remove(&id).ok_or(ServeError::NoTrial(id))?;
            let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            let time = time.unwrap_or_else(|| open.since.elapsed());
            told.push((id, open, (answer, time)));
            Ok(())
        };
        let taken = played.into_iter().try_for_each(&mut take);
        if let Err(error) = self.write(&told) {
            // They can be reported again.
            self.open.extend(told.into_iter().map(|(id, open, _)| (id, open)));
            return Err(error);
        }
        for (_, open, timed) in told {
            // The run may have ended for another reason.
            let _ = open.answer.send(timed);
        }
        taken.map(|()| json!({ "told": count }))
    }

    /// Saves results, except those that end the run: once the function is mended, the run resumes
    /// with their trials.
    fn write(&mut self, told: &[(u64, Open, Timed)]) -> Result<(), ServeError> {
        let program = Program::of(&*self.job.problem).ok_or(ServeError::NoProgram)?;
        let ends = |answer: &HostAnswer| program.is_ended_by(answer);
        self.is_ending |= told.iter().any(|(.., (answer, _))| ends(answer));
        let counted = told.iter().filter(|(.., (answer, _))| !ends(answer));
        Ok(self.told.append(counted.map(|(_, open, (answer, _))| (&open.key, answer)))?)
    }

    pub fn recommend(&self) -> Value {
        let Incumbent { values, figures } = &*lock(&self.incumbent);
        let mut recommended = json!(figures);
        recommended["params"] = self.named(values);
        json!({ "recommended": recommended })
    }

    /// Returns the values of the active parameters, which reach the function.
    fn named(&self, values: &[f64]) -> Value {
        let space = &self.job.space;
        let all = values_of(space.parameters(), values).into_iter().enumerate();
        Value::Object(all.filter(|&(place, _)| space.is_awake(place, values)).map(|(_, value)| value).collect())
    }

    fn result(&self, verdict: &Verdict) -> Value {
        let weights = Policy::read(&self.folder, catalogue());
        let values = weights.map_or_else(|_| self.job.space.start().to_vec(), |policy| policy.values);
        let notes = Snapshot::of(&self.folder, catalogue()).and_then(Result::ok).map(|run| run.run.notes);
        json!({
            "params": self.named(&values),
            "improvement": verdict.is_improvement(),
            "difference": verdict.difference().unwrap_or_default(),
            "text": verdict.to_string(),
            "notes": notes.unwrap_or_default(),
            "folder": self.folder.display().to_string(),
        })
    }

    /// Stops the run, which saves its state. Once it resumes, it requests trials without a score
    /// again.
    pub fn close(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.open.clear();
        self.calls = None;
        self.end();
    }

    fn end(&mut self) {
        if let Some(run) = self.run.take() {
            self.ending = Some(joined(run));
        }
        let is_failed =
            matches!(&self.ending, Some(Err(ServeError::Run(RunError::Failed(_) | RunError::NotFinite(..)))));
        if is_failed && !self.is_ending {
            // A saved result would end the run again whenever it resumes.
            self.told.clear();
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
    program.entry("command").or_insert_with(|| json!([FUNCTION, "{args}", "{seed}"]));
    if program.contains_key("metrics") {
        // Metrics have names, as those in JSON do.
        program.entry("score").or_insert_with(|| json!("json:score"));
    }
    Ok(())
}

/// Returns whether a list contains a null. A null entry of a table, by contrast, counts as absent.
fn lists_null(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| item.is_null() || lists_null(item)),
        Value::Object(table) => table.values().any(lists_null),
        _ => false,
    }
}
