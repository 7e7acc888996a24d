//! Interim analyses: their times, and the boundary that the mean must cross at each.

use evolve_search::statistics::{LEAST_SAMPLE, two_sided};

/// The number of interim analyses of a comparison, including the last.
const LOOKS: usize = 10;

/// The farthest boundary in standard errors. Farther out, the distribution of a mean is not close
/// enough to normal.
const FARTHEST: f64 = 7.0;

/// The planned interim analyses of a comparison: numbers of observations, and the boundary at each.
///
/// The boundary follows O'Brien and Fleming (1979): `c sqrt(N / n)` standard errors at `n` of `N`
/// observations. It is wide early, and at the end close to the boundary of a fixed-sample test.
/// Integrating the density of the sum from analysis to analysis gives the constant `c` (Armitage,
/// McPherson and Rowe, 1969), which is 2.087 for ten analyses at 5 % (Jennison and Turnbull, "Group
/// Sequential Methods", 2000, table 2.3).
#[derive(Clone, Debug, PartialEq)]
pub struct Looks {
    /// The numbers of observations, ascending; the last is the planned total.
    counts: Vec<usize>,
    /// The boundary at the last look, in standard errors.
    last: f64,
    /// The same for a gain and for a loss.
    at_end: [f64; 2],
}

/// The results that end a comparison early only if they are
/// [settled](super::Comparison::is_settled).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// None: the boundary is enough.
    None,
    /// A gain; a loss needs only the boundary.
    WithGains,
    WithBoth,
}

impl Looks {
    /// Plans at most ten analyses over up to `planned` observations, with the two-sided error rate
    /// `alpha` over all of them. The first analysis has enough observations for an interval.
    ///
    /// The mean of a settled result lies beyond twice the boundary, where it hardly ever lies by
    /// chance. If nothing else ends the comparison early, the last analysis has the boundary of a
    /// single analysis.
    pub fn planned(alpha: f64, planned: usize, patience: Patience) -> Self {
        let counts = counts(planned);
        let shares: Vec<f64> = counts.iter().map(|&count| count as f64 / planned.max(1) as f64).collect();
        let last = constant(&shares, alpha);
        let once = two_sided(alpha);
        let at_end = match patience {
            Patience::None => [last; 2],
            Patience::WithGains => [once, last],
            Patience::WithBoth => [once; 2],
        };
        Looks { counts, last, at_end }
    }

    /// Plans a single look, at the end.
    pub fn once(alpha: f64, planned: usize) -> Self {
        let last = two_sided(alpha);
        Looks { counts: vec![planned], last, at_end: [last; 2] }
    }

    /// Returns the boundaries for a gain and for a loss at `count` observations, in standard errors
    /// of a normal mean; `None` where no look is planned or the boundary is too far out.
    pub fn boundaries(&self, count: usize) -> Option<[f64; 2]> {
        let planned = *self.counts.last()?;
        let z = self.last * (planned as f64 / count as f64).sqrt();
        let boundaries = if count == planned { self.at_end } else { [z; 2] };
        (self.counts.contains(&count) && z <= FARTHEST).then_some(boundaries)
    }
}

/// Returns the numbers of observations at the interim analyses of a comparison of up to `planned`
/// observations: tenths of them, starting at [`LEAST_SAMPLE`].
pub(super) fn counts(planned: usize) -> Vec<usize> {
    let tenths = (1..LOOKS).map(|tenth| (planned * tenth).div_ceil(LOOKS));
    let mut counts: Vec<usize> = tenths.filter(|&count| (LEAST_SAMPLE..planned).contains(&count)).collect();
    counts.push(planned);
    counts.dedup();
    counts
}

/// Returns the constant for which sums of normal observations leave the boundary at one of the
/// looks with probability `alpha`. `shares` holds the share of all observations at each look.
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

/// Returns the probability that a sum of normal observations, with total variance 1, leaves `-c..c`
/// at one of the looks.
fn crossing(shares: &[f64], c: f64) -> f64 {
    /// The number of points for Simpson's rule. With ten looks, about six points span a standard
    /// deviation of an increment.
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
        // By distances from -2c to 2c, so that those to one point are consecutive.
        let to_end = (0..POINTS).map(|i| density(step * i as f64, pair[1] - pair[0]));
        let moves: Vec<f64> = to_end.clone().skip(1).rev().chain(to_end).collect();
        let from = |to: usize| inside.iter().zip(&moves[POINTS - 1 - to..]).map(|(mass, by)| mass * by).sum::<f64>();
        inside = (0..POINTS).map(|to| from(to) * weight(to)).collect();
    }
    1.0 - inside.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_match_the_literature() {
        // Jennison and Turnbull (2000), table 2.3.
        for (looks, alpha, expected) in [(2, 0.05, 1.977), (5, 0.05, 2.040), (10, 0.05, 2.087)] {
            let shares: Vec<f64> = (1..=looks).map(|look| look as f64 / looks as f64).collect();
            let found = constant(&shares, alpha);
            assert!((found - expected).abs() < 0.001, "{looks} {alpha}: {found}");
        }
    }

    #[test]
    fn looks_are_tenths_with_enough_observations() {
        let looks = Looks::planned(0.05, 100, Patience::None);
        assert_eq!(looks.counts, [30, 40, 50, 60, 70, 80, 90, 100]);
        assert_eq!(looks.boundaries(35), None);
        let [early, last] = [40, 100].map(|count| looks.boundaries(count).unwrap());
        assert!((early[0] / last[0] - 2.5f64.sqrt()).abs() < 1e-12 && early[0] == early[1] && last[0] == last[1]);
        let patient = Looks::planned(0.05, 100, Patience::WithGains);
        assert_eq!([40, 100].map(|count| patient.boundaries(count).unwrap()), [early, [two_sided(0.05), last[1]]]);
        assert_eq!(Looks::planned(0.05, 20, Patience::None), Looks::once(0.05, 20));
    }
}
