//! A look at a job right before it runs, by so few trials that the run does not feel them.

use super::{DICE, Extent, NEIGHBOURS, few_instances, neighbours};
use crate::evaluator::{Base, Evaluator, Paired, evaluate_candidate};
use crate::job::Job;
use crate::judgement::effect::changed;
use crate::model::seed::Purpose;
use crate::model::trial::{Deal, PlayError};

/// The share of the search's trials that a probe may take, and deals that are enough.
const SHARE: f64 = 0.01;
const MOST: usize = 20;
/// The same where trials are dear.
const MOST_DEAR: usize = 2;

/// What a run had better know before its first trial: that the verdict has too few instances for what is asked, that
/// nothing that evolves has an effect, that trials do not reproduce although the job says so. The last two take trials,
/// and are left to `evolve check` where these would be more than a hundredth of the search.
///
/// Nothing of the run follows from it.
///
/// # Errors
/// The first trial that failed and does not count.
pub fn probe(job: &Job, evaluator: &dyn Evaluator) -> Result<Vec<String>, PlayError> {
    let problem = &*job.source.problem;
    let extent = Extent::of(job, None);
    let mut warnings: Vec<String> = few_instances(job, &extent).into_iter().collect();
    let most = if problem.keeps_order() { MOST_DEAR } else { MOST };
    let affordable = if extent.search.is_finite() { SHARE * extent.search / (2 + NEIGHBOURS) as f64 } else { 0.0 };
    let count = (affordable as usize).min(most);
    if count < MOST_DEAR || !problem.reproduces() {
        return Ok(warnings);
    }
    // Not of the search's deals: there, a ratio remembers what the start did.
    let deals = Deal::first(job.seed, Purpose::HeldOut, count);
    let candidates = [vec![job.space.start().to_vec()], neighbours(job)].concat();
    let mut round = evaluator.round(&candidates);
    let mut paired = Paired::new(Base::Once, NEIGHBOURS);
    paired.evaluate_deals(round.as_mut(), &deals)?;
    let again = evaluate_candidate(round.as_mut(), 0, &deals)?;
    if changed(paired.pair(0)[0], &again) > 0 {
        warnings.push(format!("the same trial, played twice, gave two scores: what the run finds {DICE}"));
        return Ok(warnings);
    }
    let is_same = |variant: usize| {
        let [start, neighbour] = paired.pair(variant);
        changed(start, neighbour) == 0
    };
    if (0..NEIGHBOURS).all(is_same) {
        warnings.push(format!(
            "{NEIGHBOURS} candidates with other values of all parameters played {count} trials exactly as the start does: \
             what evolves seems to have no effect. Ask `evolve check`"
        ));
    }
    Ok(warnings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Threads;
    use crate::fixture::job;
    use crate::model::problem::Context;

    fn told(changes: &[(&str, &str)]) -> String {
        let job = job(changes);
        let evaluator = Threads::open(&*job.source.problem, &job.source.setup, 2, Context::default()).unwrap();
        probe(&job, &evaluator).unwrap().join("\n")
    }

    #[test]
    fn what_has_no_effect_is_told_where_trials_are_cheap() {
        let drift =
            ("include = [\"slope_*\", \"move\", \"steps\", \"polish\", \"heat\"]", "include = [\"slope_far_drift\"]");
        let fixed = ("exclude = [\"*_drift\"]\n", "");
        let (large, small) = (("generations = 3", "budget = 1200"), ("generations = 3", "budget = 1199"));
        assert!(told(&[drift, fixed, large]).contains("played 2 trials exactly as the start does"));
        assert_eq!(told(&[drift, fixed, small]), "");
        assert_eq!(told(&[large]), "");
    }
}
