//! The player: the present field, the evaluations of the game, and a search that uses both.

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
    /// Returns the best click; `None` if the game is over. The same game so far gives the same
    /// cell, unless `clock`, which covers the whole game, runs short.
    fn choose(&mut self, field: &Field, head: Head, evaluations: &Evaluations, clock: &Clock) -> Option<Cell>;
}

impl Player {
    /// Returns a player for the game that starts with `position`, with these weights and this
    /// search.
    pub fn new(weights: &Weights, search: Box<dyn Searcher>, position: &Position) -> Self {
        Player {
            field: Field::new(position),
            head: Head::Start,
            evaluations: Evaluations::new(weights, position.board(), position.layers()),
            search,
        }
    }

    /// Returns the cell to click; `None` if the game is over. The same game so far gives the same
    /// cell, unless `clock` runs short.
    pub fn choose(&mut self, clock: &Clock) -> Option<Cell> {
        self.search.choose(&self.field, self.head, &self.evaluations, clock)
    }

    /// Records a click on `cell`. `revealed` is the next tile, ignored if there is none.
    pub fn click(&mut self, cell: Cell, revealed: u8) {
        self.head = Head::At(cell, self.field.top(cell));
        self.field.click(cell, revealed);
    }
}
