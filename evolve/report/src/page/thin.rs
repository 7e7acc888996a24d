//! Curves and numbers, thinned out to what can be seen.

/// At most `most` places out of `count`, evenly spaced, the first and the last among them.
pub fn thin(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    (0..most).map(|i| i * (count - 1) / (most - 1)).collect()
}

/// A number in five significant digits, more than a screen can show.
pub fn short(number: f64) -> f64 {
    format!("{number:.4e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinned_out_curves_keep_both_ends() {
        assert_eq!(thin(3, 5), [0, 1, 2]);
        assert_eq!(thin(9, 5), [0, 2, 4, 6, 8]);
        let kept = thin(5000, 60);
        assert_eq!((kept.len(), kept[0], kept[59]), (60, 0, 4999));
        assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(-1234.5678), -1234.6);
        assert_eq!(short(0.1 + 0.2), 0.3);
        assert_eq!(short(0.0), 0.0);
    }
}
