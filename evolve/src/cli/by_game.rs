//! Subcommands of a subcommand, one for each game, because each game has options of its own.

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand, value_parser};
use evolve::game::{Game, Setting, Values};
use evolve::games::{self, GAMES};
use std::fmt;

/// A game with its options, and the arguments `A` that are the same for all games.
pub struct ByGame<A> {
    /// The game.
    pub game: &'static dyn Game,
    /// Its options, checked and complete.
    pub options: Values,
    /// The other arguments.
    pub args: A,
}

impl<A: fmt::Debug> fmt::Debug for ByGame<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ByGame { game, options, args } = self;
        f.debug_struct("ByGame").field("game", &game.name()).field("options", options).field("args", args).finish()
    }
}

impl<A: Args> Subcommand for ByGame<A> {
    fn augment_subcommands(command: Command) -> Command {
        command
            .subcommand_value_name("GAME")
            .subcommand_help_heading("Games")
            // Another name gets to `from_arg_matches`, which knows better what to say about it.
            .allow_external_subcommands(true)
            .subcommands(GAMES.map(|game| {
                let about = format!("{}: {}", game.name(), game.summary());
                let common = A::augment_args(Command::new(game.name()));
                common.about(game.summary()).long_about(about).args(game.options().iter().map(option))
            }))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        games::find(name).is_ok()
    }
}

impl<A: Args> FromArgMatches for ByGame<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let Some((name, matches)) = matches.subcommand() else {
            return Err(Error::raw(ErrorKind::MissingSubcommand, "no game named"));
        };
        let game = games::find(name).map_err(|message| Error::raw(ErrorKind::InvalidSubcommand, message))?;
        let given = game.options().iter().filter_map(|option| {
            let value = matches.get_one::<u32>(option.name)?;
            Some((option.name.to_string(), i64::from(*value)))
        });
        let options = Values::check(game.name(), game.options(), given)
            .map_err(|error| Error::raw(ErrorKind::InvalidValue, error))?;
        Ok(ByGame { game, options, args: A::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The command-line option of a game's option. Defaults are left to [`Values::check`].
fn option(setting: &Setting) -> Arg {
    let &Setting { name, meaning, min, max, default } = setting;
    let default = default.map(|value| format!(" [default: {value}]")).unwrap_or_default();
    Arg::new(name)
        .long(name)
        .value_name("NUMBER")
        .value_parser(value_parser!(u32).range(i64::from(min)..=i64::from(max)))
        // So that a value below zero is told the range.
        .allow_negative_numbers(true)
        .required(setting.default.is_none())
        .help(format!("{}, from {min} to {max}{default}", capitalised(meaning)))
        .help_heading("Options of the game")
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
