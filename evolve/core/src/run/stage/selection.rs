//! The selection: finds the best of a few finalists on new instances.

use super::{At, effects};
use crate::job::Job;
use crate::judgement::comparison::Units;
use crate::judgement::held::{Held, Holding, held, worst};
use crate::judgement::measured::{Measured, difference, differences, rated};
use crate::model::seed::Split;
use crate::model::trial::Deal;
use crate::run::finalist::Finalist;
use crate::run::rows::Stage;
use crate::run::schedule::Schedule;
use crate::run::search::Search;
use crate::run::state::{Judging, Phase, State};
use crate::run::verdict::Verdict;
use crate::search::FinalistKind;

pub(super) fn round(job: &Job, state: &State, search: &Search) -> Schedule {
    let candidates: Vec<_> = finalists(job, state, search).into_iter().map(|finalist| finalist.weights).collect();
    // The baseline alone needs no comparison.
    let trials = if candidates.len() > 1 { state.plan.selection } else { 0 };
    Schedule::all(candidates, &Deal::first(job.seed, Split::Selection, trials), 0)
}

pub(super) fn complete(at: At<'_>, outcomes: &[Vec<Measured>]) -> Phase {
    let At { job, state, search, log } = at;
    let mut finalists = finalists(job, state, search);
    for (finalist, of_finalist) in finalists.iter().zip(outcomes).filter(|(_, outcomes)| !outcomes.is_empty()) {
        let difference = difference(job, Split::Selection, of_finalist, &outcomes[0]).interval();
        let stage = (Stage::Selection, finalist.generation);
        log.candidate(stage, state.trials(), finalist.kind, of_finalist, difference);
    }
    state.plan.test = state.affordable_test(job);
    let problem = &*job.source.problem;
    let held: Vec<Vec<Held>> = outcomes.iter().map(|row| held(problem, Split::Selection, row)).collect();
    let means = mean_rates(job, outcomes);
    let best = match outcomes[0].is_empty() {
        // Without a selection, the optimizer's recommendation.
        true => finalists.len().min(2) - 1,
        false => best_of(&means, &held.iter().map(worst).collect::<Vec<_>>()),
    };
    let units = Units::of(problem, Split::Selection, outcomes[0].len());
    let selection = units.observations_by_number(&differences(problem, &outcomes[best], &outcomes[0]));
    let chosen = finalists.swap_remove(best);
    if best == 0 {
        // The run recommends the baseline, so no test follows.
        let held = if outcomes[0].is_empty() { &Vec::new() } else { &held[0] };
        return Phase::Done { chosen, verdict: Verdict::kept(job, &state.baseline, held) };
    }
    if state.plan.test == 0 {
        let verdict = Verdict::untested(&chosen);
        return Phase::Done { chosen, verdict };
    }
    let effects = effects::of(job, &chosen, &outcomes[best]);
    let judging = Judging { chosen, selection, judged: Default::default() };
    match effects {
        Some(effects) => Phase::Effects(effects, judging),
        None => Phase::Test(judging),
    }
}

/// Returns the index of the finalist with the best mean, the first of equal ones. If any finalist
/// but the baseline holds all constraints, only such finalists compete; otherwise, all that are not
/// known to break one. The baseline competes in both cases, unless it is known to break one.
/// Returns the baseline if none competes.
fn best_of(means: &[f64], answers: &[Holding]) -> usize {
    let least = if answers[1..].contains(&Holding::Held) { Holding::Held } else { Holding::Open };
    let is_in = |&place: &usize| match place {
        // The baseline is excluded only if it is known to break a constraint.
        0 => answers[0] != Holding::Broken,
        place => answers[place] <= least,
    };
    let best =
        (0..means.len()).filter(is_in).reduce(|best, place| if means[place] > means[best] { place } else { best });
    best.unwrap_or(0)
}

/// Returns the mean rate of each finalist. On each deal, the finalists are rated against one
/// another.
fn mean_rates(job: &Job, outcomes: &[Vec<Measured>]) -> Vec<f64> {
    let by_ratio = job.source.problem.traits().by_ratio;
    let mut sums = vec![0.0; outcomes.len()];
    for deal in 0..outcomes[0].len() {
        let played: Vec<&Measured> = outcomes.iter().map(|row| &row[deal]).collect();
        sums.iter_mut().zip(rated(by_ratio, &played)).for_each(|(sum, rate)| *sum += rate);
    }
    sums.iter().map(|sum| sum / outcomes[0].len().max(1) as f64).collect()
}

/// Returns the finalists, the baseline first. No two have the same values.
fn finalists(job: &Job, state: &State, search: &Search) -> Vec<Finalist> {
    let start =
        Finalist { kind: FinalistKind::Baseline, generation: 0, weights: job.space.start().to_vec(), matter: None };
    let generation = search.optimizer.generation();
    let mut finalists = vec![start];
    let recommended = search.optimizer.recommended().into_iter().map(|(kind, point)| {
        let weights = job.space.rounded(&point);
        Finalist { kind, generation, weights, matter: None }
    });
    for one in recommended.chain(state.validation.incumbent.clone()) {
        if finalists.iter().all(|finalist| finalist.weights != one.weights) {
            finalists.push(one);
        }
    }
    finalists
}
