//! The lines of play that the search decides by, and what is found behind them. They are for whoever asks why; no player
//! needs them.

use super::super::super::board::Piece;
use super::super::super::evaluation::Evaluation;
use super::super::super::position::Position;
use super::super::lines::{add, End, Found};
use super::super::{Beam, Ending, Known, Line};
use super::{Expectimax, FOLLOWED};
use crate::clock::Clock;

impl Expectimax {
    /// The best line for each first removal that the search follows to its end, in the order of their tiles.
    pub fn alternatives(&mut self, position: &Position, known: &Known, evaluation: &Evaluation) -> Vec<Found> {
        let followed = self.beam.explored(Line::root(position, position.legal(), evaluation), known, evaluation);
        self.beam.look_closely(known, evaluation);
        let mut ends = Vec::new();
        self.follow(&Clock::UNLIMITED, |ending, beams| {
            let end = ending.inner_ends(beams, known, evaluation);
            let value = end.value(evaluation);
            ends.push(end);
            value
        });
        let endings = &self.beam.endings;
        let mut found = followed.over;
        for (ending, end) in endings.iter().zip(ends.split_off(ends.len() - endings.len())) {
            let path = || followed.levels.path(&ending.line, ending.tile, known);
            add(&mut found, ending.line.first, ending.value, || (end, path()));
        }
        found
    }
}

impl Ending {
    /// Where the line ends if it goes on with the best that the first of some `beams` finds, and the best endings of that
    /// with the others, for each type that the last piece could be.
    fn inner_ends(&self, beams: &mut [Beam], known: &Known, evaluation: &Evaluation) -> End {
        let (inner, deeper) = beams.split_first_mut().expect("an ending is followed by a beam");
        let mut after = |piece: Piece| {
            let root = self.onward(piece, evaluation);
            if root.next == 0 {
                return End::Over(f64::from(root.points));
            }
            if deeper.is_empty() {
                return inner.best_end_from(root, known, evaluation);
            }
            let mut best = inner.ranked(root, known, evaluation);
            let mut end = End::Over(best);
            for ending in inner.endings.iter().take(FOLLOWED) {
                let ends = ending.inner_ends(deeper, known, evaluation);
                let value = ends.value(evaluation);
                if value > best {
                    (best, end) = (value, ends);
                }
            }
            end
        };
        match self.piece {
            Some(piece) => after(piece),
            None => End::Any(evaluation.alphabet().pieces().map(after).collect()),
        }
    }
}
