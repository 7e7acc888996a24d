//! The contest's side of a dialogue, without a process in it: what a judge says and how it rules.

/// The result of one finished game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The game's score in the contest's own unit; larger is better.
    pub score: f64,
    /// How the score splits, in the game's declared order; the names are the same in every game.
    pub parts: Vec<(&'static str, f64)>,
    /// Kinds of games that this one is of, such as `("layers", "7")`: reports give the mean score of each kind. The
    /// names are the same in every game.
    pub kinds: Vec<(&'static str, String)>,
}

/// What the judge does about one line that the program printed.
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
    /// What the judge sends before the program's first line.
    fn open(&mut self) -> String;
    /// Rules on one line of the program's output, without its line end.
    fn answer(&mut self, line: &str) -> Reply;
    /// The games finished so far, in order; all of them once [`Reply::Over`] was given.
    fn outcomes(&self) -> Vec<Outcome>;
}
