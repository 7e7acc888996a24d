//! A game in progress against the fixed strategy: the rules of a match, for the arena and for the referee.

use chacha20::ChaCha8Rng;
use evolve_core::model::seed::generator;
use evolve_core::model::trial::Outcome;
use policy::gomoku::board::{CENTRE, Cell, Side};
use policy::gomoku::opponent::{NOISE, noisy_reply};
use policy::gomoku::position::Position;
use rand::RngExt;

/// How a game ended, for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// White has five in a line.
    Won,
    /// The board is full.
    Drawn,
    /// Black has five in a line.
    Lost,
}

/// A game, with White to move unless it is over.
#[derive(Debug)]
pub struct Duel {
    position: Position,
    noise: ChaCha8Rng,
    ending: Option<Ending>,
}

impl Duel {
    /// The game of a deal, which fixes the noise: Black has made its first move.
    pub fn new(deal: u64) -> Self {
        let mut position = Position::new();
        position.put(CENTRE, Side::Black);
        Duel { position, noise: generator(deal), ending: None }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How the game ended.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// White's move on an empty cell, and Black's reply; `None` if the game ended before one.
    pub fn make_move(&mut self, cell: Cell) -> Option<Cell> {
        self.put(cell, Side::White);
        if self.ending.is_some() {
            return None;
        }
        let noise = &mut self.noise;
        let reply = noisy_reply(&self.position, |_| noise.random_range(0..NOISE)).expect("the board is not full");
        self.put(reply, Side::Black);
        Some(reply)
    }

    fn put(&mut self, cell: Cell, side: Side) {
        self.position.put(cell, side);
        self.ending = ending(&self.position);
    }

    /// The outcome; `None` before the end of the game.
    pub fn outcome(&self) -> Option<Outcome> {
        let ending = self.ending?;
        let moves = f64::from(self.position.count() / 2);
        let is = |other: Ending| f64::from(u8::from(ending == other));
        let parts = [is(Ending::Won), is(Ending::Drawn), is(Ending::Lost), moves];
        // A game won counts more than any number of moves; 180 are the most there are.
        let objective = is(Ending::Won) * (1000.0 - moves);
        Some(Outcome::of(is(Ending::Won)).objective(objective).parts(parts))
    }
}

/// How a position ended the game, if it did.
pub fn ending(position: &Position) -> Option<Ending> {
    if position.has_five(Side::White) {
        Some(Ending::Won)
    } else if position.has_five(Side::Black) {
        Some(Ending::Lost)
    } else {
        position.is_full().then_some(Ending::Drawn)
    }
}
