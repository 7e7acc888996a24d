//! `evolve features`.

use super::overrides::{Overrides, Set};
use super::progress::{say, show};
use super::{Failure, Outcome, catalogue, context, interrupt};
use evolve_core::job::{Catalogue, Job};
use evolve_program::Program;
use evolve_program::describe::{Describer, table};
use evolve_search::evaluator::{Evaluator, Threads, play_candidate};
use evolve_search::file::{replace_plain, slashed};
use evolve_search::model::problem::{Context, Problem, StopFlags};
use evolve_search::statistics::counted;
use rayon::prelude::*;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Write the features of instances to a table
///
/// The search expects similar effects on instances with similar features. A job reads features from
/// the inputs or from a CSV file. This command writes such a file, with a row for each instance:
/// the lines that a command prints about it, such as `density = 0.3`, or metrics of the program,
/// which plays the start values once on each instance. Choose metrics that do not depend on the
/// parameters.
///
/// The command receives the instance's input on standard input, and may name it by {input},
/// {instance} and {seed}. It has the program's time limit.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve features job.toml --command './density {input}'
  evolve features job.toml --metrics edges,colours --output instances.csv")]
pub struct Args {
    /// Job file (TOML) of a program
    #[arg(value_name = "JOB")]
    job: PathBuf,

    /// Command that prints features of an instance
    #[arg(long, value_name = "COMMAND", required_unless_present = "metrics", conflicts_with = "metrics")]
    command: Option<String>,

    /// Metrics of the program that are features, with commas between them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    metrics: Vec<String>,

    /// Table to write; replaced if it exists
    #[arg(short, long, value_name = "FILE", default_value = "features.csv")]
    output: PathBuf,

    /// Set a key of the job, as in program.timeout=20s
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Set>,

    /// Number of instances at a time; 0: one for each core
    #[arg(short = 'j', long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    parallel: usize,
}

/// The features of an instance, in order.
type Features = Vec<(String, String)>;

impl Args {
    pub fn run(self) -> Outcome {
        let usage = |message: String| Failure::Usage(format!("{}: {message}", slashed(&self.job)));
        let job = self.job()?;
        let program = Program::of(&*job.problem).ok_or_else(|| usage("only programs have such a table".to_string()))?;
        let program = program.measuring(&self.metrics);
        let instances = program.listed();
        if instances.is_empty() {
            return Err(usage("the job lists no instances: set `seeds` or `files`".to_string()));
        }
        let stop = interrupt::flag()?;
        let features = match &self.command {
            Some(line) => {
                let describer = Describer::new(&program, line).map_err(usage)?;
                let describe = |instance| describer.describe(instance, Some(&stop));
                let pool = rayon::ThreadPoolBuilder::new().num_threads(self.parallel).build();
                let pool = pool.map_err(|error| Failure::Work(error.to_string()))?;
                pool.install(|| instances.par_iter().map(describe).collect())
            }
            None => self.measured(&program, &job, Context { stop: StopFlags::all(&stop), ..context() })?,
        };
        let row = |(instance, features): (_, Result<Features, String>)| match features {
            _ if is_set(&stop) => Err(Failure::Stopped("stopped; no table was written".to_string())),
            Ok(features) => Ok((instance, features)),
            Err(message) => Err(Failure::Work(format!("instance {instance}: {message}"))),
        };
        let names = instances.iter().map(|instance| instance.name.clone());
        let rows: Vec<(String, Features)> = names.zip(features).map(row).collect::<Result<_, _>>()?;
        let text = table(&rows).map_err(Failure::Work)?;
        let file = slashed(&self.output);
        replace_plain(&self.output, text.as_bytes()).map_err(|error| Failure::Work(format!("{file}: {error}")))?;
        let columns: Vec<&str> = rows[0].1.iter().map(|(name, _)| name.as_str()).collect();
        let count = counted(rows.len() as u64, "instance");
        show(&format!("{file}: {} of {count}\nin [program] of the job: features = \"{file}\"\n", columns.join(", ")))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Reads the job. The table that it names may be missing, as for commands that play nothing.
    fn job(&self) -> Result<Job, Failure> {
        let read = |catalogue: &Catalogue| {
            let document = Overrides::new(&self.set).document(&self.job)?;
            Job::parse(&document, catalogue)
        };
        let has_instances = |job: &Job| Program::of(&*job.problem).is_none_or(|program| !program.listed().is_empty());
        // These do not say that files are missing.
        let job = read(&catalogue().to_look()).ok().filter(has_instances);
        job.map_or_else(|| read(catalogue()), Ok).map_err(|fault| Failure::Usage(fault.to_string()))
    }

    /// Plays the start once on each instance, and returns the metrics.
    fn measured(
        &self,
        program: &Program,
        job: &Job,
        context: Context,
    ) -> Result<Vec<Result<Features, String>>, Failure> {
        let known = program.metrics().names;
        let place = |name: &String| {
            let found = known.iter().position(|metric| metric == name);
            found.ok_or_else(|| Failure::Usage(format!("no metric `{name}`; the metrics are {}", known.join(", "))))
        };
        let places = self.metrics.iter().map(place).collect::<Result<Vec<usize>, Failure>>()?;
        let cases = program.one_case_each(job.seed);
        say(&format!("playing the start values once on {}", counted(cases.len() as u64, "instance")));
        let evaluator = Threads::open(program, self.parallel, context)?;
        let outcomes = play_candidate(evaluator.queue().as_mut(), &job.space.start().into(), &cases)?;
        let features = |outcome: &evolve_search::model::trial::Outcome| match &outcome.failure {
            Some(failure) => Err(failure.to_string()),
            None => {
                Ok(self.metrics.iter().cloned().zip(places.iter().map(|&i| outcome.metrics[i].to_string())).collect())
            }
        };
        Ok(outcomes.iter().map(features).collect())
    }
}

fn is_set(stop: &AtomicBool) -> bool {
    stop.load(Ordering::Relaxed)
}
