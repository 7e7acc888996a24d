//! `evolve report`.

use super::contestants::{find_run, weights};
use super::progress::say;
use super::{Failure, Outcome, catalogue, contest, context, games};
use evolve_contest::Contest;
use evolve_core::job::policy_file::Policy;
use evolve_core::names::{CONFIG, REPORT};
use evolve_report::page::{Contestant, Contests, Input, Page, distinguish_names};
use evolve_search::file::{replace, replace_plain};
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::Split;
use evolve_search::model::trial::Case;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// The number of games that a page plays, and their seed.
const GAMES: u64 = 200;
const SEED: u64 = 1;

/// Make an HTML report of a run: verdict, curves, parameters, and instances or replays
///
/// Writes one HTML file that needs no other file and no network. It has the verdict in words, the
/// gain in the course of the run, and every parameter. For a program, it lists instances and
/// failures, and shows the pictures that the program draws. For a game, it replays games move by
/// move, with the baseline and with the recommended weights, and gives the reason for each move.
///
/// Several runs share one page, with a table that compares them. The page of an unfinished run
/// shows its results so far. `evolve run` writes the page of a run at its end.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve report results/first
  evolve report results/first --against best.toml
  evolve report results/seed-1 results/seed-2 --output compared.html")]
pub struct Args {
    /// Runs, by name or folder
    #[arg(required = true, value_name = "RUN", add = super::completions::runs())]
    runs: Vec<PathBuf>,

    /// File for the page; required for several runs [default: report.html in the run's folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// For comparison, also play the games with these weights: a weights file, or a run by name or
    /// folder
    #[arg(long, value_name = "WEIGHTS", add = super::completions::runs())]
    against: Option<PathBuf>,

    /// Number of games that each candidate plays, and of which the page replays some; 0: no replays
    #[arg(short = 'n', long, value_name = "NUMBER", default_value_t = GAMES, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    trials: u64,

    /// Seed of these games. With the same seed, `evolve compare RUN` plays the same games
    #[arg(long, value_name = "NUMBER", default_value_t = SEED)]
    seed: u64,

    /// Use the player that the job's section [submission] names for `evolve export`, but without a
    /// time limit
    #[arg(long)]
    submission: bool,

    /// Number of parallel trials; 0: one for each core
    #[arg(short = 'j', long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    parallel: usize,
}

impl Args {
    /// Returns the arguments that only name a run.
    pub fn of(run: &Path, parallel: usize) -> Self {
        let runs = vec![run.to_path_buf()];
        Args { runs, output: None, against: None, trials: GAMES, seed: SEED, submission: false, parallel }
    }

    /// Plays the games, and writes the page.
    pub fn run(self) -> Outcome {
        let (file, bytes) = self.write()?;
        say(&format!("{}: {:.1} MB; open it in a browser", file.display(), bytes as f64 / 1e6));
        Ok(ExitCode::SUCCESS)
    }

    /// Plays the games, and writes the page. Returns its file and size.
    pub fn write(mut self) -> Result<(PathBuf, usize), Failure> {
        self.runs = self.runs.iter().map(find_run).collect::<Result<_, _>>()?;
        let output = match (&self.runs[..], &self.output) {
            (_, Some(output)) => output.clone(),
            ([run], None) => run.join(REPORT),
            _ => return Err(Failure::Usage("several runs share a page: name its file with --output FILE".into())),
        };
        let mut inputs = self.runs.iter().map(|run| input(run)).collect::<Result<Vec<_>, _>>()?;
        distinguish_names(&mut inputs);
        let contests = self.contests(&inputs)?;
        let html = Page::new(&inputs, contests, games()).html();
        // Links are followed only in paths given by users.
        let written = match &self.output {
            Some(output) => replace(output, html.as_bytes()),
            None => replace_plain(&output, html.as_bytes()),
        };
        written.map_err(Failure::at(&output))?;
        Ok((output, html.len()))
    }

    /// Plays the games for replays, if there are any.
    fn contests(&self, inputs: &[Input]) -> Result<Option<Contests>, Failure> {
        let first = &inputs[0];
        let against = self.against.as_deref().map(weights).transpose()?;
        if let (Some(other), Some(path)) = (&against, &self.against)
            && !other.problem.is_same(&*first.job.problem)
        {
            return Err(Failure::Usage(format!(
                "scores are only comparable for the same game: {} is for {}, {} for {}",
                first.name,
                first.job.problem.title(),
                path.display(),
                other.problem.title()
            )));
        }
        let same = inputs.iter().all(|input| input.job.problem.is_same(&*first.job.problem));
        // Trials of programs may take minutes, and have no moves to replay.
        if self.trials == 0 || !same || contest(&*first.job.problem).and_then(Contest::replayable).is_none() {
            return Ok(None);
        }
        let played = |tuned: &Arc<dyn Problem>, submission: &Arc<dyn Problem>| {
            Arc::clone(if self.submission { submission } else { tuned })
        };
        let of = |name: String, policy: &Policy| Contestant {
            name,
            problem: played(&policy.problem, &policy.submission),
            values: policy.values.clone(),
        };
        let mut contestants = vec![Contestant {
            name: "baseline".to_string(),
            problem: played(&first.job.problem, &first.job.submission),
            values: first.job.space.start().to_vec(),
        }];
        for input in inputs {
            let Some(policy) = &input.policy else { continue };
            let name = if inputs.len() == 1 { "tuned".to_string() } else { input.name.clone() };
            contestants.push(of(name, policy));
        }
        let last = contestants.len() - 1;
        if let (Some(policy), Some(path)) = (&against, &self.against) {
            contestants.push(of(path.display().to_string(), policy));
        }
        let cases = Case::first(self.seed, Split::Measurement, self.trials as usize);
        let contests = Contests::measure(&contestants, last, &cases, self.seed, self.parallel, &context(), games());
        contests.map(Some).map_err(|error| Failure::Work(error.to_string()))
    }
}

fn input(run: &Path) -> Result<Input, Failure> {
    Input::read(run, catalogue()).map_err(|error| match run.join(CONFIG).exists() {
        true => Failure::Work(error.to_string()),
        false => Failure::Usage(format!("{error} (is this the folder of a run?)")),
    })
}
