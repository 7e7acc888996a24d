//! A beam search whose best endings count by what a smaller beam finds behind them, in expectation over the types that
//! the last piece could be.

use super::super::board::Tile;
use super::super::evaluation::{Evaluation, Removal};
use super::super::player::Searcher;
use super::super::position::Position;
use super::{best, count, Beam, Ending, Known, Line, Settings};
use crate::clock::Clock;

pub mod lines;

/// The search with its working memory.
#[derive(Debug)]
pub struct Expectimax {
    beam: Beam,
    endings: usize,
    inner: Beam,
}

impl Expectimax {
    /// A `beam` of which so many `endings` are followed further, each by an `inner` one.
    pub fn new(beam: Settings, endings: usize, inner: Settings) -> Self {
        Expectimax { beam: Beam::new(beam), endings, inner: Beam::new(inner) }
    }
}

impl Searcher for Expectimax {
    /// The best removal, `None` if there is none. A clock that runs out ends the first search at the depth reached, and
    /// then leaves one ending to be followed.
    fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
        let Expectimax { beam, endings, inner } = self;
        let legal = position.legal();
        let known = Known::visible(position, evaluation);
        let mut values = beam.search(Line::root(position, legal, evaluation), &known, evaluation, clock);
        for ending in &mut beam.endings {
            ending.value = ending.value(&mut beam.boards, &known, evaluation);
        }
        beam.endings.sort_by(|a, b| b.value.total_cmp(&a.value));
        for ending in beam.endings.iter().take(*endings) {
            count(&mut values, ending.line.first, ending.expected(inner, &known, evaluation));
            if clock.is_over() {
                break;
            }
        }
        best(legal, &values)
    }
}

impl Ending {
    /// The value of the line if it goes on with the best that an `inner` beam finds.
    fn expected(&self, inner: &mut Beam, known: &Known, evaluation: &Evaluation) -> f64 {
        let (tiers, material) = evaluation.worn(&self.line.tiers, self.line.material, self.tile);
        self.mean(evaluation, |piece| {
            let removal = Removal::new(&tiers, self.line.bonus, self.tile, piece);
            let points = self.line.points + removal.points;
            if removal.next == 0 {
                return f64::from(points);
            }
            let root = Line { tiers, next: removal.next, bonus: removal.bonus, points, material, ..self.line };
            inner.values(root, known, evaluation, &Clock::UNLIMITED).into_iter().fold(f64::NEG_INFINITY, f64::max)
        })
    }
}
