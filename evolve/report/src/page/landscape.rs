//! The landscape by the model of the search: slices, importance and trials.

use super::thin::short;
use evolve_core::model::space::Space;
use evolve_core::search::landscape::{Landscape, Share, Slice};
use evolve_core::statistics::Interval;
use serde::Serialize;

/// The landscape on a page. Parameters are indices in the list of tuned parameters.
#[derive(Serialize)]
pub struct LandscapeData {
    slices: Vec<SliceData>,
    /// A parameter, the other one of a pair, and their share.
    shares: Vec<(usize, Option<usize>, f64)>,
    /// The values of the candidate.
    values: Vec<f64>,
    /// The trials of the model: the values of each parameter, and the gains.
    trials: Vec<Vec<f64>>,
    gains: Vec<f64>,
    /// Numbers of trials, and the gain of the incumbent after them.
    course: Vec<(usize, Interval)>,
}

#[derive(Serialize)]
struct SliceData {
    parameter: usize,
    awake: bool,
    values: Vec<f64>,
    gains: Vec<Interval>,
}

impl LandscapeData {
    pub fn of(space: &Space, landscape: &Landscape) -> Self {
        let place = |place: usize| space.tuned_indices().iter().position(|&other| other == place).unwrap_or_default();
        let slice = |Slice { place: of, is_awake, points }: &Slice| SliceData {
            parameter: place(*of),
            awake: *is_awake,
            values: points.iter().map(|(value, _)| short(*value)).collect(),
            gains: points.iter().map(|(_, gain)| gain.map(short)).collect(),
        };
        let share =
            |&Share { place: of, other, share }: &Share| (place(of), other.map(place), (1e4 * share).round() / 1e4);
        let column = |i: usize| landscape.trials.iter().map(|trial| short(trial.values[i])).collect();
        LandscapeData {
            slices: landscape.slices.iter().map(slice).collect(),
            shares: landscape.shares.iter().map(share).collect(),
            values: landscape.values.iter().copied().map(short).collect(),
            trials: (0..landscape.values.len()).map(column).collect(),
            gains: landscape.trials.iter().map(|trial| short(trial.gain)).collect(),
            course: landscape.course.iter().map(|(trials, gain)| (*trials, gain.map(short))).collect(),
        }
    }
}
