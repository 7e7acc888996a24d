//! `evolve status`.

use super::contestants::{run_folder, weights};
use super::progress::show;
use super::table::{Align, Table};
use super::{Failure, Outcome, catalogue};
use evolve_core::document::read_text;
use evolve_core::policy_file::{toml_value, weights_file};
use evolve_core::run::Standing;
use evolve_core::run::state::State;
use evolve_core::statistics::{Interval, decimals};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// List runs: how far they are, what they found, and whether a process is at them
///
/// Looks at the last checkpoint of each run below results/ or another folder. The difference is that to the starting
/// weights on held-out games, with its 95 % interval; of a complete run it is the verdict.
///
/// Of a single run, prints the verdict and each value that it recommends as well, or would recommend by now.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve status
  evolve status tour
  evolve status results/tour --json")]
pub struct Args {
    /// Folder whose runs to list, or a run by its name or its folder
    #[arg(value_name = "FOLDER", default_value = "results")]
    folder: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A run in the listing.
#[derive(Serialize)]
struct Line {
    run: String,
    /// `complete`, `running` or `stopped`.
    state: &'static str,
    /// How much of the whole is done, 0 to 1.
    share: f64,
    games: Option<u64>,
    difference: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    /// Seconds that it will still take, at the speed so far.
    seconds_left: Option<f64>,
}

impl Line {
    fn of(standing: &Standing) -> Self {
        let state = match (standing.is_held, standing.is_complete()) {
            (true, _) => "running",
            (false, true) => "complete",
            (false, false) => "stopped",
        };
        let found = standing.state.as_ref();
        let difference = found.and_then(State::gain);
        Line {
            run: evolve_process::plain(&standing.folder.display().to_string()),
            state,
            share: standing.share,
            games: found.map(|state| state.games),
            difference: difference.map(|of| of.mean),
            low: difference.map(|of| of.low),
            high: difference.map(|of| of.high),
            seconds_left: standing.left.map(|left| left.as_secs_f64()),
        }
    }
}

impl Args {
    pub fn run(self) -> Outcome {
        let folder = run_folder(&self.folder);
        let lines: Vec<Line> = Standing::below(&folder, catalogue()).iter().map(Line::of).collect();
        if self.json {
            let text = serde_json::to_string_pretty(&lines).map_err(io::Error::from)?;
            writeln!(io::stdout(), "{text}")?;
            return Ok(ExitCode::SUCCESS);
        }
        if lines.is_empty() {
            show(&format!("no runs below {}\n", self.folder.display()))?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut table = Table::new([Align::Left, Align::Left, Align::Right, Align::Right, Align::Left, Align::Right]);
        table.row([&"run", &"state", &"done", &"games", &"difference to the start", &"left"]);
        for Line { run, state, share, games, difference, low, high, seconds_left } in &lines {
            let games = games.map(|games| games.to_string()).unwrap_or_default();
            let difference = match (difference, low, high) {
                (&Some(mean), &Some(low), &Some(high)) => Interval { mean, low, high }.signed(decimals(mean.abs())),
                _ => String::new(),
            };
            let left = seconds_left.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            let left = left.map(|left| super::progress::rounded(left).to_string()).unwrap_or_default();
            table.row([run, state, &format!("{:.0} %", 100.0 * share), &games, &difference, &left]);
        }
        write!(io::stdout(), "{table}")?;
        // Other folders have no weights but those of runs below them.
        let file = weights_file(&folder);
        if file.exists() {
            show(&recommendation(&folder, &file)?)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The verdict of a run as its weights file tells it, and each value beside the declared one.
fn recommendation(folder: &Path, file: &Path) -> Result<String, Failure> {
    let policy = weights(folder)?;
    let text = read_text(file).map_err(|error| Failure::Work(format!("{}: {error}", file.display())))?;
    let mut shown = String::from("\n");
    for line in text.lines().map_while(|line| line.strip_prefix('#')) {
        shown += &format!("{}\n", line.trim());
    }
    shown.push('\n');
    for (parameter, &value) in policy.source.problem.parameters().iter().zip(&policy.values) {
        let (value, declared) = (toml_value(parameter, value), toml_value(parameter, parameter.start));
        let was = if value == declared { String::new() } else { format!("  # declared: {declared}") };
        shown += &format!("{} = {value}{was}\n", parameter.name);
    }
    Ok(shown)
}
