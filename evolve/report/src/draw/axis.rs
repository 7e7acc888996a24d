//! Axes of pictures and pages: a range, round ticks, and their labels. The page receives axes as
//! data, so ranges, steps, units and decimals are decided here for both.

use super::text::{Font, width};
use evolve_search::model::parameter::{Kind, Parameter};
use evolve_search::model::rating::Rating;
use evolve_search::statistics::median;
use serde::Serialize;

/// The minus sign, as wide as a plus.
const MINUS: &str = "\u{2212}";
/// The largest value; larger ones are drawn at the edge, so that ranges stay finite.
const LARGEST: f64 = 1e300;
/// The number of finest steps in a range: as far as a page can zoom.
const FINEST: f64 = 2000.0;
/// The sample from which a few far points no longer decide a range.
const MANY: usize = 20;
/// The smallest number of ticks at powers of ten and their parts; with fewer, ticks are even.
const FEWEST: usize = 2;

/// The unit of ratios.
const PERCENT: (f64, &str) = (0.01, " %");

#[derive(Clone, Debug, Serialize)]
pub struct Axis {
    low: f64,
    high: f64,
    /// Whether distances are ratios.
    log: bool,
    /// The usual number of steps between ticks.
    #[serde(skip)]
    count: usize,
    /// Round steps between ticks from coarse to fine, each with the decimals of its labels.
    steps: Vec<(f64, usize)>,
    /// The size and the suffix of the unit in which labels are written.
    unit: (f64, &'static str),
    /// The ticks of an axis without round steps.
    marks: Vec<(f64, String)>,
}

impl Axis {
    /// Creates an axis of whole numbers from 0 to `end`, with about `count` steps between ticks.
    pub fn counting(end: u64, count: usize) -> Self {
        let end = end.max(1) as f64;
        // The margin keeps marks at both ends inside the chart.
        let margin = 0.02 * end;
        Self::new((-margin, end + margin), count, 1.0, unit(end + margin))
    }

    /// Creates an axis of seconds from 0 to `end`.
    pub fn time(end: f64, count: usize) -> Self {
        let end = end.clamp(1e-3, LARGEST);
        let unit = match end {
            7200.0.. => (3600.0, " h"),
            180.0.. => (60.0, " min"),
            _ => (1.0, " s"),
        };
        Self::new((-0.02 * end, 1.02 * end), count, 0.0, unit)
    }

    /// Creates an axis that shows all values, with about `count` steps between ticks.
    pub fn around(values: impl IntoIterator<Item = f64>, count: usize) -> Self {
        let values = values.into_iter().map(|value| value.clamp(-LARGEST, LARGEST));
        let range = values.fold(None, |range, value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((value.min(low), value.max(high)))
        });
        let Some((low, high)) = range else { return Self::new((0.0, 1.0), count, 0.0, unit(1.0)) };
        let size = low.abs().max(high.abs());
        let margin = match size {
            0.0 => 1.0,
            _ if high - low > 1e-9 * size => 0.05 * (high - low),
            _ => 0.1 * size,
        };
        let margin = margin.max(1.0 / LARGEST);
        let (low, high) = (low - margin, high + margin);
        Self::new((low, high), count, 0.0, unit(low.abs().max(high.abs())))
    }

    /// Creates an axis that shows some values, and most of many others: a few far ones lie at its
    /// edge.
    pub fn around_most(values: impl IntoIterator<Item = f64>, many: &[f64], count: usize) -> Self {
        let mut sorted = many.to_vec();
        sorted.sort_by(f64::total_cmp);
        let quantile = |share: f64| sorted[(share * (sorted.len() - 1) as f64).round() as usize];
        let most = match sorted.len() {
            ..MANY => sorted.clone(),
            _ => vec![quantile(0.04), quantile(0.99)],
        };
        Self::around(values.into_iter().chain(most), count)
    }

    /// Creates the axis of a parameter's range: with equal distances of equal ratios if the search
    /// moves on its logarithm, and with a place for each name of a choice.
    pub fn of_parameter(parameter: &Parameter, count: usize) -> Self {
        let (low, high) = parameter.range();
        match &parameter.kind {
            _ if parameter.is_log() && low > 0.0 => Self::by_ratio(low, high, count),
            Kind::Float { .. } => Self::new((low, high), count, 0.0, unit(low.abs().max(high.abs()))),
            Kind::Int { .. } => Self::new((low, high), count, 1.0, unit(low.abs().max(high.abs()))),
            Kind::Choice(names) => Self::of_names(names),
            Kind::Switch => Self::of_names(&["false", "true"]),
        }
    }

    /// Creates an axis with equal distances of equal ratios.
    fn by_ratio(low: f64, high: f64, count: usize) -> Self {
        let (from, to) = (power(low), power(high) + 1);
        let every = ((to - from) as usize).div_ceil(count.max(1)).max(1);
        let digits: &[f64] = if to - from <= 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let powers = (from..=to).step_by(every);
        let ticks = powers.flat_map(|power| digits.iter().map(move |digit| digit * power_of_ten(power)));
        let is_inside = |tick: &f64| *tick >= low * (1.0 - 1e-9) && *tick <= high * (1.0 + 1e-9);
        let marks = ticks.filter(is_inside).map(|tick| (tick, alone(tick))).collect();
        // Round steps serve where a part of the range has too few of these ticks.
        let plain = Self::new((low, high), count, 0.0, unit(high));
        Axis { log: true, marks, ..plain }
    }

    /// Creates an axis with equal distances of equal ratios that shows all values; `None` if one is
    /// not positive.
    pub fn of_ratios(values: &[f64], count: usize) -> Option<Self> {
        let (low, high) =
            values.iter().fold((f64::MAX, 0.0_f64), |(low, high), value| (value.min(low), value.max(high)));
        (low > 0.0 && high <= LARGEST && high > low).then(|| Self::by_ratio(low / 1.05, high * 1.05, count))
    }

    /// Writes the labels in percent, if the values are ratios.
    pub fn in_percent(self, rating: Rating) -> Self {
        if rating.is_ratio() { Self::new((self.low, self.high), self.count, 0.0, PERCENT) } else { self }
    }

    /// Creates an axis of shares from 0 to 1.
    pub fn of_shares(count: usize) -> Self {
        Self::new((0.0, 1.0), count, 0.0, PERCENT)
    }

    pub fn with_ticks(low: f64, high: f64, marks: Vec<(f64, String)>) -> Self {
        Axis { low, high, log: false, count: marks.len(), steps: Vec::new(), unit: (1.0, ""), marks }
    }

    /// Creates an axis of the same kind as a parameter's that shows all values.
    pub fn like(parameter: &Parameter, values: impl IntoIterator<Item = f64>, count: usize) -> Self {
        let own = Self::of_parameter(parameter, count);
        match own.steps.is_empty() {
            _ if own.log => {
                let values = values.into_iter().filter(|value| *value > 0.0);
                let (low, high) =
                    values.fold((own.high, own.low), |(low, high), value| (value.min(low), value.max(high)));
                if high > 1.01 * low { Self::by_ratio(low / 1.05, high * 1.05, count) } else { own }
            }
            true => own,
            false => Self::around(values, count),
        }
    }

    /// Creates an axis with a place for each name.
    pub fn of_names(names: &[impl ToString]) -> Self {
        let marks = names.iter().enumerate().map(|(i, name)| (i as f64, name.to_string())).collect();
        Self::with_ticks(-0.5, names.len() as f64 - 0.5, marks)
    }

    fn new((low, high): (f64, f64), count: usize, smallest: f64, unit: (f64, &'static str)) -> Self {
        let size = low.abs().max(high.abs());
        let (range, smallest) = ((high - low) / unit.0, smallest / unit.0);
        let mut axis = Axis { low, high, log: false, count, steps: Vec::new(), unit, marks: Vec::new() };
        let (mut digit, mut power) = round_number((range / 2.0).max(smallest));
        // Half a step less, because a range of `FINEST` steps has a step at its end.
        while digit * power_of_ten(power) >= (range / FINEST).max(0.999 * smallest) && power > -300 {
            axis.steps.push((digit * power_of_ten(power) * unit.0, (-power).max(0) as usize));
            (digit, power) = match digit {
                5.0 => (2.0, power),
                2.0 => (1.0, power),
                _ => (5.0, power - 1),
            };
        }
        if !(1e-5..1e13).contains(&size) {
            // Labels with exponents.
            axis.marks = axis.stepped().into_iter().map(|(tick, _)| (tick, format_in_unit(tick, size, 0))).collect();
            axis.steps.clear();
        }
        axis
    }

    /// Returns the positions and labels of the ticks.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let is_marked = self.steps.is_empty() || self.log && self.marks.len() >= FEWEST;
        if is_marked { self.marks.clone() } else { self.stepped() }
    }

    /// Returns the ticks with the step that is nearest, by ratio, to the usual number of steps.
    fn stepped(&self) -> Vec<(f64, String)> {
        let wanted = (self.high - self.low) / self.count as f64;
        let apart = |step: f64| if step > wanted { step / wanted } else { wanted / step };
        let nearest = self.steps.iter().copied().min_by(|(a, _), (b, _)| apart(*a).total_cmp(&apart(*b)));
        let Some((step, decimals)) = nearest else { return Vec::new() };
        // The cast saturates where steps are too small for the range: the ticks are then odd, but
        // nothing panics.
        let first = (self.low / step).ceil() as i64;
        let label = |tick: f64| match tick {
            0.0 => "0".to_string(),
            _ => format!("{:.decimals$}{}", tick / self.unit.0, self.unit.1).replace('-', MINUS),
        };
        (0..=2 * self.count as i64)
            .map(|i| first.saturating_add(i) as f64 * step)
            .take_while(|tick| *tick <= self.high)
            .map(|tick| (tick, label(tick)))
            .collect()
    }

    /// Returns whether a value is within the range.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Returns the position of a value between the lower end, 0, and the upper end, 1.
    pub fn share(&self, value: f64) -> f64 {
        let bend = |value: f64| if self.log { libm::log(value.max(f64::MIN_POSITIVE)) } else { value };
        let (low, high) = (bend(self.low), bend(self.high));
        if high > low { ((bend(value) - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 }
    }

    /// Returns the width of the widest label.
    pub fn label_width(&self, font: Font) -> f64 {
        self.ticks().iter().map(|(_, label)| width(label, font)).fold(0.0, f64::max)
    }
}

/// Formats a number that stands alone on an axis: short ones as they are, others by their power of
/// ten.
fn alone(value: f64) -> String {
    let text =
        if (1e-3..1e5).contains(&value.abs()) || value == 0.0 { format!("{value}") } else { format!("{value:e}") };
    text.replace('-', MINUS)
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

/// Returns the size and the suffix of the unit for numbers of this size.
fn unit(size: f64) -> (f64, &'static str) {
    match size {
        1e10.. => (1e9, "G"),
        1e7.. => (1e6, "M"),
        1e4.. => (1e3, "k"),
        _ => (1.0, ""),
    }
}

/// Returns the number of decimals that show a digit of this power of ten, in the unit of numbers of
/// this size.
fn decimals(size: f64, power: i32) -> usize {
    (self::power(unit(size).0) - power).max(0) as usize
}

fn format_in_unit(value: f64, size: f64, decimals: usize) -> String {
    let text = if !(1e-5..1e13).contains(&size) {
        format!("{value:.1e}")
    } else {
        let (unit, suffix) = unit(size);
        format!("{:.decimals$}{suffix}", value / unit)
    };
    text.replace('-', MINUS)
}

/// Returns the decimals that show three digits of the median of some numbers, and all of whole
/// numbers.
pub fn column_decimals(numbers: impl IntoIterator<Item = f64>) -> usize {
    let numbers: Vec<f64> = numbers.into_iter().filter(|number| number.is_finite()).collect();
    let sizes: Vec<f64> = numbers.iter().filter(|number| **number != 0.0).map(|number| number.abs()).collect();
    match numbers.iter().all(|number| number.fract() == 0.0) {
        true => 0,
        false => (2 - power(median(&sizes))).clamp(0, 6) as usize,
    }
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

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks().into_iter().map(|(_, label)| label).collect()
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
                assert!(axis.ticks().len() <= 11);
                assert!((0.0..=1.0).contains(&axis.share(a)), "{a} around {a} and {b}");
                plus_minus(a, Some(b));
            }
        }
        assert!(!Axis::around([], 5).ticks().is_empty());
        assert_eq!(labels(&Axis::around([7.0], 3)), ["6.5", "7.0", "7.5"]);
    }

    #[test]
    fn parameters_have_axes_of_their_own_kind() {
        let of = |parameter: Parameter| labels(&Axis::of_parameter(&parameter, 5));
        assert_eq!(of(Parameter::float("rate", 1e-3, 1e3, 1.0).log()), ["0.001", "0.1", "10", "1000"]);
        assert_eq!(of(Parameter::float("rate", 1e-7, 1e-6, 1e-7).log()), ["1e−7", "2e−7", "5e−7", "1e−6"]);
        assert_eq!(
            of(Parameter::float("rate", 0.3, 0.45, 0.4).log()),
            ["0.30", "0.32", "0.34", "0.36", "0.38", "0.40", "0.42", "0.44"]
        );
        assert_eq!(of(Parameter::int("k", 1, 3, 2)), ["1", "2", "3"]);
        assert_eq!(of(Parameter::choice("way", ["a", "b"], 0)), ["a", "b"]);
        let axis = Axis::of_parameter(&Parameter::float("rate", 1e-3, 1e3, 1.0).log(), 5);
        assert!((axis.share(1.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn positive_values_have_an_axis_of_ratios() {
        let of = |values: &[f64]| Axis::of_ratios(values, 5).map(|axis| labels(&axis));
        assert_eq!(of(&[0.02, 3.0, 700.0]).unwrap(), ["0.1", "1", "10", "100"]);
        assert_eq!(of(&[760.0, 930.0]).unwrap(), ["750", "800", "850", "900", "950"]);
        assert!(of(&[0.0, 1.0]).is_none() && of(&[]).is_none() && of(&[1.0, f64::INFINITY]).is_none());
        let gains = Axis::around([-0.02, 0.31], 4).in_percent(Rating::Ratio);
        assert_eq!(labels(&gains), ["0", "10 %", "20 %", "30 %"]);
        assert_eq!(labels(&Axis::of_shares(4)), ["0", "20 %", "40 %", "60 %", "80 %", "100 %"]);
    }

    #[test]
    fn time_is_in_its_own_units_and_far_points_do_not_stretch_an_axis() {
        assert_eq!(labels(&Axis::time(10_800.0, 4)), ["0", "1 h", "2 h", "3 h"]);
        assert_eq!(labels(&Axis::time(2.0, 4)), ["0", "0.5 s", "1.0 s", "1.5 s", "2.0 s"]);
        let mut many: Vec<f64> = (0..100).map(|i| f64::from(i) / 100.0).collect();
        many.push(-1e6);
        let axis = Axis::around_most([1.5], &many, 4);
        assert!(axis.contains(0.1) && axis.contains(1.5) && !axis.contains(-1.0), "{axis:?}");
    }

    #[test]
    fn values_show_three_digits() {
        assert_eq!(plus_minus(0.4231, Some(0.0512)), "0.423 ± 0.051");
        assert_eq!(plus_minus(-12.5, Some(3.0)), "−12.5 ± 3.0");
        assert_eq!(plus_minus(123_456.0, Some(0.0)), "123k ± 0");
        assert_eq!(plus_minus(0.0, None), "0");
        assert_eq!(column_decimals([12.25, 0.0, -1.5, 9.0]), 2);
        assert_eq!((column_decimals([1204.5, 1100.0]), column_decimals([3.0, 0.0]), column_decimals([])), (0, 0, 0));
    }
}
