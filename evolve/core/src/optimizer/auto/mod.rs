//! The default: mirrored pairs whose lengths are measured, so that there is nothing to set.
//!
//! A declared scale says how far two values must be apart to be worth comparing. Where that is too short for the weights of
//! a player, because games hardly ever change, perturbations and steps are as long as games need to change.

mod reach;

use super::mirrored::walk::{Walk, point, within};
use super::{Ask, Generation, Method, Optimizer};
use crate::document::Section;
use crate::space::Coordinate;
use reach::Reach;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The default, which has no settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings;

/// The default, as jobs name it.
pub static METHOD: Method = Method {
    name: "auto",
    meaning: "mirrored pairs that measure how far each parameter has to move to change anything; nothing to set",
    keys: &[],
    read: |_: &mut Section<'_>| Box::new(Settings),
};

/// Pairs a generation.
const PAIRS: usize = 32;
/// The length of the first steps, in units of perturbations.
const STEP: f64 = 0.15;
/// Perturbations are the reach of a coordinate, but within these bounds, in units of its scale.
const SHORTEST: f64 = 1.0;
const LONGEST: f64 = 4.0;

impl super::Settings for Settings {
    fn method(&self) -> &'static Method {
        &METHOD
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn start(&self, space: &[Coordinate], seed: u64) -> Box<dyn Optimizer> {
        let n = space.len();
        Box::new(Auto::new(space, seed, State { walk: Walk::new(n), reach: Reach::new(n) }))
    }

    fn resume(&self, space: &[Coordinate], seed: u64, state: &Value) -> Result<Box<dyn Optimizer>, String> {
        let state = State::deserialize(state).map_err(|error| error.to_string())?;
        if !(state.walk.fits(space.len()) && state.reach.fits(space.len())) {
            return Err("it is of another job, or contradicts itself".to_string());
        }
        Ok(Box::new(Auto::new(space, seed, state)))
    }
}

/// The default.
struct Auto {
    space: Vec<Coordinate>,
    seed: u64,
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
}

impl Auto {
    fn new(space: &[Coordinate], seed: u64, state: State) -> Self {
        let mean = point(&state.walk.average, space);
        Auto { space: space.to_vec(), seed, state, mean }
    }

    fn lengths(&self) -> Vec<f64> {
        let length = |(reach, coordinate): (f64, &Coordinate)| within(reach.clamp(SHORTEST, LONGEST), coordinate);
        self.state.reach.lengths().zip(&self.space).map(length).collect()
    }
}

impl Optimizer for Auto {
    fn ask(&self, _used: f64) -> Ask {
        let Auto { space, seed, state, .. } = self;
        let mut ask = state.walk.pairs(PAIRS, &self.lengths(), space, *seed);
        if Reach::due(state.walk.generation) {
            for neighbour in state.reach.round(&point(&state.walk.place, space), space) {
                ask.trials.push((ask.points.len(), ask.deals));
                ask.points.push(neighbour);
            }
            ask.deals += 1;
        }
        ask
    }

    fn tell(&mut self, ask: &Ask, objectives: &[f64]) -> Option<Generation> {
        let means = ask.means(objectives);
        let (pairs, round) = objectives.split_at(2 * PAIRS);
        // What is said of a generation is said of its pairs.
        let of_pairs = Ask { points: ask.points[..2 * PAIRS].to_vec(), ..Ask::all(Vec::new(), 0) };
        let generation = Generation::of(self.state.walk.generation, &of_pairs, &means[..2 * PAIRS]);
        let lengths = self.lengths();
        let Auto { space, seed, state, mean } = self;
        state.walk.step(pairs, STEP, &lengths, space, *seed, objectives.len());
        if !round.is_empty() {
            state.reach.learn(round, pairs);
        }
        *mean = point(&state.walk.average, space);
        Some(generation)
    }

    fn generation(&self) -> u64 {
        self.state.walk.generation
    }

    fn mean(&self) -> &[f64] {
        &self.mean
    }

    fn recommended(&self) -> Vec<(&'static str, Vec<f64>)> {
        vec![("mean", self.mean.clone()), ("last", point(&self.state.walk.place, &self.space))]
    }

    fn deviations(&self) -> Vec<f64> {
        self.lengths().iter().zip(&self.space).map(|(length, coordinate)| length * coordinate.scale).collect()
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.state).expect("a state is numbers")
    }
}
