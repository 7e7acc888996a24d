//! The selection: finds the best of a few finalists on new instances.

use super::finalist::Finalist;
use super::record::Record;
use super::rows::ValidationRow;
use super::schedule::Schedule;
use super::state::Judging;
use super::verdict::Verdict;
use super::{Course, effects};
use crate::job::Stage;
use crate::judgement::comparison::Units;
use crate::judgement::feasibility::{Feasibility, Findings};
use crate::judgement::measured::{Measured, difference, differences, rated};
use evolve_search::evaluator::Values;
use evolve_search::model::rating::Rating;
use evolve_search::optimizer::FinalistKind;

pub(super) fn schedule(course: &Course) -> Schedule {
    let candidates: Vec<Values> = finalists(course).into_iter().map(|finalist| finalist.values.into()).collect();
    // The baseline alone needs no comparison.
    let trials = if candidates.len() > 1 { course.state.plan.selection } else { 0 };
    Schedule::all(candidates, &course.cases(trials), 0)
}

pub(super) fn complete(course: &mut Course, outcomes: &[Vec<Measured>]) -> Vec<Record> {
    let (split, played) = (course.split(), outcomes[0].len());
    let mut finalists = finalists(course);
    let units = Units::of(course.problem(), split, played);
    let row = |(finalist, of_finalist): (&Finalist, &Vec<Measured>)| {
        let difference = difference(&course.job, split, of_finalist, &outcomes[0]).interval();
        let &Finalist { kind, generation, .. } = finalist;
        let trials = course.state.trials();
        Record::Validation(ValidationRow::of(
            Stage::Selection,
            kind,
            generation,
            trials,
            of_finalist,
            units,
            difference,
        ))
    };
    let records = if played == 0 { Vec::new() } else { finalists.iter().zip(outcomes).map(row).collect() };
    course.state.plan.test = course.affordable_test();
    let problem = course.problem();
    let findings: Vec<Findings> = outcomes.iter().map(|row| Findings::of(problem, split, row)).collect();
    let best = match played {
        // Without a selection, the optimizer's recommendation.
        0 => finalists.len().min(2) - 1,
        _ => {
            let means = mean_rates(problem.rating(), outcomes);
            best_of(&means, &findings.iter().map(Findings::feasibility).collect::<Vec<_>>())
        }
    };
    let selection = units.observations_by_number(&differences(problem, &outcomes[best], &outcomes[0]));
    let chosen = finalists.swap_remove(best);
    if best == 0 {
        // The run recommends the baseline, so no test follows.
        let findings = if played == 0 { &Findings::default() } else { &findings[0] };
        course.state.verdict = Some(Verdict::kept(&course.job, &course.state.baseline, findings));
    } else if course.state.plan.test == 0 {
        course.state.verdict = Some(Verdict::untested(&chosen));
    } else {
        course.state.effects = effects::of(&course.job, &chosen, &outcomes[best]);
        course.state.stage = if course.state.effects.is_some() { Stage::Effects } else { Stage::Test };
    }
    course.state.judging = Judging { chosen, selection, judged: Default::default() };
    records
}

/// Returns the index of the finalist with the best mean, the first of equal ones. If any finalist
/// but the baseline is feasible, only feasible ones compete; otherwise, every finalist except those
/// known to break a constraint. The baseline competes in both cases, unless it is known to break
/// one. Returns the baseline if none competes.
fn best_of(means: &[f64], all: &[Feasibility]) -> usize {
    let is_any_feasible = all[1..].contains(&Feasibility::Feasible);
    let least = if is_any_feasible { Feasibility::Feasible } else { Feasibility::Unclear };
    let is_in = |&place: &usize| match place {
        // The baseline is excluded only if it is known to break a constraint.
        0 => all[0] != Feasibility::Infeasible,
        place => all[place] <= least,
    };
    let best =
        (0..means.len()).filter(is_in).reduce(|best, place| if means[place] > means[best] { place } else { best });
    best.unwrap_or(0)
}

/// Returns the mean rate of each finalist. On each case, the finalists are rated against one
/// another.
fn mean_rates(rating: Rating, outcomes: &[Vec<Measured>]) -> Vec<f64> {
    let mut sums = vec![0.0; outcomes.len()];
    for case in 0..outcomes[0].len() {
        let played: Vec<&Measured> = outcomes.iter().map(|row| &row[case]).collect();
        sums.iter_mut().zip(rated(rating, &played)).for_each(|(sum, rate)| *sum += rate);
    }
    sums.iter().map(|sum| sum / outcomes[0].len().max(1) as f64).collect()
}

/// Returns the finalists, the baseline first. No two have the same values.
fn finalists(Course { job, state, search }: &Course) -> Vec<Finalist> {
    let start =
        Finalist { kind: FinalistKind::Baseline, generation: 0, values: job.space.start().to_vec(), matter: None };
    let generation = search.optimizer.generation();
    let mut finalists = vec![start];
    let recommended = search.optimizer.recommended().into_iter().map(|(kind, point)| {
        let values = job.space.rounded(&point);
        Finalist { kind, generation, values, matter: None }
    });
    for one in recommended.chain(state.validation.incumbent.clone()) {
        if finalists.iter().all(|finalist| finalist.values != one.values) {
            finalists.push(one);
        }
    }
    finalists
}
