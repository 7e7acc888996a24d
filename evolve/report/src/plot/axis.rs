//! Axes: the range that shows all values, round tick marks and their labels.

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// The minus sign proper, as wide as a plus.
const MINUS: &str = "\u{2212}";

/// One axis of a chart.
#[derive(Clone)]
pub struct Axis {
    /// The values between the chart's edges.
    pub range: Range<f64>,
    /// Where grid lines and labels go: round values within `range`, ascending.
    pub ticks: Vec<f64>,
    decimals: usize,
    largest: f64,
}

impl Axis {
    /// An axis of whole numbers from 0 to `end`, with about `count` steps between ticks.
    pub fn counting(end: u64, count: usize) -> Self {
        let end = end.max(1) as f64;
        // A marker at either end must not be cut in half by the chart's edge.
        let margin = 0.02 * end;
        Self::new(-margin..end + margin, count, 1.0)
    }

    /// An axis that shows all the values, with about `count` steps between ticks.
    pub fn around(values: impl IntoIterator<Item = f64>, count: usize) -> Self {
        let (low, high) = values
            .into_iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return Self::new(0.0..1.0, count, 0.0);
        }
        let size = low.abs().max(high.abs());
        let margin = if high - low > 1e-9 * size {
            0.05 * (high - low)
        } else if size > 0.0 {
            0.1 * size
        } else {
            1.0
        };
        Self::new(low - margin..high + margin, count, 0.0)
    }

    fn new(range: Range<f64>, count: usize, smallest_step: f64) -> Self {
        let rough = ((range.end - range.start) / count as f64).max(smallest_step);
        let (digit, exponent) = round_number(rough);
        let step = digit * 10_f64.powi(exponent);
        // Saturates for ranges beyond f64: such an axis gets no sensible ticks, but no panic either.
        let first = (range.start / step).ceil() as i64;
        let ticks = (0..=2 * count as i64)
            .map(|i| first.saturating_add(i) as f64 * step)
            .take_while(|tick| *tick <= range.end)
            .collect();
        let largest = range.start.abs().max(range.end.abs());
        Self { range, ticks, decimals: (unit(largest).1 - exponent).max(0) as usize, largest }
    }

    /// How a tick at `value` is labelled: all labels of one axis have the same unit and decimals.
    pub fn label(&self, value: f64) -> String {
        if value == 0.0 {
            return "0".to_string();
        }
        format_in_unit(value, self.largest, self.decimals)
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let part = (value - self.range.start) / (self.range.end - self.range.start);
        start + (part * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.label(*value)
    }
}

/// The number `digit`·10^`exponent` with a digit of 1, 2 or 5 that is the nearest by ratio.
fn round_number(value: f64) -> (f64, i32) {
    let exponent = value.log10().floor().clamp(-300.0, 300.0) as i32;
    let mantissa = value / 10_f64.powi(exponent);
    // The limits between two digits are their geometric means.
    match mantissa * mantissa {
        ..2.0 => (1.0, exponent),
        ..10.0 => (2.0, exponent),
        ..50.0 => (5.0, exponent),
        _ => (1.0, exponent + 1),
    }
}

/// The suffix for numbers of this size and the power of ten that it stands for.
fn unit(size: f64) -> (&'static str, i32) {
    match size {
        1e10.. => ("G", 9),
        1e7.. => ("M", 6),
        1e4.. => ("k", 3),
        _ => ("", 0),
    }
}

fn format_in_unit(value: f64, size: f64, decimals: usize) -> String {
    let text = if !(1e-5..1e13).contains(&size) {
        format!("{value:.1e}")
    } else {
        let (suffix, exponent) = unit(size);
        format!("{:.decimals$}{suffix}", value / 10_f64.powi(exponent))
    };
    text.replace('-', MINUS)
}

/// `value ± deviation`, both to as many decimals as show three digits of the larger one.
pub fn plus_minus(value: f64, deviation: f64) -> String {
    let size = value.abs().max(deviation.abs());
    let exponent = match size {
        0.0 => 2,
        size => size.log10().floor() as i32,
    };
    let decimals = (unit(size).1 + 2 - exponent).max(0) as usize;
    let format = |number| match number {
        0.0 => "0".to_string(),
        number => format_in_unit(number, size, decimals),
    };
    format!("{} ± {}", format(value), format(deviation))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks.iter().map(|&tick| axis.label(tick)).collect()
    }

    #[test]
    fn ticks_are_round_and_thousands_short() {
        assert_eq!(labels(&Axis::counting(90, 4)), ["0", "20", "40", "60", "80"]);
        assert_eq!(labels(&Axis::counting(120_000, 6)), ["0", "20k", "40k", "60k", "80k", "100k", "120k"],);
        assert_eq!(
            labels(&Axis::around([244_100.0, 246_400.0], 5)),
            ["244.0k", "244.5k", "245.0k", "245.5k", "246.0k", "246.5k"],
        );
        assert_eq!(labels(&Axis::around([-0.021, 0.02], 4)), ["−0.02", "−0.01", "0", "0.01", "0.02"],);
    }

    #[test]
    fn whole_numbers_have_no_half_steps() {
        assert_eq!(labels(&Axis::counting(1, 10)), ["0", "1"]);
        assert_eq!(labels(&Axis::counting(0, 10)), ["0", "1"]);
    }

    #[test]
    fn any_finite_values_make_an_axis() {
        let extremes = [0.0, -0.0, 1.0, -1e308, 1e308, 5e-324, 1e15, 1e15 + 0.25];
        for a in extremes {
            for b in extremes {
                let axis = Axis::around([a, b], 5);
                assert!(axis.ticks.len() <= 11);
                labels(&axis);
                plus_minus(a, b);
            }
        }
        assert!(!Axis::around([], 5).ticks.is_empty());
        assert_eq!(labels(&Axis::around([7.0], 3)), ["6.5", "7.0", "7.5"]);
    }

    #[test]
    fn values_show_three_digits() {
        assert_eq!(plus_minus(0.4231, 0.0512), "0.423 ± 0.051");
        assert_eq!(plus_minus(-12.5, 3.0), "−12.5 ± 3.0");
        assert_eq!(plus_minus(123_456.0, 0.0), "123k ± 0");
    }
}
