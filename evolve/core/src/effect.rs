//! What a change of a candidate does: to single outcomes, and to their mean.

use crate::comparison::{Comparison, Difference, Looks, Units};
use crate::statistics::Interval;
use crate::trial::Outcome;

/// Whether two candidates played a deal differently, as far as outcomes tell. Of a problem that reproduces this is
/// exact: a parameter that changes no outcome does not matter there, however large the noise from deal to deal.
pub fn differs(a: &Outcome, b: &Outcome) -> bool {
    a.objective != b.objective || a.score != b.score || a.parts != b.parts
}

/// What a change does to the mean, by paired differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The mean of the paired differences.
    pub mean: f64,
    /// The lower end of the interval; infinite where too few observations support any claim.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Effect {
    /// The effect by differences of all deals in the order of their numbers, with one look at this error rate.
    pub fn of(differences: &[Difference], units: Units, alpha: f64) -> Self {
        let mut comparison = Comparison::new(Looks::once(alpha, units.count), 0.0);
        units.observations_by_number(differences).into_iter().for_each(|one| comparison.add(one));
        let Interval { mean, low, high } = comparison.interval();
        // Not -0.
        Effect { mean: mean + 0.0, low: low + 0.0, high: high + 0.0 }
    }

    /// By how much the mean differs from zero at least.
    pub fn beyond_noise(&self) -> f64 {
        self.low.max(-self.high).max(0.0)
    }

    /// Half the width of the interval.
    pub fn half_width(&self) -> f64 {
        0.5 * (self.high - self.low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_is_what_is_beyond_its_noise() {
        let of = |values: &[f64]| {
            let differences: Vec<Difference> = values.iter().map(|&value| Difference::of(value)).collect();
            let units = Units { count: values.len(), deals: values.len(), instances: false };
            Effect::of(&differences, units, 0.05)
        };
        let clear = of(&[1.0, 2.0, 1.5, 1.0, 2.0, 1.5, 1.2, 1.8]);
        assert!(clear.low > 1.0 && clear.beyond_noise() == clear.low, "{clear:?}");
        let worse = of(&[-1.0, -2.0, -1.5, -1.0, -2.0, -1.5, -1.2, -1.8]);
        assert_eq!((worse.mean, worse.beyond_noise()), (-clear.mean, clear.low));
        assert_eq!(of(&[1.0, -2.0, 1.5, -1.0, 2.0, -1.5, 1.2, -1.8]).beyond_noise(), 0.0);
        // The same on every deal: there is no noise to be beyond.
        assert_eq!(of(&[3.0; 8]), Effect { mean: 3.0, low: 3.0, high: 3.0 });
        assert_eq!(format!("{:+}", of(&[0.0; 8]).high), "+0");
        // Too few for any claim.
        assert_eq!(of(&[1.0, 1.1]).beyond_noise(), 0.0);
    }
}
