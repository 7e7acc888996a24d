//! Failures of trials, and how each counts.

use crate::scale::Scale;
use crate::score::NoScore;
use evolve_search::document::Complaint;
use evolve_search::model::goal::Direction;
use evolve_search::model::trial::{Failure, FailureKind, LARGEST, PlayError, is_usable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reason why a run of the program gave no score.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The program failed; the failure counts as declared.
    Failed(FailureKind, String),
    /// The parameters did not cause it: the trial is abandoned, or the run ends.
    Ends(PlayError),
}

impl Trouble {
    /// Creates a failure that ends the run.
    pub fn fatal(kind: FailureKind, message: impl Into<String>) -> Self {
        Trouble::Ends(Failure::new(kind, message).into())
    }
}

impl From<NoScore> for Trouble {
    fn from(NoScore(reason): NoScore) -> Self {
        Trouble::Failed(FailureKind::Score, reason)
    }
}

/// The result of a failed trial.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Counts {
    /// The end of the run.
    Stop,
    /// The worst score of a ratio.
    Worst,
    /// A score.
    #[serde(untagged)]
    Score(f64),
}

/// The result of failed trials.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(title = "a score, \"worst\", \"stop\" or a table of these by kind")]
pub enum OnFailure {
    /// One result for all failures.
    All(Counts),
    /// A result for each kind.
    ByKind(Kinds),
}

/// The result of failed trials by kind.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Kinds {
    /// every other failure; default: worst for relative scores, otherwise stop
    default: Option<Counts>,
    /// the program ended with a status other than 0
    exit: Option<Counts>,
    /// a signal ended the program, as after a crash
    signal: Option<Counts>,
    /// the program took too much time
    time: Option<Counts>,
    /// the program took too much memory
    memory: Option<Counts>,
    /// the program printed too much
    output: Option<Counts>,
    /// the output has no score
    score: Option<Counts>,
    /// a line of the output has "wrong answer"
    wrong: Option<Counts>,
    /// the scorer failed
    scorer: Option<Counts>,
}

impl OnFailure {
    /// Returns the results for run times: a time-out counts as this many seconds, unless the job
    /// says otherwise.
    pub fn of_run_time(declared: Option<Self>, seconds: f64) -> Self {
        match declared.unwrap_or(OnFailure::ByKind(Kinds::default())) {
            OnFailure::ByKind(kinds) if kinds.default.is_none() => {
                OnFailure::ByKind(Kinds { time: kinds.time.or(Some(Counts::Score(seconds))), ..kinds })
            }
            declared => declared,
        }
    }

    /// Returns the default for a scale.
    pub fn of_scale(scale: &Scale) -> Self {
        OnFailure::All(Counts::of_scale(scale))
    }

    /// Checks that the results fit the scale.
    ///
    /// # Errors
    /// The first one that does not.
    pub fn check(&self, scale: &Scale, goal: Direction) -> Result<(), Complaint> {
        const KEY: &str = "on_failure";
        let all = match self {
            OnFailure::All(counts) => vec![(vec![KEY], Some(*counts))],
            OnFailure::ByKind(kinds) => {
                let by_kind = kinds.all().map(|(_, key, counts)| (vec![KEY, key], counts));
                by_kind.into_iter().chain([(vec![KEY, "default"], kinds.default)]).collect()
            }
        };
        let misfit = all.into_iter().find_map(|(keys, counts)| Some((keys, counts?.misfit(scale, goal)?)));
        match misfit {
            None => Ok(()),
            Some((keys, message)) => Err(Complaint::new(&keys, format!("`{}`: {message}", keys.join(".")))),
        }
    }

    /// Returns how a failure of one kind counts.
    pub fn counts(&self, kind: FailureKind, scale: &Scale) -> Counts {
        match self {
            OnFailure::All(counts) => *counts,
            OnFailure::ByKind(kinds) => kinds.of(kind).or(kinds.default).unwrap_or(Counts::of_scale(scale)),
        }
    }
}

impl Kinds {
    /// Returns the kinds that can count as results, each with its key and its result.
    fn all(&self) -> [(FailureKind, &'static str, Option<Counts>); 8] {
        [
            (FailureKind::Exit, "exit", self.exit),
            (FailureKind::Signal, "signal", self.signal),
            (FailureKind::Time, "time", self.time),
            (FailureKind::Memory, "memory", self.memory),
            (FailureKind::Output, "output", self.output),
            (FailureKind::Score, "score", self.score),
            (FailureKind::Wrong, "wrong", self.wrong),
            (FailureKind::Scorer, "scorer", self.scorer),
        ]
    }

    fn of(&self, kind: FailureKind) -> Option<Counts> {
        self.all().into_iter().find(|(of, ..)| *of == kind)?.2
    }
}

/// Returns the kinds that can count as results, each with its key.
pub fn keys() -> impl Iterator<Item = (FailureKind, &'static str)> {
    Kinds::default().all().into_iter().map(|(kind, key, _)| (kind, key))
}

impl Counts {
    /// Returns the default for a scale.
    fn of_scale(scale: &Scale) -> Self {
        if scale.has_reference() { Counts::Worst } else { Counts::Stop }
    }

    fn misfit(self, scale: &Scale, goal: Direction) -> Option<String> {
        Some(match self {
            Counts::Worst if !scale.has_reference() => {
                "this scale has no worst score; write the score of a failed trial, or use scale = \
                    \"relative\""
                    .to_string()
            }
            Counts::Score(score) if *scale == Scale::Log && score <= 0.0 => {
                "on scale = \"log\" it must be above 0".to_string()
            }
            Counts::Score(score) if scale.has_reference() && goal == Direction::Minimize && score <= 0.0 => {
                "it must be above 0 where smaller scores are better and count as ratios".to_string()
            }
            Counts::Score(score) if !is_usable(score) => format!("it must lie within plus or minus {LARGEST:e}"),
            _ => return None,
        })
    }
}
