//! How candidates on the same case are rated against each other.
//!
//! This is the one place that knows ratios. A gain is the difference of two rates. The objective of
//! a ratio has two meanings, which [`searched`](Rating::searched) and [`gain`](Rating::gain)
//! connect: in the search, it is 1 plus the gain over the baseline; in comparisons, it is a score
//! (or its inverse), which means nothing until it is rated against another one.

use crate::statistics::Interval;
use serde::{Deserialize, Serialize};

/// The confidence of intervals in percent, unless a verdict also judges constraints on means.
pub const CONFIDENCE: f64 = 95.0;

/// The scale of the gains of a problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rating {
    /// The objective: gains are differences of objectives.
    #[default]
    Objective,
    /// The ratio to the best objective on the case, as with `scale = "relative"`: gains are shares
    /// of the better objective, from -1 to 1, and shown in percent.
    Ratio,
}

impl Rating {
    /// Returns whether gains are shares, which are shown in percent.
    pub fn is_ratio(self) -> bool {
        self == Rating::Ratio
    }

    /// Returns the scale on which the gains of several problems are shown together.
    pub fn common(mut all: impl Iterator<Item = Rating>) -> Self {
        if all.all(Rating::is_ratio) { Rating::Ratio } else { Rating::Objective }
    }

    /// Rates candidates by their objectives on one case. The best objective, to which ratios refer,
    /// can be that of any candidate, so none is favoured: the rates of two equal candidates have
    /// the same mean under any noise. A failure, whose objective is 0, costs 1.
    pub fn rates(self, objectives: &[f64]) -> Vec<f64> {
        let best = objectives.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let rate = |&objective: &f64| match self {
            Rating::Objective => objective,
            Rating::Ratio if best > 0.0 => objective / best,
            Rating::Ratio => 0.0,
        };
        objectives.iter().map(rate).collect()
    }

    /// Returns the gain of the first objective over the second one on the same case.
    pub fn gain(self, objective: f64, other: f64) -> f64 {
        let rates = self.rates(&[objective, other]);
        rates[0] - rates[1]
    }

    /// Returns the objective in the search of a ratio to the baseline: 1 plus the gain, from 0 to
    /// 2. For a program whose scores vary as much as the baseline's, its mean is 1, while the mean
    /// of the ratio is more than 1. It also bounds the ratio to a reference that is far off.
    pub fn searched(ratio: f64) -> f64 {
        if ratio > 1.0 { 2.0 - 1.0 / ratio } else { ratio }
    }

    /// Returns the ratio with this [objective in the search](Self::searched). It is not finite and
    /// positive if no score has the objective.
    pub fn ratio(searched: f64) -> f64 {
        if searched > 1.0 { 1.0 / (2.0 - searched) } else { searched }
    }

    /// Returns the gain over the baseline that an objective of the search is by itself; `None` if
    /// it must be compared with the baseline's objective.
    pub fn gain_in_search(self, objective: f64) -> Option<f64> {
        self.is_ratio().then_some(objective - 1.0)
    }

    /// Converts a gain so that gains of successive steps add up. A gain as a ratio is `1 - s/x`, so
    /// logarithms of `x/s` add up.
    fn additive(self, gain: f64) -> f64 {
        if self.is_ratio() { -libm::log1p(-gain.min(1.0)) } else { gain }
    }

    /// Converts a sum of [additive](Self::additive) gains back.
    fn total(self, sum: f64) -> f64 {
        if self.is_ratio() { -libm::expm1(-sum) } else { sum }
    }

    /// Returns the sum of the gains of successive steps. They are independent, so the squares of
    /// the intervals' halves add up.
    fn sum(self, gains: impl IntoIterator<Item = Interval>) -> Interval {
        let (mut mean, mut squares) = (0.0, [0.0; 2]);
        for gain in gains {
            let Interval { mean: middle, low, high } = gain.map(|gain| self.additive(gain));
            mean += middle;
            squares[0] += (middle - low) * (middle - low);
            squares[1] += (high - middle) * (high - middle);
        }
        let [low, high] = squares.map(f64::sqrt);
        Interval { mean, low: mean - low, high: mean + high }.map(|sum| self.total(sum))
    }

    /// Returns the sum of the gains of successive steps with their scale; `None` without any, or if
    /// their scales differ.
    pub fn sum_of(gains: impl IntoIterator<Item = (Self, Interval)>) -> Option<(Self, Interval)> {
        let (ratings, gains): (Vec<Self>, Vec<Interval>) = gains.into_iter().unzip();
        let rating = *ratings.first()?;
        ratings.iter().all(|&other| other == rating).then(|| (rating, rating.sum(gains)))
    }

    /// Formats a gain with its interval: `+0.0123 (-0.0011 to +0.0257)`, or `+19.2 % (...)`.
    pub fn text(self, gain: Interval) -> String {
        if self.is_ratio() { gain.percent() } else { gain.to_string() }
    }

    /// Formats a gain without its interval: `+0.0123`, or `+19.2 %`.
    pub fn mean(self, gain: Interval) -> String {
        let mut text = self.text(gain);
        text.truncate(text.find(" (").unwrap_or(text.len()));
        text
    }

    /// Formats a gain with its 95 % confidence interval for a sentence.
    pub fn sentence(self, gain: Interval) -> String {
        self.sentence_at(CONFIDENCE, gain)
    }

    /// The same with a confidence interval of another percentage.
    pub fn sentence_at(self, confidence: f64, gain: Interval) -> String {
        self.text(gain).replacen('(', &format!("({confidence} % confidence interval "), 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_objective_of_the_search_is_one_plus_the_gain() {
        assert_eq!([0.0, 0.25, 1.0, 4.0, 1e300].map(Rating::searched), [0.0, 0.25, 1.0, 1.75, 2.0]);
        for (objective, other) in [(3.0, 4.0), (5.0, 4.0), (4.0, 4.0), (0.0, 4.0)] {
            let gain = Rating::Ratio.gain(objective, other);
            let searched = Rating::searched(objective / other);
            let of_search = Rating::Ratio.gain_in_search(searched).unwrap();
            assert!((of_search - gain).abs() < 1e-15, "{objective}");
            assert!((Rating::ratio(searched) - objective / other).abs() < 1e-15, "{objective}");
        }
        assert_eq!(Rating::Objective.gain(3.0, 4.0), -1.0);
        assert_eq!(Rating::Objective.gain_in_search(3.0), None);
    }

    #[test]
    fn gains_of_successive_steps_add_up() {
        // Twice as good, and then four times as good as that.
        let steps = [(2.0, 1.0), (8.0, 2.0)].map(|(to, from)| Rating::Ratio.gain(to, from));
        let sum = steps.map(|gain| Rating::Ratio.additive(gain)).iter().sum();
        assert!((Rating::Ratio.total(sum) - Rating::Ratio.gain(8.0, 1.0)).abs() < 1e-15);
        assert_eq!(Rating::Objective.total(Rating::Objective.additive(2.0)), 2.0);
    }

    #[test]
    fn gains_as_ratios_are_shown_in_percent() {
        let gain = Interval { mean: 0.1923, low: 0.1795, high: 0.2060 };
        assert_eq!(Rating::Ratio.sentence(gain), "+19.23 % (95 % confidence interval +17.95 to +20.60)");
        assert_eq!(Rating::Objective.text(gain), gain.to_string());
        assert_eq!(Rating::Objective.sentence(gain), "+0.1923 (95 % confidence interval +0.1795 to +0.2060)");
    }
}
