//! The judge's side of a contest's protocol: what it says and how it rules.

use crate::model::session::{Context, OpenError};
use crate::model::setup::Values;
use crate::model::trial::Outcome;

/// A contest with a protocol for programs.
pub trait Contest: Sync {
    /// Opens the judge's side of the protocol: reads and solves what all of them need.
    ///
    /// # Errors
    /// If it cannot be played.
    fn open(&self, options: &Values, context: Context) -> Result<Box<dyn Referees>, OpenError>;

    /// How many games a program plays in one dialogue.
    fn games_each(&self, _options: &Values) -> usize {
        1
    }

    /// The score of a game that a program failed to play as it should: no better than any that it could have played.
    fn failed(&self, _options: &Values) -> f64 {
        0.0
    }

    /// Whether the contest's own games are known, by numbers.
    fn has_originals(&self) -> bool {
        false
    }

    /// The page for authors of a player in another language: the lines that a program reads and prints, with a sample.
    fn protocol(&self) -> &'static str;
}

/// The contest's side of any number of dialogues.
///
/// Where the contest's own games are not known, a closure from a deal to its referee is enough.
pub trait Referees: Send + Sync {
    /// The contest's side of a dialogue over the game dealt from `deal`.
    fn referee(&self, deal: u64) -> Box<dyn Referee>;

    /// The contest's side of a dialogue over one of the contest's own games, by its number.
    ///
    /// # Errors
    /// A message if there is no such game, or none at all.
    fn original(&self, _number: u64) -> Result<Box<dyn Referee>, String> {
        Err("the contest's own games are not known; use --games".to_string())
    }
}

impl<F: Fn(u64) -> Box<dyn Referee> + Send + Sync> Referees for F {
    fn referee(&self, deal: u64) -> Box<dyn Referee> {
        self(deal)
    }
}

/// The judge's reaction to a line that the program printed.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The line is not a whole move yet (some programs print the two numbers on two lines).
    More,
    /// Sends this text (line ends included) and waits for the next move.
    Send(String),
    /// The dialogue is over: sends this text (it may be empty), closes the program's standard input
    /// and expects the program to end by itself with status 0.
    Over(String),
    /// The line is no move at all: text where numbers were due, or numbers off the board.
    Garbage(String),
    /// The line is a move, but one that the rules forbid here.
    Illegal(String),
}

/// One dialogue with one process: usually one game, in some contests several in a row.
pub trait Referee: Send {
    /// The judge's message before the program's first line.
    fn open(&mut self) -> String;
    /// Rules on one line of the program's output, without its line end.
    fn answer(&mut self, line: &str) -> Reply;
    /// The games finished so far, in order; all of them once [`Reply::Over`] was given.
    fn outcomes(&self) -> Vec<Outcome>;
}
