//! The lines of play that the search decides by, and what is found behind them. They are for whoever asks why; no player
//! needs them.

use super::super::super::board::Piece;
use super::super::super::evaluation::Evaluation;
use super::super::super::position::Position;
use super::super::lines::{add, End, Found};
use super::super::{Beam, Ending, Known, Line};
use super::{is_clear, rank, Expectimax, FOLLOWED};
use crate::clock::Clock;

impl Expectimax {
    /// The best line for each first removal that the search follows to its end, in the order of their tiles.
    pub fn alternatives(&mut self, position: &Position, known: &Known, evaluation: &Evaluation) -> Vec<Found> {
        let Expectimax { beam, endings, inner } = self;
        let root = Line::root(position, position.legal(), evaluation);
        let followed = beam.explored(root, known, evaluation);
        let mut found = Vec::new();
        for ending in &mut beam.endings {
            ending.value = ending.value(&mut beam.boards, known, evaluation);
        }
        for (round, &most) in endings.iter().enumerate() {
            rank(&mut beam.endings);
            if round > 0 && (most == 0 || is_clear(&beam.endings)) {
                break;
            }
            beam.endings.truncate(most);
            found.clone_from(&followed.over);
            for ending in &mut beam.endings {
                let ends = ending.inner_ends(&mut inner[..=round], known, evaluation);
                ending.value = ends.value(evaluation);
                let path = || followed.levels.path(&ending.line, ending.tile, known);
                add(&mut found, ending.line.first, ending.value, || (ends, path()));
            }
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
            let (removal, root) = self.onward(piece, evaluation);
            if removal.next == 0 {
                return End::Over(f64::from(root.points));
            }
            if deeper.is_empty() {
                return inner.best_end_from(root, known, evaluation);
            }
            let values = inner.search(root, known, evaluation, &Clock::UNLIMITED);
            let mut best = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let mut end = End::Over(best);
            for ending in &mut inner.endings {
                ending.value = ending.value(&mut inner.boards, known, evaluation);
            }
            rank(&mut inner.endings);
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
