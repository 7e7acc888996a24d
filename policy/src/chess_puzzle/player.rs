//! The player: the field as it is now, the evaluations of the game, and a search that looks ahead by them.

use super::board::Cell;
use super::evaluation::Evaluations;
use super::field::{Field, Head};
use super::position::Position;
use super::weights::Weights;
use crate::clock::Clock;
use std::fmt::Debug;

/// A player of one game.
#[derive(Debug)]
pub struct Player {
    field: Field,
    head: Head,
    evaluations: Evaluations,
    search: Box<dyn Searcher>,
}

/// A search that looks ahead for a player.
pub trait Searcher: Debug + Send {
    /// The click that it finds best, `None` if the game is over. The same game so far gives the same cell, unless
    /// `clock`, which is for the whole game, runs short.
    fn choose(&mut self, field: &Field, head: Head, evaluations: &Evaluations, clock: &Clock) -> Option<Cell>;
}

impl Player {
    /// A player of the game that starts with `position`, with these weights, that looks ahead by this search.
    pub fn new(weights: &Weights, search: Box<dyn Searcher>, position: &Position) -> Self {
        Player {
            field: Field::new(position),
            head: Head::Start,
            evaluations: Evaluations::new(weights, position.board(), position.layers()),
            search,
        }
    }

    /// The cell to click, `None` if the game is over. The same game so far gives the same cell, unless `clock` runs
    /// short.
    pub fn choose(&mut self, clock: &Clock) -> Option<Cell> {
        self.search.choose(&self.field, self.head, &self.evaluations, clock)
    }

    /// Follows the game: `cell` was clicked and `revealed` is its next tile, ignored if there is none.
    pub fn click(&mut self, cell: Cell, revealed: u8) {
        self.head = Head::At(cell, self.field.top(cell));
        self.field.click(cell, revealed);
    }
}
