//! The lines of play that the search decides by, and what is found behind them. They are for whoever asks why; no player
//! needs them.

use super::super::super::board::Piece;
use super::super::super::evaluation::{Evaluation, Removal};
use super::super::super::position::Position;
use super::super::lines::{add, End, Found};
use super::super::{Beam, Ending, Known, Line};
use super::Expectimax;

impl Expectimax {
    /// The best line for each first removal that the search follows to its end, in the order of their tiles.
    pub fn alternatives(&mut self, position: &Position, known: &Known, evaluation: &Evaluation) -> Vec<Found> {
        let Expectimax { beam, endings, inner } = self;
        let root = Line::root(position, position.legal(), evaluation);
        let followed = beam.explored(root, known, evaluation);
        let mut found = followed.over;
        for ending in &mut beam.endings {
            ending.value = ending.value(&mut beam.boards, known, evaluation);
        }
        beam.endings.sort_by(|a, b| b.value.total_cmp(&a.value));
        for ending in beam.endings.iter().take(*endings) {
            let ends = ending.inner_ends(inner, known, evaluation);
            let value = ends.value(evaluation);
            let path = || followed.levels.path(&ending.line, ending.tile, known);
            add(&mut found, ending.line.first, value, || (ends, path()));
        }
        found
    }
}

impl Ending {
    /// Where the line ends if it goes on with the best that an `inner` beam finds, for each type that the last piece
    /// could be.
    fn inner_ends(&self, inner: &mut Beam, known: &Known, evaluation: &Evaluation) -> End {
        let (tiers, material) = evaluation.worn(&self.line.tiers, self.line.material, self.tile);
        let mut after = |piece: Piece| {
            let removal = Removal::new(&tiers, self.line.bonus, self.tile, piece);
            let points = self.line.points + removal.points;
            if removal.next == 0 {
                return End::Over(f64::from(points));
            }
            let root = Line { tiers, next: removal.next, bonus: removal.bonus, points, material, ..self.line };
            inner.best_end_from(root, known, evaluation)
        };
        match self.piece {
            Some(piece) => after(piece),
            None => End::Any(evaluation.alphabet().pieces().map(after).collect()),
        }
    }
}
