//! The noise of trials, measured at the start and near it.

use crate::job::Job;
use crate::judgement::effect::changed;
use crate::judgement::measured::differences_of;
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::{Split, generator, seed};
use evolve_search::model::trial::Outcome;
use evolve_search::optimizer::sampling::normal;
use evolve_search::statistics::{correlation, mean, standard_deviation};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The standard deviation of the difference between the baseline and a neighbour on the same
    /// case.
    pub paired: f64,
    /// The correlation between the scores of the baseline and a neighbour on the same cases.
    pub correlation: f64,
    /// The largest absolute difference between the means of the baseline and another candidate.
    pub largest: f64,
    /// Whether any neighbour changed the outcome of a case.
    pub has_changed: bool,
}

/// The number of neighbours, and their distance from the start in every coordinate, in steps.
pub const NEIGHBOURS: usize = 4;
const DISTANCE: f64 = 2.0;

/// Returns candidates at a fixed distance from the baseline in every tuned parameter, determined by
/// the seed.
pub fn neighbours(job: &Job, count: usize) -> Vec<Vec<f64>> {
    let neighbour = |number: usize| {
        let mut random = generator(seed(job.seed, Split::Variation, u64::MAX, number as u64));
        let point = job.space.coordinates().iter().map(|coordinate| {
            let place = coordinate.start + DISTANCE * coordinate.unit * normal(&mut random);
            coordinate.clamp(place)
        });
        job.space.candidate(&job.space.allowed(point.collect()))
    };
    (0..count).map(neighbour).collect()
}

impl Noise {
    /// Measures the noise from pairs of outcomes: of the start, and of a neighbour on the same
    /// cases.
    pub fn of(problem: &dyn Problem, pairs: &[[&[Outcome]; 2]]) -> Self {
        let over = |number: &dyn Fn(&[&[Outcome]; 2]) -> f64| mean(&pairs.iter().map(number).collect::<Vec<_>>());
        let values = |[start, neighbour]: &[&[Outcome]; 2]| -> Vec<f64> {
            differences_of(problem, neighbour, start).into_iter().map(|difference| difference.value).collect()
        };
        let scores = |all: &[Outcome]| all.iter().map(|outcome| outcome.score).collect::<Vec<_>>();
        Noise {
            paired: over(&|pair| standard_deviation(&values(pair)).powi(2)).sqrt(),
            correlation: over(&|pair| correlation(&scores(pair[0]), &scores(pair[1]))),
            largest: pairs.iter().map(|pair| mean(&values(pair)).abs()).fold(0.0, f64::max),
            has_changed: pairs.iter().any(|[start, other]| changed(start, other) > 0),
        }
    }

    /// Returns the factor by which pairing reduces the number of trials that a test needs, given
    /// the correlation.
    pub fn pairing_gains(&self) -> f64 {
        1.0 / (1.0 - self.correlation).max(f64::EPSILON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::job;
    use evolve_search::evaluator::{Base, Evaluator, Threads, Values, Variants};
    use evolve_search::model::problem::Context;
    use evolve_search::model::trial::Case;

    #[test]
    fn noise_is_measured_and_pairing_pays() {
        let job = job(&[("noise = 4", "noise = 100")]);
        let evaluator = Threads::open(&*job.problem, 2, Context::default()).unwrap();
        let candidates = [vec![job.space.start().to_vec()], neighbours(&job, NEIGHBOURS)].concat();
        let mut paired = Variants::new(Base::Once, candidates.into_iter().map(Values::from).collect());
        let cases = Case::first(job.seed, Split::Search, 400);
        paired.play_cases(evaluator.queue().as_mut(), &cases).unwrap();
        let pairs: Vec<_> = (0..NEIGHBOURS).map(|variant| paired.pair(variant)).collect();
        let noise = Noise::of(&*job.problem, &pairs);
        // Most of the noise is the luck of a case, which paired trials share: a uniform spread of
        // 100, halved in the objective.
        assert!(noise.paired < 0.3 * 50.0 / 12_f64.sqrt(), "{noise:?}");
        assert!(noise.correlation > 0.9 && noise.pairing_gains() > 10.0 && noise.has_changed, "{noise:?}");
    }

    #[test]
    fn constant_differences_are_differences() {
        let job = job(&[]);
        let start: Vec<Outcome> = (0..5).map(|case| Outcome::of(f64::from(case))).collect();
        let other: Vec<Outcome> = (0..5).map(|case| Outcome::of(f64::from(case) + 2.0)).collect();
        let of = |other: &[Outcome]| Noise::of(&*job.problem, &[[&start, other]]);
        let alike = of(&other);
        assert_eq!((alike.paired, alike.largest, alike.has_changed), (0.0, 2.0, true));
        assert!((alike.correlation - 1.0).abs() < 1e-12 && alike.pairing_gains().is_finite());
        assert!(!of(&start).has_changed);
    }
}
