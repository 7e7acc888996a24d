//! The rows of a run's tables, which the run writes and reports read.
//!
//! `docs/files.md` describes the columns.

use crate::job::Stage;
use crate::judgement::comparison::{Difference, Units};
use crate::judgement::measured::{Measured, objectives, rated, scores};
use evolve_search::model::goal::Direction;
use evolve_search::model::problem::Problem;
use evolve_search::model::trial::{Case, Failure, FailureKind, INSTANCE, Metrics, Outcome};
use evolve_search::optimizer::FinalistKind;
use evolve_search::statistics::{Estimate, Interval};
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt::Display;

/// A generation; columns for each weight follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GenerationRow {
    /// Counted from 0.
    pub generation: u64,
    /// Trials up to the end of this generation, including validations.
    pub trials_played: u64,
    /// The best candidate's mean objective.
    #[serde(deserialize_with = "finite")]
    pub best: f64,
    /// The mean objective over the population.
    #[serde(deserialize_with = "finite")]
    pub mean: f64,
    /// The standard deviation of the objectives.
    #[serde(default)]
    pub sd: f64,
    /// The mean standard deviation of the weights, in their scales.
    #[serde(default)]
    pub diversity: f64,
    /// The mean standard deviation of the distribution from which the next generation is drawn.
    #[serde(default)]
    pub step: f64,
}

/// The speed of a run up to a generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeRow {
    /// The generation, from 0.
    pub generation: u64,
    /// Trials played by its end.
    pub trials_played: u64,
    /// Seconds spent on trials by its end.
    #[serde(deserialize_with = "finite")]
    pub seconds: f64,
    pub trials_per_second: f64,
}

/// A candidate on held-out trials.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ValidationRow {
    /// The stage that the trials were played in.
    pub stage: Stage,
    /// The generation of the candidate; 0 for the baseline.
    pub generation: u64,
    /// Trials played before, including validations.
    pub trials_played: u64,
    pub candidate: FinalistKind,
    pub trials: u64,
    /// The mean score.
    #[serde(default)]
    pub score: f64,
    /// The standard error of the mean score.
    #[serde(deserialize_with = "finite")]
    pub standard_error: f64,
    /// The mean objective.
    #[serde(deserialize_with = "finite")]
    pub objective: f64,
    /// The mean difference from the baseline on the same instances.
    #[serde(deserialize_with = "finite")]
    pub difference: Option<f64>,
    /// The lower end of its 95 % interval.
    #[serde(deserialize_with = "finite")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(deserialize_with = "finite")]
    pub high: Option<f64>,
}

impl ValidationRow {
    /// Returns the row of a candidate in a stage, given its generation and its outcomes, after
    /// `trials` trials of the run. The standard error is of the mean over independent units.
    pub(super) fn of(
        stage: Stage,
        candidate: FinalistKind,
        generation: u64,
        trials: u64,
        outcomes: &[Measured],
        units: Units,
        difference: Interval,
    ) -> Self {
        let each: Vec<Difference> = outcomes.iter().map(|of| Difference::of(of.score)).collect();
        // A test keeps its outcomes unit by unit; other stages, in the order of their numbers.
        let of_units = match stage {
            Stage::Test => units.observations(0, &each),
            _ => units.observations_by_number(&each),
        };
        let of_units: Vec<f64> = of_units.iter().map(|unit| unit.value).collect();
        let Interval { mean, low, high } = difference;
        ValidationRow {
            stage,
            generation,
            trials_played: trials,
            candidate,
            trials: outcomes.len() as u64,
            score: Estimate::of(&scores(outcomes)).mean,
            standard_error: Estimate::of(&of_units).standard_error,
            objective: Estimate::of(&objectives(outcomes)).mean,
            difference: Some(mean),
            low: Some(low),
            high: Some(high),
        }
    }

    /// The mean difference from the baseline on the same instances.
    pub fn difference(&self) -> Option<Interval> {
        Some(Interval { mean: self.difference?, low: self.low?, high: self.high? })
    }
}

/// A trial of a program; columns for each tuned parameter follow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialRow {
    /// The trial, from 0.
    pub trial: u64,
    pub stage: Stage,
    /// Number of the case within its stage.
    pub number: u64,
    /// The instance, if the job lists instances.
    pub instance: String,
    /// Number of the replicate, from 0.
    pub replicate: u64,
    /// The seed of every random choice in the case.
    #[serde(with = "seed_as_text")]
    pub seed: u64,
    /// The contest's score.
    pub score: f64,
    pub objective: f64,
    /// The kind of failure; empty if the trial did not fail.
    pub failure: String,
    /// Whether the trial was capped: score and objective are bounds.
    #[serde(default)]
    pub capped: bool,
    /// Metrics beside the score.
    pub metrics: Numbers,
    /// The [groups](Self::groups) that the case belongs to.
    #[serde(default)]
    pub groups: String,
}

/// How a trial ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It reached its score.
    Scored,
    /// Its score is a bound.
    Capped,
    Failed,
}

impl End {
    pub const ALL: [End; 3] = [End::Scored, End::Capped, End::Failed];

    /// Returns the name in charts.
    pub fn name(self) -> &'static str {
        match self {
            End::Scored => "scored",
            End::Capped => "capped",
            End::Failed => "failed",
        }
    }
}

impl TrialRow {
    /// Returns the row of trial number `trial` of the run, on a case of a split with these
    /// instances.
    pub(in crate::run) fn of(
        trial: u64,
        stage: Stage,
        case: &Case,
        instances: &[String],
        outcome: &Outcome,
        metrics: &Metrics,
    ) -> Self {
        TrialRow {
            trial,
            stage,
            number: case.number,
            instance: case.instance(instances),
            replicate: case.number.checked_div(instances.len() as u64).unwrap_or_default(),
            seed: case.seed,
            score: outcome.score,
            objective: outcome.objective,
            failure: outcome.failure.as_ref().map(|failure| failure.kind.to_string()).unwrap_or_default(),
            capped: outcome.capped,
            metrics: Numbers(metrics.names.iter().cloned().zip(outcome.metrics.iter().copied()).collect()),
            // The instance has its own column.
            groups: written(metrics.groups.iter().zip(&outcome.groups).filter(|(name, _)| *name != INSTANCE)),
        }
    }

    /// Returns whether the score is the one that the trial reached: it neither failed nor was
    /// capped.
    pub fn is_whole(&self) -> bool {
        self.failure.is_empty() && !self.capped && self.score.is_finite()
    }

    /// Returns whether another trial of the same candidate on the same case confirms this one.
    /// Larger objectives are better, so a capped trial has an upper bound of its objective.
    pub fn agrees_with(&self, again: &Outcome) -> bool {
        let is_same = if self.capped { again.objective <= self.objective } else { again.score == self.score };
        is_same && again.failure.is_none()
    }

    /// Returns how the trial ended.
    pub fn end(&self) -> End {
        match (self.failure.is_empty(), self.capped) {
            (true, false) => End::Scored,
            (true, true) => End::Capped,
            (false, _) => End::Failed,
        }
    }

    /// Returns what follows the score in texts, if it is a bound.
    pub fn or_worse(&self) -> &'static str {
        if self.capped { " or worse: capped" } else { "" }
    }

    /// Returns the scores of the scenarios with their names, if a trial plays
    /// [several](Metrics::scenarios).
    pub fn scenarios(&self, count: usize) -> &[(String, f64)] {
        let Numbers(metrics) = &self.metrics;
        &metrics[metrics.len().saturating_sub(count)..]
    }

    /// Returns how much better the trial was than another one on the same case, as the verdict
    /// counts it. Neither may be of a search for ratios, whose objectives are gains themselves.
    pub fn gain(&self, other: &TrialRow, problem: &dyn Problem) -> f64 {
        let direction = problem.goal().map(|goal| goal.direction).unwrap_or_default();
        // The table has the scores of scenarios, not their objectives, which count only in ratios.
        let objective = |&(_, score): &(String, f64)| match direction {
            Direction::Maximize => score,
            Direction::Minimize => 1.0 / score,
        };
        let count = problem.metrics().scenarios;
        let measured = |row: &TrialRow| Measured {
            objective: row.objective,
            scenarios: row.scenarios(count).iter().map(objective).collect(),
            ..Measured::default()
        };
        let rates = rated(problem.rating(), &[&measured(self), &measured(other)]);
        rates[0] - rates[1]
    }

    /// Returns the names of the known groups with their values, from a cell without the escape of
    /// tables.
    pub fn groups(cell: &str) -> Vec<(String, String)> {
        Self::all_groups(cell).filter(|(_, value)| !value.is_empty()).collect()
    }

    fn all_groups(cell: &str) -> impl Iterator<Item = (String, String)> {
        let pair = |group: &str| match &split(group, '=')[..] {
            [name, value] => Some((unescaped(name), unescaped(value))),
            _ => None,
        };
        split(cell, ' ').into_iter().filter_map(pair)
    }

    /// Returns the outcome of the row: without times, and of a failure only that there was one.
    pub(super) fn outcome(&self) -> Outcome {
        let failure = || Failure::new(FailureKind::Exit, self.failure.clone());
        Outcome {
            score: self.score,
            objective: self.objective,
            metrics: self.metrics.0.iter().map(|(_, value)| *value).collect(),
            groups: Self::all_groups(&self.groups).map(|(_, value)| value).collect(),
            failure: (!self.failure.is_empty()).then(failure),
            capped: self.capped,
            ..Outcome::default()
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialTimeRow {
    /// The trial, from 0.
    pub trial: u64,
    /// Seconds, if they were measured.
    pub seconds: Option<f64>,
    /// The time at which it began, in UTC.
    pub started: Option<String>,
}

/// Metrics beside a score, written as `name=value` and separated by spaces. Names may contain `=`
/// but no spaces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Numbers(pub Vec<(String, f64)>);

impl From<String> for Numbers {
    fn from(text: String) -> Self {
        let part = |part: &str| {
            let (name, value) = part.rsplit_once('=')?;
            Some((name.to_string(), value.parse().ok()?))
        };
        Numbers(text.split(' ').filter_map(part).collect())
    }
}

impl From<Numbers> for String {
    fn from(numbers: Numbers) -> Self {
        named(numbers.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Names with their values, in a cell.
fn named<V: Display>(all: impl IntoIterator<Item = (impl AsRef<str>, V)>) -> String {
    let named = |(name, value): (_, V)| format!("{}={value}", AsRef::<str>::as_ref(&name).replace(' ', ","));
    all.into_iter().map(named).collect::<Vec<_>>().join(" ")
}

/// Groups with their values, in a cell that [`TrialRow::groups`] reads back: a backslash stands
/// before blanks and signs of a name or a value.
fn written<'n>(all: impl Iterator<Item = (&'n String, &'n String)>) -> String {
    let escaped = |text: &str| text.replace('\\', r"\\").replace(' ', r"\ ").replace('=', r"\=");
    let all: Vec<String> = all.map(|(name, value)| format!("{}={}", escaped(name), escaped(value))).collect();
    all.join(" ")
}

/// Splits a text at a character, except where a backslash stands before it.
fn split(text: &str, at: char) -> Vec<&str> {
    let mut is_escaped = false;
    let is_end = |c: char| {
        let is_end = c == at && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    };
    text.split(is_end).collect()
}

/// Removes the backslashes that stand before characters.
fn unescaped(text: &str) -> String {
    let mut chars = text.chars();
    let next = || chars.next().and_then(|c| if c == '\\' { chars.next() } else { Some(c) });
    std::iter::from_fn(next).collect()
}

/// Seeds as `s` and a number: R, polars, jq and spreadsheets would round most numbers of 64 bits,
/// or not read them.
mod seed_as_text {
    use serde::de::{Error, Unexpected};
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(seed: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("s{seed}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(field: D) -> Result<u64, D::Error> {
        let text = String::deserialize(field)?;
        let seed = text.strip_prefix('s').and_then(|digits| digits.parse().ok());
        seed.ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&text), &"a seed, such as s123"))
    }
}

/// A number that can be plotted, or no number.
fn finite<'de, D: Deserializer<'de>, N>(field: D) -> Result<N, D::Error>
where
    N: Deserialize<'de> + Into<Option<f64>> + Copy,
{
    let number = N::deserialize(field)?;
    match number.into() {
        Some(value) if !value.is_finite() => Err(D::Error::invalid_value(Unexpected::Float(value), &"a finite number")),
        _ => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_text_that_is_read_back() {
        for seed in [0, (1 << 53) + 1, u64::MAX] {
            let row = TrialRow { seed, ..TrialRow::default() };
            let line = serde_json::to_string(&row).unwrap();
            assert!(line.contains(&format!("\"seed\":\"s{seed}\"")), "{line}");
            assert_eq!(serde_json::from_str::<TrialRow>(&line).unwrap(), row);
            let names = csv::StringRecord::from(vec!["trial", "stage", "number", "instance", "replicate", "seed"]);
            let written = format!("s{seed}");
            let cells = csv::StringRecord::from(vec!["0", "search", "0", "", "0", &written]);
            assert_eq!(cells.deserialize::<Cells>(Some(&names)).unwrap().seed, seed);
        }
        let wrong = serde_json::from_str::<Cells>(r#"{"seed": "12"}"#).unwrap_err().to_string();
        assert!(wrong.contains("a seed, such as s123"), "{wrong}");
    }

    #[derive(Debug, Deserialize)]
    struct Cells {
        #[serde(deserialize_with = "seed_as_text::deserialize")]
        seed: u64,
    }

    #[test]
    fn a_capped_trial_agrees_with_worse_ones() {
        let capped = TrialRow { score: 20.0, objective: -20.0, capped: true, ..TrialRow::default() };
        let whole = TrialRow { capped: false, ..capped.clone() };
        let failed = TrialRow { failure: "no score".to_string(), ..capped.clone() };
        let again = |score: f64| Outcome::of(score).objective(-score);
        assert_eq!([19.0, 20.0, 30.0].map(|score| capped.agrees_with(&again(score))), [false, true, true]);
        assert_eq!([19.0, 20.0, 30.0].map(|score| whole.agrees_with(&again(score))), [false, true, false]);
        assert_eq!([&whole, &capped, &failed].map(TrialRow::end), End::ALL);
        assert_eq!([&whole, &capped, &failed].map(TrialRow::is_whole), [true, false, false]);
    }

    #[test]
    fn groups_with_blanks_and_signs_are_read_back() {
        let all = [("n", "0 to 4"), ("kind of=it", "a=b\\c"), ("k", "3"), ("empty", "")];
        let all = all.map(|(name, value)| (name.to_string(), value.to_string()));
        let cell = written(all.iter().map(|(name, value)| (name, value)));
        assert_eq!(cell, r"n=0\ to\ 4 kind\ of\=it=a\=b\\c k=3 empty=");
        assert_eq!(TrialRow::all_groups(&cell).collect::<Vec<_>>(), all);
        assert_eq!(TrialRow::groups(&cell), all[..3], "a failed trial does not know its group");
        assert_eq!(TrialRow::groups(""), []);
        assert_eq!(TrialRow::groups("no value"), []);
    }

    #[test]
    fn parts_have_names_with_signs() {
        let numbers = Numbers::from("n=4=12.5 time=3".to_string());
        assert_eq!(numbers.0, [("n=4".to_string(), 12.5), ("time".to_string(), 3.0)]);
        assert_eq!(String::from(numbers), "n=4=12.5 time=3");
        assert_eq!(Numbers::from(String::new()), Numbers::default());
    }
}
