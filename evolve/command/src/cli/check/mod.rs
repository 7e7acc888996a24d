//! `evolve check`: `measure` plays the trials, `limit` plays some at two time limits, `answer`
//! draws conclusions for the job, `slower` finds parameters that change the run time, and `table`
//! shows the effect of each parameter.

mod answer;
mod failed;
mod features;
mod limit;
mod measure;
mod slower;
mod table;

use super::overrides::{Overrides, Set};
use super::progress::{hand_out_json, say, show};
use super::{Failure, Outcome, check_inputs, context, interrupt, time_limit};
use answer::Answer;
use clap::ValueHint;
use evolve_core::job::Job;
use evolve_core::judgement::outlook::{Forecast, Noise, SHARED};
use evolve_core::run::{Run, RunError};
use evolve_program::Program;
use evolve_search::evaluator::{Evaluator, Threads};
use evolve_search::model::problem::{Context, OpenError, StopFlags};
use evolve_search::model::trial::PlayError;
use failed::Which;
use limit::BothLimits;
use measure::{Again, Effort, First, Plan, Sample};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use table::Row;

/// Try a job before a long run: check that it works, forecast its cost, find parameters without
/// effect
///
/// First plays some trials of the baseline (the start values) twice, to measure their time and
/// noise, and to see whether they are deterministic: whether the same trial always gives the same
/// score.
///
/// Then changes one parameter at a time, on the instances that the baseline played. A number is
/// raised and lowered by twice its `unit` (see docs/config.md); a choice or switch is set to other
/// values. This shows which parameters change outcomes, the mean score and the run time. If a
/// parameter has no effect, perhaps its value does not reach the program. If trials are not
/// deterministic, each changed value is compared with trials of the baseline played immediately
/// before or after it.
///
/// Prints whether the job can run, the number of trials and their time, and the minimum detectable
/// difference: the smallest gain that the held-out test finds with a probability of 80 %. Warnings
/// follow, then the ten parameters that matter most.
///
/// If the search has a shorter time limit than the test (`limit` in [program]), half of the time
/// goes to trials of the same candidates at both limits. They show whether the shorter limit may be
/// trusted.
///
/// The exit status is 0 if the job can run, and 2 if it cannot.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve check job.toml
  evolve check job.toml --time 5m --all
  evolve check job.toml --trials 200
  evolve check job.toml --json
  evolve check job.toml --set search.budget=20000")]
pub struct Args {
    /// Job file (TOML)
    #[arg(value_name = "CONFIG", value_hint = ValueHint::FilePath)]
    config: PathBuf,

    /// Maximum time of all trials, without the build; skips parts that do not fit, and names them
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time)]
    time: Duration,

    /// Number of trials at each tried value, instead of --time [default: as many as fit into
    /// --time, up to 200]
    #[arg(short = 'n', long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(2..), conflicts_with = "time")]
    trials: Option<u16>,

    /// Seed of the trials, in place of the job's `seed`
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// Set a key of the job, as in search.budget=20000
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Set>,

    /// List all parameters at all tried values
    #[arg(long)]
    all: bool,

    /// Number of parallel trials; 0: one for each core
    #[arg(short = 'j', long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    parallel: usize,

    /// Print JSON, with all parameters at all tried values
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Opens the program of a job with the full limit throughout, which was built for the other
    /// limit.
    fn at_full_limit(&self, job: &Job, stop: &Arc<AtomicBool>) -> Result<Threads, Failure> {
        let program = Program::of(&*job.problem).expect("only programs have a limit").as_built();
        let context = Context { stop: StopFlags::all(stop), ..context() };
        Ok(Threads::open(&program, self.parallel, context)?)
    }
}

fn time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    (time >= Duration::from_secs(1)).then_some(time).ok_or_else(|| "the minimum is one second".to_string())
}

impl Args {
    /// Tries the job and reports.
    pub fn run(self) -> Outcome {
        let job = Overrides::new(&self.set).seed(self.seed).job(&self.config)?;
        let lessons = Run::lessons(&job).map_err(|error| match error {
            RunError::Fault(fault) => Failure::Usage(fault.to_string()),
            error => Failure::Usage(format!("{}: {error}", self.config.display())),
        })?;
        let learned = lessons.found;
        let stop = interrupt::flag()?;
        // The folder keeps failed trials until they are shown.
        let kept =
            tempfile::tempdir().map_err(|error| Failure::Work(format!("cannot create a temporary folder: {error}")))?;
        let run_folder = Some(kept.path().to_path_buf());
        let context = Context { run_folder, stop: StopFlags::all(&stop), ..context() };
        let threads = Threads::open(&*job.problem, self.parallel, context);
        let threads = threads.map_err(|error| match error {
            OpenError::Stopped(message) => Failure::Stopped(message),
            OpenError::Failed(message) => Failure::Usage(message),
        })?;
        let failed = |which, error: PlayError| match error {
            PlayError::Stopped => Failure::Stopped("stopped before the answer was known".to_string()),
            PlayError::Fatal(failure) => Failure::Usage(failed::text(which, &failure, kept.path())),
        };
        let full = time_limit::at_full_limit(&job);
        let full = full.map(|full| self.at_full_limit(&full, &stop)).transpose()?;
        let begin = Instant::now();
        let of_limits = if full.is_some() { self.time.mul_f64(limit::SHARE) } else { Duration::ZERO };
        let effort = Effort { time: self.time.saturating_sub(of_limits), trials: self.trials.map(usize::from) };
        let first = First::measure(&job, &threads, &effort).map_err(|failure| failed(Which::Baseline, failure))?;
        let plan = Plan::of(&job, &first, &effort, begin.elapsed());
        let left = self.trials.is_none().then(|| effort.time.saturating_sub(begin.elapsed()));
        say(&format!("{}: {}", job.name, plan.cost(&first, left)));
        let sample = Sample::measure(&job, &threads, plan, &first, left);
        let sample = sample.map_err(|error| match failed(Which::Any, error) {
            // Such as a file that another trial is writing.
            Failure::Usage(text) if first.again == Again::Shared => {
                Failure::Usage(format!("{text}\n  a trial beside others gave another score than alone: {SHARED}"))
            }
            failure => failure,
        })?;
        let both_limits = full.as_ref().map(|full| {
            let left = self.time.saturating_sub(begin.elapsed()).max(of_limits);
            BothLimits::measure(&job, [&threads, full], sample.pace, &effort, left)
        });
        let both_limits = both_limits.transpose().map_err(|error| failed(Which::Any, error))?.flatten();
        check_inputs(&threads)?;

        let noise = sample.noise(&*job.problem);
        let rows = Row::all(&job, &sample);
        let effects = rows.iter().flat_map(|row| &row.ends).map(|end| end.effect.mean.abs());
        let noise = Noise { largest: effects.fold(noise.largest, f64::max), ..noise };
        let forecast = Forecast::of(&job, &noise, sample.pace);
        let answer = Answer {
            job: &job,
            first: &first,
            sample: &sample,
            rows: &rows,
            learned,
            both_limits: both_limits.as_ref(),
            noise,
            forecast,
            parallel: threads.parallelism(),
        };
        if self.json {
            hand_out_json(&answer.document())?;
        } else {
            show(&answer.to_string())?;
            show(&match self.all {
                true => table::whole(&rows, sample.is_exact(), job.problem.rating()),
                false => table::most(&rows, sample.is_exact(), job.problem.rating()),
            })?;
        }
        if let Some(failure) = sample.paired.base().chain(&first.outcomes).find_map(|one| one.failure.as_ref()) {
            say(&format!("\n{}", failed::text(Which::Counted, failure, kept.path())));
        }
        Ok(ExitCode::SUCCESS)
    }
}
