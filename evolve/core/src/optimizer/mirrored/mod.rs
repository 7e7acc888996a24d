//! Mirrored pairs: a slope from candidates on either side of where the search is.
//!
//! The two of a pair play the same deal and no other pair plays it, so that a generation sees as many deals as it has
//! pairs, and what makes a deal easy or hard cancels out.

pub mod walk;

use super::families::Families;
use super::{Ask, Generation, Method, Optimizer};
use crate::key::Takes;
use crate::space::Coordinate;
use serde::Deserialize;
use serde_json::Value;
use walk::{Shape, Walk, point, within};

crate::settings! {
    /// The settings of mirrored pairs.
    pub struct Settings {
        pairs: usize = "32", Takes::Integer(1, 100_000), "pairs a generation, each on a game of its own";
        step: f64 = "0.15", Takes::Number(1e-6, 1e6),
            "length of the first steps of each parameter, in units of its perturbation; they shrink as games go by";
        perturbation: f64 = "1.0", Takes::Number(1e-6, 1e6),
            "standard deviation of what a pair adds and takes away, in units of each parameter's scale";
        size: f64 = "0.05", Takes::Number(0.0, 10.0),
            "how much larger perturbations and steps are for a parameter that is larger, as a share of its value";
        travel: f64 = "0.2", Takes::Number(0.0, 10.0),
            "how much larger they are for a parameter that has come far, as a share of its way";
    }
}

/// Mirrored pairs, as jobs name it.
pub static METHOD: Method = Method {
    name: "mirrored",
    meaning: "a slope from pairs of candidates on either side of the mean, each pair on a game of its own",
    keys: Settings::KEYS,
    read: |section| Box::new(Settings::read(section)),
};

impl super::Settings for Settings {
    fn method(&self) -> &'static Method {
        &METHOD
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        Settings::write(self)
    }

    fn start(&self, space: &[Coordinate], seed: u64) -> Box<dyn Optimizer> {
        Box::new(Mirrored::new(space, self, seed, Walk::new(space.len())))
    }

    fn resume(&self, space: &[Coordinate], seed: u64, state: &Value) -> Result<Box<dyn Optimizer>, String> {
        let walk = Walk::deserialize(state).map_err(|error| error.to_string())?;
        if !walk.fits(space.len()) {
            return Err("it is of another job, or contradicts itself".to_string());
        }
        Ok(Box::new(Mirrored::new(space, self, seed, walk)))
    }
}

/// Mirrored pairs.
struct Mirrored {
    space: Vec<Coordinate>,
    settings: Settings,
    seed: u64,
    walk: Walk,
    /// The point of the walk's average.
    mean: Vec<f64>,
}

impl Mirrored {
    fn new(space: &[Coordinate], settings: &Settings, seed: u64, walk: Walk) -> Self {
        let mean = point(&walk.average, space);
        Mirrored { space: space.to_vec(), settings: settings.clone(), seed, walk, mean }
    }

    fn lengths(&self) -> Vec<f64> {
        let Settings { perturbation, size, travel, .. } = self.settings;
        let length = |(x, coordinate): (&f64, &Coordinate)| {
            let value = size * (coordinate.start / coordinate.scale + x);
            let way = travel * x;
            within(perturbation * (1.0 + value * value + way * way).sqrt(), coordinate)
        };
        self.walk.place.iter().zip(&self.space).map(length).collect()
    }
}

impl Optimizer for Mirrored {
    fn ask(&self, _used: f64) -> Ask {
        let shape = Shape { lengths: self.lengths(), families: &Families::none() };
        self.walk.pairs(self.settings.pairs, &shape, &self.space, self.seed)
    }

    fn tell(&mut self, ask: &Ask, objectives: &[f64]) -> Option<Generation> {
        let generation = Generation::of(self.walk.generation, &ask.points, &ask.means(objectives));
        let shape = Shape { lengths: self.lengths(), families: &Families::none() };
        let Mirrored { space, settings, seed, walk, mean } = self;
        walk.step(objectives, settings.step, &shape, space, *seed, objectives.len());
        *mean = point(&walk.average, space);
        Some(generation)
    }

    fn generation(&self) -> u64 {
        self.walk.generation
    }

    fn mean(&self) -> &[f64] {
        &self.mean
    }

    fn recommended(&self) -> Vec<(&'static str, Vec<f64>)> {
        vec![("mean", self.mean.clone()), ("last", point(&self.walk.place, &self.space))]
    }

    fn deviations(&self) -> Vec<f64> {
        self.lengths().iter().zip(&self.space).map(|(length, coordinate)| length * coordinate.scale).collect()
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.walk).expect("a state is numbers")
    }
}
