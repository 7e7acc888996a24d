//! `evolve games`.

use super::table::{Align, Table};
use super::{Failure, Outcome, catalogue};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use evolve_core::parameter::Parameter;
use evolve_core::problem::Problem;
use evolve_core::setup::{PlayerKind, Setting, Takes, Value};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// Lists the games, or describes one
///
/// Without a name, prints one line for each game. With a name, prints the game's options, its players with their
/// settings, and the weights of its evaluation: what jobs and the other subcommands can name.
///
/// With --protocol, prints what the contest's judge sends and what it expects, with a sample: all that a player in any
/// language needs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve games
  evolve games solitaire-chess
  evolve games solitaire-chess --protocol
  evolve games solitaire-chess --json | jq '.weights[].name'")]
pub struct Args {
    /// The game to describe
    #[arg(value_name = "NAME", value_parser = name_parser())]
    name: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print the page on the dialogue with the contest's judge
    #[arg(long, requires = "name", conflicts_with = "json")]
    protocol: bool,
}

/// Knows the names, so that help, completions and errors list them.
fn name_parser() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(catalogue().iter().map(|game| PossibleValue::new(game.name()).help(game.summary())))
}

impl Args {
    /// Prints the listing or the description.
    pub fn run(self) -> Outcome {
        let game = self.name.map(|name| catalogue().find(&name).expect("names are checked when they are parsed"));
        let mut text = match (game, self.json) {
            (Some(game), false) if self.protocol => protocol(game)?,
            (None, false) => listing(),
            (Some(game), false) => description(game),
            (None, true) => json(
                &catalogue().iter().map(|game| Line { name: game.name(), summary: game.summary() }).collect::<Vec<_>>(),
            ),
            (Some(game), true) => json(&Description::of(game)),
        };
        text.truncate(text.trim_end().len());
        writeln!(io::stdout(), "{text}")?;
        Ok(ExitCode::SUCCESS)
    }
}

fn protocol(game: &dyn Problem) -> Result<String, Failure> {
    let contest = game.contest().ok_or_else(|| {
        let name = game.name();
        Failure::Usage(format!("{name} is no contest game: no judge holds a dialogue over it"))
    })?;
    Ok(contest.protocol().to_string())
}

fn listing() -> String {
    let mut table = Table::new([Align::Left; 2]);
    for game in catalogue().iter() {
        table.row([&game.name(), &game.summary()]);
    }
    table.to_string()
}

fn description(game: &dyn Problem) -> String {
    let mut text = format!("{}: {}\n\n", game.name(), game.summary());
    if !game.options().is_empty() {
        text += &format!("Options\n{}\n", settings(game.options()));
    }
    if !game.players().is_empty() {
        text += "Players\n";
    }
    for player in game.players() {
        text += &format!("  {}: {}\n", player.name, player.meaning);
        for line in settings(player.settings).lines() {
            text += &format!("  {line}\n");
        }
    }
    text += "\nWeights\n";
    text += &weights(&game.parameters());
    text
}

fn settings(settings: &[Setting]) -> String {
    let mut table = Table::new([Align::Left; 4]);
    for setting in settings {
        let Setting { name, meaning, takes, default } = setting;
        let default = default.map_or("required".to_string(), |value| format!("default {}", setting.show(value)));
        table.row([name, takes, &default, meaning]);
    }
    table.to_string()
}

fn weights(weights: &[Parameter]) -> String {
    let (shown, variations) = variations(weights);
    let mut table = Table::new([Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left]);
    table.row([&"name", &"min", &"max", &"scale", &"default", &"meaning"]);
    for parameter in shown {
        let Parameter { name, meaning, start, scale, .. } = parameter;
        let (min, max) = parameter.range();
        table.row([name, &min, &max, scale, &parameter.show(*start), meaning]);
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
struct Variation<'w> {
    /// What is added to the names.
    suffix: &'w str,
    /// What all of them mean, without the meaning of the weight that varies.
    meaning: &'w str,
    default: f64,
}

/// The weights that stand for themselves, and the variations that follow them block by block; no variations unless all
/// of them follow from their weights.
fn variations(weights: &[Parameter]) -> (&[Parameter], Vec<Variation<'_>>) {
    let all = (weights, Vec::new());
    let Some(first) = weights.first() else { return all };
    let varies = |weight: &Parameter| weight.name.starts_with(&first.name) && weight.meaning.ends_with(&first.meaning);
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
fn variation<'w>(base: &[Parameter], block: &'w [Parameter]) -> Option<Variation<'w>> {
    let mut common = None;
    for (base, weight) in base.iter().zip(block) {
        let suffix = weight.name.strip_prefix(base.name.as_str())?;
        let meaning = weight.meaning.strip_suffix(base.meaning.as_str())?.trim_end_matches([' ', ':']);
        let this = Variation { suffix, meaning, default: weight.start };
        let (min, max) = base.range();
        let derived = weight.range() == (min - max, max - min) && weight.scale == base.scale;
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
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<u32>,
    /// Where it takes names and not numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<&'static [&'static str]>,
    /// `null` if it has to be given.
    default: Option<Value>,
}

#[derive(Serialize)]
struct PlayerEntry {
    name: &'static str,
    meaning: &'static str,
    settings: Vec<SettingEntry>,
}

#[derive(Serialize)]
struct WeightEntry {
    name: String,
    meaning: String,
    min: f64,
    max: f64,
    scale: f64,
    default: f64,
}

impl Description {
    fn of(game: &'static dyn Problem) -> Self {
        Description {
            name: game.name(),
            summary: game.summary(),
            options: game.options().iter().map(SettingEntry::of).collect(),
            players: game.players().iter().map(PlayerEntry::of).collect(),
            weights: game.parameters().into_iter().map(WeightEntry::of).collect(),
        }
    }
}

impl SettingEntry {
    fn of(setting: &Setting) -> Self {
        let &Setting { name, meaning, takes, .. } = setting;
        let (min, max, names) = match takes {
            Takes::Number(min, max) => (Some(min), Some(max), None),
            Takes::Name(names) => (None, None, Some(names)),
        };
        SettingEntry { name, meaning, min, max, names, default: setting.default_value() }
    }
}

impl PlayerEntry {
    fn of(&PlayerKind { name, meaning, settings }: &PlayerKind) -> Self {
        PlayerEntry { name, meaning, settings: settings.iter().map(SettingEntry::of).collect() }
    }
}

impl WeightEntry {
    fn of(parameter: Parameter) -> Self {
        let (min, max) = parameter.range();
        let Parameter { name, meaning, scale, start: default, .. } = parameter;
        WeightEntry { name, meaning, min, max, scale, default }
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("names and numbers have a JSON form")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(name: &str, meaning: &str, min: f64, max: f64) -> Parameter {
        Parameter::float(name, min, max, 0.0).scale(0.5).meaning(meaning)
    }

    #[test]
    fn variations_are_told_in_a_sentence_only_if_it_is_true() {
        let corner = weight("corner", "each corner", -1.0, 3.0);
        let drift = weight("corner_drift", "change: each corner", -4.0, 4.0);
        let edge = weight("edge", "each edge", -1.0, 1.0);

        let text = weights(&[corner.clone(), drift.clone()]);
        assert!(text.contains("NAME_drift: change.") && !text.contains("corner_drift"), "{text}");

        let size = weight("corner_size", "by size: each corner", -4.0, 4.0);
        let text = weights(&[corner.clone(), drift.clone(), size]);
        assert!(text.contains("NAME_drift: change.") && text.contains("NAME_size: by size."), "{text}");

        let narrow = weight("corner_drift", "change: each corner", -4.0, 1.0);
        let other = weight("edge_drift", "another change: each edge", -2.0, 2.0);
        let one = [corner.clone()];
        let three = [corner.clone(), drift.clone(), edge.clone()];
        let two = [corner.clone(), narrow];
        let four = [corner, edge, drift, other];
        for all in [&one[..], &three, &two, &four] {
            let text = weights(all);
            assert!(all.iter().all(|weight| text.contains(&format!("  {} ", weight.name))), "{text}");
            assert!(!text.contains("NAME"), "{text}");
        }
    }
}
