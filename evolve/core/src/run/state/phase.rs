//! The phases of a run, with the data of the stages after the search.

use crate::job::{Job, Plan};
use crate::judgement::comparison::{Difference, Units};
use crate::judgement::measured::Measured;
use crate::run::effects::Effects;
use crate::run::finalist::Finalist;
use crate::run::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// The phase of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Phase {
    #[default]
    /// Measuring the baseline on held-out instances.
    Baseline,
    /// Searching.
    Search,
    /// Measuring the search's mean on held-out instances.
    Validation,
    /// The selection among the recommendations.
    Selection,
    /// Finding parameters of the finalist that change no outcome, before the test.
    Effects(Effects, Judging),
    /// Comparing the finalist with the baseline in the held-out test.
    Test(Judging),
    /// The run is complete.
    Done {
        /// The finalist that the selection chose.
        chosen: Finalist,
        /// The result.
        verdict: Verdict,
    },
}

/// A held-out test under way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judging {
    /// The finalist that the selection chose.
    pub chosen: Finalist,
    /// Differences of the selected finalist from the baseline in the selection, by independent
    /// units: evidence of the same kind as the last validation's.
    pub selection: Vec<Difference>,
    /// Outcomes of the baseline and of the chosen finalist in the batches so far.
    pub judged: [Vec<Measured>; 2],
}

impl Phase {
    /// Returns the phase's name in files and protocols.
    pub fn name(&self) -> &'static str {
        match self {
            Phase::Baseline => "baseline",
            Phase::Search => "search",
            Phase::Validation => "validation",
            Phase::Selection => "selection",
            Phase::Effects(..) => "effects",
            Phase::Test(_) => "test",
            Phase::Done { .. } => "done",
        }
    }

    /// Returns whether a phase read from a file is consistent with its job and plan.
    pub(super) fn fits(&self, job: &Job, plan: &Plan) -> bool {
        let parameters = job.space.parameters().len();
        let is_whole = |chosen: &Finalist| chosen.weights.len() == parameters;
        match self {
            Phase::Baseline | Phase::Search | Phase::Validation | Phase::Selection => true,
            Phase::Effects(effects, Judging { chosen, judged, .. }) => {
                effects.fits(plan.selection, parameters) && is_whole(chosen) && judged.iter().all(Vec::is_empty)
            }
            Phase::Test(judging) => is_whole(&judging.chosen) && judging.fits(job, plan),
            Phase::Done { chosen, .. } => is_whole(chosen),
        }
    }
}

impl Judging {
    /// Returns whether data read from a file can stand between two batches of a test.
    fn fits(&self, job: &Job, plan: &Plan) -> bool {
        let [start, chosen] = &self.judged;
        let constraints = job.source.problem.constraints().len();
        let units = Units::of(&*job.source.problem, plan.split(), plan.test);
        let is_open = || start.len() < units.deals && units.in_batches(start.len()).is_some();
        start.len() == chosen.len()
            && (start.is_empty() || is_open())
            && start.iter().chain(chosen).all(|measured| measured.fits(constraints))
    }
}
