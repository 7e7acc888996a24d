//! Axes: a range that shows all values, round tick marks, and their labels.

use super::text::{Font, width};

/// The minus sign, as wide as a plus.
const MINUS: &str = "\u{2212}";
/// The largest value; larger ones are drawn at the edge, so that ranges stay finite.
const LARGEST: f64 = 1e300;

/// An axis of a chart.
#[derive(Clone, Debug)]
pub struct Axis {
    low: f64,
    high: f64,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// Creates an axis of whole numbers from 0 to `end`, with about `count` steps between ticks.
    pub fn counting(end: u64, count: usize) -> Self {
        let end = end.max(1) as f64;
        // The margin keeps marks at both ends inside the chart.
        let margin = 0.02 * end;
        Self::new(-margin, end + margin, count, 1.0)
    }

    /// Creates an axis that shows all values, with about `count` steps between ticks.
    pub fn around(values: impl IntoIterator<Item = f64>, count: usize) -> Self {
        let values = values.into_iter().map(|value| value.clamp(-LARGEST, LARGEST));
        let range = values.fold(None, |range, value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((value.min(low), value.max(high)))
        });
        let Some((low, high)) = range else { return Self::new(0.0, 1.0, count, 0.0) };
        let size = low.abs().max(high.abs());
        let margin = match size {
            0.0 => 1.0,
            _ if high - low > 1e-9 * size => 0.05 * (high - low),
            _ => 0.1 * size,
        };
        let margin = margin.max(1.0 / LARGEST);
        Self::new(low - margin, high + margin, count, 0.0)
    }

    pub fn with_ticks(low: f64, high: f64, ticks: Vec<(f64, String)>) -> Self {
        Axis { low, high, ticks }
    }

    fn new(low: f64, high: f64, count: usize, smallest_step: f64) -> Self {
        let (digit, power) = round_number(((high - low) / count as f64).max(smallest_step));
        let step = digit * power_of_ten(power);
        let size = low.abs().max(high.abs());
        let decimals = decimals(size, power);
        let label = |value| if value == 0.0 { "0".to_string() } else { format_in_unit(value, size, decimals) };
        // The cast saturates where steps are too small for the range: the ticks are then odd, but
        // nothing panics.
        let first = (low / step).ceil() as i64;
        let ticks = (0..=2 * count as i64)
            .map(|i| first.saturating_add(i) as f64 * step)
            .take_while(|tick| *tick <= high)
            .map(|tick| (tick, label(tick)))
            .collect();
        Axis { low, high, ticks }
    }

    /// Returns the positions and labels of the ticks.
    pub fn ticks(&self) -> &[(f64, String)] {
        &self.ticks
    }

    /// Returns whether a value is within the range.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Returns the position of a value between the lower end, 0, and the upper end, 1.
    pub fn share(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Returns the width of the widest label.
    pub fn label_width(&self, font: Font) -> f64 {
        self.ticks.iter().map(|(_, label)| width(label, font)).fold(0.0, f64::max)
    }
}

/// Returns the nearest number, by ratio, of the form `digit`·10^`power` with a digit of 1, 2 or 5.
fn round_number(value: f64) -> (f64, i32) {
    let power = power(value);
    let mantissa = value / power_of_ten(power);
    // The limits between two digits are their geometric means.
    match mantissa * mantissa {
        ..2.0 => (1.0, power),
        ..10.0 => (2.0, power),
        ..50.0 => (5.0, power),
        _ => (1.0, power + 1),
    }
}

/// Returns the power of ten of a number's first digit. Uses its decimal digits, because logarithms
/// differ between machines.
fn power(value: f64) -> i32 {
    let digits = format!("{value:e}");
    let power = digits.split_once('e').and_then(|(_, power)| power.parse().ok());
    power.unwrap_or(0).clamp(-300, 300)
}

fn power_of_ten(power: i32) -> f64 {
    format!("1e{power}").parse().expect("digits are a number")
}

/// Returns the suffix for numbers of this size, and the power of ten that it stands for.
fn unit(size: f64) -> (&'static str, i32) {
    match size {
        1e10.. => ("G", 9),
        1e7.. => ("M", 6),
        1e4.. => ("k", 3),
        _ => ("", 0),
    }
}

/// Returns the number of decimals that show a digit of this power of ten, in the unit of numbers of
/// this size.
fn decimals(size: f64, power: i32) -> usize {
    (unit(size).1 - power).max(0) as usize
}

fn format_in_unit(value: f64, size: f64, decimals: usize) -> String {
    let text = if !(1e-5..1e13).contains(&size) {
        format!("{value:.1e}")
    } else {
        let (suffix, power) = unit(size);
        format!("{:.decimals$}{suffix}", value / power_of_ten(power))
    };
    text.replace('-', MINUS)
}

/// Formats `value ± deviation`, with the decimals that show three digits of the larger one. Without
/// a deviation, formats only the value.
pub fn plus_minus(value: f64, deviation: Option<f64>) -> String {
    let size = value.abs().max(deviation.unwrap_or(0.0).abs());
    let decimals = decimals(size, power(size) - 2);
    let format = |number: f64| if number == 0.0 { "0".to_string() } else { format_in_unit(number, size, decimals) };
    match deviation {
        Some(deviation) => format!("{} ± {}", format(value), format(deviation)),
        None => format(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_and_thousands_short() {
        assert_eq!(labels(&Axis::counting(90, 4)), ["0", "20", "40", "60", "80"]);
        assert_eq!(labels(&Axis::counting(120_000, 6)), ["0", "20k", "40k", "60k", "80k", "100k", "120k"]);
        assert_eq!(
            labels(&Axis::around([244_100.0, 246_400.0], 5)),
            ["244.0k", "244.5k", "245.0k", "245.5k", "246.0k", "246.5k"],
        );
        assert_eq!(labels(&Axis::around([-0.021, 0.02], 4)), ["−0.02", "−0.01", "0", "0.01", "0.02"]);
    }

    #[test]
    fn axes_of_whole_numbers_have_whole_steps() {
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
                assert!((0.0..=1.0).contains(&axis.share(a)), "{a} around {a} and {b}");
                plus_minus(a, Some(b));
            }
        }
        assert!(!Axis::around([], 5).ticks.is_empty());
        assert_eq!(labels(&Axis::around([7.0], 3)), ["6.5", "7.0", "7.5"]);
    }

    #[test]
    fn values_show_three_digits() {
        assert_eq!(plus_minus(0.4231, Some(0.0512)), "0.423 ± 0.051");
        assert_eq!(plus_minus(-12.5, Some(3.0)), "−12.5 ± 3.0");
        assert_eq!(plus_minus(123_456.0, Some(0.0)), "123k ± 0");
        assert_eq!(plus_minus(0.0, None), "0");
    }
}
