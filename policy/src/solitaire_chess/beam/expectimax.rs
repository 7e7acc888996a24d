//! A beam search whose best endings are valued by smaller beams that start there, in expectation
//! over the possible types of the last piece. If the choice remains in doubt, further beams start
//! behind a second and a third unknown tile.

use super::super::board::{Piece, Tile};
use super::super::evaluation::{Evaluation, Removal};
use super::super::player::Searcher;
use super::super::position::Position;
use super::{best, count, highest, Beam, Ending, Known, Line, Settings, Values};
use crate::clock::Clock;

pub mod rollout;

/// The number of endings of each beam behind an unknown tile that are followed behind the next one.
const FOLLOWED: usize = 3;

/// The search with its working memory.
#[derive(Debug)]
pub struct Expectimax {
    beam: Beam,
    /// The numbers of endings that are followed behind one unknown tile, behind two and behind
    /// three.
    endings: [usize; 3],
    /// The beams behind the first, second and third unknown tile.
    inner: [Beam; 3],
}

impl Expectimax {
    /// Creates a search with a `beam` whose best `endings` are each followed by an `inner` beam.
    /// While the best of them start with different removals, `deeper` tells how many are followed
    /// again behind a second unknown tile, by beams of half the size, and then behind a third one,
    /// by beams of a quarter.
    pub fn new(beam: Settings, endings: usize, inner: Settings, deeper: [usize; 2]) -> Self {
        let part = |part| Beam::new(Settings { width: inner.width.div_ceil(part), depth: inner.depth.div_ceil(part) });
        let [second, third] = deeper;
        Expectimax { beam: Beam::new(beam), endings: [endings, second, third], inner: [1, 2, 4].map(part) }
    }

    /// Returns the value of the best followed line for each first removal; negative infinity
    /// without one.
    pub fn values(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Values {
        let known = Known::visible(position, evaluation);
        let root = Line::root(position, position.legal(), evaluation);
        let mut values = self.beam.search(root, &known, evaluation, clock);
        self.beam.look_closely(&known, evaluation);
        self.follow(&known, evaluation, clock);
        for ending in &self.beam.endings {
            count(&mut values, ending.line.first, ending.value);
        }
        values
    }

    /// Returns the best followed line that starts with a removal, up to the first unknown tile,
    /// with its last removal first.
    pub fn line(&self, first: Tile) -> impl Iterator<Item = Tile> + '_ {
        self.beam.line(first)
    }

    /// Follows the endings of the beam behind one unknown tile, and the best of them behind the
    /// next ones while the choice is in doubt and time is left. The endings followed last remain,
    /// with the values of their round.
    fn follow(&mut self, known: &Known, evaluation: &Evaluation, clock: &Clock) {
        let Expectimax { beam, endings, inner } = self;
        for (round, &most) in endings.iter().enumerate() {
            if round > 0 && (most == 0 || clock.is_over() || is_clear(&beam.endings)) {
                break;
            }
            rank(&mut beam.endings);
            beam.endings.truncate(most);
            let mut followed = 0;
            for ending in &mut beam.endings {
                ending.value = ending.expected(&mut inner[..=round], known, evaluation);
                followed += 1;
                if clock.is_over() {
                    break;
                }
            }
            beam.endings.truncate(followed);
        }
    }
}

impl Searcher for Expectimax {
    /// Returns the best removal; `None` if there is none. If the clock runs out, the first search
    /// ends at the depth reached, and only one ending is followed.
    fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
        best(position.legal(), &self.values(position, evaluation, clock))
    }
}

/// Sorts endings, the best first.
fn rank(endings: &mut [Ending]) {
    endings.sort_by(|a, b| b.value.total_cmp(&a.value));
}

/// Returns whether all endings start with the same removal.
fn is_clear(endings: &[Ending]) -> bool {
    endings.windows(2).all(|two| two[0].line.first == two[1].line.first)
}

impl Beam {
    /// Searches from `root` and ranks the endings by close evaluations. Returns the value of the
    /// best line that ends the game.
    fn ranked(&mut self, root: Line, known: &Known, evaluation: &Evaluation) -> f64 {
        let over = self.search(root, known, evaluation, &Clock::UNLIMITED);
        self.look_closely(known, evaluation);
        rank(&mut self.endings);
        highest(&over)
    }
}

impl Ending {
    /// Returns the expected value of the line if it continues with the best line that the first of
    /// `beams` finds, whose best endings the other beams follow.
    fn expected(&self, beams: &mut [Beam], known: &Known, evaluation: &Evaluation) -> f64 {
        let (inner, deeper) = beams.split_first_mut().expect("an ending is followed by a beam");
        self.mean(evaluation, |piece| {
            let root = self.onward(piece, evaluation);
            if root.next == 0 {
                return f64::from(root.points);
            }
            if deeper.is_empty() {
                return highest(&inner.values(root, known, evaluation, &Clock::UNLIMITED));
            }
            let over = inner.ranked(root, known, evaluation);
            let followed = inner.endings.iter().take(FOLLOWED);
            followed.map(|ending| ending.expected(deeper, known, evaluation)).fold(over, f64::max)
        })
    }

    /// Returns the line that continues after the last removal, if that removes `piece`.
    fn onward(&self, piece: Piece, evaluation: &Evaluation) -> Line {
        let (tiers, material) = evaluation.worn(&self.line.tiers, self.line.material, self.tile);
        let removal = Removal::new(&tiers, self.line.bonus, self.tile, piece);
        let points = self.line.points + removal.points;
        Line { tiers, next: removal.next, bonus: removal.bonus, points, material, ..self.line }
    }
}
