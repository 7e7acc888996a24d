//! The verdict of a run as its weights file records it.

use evolve_search::document::{Document, Fault, is_default};
use evolve_search::model::rating::{CONFIDENCE, Rating};
use evolve_search::optimizer::FinalistKind;
use evolve_search::statistics::{Interval, counted};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The verdict of a run: the table `[verdict]` of its weights file.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct RecordedVerdict {
    /// Whether the finalist is better than the baseline, and so recommended.
    pub improvement: bool,
    /// Whether the finalist is recommended because it holds the constraints, which the baseline
    /// breaks, though it is worse.
    #[serde(default, skip_serializing_if = "is_default")]
    pub holds: bool,
    /// The finalist; the baseline if the selection kept it, so that no test was played.
    pub finalist: FinalistKind,
    pub generation: u64,
    /// The number of trials that both candidates played; 0 without a test.
    pub trials: u64,
    /// The mean score of the baseline.
    pub start: f64,
    /// The mean score of the finalist.
    pub mean: f64,
    /// The mean difference of objectives.
    pub difference: f64,
    /// The lower end of its confidence interval; infinite if the test had too few units for an
    /// interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The confidence in percent.
    #[serde(default = "usual", skip_serializing_if = "is_usual")]
    pub confidence: f64,
    /// The result for each constraint, in a line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// The scores of each group of instances, in a line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
}

fn usual() -> f64 {
    CONFIDENCE
}

fn is_usual(confidence: &f64) -> bool {
    *confidence == CONFIDENCE
}

/// The result of a run in brief.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Found {
    /// The selection kept the baseline.
    Kept,
    /// The job disables the test.
    Untested,
    /// The finalist was compared, and is better.
    Better,
    /// The finalist was compared and is not better, but holds the constraints, which the baseline
    /// breaks.
    Holds,
    /// The finalist was compared, and is not known to be better.
    NotBetter,
}

impl Found {
    /// Returns whether the run recommends its finalist instead of the baseline.
    pub fn recommends_finalist(self) -> bool {
        matches!(self, Found::Untested | Found::Better | Found::Holds)
    }

    /// Returns what precedes the gain of the finalist in charts.
    pub fn label(self) -> &'static str {
        match self {
            Found::Better => "better than the baseline: ",
            Found::Holds => "within the limits, which the baseline breaks: ",
            Found::NotBetter | Found::Kept => "nothing found: ",
            Found::Untested => "",
        }
    }
}

impl RecordedVerdict {
    /// Reads the verdict of a weights file whose values do not matter.
    ///
    /// # Errors
    /// If the file has no verdict.
    pub fn read(weights: &Path) -> Result<Self, Fault> {
        Document::read(weights)?.top("a weights file")?.section("verdict").plain()
    }

    /// Returns the result of the run.
    pub fn found(&self) -> Found {
        match self {
            _ if self.finalist == FinalistKind::Baseline => Found::Kept,
            _ if self.improvement => Found::Better,
            _ if self.holds => Found::Holds,
            _ => Found::NotBetter,
        }
    }

    /// Returns the gain of the values that the run recommends; `None` if it recommends the
    /// baseline.
    pub fn adopted(&self) -> Option<Interval> {
        self.interval().filter(|_| self.found().recommends_finalist())
    }

    /// Returns the result of the finalist in a few words, with the gain on this scale.
    pub(super) fn gain(&self, rating: Rating) -> String {
        let &RecordedVerdict { difference: mean, low, high, trials, confidence, .. } = self;
        let gain = rating.text(Interval { mean, low, high });
        gain.replacen('(', &format!("against the baseline on {} ({confidence} %: ", counted(trials, "trial")), 1)
    }

    /// Returns the difference of objectives; `None` if no test was played.
    pub fn interval(&self) -> Option<Interval> {
        let &RecordedVerdict { difference: mean, low, high, .. } = self;
        (self.finalist != FinalistKind::Baseline).then_some(Interval { mean, low, high })
    }
}
