//! The effect of changing a candidate: on single outcomes and on their mean.

use crate::judgement::comparison::{Comparison, Difference, Looks, Units};
use evolve_search::model::trial::Outcome;
use evolve_search::statistics::Interval;

/// Returns whether two outcomes of a case differ. Where trials are deterministic, this is exact: a
/// parameter that changes no outcome has no effect on these cases, at any level of noise between
/// cases.
pub fn differs(a: &Outcome, b: &Outcome) -> bool {
    a.objective != b.objective || a.score != b.score || a.metrics != b.metrics
}

/// Counts the cases on which two candidates differ.
pub fn changed(a: &[Outcome], b: &[Outcome]) -> usize {
    a.iter().zip(b).filter(|(a, b)| differs(a, b)).count()
}

/// Estimates the effect of a change on the mean, from the paired differences of all cases, ordered
/// by number. There is one analysis, at error rate `alpha`. With fewer than six observations, the
/// interval is unbounded.
pub fn effect(differences: &[Difference], units: Units, alpha: f64) -> Interval {
    let comparison = Comparison::new(Looks::once(alpha, units.count), 0.0);
    let comparison = comparison.with(units.observations_by_number(differences));
    // Adding 0 turns -0 into 0.
    comparison.interval().map(|number| number + 0.0)
}

/// Returns the effect on cases beside which there are no others: their mean, without an interval.
pub fn exact(differences: &[Difference], units: Units) -> Interval {
    let comparison = Comparison::new(Looks::once(1.0, units.count), 0.0);
    comparison.with(units.observations_by_number(differences)).exact().map(|number| number + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_exceeds_its_noise() {
        let of = |values: &[f64]| {
            let differences: Vec<Difference> = values.iter().map(|&value| Difference::of(value)).collect();
            let units = Units { count: values.len(), cases: values.len(), instances: false };
            effect(&differences, units, 0.05)
        };
        let clear = of(&[1.0, 2.0, 1.5, 1.0, 2.0, 1.5, 1.2, 1.8]);
        assert!(clear.low > 1.0 && clear.beyond_noise() == clear.low, "{clear:?}");
        let worse = of(&[-1.0, -2.0, -1.5, -1.0, -2.0, -1.5, -1.2, -1.8]);
        assert_eq!((worse.mean, worse.beyond_noise()), (-clear.mean, clear.low));
        assert_eq!(of(&[1.0, -2.0, 1.5, -1.0, 2.0, -1.5, 1.2, -1.8]).beyond_noise(), 0.0);
        // Constant differences have no noise.
        assert_eq!(of(&[3.0; 8]), Interval { mean: 3.0, low: 3.0, high: 3.0 });
        assert_eq!(format!("{:+}", of(&[0.0; 8]).high), "+0");
        // There are too few observations for a claim.
        assert_eq!(of(&[1.0, 1.1]).beyond_noise(), 0.0);
    }
}
