//! `evolve evaluate`.

use super::contestants::weights;
use super::progress::{say, show};
use super::{Failure, Outcome};
use crate::judge::report::Scores;
use evolve_core::evaluator::{Evaluator, Threads, Trial};
use evolve_core::policy_file::Policy;
use evolve_core::problem::Problem;
use evolve_core::seed::Purpose;
use evolve_core::setup::{Given, PlayerChoice, Values};
use evolve_core::trial::{self, Deal};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Measures weights over many games
///
/// Plays without a program in between, which is fast, and reports the scores. The games are those of `evolve judge`
/// with the same seed: game number i depends on the seed and on i alone. So does the report; how fast it went is told
/// on standard error.
///
/// `evolve compare` tells which of several is better, with far fewer games.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve evaluate results/first --games 1000
  evolve evaluate weights.toml --games 200 --player beam:width=20,depth=16 --json")]
pub struct Args {
    /// A run, by its name or its folder, or a weights file
    #[arg(value_name = "WEIGHTS")]
    weights: PathBuf,

    /// Games to play
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,

    /// Seed of the games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Games to play at the same time; 0: one for each core
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    threads: usize,

    /// Player to play in, with settings as in beam:width=20,depth=16 [default: the one that the weights were tuned in]
    #[arg(long, value_name = "PLAYER", conflicts_with = "submission")]
    player: Option<String>,

    /// Play as the exported program would, time limits apart
    #[arg(long)]
    submission: bool,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Weights in a player, and how they did.
struct Measured {
    path: String,
    player: PlayerChoice,
    outcomes: Vec<trial::Outcome>,
}

impl Args {
    /// Plays and reports.
    pub fn run(self) -> Outcome {
        let policy = self.read(&self.weights)?;
        let deals = Deal::first(self.seed, Purpose::Measurement, self.games as usize);
        let measured = self.measure(&self.weights, &policy, &deals)?;
        let document = Document {
            game: policy.source.problem.name(),
            options: &policy.source.setup.options,
            seed: self.seed,
            measured: Entry::of(&measured),
        };
        let mut stdout = io::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut stdout, &document).map_err(io::Error::from)?;
            writeln!(stdout)?;
        } else {
            drop(stdout);
            show(&text(&policy, &document))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Reads weights, to be played in the player asked for.
    fn read(&self, path: &Path) -> Result<Policy, Failure> {
        let mut policy = weights(path)?;
        if self.submission {
            policy.source.setup.player = policy.submission.clone();
        }
        if let Some(player) = &self.player {
            policy.source.setup.player = parse_player(policy.source.problem, player)
                .map_err(|message| Failure::Usage(format!("--player {player}: {message}")))?;
        }
        Ok(policy)
    }

    fn measure(&self, path: &Path, policy: &Policy, deals: &[Deal]) -> Result<Measured, Failure> {
        let setup = &policy.source.setup;
        let threads = Threads::new(policy.source.problem, setup, self.threads).map_err(Failure::Work)?;
        let style = ProgressStyle::with_template("{pos} of {len} games played, about {eta} left");
        let bar = ProgressBar::new(self.games).with_style(style.expect("the template is well-formed"));
        let start = Instant::now();
        let candidates = [policy.values.clone()];
        let mut round = threads.round(&candidates);
        let mut outcomes = Vec::with_capacity(deals.len());
        // In pieces, so that progress is seen.
        for piece in deals.chunks((deals.len() / 100).max(8 * threads.parallelism())) {
            let trials: Vec<Trial> = piece.iter().map(|&deal| Trial { candidate: 0, deal }).collect();
            let played = round.play(&trials).map_err(|failure| Failure::Work(failure.to_string()))?;
            bar.inc(played.len() as u64);
            outcomes.extend(played);
        }
        let speed = deals.len() as f64 / start.elapsed().as_secs_f64().max(1e-6);
        bar.finish_and_clear();
        say(&format!("{}: {speed:.1} games/s", path.display()));
        Ok(Measured { path: path.display().to_string(), player: setup.player.clone(), outcomes })
    }
}

/// A player as in `beam:width=20,depth=16`.
fn parse_player(game: &dyn Problem, text: &str) -> Result<PlayerChoice, String> {
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    let mut given: Vec<(String, Given)> = Vec::new();
    for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
        let (name, value) =
            setting.split_once('=').ok_or_else(|| format!("`{setting}` is no setting like width=20"))?;
        if given.iter().any(|(other, _)| other == name) {
            return Err(format!("`{name}` is given twice"));
        }
        given.push((name.to_string(), Given::from_text(value)));
    }
    PlayerChoice::check(game.name(), game.players(), name, given).map_err(|error| error.to_string())
}

/// All that is told.
#[derive(Serialize)]
struct Document<'a> {
    game: &'a str,
    options: &'a Values,
    seed: u64,
    #[serde(flatten)]
    measured: Entry<'a>,
}

#[derive(Serialize)]
struct Entry<'a> {
    weights: &'a str,
    player: Player<'a>,
    #[serde(flatten)]
    scores: Scores,
}

#[derive(Serialize)]
struct Player<'a> {
    name: &'a str,
    settings: &'a Values,
}

impl<'a> Entry<'a> {
    fn of(measured: &'a Measured) -> Self {
        let Measured { path, player, outcomes } = measured;
        let player = Player { name: &player.name, settings: &player.values };
        Entry { weights: path, player, scores: Scores::new(outcomes) }
    }
}

/// The report for a person.
fn text(policy: &Policy, document: &Document) -> String {
    let mut text = format!("game     {}\nseed     {}\n", policy.source.title(), document.seed);
    let Entry { weights, player, scores } = &document.measured;
    let settings: Vec<String> = player.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let colon = if settings.is_empty() { "" } else { ":" };
    text += &format!("weights  {weights}\n");
    if !player.name.is_empty() {
        text += &format!("player   {}{colon}{}\n", player.name, settings.join(","));
    }
    text + &format!("\n{scores}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players() {
        let game = super::super::catalogue().find("solitaire-chess").unwrap();
        let player = parse_player(game, "beam:width=7").unwrap();
        assert_eq!((player.name.as_str(), player.values.get("width"), player.values.get("depth")), ("beam", 7, 16));
        assert_eq!(parse_player(game, "greedy").unwrap().name, "greedy");
        for (wrong, said) in [
            ("greed", "no player `greed`"),
            ("beam:width", "no setting like"),
            ("beam:width=x", "allowed are"),
            ("beam:width=0", "allowed are"),
            ("beam:width=2,width=3", "twice"),
            ("beam:breadth=2", "no setting `breadth`"),
        ] {
            let message = parse_player(game, wrong).unwrap_err();
            assert!(message.contains(said), "{wrong}: {message}");
        }
    }
}
