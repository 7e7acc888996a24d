//! Rollouts where the search leaves a doubt: the hidden tiles are dealt at random several times, and from each of the
//! removals that look nearly as good as the best one a small beam plays on for some removals. They count by the points made
//! and by what the inner beam of the search finds then.
//!
//! How much better one removal is than another is known in advance, within some points, from what the search found. What
//! rollouts have to say, on the same deals for all removals, is weighed against that: a few noisy ones alone would do harm.

use super::super::super::alphabet::Alphabet;
use super::super::super::board::{tiles, Mask, Piece, Tile};
use super::super::super::evaluation::Evaluation;
use super::super::super::player::Searcher;
use super::super::super::position::{Position, REMOVALS, TIERS};
use super::super::{best, highest, Beam, Settings, Values};
use super::Expectimax;
use crate::clock::Clock;
use crate::random::mixed;

/// A removal may look so many points worse than the best one and still get rollouts.
const NEAR: f64 = 8.0;
/// How many removals get rollouts at most.
const MOST: usize = 3;
/// How many points one removal is better than another for each point that it looks better.
const SLOPE: f64 = 0.6;
/// The variance around that, in points squared.
const DOUBT: f64 = 5.0;
/// The variance of the difference between two rollouts on the same deal, before rollouts have provided an estimate.
const LUCK: f64 = 50.0;
/// Fewer deals say nothing.
const LEAST: u64 = 4;
/// Standard deviations that a removal must be behind to get no more of them.
const HOPELESS: f64 = 2.0;
/// The time is shared out over this part of the removals that may come: the others leave no doubt.
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
    /// A player that after a `search` plays on at most so many times for a choice, `length` removals by a `beam`.
    pub fn new(search: Expectimax, most: u32, length: u32, beam: Settings) -> Self {
        Rollout { search, most, length, beam: Beam::new(beam) }
    }

    /// By first removal, its value by the search, and by rollouts where there are some.
    pub fn values(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Values {
        let mut values = self.search.values(position, evaluation, clock);
        self.compare(position, evaluation, &mut values, clock);
        values
    }

    /// The best line that the search followed and that starts with a removal, the last one of it first.
    pub fn line(&self, first: Tile) -> impl Iterator<Item = Tile> + '_ {
        self.search.line(first)
    }

    /// Plays on from the removals that look best, and puts down what that makes of their values.
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

    /// The points of so many removals from `tile` on, and what the search's inner beam then still finds.
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
    /// The best removal, `None` if there is none. A clock that runs out ends the search, or leaves rollouts out.
    fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
        let values = self.values(position, evaluation, clock);
        best(position.legal(), &values)
    }

    fn choices(&mut self, position: &Position, _: &Evaluation) -> u32 {
        (CHOICES * f64::from(REMOVALS - position.removals())) as u32
    }
}

/// A removal, and the results of its rollouts beside those of the most promising one.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    tile: Tile,
    /// How many points worse it looks.
    behind: f64,
    rollouts: f64,
    /// Sum of the differences in points, and of their squares.
    sum: f64,
    squares: f64,
}

impl Candidate {
    /// Takes down a rollout that is better by so many points.
    fn count(&mut self, points: f64) {
        self.rollouts += 1.0;
        self.sum += points;
        self.squares += points * points;
    }

    /// Its advantage in points, and the standard deviation of that: the mean of the prior and of the rollouts, each by
    /// its precision (the posterior of a normal mean).
    fn advantage(&self) -> (f64, f64) {
        let mean = self.sum / self.rollouts;
        let variance = (self.squares - self.sum * mean + LUCK) / (self.rollouts + 1.0);
        let (prior, told) = (1.0 / DOUBT, self.rollouts / variance);
        let precision = prior + told;
        ((told * mean - prior * SLOPE * self.behind) / precision, 1.0 / precision.sqrt())
    }
}

/// The removals that look best, in that order.
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

/// Keeps the removals that may be the best. The first stays with another one until that is clearly better, as the
/// others are compared with it.
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

/// A completion: what lies below the visible tiles, fixed by a number.
#[derive(Clone, Copy, Debug)]
struct Deal(u64);

impl Deal {
    /// The piece on a layer of a tile.
    fn piece(&self, tile: Tile, layer: usize, alphabet: Alphabet) -> Piece {
        let bits = mixed(self.0 ^ u64::from(tile) << 2 ^ layer as u64) >> 32;
        let place = (bits * alphabet.size() as u64) >> 32;
        alphabet.pieces().nth(place as usize).expect("there are as many types as the alphabet has")
    }
}

#[cfg(test)]
mod tests;
