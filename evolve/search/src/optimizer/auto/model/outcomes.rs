//! The outcomes of trials as the model sees them: relative to the level of their case, and scaled.

use super::kernel::Kernel;
use super::squash::{reduced, spread_of_better};
use super::{Model, State};
use crate::statistics::{mean, standard_deviation};
use std::collections::BTreeSet;

impl Model {
    /// Returns the standardized outcomes of all trials, with expected values under a kernel in
    /// place of bounds.
    pub(super) fn outcomes(&self, kernel: &Kernel) -> Vec<f64> {
        let earlier = self.earlier.beside(self.trials()).zip(self.trials()..);
        let earlier = earlier.filter(|(known, _)| known.is_bound).map(|(_, place)| place);
        self.state.outcomes.raised(self.before(kernel), &self.all_trials(), self.standardized(), earlier)
    }

    /// Returns the outcomes of all trials, scaled to mean 0 in each run and standard deviation 1
    /// within runs.
    pub(super) fn standardized(&self) -> Vec<f64> {
        let squashed = self.squashed();
        let (mean, unit) = (mean(&squashed), self.earlier.unit(&squashed));
        let earlier = self.earlier.beside(squashed.len()).map(|known| known.outcome);
        let all = squashed.iter().map(|y| y - mean).chain(earlier);
        all.map(|y| if unit > 0.0 { y / unit } else { 0.0 }).collect()
    }

    /// Returns the outcomes of this run. Those much more above the level of their case than most
    /// are reduced: the degree of failure does not matter.
    pub(super) fn squashed(&self) -> Vec<f64> {
        let (levels, above) = (self.levels(), self.above_levels());
        let above = reduced(&above, f64::NEG_INFINITY, self.least_spread(&above));
        self.state.trials.iter().zip(above).map(|(trial, above)| levels[trial.case] + above).collect()
    }

    /// Returns the level of each case, as an outcome: of the best candidate when the model was last
    /// asked, or the least outcome on the case.
    pub(super) fn levels(&self) -> Vec<f64> {
        let State { trials, outcomes, cases, levels, .. } = &self.state;
        let mut least = vec![f64::INFINITY; cases.len()];
        for (trial, &outcome) in trials.iter().zip(outcomes.values()) {
            least[trial.case] = least[trial.case].min(outcome);
        }
        levels.iter().copied().chain(least.into_iter().skip(levels.len())).collect()
    }

    /// Returns how much each outcome is above the level of its case.
    pub(super) fn above_levels(&self) -> Vec<f64> {
        let levels = self.levels();
        let State { trials, outcomes, .. } = &self.state;
        trials.iter().zip(outcomes.values()).map(|(trial, outcome)| outcome - levels[trial.case]).collect()
    }

    /// Returns the least spread of outcomes above their levels: a share of the design's spread. The
    /// design covers the space. Later trials are near the best candidate, and without noise most of
    /// them tie with it.
    fn least_spread(&self, above: &[f64]) -> f64 {
        const SHARE: f64 = 0.1;
        let design = self.state.trials.iter().take_while(|trial| trial.case == 0).count();
        SHARE * spread_of_better(&above[..design])
    }

    /// Returns the expected outcome of the best candidate on each case with an outcome; none
    /// without a model.
    pub(super) fn levels_of_best(&self) -> Vec<f64> {
        let State { kernel: Some(kernel), trials, .. } = &self.state else { return Vec::new() };
        let posterior = self.posterior(kernel);
        let best = posterior.ranked(self.played()).swap_remove(0).met;
        let played: BTreeSet<usize> = trials.iter().map(|trial| trial.case).collect();
        let squashed = self.squashed();
        let (mean, unit) = (mean(&squashed), self.earlier.unit(&squashed));
        // Cases are requested in order, so those without an outcome are the last ones.
        let count = (0..).take_while(|case| played.contains(case)).count();
        (0..count).map(|case| mean + unit * posterior.process.on_case(&best, case)).collect()
    }

    /// Returns the outcomes of this run, centred, of which only those are reduced that are much
    /// more than twice as far above the level of their case as the start's; `None` without a model.
    pub(super) fn unreduced(&self) -> Option<Vec<f64>> {
        let State { kernel, trials, outcomes: observed, .. } = &self.state;
        let of_cases = self.levels();
        let levels: Vec<f64> = trials.iter().map(|trial| of_cases[trial.case]).collect();
        let above = self.above_levels();
        let start = self.start();
        let of_start = trials.iter().zip(&above).filter(|(trial, _)| trial.values == start);
        let least = of_start.map(|(_, &above)| 2.0 * above).fold(f64::NEG_INFINITY, f64::max);
        let above = reduced(&above, least, self.least_spread(&above));
        let outcomes: Vec<f64> = above.iter().zip(&levels).map(|(above, level)| above + level).collect();
        let (centre, unit) = (mean(&outcomes), standard_deviation(&outcomes));
        // Bounds are raised in the unit of the kernel.
        let unit = if unit > 0.0 { unit } else { 1.0 };
        let outcomes = outcomes.iter().map(|y| (y - centre) / unit).collect();
        let raised = observed.raised(self.before(kernel.as_ref()?), trials, outcomes, []);
        Some(raised.iter().map(|y| y * unit).collect())
    }
}
