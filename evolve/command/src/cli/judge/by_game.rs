//! Subcommands of `evolve judge`, one for each game, because each game has its own options.

use super::Settings;
use crate::cli::catalogue;
use clap::builder::{PossibleValuesParser, RangedI64ValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};
use evolve_core::document::schema::{choices, properties};
use evolve_core::model::contest::Contest;
use evolve_core::model::problem::Problem;
use evolve_core::model::setup::{Values, given};
use serde_json::{Map, Value};
use std::fmt;

/// A game with its options, and the arguments common to all games.
pub struct ByGame {
    pub game: &'static dyn Problem,
    /// The options of the game, checked and complete.
    pub options: Values,
    /// The other arguments.
    pub args: Settings,
}

impl fmt::Debug for ByGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ByGame { game, options, args } = self;
        f.debug_struct("ByGame").field("game", &game.name()).field("options", options).field("args", args).finish()
    }
}

impl Subcommand for ByGame {
    fn augment_subcommands(command: Command) -> Command {
        command
            .subcommand_value_name("GAME")
            .subcommand_help_heading("Games")
            // `from_arg_matches` reports other names with a better message.
            .allow_external_subcommands(true)
            .disable_help_subcommand(true)
            .subcommands(catalogue().iter().filter(|game| game.contest().is_some()).map(|game| {
                let about = format!("{}: {}", game.name(), game.summary());
                let has_cases = game.contest().is_some_and(Contest::has_originals);
                let own = properties(&game.options()).into_iter().map(|(name, _)| name);
                let own: Vec<String> =
                    own.chain(has_cases.then(|| "cases".into())).map(|name| format!("--{name}")).collect();
                let short = match own.is_empty() {
                    true => game.summary().to_string(),
                    false => format!("{} [{}]", game.summary(), own.join(", ")),
                };
                let command = Settings::augment_args(Command::new(game.name())).long_about(about);
                let command = command.args(options(&**game));
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
        let game = &**game;
        if game.contest().is_none() {
            return Err(Error::raw(ErrorKind::InvalidSubcommand, format!("{name} has no judge")));
        }
        let settings = game.options();
        let value = |name: String| Some((name.clone(), given(matches.get_one::<String>(&name)?)));
        let given: Map<String, Value> = properties(&settings).into_iter().filter_map(|(name, _)| value(name)).collect();
        let options = Values::check(game.name(), &settings, given)
            .map_err(|message| Error::raw(ErrorKind::InvalidValue, message))?;
        Ok(ByGame { game, options, args: Settings::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the command-line options of a game. [`Values::check`] fills in defaults.
fn options(game: &dyn Problem) -> Vec<Arg> {
    let settings = game.options();
    let required = settings.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let option = |(name, key): (String, Value)| {
        let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
        let default = key.get("default").map(|value| format!(" [default: {}]", shown(value))).unwrap_or_default();
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
    properties(&settings).into_iter().map(option).collect()
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
