//! A look around a small space before the first step: points from all over the range, of which ever fewer play ever more games.
//!
//! A search goes up where it stands. With choices and switches there are several hills, and what is best among names is often
//! another one once the numbers are right; a start far off has no slope to show. In a small space some random points find a
//! better place to start from, and cost 800 games (successive halving, as in Hyperband: Li et al., 2018). In a
//! large one no random point is ever as good as the start.

use crate::optimizer::Ask;
use crate::optimizer::bounds;
use crate::optimizer::recombination::ranking;
use crate::seed::{Purpose, generator, seed};
use crate::space::Coordinate;
use crate::statistics::{Estimate, mean};
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// Points in the running, and how many deals more each of them plays, round by round. The start is always among them.
const ROUNDS: [(usize, usize); 4] = [(128, 2), (48, 4), (16, 12), (5, 32)];
/// How far from the start points lie at most, in units of each coordinate's scale.
const AROUND: f64 = 10.0;
/// The start is left only for a point that is better by so many standard errors, on so many deals at least.
const CLEAR: f64 = 2.0;
const LEAST_DEALS: usize = 6;

/// How far the look has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Rounds that are over.
    pub rounds: usize,
    /// Those in the running, none when it is over.
    running: Vec<Seen>,
}

/// A point and its objectives, in the order of deals that are the same for all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    /// Its number; 0 is the start.
    number: u64,
    objectives: Vec<f64>,
}

impl Look {
    /// A look at its beginning.
    pub fn new() -> Self {
        Look {
            rounds: 0,
            running: (0..ROUNDS[0].0 as u64).map(|number| Seen { number, objectives: Vec::new() }).collect(),
        }
    }

    /// Whether there is nothing more to look at.
    pub fn is_over(&self) -> bool {
        self.running.is_empty()
    }

    /// The trials of the next round.
    pub fn ask(&self, space: &[Coordinate], run: u64) -> Ask {
        let points = self.running.iter().map(|seen| point(seen.number, space, run)).collect();
        Ask::all(points, ROUNDS[self.rounds].1)
    }

    /// Takes the objectives of a round; when it was the last one, where the search is to begin.
    pub fn tell(&mut self, ask: &Ask, objectives: &[f64], space: &[Coordinate], run: u64) -> Option<Vec<f64>> {
        for (&(place, _), &objective) in ask.trials.iter().zip(objectives) {
            self.running[place].objectives.push(objective);
        }
        self.rounds += 1;
        let Some(&(count, _)) = ROUNDS.get(self.rounds) else {
            let best = self.best(space, run);
            self.running.clear();
            return Some(best);
        };
        // The start is what the others are held against, however bad it is.
        let mut stay: Vec<usize> = self.ranking().into_iter().filter(|&i| i > 0).take(count - 1).collect();
        stay.push(0);
        stay.sort_unstable();
        self.running = stay.into_iter().map(|i| self.running[i].clone()).collect();
        None
    }

    /// The best point so far: another one than the start only if that is clear.
    pub fn best(&self, space: &[Coordinate], run: u64) -> Vec<f64> {
        let (best, start) = (&self.running[self.ranking()[0]], &self.running[0]);
        let gain = Estimate::paired(&best.objectives, &start.objectives);
        let is_clear = best.objectives.len() >= LEAST_DEALS && gain.mean > CLEAR * gain.standard_error;
        point(if is_clear { best.number } else { 0 }, space, run)
    }

    fn ranking(&self) -> Vec<usize> {
        ranking(&self.running.iter().map(|seen| mean(&seen.objectives)).collect::<Vec<_>>())
    }

    /// Whether a state read from a file can be one.
    pub fn fits(&self) -> bool {
        if self.running.is_empty() {
            return self.rounds == ROUNDS.len();
        }
        let Some(&(count, _)) = ROUNDS.get(self.rounds) else { return false };
        let played: usize = ROUNDS[..self.rounds].iter().map(|round| round.1).sum();
        let is_whole = |seen: &Seen| {
            seen.number < ROUNDS[0].0 as u64
                && seen.objectives.len() == played
                && seen.objectives.iter().all(|objective| objective.is_finite())
        };
        self.running.len() == count && self.running[0].number == 0 && self.running.iter().all(is_whole)
    }
}

/// Between which values of a coordinate points lie.
pub fn around(coordinate: &Coordinate) -> (f64, f64) {
    let Coordinate { start, scale, min, max, .. } = *coordinate;
    ((start - AROUND * scale).max(min), (start + AROUND * scale).min(max))
}

/// The point of a number: the start, or anywhere around it.
fn point(number: u64, space: &[Coordinate], run: u64) -> Vec<f64> {
    // The first generation after the look draws from the stream of 0, as the start does not.
    let mut random = generator(seed(run, Purpose::Variation, 0, number));
    let draw = |coordinate: &Coordinate| {
        let (low, high) = around(coordinate);
        if number == 0 { coordinate.start } else { low + random.random::<f64>() * (high - low) }
    };
    let mut point: Vec<f64> = space.iter().map(draw).collect();
    bounds::clamp(&mut point, space);
    point
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space() -> Vec<Coordinate> {
        vec![Coordinate { start: 4.0, scale: 1.0, min: -20.0, max: 9.0, least: 0.0, family: None }; 3]
    }

    /// Where a look leads, with the score of a point on a deal.
    fn look(score: impl Fn(&[f64], f64) -> f64) -> (Vec<f64>, usize) {
        let space = space();
        let (mut look, mut games, mut place) = (Look::new(), 0, Vec::new());
        while !look.is_over() {
            assert!(look.fits());
            let ask = look.ask(&space, 7);
            let luck = |deal: usize| ((look.rounds * 100 + deal) as f64 * 1.7).sin();
            let objectives: Vec<f64> = ask.trials.iter().map(|&(i, deal)| score(&ask.points[i], luck(deal))).collect();
            games += objectives.len();
            if let Some(origin) = look.tell(&ask, &objectives, &space, 7) {
                place = origin;
            }
        }
        assert!(look.fits());
        (place, games)
    }

    #[test]
    fn the_better_hill_is_found() {
        // A low hill at the start, and a high one that cannot be seen from there.
        let hill = |point: &[f64], at: f64, height: f64| {
            height - point.iter().map(|x| (x - at) * (x - at)).sum::<f64>().sqrt()
        };
        let (place, games) = look(|point, luck| 50.0 * luck + hill(point, 4.0, 2.0).max(hill(point, -4.0, 9.0)));
        assert!(place.iter().sum::<f64>() < 0.0, "{place:?}");
        assert_eq!(games, 800);
    }

    #[test]
    fn luck_does_not_move_the_start() {
        // Each point's luck is its own, and the start is as good as any.
        let own = |point: &[f64], luck: f64| ((point[0] * 1e3 + point[1] * 1e5 + luck * 1e7) * 12.9898).sin();
        assert_eq!(look(own).0, [4.0; 3]);
    }
}
