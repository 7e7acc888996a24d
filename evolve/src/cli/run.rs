//! `evolve run`.

use super::judge::quoted;
use super::progress::{Teller, rounded, say};
use super::{Failure, Outcome, catalogue, interrupt};
use evolve_core::config::{Job, Limits};
use evolve_core::evaluator::Threads;
use evolve_core::run::state::{Phase, State};
use evolve_core::run::{Ending, Run, Verdict};
use evolve_core::setup::PlayerChoice;
use evolve_report::plot::plot_run;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Carries out a job: evolves weights and says whether they are better
///
/// CONFIG is a TOML file; `evolve keys` explains what can stand in it. Results go to the folder results/NAME of the
/// current folder, NAME being that of the job: tables, plots, and in the end weights.toml with the recommended weights
/// and the verdict on them. An existing run is never overwritten.
///
/// The run can be stopped at any time, by Ctrl-C or in any other way, and goes on with --resume, to the same results as
/// if it had never been stopped. They do not depend on the number of threads either. With --resume the limits of
/// evolution, `generations` and `time`, may have grown in CONFIG, even if the run was complete, and `[submission]` may have changed.
///
/// The exit status is 0 if the run is complete, whatever the verdict, 2 if the job or the arguments are wrong, 130 if it
/// was interrupted, and 1 if anything else went wrong. A second Ctrl-C does not wait for the games under way.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve run job.toml
  evolve run job.toml --resume --threads 4
  evolve run job.toml --quiet && cat results/first/weights.toml")]
pub struct Args {
    /// The job
    #[arg(value_name = "CONFIG")]
    config: PathBuf,

    /// Go on with the run that was stopped; start it if there is none
    #[arg(long)]
    resume: bool,

    /// Games to play at the same time; 0: one for each core
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    threads: usize,

    /// Say nothing but errors; the results are in the files
    #[arg(long)]
    quiet: bool,
}

impl Args {
    /// Starts the run or goes on with it.
    pub fn run(self) -> Outcome {
        let job = Job::read(&self.config, catalogue()).map_err(|faults| Failure::Usage(faults.to_string()))?;
        let evaluator = Threads::new(job.source.problem, &job.source.setup, self.threads).map_err(Failure::Work)?;
        let results = Path::new("results");
        let begun = if self.resume { Run::resume } else { Run::start }(&job, &evaluator, results);
        let mut run = begun.map_err(|error| Failure::Work(error.to_string()))?;

        let mut teller = Teller::new(self.quiet);
        let (bar, quiet) = (teller.bar(), self.quiet);
        let stop = interrupt::patient_flag(move || {
            if !quiet {
                bar.suspend(|| say("stopping after the games under way; again to stop at once"));
            }
        })?;
        let was_complete = run.state().phase == Phase::Done;
        if !self.quiet && !was_complete {
            say(&headline(&job));
            if run.state().games > 0 {
                say(&format!("going on {}", whereabouts(&run)));
            }
        }
        let ending = run.go(&stop, &mut teller).map_err(|error| Failure::Work(error.to_string()))?;
        let State { seconds, .. } = run.state();
        let time = rounded(Duration::try_from_secs_f64(*seconds).unwrap_or_default());
        match ending {
            Ending::Complete(verdict) => {
                // The results are safe; a picture that cannot be drawn takes nothing from them.
                let drawn = plot_run(run.folder(), catalogue());
                let was = if was_complete { "was complete already" } else { "complete" };
                teller.end(&format!("{was} {}, in {time}", whereabouts(&run)));
                if !self.quiet {
                    summary(&verdict, run.folder())?;
                }
                if let Err(error) = drawn {
                    say(&format!("the plots could not be drawn: {error}; draw them later by `evolve plot`"));
                }
                Ok(ExitCode::SUCCESS)
            }
            Ending::Stopped => {
                teller.end(&format!("stopped {}, in {time}", whereabouts(&run)));
                // Even if quiet: the run is not what was asked for.
                let config = quoted(&self.config.to_string_lossy());
                say(&format!("all is saved in {}; go on with: evolve run {config} --resume", run.folder().display()));
                Ok(ExitCode::from(interrupt::STATUS))
            }
        }
    }
}

fn whereabouts(run: &Run<'_>) -> String {
    let (generation, state) = (run.generation(), run.state());
    format!("after {} generations and {} games", generation, state.games)
}

/// What is run, in a line.
fn headline(job: &Job) -> String {
    let options: String = job.source.setup.options.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    let (evolving, all) = (job.space.evolving().count(), job.space.parameters().len());
    let Limits { budget, generations, time } = job.limits;
    let budget = budget.map(|budget| format!("{budget} games"));
    let generations = generations.map(|generations| format!("{generations} generations"));
    let time = time.map(|time| humantime::format_duration(time).to_string());
    let limits: Vec<String> = budget.into_iter().chain(generations).chain(time).collect();
    let player = match job.source.setup.player.name.is_empty() {
        true => String::new(),
        false => format!(", player {}", player(&job.source.setup.player)),
    };
    format!(
        "{}: {}{options}{player}, {evolving} of {all} weights evolve by {}, for {}",
        job.name,
        job.source.problem.name(),
        job.optimizer.method().name,
        limits.join(" or ")
    )
}

fn player(player: &PlayerChoice) -> String {
    let settings: String = player.values.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    format!("{}{settings}", player.name)
}

/// The verdict, the files, and what to do next.
fn summary(verdict: &Verdict, folder: &Path) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{verdict}\n")?;
    for (name, what) in [
        ("weights.toml", "the recommended weights, with this verdict"),
        ("generations.csv", "every generation"),
        ("validation.csv", "held-out games, final round, verdict"),
        ("plots/", "both drawn"),
        ("config.toml", "the job with every key"),
    ] {
        writeln!(stdout, "{}  {what}", folder.join(format!("{name:<15}")).display())?;
    }
    let folder = quoted(&folder.to_string_lossy());
    writeln!(stdout, "\nnext: evolve export {folder} --output submission.rs")
}
