//! Between selection and test: finds the parameters of the selected finalist that change no outcome
//! of the selection, and sets them back to their start. The test then judges the recommended
//! values.

use super::At;
use crate::evaluator::Trial;
use crate::job::Job;
use crate::judgement::comparison::{LEAST_CLAIM, Units};
use crate::judgement::measured::Measured;
use crate::model::seed::Split;
use crate::model::space::Space;
use crate::model::trial::Deal;
use crate::run::effects::Effects;
use crate::run::finalist::Finalist;
use crate::run::schedule::Schedule;
use crate::run::state::{Judging, Phase};

/// Returns the search for the parameters without effect of the selected finalist, from its outcomes
/// in the selection. `None` if outcomes are not deterministic, since any change could then be
/// noise, or if the selection had too few trials or instances for any claim.
pub(super) fn of(job: &Job, chosen: &Finalist, outcomes: &[Measured]) -> Option<Effects> {
    let (values, start) = (&chosen.weights, job.space.start());
    let moved = job.space.places().iter().copied().filter(|&place| values[place] != start[place]);
    let problem = &*job.source.problem;
    let is_enough = Units::of(problem, Split::Selection, outcomes.len()).count >= LEAST_CLAIM;
    (is_enough && problem.traits().reproduces()).then(|| Effects::new(outcomes.to_vec(), moved.collect()))
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
        if space.is_restricted() && space.forbids(&settled(&values)).is_some() {
            values[place] = moved;
        }
    }
    settled(&values)
}

pub(super) fn round(job: &Job, effects: &Effects, judging: &Judging) -> Schedule {
    let values = &judging.chosen.weights;
    let mut round = Schedule { candidates: Vec::new(), trials: Vec::new(), lead: 0 };
    let mut last = None;
    for (count, number) in effects.asks() {
        if last.replace(count) != Some(count) {
            round.candidates.push(set_back(&job.space, values, &effects.idle()[..count]));
        }
        let deal = Deal::at(job.seed, Split::Selection, number as u64);
        round.trials.push(Trial::new(round.candidates.len() - 1, deal));
    }
    round
}

pub(super) fn complete(at: At<'_>, mut effects: Effects, mut judging: Judging, outcomes: &[Measured]) -> Phase {
    let At { job, state, .. } = at;
    effects.record(outcomes, state.plan.effects(job, state.search_trials()));
    if !effects.is_over() {
        return Phase::Effects(effects, judging);
    }
    let values = set_back(&job.space, &judging.chosen.weights, effects.idle());
    let moved = job.space.places().iter().filter(|&&place| values[place] != job.space.start()[place]).count();
    let matter = effects.is_whole().then_some(moved);
    (judging.chosen.matter, judging.chosen.weights) = (matter, values);
    Phase::Test(judging)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parameter::Parameter;
    use crate::model::parameter::condition::Condition;

    #[test]
    fn what_would_be_forbidden_is_not_set_back() {
        let parameters = vec![Parameter::choice("move", ["swap", "2opt"], 0), Parameter::int("k", 1, 20, 5)];
        let forbidden = Condition::parse("move == 'swap' && k > 10", &parameters).unwrap();
        let space = Space::new(parameters, vec![0.0, 5.0], vec![0, 1]);
        let restricted = space.clone().without(vec![forbidden]);
        for (places, values) in [(&[0][..], [1.0, 15.0]), (&[0, 1], [1.0, 5.0]), (&[1, 0], [0.0, 5.0])] {
            assert_eq!(set_back(&restricted, &[1.0, 15.0], places), values, "{places:?}");
        }
        assert_eq!(set_back(&space, &[1.0, 15.0], &[0]), [0.0, 15.0]);
    }
}
