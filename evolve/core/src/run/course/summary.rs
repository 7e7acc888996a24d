//! The part of a run that lists of runs show. The checkpoint holds it beside the state, so that
//! lists need not read the state or the job.

use super::figures::Figures;
use super::state::State;
use super::verdict::Verdict;
use crate::job::Job;
use serde::{Deserialize, Serialize};

/// A run in brief.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The checksum of the job apart from its name and seed.
    pub group: u32,
    pub figures: Figures,
    /// The result of a complete run.
    pub found: Option<Found>,
    /// The message of the trial that ended the process.
    pub failure: Option<String>,
    /// The [time limits](State::time_limit) of the trials.
    #[serde(default)]
    pub time_limit: Option<String>,
    /// The [notes](State::notes) about the trials.
    #[serde(default)]
    pub notes: Vec<String>,
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

impl Summary {
    /// Returns a run in brief; `state` is `None` before its first checkpoint.
    pub fn of(job: &Job, state: Option<&State>) -> Self {
        let found = |verdict: &Verdict| match verdict {
            Verdict::Kept { .. } => Found::Kept,
            Verdict::Untested { .. } => Found::Untested,
            Verdict::Exact(..) | Verdict::Tested(..) if verdict.is_improvement() => Found::Better,
            Verdict::Exact(..) | Verdict::Tested(..) if verdict.recommends_finalist() => Found::Holds,
            Verdict::Exact(..) | Verdict::Tested(..) => Found::NotBetter,
        };
        let group = Job { name: String::new(), seed: 0, ..job.clone() }.digest();
        // As the run continued.
        let differs = state.is_some_and(|state| state.differing.is_some());
        let other = (differs && job.problem.behaviour().reproduces()).then(|| job.clone().not_deterministic());
        Summary {
            group,
            figures: Figures::of(other.as_ref().unwrap_or(job), state),
            found: state.and_then(State::verdict).map(found),
            failure: state.and_then(|state| state.failure.clone()),
            time_limit: state.and_then(|state| state.time_limit(job)),
            notes: state.map_or_else(Vec::new, |state| state.notes(job)),
        }
    }
}
