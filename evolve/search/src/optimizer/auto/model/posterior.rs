//! What the trials say of candidates: of their objectives and of the constraints.

use super::limits::{Limits, Prospect};
use super::process::{Assessed, Met, ModelTrial, Process};

/// The posterior of objectives and constraints.
pub struct Posterior<'a> {
    pub process: Process<'a>,
    pub limits: Limits<'a>,
}

/// A played candidate.
#[derive(Clone, Debug)]
pub struct Seen {
    pub met: Met,
    pub prospect: Prospect,
}

/// A candidate that is compared with others.
pub struct Rival {
    pub of: Assessed,
    pub prospect: Prospect,
}

impl<'a> Posterior<'a> {
    /// Adds a trial in progress.
    pub fn expect(&mut self, trial: ModelTrial) {
        self.limits.expect(&trial);
        self.process.expect(trial);
    }

    /// Returns the same with means on one instance in place of those over all of them.
    pub fn aimed_at(&self, instance: usize) -> Posterior<'a> {
        Posterior { process: self.process.aimed_at(instance), limits: self.limits.clone() }
    }

    /// Ranks candidates, the best first.
    pub fn ranked(&self, candidates: Vec<Vec<f64>>) -> Vec<Seen> {
        let of = |values: Vec<f64>| Seen { prospect: self.limits.prospect(&values), met: self.process.met(values) };
        let mut seen: Vec<Seen> = candidates.into_iter().map(of).collect();
        seen.sort_by(|a, b| Prospect::order((a.met.mean, a.prospect), (b.met.mean, b.prospect)));
        seen
    }

    pub fn rival(&self, met: Met) -> Rival {
        Rival { prospect: self.limits.prospect(&met.values), of: self.process.assessed(met) }
    }

    /// Returns several candidates, which takes less time than each by itself.
    pub fn rivals(&self, all: Vec<Met>) -> impl Iterator<Item = Rival> {
        let rival = |of: Assessed| Rival { prospect: self.limits.prospect(&of.values), of };
        self.process.all_assessed(all).into_iter().map(rival)
    }
}
