//! `evolve run`.

pub mod rounds;
mod text;

use super::change::{self, Change};
use super::load::Machine;
use super::machines::{Machines, Playing};
use super::overrides::{Overrides, Set};
use super::progress::{Reporter, say};
use super::report;
use super::{Failure, Outcome, after, catalogue, context, interrupt, time_limit, watch};
use crate::watch::Watching;
use clap::ValueHint;
use evolve_core::job::Job;
use evolve_core::judgement::outlook::probe;
use evolve_core::names::{REPORT, RESULTS};
use evolve_core::run::{Ending, Run, RunError, Verdict};
use evolve_program::Program;
use evolve_report::page::search_on;
use evolve_report::plot::plot_run;
use evolve_search::document::Time;
use evolve_search::file::slashed;
use evolve_search::model::problem::{Context, Notes, StopFlags};
use evolve_search::shell::shell_word;
use evolve_search::statistics::counted;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use text::{extent, extent_in_time, headline, plan, summary};

/// Run a job: search for better parameters, then test them
///
/// CONFIG is the job, a TOML file. The results go to the folder results/NAME below the current
/// folder, where NAME is the job's name: tables, and at the end plots, recommendation.toml with the
/// recommended values and the verdict, and report.html, the page of `evolve report`. A run never
/// overwrites another.
///
/// You can stop a run at any time, with Ctrl-C or by killing it, and continue it with --resume.
/// After Ctrl-C, it finishes the trials in progress; a second Ctrl-C stops it at once. A resumed
/// run writes the same bytes as an uninterrupted one, on any number of threads, if its trials are
/// deterministic and the job sets no `time`.
///
/// When you resume a run, the job may have another [submission] and, until the search is over,
/// other values of `budget`, `generations`, `time`, `selection` and `test`; `validation` may not
/// change. If you lower a limit below the amount that the search has used, the search ends at once.
/// A complete run has one verdict: to search on from its values, start a new run with --after,
/// which has a test of its own. Its end also shows the gain over the first baseline.
///
/// With --resume --finish, the search of a stopped run ends where it is, and its result is tested.
///
/// The exit status is 0 if the run is complete, whatever the verdict; 2 if the job or the arguments
/// are wrong; 130 if the run was interrupted; and 1 after any other error.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve run job.toml
  evolve run job.toml --resume --parallel 4
  evolve run job.toml --resume --finish
  evolve run job.toml --seed 2 --name first/seed-2
  evolve run job.toml --after results/first
  evolve run job.toml --name long --set search.budget=20000
  evolve run job.toml --server nats://head:4222
  evolve run job.toml --quiet && cat results/first/recommendation.toml")]
pub struct Args {
    /// Job file (TOML)
    #[arg(value_name = "CONFIG", value_hint = ValueHint::FilePath)]
    config: PathBuf,

    /// Continue the run where it stopped; start it if it does not exist
    #[arg(long)]
    resume: bool,

    /// End the search of a stopped run now, and test its result; needs --resume
    #[arg(long, requires = "resume")]
    finish: bool,

    /// Resume even if `evolve`, the program or its inputs have changed. The verdict adds up old and
    /// new trials, so the program must score as before. The run is then not reproducible; needs
    /// --resume
    #[arg(long, requires = "resume")]
    allow_mismatch: bool,

    /// Complete run to start from, by name or folder: its recommended values become the baseline,
    /// and the search learns from its trials. The new run has the next name and seed (tour-2 after
    /// tour)
    #[arg(long, value_name = "RUN", add = super::completions::runs())]
    after: Option<PathBuf>,

    /// Seed of the run, in place of the job's `seed`
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// Name of the run, in place of the job's `name`
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Set a key of the job, as in search.budget=20000
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Set>,

    /// Number of parallel trials; 0: one for each core [default: 0]
    #[arg(short = 'j', long, value_name = "NUMBER", value_parser = super::threads())]
    parallel: Option<usize>,

    #[command(flatten)]
    machines: Machines,

    /// Write no report at the end; `evolve report` writes it later
    #[arg(long)]
    no_report: bool,

    /// Print only errors
    #[arg(short, long)]
    quiet: bool,

    /// Serve a page that shows the run as it progresses, as `evolve watch` does
    #[arg(long)]
    watch: bool,
}

impl Args {
    /// Starts or resumes the run, until it ends or is stopped.
    pub fn run(mut self) -> Outcome {
        self.after = self.after.as_deref().map(after::folder);
        let reporter = Reporter::new(self.quiet);
        let stop = stop_flag(&reporter, self.quiet)?;
        let given = Overrides::new(&self.set).name(self.name.as_deref()).seed(self.seed);
        let (job, change) = match &self.after {
            None => (given.job(&self.config)?, None),
            Some(run) => {
                let jobs = after::jobs(&self.config, run, &given)?;
                jobs.news().iter().for_each(|news| say(news));
                match self.resume || jobs.carried.deadline.is_some() || self.machines.are_there() {
                    // A run that resumes keeps its start.
                    true if self.resume && Change::of_own_values(&Path::new(RESULTS).join(&jobs.own.name)) => {
                        (jobs.own, None)
                    }
                    true => (jobs.carried, None),
                    false => change::better(run, &jobs, self.parallel.unwrap_or_default())?,
                }
            }
        };
        if let Some(deadline) = job.deadline {
            return rounds::run(&self, job, deadline, &stop);
        }
        let start = Start { reporter, stop, recalls: false, until: None };
        let (after, problem) = (self.after.clone(), Arc::clone(&job.problem));
        // Other machines play a single version of a program.
        let unmeasured = || change::unmeasured(after.as_deref()?, &*problem);
        match execute(self, job, start, &|run| change::keep(change.clone().or_else(unmeasured).as_ref(), run))? {
            End::Complete => Ok(ExitCode::SUCCESS),
            End::Stopped(failure) | End::TooShort(failure) => Err(failure),
        }
    }

    /// Returns the arguments for a round of a job with a deadline.
    pub fn of_round(&self, name: &str, after: Option<PathBuf>, resume: bool) -> Self {
        // Only a search that is under way can be ended.
        let finish = self.finish && resume;
        Args { name: Some(name.to_string()), after, resume, finish, ..self.clone() }
    }

    /// Returns the command that resumes the run in the same way.
    fn again(&self) -> String {
        let mut again = format!("evolve run {}", shell_word(&slashed(&self.config)));
        for set in &self.set {
            again += &format!(" --set {}", shell_word(&set.to_string()));
        }
        again += &self.after.as_ref().map(|run| format!(" --after {}", shell_word(&slashed(run)))).unwrap_or_default();
        again += &self.machines.again();
        again += &self.name.as_ref().map(|name| format!(" --name {}", shell_word(name))).unwrap_or_default();
        again += &self.seed.map(|seed| format!(" --seed {seed}")).unwrap_or_default();
        again += &self.parallel.map(|jobs| format!(" --parallel {jobs}")).unwrap_or_default();
        again += " --resume";
        for (is_given, option) in [
            (self.finish, " --finish"),
            (self.allow_mismatch, " --allow-mismatch"),
            (self.no_report, " --no-report"),
            (self.quiet, " --quiet"),
            (self.watch, " --watch"),
        ] {
            again += if is_given { option } else { "" };
        }
        again
    }
}

/// Returns the flag that a request to stop sets.
fn stop_flag(reporter: &Reporter, quiet: bool) -> Result<Arc<AtomicBool>, Failure> {
    let screen = reporter.screen();
    interrupt::patient_flag(move || {
        if !quiet {
            screen.say("stopping after the trials in progress; again to stop at once");
        }
    })
}

/// How the execution of a run ended.
pub enum End {
    Complete,
    /// It was stopped; its checkpoint allows it to resume.
    Stopped(Failure),
    /// Its time limit is too short.
    TooShort(Failure),
}

/// Starts or resumes the run of a job, until it ends or is stopped. Calls `prepare` with the folder
/// of a new run before it begins.
pub fn execute(
    args: Args,
    job: Job,
    start: Start,
    prepare: &dyn Fn(&Path) -> Result<(), Failure>,
) -> Result<End, Failure> {
    let mut command = RunCommand::new(args, job, start);
    let playing = command.open()?;
    if !command.args.resume {
        prepare(&command.folder())?;
    }
    // The build and the comparison have taken some of the time.
    if let Some((end, before)) = command.start.until {
        let left = end.saturating_duration_since(Instant::now()).max(Duration::from_secs(1));
        let most = command.job.limits.time.map_or(left, |most| left.min(*most));
        command.job.limits.time = Some(Time(Duration::from_millis((most + before).as_millis() as u64)));
    }
    let mut run = command.begin(&playing)?;
    let was_complete = run.state().verdict().is_some();
    let watching = command.watch(&run)?;
    match run.execute(&command.start.stop, &mut command.start.reporter) {
        Ok(Ending::Stopped) => Ok(End::Stopped(command.stopped(&run))),
        Ok(Ending::Complete(verdict)) => {
            if !was_complete {
                command.keep_best(&run);
            }
            command.report(&run, &playing, &verdict, was_complete)?;
            watching.iter().for_each(Watching::end);
            Ok(End::Complete)
        }
        Err(error @ RunError::Time(..)) => Ok(End::TooShort(command.failure(&error))),
        Err(error) => Err(command.failure(&error)),
    }
}

/// The command, step by step: open the problem, begin the run, search, and report.
struct RunCommand {
    args: Args,
    job: Job,
    /// How it begins.
    start: Start,
}

/// How a run begins.
pub struct Start {
    pub reporter: Reporter,
    /// Raised by the first Ctrl-C.
    pub stop: Arc<AtomicBool>,
    /// Whether a new run plays the program that is in its folder.
    pub recalls: bool,
    /// The moment at which a run with a deadline should end, and the seconds that it has spent
    /// before.
    pub until: Option<(Instant, Duration)>,
}

impl RunCommand {
    fn new(args: Args, job: Job, start: Start) -> Self {
        if let Some(version) = job.version.filter(|&version| version != evolve_core::VERSION && !args.resume) {
            say(&format!(
                "note: this job comes from a run of version {version}; version {} may give other results",
                evolve_core::VERSION
            ));
        }
        RunCommand { args, job, start }
    }

    fn folder(&self) -> PathBuf {
        Path::new(RESULTS).join(&self.job.name)
    }

    /// Opens the problem. An interruption aborts a build, but not trials in progress, which may be
    /// expensive.
    fn open(&self) -> Result<Playing, Failure> {
        // A job that cannot start leaves no folder with a copy of its program.
        if !self.args.resume {
            Run::can_start(&self.job, Path::new(RESULTS)).map_err(|error| self.failure(&error))?;
        }
        let Start { reporter, stop, recalls, .. } = &self.start;
        let opening = StopFlags { opening: Some(Arc::clone(stop)), trials: None };
        let resumes = self.args.resume && !self.args.allow_mismatch || *recalls;
        let context = Context { run_folder: Some(self.folder()), resumes, stop: opening, ..context() };
        let screen = reporter.screen();
        let of_machines = Notes::new(move |text| screen.say(text));
        let playing = self.args.machines.playing(&self.job, self.args.parallel, stop, context, of_machines);
        if stop.load(Ordering::Relaxed) {
            // An interruption outweighs the result of opening.
            playing.map_err(|failure| Failure::Stopped(failure.message().unwrap_or_default()))
        } else {
            playing
        }
    }

    /// Returns the run, new or resumed, and its player.
    fn begin<'e>(&self, playing: &'e Playing) -> Result<Run<'e>, Failure> {
        let RunCommand { args, job, .. } = self;
        Machine::of(job, playing).warn(args.quiet);
        let begin = match (args.resume, args.allow_mismatch) {
            (true, true) => Run::resume_other_version,
            (true, false) => Run::resume,
            (false, _) => Run::start,
        };
        let begun = begin(job, playing.evaluator(), Path::new(RESULTS));
        let mut run = begun.map_err(|error| self.failure(&error))?;
        if args.finish {
            run.finish().map_err(|error| self.failure(&error))?;
        }
        if run.state().verdict().is_none() {
            if !args.quiet {
                say(&headline(job));
                say(&plan(&run));
                // A trial takes its time limit, unless the program stops early.
                let at_a_time = playing.evaluator().parallelism();
                let limits = time_limit::pace(job, at_a_time).and_then(|pace| time_limit::plan(job, pace));
                limits.iter().for_each(|lines| say(&format!("time limit: {}", lines.join("; "))));
                match run.state().trials() {
                    0 => {
                        run.learned().iter().for_each(|run| say(&format!("learned: {run}")));
                        warn_of_job(job, playing);
                    }
                    _ => say(&format!("resuming {}", extent(&run))),
                }
            }
            playing.begin(run.folder())?;
        }
        Ok(run)
    }

    fn watch(&self, run: &Run<'_>) -> Result<Option<Watching>, Failure> {
        let watching = self.args.watch.then(|| watch::of_run(run.folder().to_path_buf())).transpose()?;
        if let Some(watching) = &watching {
            // Printed even with --quiet, because the port may differ from the default.
            say(&format!("watch it at {}", watching.address()));
        }
        Ok(watching)
    }

    /// Adds scores to the best known ones. A failure does not affect the results of the run.
    fn keep_best(&self, run: &Run<'_>) {
        match Program::of(&*self.job.problem).map(|program| program.keep_best(run.folder())) {
            Some(Err(error)) => say(&format!("cannot keep the best known scores: {error}")),
            Some(Ok(count)) if count > 0 && !self.args.quiet => {
                say(&format!("best known scores: new for {}", counted(count as u64, "instance")));
            }
            _ => {}
        }
    }

    fn failure(&self, error: &RunError) -> Failure {
        match error {
            RunError::Budget(..) | RunError::Time(..) => {
                Failure::Usage(format!("{}: {error}", self.args.config.display()))
            }
            RunError::Fault(fault) if !self.args.resume => Failure::Usage(fault.to_string()),
            _ => Failure::Work(with_advice(error)),
        }
    }

    /// Returns the message of a stopped run, printed even with --quiet.
    fn stopped(self, run: &Run<'_>) -> Failure {
        self.start.reporter.end(&format!("stopped {}", extent_in_time(run)));
        Failure::Stopped(format!("saved in {}; resume with: {}", run.folder().display(), self.args.again()))
    }

    /// Draws the plots, writes the page, and reports the verdict.
    fn report(self, run: &Run<'_>, playing: &Playing, verdict: &Verdict, was_complete: bool) -> Result<(), Failure> {
        // The results are saved; a failed plot or page does not affect them.
        let drawn = plot_run(run.folder(), catalogue()).map_err(|error| error.to_string());
        let is_written = was_complete && run.folder().join(REPORT).exists();
        let page = report::Args::of(run.folder(), self.args.parallel.unwrap_or_default());
        let written = (!self.args.no_report && !is_written).then(|| page.write().map_err(|error| error.message()));
        let was = if was_complete { "already complete:" } else { "complete" };
        self.start.reporter.end(&format!("{was} {}", extent_in_time(run)));
        if !self.args.quiet {
            say(&format!("trials: {}", run.state().counters.trials));
            match was_complete {
                true => {
                    let next = search_on(&slashed(run.folder()));
                    say(&format!("note: a run has one verdict; to search on in a new run: {next}"));
                }
                false => Machine::of(&self.job, playing).warn_of_drift(run.folder(), &self.job.space),
            }
            summary(verdict, run, &self.job)?;
        }
        if let Err(error) = drawn {
            say(&format!("cannot draw the plots: {error}; draw them later with `evolve plot`"));
        }
        if let Some(Err(error)) = written {
            let error = error.unwrap_or_default();
            say(&format!("cannot write the report: {error}; write it later with `evolve report`"));
        }
        Ok(())
    }
}

/// Returns the message of an error, with the flags that help.
fn with_advice(error: &RunError) -> String {
    const MISMATCH: &str = "resume with --allow-mismatch, after which the run is not reproducible";
    let advice = match error {
        RunError::Exists(folder) => {
            let name = folder.file_name().unwrap_or_default().display();
            format!(": resume it (--resume), start another (--name {name}-2), or delete the folder to start again")
        }
        RunError::OtherInput(folder, _) => format!(
            "; restore it, give the job another `name`, delete the folder {} to start again, or {MISMATCH}",
            slashed(folder)
        ),
        RunError::NoInputs(_) => format!("; restore it, or {MISMATCH}"),
        RunError::OtherVersion { .. } => {
            format!(": use the version that started it, start again under another `name`, or {MISMATCH}")
        }
        _ => String::new(),
    };
    format!("{error}{advice}")
}

/// Repeats the warnings of `evolve check` that take hardly any trials. A trial that fails here
/// would fail in the run.
fn warn_of_job(job: &Job, playing: &Playing) {
    if playing.is_here() {
        let warnings = probe(job, playing.evaluator()).unwrap_or_default();
        warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
    }
}
