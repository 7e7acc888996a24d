//! The method for large spaces: mirrored pairs of perturbations. The search determines their
//! lengths from measurements, so the user has nothing to set.
//!
//! The unit of a coordinate, declared as the `unit` of a parameter, is the distance between two
//! values worth comparing. The steps of the search are something else: its moves. Perturbations and
//! moves are longer for weights that seldom change an outcome or have moved far, and shorter for
//! weights that often change one. Weights whose names differ only in a number move together more
//! than others.

use super::families::Families;
use super::reach::Reach;
use super::walk::{Memory, Shape, Walk, point, within};
use crate::model::space::Coordinate;
use crate::optimizer::{Ask, FinalistKind, Generation, Optimizer, StateError, Terms, Told};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::RangeInclusive;

/// The largest numbers of trials of a short and of a middle run. Longer runs are long.
pub const SHORT: u64 = 5_000;
pub const MIDDLE: u64 = 37_500;

/// The length of a run. With fewer trials, many steps gain more than a few precise ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Length {
    Short,
    Middle,
    Long,
}

impl Length {
    /// Returns the length of a run within `terms`.
    pub fn of(terms: Terms) -> Self {
        match terms {
            _ if terms.is_within(SHORT) => Length::Short,
            _ if terms.is_within(MIDDLE) => Length::Middle,
            _ => Length::Long,
        }
    }

    /// Returns the length of a run that has played `trials` trials. A run whose trials exceed its
    /// length continues with the next length.
    fn after(self, trials: u64) -> Self {
        let least = match trials {
            ..SHORT => Length::Short,
            SHORT..MIDDLE => Length::Middle,
            MIDDLE.. => Length::Long,
        };
        self.max(least)
    }

    fn pace(self) -> &'static Pace {
        match self {
            Length::Short => &SHORT_RUN,
            Length::Middle => &MIDDLE_RUN,
            Length::Long => &LONG_RUN,
        }
    }
}

/// The constants of a search that depend on the length of the run.
struct Pace {
    /// A generation has one pair for this many coordinates, within the bounds of the number of
    /// pairs.
    coordinates_a_pair: usize,
    pairs: RangeInclusive<usize>,
    /// The factor of a perturbation's length: the length is this times the square root of the
    /// coordinate's reach (how far the coordinate must move until outcomes change). Length and
    /// reach are in the coordinate's unit.
    length: f64,
    /// The initial length of a step, in units of perturbations: `a * (pairs / coordinates)^b` for
    /// `(a, b)`. With fewer pairs, more of the slope is noise, so steps are shorter. The length
    /// shrinks as trials are played.
    step: (f64, f64),
    /// How the walk remembers slopes and places.
    memory: Memory,
    /// The number of cases that the centre also plays in each generation, to measure the cost of
    /// perturbations: how much worse perturbed points score than the centre.
    centres: usize,
    /// Whether reaches are measured. A measurement takes a trial for each coordinate, and pays off
    /// only later.
    reaches: bool,
    /// The initial target cost of perturbations, in standard deviations of a trial's noise
    /// (estimated from the differences within pairs). While perturbations cost less than the
    /// target, they all grow, because larger differences show sooner; while they cost more, they
    /// shrink.
    ///
    /// Perturbations of the initial size cost greedy players a third of such a standard deviation.
    /// Players that look ahead compensate for bad weights, and lose only a tenth.
    cost: f64,
    /// The rate at which perturbations grow or shrink.
    stretching: f64,
}

const LONG_RUN: Pace = Pace {
    coordinates_a_pair: 1,
    pairs: 1..=32,
    length: 1.5,
    step: (0.15, 0.0),
    memory: Memory { momentum: 0.9, power: 3.0, trials: 3200.0 },
    centres: 2,
    reaches: true,
    cost: 0.33,
    stretching: 0.03,
};

/// The pace of a long run, except that it takes more steps, and forgets their directions and the
/// places sooner.
const MIDDLE_RUN: Pace =
    Pace { pairs: 1..=24, memory: Memory { momentum: 0.8, power: 10.0, ..LONG_RUN.memory }, ..LONG_RUN };

/// Found by tuning `evolve` with itself, on problems outside the bench
/// (`docs/internals/searching-notes.md`). Only `power` was chosen by hand, from walks with the same
/// seeds.
const SHORT_RUN: Pace = Pace {
    coordinates_a_pair: 30,
    pairs: 8..=15,
    length: 1.05,
    step: (0.477, 0.472),
    memory: Memory { momentum: 0.553, power: 10.0, trials: 724.0 },
    centres: 1,
    reaches: false,
    cost: 0.126,
    stretching: 0.0071,
};

/// The bounds of the root of a coordinate's reach. The root is a compromise: equal lengths would
/// ignore the reach, and lengths in proportion to it would be too long for a weight that seldom
/// matters, and too short for one that often does.
const SHORTEST: f64 = 0.25;
const LONGEST: f64 = 6.0;
/// The smallest length of a perturbation, as a share of the distance that the coordinate has moved
/// from the start.
const TRAVEL: f64 = 0.2;
/// The target cost is the initial one divided by `1 + trials / COST_TRIALS`: a half after this many
/// trials, a third after twice as many. Late in a search, the value of the centre matters more than
/// the average around it.
const COST_TRIALS: f64 = 25_000.0;
/// The numbers of coordinates for which [`Pace::cost`] and [`COST_TRIALS`] hold. With fewer
/// coordinates, the slope is known sooner; with more, later. Outside this range, the target cost is
/// proportional to the number of coordinates. The number of trials until it halves is proportional
/// to the square of the number of coordinates.
const COST_COORDINATES: RangeInclusive<f64> = 36.0..=136.0;
/// The largest target cost.
const MOST_DUE: f64 = 1.0;
/// The largest believable cost of a generation.
const MOST_COST: f64 = 3.0;
/// The bounds of the logarithm of the factor on all perturbations.
const STRETCHED: RangeInclusive<f64> = -3.0..=2.0;

/// The search of a large space.
pub struct Large {
    space: Vec<Coordinate>,
    seed: u64,
    families: Families,
    state: State,
    /// The walk's average, as a point of the space.
    mean: Vec<f64>,
}

/// The complete state between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    #[serde(flatten)]
    walk: Walk,
    reach: Reach,
    /// The logarithm of a common factor for all perturbations.
    stretch: f64,
    /// The length of the run at its start.
    run: Length,
}

impl State {
    /// Creates the state at the start of a search.
    fn new(n: usize, run: Length) -> Self {
        State { walk: Walk::new(n), reach: Reach::new(n), stretch: 0.0, run }
    }
}

impl Large {
    /// Creates a search at its start.
    pub fn new(space: &[Coordinate], run: Length, seed: u64) -> Self {
        Large::of(space, seed, State::new(space.len(), run))
    }

    /// Resumes a search from its state.
    ///
    /// # Errors
    /// If the state does not fit this space.
    pub fn resumed(space: &[Coordinate], seed: u64, state: State) -> Result<Self, StateError> {
        let n = space.len();
        let fits = state.walk.fits(n) && state.reach.fits(n) && STRETCHED.contains(&state.stretch);
        if fits { Ok(Large::of(space, seed, state)) } else { Err(StateError::Inconsistent) }
    }

    fn of(space: &[Coordinate], seed: u64, state: State) -> Self {
        let mean = point(&state.walk.average, space);
        Large { space: space.to_vec(), seed, families: Families::of(space), state, mean }
    }

    fn lengths(&self) -> Vec<f64> {
        let stretch = libm::exp(self.state.stretch);
        // The cost of a perturbation is proportional to the sum of its squared lengths over all
        // coordinates.
        let unit = self.pace().length / self.share().max(1.0).sqrt();
        let length = |((reach, x), coordinate): ((f64, &f64), &Coordinate)| {
            let own = stretch * unit * reach.sqrt().clamp(SHORTEST, LONGEST);
            let way = TRAVEL * x;
            within((own * own + way * way).sqrt(), coordinate)
        };
        self.state.reach.lengths().zip(&self.state.walk.place).zip(&self.space).map(length).collect()
    }

    fn pace(&self) -> &'static Pace {
        self.state.run.after(self.state.walk.trials).pace()
    }

    /// Returns the number of pairs in the generation.
    fn pairs(&self) -> usize {
        let (count, pace) = (self.space.len(), self.pace());
        (count / pace.coordinates_a_pair).clamp(*pace.pairs.start(), *pace.pairs.end()).min(count)
    }

    /// Returns the initial length of a step; the walk shortens it as trials are played.
    fn step(&self) -> f64 {
        let (step, power) = self.pace().step;
        step * libm::pow(self.pairs() as f64 / self.space.len() as f64, power)
    }

    /// Returns the number of coordinates, relative to the nearest number for which [`Pace::cost`]
    /// was measured.
    fn share(&self) -> f64 {
        let count = self.space.len() as f64;
        count / count.clamp(*COST_COORDINATES.start(), *COST_COORDINATES.end())
    }

    /// Returns the current target cost of perturbations.
    fn due(&self) -> f64 {
        let share = self.share();
        (self.pace().cost * share).min(MOST_DUE) / (1.0 + self.state.walk.trials as f64 / (COST_TRIALS * share * share))
    }

    fn shape(&self) -> Shape<'_> {
        Shape { lengths: self.lengths(), families: &self.families }
    }
}

/// Returns the cost of perturbations: how much worse the pairs are than the centre on the same
/// cases, in standard deviations of a trial's noise, estimated from the differences within pairs.
fn cost(pairs: &[f64], centres: &[f64]) -> f64 {
    let square = |pair: &[f64]| (pair[0] - pair[1]) * (pair[0] - pair[1]);
    let luck = (pairs.chunks(2).map(square).sum::<f64>() / pairs.len() as f64).sqrt();
    let losses = centres.iter().zip(pairs.chunks(2)).map(|(centre, pair)| centre - 0.5 * (pair[0] + pair[1]));
    let loss = losses.sum::<f64>() / centres.len() as f64;
    // If no outcome changes, perturbations cost nothing.
    if luck > 0.0 { (loss / luck).clamp(-MOST_COST, MOST_COST) } else { 0.0 }
}

impl Optimizer for Large {
    fn ask(&self) -> Ask {
        let Large { space, seed, state, .. } = self;
        let mut ask = state.walk.pairs(self.pairs(), &self.shape(), space, *seed);
        let centre = point(&state.walk.place, space);
        ask.trials.extend((0..self.pace().centres).map(|case| (ask.points.len(), case)));
        ask.points.push(centre.clone());
        if self.pace().reaches && state.reach.is_due(state.walk.generation) {
            for neighbour in state.reach.round(&centre, space) {
                ask.trials.push((ask.points.len(), ask.cases));
                ask.points.push(neighbour);
            }
            ask.cases += 1;
        }
        ask
    }

    fn tell(&mut self, ask: &Ask, told: &Told<'_>) -> Generation {
        let objectives = told.penalized;
        let means = ask.means(objectives);
        let (pace, step) = (self.pace(), self.step());
        let points = 2 * self.pairs();
        let (pairs, rest) = objectives.split_at(points);
        let (centres, round) = rest.split_at(pace.centres);
        // The summary of a generation covers only its pairs.
        let generation = Generation::of(self.generation(), &ask.points[..points], &means[..points]);
        let lengths = self.lengths();
        let Large { space, seed, families, state, mean } = self;
        let shape = Shape { lengths, families };
        state.walk.step(pairs, (step, &pace.memory), &shape, space, *seed, objectives.len());
        if !round.is_empty() {
            state.reach.learn(round, pairs);
        }
        *mean = point(&state.walk.average, space);
        let stretch = self.state.stretch + pace.stretching * (self.due() - cost(pairs, centres));
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
        self.lengths().iter().zip(&self.space).map(|(length, coordinate)| length * coordinate.unit).collect()
    }

    fn state(&self) -> Value {
        serde_json::to_value(super::State::Large(self.state.clone())).expect("a state consists of numbers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::seed::generator;
    use crate::optimizer::sampling::normal;

    /// Returns the length of perturbations after 200 generations on a quadratic that falls by
    /// `curvature` for each coordinate at a distance of one unit, with noise of standard deviation
    /// 1.
    fn length(curvature: f64) -> f64 {
        let space = vec![Coordinate::float(0.0, 1.0, -1e3, 1e3); 40];
        let mut auto = Large::new(&space, Length::Long, 1);
        let mut random = generator(2);
        for _ in 0..200 {
            let ask = auto.ask();
            let score = |point: &Vec<f64>| -curvature * point.iter().map(|x| x * x).sum::<f64>();
            let luck = |_| normal(&mut random);
            let luck: Vec<f64> = ask.trials.iter().map(luck).collect();
            let objectives: Vec<f64> =
                ask.trials.iter().zip(luck).map(|(&(i, _), luck)| score(&ask.points[i]) + luck).collect();
            auto.tell(&ask, &Told::of(&objectives));
        }
        auto.deviations()[0]
    }

    #[test]
    fn a_run_that_exceeds_its_length_becomes_longer() {
        let after = |run: Length| [0, SHORT, MIDDLE].map(|trials| run.after(trials));
        assert_eq!(after(Length::Short), [Length::Short, Length::Middle, Length::Long]);
        assert_eq!(after(Length::Middle), [Length::Middle, Length::Middle, Length::Long]);
        assert_eq!(after(Length::Long), [Length::Long; 3]);
    }

    #[test]
    fn perturbations_reach_the_target_cost() {
        // With curvature 0.0125, perturbations of length 1.5 in forty coordinates cost 1.1, more
        // than the target of 0.22 after 200 generations, so they shrink. With a hundredth of this
        // curvature, they cost 0.011, so they may become sqrt(0.22 / 0.011) = 4.5 times as long.
        assert!((0.4..1.1).contains(&length(0.0125)), "{}", length(0.0125));
        assert!(length(0.000_125) > 3.5, "{}", length(0.000_125));
    }

    #[test]
    fn many_coordinates_have_shorter_perturbations_and_a_higher_target_cost() {
        let auto = |count: usize| {
            let space = vec![Coordinate::float(0.0, 1.0, -1e3, 1e3); count];
            Large::new(&space, Length::Long, 1)
        };
        // Lengths and costs are the same in all spaces for which the constants were measured.
        for count in [36, 136] {
            assert_eq!((auto(count).lengths()[0], auto(count).due()), (LONG_RUN.length, LONG_RUN.cost), "{count}");
        }
        // With twice as many coordinates, each length is divided by the root of 2, so that the sum
        // of the squared lengths stays the same.
        assert_eq!((auto(272).lengths()[0], auto(272).due()), (LONG_RUN.length / 2.0_f64.sqrt(), 2.0 * LONG_RUN.cost));
        assert_eq!(auto(5000).due(), MOST_DUE);
        assert_eq!((auto(18).lengths()[0], auto(18).due()), (LONG_RUN.length, 0.5 * LONG_RUN.cost));
    }
}
