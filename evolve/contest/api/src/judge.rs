//! The judge's side of a contest's protocol: its messages and rulings.

use evolve_search::model::problem::{Context, OpenError};
use evolve_search::model::trial::Outcome;
use thiserror::Error;

/// The judge of a contest, which plays with programs by the protocol of the contest.
pub trait Judge: Sync {
    /// Opens the judge's side of the protocol: reads or computes the data that all dialogues need.
    ///
    /// # Errors
    /// If the contest cannot be played.
    fn open(&self, context: Context) -> Result<Box<dyn Referees>, OpenError>;

    /// Returns the number of games that a program plays in one dialogue.
    fn games_each(&self) -> usize {
        1
    }

    /// Returns the score of a game in which the program failed, which is no better than any legal
    /// result.
    fn failed(&self) -> f64 {
        0.0
    }

    /// Returns whether the games that the contest has published are known, by number.
    fn has_originals(&self) -> bool {
        false
    }

    /// Returns the page for authors of players in other languages: the lines that a program reads
    /// and prints, with a sample.
    fn protocol(&self) -> &'static str;
}

/// The judge's side of any number of dialogues.
///
/// If no published games are known, a closure from a deal to its referee is enough.
pub trait Referees: Send + Sync {
    /// Creates the referee of a game dealt from the seed `deal`.
    fn referee(&self, deal: u64) -> Box<dyn Referee>;

    /// Creates the referee of a game that the contest has published, by its number.
    ///
    /// # Errors
    /// If no published game is known, or none has this number.
    fn original(&self, _number: u64) -> Result<Box<dyn Referee>, NoOriginal> {
        Err(NoOriginal("the games that the contest has published are not known".to_string()))
    }
}

/// The reason why the contest has no published game with this number.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NoOriginal(pub String);

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
    /// The line is not a move: it has text instead of numbers, or numbers off the board.
    Garbage(String),
    /// The line is a move that the rules forbid in this position.
    Illegal(String),
}

/// A dialogue with one process: usually one game, in some contests several in a row.
pub trait Referee: Send {
    /// Returns the judge's message before the program's first line.
    fn open(&mut self) -> String;
    /// Rules on one line of the program's output, without its line end.
    fn answer(&mut self, line: &str) -> Reply;
    /// Returns the outcomes of the finished games, in order; after [`Reply::Over`], all outcomes.
    fn outcomes(&self) -> Vec<Outcome>;
}
