//! The method for spaces of medium size if trials are few: a model for the first trials, then
//! mirrored sampling from its recommendation.
//!
//! With few trials, a model learns more from each trial than mirrored sampling, which spends a
//! generation of pairs on one step. With many trials, the model's first points cost more than they
//! gain, because they are far from the start.

use super::large::{Large, Length};
use super::staged::{self, Handover, Second, Staged};
use crate::model::space::Coordinate;
use crate::optimizer::{StateError, at_priors};
use serde::Deserialize;
use serde_json::Value;

/// The search of a space of medium size.
pub type Medium = Staged<Large>;

impl Second for Large {
    /// More trials cost more than they gain.
    const MODEL: usize = 150;
    const TAG: fn(staged::State) -> super::State = super::State::Medium;

    fn start(origin: &Handover<'_>) -> Self {
        Large::new(&searched(origin), Length::Short, origin.seed)
    }

    fn resume(origin: &Handover<'_>, state: &Value) -> Result<Self, StateError> {
        Large::resumed(&searched(origin), origin.seed, Deserialize::deserialize(state)?)
    }
}

/// Returns the space of the search after the model, which starts at the model's recommendation.
fn searched(&Handover { space, point, .. }: &Handover<'_>) -> Vec<Coordinate> {
    let from = |(coordinate, &start): (&Coordinate, &f64)| Coordinate { start, prior: None, ..*coordinate };
    at_priors(space).iter().zip(point).map(from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parameter::Parameter;
    use crate::model::seed::generator;
    use crate::model::space::Space;
    use crate::optimizer::sampling::normal;
    use crate::optimizer::{Cases, Optimizer, Told};

    /// Searches a quadratic of 24 coordinates, from a loss of 24, with noise of standard deviation
    /// 1 on each trial; returns the losses of the recommendations after these numbers of trials.
    fn losses(mut search: impl Optimizer, stops: &[usize]) -> Vec<f64> {
        let loss = |point: &[f64]| point.iter().map(|x| x * x).sum::<f64>();
        let mut random = generator(4);
        let mut trials = 0;
        let after = |&stop: &usize| {
            while trials < stop {
                let ask = search.ask();
                let objectives: Vec<f64> =
                    ask.trials.iter().map(|&(i, _)| normal(&mut random) - loss(&ask.points[i])).collect();
                trials += objectives.len();
                search.tell(&ask, &Told::of(&objectives));
            }
            loss(&search.recommended()[0].1)
        };
        stops.iter().map(after).collect()
    }

    #[test]
    fn few_trials_gain_more_than_by_mirrored_sampling() {
        let parameters = vec![Parameter::float("x", -4.0, 4.0, 1.0).unit(0.4); 24];
        let space = Space::new(parameters, vec![1.0; 24], (0..24).collect());
        let (few, mirrored) = ([60, 300, 1000], Large::new(space.coordinates(), Length::Long, 3));
        let (medium, large) = (losses(Medium::start(&space, Cases::Many.into(), 3), &few), losses(mirrored, &few));
        assert!(medium[0] < 0.8 * large[0] && medium[1] < 0.5 * large[1], "{medium:?} {large:?}");
        // The search after the model goes on from its recommendation, which is near the best: its
        // noise is 1.
        assert!(medium[2] < 1.5 * medium[1] && medium[2] < large[2], "{medium:?} {large:?}");
    }
}
