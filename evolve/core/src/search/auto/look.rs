//! A look around a small space before the first step: points from all over the range, of which ever fewer play ever more games.
//!
//! A search goes up where it stands. With choices and switches there are several hills, and what is best among names is often
//! another one once the numbers are right; a start far off has no slope to show. In a small space some random points find a
//! better place to start from (successive halving in brackets, as in Hyperband: Li et al., 2018). In a large one no random
//! point is ever as good as the start. Brackets grow, the first one being over after 80 games, so that a budget of a few
//! hundred dear trials has its part in it, too; all of them take 840 to 844.

use crate::model::seed::{Purpose, generator, seed};
use crate::model::space::Coordinate;
use crate::search::{Ask, clamp, ranking};
use crate::statistics::{Estimate, mean};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// By bracket and round, points in the running, and how many deals more each of them plays. The start is always among them; the
/// others of a first round are new, and the best of the brackets before joins them.
const BRACKETS: [&[(usize, usize)]; 3] =
    [&[(16, 2), (6, 4), (3, 8)], &[(32, 2), (12, 4), (4, 10)], &[(96, 2), (36, 4), (12, 12), (4, 32)]];
/// How far from the start points lie at most, in units of each coordinate's scale.
const AROUND: f64 = 10.0;
/// The start is left only for a point that is better by so many standard errors, on so many deals at least that it was not
/// selected on.
const CLEAR: f64 = 2.0;
const LEAST_DEALS: usize = 8;

/// How far the look has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Rounds that are over, in all brackets.
    pub rounds: usize,
    /// The best of the brackets that are over.
    best: u64,
    /// Those in the running, the start in the first place; none when the look is over.
    running: Vec<Seen>,
}

/// A point and its objectives in this bracket, in the order of deals that are the same for all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    /// Its number; 0 is the start.
    number: u64,
    objectives: Vec<f64>,
}

/// Where a round stands.
struct Stage {
    /// The rounds of its bracket.
    bracket: &'static [(usize, usize)],
    /// Which of them it is.
    round: usize,
    /// The first new point of the bracket.
    first: u64,
}

impl Stage {
    /// The stage of a round by its number among those of all brackets; `None` after the last.
    fn of(number: usize) -> Option<Self> {
        let (mut round, mut first) = (number, 1);
        for bracket in BRACKETS {
            if round < bracket.len() {
                return Some(Stage { bracket, round, first });
            }
            round -= bracket.len();
            first += bracket[0].0 as u64 - 1;
        }
        None
    }

    /// The new points of its bracket.
    fn new_points(&self) -> Range<u64> {
        self.first..self.first + self.bracket[0].0 as u64 - 1
    }

    /// Points in the running, the best of the brackets before not counted in a first round.
    fn points(&self) -> usize {
        self.bracket[self.round].0
    }

    /// Deals that each of them plays.
    fn deals(&self) -> usize {
        self.bracket[self.round].1
    }
}

impl Look {
    /// A look at its beginning.
    pub fn new() -> Self {
        let mut look = Look { rounds: 0, best: 0, running: Vec::new() };
        look.begin();
        look
    }

    /// Has the next bracket begin, if there is one.
    fn begin(&mut self) {
        self.running.clear();
        if let Some(stage) = Stage::of(self.rounds) {
            let old = if self.best > 0 { vec![0, self.best] } else { vec![0] };
            let numbers = old.into_iter().chain(stage.new_points());
            self.running.extend(numbers.map(|number| Seen { number, objectives: Vec::new() }));
        }
    }

    /// Whether there is nothing more to look at.
    pub fn is_over(&self) -> bool {
        self.running.is_empty()
    }

    /// The trials of the next round.
    pub fn ask(&self, space: &[Coordinate], run: u64) -> Ask {
        let points = self.running.iter().map(|seen| point(seen.number, space, run)).collect();
        Ask::all(points, Stage::of(self.rounds).expect("the look is not over").deals())
    }

    /// Takes the objectives of a round.
    pub fn tell(&mut self, ask: &Ask, objectives: &[f64]) {
        for (&(place, _), &objective) in ask.trials.iter().zip(objectives) {
            self.running[place].objectives.push(objective);
        }
        self.rounds += 1;
        match Stage::of(self.rounds) {
            Some(stage) if stage.round > 0 => {
                // The start is what the others are held against, however bad it is.
                let others = self.ranking().into_iter().filter(|&i| i > 0).take(stage.points() - 1);
                let mut stay: Vec<usize> = std::iter::once(0).chain(others).collect();
                stay.sort_unstable();
                self.running = stay.into_iter().map(|i| self.running[i].clone()).collect();
            }
            _ => {
                self.best = self.leader().unwrap_or(0);
                self.begin();
            }
        }
    }

    /// The best point so far: another one than the start only if that is clear.
    pub fn best(&self, space: &[Coordinate], run: u64) -> Vec<f64> {
        point(self.leader().unwrap_or(self.best), space, run)
    }

    /// The best in the running, if it is clearly better than the start.
    fn leader(&self) -> Option<u64> {
        let last = Stage::of(self.rounds.checked_sub(1)?)?;
        let start = self.running.first()?;
        let leader = &self.running[self.ranking()[0]];
        // Those of the last round: the others are why it is still in the running.
        let fresh = start.objectives.len().checked_sub(last.deals())?;
        let gain = Estimate::paired(&leader.objectives[fresh..], &start.objectives[fresh..]);
        let is_clear = last.deals() >= LEAST_DEALS && gain.mean > CLEAR * gain.standard_error;
        is_clear.then_some(leader.number)
    }

    fn ranking(&self) -> Vec<usize> {
        ranking(&self.running.iter().map(|seen| mean(&seen.objectives)).collect::<Vec<_>>())
    }

    /// Whether a state read from a file can be one.
    pub fn fits(&self) -> bool {
        let Some(stage) = Stage::of(self.rounds) else {
            let last = self.rounds.checked_sub(1).and_then(Stage::of);
            return self.running.is_empty() && last.is_some_and(|last| self.best < last.new_points().end);
        };
        let played: usize = stage.bracket[..stage.round].iter().map(|round| round.1).sum();
        let is_whole = |seen: &Seen| {
            seen.number < stage.new_points().end
                && seen.objectives.len() == played
                && seen.objectives.iter().all(|objective| objective.is_finite())
        };
        let count = stage.points() + usize::from(stage.round == 0 && self.best > 0);
        self.best < stage.first
            && self.running.len() == count
            && self.running[0].number == 0
            && self.running.iter().all(is_whole)
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
    clamp(&mut point, space);
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
        let (mut look, mut games) = (Look::new(), 0);
        while !look.is_over() {
            assert!(look.fits());
            let ask = look.ask(&space, 7);
            let luck = |deal: usize| ((look.rounds * 100 + deal) as f64 * 1.7).sin();
            let objectives: Vec<f64> = ask.trials.iter().map(|&(i, deal)| score(&ask.points[i], luck(deal))).collect();
            games += objectives.len();
            look.tell(&ask, &objectives);
        }
        assert!(look.fits());
        (look.best(&space, 7), games)
    }

    #[test]
    fn the_better_hill_is_found() {
        // A low hill at the start, and a high one that cannot be seen from there.
        let hill = |point: &[f64], at: f64, height: f64| {
            height - point.iter().map(|x| (x - at) * (x - at)).sum::<f64>().sqrt()
        };
        let (place, games) = look(|point, luck| 50.0 * luck + hill(point, 4.0, 2.0).max(hill(point, -4.0, 9.0)));
        assert!(place.iter().sum::<f64>() < 0.0, "{place:?}");
        // What the first bracket found played in the others, too.
        assert_eq!(games, 844);
    }

    #[test]
    fn luck_does_not_move_the_start() {
        // Each point's luck is its own, and the start is as good as any.
        let own = |point: &[f64], luck: f64| ((point[0] * 1e3 + point[1] * 1e5 + luck * 1e7) * 12.9898).sin();
        assert_eq!(look(own).0, [4.0; 3]);
    }
}
