//! Rollouts for choices in doubt: the hidden tiles are dealt at random several times, and from each
//! removal that looks nearly as good as the best one, a small beam plays some further removals. A
//! rollout counts the points made, and the value that the inner beam of the search finds at its
//! end.
//!
//! The search already tells, within some points, how much better one removal is than another.
//! Rollouts, on the same deals for all removals, are combined with this prior: a few noisy ones
//! alone would do harm.

use super::super::super::alphabet::Alphabet;
use super::super::super::board::{tiles, Mask, Piece, Tile};
use super::super::super::evaluation::Evaluation;
use super::super::super::player::Searcher;
use super::super::super::position::{Position, REMOVALS, TIERS};
use super::super::{best, highest, Beam, Settings, Values};
use super::Expectimax;
use crate::clock::Clock;
use crate::random::mixed;

/// The largest deficit in points, compared with the best removal, with which a removal gets
/// rollouts.
const NEAR: f64 = 8.0;
/// The largest number of removals that get rollouts.
const MOST: usize = 3;
/// The expected advantage of a removal for each point that it looks better.
const SLOPE: f64 = 0.6;
/// The variance of the prior, in points squared.
const DOUBT: f64 = 5.0;
/// The variance of the difference between two rollouts on the same deal, before rollouts have
/// provided an estimate.
const LUCK: f64 = 50.0;
/// The smallest number of deals before removals are dropped.
const LEAST: u64 = 4;
/// The number of standard deviations by which a removal must be behind to be dropped.
const HOPELESS: f64 = 2.0;
/// The share of future removals whose choice is in doubt; the time is divided among them.
const CHOICES: f64 = 0.15;

/// The search with its working memory.
#[derive(Debug)]
pub struct Rollout {
    search: Expectimax,
    most: u32,
    length: u32,
    beam: Beam,
}

impl Rollout {
    /// Creates a player that plays at most `most` rollouts for a choice after a `search`, each with
    /// `length` removals by a `beam`.
    pub fn new(search: Expectimax, most: u32, length: u32, beam: Settings) -> Self {
        Rollout { search, most, length, beam: Beam::new(beam) }
    }

    /// Returns the value of each first removal, by the search and by rollouts, if any.
    pub fn values(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Values {
        let mut values = self.search.values(position, evaluation, clock);
        self.compare(position, evaluation, &mut values, clock);
        values
    }

    /// Returns the best line followed by the search that starts with a removal, with its last
    /// removal first.
    pub fn line(&self, first: Tile) -> impl Iterator<Item = Tile> + '_ {
        self.search.line(first)
    }

    /// Plays rollouts from the removals that look best, and updates their values.
    fn compare(&mut self, position: &Position, evaluation: &Evaluation, values: &mut Values, clock: &Clock) {
        let top = highest(values);
        let mut candidates = candidates(position.legal(), values);
        let (mut deals, mut rollouts) = (0, 0);
        while candidates.len() > 1 && rollouts + candidates.len() as u32 <= self.most && !clock.is_over() {
            let deal = Deal(position.seed() ^ mixed(deals));
            let mut first = 0.0;
            for (place, candidate) in candidates.iter_mut().enumerate() {
                let points = self.play_out(position, candidate.tile, &deal, evaluation);
                if place == 0 {
                    first = points;
                }
                candidate.count(points - first);
            }
            deals += 1;
            rollouts += candidates.len() as u32;
            if deals >= LEAST {
                for candidate in &candidates {
                    values[candidate.tile as usize] = top + candidate.advantage().0;
                }
                drop_hopeless(&mut candidates);
            }
        }
    }

    /// Returns the points of `length` removals from `tile` on, plus the value that the search's
    /// inner beam finds after them.
    fn play_out(&mut self, position: &Position, mut tile: Tile, deal: &Deal, evaluation: &Evaluation) -> f64 {
        let mut position = position.clone();
        let before = position.score().total();
        for removal in 1.. {
            let below = position.tier(tile) + 1;
            let revealed = (below < TIERS).then(|| deal.piece(tile, below, evaluation.alphabet()));
            position.remove(tile, revealed);
            if removal == self.length {
                break;
            }
            match self.beam.choose(&position, evaluation, &Clock::UNLIMITED) {
                Some(next) => tile = next,
                None => break,
            }
        }
        f64::from(position.score().total() - before) + self.search.inner[0].expected(&position, evaluation)
    }
}

impl Searcher for Rollout {
    /// Returns the best removal; `None` if there is none. If the clock runs out, the search ends or
    /// rollouts are skipped.
    fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
        let values = self.values(position, evaluation, clock);
        best(position.legal(), &values)
    }

    fn choices(&mut self, position: &Position, _: &Evaluation) -> u32 {
        (CHOICES * f64::from(REMOVALS - position.removals())) as u32
    }
}

/// A removal, and the results of its rollouts compared with those of the most promising removal.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    tile: Tile,
    /// The deficit in points by the search.
    behind: f64,
    rollouts: f64,
    /// The sum of the differences in points; the next field is the sum of their squares.
    sum: f64,
    squares: f64,
}

impl Candidate {
    /// Records a rollout that is better by `points`.
    fn count(&mut self, points: f64) {
        self.rollouts += 1.0;
        self.sum += points;
        self.squares += points * points;
    }

    /// Returns the advantage in points and its standard deviation: the mean of the prior and of the
    /// rollouts, weighted by precision (the posterior of a normal mean).
    fn advantage(&self) -> (f64, f64) {
        let mean = self.sum / self.rollouts;
        let variance = (self.squares - self.sum * mean + LUCK) / (self.rollouts + 1.0);
        let (prior, told) = (1.0 / DOUBT, self.rollouts / variance);
        let precision = prior + told;
        ((told * mean - prior * SLOPE * self.behind) / precision, 1.0 / precision.sqrt())
    }
}

/// Returns the removals that look best, in order.
fn candidates(legal: Mask, values: &Values) -> Vec<Candidate> {
    let top = highest(values);
    let candidate = |tile: Tile| {
        let behind = top - values[tile as usize];
        Candidate { tile, behind, rollouts: 0.0, sum: 0.0, squares: 0.0 }
    };
    let mut candidates: Vec<Candidate> = tiles(legal).map(candidate).filter(|one| one.behind <= NEAR).collect();
    candidates.sort_by(|a, b| a.behind.total_cmp(&b.behind));
    candidates.truncate(MOST);
    candidates
}

/// Keeps the removals that may be the best. The first one stays until another one is clearly
/// better, because the others are compared with it.
fn drop_hopeless(candidates: &mut Vec<Candidate>) {
    let most = candidates.iter().map(|one| one.advantage().0).fold(0.0, f64::max);
    let first = candidates[0].tile;
    candidates.retain(|one| {
        let (advantage, deviation) = one.advantage();
        one.tile == first || advantage + HOPELESS * deviation > most
    });
    if let [_, other] = candidates[..] {
        let (advantage, deviation) = other.advantage();
        if advantage > HOPELESS * deviation {
            candidates.remove(0);
        }
    }
}

/// A completion: the pieces below the visible tiles, determined by a number.
#[derive(Clone, Copy, Debug)]
struct Deal(u64);

impl Deal {
    /// Returns the piece on a layer of a tile.
    fn piece(&self, tile: Tile, layer: usize, alphabet: Alphabet) -> Piece {
        let bits = mixed(self.0 ^ u64::from(tile) << 2 ^ layer as u64) >> 32;
        let place = (bits * alphabet.size() as u64) >> 32;
        alphabet.pieces().nth(place as usize).expect("there are as many types as the alphabet has")
    }
}

#[cfg(test)]
mod tests;
