//! Subcommands of `evolve judge`, one for each game, because each game has its own options.

use super::{Settings, find};
use crate::cli::{catalogue, games};
use clap::builder::{PossibleValuesParser, RangedI64ValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};
use evolve_contest::judge::Judge;
use evolve_core::job::Game;
use evolve_search::document::Table;
use evolve_search::document::schema::{choices, properties};
use evolve_search::document::text::{capitalised, plain};
use evolve_search::model::problem::Problem;
use serde_json::{Value, json};
use std::sync::Arc;

/// A game with its options, and the arguments common to all games.
pub struct ByGame {
    /// The game with its options.
    pub game: Arc<dyn Problem>,
    /// The other arguments.
    pub args: Settings,
}

impl Subcommand for ByGame {
    fn augment_subcommands(command: Command) -> Command {
        command
            .subcommand_value_name("GAME")
            .subcommand_help_heading("Games")
            // `from_arg_matches` reports other names with a better message.
            .allow_external_subcommands(true)
            .disable_help_subcommand(true)
            .subcommands(judged().map(|game| {
                let summary = game.sample.summary();
                let about = format!("{}: {summary}", game.name());
                let has_cases = find(&*game.sample).is_some_and(Judge::has_originals);
                let own = properties(&game.options).into_iter().map(|(name, _)| name);
                let own: Vec<String> =
                    own.chain(has_cases.then(|| "cases".into())).map(|name| format!("--{name}")).collect();
                let short = match own.is_empty() {
                    true => summary.to_string(),
                    false => format!("{summary} [{}]", own.join(", ")),
                };
                let command = Settings::augment_args(Command::new(game.name().to_string())).long_about(about);
                let command = command.args(options(game));
                // `--cases` applies only to games whose original cases are known.
                match has_cases {
                    true => command.about(short),
                    false => command.about(short).mut_arg("cases", |cases| cases.hide(true)),
                }
            }))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(_: &str) -> bool {
        // Accept other names here, so that `from_arg_matches` reports them.
        true
    }
}

impl FromArgMatches for ByGame {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let Some((name, matches)) = matches.subcommand() else {
            return Err(Error::raw(ErrorKind::MissingSubcommand, "no game named"));
        };
        let game = catalogue().find(name).map_err(|message| Error::raw(ErrorKind::InvalidSubcommand, message))?;
        if find(&*game.sample).is_none() {
            return Err(Error::raw(ErrorKind::InvalidSubcommand, format!("{name} has no judge")));
        }
        let value = |name: String| Some((name.clone(), given(matches.get_one::<String>(&name)?)));
        let options: Table = properties(&game.options).into_iter().filter_map(|(name, _)| value(name)).collect();
        let game =
            game.problem(options, Table::new()).map_err(|message| Error::raw(ErrorKind::InvalidValue, message))?;
        Ok(ByGame { game, args: Settings::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the games that have a judge.
pub fn judged() -> impl Iterator<Item = &'static Game> {
    games().iter().filter(|game| find(&*game.sample).is_some())
}

/// Reads a value from the command line.
fn given(text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| json!(text), |number| json!(number))
}

/// Returns the command-line options of a game.
fn options(game: &Game) -> Vec<Arg> {
    let settings = &game.options;
    let required = settings.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let option = |(name, key): (String, Value)| {
        let default = key.get("default").map(|value| format!(" [default: {}]", plain(value))).unwrap_or_default();
        let meaning = capitalised(key["description"].as_str().unwrap_or_default());
        let is_required = required.iter().any(|other| *other == name.as_str());
        let arg = Arg::new(name.clone()).long(name).required(is_required).help_heading("Options of the game");
        let bound = |name: &str| key.get(name).and_then(Value::as_i64);
        match (choices(&key), bound("minimum"), bound("maximum")) {
            (Some(names), ..) => {
                let names: Vec<String> = names.into_iter().map(String::from).collect();
                arg.value_name("NAME")
                    .value_parser(PossibleValuesParser::new(names))
                    .help(format!("{meaning}{default}"))
            }
            (None, min, max) => {
                let (min, max) = (min.unwrap_or(0), max.unwrap_or(i64::MAX));
                arg.value_name("NUMBER")
                    // Keep the text, because the schema checks the value.
                    .value_parser(RangedI64ValueParser::<i64>::new().range(min..=max).map(|number| number.to_string()))
                    // Accept negative numbers here, so that the error shows the range.
                    .allow_negative_numbers(true)
                    .help(format!("{meaning} ({min} to {max}){default}"))
            }
        }
    };
    properties(settings).into_iter().map(option).collect()
}
