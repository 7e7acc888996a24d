//! `evolve explain`.

use super::contestants::{run_folder, weights};
use super::progress::{say, show};
use super::table::{Align, Table};
use super::{Failure, Outcome, catalogue, context};
use evolve_core::config::Job;
use evolve_core::evaluator::Threads;
use evolve_core::explain::{Difference, Subject, Worth, table};
use evolve_core::problem::{Context, Stop};
use evolve_core::run::atomic::replace_plain;
use evolve_core::seed::Purpose;
use evolve_core::statistics::decimals;
use indicatif::{ProgressBar, ProgressStyle};
use std::process::ExitCode;

/// Say what each weight that a run recommends is worth
///
/// Sets each weight that evolved back to its start (or to zero, if it still is there), and each group of weights whose names
/// differ in a number alone, on fresh games that the recommendation plays as well. Intervals hold for all of them together.
///
/// The table goes into explain.csv in the run's folder as well, where `evolve report` finds it. How many games it takes is
/// said beforehand.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve explain results/first
  evolve explain first --games 5000")]
pub struct Args {
    /// A run, by its name or its folder
    #[arg(value_name = "RUN")]
    run: String,

    /// Games of each set of weights [default: 400, of programs each instance once, at least 30]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    games: Option<u32>,

    /// Seed of the games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Games to play at the same time; 0: one for each core
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    threads: usize,
}

impl Args {
    /// Plays, writes the table, and reports.
    pub fn run(self) -> Outcome {
        let folder = run_folder(&self.run);
        let job = Job::recorded(&folder, catalogue()).map_err(|faults| {
            Failure::Usage(format!("{faults}\n(`evolve explain` takes the results folder of a run)"))
        })?;
        let policy = weights(&folder)?;
        let problem = &*job.source.problem;
        let context = Context { stop: Stop::all(&super::interrupt::flag()?), ..context() };
        let instances = problem.instances(Purpose::Measurement).map(|names| names.len().max(30));
        let games = self.games.map_or(instances.unwrap_or(400), |games| games as usize);
        let subject = Subject { problem, space: &job.space, values: &policy.values };
        let all = games * subject.candidates();
        say(&format!("{}: {all} games, {games} of each set of weights", job.name));
        let evaluator = Threads::open(problem, &job.source.setup, self.threads, context)?;
        let style = ProgressStyle::with_template("{pos} of {len} games played, about {eta} left");
        let bar = ProgressBar::new(all as u64).with_style(style.expect("the template is well-formed"));
        let worths = subject.explain(&evaluator, (self.seed, games), &mut |games| bar.inc(games as u64));
        bar.finish_and_clear();
        let worths = worths?;
        let path = folder.join("explain.csv");
        replace_plain(&path, table(&worths).as_bytes())
            .map_err(|error| Failure::Work(format!("{}: {error}", path.display())))?;
        show(&text(&job, &worths))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The table for a person.
fn text(job: &Job, worths: &[Worth]) -> String {
    let digits = decimals(worths.iter().map(|one| one.worth.mean.abs()).fold(0.0, f64::max));
    let mut table = Table::new([Align::Left, Align::Left, Align::Right, Align::Left, Align::Right]);
    table.row([&"weight", &"set to", &"worth", &"interval", &"games changed"]);
    for Worth { part, worth: Difference { mean, low, high }, games_changed } in worths {
        let (mean, interval) = (format!("{mean:+.digits$}"), format!("{low:+.digits$} to {high:+.digits$}"));
        table.row([&part.name, &part.to.name(), &mean, &interval, &format!("{:.1} %", 100.0 * games_changed)]);
    }
    format!("{}: {}\n\n{table}", job.name, job.source.title())
}
