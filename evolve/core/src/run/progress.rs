//! The progress of a run, as observers see it.

use super::Run;
use super::outlook::Outlook;
use super::recommend::incumbent_values;
use super::watch::Progress;

impl Run<'_> {
    pub(super) fn progress(&self) -> Progress<'_> {
        let state = &self.state;
        let outlook = Outlook { job: &self.job, state };
        Progress {
            phase: &state.phase,
            generation: state.search.generations,
            generations: self.job.limits.generations,
            trials: state.trials(),
            trials_per_second: self.rate.value,
            latest: state.search.latest.as_ref().map(|last| (last.row.best, last.row.mean)),
            incumbent: incumbent_values(&self.job, state, self.search.optimizer.mean()),
            method: self.search.optimizer.method(),
            gain: state.gain(),
            failures: state.counters.failures,
            capped: state.counters.capped,
            left: outlook.left(),
            share: outlook.share(),
        }
    }
}
