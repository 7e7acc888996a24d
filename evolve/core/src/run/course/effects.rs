//! Between selection and test: finds the parameters of the selected finalist that change no outcome
//! of the selection, and sets them back to their start. The test then judges the recommended
//! values.

use super::Course;
use super::bisection::Bisection;
use super::finalist::Finalist;
use super::schedule::{Planned, Schedule};
use crate::job::{Job, Stage};
use crate::judgement::comparison::Units;
use crate::judgement::measured::Measured;
use evolve_search::model::seed::Split;
use evolve_search::model::space::Space;
use evolve_search::model::trial::Case;
use evolve_search::statistics::LEAST_CLAIM;

/// Returns the search for the parameters without effect of the selected finalist, from its outcomes
/// in the selection. `None` if outcomes are not deterministic, since any change could then be
/// noise, or if the selection had too few trials or instances for any claim.
pub(super) fn of(job: &Job, chosen: &Finalist, outcomes: &[Measured]) -> Option<Bisection> {
    let (values, start) = (&chosen.values, job.space.start());
    let moved = job.space.tuned_indices().iter().copied().filter(|&place| values[place] != start[place]);
    let problem = &*job.problem;
    let is_enough = Units::of(problem, Split::Selection, outcomes.len()).count >= LEAST_CLAIM;
    (is_enough && problem.behaviour().reproduces()).then(|| Bisection::new(outcomes.to_vec(), moved.collect()))
}

/// Returns the values with those at `places` set back one after another, except any that would make
/// the values forbidden.
fn set_back(space: &Space, values: &[f64], places: &[usize]) -> Vec<f64> {
    let settled = |values: &[f64]| {
        let mut values = values.to_vec();
        space.settle(&mut values);
        values
    };
    let mut values = values.to_vec();
    for &place in places {
        let moved = std::mem::replace(&mut values[place], space.start()[place]);
        if space.is_restricted() && !space.allows(&settled(&values)) {
            values[place] = moved;
        }
    }
    settled(&values)
}

pub(super) fn schedule(course: &Course) -> Schedule {
    let (job, values) = (&course.job, &course.state.judging.chosen.values);
    let mut schedule = Schedule { candidates: Vec::new(), trials: Vec::new(), lead: 0 };
    let mut last = None;
    let Some(effects) = &course.state.effects else { return schedule };
    for (count, number) in effects.asks() {
        if last.replace(count) != Some(count) {
            schedule.candidates.push(set_back(&job.space, values, &effects.idle()[..count]).into());
        }
        let case = Case::at(job.seed, course.split(), number as u64);
        schedule.trials.push(Planned { candidate: schedule.candidates.len() - 1, case, rival: None });
    }
    schedule
}

pub(super) fn complete(course: &mut Course, outcomes: &[Measured]) {
    let Course { job, state, .. } = course;
    let most = state.plan.effects(job, state.search_trials());
    if let Some(mut effects) = state.effects.take() {
        effects.record(outcomes, most);
        if !effects.is_over() {
            state.effects = Some(effects);
            return;
        }
        let values = set_back(&job.space, &state.judging.chosen.values, effects.idle());
        let moved =
            job.space.tuned_indices().iter().filter(|&&place| values[place] != job.space.start()[place]).count();
        state.judging.chosen.matter = effects.is_whole().then_some(moved);
        state.judging.chosen.values = values;
    }
    state.stage = Stage::Test;
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::parameter::Parameter;
    use evolve_search::model::parameter::condition::Condition;

    #[test]
    fn what_would_be_forbidden_is_not_set_back() {
        let parameters = vec![Parameter::choice("move", ["swap", "2opt"], 0), Parameter::int("k", 1, 20, 5)];
        let far_swap = Condition::parse("move == 'swap' && k > 10", &parameters).unwrap();
        let space = Space::new(parameters, vec![0.0, 5.0], vec![0, 1]);
        let restricted = space.clone().without(vec![far_swap]);
        for (places, values) in [(&[0][..], [1.0, 15.0]), (&[0, 1], [1.0, 5.0]), (&[1, 0], [0.0, 5.0])] {
            assert_eq!(set_back(&restricted, &[1.0, 15.0], places), values, "{places:?}");
        }
        assert_eq!(set_back(&space, &[1.0, 15.0], &[0]), [0.0, 15.0]);
    }
}
