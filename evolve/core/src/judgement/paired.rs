//! The result of a paired comparison, and its words.

use super::comparison::{Answer, Comparison};
use super::versus::Versus;
use evolve_search::model::goal::Direction;
use evolve_search::statistics::{Interval, digits};
use serde::{Deserialize, Serialize};

/// How much better a candidate is than another one on the same cases. A verdict and `evolve
/// compare` show it in the same words.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// How much larger the mean score is.
    pub difference: Interval,
    /// How much better the mean objective is, which decides; `None` if objectives are scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective_gain: Option<Interval>,
    /// Whether smaller scores are better.
    pub is_minimized: bool,
    /// Whether no other outcomes exist, so that the intervals have no width.
    pub is_exact: bool,
    /// The confidence of the intervals in percent.
    pub confidence: f64,
}

impl Paired {
    /// Creates the result from the comparisons by objectives and by scores.
    pub fn new(versus: Versus<'_>, [objectives, scores]: [&Comparison; 2], is_exact: bool, confidence: f64) -> Self {
        let interval = |of: &Comparison| if is_exact { of.exact() } else { of.interval() };
        let are_scores = versus.are_scores();
        let gain = interval(objectives);
        // Where objectives are negated scores, both have the same interval, mirrored.
        let difference = match () {
            () if are_scores => gain,
            () if versus.are_negated_scores() => Interval { mean: -gain.mean, low: -gain.high, high: -gain.low },
            () => interval(scores),
        };
        let is_minimized = versus.problem.goal().is_some_and(|goal| goal.direction == Direction::Minimize);
        Paired { difference, objective_gain: (!are_scores).then_some(gain), is_minimized, is_exact, confidence }
    }

    /// Returns the gain that decides.
    pub fn gain(&self) -> Interval {
        self.objective_gain.unwrap_or(self.difference)
    }

    /// Returns the answer. Differences up to the margin count as equal.
    pub fn answer(&self, margin: f64) -> Answer {
        match Answer::of(self.gain(), margin) {
            Answer::Open if self.is_exact => Answer::Equal,
            answer => answer,
        }
    }

    /// Returns the answer of the mean score, where that is not what decides.
    pub fn by_score(&self) -> Option<Answer> {
        let answer = Answer::of(self.difference, 0.0);
        self.objective_gain.map(|_| if self.is_minimized { answer.reversed() } else { answer })
    }

    /// Returns the answer, and what the mean score shows if that is not the same.
    pub fn words(&self, answer: Answer) -> String {
        match self.by_score() {
            Some(Answer::Open) if answer.is_clear() => {
                format!("{answer} on the scale of the objective; the mean score is not shown to be {answer}")
            }
            Some(score) if answer.is_clear() && score != answer => {
                format!("{answer} on the scale of the objective, but the mean score is {score}")
            }
            Some(score) if answer == Answer::Open && score.is_clear() => {
                format!("{answer} on the scale of the objective; the mean score is {score}")
            }
            _ => answer.to_string(),
        }
    }

    /// Returns the decimals of the gain: an exact one, which may be small, has four or five
    /// significant digits.
    fn digits_of_gain(&self) -> usize {
        let gain = self.gain();
        if self.is_exact { digits(0.01 * gain.mean.abs(), gain.mean) } else { gain.digits() }
    }

    /// Returns the lines of a table: the differences, each with its interval. An exact difference
    /// of scores has as many decimals as the scores; the objective may be on another scale.
    pub fn lines(&self, decimals: usize) -> Vec<String> {
        let line = |what: &str, interval: Interval, digits: usize, sign: Option<&str>| {
            let [_, ends] = interval.texts();
            let mean = format!("{:+.digits$}", interval.mean);
            let ends = (!self.is_exact).then(|| format!("{} % confidence interval {ends}, paired", self.confidence));
            let notes: Vec<String> = ends.into_iter().chain(sign.map(String::from)).collect();
            let notes = if notes.is_empty() { String::new() } else { format!("  ({})", notes.join("; ")) };
            format!("  {what:<16}  {mean}{notes}")
        };
        let sign = self.objective_gain.and(self.is_minimized.then_some("negative is better"));
        let gain = self.objective_gain.map(|gain| line("objective gain", gain, self.digits_of_gain(), None));
        let of_scores = if self.is_exact { decimals } else { self.difference.digits() };
        [line("difference", self.difference, of_scores, sign)].into_iter().chain(gain).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::comparison::{Looks, Units};
    use crate::judgement::measured::Measured;
    use evolve_search::model::goal::Goal;
    use evolve_search::model::parameter::Parameter;
    use evolve_search::model::problem::{Context, OpenError, Problem, Session};
    use evolve_search::model::rating::Rating;

    #[test]
    fn scores_that_say_something_else_than_the_objective_are_named() {
        let [above, open, below] = [(1.0, 2.0), (-1.0, 1.0), (-2.0, -1.0)].map(|(low, high)| Interval {
            mean: f64::midpoint(low, high),
            low,
            high,
        });
        let says = |answer, difference, is_minimized, said: &str| {
            let objective_gain = Some(Interval::default());
            let paired = Paired { difference, objective_gain, is_minimized, is_exact: false, confidence: 95.0 };
            assert_eq!(paired.words(answer), said);
        };
        says(Answer::Better, above, false, "better");
        says(Answer::Better, below, true, "better");
        says(
            Answer::Better,
            open,
            true,
            "better on the scale of the objective; the mean score is not shown to be better",
        );
        says(Answer::Better, above, true, "better on the scale of the objective, but the mean score is worse");
        says(Answer::Worse, above, true, "worse");
        says(
            Answer::Worse,
            open,
            false,
            "worse on the scale of the objective; the mean score is not shown to be worse",
        );
        says(Answer::Open, above, false, "not clear on the scale of the objective; the mean score is better");
        says(Answer::Open, open, false, "not clear");
        says(Answer::Same, above, false, "the same within the margin");
    }

    /// The comparison of objectives knows the trials of the search, and the one of scores does not.
    #[test]
    fn the_difference_of_minimized_scores_mirrors_the_gain() {
        struct Minimized;
        impl Problem for Minimized {
            fn name(&self) -> &str {
                "minimized"
            }

            fn parameters(&self) -> Vec<Parameter> {
                Vec::new()
            }

            fn goal(&self) -> Option<Goal> {
                Some(Goal::of_score(Direction::Minimize, Rating::Objective))
            }

            fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
                unreachable!("it is never played")
            }
        }
        let candidate = |more: f64| -> Vec<Measured> {
            let score = |case: usize| 50.0 + (case * 7 % 10) as f64 + more * (1.0 + (case % 3) as f64);
            (0..20)
                .map(|case| Measured { score: score(case), objective: -score(case), ..Measured::default() })
                .collect()
        };
        let (baseline, candidate) = (candidate(0.0), candidate(-1.0));
        let units = Units { count: 20, cases: 20, instances: false };
        let versus = Versus { problem: &Minimized, units, baseline: &baseline, candidate: &candidate };
        let comparison = Comparison::new(Looks::once(0.05, 20), 0.0);
        let gain = comparison.clone().with(versus.objectives());
        // Wider than the gain's.
        let scores = Comparison::new(Looks::once(0.01, 20), 0.0).with(versus.scores());
        let Paired { difference, objective_gain, .. } = Paired::new(versus, [&gain, &scores], false, 95.0);
        let gain = objective_gain.unwrap();
        assert!(gain.low > 0.0);
        assert_eq!(difference, Interval { mean: -gain.mean, low: -gain.high, high: -gain.low });
    }

    #[test]
    fn an_exact_gain_has_decimals_of_its_own() {
        let exact = |mean| Interval { mean, low: mean, high: mean };
        let lines = |gain, is_exact| {
            let (difference, objective_gain) = (exact(-67_512.5), Some(exact(gain)));
            Paired { difference, objective_gain, is_minimized: true, is_exact, confidence: 95.0 }.lines(1)
        };
        let difference = "  difference        -67512.5  (negative is better)";
        assert_eq!(lines(0.0675, true), [difference, "  objective gain    +0.06750"]);
        assert_eq!(lines(6.4e-5, true)[1], "  objective gain    +0.00006400");
    }
}
