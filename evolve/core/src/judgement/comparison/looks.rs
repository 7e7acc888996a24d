//! Interim analyses: their times, and the boundary that the mean must cross at each.

use crate::statistics::{LEAST_SAMPLE, two_sided};

/// Interim analyses of one comparison, the last one included.
const LOOKS: usize = 10;

/// No boundary is believed farther out than so many standard errors: tails of a mean are normal in the middle alone.
const FARTHEST: f64 = 7.0;

/// The planned interim analyses of a comparison: numbers of observations and the boundary at each.
///
/// The boundary follows O'Brien and Fleming (1979): `c sqrt(N / n)` standard errors at `n` of `N` observations. It is
/// wide early and close to that of a fixed-sample test at the end. `c` comes from integrating the density of the sum
/// from analysis to analysis (Armitage, McPherson and Rowe, 1969), which gives 2.087 for ten analyses at 5 % (Jennison
/// and Turnbull, "Group Sequential Methods", 2000, table 2.3).
#[derive(Clone, Debug, PartialEq)]
pub struct Looks {
    /// In ascending order; the last is the number of observations planned.
    counts: Vec<usize>,
    /// The boundary at the last look, in standard errors.
    last: f64,
}

impl Looks {
    /// At most ten analyses over up to `planned` observations, none before there are enough for an interval, with a
    /// two-sided error rate over all of them.
    pub fn planned(alpha: f64, planned: usize) -> Self {
        let counts = counts(planned);
        let shares: Vec<f64> = counts.iter().map(|&count| count as f64 / planned.max(1) as f64).collect();
        Looks { last: constant(&shares, alpha), counts }
    }

    /// One look, at the end.
    pub fn once(alpha: f64, planned: usize) -> Self {
        Looks { counts: vec![planned], last: two_sided(alpha) }
    }

    /// How many observations there are at the next look after `count`; `None` after the last one.
    pub fn next(&self, count: usize) -> Option<usize> {
        self.counts.iter().copied().find(|&look| look > count)
    }

    /// The boundary at so many observations, in standard errors of a normal mean; `None` where no look is planned, or
    /// it is too far out.
    pub fn boundary(&self, count: usize) -> Option<f64> {
        let planned = *self.counts.last()?;
        let z = self.last * (planned as f64 / count as f64).sqrt();
        (self.counts.contains(&count) && z <= FARTHEST).then_some(z)
    }
}

/// The numbers of observations at the interim analyses of a comparison of up to `planned`: tenths of them, from
/// [`LEAST_SAMPLE`] on.
pub(super) fn counts(planned: usize) -> Vec<usize> {
    let tenths = (1..LOOKS).map(|tenth| (planned * tenth).div_ceil(LOOKS));
    let mut counts: Vec<usize> = tenths.filter(|&count| (LEAST_SAMPLE..planned).contains(&count)).collect();
    counts.push(planned);
    counts.dedup();
    counts
}

/// The constant with which sums of normal observations leave the boundary at one of the looks with probability `alpha`.
/// Looks are given by their shares of all observations.
fn constant(shares: &[f64], alpha: f64) -> f64 {
    if shares.len() == 1 {
        return two_sided(alpha);
    }
    let (mut low, mut high) = (0.1, FARTHEST);
    for _ in 0..32 {
        let middle = 0.5 * (low + high);
        if crossing(shares, middle) > alpha { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The probability that a sum of normal observations, of variance 1 in all, leaves `-c..c` at one of the looks.
fn crossing(shares: &[f64], c: f64) -> f64 {
    /// Points of Simpson's rule: at ten looks six of them make a standard deviation of what comes between two.
    const POINTS: usize = 81;
    let step = 2.0 * c / (POINTS - 1) as f64;
    let weight = |i: usize| match i {
        0 => step / 3.0,
        i if i == POINTS - 1 => step / 3.0,
        i if i % 2 == 1 => step * 4.0 / 3.0,
        _ => step * 2.0 / 3.0,
    };
    let density =
        |x: f64, variance: f64| libm::exp(-0.5 * x * x / variance) / (std::f64::consts::TAU * variance).sqrt();
    let mut inside: Vec<f64> = (0..POINTS).map(|i| density(step * i as f64 - c, shares[0]) * weight(i)).collect();
    for pair in shares.windows(2) {
        let moves: Vec<f64> = (0..POINTS).map(|i| density(step * i as f64, pair[1] - pair[0])).collect();
        let from = |to: usize| inside.iter().enumerate().map(|(i, mass)| mass * moves[i.abs_diff(to)]).sum::<f64>();
        inside = (0..POINTS).map(|to| from(to) * weight(to)).collect();
    }
    1.0 - inside.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_those_of_the_literature() {
        // Jennison and Turnbull (2000), table 2.3.
        for (looks, alpha, expected) in [(2, 0.05, 1.977), (5, 0.05, 2.040), (10, 0.05, 2.087)] {
            let shares: Vec<f64> = (1..=looks).map(|look| look as f64 / looks as f64).collect();
            let found = constant(&shares, alpha);
            assert!((found - expected).abs() < 0.001, "{looks} {alpha}: {found}");
        }
    }

    #[test]
    fn looks_are_tenths_that_have_enough_observations() {
        let looks = Looks::planned(0.05, 100);
        assert_eq!(looks.counts, [30, 40, 50, 60, 70, 80, 90, 100]);
        assert_eq!((looks.next(0), looks.next(30), looks.next(100)), (Some(30), Some(40), None));
        assert_eq!(looks.boundary(35), None);
        let (early, last) = (looks.boundary(40).unwrap(), looks.boundary(100).unwrap());
        assert!((early / last - 2.5f64.sqrt()).abs() < 1e-12);
        assert_eq!(Looks::planned(0.05, 20), Looks::once(0.05, 20));
    }
}
