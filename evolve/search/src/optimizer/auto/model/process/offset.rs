//! An offset of one candidate, beside what the kernel expects of it.
//!
//! A start far from the optimum is far worse than a process of stationary variance expects, which
//! therefore draws it towards the rest. With an offset, the start's own trials decide, as far as
//! they show that it is needed: the variance is the one that explains the estimate, as in the
//! estimator of James and Stein.

use super::Process;
use crate::optimizer::auto::model::triangle::dot;

/// The offset of a candidate.
#[derive(Clone, Debug, Default)]
pub struct Offset {
    /// The mean of the offset.
    pub mean: f64,
    /// The indices of the candidate's trials.
    trials: Vec<usize>,
    /// The inverse of the covariances times the indicator of these trials.
    inverse: Vec<f64>,
    /// The factor of the product of [`inverse`](Self::inverse) with itself by which the inverse of
    /// the covariances shrinks.
    factor: f64,
}

impl Offset {
    /// Returns the part of the offset that the trials do not explain, in a difference of the
    /// candidate and another one with these shares of the outcomes.
    fn left(&self, shares: &[f64]) -> f64 {
        1.0 - self.trials.iter().map(|&i| shares[i]).sum::<f64>()
    }

    /// Returns whether the candidate has one of these trials.
    pub fn has_any(&self, trials: &[usize]) -> bool {
        self.trials.iter().any(|trial| trials.contains(trial))
    }

    /// Returns the additional variance of such a difference.
    pub fn variance(&self, shares: &[f64]) -> f64 {
        self.factor * self.left(shares) * self.left(shares)
    }

    /// Returns the shares in a difference that includes the offset.
    pub fn included(&self, shares: &[f64]) -> Vec<f64> {
        let by = self.factor * self.left(shares);
        shares.iter().zip(&self.inverse).map(|(share, inverse)| share + by * inverse).collect()
    }

    /// Returns an entry of the inverse of the covariances, from the one without the offset.
    pub(super) fn inverse(&self, (i, j): (usize, usize), without: f64) -> f64 {
        without - self.factor * self.inverse[i] * self.inverse[j]
    }
}

impl Process<'_> {
    /// Gives a candidate an offset. Means of the process are then those beside the offset.
    pub fn offset(&mut self, values: &[f64]) -> Offset {
        let count = self.trials.len();
        let is_its =
            |&i: &usize| self.trials[i].run == 0 && self.distinct.candidates[self.distinct.places[i]] == values;
        let trials: Vec<usize> = (0..count).filter(is_its).collect();
        let mut inverse = vec![0.0; count];
        trials.iter().for_each(|&i| inverse[i] = 1.0);
        self.triangle.solve(&mut inverse);
        self.triangle.solve_transposed(&mut inverse);
        let precision: f64 = trials.iter().map(|&i| inverse[i]).sum();
        let explained = dot(&inverse, &self.outcomes);
        let mut offset = Offset { trials, inverse, ..Offset::default() };
        if precision <= 0.0 {
            return offset;
        }
        // Without the offset, the unit of the variances would include it.
        let squares = explained * explained / precision;
        let unit = (dot(&self.weights, &self.outcomes) - squares).max(0.0) / count as f64;
        offset.factor = (1.0 - unit / squares).max(0.0) / precision;
        offset.mean = offset.factor * explained;
        for (weight, inverse) in self.weights.iter_mut().zip(&offset.inverse) {
            *weight -= offset.mean * inverse;
        }
        offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::space::Coordinate;
    use crate::optimizer::auto::model::encoding::dimensions;
    use crate::optimizer::auto::model::kernel::{JITTER, Kernel, MEAN};
    use crate::optimizer::auto::model::kin::Instances;
    use crate::optimizer::auto::model::process::{Before, ModelTrial};
    use crate::optimizer::auto::model::triangle::Triangle;
    use nalgebra::{DMatrix, DVector};

    const START: f64 = 0.1;
    const PLAYED: [(f64, usize); 9] =
        [(START, 0), (0.5, 0), (START, 1), (0.6, 1), (0.5, 1), (START, 2), (0.6, 2), (0.9, 3), (0.6, 3)];

    /// Returns the difference of the start and another candidate with an offset, and without.
    /// `above` is how much worse the start is than elsewhere.
    fn difference(kernel: &Kernel, above: f64) -> (f64, f64) {
        let dimensions = dimensions(&[Coordinate::float(0.0, 0.1, 0.0, 1.0)]);
        let before = Before { dimensions: &dimensions, kernel, instances: &Instances::NONE, numbers: Vec::new() };
        let trials: Vec<ModelTrial> = PLAYED.iter().map(|&(x, case)| ModelTrial::new(vec![x], case)).collect();
        let outcome = |(i, &(x, _)): (usize, &(f64, usize))| {
            if x == START { above + i as f64 / 5.0 } else { (i * 7 % 5) as f64 / 5.0 - 0.4 }
        };
        let outcomes: Vec<f64> = PLAYED.iter().enumerate().map(outcome).collect();
        let mut process = Process::new(before, trials.clone(), &outcomes, Triangle::default());
        let plain = process.clone();
        let offset = process.offset(&[START]);
        let [start, of] = [START, 0.6].map(|x| process.assessed(process.met(vec![x])));
        let shares = process.shares_in_difference(&start, &of);
        let mean = start.mean + offset.mean - of.mean;
        let variance = process.variance_between(&start, &of) + offset.variance(&shares);
        let included = offset.included(&shares);
        assert!((dot(&included, &outcomes) - mean).abs() < 1e-6);
        let without = process.without_cases(&process.cases_with_trials(&offset), &included);

        // The same by a kernel in which the start has a further variance.
        let precision: f64 = offset.trials.iter().map(|&i| offset.inverse[i]).sum();
        let further = offset.factor / (1.0 - offset.factor * precision);
        let is_start = |i: usize| PLAYED[i].0 == START;
        let entry = |i: usize, j: usize| {
            let own = plain.outcome(&plain.met(trials[i].values.clone()).likeness, trials[i].case)[j];
            let both = if is_start(i) && is_start(j) { further } else { 0.0 };
            own + both + if i == j { kernel.noise + JITTER } else { 0.0 }
        };
        let left = |case: Option<usize>| {
            let kept: Vec<usize> = (0..PLAYED.len()).filter(|&i| Some(PLAYED[i].1) != case).collect();
            let matrix = DMatrix::from_fn(kept.len(), kept.len(), |a, b| entry(kept[a], kept[b]));
            let inverse = matrix.try_inverse().unwrap();
            let to = |x: f64| {
                let all = plain.met(vec![x]).covariances;
                let own = |&i: &usize| all[i] + if x == START && is_start(i) { further } else { 0.0 };
                DVector::from_iterator(kept.len(), kept.iter().map(own))
            };
            let (by, known) =
                (to(START) - to(0.6), DVector::from_iterator(kept.len(), kept.iter().map(|&i| outcomes[i])));
            let alike = kernel.likeness(&dimensions, &[START], &[0.6]);
            let prior = 2.0 * (kernel.signal + MEAN) - 2.0 * (kernel.signal * alike + MEAN) + further;
            ((&inverse * &known).dot(&by), prior - (&inverse * &by).dot(&by))
        };
        assert!((mean - left(None).0).abs() < 1e-6 && (variance - left(None).1).abs() < 1e-6, "{mean} {variance}");
        for (case, without) in without.iter().enumerate() {
            assert!((without - left(Some(case)).0).abs() < 1e-6, "{case}: {without}");
        }
        (mean, plain.met(vec![START]).mean - plain.met(vec![0.6]).mean)
    }

    #[test]
    fn a_start_that_is_far_away_has_its_own_mean() {
        let kernel = Kernel::of_one_number([0.5, 0.2, 0.5, 0.1]);
        let (far, plain) = difference(&kernel, 8.0);
        assert!((7.0..9.0).contains(&far) && plain < 7.0 && plain < far, "{far} {plain}");
        let (near, plain) = difference(&kernel, 0.2);
        assert!((near - plain).abs() < 0.05, "{near} {plain}");
    }
}
