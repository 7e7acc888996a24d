//! Converts scores to objectives. Larger objectives are better.
//!
//! There are two ratio scales: `relative` and `best`. As in contests with relative scores, the
//! objective is `score / reference` if scores are maximized, and `reference / score` if they are
//! minimized. `best` refers to the score in the table of best scores. `relative` refers to the
//! baseline's score on the case in the search, where the objective is 1 plus the
//! [gain](evolve_search::model::rating::Rating::searched), and to 1 elsewhere, because comparisons
//! rate two scores by each other.

use crate::score::number::{Misread, whole};
use evolve_core::job::Reading;
use evolve_search::document::{is_default, read_text};
use evolve_search::model::goal::Direction;
use evolve_search::model::problem::NoObjective;
use evolve_search::model::rating::Rating;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// How a score becomes an objective.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// The score, with the sign that makes larger values better.
    #[default]
    Raw,
    /// Its natural logarithm, with the same sign.
    Log,
    /// Its ratio to the baseline's score on the same case.
    Relative,
    /// Its ratio to the best known score of the instance.
    #[serde(untagged)]
    Best(Best),
}

/// Best known scores.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "{ best = FILE, keep = true }")]
pub struct Best {
    /// The file with the scores.
    #[serde(rename = "best")]
    pub file: String,
    /// Whether runs keep the file: each adds the better scores that it found. An instance without a
    /// score then refers to the baseline's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub keep: bool,
}

impl Scale {
    /// Returns the best known scores by the names of the instances; empty if the scale uses none.
    ///
    /// # Errors
    /// If the file cannot be read, unless it may be missing.
    pub fn best(&self, reading: Reading) -> Result<BTreeMap<String, f64>, BestError> {
        let Scale::Best(Best { file, keep }) = self else { return Ok(BTreeMap::new()) };
        match read_best(Path::new(file)) {
            Err(_) if reading == Reading::ToLook || *keep && !Path::new(file).exists() => Ok(BTreeMap::new()),
            read => read,
        }
    }

    /// Returns the file of best known scores that runs keep.
    pub fn kept_file(&self) -> Option<&Path> {
        match self {
            Scale::Best(Best { file, keep: true }) => Some(Path::new(file)),
            _ => None,
        }
    }

    /// Returns how objectives on this scale are compared. Those relative to best scores are numbers
    /// like any others.
    pub fn rating(&self) -> Rating {
        if *self == Scale::Relative { Rating::Ratio } else { Rating::Objective }
    }

    /// Returns whether objectives are ratios to a reference score.
    pub fn has_reference(&self) -> bool {
        matches!(self, Scale::Relative | Scale::Best(_))
    }

    /// Returns the objective of a score. `reference` is the score that a ratio refers to.
    ///
    /// # Errors
    /// A message if the score has no objective on this scale.
    pub fn objective(&self, goal: Direction, score: f64, reference: f64) -> Result<f64, NoObjective> {
        let sign = if goal == Direction::Maximize { 1.0 } else { -1.0 };
        let without =
            |what: String| Err(NoObjective(format!("{what}, or set scale = \"raw\", which accepts all scores")));
        match self {
            Scale::Raw => Ok(sign * score),
            Scale::Log if score > 0.0 => Ok(sign * libm::log(score)),
            Scale::Log => without(format!("the score {score} has no logarithm; print scores above 0")),
            Scale::Relative | Scale::Best(_) if reference > 0.0 => match goal {
                // Nothing is worse than nothing: gains are shares of the better score, from -1 to
                // 1.
                Direction::Maximize if *self == Scale::Relative => Ok(score.max(0.0) / reference),
                Direction::Maximize => Ok(score / reference),
                Direction::Minimize if score > 0.0 => Ok(reference / score),
                Direction::Minimize => {
                    without(format!("the score {score} has no ratio; print the score plus a constant, such as 1"))
                }
            },
            Scale::Relative | Scale::Best(_) => {
                without(format!("{reference} is no reference for ratios; print scores above 0"))
            }
        }
    }

    /// Returns the score with this objective in the search, as the inverse of
    /// [`objective`](Self::objective) for minimized scores. The result is not finite and positive
    /// if the score cannot be multiplied.
    pub fn score(&self, objective: f64, reference: f64) -> f64 {
        match self {
            Scale::Raw => -objective,
            Scale::Log => libm::exp(-objective),
            Scale::Relative => reference / Rating::ratio(objective),
            Scale::Best(_) => reference / objective,
        }
    }

    /// The score, as a multiple of the reference, that tables show for a failed trial that counts
    /// as the worst, if scores are minimized. Its ratio is 0.
    pub const WORST: f64 = 10.0;
}

/// A fault in a table of best scores.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {what}", path.display())]
pub struct BestError {
    path: PathBuf,
    what: String,
}

/// Reads a table of best scores, with lines `instance,score` and optionally a header.
pub fn read_best(path: &Path) -> Result<BTreeMap<String, f64>, BestError> {
    let fault = |what: String| BestError { path: path.to_path_buf(), what };
    let text = read_text(path).map_err(|error| fault(error.to_string()))?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).trim(csv::Trim::All).from_reader(text.as_bytes());
    let mut scores = BTreeMap::new();
    for (i, row) in reader.records().enumerate() {
        let row = row.map_err(|error| fault(error.to_string()))?;
        // A third field may be the rest of a score such as 1,234.
        let score = if row.len() == 2 { whole(row[1].as_bytes()) } else { Err(Misread::Cut) };
        match score {
            Ok(score) if score > 0.0 => {
                if scores.insert(row[0].to_string(), score).is_some() {
                    return Err(fault(format!("line {}: duplicate instance `{}`", i + 1, &row[0])));
                }
            }
            // A header.
            Err(Misread::NoNumber) if i == 0 => {}
            _ => return Err(fault(format!("line {} is not `instance,score` with a score above 0", i + 1))),
        }
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_objectives_are_better() {
        for (scale, reference) in [(Scale::Raw, 0.0), (Scale::Log, 0.0), (Scale::Relative, 50.0)] {
            let objective = |goal, score| scale.objective(goal, score, reference).unwrap();
            assert!(objective(Direction::Maximize, 20.0) > objective(Direction::Maximize, 10.0));
            assert!(objective(Direction::Minimize, 20.0) < objective(Direction::Minimize, 10.0));
        }
        assert_eq!(Scale::Relative.objective(Direction::Minimize, 25.0, 50.0), Ok(2.0));
        assert_eq!(Scale::Relative.objective(Direction::Maximize, 25.0, 50.0), Ok(0.5));
    }

    #[test]
    fn an_objective_of_the_search_has_a_score() {
        for score in [20.0, 50.0, 200.0] {
            let ratio = Scale::Relative.objective(Direction::Minimize, score, 50.0).unwrap();
            assert!((Scale::Relative.score(Rating::searched(ratio), 50.0) - score).abs() < 1e-9, "{score}");
        }
    }

    #[test]
    fn scores_without_an_objective_are_reported() {
        assert!(Scale::Log.objective(Direction::Maximize, 0.0, 0.0).is_err());
        assert!(Scale::Relative.objective(Direction::Minimize, 0.0, 50.0).is_err());
        assert!(Scale::Relative.objective(Direction::Maximize, 5.0, 0.0).is_err());
        assert_eq!(Scale::Relative.objective(Direction::Maximize, -5.0, 50.0), Ok(0.0));
    }
}
