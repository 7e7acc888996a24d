//! The verdict: the chosen finalist against the starting weights, on fresh games that nothing was selected on, until it
//! is clear.
//!
//! It is looked at after batches of fixed sizes, so that it does not depend on threads, stops or clocks. Every batch is a
//! round of its own.

use super::At;
use crate::comparison::{Answer, Comparison, Units};
use crate::config::Job;
use crate::optimizer::FinalistKind;
use crate::run::measured::{Finalist, Measured};
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
    Units::of(job.source.problem, Purpose::Verdict, job.finals.verdict)
}

/// The comparison of all units so far by one of their numbers.
fn compare(units: Units, [start, chosen]: &[Vec<Measured>; 2], number: fn(&Measured) -> f64) -> Comparison {
    let differences: Vec<f64> = chosen.iter().zip(start).map(|(a, b)| number(a) - number(b)).collect();
    let mut comparison = units.comparison(ERROR, 0.0);
    units.means(0, &differences).into_iter().for_each(|difference| comparison.add(difference));
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
    let objectives = compare(units, &state.judged, |measured| measured.objective);
    let is_start = chosen(state).weights == job.space.start();
    if state.judged[0].len() < units.deals && !is_clear(&objectives) && !is_start {
        return;
    }
    let scores = compare(units, &state.judged, |measured| measured.score);
    let verdict = Verdict::new(job, chosen(state), units, &state.judged, &objectives, &scores);
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
