//! The landscape by the model of the search: slices, importance and trials.

use super::thin::{Ranged, ranged, short};
use crate::draw::Axis;
use evolve_core::job::Job;
use evolve_search::model::rating::Rating;
use evolve_search::optimizer::landscape::{Landscape, Map, Share, Slice};
use evolve_search::statistics::Interval;
use serde::Serialize;

/// The landscape on a page. Parameters are indices in the list of tuned parameters.
#[derive(Serialize)]
pub struct LandscapeData {
    slices: Vec<SliceData>,
    /// A parameter, the other one of a pair, and their share with the ends of its interval.
    shares: Vec<(usize, Option<usize>, [f64; 3])>,
    values: Vec<f64>,
    /// The trials of the model: the values of each parameter, and the gains.
    trials: Vec<Vec<f64>>,
    gains: Vec<f64>,
    maps: Vec<MapData>,
    /// The axis of gains.
    height: Axis,
}

#[derive(Serialize)]
struct MapData {
    parameters: [usize; 2],
    values: [Vec<f64>; 2],
    /// The mean gain in each cell, and half the width of its interval.
    gains: Vec<Option<(f64, f64)>>,
}

#[derive(Serialize)]
struct SliceData {
    parameter: usize,
    awake: bool,
    values: Vec<f64>,
    gains: Vec<Ranged>,
}

/// Returns the axis of gains in slices: with all mean effects, the interval of the incumbent, and
/// most trials.
pub fn heights(landscape: &Landscape, rating: Rating) -> Axis {
    let gains: Vec<f64> = landscape.trials.iter().map(|trial| trial.gain).collect();
    let means = landscape.slices.iter().flat_map(|slice| &slice.points).map(|(_, gain)| gain.mean);
    let incumbent = landscape.course.last().into_iter().flat_map(|(_, gain)| [gain.low, gain.high]);
    Axis::around_most(means.chain(incumbent).chain([0.0]), &gains, 4).in_percent(rating)
}

/// Returns the slices by the importance of their parameters. Inactive parameters come last.
pub fn by_importance(landscape: &Landscape) -> Vec<&Slice> {
    let alone = |slice: &Slice| {
        let share = landscape.shares.iter().find(|share| share.place == slice.place && share.other.is_none());
        share.map_or(0.0, |share| share.share.mean)
    };
    let mut slices: Vec<&Slice> = landscape.slices.iter().collect();
    slices.sort_by(|a, b| b.is_awake.cmp(&a.is_awake).then(alone(b).total_cmp(&alone(a))));
    slices
}

/// The smallest share that is shown, and the number of shares.
const SHARE: f64 = 0.005;
const SHARES: usize = 12;

/// Returns the shares to show, the largest first.
pub fn large_shares(landscape: &Landscape) -> Vec<Share> {
    let mut shares: Vec<Share> = landscape.shares.iter().copied().filter(|share| share.share.mean >= SHARE).collect();
    shares.sort_by(|a, b| b.share.mean.total_cmp(&a.share.mean));
    shares.truncate(SHARES);
    shares
}

/// Returns the shares of all parameters, and those of pairs that are not small, the largest first.
fn listed_shares(landscape: &Landscape) -> Vec<Share> {
    let is_listed = |share: &Share| share.other.is_none() || share.share.mean >= SHARE;
    let mut shares: Vec<Share> = landscape.shares.iter().copied().filter(is_listed).collect();
    shares.sort_by(|a, b| b.share.mean.total_cmp(&a.share.mean));
    shares
}

impl LandscapeData {
    pub fn of(job: &Job, landscape: &Landscape) -> Self {
        let space = &job.space;
        let place = |place: usize| space.tuned_indices().iter().position(|&other| other == place).unwrap_or_default();
        let slice = |Slice { place: of, is_awake, points }: &Slice| SliceData {
            parameter: place(*of),
            awake: *is_awake,
            values: points.iter().map(|(value, _)| short(*value)).collect(),
            gains: points.iter().map(|(_, gain)| ranged(*gain)).collect(),
        };
        let share = |&Share { place: of, other, share: Interval { mean, low, high } }: &Share| {
            (place(of), other.map(place), [mean, low, high].map(|share| (1e4 * share).round() / 1e4))
        };
        let map = |Map { places, values, gains }: &Map| MapData {
            parameters: places.map(place),
            values: values.each_ref().map(|of| of.iter().copied().map(short).collect()),
            gains: gains.iter().map(|gain| gain.map(|of| (short(of.mean), short(of.high - of.mean)))).collect(),
        };
        let column = |i: usize| landscape.trials.iter().map(|trial| short(trial.values[i])).collect();
        LandscapeData {
            slices: by_importance(landscape).into_iter().map(slice).collect(),
            shares: listed_shares(landscape).iter().map(share).collect(),
            values: landscape.values.iter().copied().map(short).collect(),
            trials: (0..landscape.values.len()).map(column).collect(),
            gains: landscape.trials.iter().map(|trial| short(trial.gain)).collect(),
            maps: landscape.maps.iter().map(map).collect(),
            height: heights(landscape, job.problem.rating()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_a_share() {
        let share = |place, other, mean| Share { place, other, share: Interval { mean, low: 0.0, high: 1.0 } };
        let shares = vec![share(0, None, 0.6), share(1, None, 0.0), share(0, Some(1), 0.001), share(0, Some(2), 0.3)];
        let landscape = Landscape { shares, ..Landscape::default() };
        let listed: Vec<_> = listed_shares(&landscape).iter().map(|share| (share.place, share.other)).collect();
        assert_eq!(listed, [(0, None), (0, Some(2)), (1, None)]);
    }
}
