//! `evolve explain`.

use super::contestants::{run_folder, weights};
use super::progress::{say, show};
use super::table::{Align, Table};
use super::{Failure, Outcome, catalogue, surroundings};
use evolve_core::config::Job;
use evolve_core::evaluator::Threads;
use evolve_core::explain::{Difference, Effort, Explanation, Slice, Subject, explain, games};
use evolve_core::problem::Surroundings;
use evolve_core::run::atomic::replace_plain;
use evolve_core::seed::Purpose;
use evolve_core::statistics::decimals;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Write as _;
use std::process::ExitCode;

/// Says what each weight that a run recommends is worth
///
/// Sets each weight that evolved back to its start (or to zero, if it still is there), and each group of weights whose names
/// differ in a number alone, on fresh games that the recommendation plays as well. Then it walks from the start to the
/// recommendation, the most worthy first, and plays each step again on other games. Last it varies the weights that matter
/// most, one at a time, and marks where nothing is clearly worse: the flat part.
///
/// Intervals hold for all answers to one question together. Tables (explain.csv, ablation.csv, slices.csv) go into
/// the run's folder. How many games it takes is said beforehand.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve explain results/first
  evolve explain first --games 5000 --slices 20")]
pub struct Args {
    /// A run, by its name or its folder
    #[arg(value_name = "RESULTS")]
    run: String,

    /// Games of each set of weights [default: 400, of programs each instance once, at least 30]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    games: Option<u32>,

    /// Of how many weights to play slices, those worth most first
    #[arg(long, value_name = "NUMBER", default_value_t = 6)]
    slices: u16,

    /// Seed of the games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Games to play at the same time; 0: one for each core
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    threads: usize,
}

impl Args {
    /// Plays, writes tables, and reports.
    pub fn run(self) -> Outcome {
        let folder = run_folder(&self.run);
        let job = Job::read(&folder.join("config.toml"), catalogue()).map_err(|faults| {
            Failure::Usage(format!("{faults}\n(`evolve explain` takes the results folder of a run)"))
        })?;
        let policy = weights(&folder)?;
        let problem = job.source.problem;
        let stop = super::interrupt::flag()?;
        problem.surround(Surroundings { stop: Some(stop), ..surroundings() });
        let instances = problem.instances(Purpose::Measurement).map(|names| names.len().max(30));
        let effort = Effort {
            seed: self.seed,
            games: self.games.map_or(instances.unwrap_or(400), |games| games as usize),
            slices: self.slices.into(),
        };
        let subject = Subject { problem, setup: &job.source.setup, space: &job.space, values: &policy.values };
        let all = games(&subject, &effort);
        say(&format!("{}: {all} games at most, {} of each set of weights", job.name, effort.games));
        let evaluator = Threads::new(problem, &job.source.setup, self.threads).map_err(Failure::Work)?;
        let style = ProgressStyle::with_template("{pos} of {len} games played, about {eta} left");
        let bar = ProgressBar::new(all as u64).with_style(style.expect("the template is well-formed"));
        let explanation = explain(&subject, &evaluator, &effort, &mut |games| bar.inc(games as u64));
        bar.finish_and_clear();
        let explanation = explanation.map_err(|failure| Failure::Work(evolve_process::plain(&failure.to_string())))?;
        for (name, table) in explanation.tables() {
            let path = folder.join(name);
            replace_plain(&path, table.as_bytes())
                .map_err(|error| Failure::Work(format!("{}: {error}", path.display())))?;
        }
        show(&text(&job, &explanation))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn shown(difference: &Difference, digits: usize) -> (String, String) {
    let Difference { mean, low, high } = difference;
    (format!("{mean:+.digits$}"), format!("{low:+.digits$} to {high:+.digits$}"))
}

/// The answers for a person.
fn text(job: &Job, explanation: &Explanation) -> String {
    let Explanation { worths, path, slices } = explanation;
    let largest = worths.iter().map(|one| one.worth.mean.abs()).fold(0.0, f64::max);
    let digits = decimals(largest);
    let mut text = format!("{}: {}\n\n", job.name, job.source.title());
    let columns = [Align::Left, Align::Left, Align::Right, Align::Left, Align::Right, Align::Right];
    let mut table = Table::new(columns);
    table.row([&"weight", &"set to", &"worth", &"interval", &"moves changed", &"games changed"]);
    for one in worths {
        let (mean, interval) = shown(&one.worth, digits);
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let moves = one.moves_changed.map(percent).unwrap_or_default();
        table.row([&one.part.name, &one.to().name(), &mean, &interval, &moves, &percent(one.games_changed)]);
    }
    text += &table.to_string();
    let silent = worths.iter().filter(|one| one.games_changed == 0.0).count();
    if silent > 0 {
        let _ = writeln!(text, "  {silent} of them changed no game at all");
    }
    if !path.is_empty() {
        let mut table = Table::new([Align::Left, Align::Right, Align::Left, Align::Right, Align::Left]);
        table.row([&"from the start", &"gain", &"interval", &"in all", &"interval"]);
        for step in path {
            let ((gain, of_gain), (total, of_total)) = (shown(&step.gain, digits), shown(&step.total, digits));
            table.row([&step.name, &gain, &of_gain, &total, &of_total]);
        }
        let _ = write!(text, "\n{table}");
    }
    if !slices.is_empty() {
        text += "\n  flat, that is nowhere clearly worse\n";
        slices.iter().for_each(|slice| text += &flat(slice));
    }
    text + "\n"
}

/// The flat part of a slice.
fn flat(slice: &Slice) -> String {
    let flat: Vec<&str> = slice.points.iter().filter(|point| point.is_flat).map(|point| point.shown.as_str()).collect();
    let recommended = slice.points.iter().find(|point| point.is_recommended).map_or("", |point| point.shown.as_str());
    let part = match flat[..] {
        [] | [_] => "none: its neighbours are worse".to_string(),
        [first, .., last] => format!("{first} to {last}"),
    };
    format!("  {}  {part} (recommended {recommended})\n", slice.name)
}
