//! The landscape of the model: slices and maps through a candidate.
//!
//! Its cost is bounded, because the trials of a model are: at most [`POINTS`] posteriors for each
//! number and [`COURSE`] for the course, and [`GRID`]² means and [`NODES`]² posteriors for each
//! pair of the [`MAPPED`] most important ones.

use super::Model;
use super::encoding::encoded;
use super::fit::{self, PlayedTrials};
use super::gain::Gains;
use super::kernel::Kernel;
use super::process::ModelTrial;
use super::state::State;
use crate::optimizer::landscape::{Corrected, Landscape, Map, Share, Slice};
use crate::statistics::{Interval, standard_deviation};

/// The points of a number's slice, apart from the start and the candidate.
const POINTS: usize = 33;
/// The numbers of trials in the course.
const COURSE: usize = 24;
/// The number of the most important parameters whose pairs have maps, and the points of a number on
/// a map.
const MAPPED: usize = 8;
const GRID: usize = 17;
/// The points of a number on a map whose posterior is computed; between them, the widths of
/// intervals, which change slowly, are interpolated.
const NODES: usize = 5;

impl Model {
    /// Returns the landscape around a point of the space; `None` before the first trials.
    pub fn landscape(&self, point: &[f64]) -> Option<Landscape> {
        let State { kernel, trials, .. } = &self.state;
        let (kernel, outcomes) = (kernel.as_ref()?, self.unreduced()?);
        let process = self.process_of(kernel, trials.clone(), &outcomes);
        let gains = Gains::new(process, &outcomes, &self.start());
        let centre = encoded(&self.dimensions, point);
        let of_all = self.kernel_of_all(kernel, &outcomes);
        let shares = self.shares_of_variance(&of_all, &outcomes);
        Some(Landscape {
            values: self.space.evolving_values(&self.space.unsettled(&self.point(&centre))),
            slices: (0..self.dimensions.len()).filter_map(|d| self.slice(&gains, &centre, d)).collect(),
            maps: self.maps(&gains, &centre, &shares),
            shares,
            trials: self.corrected(&gains),
            course: self.course(),
            generations: self.state.batches,
        })
    }

    /// Returns a kernel fitted to outcomes that are not reduced, with a wide prior of lengths. The
    /// search fits its kernel where candidates are good; shares are about the whole space.
    fn kernel_of_all(&self, kernel: &Kernel, outcomes: &[f64]) -> Kernel {
        let unit = standard_deviation(outcomes);
        let order = self.fitted_trials(outcomes.len(), |i| outcomes[i]);
        let trials: Vec<ModelTrial> = order.iter().map(|&i| self.state.trials[i].clone()).collect();
        let outcomes: Vec<f64> = order.iter().map(|&i| if unit > 0.0 { outcomes[i] / unit } else { 0.0 }).collect();
        let (numbers, instances) = (self.numbers(), &self.state.instances);
        let spread = fit::WIDE;
        let played = PlayedTrials { trials: &trials, outcomes: &outcomes, instances, numbers: &numbers, spread };
        let from = Kernel { earlier: Vec::new(), ..kernel.clone() };
        fit::fit(&self.dimensions, self.cases, 0, played, Some(&from)).0
    }

    fn slice(&self, gains: &Gains<'_>, centre: &[f64], d: usize) -> Option<Slice> {
        let place = self.space.tuned_indices()[d];
        let grid = self.grid(d, POINTS, &[centre[d], self.start()[d]]);
        let is_awake = self.space.is_awake(place, &self.space.candidate(&self.point(centre)));
        let at = |at: f64| {
            let mut values = centre.to_vec();
            values[d] = at;
            let point = self.point(&values);
            let is_allowed = self.space.allows_point(&point);
            is_allowed.then(|| (self.space.unsettled(&point)[place], gains.of(&values)))
        };
        let points: Vec<(f64, Interval)> = grid.into_iter().filter_map(at).collect();
        (!points.is_empty()).then_some(Slice { place, is_awake, points })
    }

    /// Returns coordinates over the range of a parameter: the levels of a choice, or `count` points
    /// of a number, and some others.
    fn grid(&self, d: usize, count: usize, others: &[f64]) -> Vec<f64> {
        let dimension = &self.dimensions[d];
        let mut grid: Vec<f64> = match dimension.levels() {
            Some(levels) => (0..levels).map(|level| level as f64).collect(),
            None => (0..count).map(|i| dimension.snapped(i as f64 / (count - 1) as f64)).collect(),
        };
        grid.extend(others);
        grid.sort_by(f64::total_cmp);
        grid.dedup();
        grid
    }

    /// Returns the maps of pairs of the most important parameters, by their interaction.
    fn maps(&self, gains: &Gains<'_>, centre: &[f64], shares: &[Share]) -> Vec<Map> {
        let places = &self.space.tuned_indices()[..self.dimensions.len()];
        let importance = |d: usize| -> f64 {
            let has = |share: &&Share| share.place == places[d] || share.other == Some(places[d]);
            shares.iter().filter(has).map(|share| share.share.mean).sum()
        };
        let mut first: Vec<usize> = (0..places.len()).collect();
        first.sort_by(|&i, &j| importance(j).total_cmp(&importance(i)));
        first.truncate(MAPPED);
        first.sort_unstable();
        let interaction = |&(i, j): &(usize, usize)| {
            let is_pair = |share: &&Share| share.place == places[i] && share.other == Some(places[j]);
            shares.iter().find(is_pair).map_or(0.0, |share| share.share.mean)
        };
        let pairs = first.iter().enumerate().flat_map(|(n, &i)| first[n + 1..].iter().map(move |&j| (i, j)));
        let mut pairs: Vec<(usize, usize)> = pairs.collect();
        pairs.sort_by(|a, b| interaction(b).total_cmp(&interaction(a)));
        pairs.into_iter().map(|(i, j)| self.map(gains, centre, [i, j])).collect()
    }

    fn map(&self, gains: &Gains<'_>, centre: &[f64], pair: [usize; 2]) -> Map {
        let grids = pair.map(|d| self.grid(d, GRID, &[]));
        let at = |x: f64, y: f64| {
            let mut values = centre.to_vec();
            (values[pair[0]], values[pair[1]]) = (x, y);
            values
        };
        let halves = self.halves(gains, pair, &grids, &at);
        let columns = grids[0].len();
        let gain = |i: usize| {
            let values = at(grids[0][i % columns], grids[1][i / columns]);
            let is_allowed = self.space.allows_point(&self.point(&values));
            is_allowed.then(|| {
                let (mean, half) = (gains.mean_of(values), halves[i]);
                Interval { mean, low: mean - half, high: mean + half }
            })
        };
        let places = pair.map(|d| self.space.tuned_indices()[d]);
        let value = |n: usize, at: &f64| {
            let mut values = centre.to_vec();
            values[pair[n]] = *at;
            self.space.unsettled(&self.point(&values))[places[n]]
        };
        let values = [0, 1].map(|n| grids[n].iter().map(|at| value(n, at)).collect());
        Map { places, values, gains: (0..columns * grids[1].len()).map(gain).collect() }
    }

    /// Returns half the width of the interval in each cell of a map.
    fn halves(
        &self,
        gains: &Gains<'_>,
        pair: [usize; 2],
        grids: &[Vec<f64>; 2],
        at: &dyn Fn(f64, f64) -> Vec<f64>,
    ) -> Vec<f64> {
        // Levels of a choice have nothing between them.
        let nodes = [0, 1].map(|n| {
            let last = grids[n].len() - 1;
            let is_number = self.dimensions[pair[n]].levels().is_none();
            let count = if is_number { NODES.min(last + 1) } else { last + 1 };
            (0..count).map(|i| i * last / (count - 1).max(1)).collect::<Vec<usize>>()
        });
        let half = |x: usize, y: usize| {
            let of = gains.of(&at(grids[0][x], grids[1][y]));
            of.high - of.mean
        };
        let known: Vec<Vec<f64>> = nodes[1].iter().map(|&y| nodes[0].iter().map(|&x| half(x, y)).collect()).collect();
        let between = |of: &[f64], n: usize, i: usize| {
            let after = nodes[n].partition_point(|&node| node < i);
            if nodes[n][after] == i {
                return of[after];
            }
            let (from, to) = (nodes[n][after - 1], nodes[n][after]);
            let share = (grids[n][i] - grids[n][from]) / (grids[n][to] - grids[n][from]);
            of[after - 1] + share * (of[after] - of[after - 1])
        };
        let cell = |y: usize, x: usize| {
            let column: Vec<f64> = known.iter().map(|row| between(row, 0, x)).collect();
            between(&column, 1, y)
        };
        (0..grids[1].len()).flat_map(|y| (0..grids[0].len()).map(move |x| (y, x))).map(|(y, x)| cell(y, x)).collect()
    }

    /// Returns the trials without the levels of their cases.
    fn corrected(&self, gains: &Gains<'_>) -> Vec<Corrected> {
        let State { trials, outcomes, cases, .. } = &self.state;
        let of = |(i, gain): (usize, f64)| {
            let values = self.space.unsettled(&self.point(&trials[i].values));
            Corrected {
                values: self.space.evolving_values(&values),
                case: cases[trials[i].case].number,
                objective: -outcomes.values()[i],
                gain,
            }
        };
        gains.of_trials(trials).into_iter().enumerate().map(of).collect()
    }

    /// Returns the gain of the recommended candidate after some numbers of trials.
    fn course(&self) -> Vec<(usize, Interval)> {
        let all = self.trials();
        let count = COURSE.min(all);
        let after = |i: usize| {
            let trials = (all * i).div_ceil(count);
            let state = State {
                trials: self.state.trials[..trials].to_vec(),
                outcomes: self.state.outcomes.first(trials),
                quantities: self.state.quantities.iter().map(|of| of.first(trials)).collect(),
                ..self.state.clone()
            };
            Some((trials, Model { state, ..self.clone() }.gain()?))
        };
        (1..=count).filter_map(after).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::GRID;
    use crate::model::parameter::Parameter;
    use crate::model::space::Space;
    use crate::optimizer::Optimizer;
    use crate::optimizer::auto::model::encoding::{decoded, dimensions};
    use crate::optimizer::auto::model::gain;
    use crate::optimizer::landscape::{Landscape, Map};
    use crate::statistics::{Interval, mean, standard_deviation};

    /// Returns the landscape of a function with noise of standard deviation 1.
    fn searched(parameters: Vec<Parameter>, trials: usize, run: u64, score: fn(&[f64]) -> f64) -> (Space, Landscape) {
        let (space, search, played) = gain::tests::searched(parameters, 1.0, trials, run, score);
        let landscape = search.landscape().expect("a model after trials");
        assert_eq!(landscape.slices.len(), space.tuned_indices().len());
        // The same number as the gain of the incumbent.
        let gain = search.gain();
        let last = landscape.course.last().map(|(trials, gain)| (*trials, *gain));
        assert_eq!(last, gain.map(|gain| (played, gain)));
        (space, landscape)
    }

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::float("x", 0.0, 1.0, 0.15),
            Parameter::float("rate", 1e-3, 1e3, 1e-2).log(),
            Parameter::choice("way", ["a", "b", "c"], 0),
            Parameter::float("idle", 0.0, 1.0, 0.5),
        ]
    }

    fn hills(x: &[f64]) -> f64 {
        let rate = x[1].log10() / 6.0 + 0.5;
        -20.0 * (x[0] - 0.7) * (x[0] - 0.7) - 8.0 * (rate - 0.5) * (rate - 0.5) + [0.0, 2.0, -2.0][x[2] as usize]
    }

    #[test]
    fn intervals_of_slices_contain_the_true_effect() {
        let (mut hits, mut all) = (0, 0);
        for run in 1..=6 {
            let (space, landscape) = searched(parameters(), 160, run, hills);
            let (centre, best) = (&landscape.values, landscape.course.last().expect("a gain").1);
            for slice in &landscape.slices {
                let through = slice.points.iter().find(|(value, _)| *value == centre[slice.place]);
                let gain = through.expect("the slice goes through the incumbent").1;
                assert!((gain.mean - best.mean).abs() < 1e-9, "{gain:?} {best:?}");
                assert!(slice.is_awake && slice.points.is_sorted_by(|a, b| a.0 < b.0));
                for (value, gain) in &slice.points {
                    let mut values = centre.clone();
                    values[slice.place] = *value;
                    let truth = hills(&values) - hills(space.start());
                    all += 1;
                    hits += usize::from(gain.low <= truth && truth <= gain.high);
                }
            }
        }
        assert!(hits as f64 >= 0.9 * f64::from(all), "{hits} of {all}");
    }

    #[test]
    fn intervals_of_maps_contain_the_true_effect() {
        let (mut hits, mut all) = (0, 0);
        for run in 1..=6 {
            let (space, landscape) = searched(parameters(), 160, run, hills);
            for map in &landscape.maps {
                for (i, gain) in map.gains.iter().enumerate() {
                    let mut values = landscape.values.clone();
                    let columns = map.values[0].len();
                    values[map.places[0]] = map.values[0][i % columns];
                    values[map.places[1]] = map.values[1][i / columns];
                    let truth = hills(&values) - hills(space.start());
                    let gain = gain.expect("all is allowed");
                    all += 1;
                    hits += usize::from(gain.low <= truth && truth <= gain.high);
                }
            }
            // Where few trials were, little is known.
            let widths = |map: &Map| map.gains.iter().flatten().map(|gain| gain.high - gain.low).collect::<Vec<_>>();
            let wide = landscape.maps.iter().map(widths).any(|of| {
                let (least, most) = of.iter().fold((f64::MAX, 0.0_f64), |(a, b), &x| (a.min(x), b.max(x)));
                least > 0.0 && most > 1.2 * least
            });
            assert!(wide, "{:?}", landscape.maps);
        }
        assert!(hits as f64 >= 0.9 * f64::from(all), "{hits} of {all}");
    }

    #[test]
    fn importance_agrees_with_the_true_shares() {
        // The variances of the three terms over the space, from their definitions.
        let uneven = |scale: f64, at: f64| {
            let of = |i: i32| scale * (f64::from(i) / 1000.0 - at) * (f64::from(i) / 1000.0 - at);
            let all: Vec<f64> = (0..=1000).map(of).collect();
            crate::statistics::standard_deviation(&all).powi(2)
        };
        let truth = [uneven(20.0, 0.7), uneven(8.0, 0.5), 8.0 / 3.0, 0.0];
        let total: f64 = truth.iter().sum();
        let (_, landscape) = searched(parameters(), 240, 3, hills);
        for share in &landscape.shares {
            let truth = if share.other.is_some() { 0.0 } else { truth[share.place] / total };
            let Interval { mean, low, high } = share.share;
            assert!((mean - truth).abs() < 0.12, "{share:?}, in truth {truth}");
            assert!(0.0 <= low && low <= mean && mean <= high && high <= 1.0, "{share:?}");
        }
        assert_eq!(landscape.shares.len(), 4 + 6);
    }

    /// Returns the true share of each parameter alone, by its definition, over the space that the
    /// search explores.
    fn true_shares(space: &Space, score: fn(&[f64]) -> f64) -> Vec<f64> {
        const SAMPLES: u32 = 20_000;
        let coordinates = dimensions(space.coordinates());
        let value = |sample: u32, first: u32| -> Vec<f64> {
            let share = |d: u32| f64::from(sobol_burley::sample(sample, d, 9));
            coordinates.iter().zip(first..).map(|(of, d)| of.at(share(d))).collect()
        };
        let count = coordinates.len();
        let of = |values: &[f64]| score(&space.candidate(&decoded(&coordinates, values, space.coordinates())));
        let pairs: Vec<_> = (0..SAMPLES).map(|i| (value(i, 0), value(i, count as u32))).collect();
        let scores: Vec<f64> = pairs.iter().map(|(a, _)| of(a)).collect();
        let (middle, variance) = (mean(&scores), standard_deviation(&scores).powi(2));
        let share = |d: usize| {
            let part = |((a, b), of_a): (&(Vec<f64>, Vec<f64>), &f64)| {
                let mut exchanged = a.clone();
                exchanged[d] = b[d];
                (of(b) - middle) * (of(&exchanged) - of_a)
            };
            pairs.iter().zip(&scores).map(part).sum::<f64>() / (f64::from(SAMPLES) * variance)
        };
        (0..count).map(share).collect()
    }

    /// Prints how often ranges of shares contain the truth, and how far off shares are.
    #[test]
    #[ignore = "a measurement, whose figures are in docs/internals/searching-notes.md"]
    fn ranges_of_shares() {
        let five = || (0..5).map(|i| Parameter::float(format!("x{i}"), 0.0, 1.0, 0.3)).collect::<Vec<_>>();
        let bowl = |x: &[f64]| -x.iter().zip(1..).map(|(x, i)| 12.0 / f64::from(i) * (x - 0.6).powi(2)).sum::<f64>();
        let valley = |x: &[f64]| -20.0 * (x[1] - x[0] * x[0]).powi(2) - 4.0 * (1.0 - x[0]).powi(2);
        let ridge = |x: &[f64]| 6.0 * libm::sin(3.0 * x[0]) + 8.0 * x[1] * x[2];
        type Case = (&'static str, Vec<Parameter>, fn(&[f64]) -> f64);
        let all: [Case; 4] = [
            ("hills", parameters(), hills),
            ("bowl", five(), bowl),
            ("valley", five(), valley),
            ("ridge", five(), ridge),
        ];
        for (name, parameters, score) in all {
            for trials in [60, 160, 300] {
                let (mut hits, mut widths, mut errors) = (Vec::new(), Vec::new(), Vec::new());
                for run in 1..=8 {
                    let (space, search, _) = gain::tests::searched(parameters.clone(), 1.0, trials, run, score);
                    let truth = true_shares(&space, score);
                    let landscape = search.landscape().expect("a model after trials");
                    for (share, truth) in landscape.shares.iter().zip(&truth) {
                        let Interval { mean, low, high } = share.share;
                        hits.push(f64::from(u8::from(low - 0.02 <= *truth && *truth <= high + 0.02)));
                        widths.push(high - low);
                        errors.push((mean - truth).abs());
                    }
                }
                let [hits, width, error] = [hits, widths, errors].map(|all| mean(&all));
                println!("| {name} | {trials} | {:.0} % | {width:.2} | {error:.3} |", 100.0 * hits);
            }
        }
    }

    #[test]
    fn an_interaction_is_found_and_trials_lose_the_level_of_their_instance() {
        let square = || vec![Parameter::float("x", -1.0, 1.0, 0.0), Parameter::float("y", -1.0, 1.0, 0.0)];
        let (_, landscape) = searched(square(), 200, 1, |x| 12.0 * x[0] * x[1]);
        let pair = landscape.shares.iter().find(|share| share.other.is_some()).expect("one pair");
        assert!(pair.share.mean > 0.6, "{:?}", landscape.shares);
        // Its map shows where the effect is: along the diagonals.
        let map = &landscape.maps[0];
        assert_eq!((map.places, map.values[0].len(), map.gains.len()), ([0, 1], GRID, GRID * GRID));
        let mut errors = Vec::new();
        for (i, gain) in map.gains.iter().enumerate() {
            let truth = 12.0 * map.values[0][i % GRID] * map.values[1][i / GRID];
            let gain = gain.expect("all is allowed");
            assert!((gain.low..=gain.high).contains(&truth), "{gain:?}, in truth {truth}");
            errors.push((gain.mean - truth).abs());
        }
        // Few trials are in the worst corners.
        assert!(crate::statistics::mean(&errors) < 1.2, "{errors:?}");
        let apart =
            |trial: &crate::optimizer::landscape::Corrected| trial.gain - 12.0 * trial.values[0] * trial.values[1];
        let rest: Vec<f64> = landscape.trials.iter().map(apart).collect();
        let deviation = crate::statistics::standard_deviation(&rest);
        assert!(landscape.trials.len() >= 200 && deviation < 3.0, "levels differ by 10, trials by {deviation}");
    }
}
