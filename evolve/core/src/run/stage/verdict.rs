//! The verdict: the chosen finalist against the starting weights, on fresh games that nothing was selected on, until it
//! is clear.
//!
//! It is looked at after batches of fixed sizes, so that it does not depend on threads, stops or clocks. Every batch is a
//! round of its own.

use super::At;
use crate::comparison::{Answer, Comparison};
use crate::config::Job;
use crate::run::measured::{Finalist, Measured};
use crate::run::plan::Plan;
use crate::run::round::Round;
use crate::run::state::{Phase, State};
use crate::run::verdict::Verdict;
use crate::seed::Purpose;

fn chosen(state: &State) -> &Finalist {
    let chosen = state.chosen.as_ref().expect("a finalist was chosen before the verdict");
    &chosen.finalist
}

/// The plan of the verdict on whom the final round chose.
fn plan(job: &Job, state: &State) -> Plan {
    let chosen = state.chosen.as_ref().expect("a finalist was chosen before the verdict");
    Plan::of(job, chosen.verdict, chosen.early)
}

pub(super) fn round(job: &Job, state: &State) -> Round {
    let candidates = vec![job.space.start().to_vec(), chosen(state).weights.clone()];
    let plan = plan(job, state);
    let first = plan.units_of(state.judged[0].len()).expect("the verdict stands between two batches");
    Round::all(candidates, &plan.units.between(job.seed, Purpose::Verdict, first, first + plan.next(first)))
}

pub(super) fn complete(at: At<'_>, outcomes: &[Vec<Measured>]) {
    let At { job, state, tables, .. } = at;
    for (judged, outcomes) in state.judged.iter_mut().zip(outcomes) {
        judged.extend(outcomes);
    }
    let plan = plan(job, state);
    let objectives = plan.compare(&state.judged, |measured| measured.objective);
    let is_start = chosen(state).weights == job.space.start();
    if state.judged[0].len() < plan.units.deals && !is_clear(&objectives) && !is_start {
        return;
    }
    let scores = plan.compare(&state.judged, |measured| measured.score);
    let verdict = Verdict::new(job, chosen(state), plan.units, &state.judged, &objectives, &scores);
    let Finalist { name, generation, .. } = chosen(state);
    let [start, of_chosen] = &state.judged;
    let (low, high) = verdict.interval;
    tables.compared(("verdict", 0), state.games, "start", start, (0.0, 0.0, 0.0));
    tables.compared(("verdict", *generation), state.games, name, of_chosen, (verdict.difference, low, high));
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
