//! The gains of trials and of incumbents.

use super::read::is_reference;
use crate::tables::Run;
use evolve_core::job::{Job, Stage};
use evolve_core::run::rows::{TrialRow, ValidationRow};
use evolve_core::run::trials::PastTrial;
use evolve_search::optimizer::landscape::{Corrected, Landscape};
use evolve_search::statistics::Interval;
use std::collections::BTreeMap;

/// The difference of a trial from the baseline.
pub struct Known {
    pub gain: f64,
    /// Whether it is the difference from the level of the case by the model.
    pub is_modelled: bool,
}

/// Returns the difference of each trial from the baseline, if it is known.
pub fn gains(played: &[PastTrial], job: &Job, landscape: Option<&Landscape>) -> Vec<Option<Known>> {
    let rating = job.problem.rating();
    let own = |row: &TrialRow| rating.gain_in_search(row.objective).filter(|_| row.stage == Stage::Search);
    let start = job.space.evolving_values(job.space.start());
    let mut baseline: BTreeMap<u64, &TrialRow> = BTreeMap::new();
    for of in played.iter().filter(|of| own(&of.row).is_none() && is_reference(of, &start)) {
        baseline.entry(of.row.seed).or_insert(&of.row);
    }
    let modelled = landscape.into_iter().flat_map(|landscape| &landscape.trials);
    let modelled: BTreeMap<(u64, u64), f64> =
        modelled.map(|trial| ((trial.case, trial.objective.to_bits()), trial.gain)).collect();
    let of = |PastTrial { row, .. }: &PastTrial| {
        if let Some(gain) = own(row) {
            return Some(Known { gain, is_modelled: false });
        }
        let by_model = || (row.stage == Stage::Search).then(|| modelled.get(&(row.number, row.objective.to_bits())));
        let compared = baseline
            .get(&row.seed)
            .map(|baseline| Known { gain: row.gain(baseline, &*job.problem), is_modelled: false });
        compared.or_else(|| Some(Known { gain: *by_model().flatten()?, is_modelled: true }))
    };
    played.iter().map(of).collect()
}

/// Returns the index of each trial of the model among those that are shown, if it is.
pub fn shown(played: &[PastTrial], kept: &[usize], landscape: Option<&Landscape>) -> Vec<Option<usize>> {
    let key = |case: u64, objective: f64| (case, objective.to_bits());
    let mut known: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
    for (place, &i) in kept.iter().enumerate().filter(|(_, i)| played[**i].row.stage == Stage::Search) {
        known.entry(key(played[i].row.number, played[i].row.objective)).or_default().push(place);
    }
    let of = |trial: &Corrected| {
        let has_values = |place: &usize| {
            played[kept[*place]].values.iter().zip(&trial.values).all(|(of, value)| of.is_none_or(|of| of == *value))
        };
        known.get(&key(trial.case, trial.objective))?.iter().copied().find(has_values)
    };
    landscape.into_iter().flat_map(|landscape| &landscape.trials).map(of).collect()
}

/// Returns the gain of the incumbent with the trial of the run after which it had it.
pub fn course(played: &[PastTrial], landscape: Option<&Landscape>) -> Vec<(u64, Interval)> {
    let search: Vec<u64> = played.iter().filter(|of| of.row.stage == Stage::Search).map(|of| of.row.trial).collect();
    let place = |count: usize| search.get(count.saturating_sub(1)).or(search.last()).copied();
    let course = landscape.into_iter().flat_map(|landscape| &landscape.course);
    course.filter_map(|(count, gain)| Some((place(*count)?, *gain))).collect()
}

/// Returns the gains in validation and test, with the ends of their intervals.
pub fn measured(run: &Run) -> impl Iterator<Item = f64> {
    let rows = run.stage(Stage::Validation).chain(run.tested().map(|(_, finalist)| finalist));
    let gains = rows.filter_map(ValidationRow::difference).flat_map(|of| [of.mean, of.low, of.high]);
    gains.filter(|gain| gain.is_finite())
}
