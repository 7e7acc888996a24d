//! The players by name: greedy, beam, sampled.

use super::beam::{Beam, Head, Settings};
use super::board::Cell;
use super::evaluation::Evaluations;
use super::field::Field;
use super::position::Position;
use super::sampled::Sampled;
use super::weights::Weights;
use crate::clock::Clock;

/// Which search looks ahead, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Beam search over the visible tiles; with depth 1 the greedy player.
    Beam(Settings),
    /// Beam search, then games played out over sampled completions from the clicks that look best; where nothing is
    /// hidden any more, a wide beam to the end of the game.
    Sampled {
        /// The beam that tells which clicks look best.
        beam: Settings,
        /// Completions a click. With a clock it decides alone how many there are.
        samples: u32,
    },
}

/// The greedy player: one click ahead.
pub const GREEDY: Search = Search::Beam(Settings { width: 1, depth: 1 });

/// A player of one game.
#[derive(Debug)]
pub struct Player {
    field: Field,
    head: Head,
    evaluations: Evaluations,
    search: Searcher,
}

#[derive(Debug)]
enum Searcher {
    Beam(Settings, Beam),
    Sampled(Sampled),
}

impl Player {
    /// A player of the game that starts with `position`, with these weights, that looks ahead by this search.
    pub fn new(weights: &Weights, search: Search, position: &Position) -> Self {
        let search = match search {
            Search::Beam(settings) => Searcher::Beam(settings, Beam::default()),
            Search::Sampled { beam, samples } => Searcher::Sampled(Sampled::new(beam, samples)),
        };
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
        let Player { field, head, evaluations, search } = self;
        match search {
            Searcher::Beam(settings, beam) => {
                beam.search(*settings, field, *head, evaluations, &clock.share(field.left() as u32));
                beam.choice()
            }
            Searcher::Sampled(sampled) => sampled.choose(field, *head, evaluations, clock),
        }
    }

    /// Follows the game: `cell` was clicked and `revealed` is its next tile, ignored if there is none.
    pub fn click(&mut self, cell: Cell, revealed: u8) {
        self.head = Head::At(cell, self.field.top(cell));
        self.field.click(cell, revealed);
    }
}
