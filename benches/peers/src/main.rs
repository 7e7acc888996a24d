//! Compares optimizers by their recommendations after the same number of games.

mod families;
mod plot;
mod run;
mod serve;
mod solvers;
mod summary;
mod task;

use clap::Parser;
use rayon::prelude::*;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use task::Task;

/// Runs optimizers side by side and writes what each recommends by itself, measured on fresh cases.
#[derive(Parser)]
#[command(version)]
enum Command {
    /// Runs a method on problems with several seeds.
    Run(Run),
    /// Prints how good the best functions of features are, such as `grp6+group`.
    Best {
        #[arg(required = true)]
        problems: Vec<String>,
    },
    /// Plays for an optimizer outside, by lines of JSON on standard input and output.
    Serve(serve::Serve),
    /// Prints medians over the seeds of tables that `run` wrote.
    Summary {
        /// The tables.
        #[arg(required = true)]
        tables: Vec<PathBuf>,
    },
    /// Draws medians over the seeds of tables that `run` wrote, a panel for each problem.
    Plot(plot::Plot),
}

#[derive(clap::Args)]
struct Run {
    /// The optimizer.
    #[arg(long)]
    method: String,
    /// Its settings in TOML, such as `population = 48`.
    #[arg(long = "set")]
    settings: Vec<String>,
    /// Name in the table [default: the method]
    #[arg(long)]
    label: Option<String>,
    /// The problems, with commas between them.
    #[arg(long, value_delimiter = ',', default_value = "group-4-greedy,group-5-greedy,group-6-greedy")]
    problems: Vec<String>,
    /// How many seeds.
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// The first of them, to add some to a table.
    #[arg(long, default_value_t = 1)]
    first_seed: u64,
    /// Measure the recommendation after these numbers of games [default: the problem's own]
    #[arg(long, value_delimiter = ',')]
    games: Vec<usize>,
    /// Fresh cases that recommendations are measured on.
    #[arg(long, default_value_t = 4000)]
    held_out: usize,
    /// Give the optimizer the features of instances.
    #[arg(long)]
    features: bool,
    /// The table; lines are added at its end. Without it only medians are printed.
    #[arg(long)]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    let done = match Command::parse() {
        Command::Run(run) => run.carry_out(),
        Command::Best { problems } => problems.iter().try_for_each(|name| {
            println!("{name} {:.3}", task::best(name)?);
            Ok(())
        }),
        Command::Serve(serve) => serve.carry_out(),
        Command::Summary { tables } => summary::read(&tables).map(|rows| summary::table(&rows)),
        Command::Plot(plot) => plot.carry_out(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

impl Run {
    fn carry_out(self) -> Result<(), String> {
        let settings = run::settings(&self.method, &self.settings.join("\n"))?;
        let tasks: Vec<Task> = self.problems.iter().map(|name| Task::read(name)).collect::<Result<_, _>>()?;
        if !self.games.is_sorted() {
            return Err("--games are to be ascending numbers".to_string());
        }
        let label = self.label.as_deref().unwrap_or(&self.method);
        let runs: Vec<(&Task, u64)> = tasks
            .iter()
            .flat_map(|task| (self.first_seed..self.first_seed + self.seeds).map(move |seed| (task, seed)))
            .collect();
        // Write rows when a run ends, rather than all at once after hours.
        let out = self.out.as_ref().map(Mutex::new);
        let rows: Vec<Vec<summary::Row>> = runs
            .par_iter()
            .with_max_len(1)
            .map(|&(task, seed)| {
                let games = if self.games.is_empty() { task.stops } else { &self.games };
                let rows = run::run(task, settings.as_ref(), seed, games, self.held_out, self.features)?;
                let rows: Vec<_> = rows.iter().map(|row| summary::Row::new(&task.name, label, seed, row)).collect();
                if let Some(out) = &out {
                    summary::append(&out.lock().expect("no holder panics"), &rows)?;
                }
                Ok(rows)
            })
            .collect::<Result<_, String>>()?;
        let rows = rows.concat();
        summary::table(&rows);
        Ok(())
    }
}
