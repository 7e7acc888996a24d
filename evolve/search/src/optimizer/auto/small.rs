//! The method for small spaces: a model for the first trials, then CMA-ES from its recommendation,
//! with as many cases as the ranking of candidates needs.
//!
//! The noise decides whether a difference is visible, and it differs between problems and changes
//! during a search. After the model, all candidates of a generation play the same cases, which
//! shows the share of noise in the variance between candidates. If this share is too large, the
//! next generation plays more cases (after Hansen et al., "A method for handling uncertainty in
//! evolutionary optimization", 2009, who measure the noise by changes of ranks). The recommendation
//! is the model's best point at first, and later an average of the means of the generations, never
//! the luckiest candidate.

use super::around::around;
use super::cma_es::CmaEs;
use super::staged::{self, Handover, Second, Staged};
use crate::model::space::{Coordinate, Role};
use crate::optimizer::{Ask, Cases, FinalistKind, Generation, Optimizer, StateError, Told, clamp, is_count};
use crate::statistics::mean;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The search of a small space.
pub type Small = Staged<Noisy>;

/// The candidates in a generation: about 4 + 3 ln(coordinates), Hansen's default, for the largest
/// spaces that this method searches.
const POPULATION: usize = 12;
/// The distance of the first candidates from the best explored point, as a fraction of the explored
/// width.
const SPREAD: f64 = 0.2;
/// The same if parameters follow features: their coefficients make a search from farther away
/// longer.
const SPREAD_OF_FUNCTIONS: f64 = 0.1;
/// The same distance in each coordinate's unit, if the model found no better point than
/// the start.
const NEAR: f64 = 0.7;
/// The cases in a generation, and the factor by which their number grows or shrinks.
const CASES: std::ops::RangeInclusive<f64> = 4.0..=1000.0;
const CHANGE: f64 = 1.1;
/// The largest tolerated share of noise in the variance between candidates. Above it, the next
/// generation plays more cases.
const LUCK: f64 = 0.25;
/// The recommendation is an average of the generations' means. The weight of a mean grows with this
/// power of the number of trials played, so that the early means are forgotten.
const POWER: f64 = 3.0;

/// CMA-ES under noise, the search after the model.
pub struct Noisy {
    space: Vec<Coordinate>,
    cases: Cases,
    cma_es: CmaEs,
    state: State,
}

/// The state between two generations, without the state of CMA-ES.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    /// The number of cases in a generation, before rounding down.
    cases: f64,
    trials: u64,
    /// The recommendation: the average of the generations' means.
    mean: Vec<f64>,
}

impl State {
    fn fits(&self, space: &[Coordinate]) -> bool {
        let is_within = |(x, coordinate): (&f64, &Coordinate)| (coordinate.min..=coordinate.max).contains(x);
        is_count(self.trials)
            && CASES.contains(&self.cases)
            && self.mean.len() == space.len()
            && self.mean.iter().zip(space).all(is_within)
    }
}

impl Second for Noisy {
    const MODEL: usize = 300;
    /// With 700 and with 1,000 trials of the search, the model is still ahead of CMA-ES after a
    /// model of 300, but its time grows with the square of the trials: 43 ms a trial in the mean of
    /// 1,000.
    const SHORT_RUN: u64 = 1500;
    const TAG: fn(staged::State) -> super::State = super::State::Small;

    fn start(origin: &Handover<'_>) -> Self {
        let state = State { cases: *CASES.start(), trials: 0, mean: origin.point.to_vec() };
        let cma_es = CmaEs::start(&searched(origin), POPULATION, origin.seed);
        Noisy { space: origin.space.to_vec(), cases: origin.cases, cma_es, state }
    }

    fn resume(origin: &Handover<'_>, state: &Value) -> Result<Self, StateError> {
        let (state, cma_es): (State, Value) = Deserialize::deserialize(state)?;
        if !state.fits(origin.space) {
            return Err(StateError::Inconsistent);
        }
        let cma_es = CmaEs::resume(&searched(origin), POPULATION, origin.seed, &cma_es)?;
        Ok(Noisy { space: origin.space.to_vec(), cases: origin.cases, cma_es, state })
    }
}

/// Returns the space around the model's recommendation, for the search after the model.
fn searched(&Handover { space, point, .. }: &Handover<'_>) -> Vec<Coordinate> {
    let has_moved = space.iter().zip(point).any(|(coordinate, x)| coordinate.start != *x);
    let is_function = space.iter().any(|coordinate| coordinate.role == Role::Coefficient);
    let spread = if is_function { SPREAD_OF_FUNCTIONS } else { SPREAD };
    let from = |(coordinate, &start): (&Coordinate, &f64)| {
        let (low, high) = around(coordinate);
        let is_near = !has_moved || coordinate.role == Role::Coefficient;
        let unit = if is_near { NEAR * coordinate.unit } else { spread * (high - low) };
        Coordinate { start, unit, ..*coordinate }
    };
    space.iter().zip(point).map(from).collect()
}

/// Returns the share of noise in the variance between candidates' means, from the objectives of all
/// candidates on all cases, case by case. The noise is what an analysis of variance leaves after
/// the effects of candidates and cases.
fn luck(objectives: &[f64], means: &[f64]) -> f64 {
    let count = means.len();
    let total = mean(means);
    let mut rest = 0.0;
    for case in objectives.chunks(count) {
        let level = mean(case);
        rest += case.iter().zip(means).map(|(x, mean)| (x - mean) - (level - total)).map(|x| x * x).sum::<f64>();
    }
    let cases = (objectives.len() / count) as f64;
    let between: f64 = means.iter().map(|mean| (mean - total) * (mean - total)).sum();
    // Without differences between candidates, everything may be noise.
    if between > 0.0 { rest / (cases * (cases - 1.0)) / between } else { 1.0 }
}

impl Optimizer for Noisy {
    fn ask(&self) -> Ask {
        let cases = if self.cases == Cases::One { 1 } else { self.state.cases as usize };
        Ask::all(self.cma_es.points(), cases)
    }

    fn tell(&mut self, ask: &Ask, told: &Told<'_>) -> Generation {
        let objectives = told.penalized;
        let means = ask.means(objectives);
        let generation = Generation::of(self.generation(), &ask.points, &means);
        self.cma_es.tell(&ask.points, &means);
        let State { cases, trials, mean } = &mut self.state;
        let is_lucky = self.cases != Cases::One && luck(objectives, &means) > LUCK;
        let wanted = if is_lucky { *cases * CHANGE } else { *cases / CHANGE };
        *cases = wanted.clamp(*CASES.start(), *CASES.end());
        *trials += objectives.len() as u64;
        let share = ((1.0 + POWER) * objectives.len() as f64 / *trials as f64).min(1.0);
        let last = self.cma_es.mean();
        mean.iter_mut().zip(last).for_each(|(mean, x)| *mean = (1.0 - share) * *mean + share * x);
        clamp(mean, &self.space);
        generation
    }

    fn generation(&self) -> u64 {
        self.cma_es.generation()
    }

    fn mean(&self) -> &[f64] {
        &self.state.mean
    }

    fn recommended(&self) -> Vec<(FinalistKind, Vec<f64>)> {
        let last = self.cma_es.mean().to_vec();
        vec![(FinalistKind::Mean, self.state.mean.clone()), (FinalistKind::Last, last)]
    }

    fn method(&self) -> &'static str {
        "CMA-ES"
    }

    fn deviations(&self) -> Vec<f64> {
        self.cma_es.deviations()
    }

    fn state(&self) -> Value {
        serde_json::to_value((&self.state, self.cma_es.state())).expect("a state consists of numbers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parameter::Parameter;
    use crate::model::seed::generator;
    use crate::model::space::Space;
    use crate::optimizer::Terms;
    use crate::optimizer::sampling::normal;

    /// Searches a quadratic of six coordinates with 10,000 trials, with noise of this standard
    /// deviation.
    fn search(start: f64, noise: f64) -> Small {
        let parameters = vec![Parameter::float("x", -20.0, 20.0, start).unit(1.0); 6];
        let space = Space::new(parameters, vec![start; 6], (0..6).collect());
        let mut small = Small::start(&space, Cases::Many.into(), 3);
        let mut random = generator(4);
        let mut trials = 0;
        while trials < 10_000 {
            let ask = small.ask();
            let score = |point: &Vec<f64>| -point.iter().map(|x| x * x).sum::<f64>();
            let objectives: Vec<f64> =
                ask.trials.iter().map(|&(i, _)| score(&ask.points[i]) + noise * normal(&mut random)).collect();
            trials += objectives.len();
            small.tell(&ask, &Told::of(&objectives));
        }
        small
    }

    #[test]
    fn a_distant_optimum_is_found() {
        let distance = |small: &Small| small.mean().iter().map(|x| x * x).sum::<f64>().sqrt();
        let (clear, noisy) = (search(8.0, 0.1), search(8.0, 30.0));
        // A distance of 0.3 costs as much as the noise.
        assert!(distance(&clear) < 0.2, "{}", distance(&clear));
        assert!(distance(&noisy) < 4.0, "{}", distance(&noisy));
    }

    #[test]
    fn a_short_run_stays_with_the_model() {
        let space = Space::new(vec![Parameter::float("x", -1.0, 1.0, 0.5)], vec![0.5], vec![0]);
        let method = |trials: u64| {
            let terms = Terms { trials, ..Cases::Many.into() };
            let mut small = Small::start(&space, terms, 1);
            let mut played = 0;
            while played < 310 {
                let ask = small.ask();
                let objectives: Vec<f64> = ask.trials.iter().map(|&(i, _)| -ask.points[i][0].powi(2)).collect();
                small.tell(&ask, &Told::of(&objectives));
                played += objectives.len();
            }
            // The state keeps the decision.
            let state = serde_json::from_value(small.state()).unwrap();
            let crate::optimizer::auto::State::Small(state) = state else { panic!("another state") };
            Small::resume(&space, Cases::Many, 1, state).unwrap().method()
        };
        assert_eq!((method(1500), method(1501)), ("Gaussian process", "CMA-ES"));
    }

    #[test]
    fn the_number_of_cases_follows_the_noise() {
        let cases = |noise: f64| search(1.0, noise).second.expect("the model is complete").state.cases;
        let (clear, noisy) = (cases(0.0), cases(100.0));
        assert!(clear == *CASES.start() && noisy > 16.0, "{clear} {noisy}");
    }

    /// The tuning example of pahcer, a runner for contest solvers: one integer and one real
    /// parameter, with the sum of squares as the score.
    #[test]
    fn one_case_is_played_once_by_each_candidate() {
        let parameters =
            vec![Parameter::int("whole", -10, 10, 7).unit(2.0), Parameter::float("real", -10.0, 10.0, 8.0).unit(2.0)];
        let space = Space::new(parameters, vec![7.0, 8.0], vec![0, 1]);
        let mut near = 0;
        for seed in 0..10 {
            let mut small = Small::start(&space, Cases::One.into(), seed);
            let mut played: Vec<Vec<f64>> = Vec::new();
            while played.len() < 54 {
                let ask = small.ask();
                assert!(ask.cases + ask.again.len() == 1 && ask.points.len() == ask.trials.len(), "{ask:?}");
                assert!(ask.points.iter().all(|point| !played.contains(point)));
                let objectives: Vec<f64> =
                    ask.points.iter().map(|point| -point[0].round().powi(2) - point[1] * point[1]).collect();
                small.tell(&ask, &Told::of(&objectives));
                played.extend(ask.points);
            }
            near += usize::from(small.mean()[0].round() == 0.0 && small.mean()[1].abs() < 0.05);
        }
        assert!(near >= 9, "{near}");
    }

    /// The recommendation depends on the difference from the start, so the start is played until
    /// the difference is clear, and on six cases even if it is.
    #[test]
    fn the_start_is_challenged_until_a_gain_is_clear() {
        let luck = |number: u64| normal(&mut generator(number));
        for (gain, expected) in [(0.01, 12..100), (3.0, 0..9)] {
            let parameters = vec![Parameter::float("x", -5.0, 5.0, 4.0).unit(0.5); 4];
            let space = Space::new(parameters, vec![4.0; 4], (0..4).collect());
            let mut small = Small::start(&space, Cases::Many.into(), 1);
            let mut starts = 0;
            for round in 0..40 {
                let ask = small.ask();
                let distance = |point: &[f64]| point.iter().map(|x| x * x).sum::<f64>() / 64.0;
                let score = |(place, &(i, _)): (usize, &(usize, usize))| {
                    gain * (1.0 - distance(&ask.points[i])) + 0.3 * luck(1000 * round + place as u64)
                };
                let objectives: Vec<f64> = ask.trials.iter().enumerate().map(score).collect();
                starts += ask.trials.iter().filter(|(i, _)| ask.points[*i] == space.origin()).count();
                small.tell(&ask, &Told::of(&objectives));
            }
            assert!(expected.contains(&starts), "{gain}: {starts}");
        }
    }

    #[test]
    fn noise_excludes_the_effects_of_cases() {
        // The second case is easier for both candidates. A constant difference of 3 is not noise.
        // If the means are equal, all variation may be noise.
        assert_eq!(luck(&[1.0, 4.0, 6.0, 9.0], &[3.5, 6.5]), 0.0);
        assert_eq!(luck(&[1.0, 2.0, 2.0, 1.0], &[1.5, 1.5]), 1.0);
        // Differences of 1 and 3 have a mean of 2 with a standard error of 1.
        assert_eq!(luck(&[0.0, 1.0, 0.0, 3.0], &[0.0, 2.0]), 0.25);
    }
}
