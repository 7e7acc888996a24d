//! Grids: the values `low + k * step` of a number.

use thiserror::Error;

/// The values of a number that are `low + k * step`, for whole numbers `k`.
///
/// Only [`value`](Self::value) computes them, from `k` alone, so that a value has the same bits
/// wherever it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    low: f64,
    step: f64,
    /// The number of decimals of `low` and `step`, to which values are rounded: the sum may have
    /// more, as in 0.30000000000000004.
    decimals: usize,
}

/// The reason why a parameter cannot have a grid with this step.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StepError {
    #[error("choices and switches have no step")]
    NoNumber,
    #[error("a logarithmic parameter has no step: the values of a grid have equal distances")]
    Logarithmic,
    #[error("a step is a number above 0, not {0}")]
    NotPositive(f64),
    #[error("a whole number has a whole step, not {0}")]
    NotWhole(f64),
    #[error("a step of {step} leaves a single value from {low} to {high}: it is at most {}", high - low)]
    TooLarge { step: f64, low: f64, high: f64 },
    #[error("a step of {step} is too small for numbers up to {largest}: it is at least {}", LEAST * largest)]
    TooSmall { step: f64, largest: f64 },
}

/// The smallest step, as a share of the largest magnitude. The values of a smaller one would differ
/// by little more than [`NOISE`].
const LEAST: f64 = 1e-10;
/// The distance from a value of a grid, relative to its magnitude, that is due to the computation.
const NOISE: f64 = 1e-12;

impl Grid {
    pub(super) fn new(low: f64, high: f64, step: f64) -> Result<Self, StepError> {
        let largest = low.abs().max(high.abs());
        match step {
            _ if step.is_nan() || step <= 0.0 => Err(StepError::NotPositive(step)),
            _ if step < LEAST * largest => Err(StepError::TooSmall { step, largest }),
            _ => {
                let grid = Grid { low, step, decimals: decimals(low).max(decimals(step)) };
                if grid.last(high) > low { Ok(grid) } else { Err(StepError::TooLarge { step, low, high }) }
            }
        }
    }

    /// Returns the largest value up to `high`.
    pub(super) fn last(&self, high: f64) -> f64 {
        self.value(self.index(high).floor())
    }

    /// Returns the distance between neighbouring values.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Returns the value with an index, which is 0 for the smallest one.
    pub fn value(&self, index: f64) -> f64 {
        let value = self.low + index * self.step;
        let decimals = self.decimals;
        // A sum of 0 has no sign.
        format!("{value:.decimals$}").parse().unwrap_or(value) + 0.0
    }

    /// Returns the index of a value: a whole number for values of the grid, and a fraction between
    /// them.
    pub fn index(&self, value: f64) -> f64 {
        let index = (value - self.low) / self.step;
        let distance = (value - self.value(index.round())).abs();
        if distance <= NOISE * self.low.abs().max(value.abs()) { index.round() } else { index }
    }
}

fn decimals(number: f64) -> usize {
    // `Display` writes no exponents.
    number.to_string().split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn values(low: f64, high: f64, step: f64) -> Vec<f64> {
        let grid = Grid::new(low, high, step).unwrap();
        let last = grid.index(grid.last(high)) as u32;
        (0..=last).map(|k| grid.value(f64::from(k))).collect()
    }

    #[test]
    fn values_are_without_noise() {
        assert_eq!(values(0.1, 0.95, 0.1), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
        assert_eq!(values(0.0, 0.3, 0.1), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(format!("{:?}", values(-0.3, 0.3, 0.1)), "[-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3]");
        assert_eq!(values(1.0, 100.0, 25.0), [1.0, 26.0, 51.0, 76.0]);
        assert_eq!(values(0.25, 1.0, 0.375), [0.25, 0.625, 1.0]);
        assert_eq!(values(1e-7, 4.5e-7, 1e-7), [1e-7, 2e-7, 3e-7, 4e-7]);
        assert_eq!(values(1e22, 1.5e22, 2e21), [1e22, 1.2e22, 1.4e22]);
        let large = (1_i64 << 53) as f64;
        assert_eq!(Grid::new(-large, large, 1e15 + 1.0).unwrap().value(9.0), -large + 9.0 * (1e15 + 1.0));
    }

    #[test]
    fn steps_that_give_no_grid_are_errors() {
        for (low, high, step, said) in [
            (0.0, 1.0, 0.0, "a step is a number above 0, not 0"),
            (0.0, 1.0, f64::NAN, "a step is a number above 0, not NaN"),
            (0.0, 1.0, 1.5, "a step of 1.5 leaves a single value from 0 to 1: it is at most 1"),
            (0.0, 1.0, f64::INFINITY, "a single value"),
            (-5e9, 1.0, 0.1, "a step of 0.1 is too small for numbers up to 5000000000: it is at least 0.5"),
        ] {
            let error = Grid::new(low, high, step).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    proptest! {
        /// Every value of a grid is a number with the decimals of its ends, and has its own index,
        /// also with the noise of other programs' sums.
        #[test]
        fn every_value_has_its_index(
            low in -1_000_000..1_000_000_i64, step in 1..1_000_000_i64, decimals in 0..9_usize, share in 0.0..1.0_f64,
            count in 1..1_000_000_i64,
        ) {
            let number = |whole: i64| format!("{whole}e-{decimals}").parse::<f64>().unwrap();
            let high = number(low + count * step + step / 2);
            let grid = Grid::new(number(low), high, number(step));
            prop_assume!(!matches!(grid, Err(StepError::TooSmall { .. })));
            let grid = grid.unwrap();
            let k = (share * count as f64) as i64;
            let value = grid.value(k as f64);
            prop_assert_eq!(value, number(low + k * step));
            prop_assert_eq!(grid.index(value), k as f64);
            prop_assert_eq!(grid.index(number(low) + k as f64 * number(step)), k as f64);
            prop_assert_eq!(grid.last(high), number(low + count * step));
        }
    }
}
