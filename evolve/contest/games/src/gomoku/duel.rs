//! A game against the fixed strategy: the rules that the arena and the referee share.

use chacha20::ChaCha8Rng;
use evolve_search::model::seed::generator;
use evolve_search::model::trial::Outcome;
use policy::gomoku::board::{CENTRE, Cell, Side};
use policy::gomoku::opponent::{NOISE, noisy_reply};
use policy::gomoku::position::Position;
use rand::RngExt;

/// The end of a game, for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// White has five in a line.
    Won,
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
    /// Starts the game of a deal, which determines the noise. Black makes the first move.
    pub fn new(deal: u64) -> Self {
        let mut position = Position::new();
        position.put(CENTRE, Side::Black);
        Duel { position, noise: generator(deal), ending: None }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns how the game ended, if it is over.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Plays White on an empty cell, and Black's reply. Returns `None` if the game ends before the
    /// reply.
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

    /// Returns the outcome; `None` before the end of the game.
    pub fn outcome(&self) -> Option<Outcome> {
        let ending = self.ending?;
        let moves = f64::from(self.position.count() / 2);
        let is = |other: Ending| f64::from(u8::from(ending == other));
        let metrics = [is(Ending::Won), is(Ending::Drawn), is(Ending::Lost), moves];
        // A win counts more than any number of moves, which is at most 180.
        let objective = is(Ending::Won) * (1000.0 - moves);
        Some(Outcome::of(is(Ending::Won)).objective(objective).metrics(metrics))
    }
}

/// Returns how the game ended in this position, if it did.
pub fn ending(position: &Position) -> Option<Ending> {
    if position.has_five(Side::White) {
        Some(Ending::Won)
    } else if position.has_five(Side::Black) {
        Some(Ending::Lost)
    } else {
        position.is_full().then_some(Ending::Drawn)
    }
}
