//! Large spaces: mirrored pairs whose lengths are measured, so that there is nothing to set.
//!
//! A declared scale says how far two values must be apart to be worth comparing. Perturbations and steps are longer than that
//! for weights that seldom change a game, shorter for those that often do, and longer for those that have come far.
//! Weights whose names differ in a number only move together more than others.

use super::families::Families;
use super::reach::Reach;
use super::walk::{Shape, Walk, point, within};
use crate::model::space::Coordinate;
use crate::search::{Ask, FinalistKind, Generation, Optimizer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Pairs a generation at most; fewer where there are fewer coordinates, each of which they ask about once.
const PAIRS: usize = 32;
/// The length of the first steps, in units of perturbations.
const STEP: f64 = 0.15;
/// Perturbations are so much longer than the root of a coordinate's reach, which is between these bounds; all in units of
/// its scale. The root, because a weight that seldom matters may still have little to gain, and one that often does has
/// far to go.
const LENGTH: f64 = 1.5;
const SHORTEST: f64 = 0.25;
const LONGEST: f64 = 6.0;
/// And at least this share of the way that it has come.
const TRAVEL: f64 = 0.2;
/// Deals of a generation that its centre plays as well, to see what perturbations cost.
const CENTRES: usize = 2;
/// Target cost of perturbations at first, in standard deviations of the noise between the two of a pair. Perturbations
/// grow where they cost less, since larger differences show sooner, and shrink where they cost more. With their initial
/// sizes, perturbations cost greedy players a third, and a search that compensates for bad weights a tenth.
const COST: f64 = 0.33;
/// Number of games after which the target cost is a half; after twice as many it is a third. Late in a search the value
/// of the centre itself matters, not the average around it.
const COST_GAMES: f64 = 25_000.0;
/// Numbers of coordinates for which both hold. With fewer coordinates the slope is known sooner, with more later:
/// perturbations may cost less or more by that ratio, and half as much after a number of games that grows with its
/// square, like the loss from averaging.
const COST_COORDINATES: std::ops::RangeInclusive<f64> = 36.0..=136.0;
/// They may never cost more than this.
const MOST_DUE: f64 = 1.0;
/// No generation is believed to cost more than this.
const MOST_COST: f64 = 3.0;
/// How fast they grow or shrink, and the logarithm of how much at least and at most.
const STRETCHING: f64 = 0.03;
const STRETCHED: std::ops::RangeInclusive<f64> = -3.0..=2.0;

/// A search of a large space.
pub struct Large {
    space: Vec<Coordinate>,
    seed: u64,
    families: Families,
    state: State,
    /// The point of the walk's average.
    mean: Vec<f64>,
}

/// Everything that it remembers between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    #[serde(flatten)]
    walk: Walk,
    reach: Reach,
    /// The logarithm of how much longer all perturbations are than their reaches.
    stretch: f64,
}

impl State {
    /// The state at the start of a search.
    fn new(n: usize) -> Self {
        State { walk: Walk::new(n), reach: Reach::new(n), stretch: 0.0 }
    }
}

impl Large {
    /// A search at its start.
    pub fn start(space: &[Coordinate], seed: u64) -> Self {
        Large::new(space, seed, State::new(space.len()))
    }

    /// Resumes a search from its state; `None` if the state is not one of this space.
    pub fn resume(space: &[Coordinate], seed: u64, state: &Value) -> Result<Option<Self>, serde_json::Error> {
        let state = State::deserialize(state)?;
        let n = space.len();
        let fits = state.walk.fits(n) && state.reach.fits(n) && STRETCHED.contains(&state.stretch);
        Ok(fits.then(|| Large::new(space, seed, state)))
    }

    fn new(space: &[Coordinate], seed: u64, state: State) -> Self {
        let mean = point(&state.walk.average, space);
        Large { space: space.to_vec(), seed, families: Families::of(space), state, mean }
    }

    fn lengths(&self) -> Vec<f64> {
        let stretch = libm::exp(self.state.stretch);
        // What perturbations of many coordinates cost adds up, with the squares of their lengths.
        let unit = LENGTH / self.share().max(1.0).sqrt();
        let length = |((reach, x), coordinate): ((f64, &f64), &Coordinate)| {
            let own = stretch * unit * reach.sqrt().clamp(SHORTEST, LONGEST);
            let way = TRAVEL * x;
            within((own * own + way * way).sqrt(), coordinate)
        };
        self.state.reach.lengths().zip(&self.state.walk.place).zip(&self.space).map(length).collect()
    }

    fn pairs(&self) -> usize {
        self.space.len().min(PAIRS)
    }

    /// How many coordinates there are, as a share of those that [`COST`] is measured with.
    fn share(&self) -> f64 {
        let count = self.space.len() as f64;
        count / count.clamp(*COST_COORDINATES.start(), *COST_COORDINATES.end())
    }

    /// The current target cost of perturbations.
    fn due(&self) -> f64 {
        let share = self.share();
        (COST * share).min(MOST_DUE) / (1.0 + self.state.walk.games as f64 / (COST_GAMES * share * share))
    }

    fn shape(&self) -> Shape<'_> {
        Shape { lengths: self.lengths(), families: &self.families }
    }
}

/// The cost of perturbations: how much worse the pairs are than the centre on the same deals, in standard deviations of
/// the noise between the two of a pair.
fn cost(pairs: &[f64], centres: &[f64]) -> f64 {
    let square = |pair: &[f64]| (pair[0] - pair[1]) * (pair[0] - pair[1]);
    let luck = (pairs.chunks(2).map(square).sum::<f64>() / pairs.len() as f64).sqrt();
    let losses = centres.iter().zip(pairs.chunks(2)).map(|(centre, pair)| centre - 0.5 * (pair[0] + pair[1]));
    let loss = losses.sum::<f64>() / centres.len() as f64;
    // Where no game changes, perturbations cost nothing.
    if luck > 0.0 { (loss / luck).clamp(-MOST_COST, MOST_COST) } else { 0.0 }
}

impl Optimizer for Large {
    fn ask(&self) -> Ask {
        let Large { space, seed, state, .. } = self;
        let mut ask = state.walk.pairs(self.pairs(), &self.shape(), space, *seed);
        let centre = point(&state.walk.place, space);
        ask.trials.extend((0..CENTRES).map(|deal| (ask.points.len(), deal)));
        ask.points.push(centre.clone());
        if Reach::due(state.walk.generation) {
            for neighbour in state.reach.round(&centre, space) {
                ask.trials.push((ask.points.len(), ask.deals));
                ask.points.push(neighbour);
            }
            ask.deals += 1;
        }
        ask
    }

    fn tell(&mut self, ask: &Ask, objectives: &[f64], _: &[usize]) -> Generation {
        let means = ask.means(objectives);
        let points = 2 * self.pairs();
        let (pairs, rest) = objectives.split_at(points);
        let (centres, round) = rest.split_at(CENTRES);
        // What is said of a generation is said of its pairs.
        let generation = Generation::of(self.generation(), &ask.points[..points], &means[..points]);
        let lengths = self.lengths();
        let Large { space, seed, families, state, mean } = self;
        let shape = Shape { lengths, families };
        state.walk.step(pairs, STEP, &shape, space, *seed, objectives.len());
        if !round.is_empty() {
            state.reach.learn(round, pairs);
        }
        *mean = point(&state.walk.average, space);
        let stretch = self.state.stretch + STRETCHING * (self.due() - cost(pairs, centres));
        self.state.stretch = stretch.clamp(*STRETCHED.start(), *STRETCHED.end());
        generation
    }

    fn generation(&self) -> u64 {
        self.state.walk.generation
    }

    fn mean(&self) -> &[f64] {
        &self.mean
    }

    fn recommended(&self) -> Vec<(FinalistKind, Vec<f64>)> {
        let last = point(&self.state.walk.place, &self.space);
        vec![(FinalistKind::Mean, self.mean.clone()), (FinalistKind::Last, last)]
    }

    fn method(&self) -> &'static str {
        "mirrored sampling"
    }

    fn deviations(&self) -> Vec<f64> {
        self.lengths().iter().zip(&self.space).map(|(length, coordinate)| length * coordinate.scale).collect()
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.state).expect("a state is numbers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::seed::generator;
    use crate::search::sampling::normal;

    /// The length after 200 generations of a quadratic that falls by `curvature` at one scale's distance in every
    /// coordinate, with noise of standard deviation 1.
    fn stretch(curvature: f64) -> f64 {
        let space = vec![Coordinate::float(0.0, 1.0, -1e3, 1e3); 40];
        let mut auto = Large::start(&space, 1);
        let mut random = generator(2);
        for _ in 0..200 {
            let ask = auto.ask();
            let score = |point: &Vec<f64>| -curvature * point.iter().map(|x| x * x).sum::<f64>();
            let luck = |_| normal(&mut random);
            let luck: Vec<f64> = ask.trials.iter().map(luck).collect();
            let objectives: Vec<f64> =
                ask.trials.iter().zip(luck).map(|(&(i, _), luck)| score(&ask.points[i]) + luck).collect();
            auto.tell(&ask, &objectives, &[]);
        }
        auto.deviations()[0]
    }

    #[test]
    fn perturbations_are_as_long_as_they_may_cost() {
        // Forty coordinates at length 1.5 cost 1.1, and may cost 0.22 by then; at a hundredth of that, they may be longer
        // by the root of 20.
        assert!((0.4..1.1).contains(&stretch(0.0125)), "{}", stretch(0.0125));
        assert!(stretch(0.000_125) > 3.5, "{}", stretch(0.000_125));
    }

    #[test]
    fn perturbations_of_many_coordinates_are_shorter_and_may_cost_more() {
        let auto = |count: usize| {
            let space = vec![Coordinate::float(0.0, 1.0, -1e3, 1e3); count];
            Large::start(&space, 1)
        };
        // As long, and as dear, in all spaces that the constants are measured in.
        for count in [36, 136] {
            assert_eq!((auto(count).lengths()[0], auto(count).due()), (LENGTH, COST), "{count}");
        }
        // Twice as many: shorter by the root of 2 each, they come to the same in all.
        assert_eq!((auto(272).lengths()[0], auto(272).due()), (LENGTH / 2.0_f64.sqrt(), 2.0 * COST));
        assert_eq!(auto(5000).due(), MOST_DUE);
        assert_eq!((auto(18).lengths()[0], auto(18).due()), (LENGTH, 0.5 * COST));
    }
}
