//! A quick check right before a run, with so few trials that the run hardly takes longer.

use super::{DICE, Extent, NEIGHBOURS, few_instances, neighbours, outlier};
use crate::job::{Job, Stage};
use crate::judgement::effect::changed;
use evolve_search::evaluator::{Base, Evaluator, Values, Variants, play_candidate};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, PlayError};

/// The largest share of the search's trials that a probe may take, and the largest number of cases.
const SHARE: f64 = 0.01;
const MOST: usize = 20;
/// The largest number of cases for expensive trials.
const MOST_DEAR: usize = 2;

/// Returns warnings before the first trial of a run: the test has too few instances for its size,
/// no tuned parameter has an effect, or trials are not deterministic although the job declares them
/// so. All but the first check play trials. If they would take more than a hundredth of the search,
/// only `evolve check` performs them.
///
/// The run does not depend on the results.
///
/// # Errors
/// The first failed trial, if failures end the run.
pub fn probe(job: &Job, evaluator: &dyn Evaluator) -> Result<Vec<String>, PlayError> {
    let problem = &*job.problem;
    let extent = Extent::of(job, None);
    let mut warnings: Vec<String> = few_instances(job, &extent).into_iter().collect();
    let most = if problem.behaviour().is_external { MOST_DEAR } else { MOST };
    let search = extent.trials[Stage::Search];
    let affordable = if search.is_finite() { SHARE * search / (2 + NEIGHBOURS) as f64 } else { 0.0 };
    let count = (affordable as usize).min(most);
    if count < MOST_DEAR || !problem.behaviour().reproduces() || problem.behaviour().is_one_case() {
        return Ok(warnings);
    }
    // Not cases of the search: a ratio on them refers to the recorded outcome of the start.
    let cases = Case::first(job.seed, Split::Validation, count);
    let start = Values::from(job.space.start());
    let mut queue = evaluator.queue();
    let candidates = [start.clone()].into_iter().chain(neighbours(job, NEIGHBOURS).into_iter().map(Values::from));
    let mut paired = Variants::new(Base::Once, candidates.collect());
    paired.play_cases(queue.as_mut(), &cases)?;
    // A run of a program finds out by itself whether trials repeat.
    if !problem.behaviour().is_external {
        let again = play_candidate(queue.as_mut(), &start, &cases)?;
        if changed(paired.pair(0)[0], &again) > 0 {
            warnings.push(format!("repeating a trial gave another score: results {DICE}"));
            return Ok(warnings);
        }
    }
    warnings.extend(outlier(problem, paired.pair(0)[0]));
    let is_same = |variant: usize| {
        let [start, neighbour] = paired.pair(variant);
        changed(start, neighbour) == 0
    };
    if (0..NEIGHBOURS).all(is_same) {
        warnings.push(format!(
            "{NEIGHBOURS} candidates with other values of all parameters played {count} trials exactly like the \
                baseline: the tuned parameters seem to have no effect. Run `evolve check`"
        ));
    }
    Ok(warnings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::job;
    use evolve_search::evaluator::Threads;
    use evolve_search::model::problem::Context;

    fn warnings(changes: &[(&str, &str)]) -> String {
        let job = job(changes);
        let evaluator = Threads::open(&*job.problem, 2, Context::default()).unwrap();
        probe(&job, &evaluator).unwrap().join("\n")
    }

    #[test]
    fn missing_effects_are_reported_where_trials_are_cheap() {
        let drift =
            ("include = [\"slope_*\", \"move\", \"steps\", \"polish\", \"heat\"]", "include = [\"slope_far_drift\"]");
        let fixed = ("exclude = [\"*_drift\"]\n", "");
        let (large, small) = (("generations = 3", "budget = 1550"), ("generations = 3", "budget = 1400"));
        assert!(warnings(&[drift, fixed, large]).contains("played 2 trials exactly like the baseline"));
        assert_eq!(warnings(&[drift, fixed, small]), "");
        assert_eq!(warnings(&[large]), "");
    }
}
