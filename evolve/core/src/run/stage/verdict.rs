//! The verdict: the chosen finalist against the starting weights, on fresh games that nothing was selected on, until it
//! is clear.
//!
//! It is looked at after batches of fixed sizes, so that it does not depend on threads, stops or clocks. Every batch is a
//! round of its own.

use super::At;
use crate::comparison::{Answer, Comparison, Difference, Earlier, Units};
use crate::config::Job;
use crate::optimizer::FinalistKind;
use crate::run::measured::{Finalist, Measured, differences};
use crate::run::round::Round;
use crate::run::state::{Phase, State};
use crate::run::verdict::Verdict;
use crate::seed::Purpose;

/// The share of verdicts that may be wrong, to both sides together.
const ERROR: f64 = 0.05;

fn chosen(state: &State) -> &Finalist {
    state.chosen.as_ref().expect("a finalist was chosen before the verdict")
}

fn units(job: &Job) -> Units {
    Units::of(&*job.source.problem, Purpose::Verdict, job.finals.verdict)
}

/// The comparison of all units so far, by what decides.
fn compare(job: &Job, state: &State) -> Comparison {
    let units = units(job);
    let [start, chosen] = &state.judged;
    let earlier = [&state.held_out[..], &state.selection].concat();
    let mut comparison = units.comparison(ERROR, 0.0).knowing(Earlier::new(earlier).near(state.late.near()));
    units
        .observations(0, &differences(&*job.source.problem, chosen, start))
        .into_iter()
        .for_each(|one| comparison.add(one));
    comparison
}

/// The same by the contest's scores, which are told beside it.
fn compare_scores(job: &Job, [start, chosen]: &[Vec<Measured>; 2]) -> Comparison {
    let units = units(job);
    let differences: Vec<_> = chosen.iter().zip(start).map(|(a, b)| Difference::of(a.score - b.score)).collect();
    let mut comparison = units.comparison(ERROR, 0.0);
    units.observations(0, &differences).into_iter().for_each(|one| comparison.add(one));
    comparison
}

pub(super) fn round(job: &Job, state: &State) -> Round {
    let candidates = vec![job.space.start().to_vec(), chosen(state).weights.clone()];
    let units = units(job);
    let first = units.in_batches(state.judged[0].len()).expect("the verdict stands between two batches");
    let last = first + units.next_batch(first);
    Round::all(candidates, &units.between(job.seed, Purpose::Verdict, first, last))
}

pub(super) fn complete(at: At<'_>, outcomes: &[Vec<Measured>]) {
    let At { job, state, tables, .. } = at;
    for (judged, outcomes) in state.judged.iter_mut().zip(outcomes) {
        judged.extend(outcomes);
    }
    let units = units(job);
    let comparison = compare(job, state);
    if state.judged[0].len() < units.deals && !is_clear(&comparison) {
        return;
    }
    let scores = compare_scores(job, &state.judged);
    // A problem of the project's own has failures only if one was seen.
    let can_fail = job.source.is_declared() || state.failures > 0;
    let verdict = Verdict::new(job, (chosen(state), can_fail), units, &state.judged, &comparison, &scores);
    let &Finalist { kind, generation, .. } = chosen(state);
    let [start, of_chosen] = &state.judged;
    let (low, high) = verdict.interval;
    tables.compared(("verdict", 0), state.games, FinalistKind::Start, start, (0.0, 0.0, 0.0));
    tables.compared(("verdict", generation), state.games, kind, of_chosen, (verdict.difference, low, high));
    state.judged = Default::default();
    state.verdict = Some(verdict);
    state.phase = Phase::Done;
}

/// Whether the rest of the games would change nothing: the finalist is worse, or better by a difference that is known to
/// within a half of it.
fn is_clear(comparison: &Comparison) -> bool {
    match comparison.answer() {
        Answer::Worse => true,
        Answer::Better => comparison.interval().0 >= 0.5 * comparison.mean(),
        Answer::Same | Answer::Open => false,
    }
}
