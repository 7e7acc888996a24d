//! `evolve games`.

use super::Outcome;
use super::table::{Align, Table};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use evolve::game::{Game, PlayerKind, Setting};
use evolve::games::{self, GAMES};
use policy::weights::Weight;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// Lists the games, or describes one
///
/// Without a name, prints one line for each game. With a name, prints the game's options, its players with their
/// settings, and the weights of its evaluation: what configurations and the other subcommands can name.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve games
  evolve games solitaire-chess
  evolve games solitaire-chess --json | jq '.weights[].name'")]
pub struct Args {
    /// The game to describe
    #[arg(value_name = "NAME", value_parser = name_parser())]
    name: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Knows the names, so that help, completions and errors list them.
fn name_parser() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(GAMES.map(|game| PossibleValue::new(game.name()).help(game.summary())))
}

impl Args {
    /// Prints the listing or the description.
    pub fn run(self) -> Outcome {
        let game = self.name.map(|name| games::find(&name).expect("names are checked when they are parsed"));
        let mut text = match (game, self.json) {
            (None, false) => listing(),
            (Some(game), false) => description(game),
            (None, true) => json(&GAMES.map(|game| Line { name: game.name(), summary: game.summary() })),
            (Some(game), true) => json(&Description::of(game)),
        };
        text.truncate(text.trim_end().len());
        writeln!(io::stdout(), "{text}")?;
        Ok(ExitCode::SUCCESS)
    }
}

fn listing() -> String {
    let mut table = Table::new([Align::Left; 2]);
    for game in GAMES {
        table.row([&game.name(), &game.summary()]);
    }
    table.to_string()
}

fn description(game: &dyn Game) -> String {
    let mut text = format!("{}: {}\n\n", game.name(), game.summary());
    if !game.options().is_empty() {
        text += &format!("Options\n{}\n", settings(game.options()));
    }
    text += "Players\n";
    for player in game.players() {
        text += &format!("  {}: {}\n", player.name, player.meaning);
        for line in settings(player.settings).lines() {
            text += &format!("  {line}\n");
        }
    }
    text += "\nWeights\n";
    text += &weights(&game.weights());
    text
}

fn settings(settings: &[Setting]) -> String {
    let mut table = Table::new([Align::Left; 4]);
    for Setting { name, meaning, min, max, default } in settings {
        let default = default.map_or("required".to_string(), |value| format!("default {value}"));
        table.row([name, &format!("{min} to {max}"), &default, meaning]);
    }
    table.to_string()
}

fn weights(weights: &[Weight]) -> String {
    let (shown, variations) = variations(weights);
    let mut table = Table::new([Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left]);
    table.row([&"name", &"min", &"max", &"scale", &"default", &"meaning"]);
    for Weight { name, meaning, min, max, scale, default } in shown {
        table.row([name, min, max, scale, default, meaning]);
    }
    let mut text = table.to_string();
    for Variation { suffix, meaning, default } in variations {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n  Every weight NAME has a partner NAME{suffix}: {meaning}.\n  \
             It ranges from min - max to max - min of NAME, has the same scale, and default {default}.\n"
        );
    }
    text
}

/// What one sentence tells about a block of weights that are variations of the first ones.
#[derive(Debug, PartialEq)]
struct Variation {
    /// What is added to the names.
    suffix: &'static str,
    /// What all of them mean, without the meaning of the weight that varies.
    meaning: &'static str,
    default: f64,
}

/// The weights that stand for themselves, and the variations that follow them block by block; no variations unless all
/// of them follow from their weights.
fn variations(weights: &[Weight]) -> (&[Weight], Vec<Variation>) {
    let all = (weights, Vec::new());
    let Some(first) = weights.first() else { return all };
    let varies = |weight: &Weight| weight.name.starts_with(first.name) && weight.meaning.ends_with(first.meaning);
    let Some(count) = weights.iter().skip(1).position(varies).map(|place| place + 1) else { return all };
    let (base, rest) = weights.split_at(count);
    if rest.len() % count != 0 {
        return all;
    }
    match rest.chunks(count).map(|block| variation(base, block)).collect() {
        Some(variations) => (base, variations),
        None => all,
    }
}

/// How a block varies the weights of `base`, if all of it does so in the same way.
fn variation(base: &[Weight], block: &[Weight]) -> Option<Variation> {
    let mut common = None;
    for (base, weight) in base.iter().zip(block) {
        let suffix = weight.name.strip_prefix(base.name)?;
        let meaning = weight.meaning.strip_suffix(base.meaning)?.trim_end_matches([' ', ':']);
        let this = Variation { suffix, meaning, default: weight.default };
        let derived = (weight.min, weight.max, weight.scale) == (base.min - base.max, base.max - base.min, base.scale);
        if !derived || common.as_ref().is_some_and(|common| *common != this) {
            return None;
        }
        common = Some(this);
    }
    common
}

/// A game in the listing.
#[derive(Serialize)]
struct Line {
    name: &'static str,
    summary: &'static str,
}

/// A game in full.
#[derive(Serialize)]
struct Description {
    name: &'static str,
    summary: &'static str,
    options: Vec<SettingEntry>,
    players: Vec<PlayerEntry>,
    weights: Vec<WeightEntry>,
}

#[derive(Serialize)]
struct SettingEntry {
    name: &'static str,
    meaning: &'static str,
    min: u32,
    max: u32,
    /// `null` if it has to be given.
    default: Option<u32>,
}

#[derive(Serialize)]
struct PlayerEntry {
    name: &'static str,
    meaning: &'static str,
    settings: Vec<SettingEntry>,
}

#[derive(Serialize)]
struct WeightEntry {
    name: &'static str,
    meaning: &'static str,
    min: f64,
    max: f64,
    scale: f64,
    default: f64,
}

impl Description {
    fn of(game: &dyn Game) -> Self {
        Description {
            name: game.name(),
            summary: game.summary(),
            options: game.options().iter().map(SettingEntry::of).collect(),
            players: game.players().iter().map(PlayerEntry::of).collect(),
            weights: game.weights().into_iter().map(WeightEntry::of).collect(),
        }
    }
}

impl SettingEntry {
    fn of(&Setting { name, meaning, min, max, default }: &Setting) -> Self {
        SettingEntry { name, meaning, min, max, default }
    }
}

impl PlayerEntry {
    fn of(&PlayerKind { name, meaning, settings }: &PlayerKind) -> Self {
        PlayerEntry { name, meaning, settings: settings.iter().map(SettingEntry::of).collect() }
    }
}

impl WeightEntry {
    fn of(Weight { name, meaning, min, max, scale, default }: Weight) -> Self {
        WeightEntry { name, meaning, min, max, scale, default }
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("names and numbers have a JSON form")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(name: &'static str, meaning: &'static str, min: f64, max: f64) -> Weight {
        Weight { name, meaning, min, max, scale: 0.5, default: 0.0 }
    }

    #[test]
    fn variations_are_told_in_a_sentence_only_if_it_is_true() {
        let corner = weight("corner", "each corner", -1.0, 3.0);
        let drift = weight("corner_drift", "change: each corner", -4.0, 4.0);
        let edge = weight("edge", "each edge", -1.0, 1.0);

        let text = weights(&[corner, drift]);
        assert!(text.contains("NAME_drift: change.") && !text.contains("corner_drift"), "{text}");

        let size = weight("corner_size", "by size: each corner", -4.0, 4.0);
        let text = weights(&[corner, drift, size]);
        assert!(text.contains("NAME_drift: change.") && text.contains("NAME_size: by size."), "{text}");

        let narrow = Weight { max: 1.0, ..drift };
        let other = weight("edge_drift", "another change: each edge", -2.0, 2.0);
        for all in [vec![corner], vec![corner, drift, edge], vec![corner, narrow], vec![corner, edge, drift, other]] {
            let text = weights(&all);
            assert!(all.iter().all(|weight| text.contains(&format!("  {} ", weight.name))), "{text}");
            assert!(!text.contains("NAME"), "{text}");
        }
    }
}
