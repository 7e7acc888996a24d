//! Reduces curves and numbers to the precision of a screen.

use evolve_search::statistics::Interval;

/// Returns at most `most` of `count` indices, evenly spaced, including the first and the last.
pub fn thin(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    (0..most).map(|i| i * (count - 1) / (most - 1)).collect()
}

/// Rounds a number to five significant digits, which is finer than a screen shows.
pub fn short(number: f64) -> f64 {
    format!("{number:.4e}").parse().unwrap_or(number)
}

/// A mean with its interval and the decimals to show, as the page receives it.
pub type Ranged = (f64, f64, f64, usize);

/// Returns an interval for the page.
pub fn ranged(of: Interval) -> Ranged {
    let Interval { mean, low, high } = of.map(short);
    (mean, low, high, of.digits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinned_curves_keep_both_ends() {
        assert_eq!(thin(3, 5), [0, 1, 2]);
        assert_eq!(thin(9, 5), [0, 2, 4, 6, 8]);
        let kept = thin(5000, 60);
        assert_eq!((kept.len(), kept[0], kept[59]), (60, 0, 4999));
        assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn numbers_are_rounded() {
        assert_eq!(short(-1234.5678), -1234.6);
        assert_eq!(short(0.1 + 0.2), 0.3);
        assert_eq!(short(0.0), 0.0);
    }
}
