//! Subcommands of `evolve judge`, one for each game, because each game has options of its own.

use super::Settings;
use crate::cli::catalogue;
use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand, value_parser};
use evolve_core::model::contest::Contest;
use evolve_core::model::problem::Problem;
use evolve_core::model::setup::{Given, Setting, Takes, Values};
use std::fmt;

/// A game with its options, and the arguments that are the same for all games.
pub struct ByGame {
    pub game: &'static dyn Problem,
    /// Its options, checked and complete.
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
            // Another name gets to `from_arg_matches`, which knows better what to say about it.
            .allow_external_subcommands(true)
            .subcommands(catalogue().iter().filter(|game| game.contest().is_some()).map(|game| {
                let about = format!("{}: {}", game.name(), game.summary());
                let command = Settings::augment_args(Command::new(game.name())).long_about(about);
                let command = command.args(game.options().iter().map(option));
                // `--seeds` is only for games whose own ones are known.
                match game.contest().is_some_and(Contest::has_originals) {
                    true => command.about(format!("{}; has --seeds", game.summary())),
                    false => command.about(game.summary()).mut_arg("seeds", |seeds| seeds.hide(true)),
                }
            }))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(_: &str) -> bool {
        // So that `from_arg_matches` hears of another name.
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
        let given = game.options().iter().filter_map(|option| {
            let given = match option.takes {
                Takes::Number(..) => Given::Number(i64::from(*matches.get_one::<u32>(option.name)?)),
                Takes::Name(_) => Given::Name(matches.get_one::<String>(option.name)?.clone()),
            };
            Some((option.name.to_string(), given))
        });
        let options = Values::check(game.name(), game.options(), given)
            .map_err(|error| Error::raw(ErrorKind::InvalidValue, error))?;
        Ok(ByGame { game, options, args: Settings::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The command-line option of a game's option. Defaults are left to [`Values::check`].
fn option(setting: &Setting) -> Arg {
    let &Setting { name, meaning, takes, default } = setting;
    let default = default.map(|value| format!(" [default: {}]", setting.show(value))).unwrap_or_default();
    let arg = Arg::new(name).long(name).required(setting.default.is_none()).help_heading("Options of the game");
    match takes {
        Takes::Number(min, max) => arg
            .value_name("NUMBER")
            .value_parser(value_parser!(u32).range(i64::from(min)..=i64::from(max)))
            // So that a value below zero is told the range.
            .allow_negative_numbers(true)
            .help(format!("{}, from {min} to {max}{default}", capitalised(meaning))),
        Takes::Name(names) => arg
            .value_name("NAME")
            .value_parser(PossibleValuesParser::new(names.iter().copied()))
            .help(format!("{}{default}", capitalised(meaning))),
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
