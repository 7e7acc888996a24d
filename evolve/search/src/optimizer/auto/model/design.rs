//! The first trials of the model, which cover the space.

use super::Model;
use super::encoding::{Dimension, encoded};
use super::process::ModelTrial;
use crate::model::seed::{Split, generator, seed};
use rand::RngExt;

/// Trials of the first design: this many and one for each dimension, up to a maximum.
const DESIGN: usize = 4;
const LARGEST_DESIGN: usize = 20;
/// Two in five points of a design move towards the start: to this share of their distance and, with
/// this probability, to the start's level.
const NEAR: f64 = 0.35;
const SAME_LEVEL: f64 = 0.7;
/// Factor on the number of points of a design that may be drawn while most are forbidden.
const TRIES: usize = 20;

impl Model {
    /// Returns points that cover the space or its priors, all on one case: first the start, then
    /// the candidates that the job gives, the priors' means and the best candidates of earlier
    /// runs.
    pub(super) fn design(&self) -> Vec<ModelTrial> {
        let start = self.start();
        let given = self.space.first().iter().map(|first| encoded(&self.dimensions, &first.point));
        // All of those are played.
        let count = (DESIGN + self.dimensions.len()).min(LARGEST_DESIGN).max(1 + given.len());
        let mut random = generator(seed(self.seed, Split::Variation, 0, 0));
        let share = self.shares(0);
        let mut trials = vec![ModelTrial::new(start.clone(), 0)];
        let believed =
            self.dimensions.iter().zip(&start).map(|(dimension, &start)| dimension.believed().unwrap_or(start));
        for values in given.chain([believed.collect()]).chain(self.earlier.best.iter().cloned()) {
            let trial = ModelTrial::new(self.allowed(values), 0);
            if trials.len() < count && !trials.contains(&trial) {
                trials.push(trial);
            }
        }
        let mut i = 0;
        while trials.len() < count {
            i += 1;
            let is_near = i % 5 < 2;
            let draw = |(d, (dimension, &start)): (usize, (&Dimension, &f64))| {
                let value = dimension.drawn(share(i as u32, d as u32));
                match dimension.levels() {
                    _ if !is_near || dimension.believed().is_some() => value,
                    Some(_) => {
                        if random.random::<f64>() < SAME_LEVEL {
                            start
                        } else {
                            value
                        }
                    }
                    None => dimension.snapped(start + NEAR * (value - start)),
                }
            };
            let values: Vec<f64> = self.dimensions.iter().zip(&start).enumerate().map(draw).collect();
            // The next points replace forbidden ones, up to the limit.
            if i > TRIES * count || self.space.allows_point(&self.point(&values)) {
                trials.push(ModelTrial::new(self.allowed(values), 0));
            }
        }
        trials
    }
}
