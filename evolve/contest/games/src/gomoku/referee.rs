//! The judge of Gomoku.

use super::duel::Duel;
use crate::numbers::Numbers;
use evolve_contest::judge::{Referee, Reply};
use evolve_search::model::trial::Outcome;
use policy::gomoku::board::{CENTRE, Cell, Side, cell, coordinates};

/// A game with one program.
pub struct Match {
    duel: Duel,
    numbers: Numbers<2>,
}

/// The judge's message at the end of the game.
const OVER: &str = "-1 -1\n";

impl Match {
    /// Starts the game of a deal.
    pub fn new(deal: u64) -> Self {
        Match { duel: Duel::new(deal), numbers: Numbers::default() }
    }

    fn rule(&mut self, x: i64, y: i64) -> Reply {
        let Some(cell) = cell(x, y) else {
            return Reply::Garbage("expected x and y from 1 to 19".to_string());
        };
        match self.duel.position().stone(cell) {
            Some(Side::Black) => return Reply::Illegal(format!("`{x} {y}` is taken by the opponent")),
            Some(Side::White) => return Reply::Illegal(format!("`{x} {y}` is taken already")),
            None => {}
        }
        match self.duel.make_move(cell) {
            Some(reply) if self.duel.ending().is_none() => Reply::Send(text(reply)),
            _ => Reply::Over(OVER.to_string()),
        }
    }
}

/// Formats a move as the judge sends it.
fn text(cell: Cell) -> String {
    let (x, y) = coordinates(cell);
    format!("{x} {y}\n")
}

impl Referee for Match {
    fn open(&mut self) -> String {
        text(CENTRE)
    }

    fn answer(&mut self, line: &str) -> Reply {
        match self.numbers.take(line, "an x and a y") {
            Ok([x, y]) => self.rule(x, y),
            Err(reply) => reply,
        }
    }

    fn outcomes(&self) -> Vec<Outcome> {
        self.duel.outcome().into_iter().collect()
    }
}

#[cfg(test)]
mod tests;
