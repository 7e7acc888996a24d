//! Earlier runs to learn from: their trials, in the parameters of a space.

use indexmap::IndexMap;

/// Largest total number of trials of earlier runs.
pub const MOST_LEARNED: usize = 150;

/// Earlier runs, in the order in which the job lists them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    pub runs: Vec<Earlier>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Earlier {
    /// The values of its recommendation or best candidate, one for each parameter of the space.
    pub best: Vec<f64>,
    /// The trials to learn from, at least one, the most informative first.
    pub trials: Vec<Lesson>,
}

/// A trial of an earlier run.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// A value for each parameter of the space.
    pub values: Vec<f64>,
    /// Number of the case: trials of a run with the same number were played on the same case.
    pub case: usize,
    /// Its objective; larger is better.
    pub objective: f64,
    /// Whether the objective is an upper bound.
    pub is_bound: bool,
}

impl Earlier {
    /// Returns an earlier run with at most `most` of these trials. It takes in turn the best
    /// remaining trial, and one from an even spread between best and worst. Trials are ranked by
    /// their differences on the same case. `best` is the run's recommendation, if it has one.
    ///
    /// # Panics
    /// If there is no trial.
    pub fn new(best: Option<Vec<f64>>, trials: Vec<Lesson>, most: usize) -> Self {
        let beyond = beyond_cases(&trials);
        let best = best.unwrap_or_else(|| best_of(&trials, &beyond));
        let mut ranking: Vec<usize> = (0..trials.len()).collect();
        ranking.sort_by(|&a, &b| beyond[b].total_cmp(&beyond[a]));
        let mut spread: Vec<usize> = (0..trials.len()).collect();
        spread.sort_by_key(|&rank| (rank as u32).reverse_bits());
        let mut is_left = vec![true; trials.len()];
        let by_turns = (0..trials.len()).flat_map(|turn| [ranking[turn], ranking[spread[turn]]]);
        let order = by_turns.filter(|&place| std::mem::take(&mut is_left[place])).take(most);
        Earlier { best, trials: order.map(|place| trials[place].clone()).collect() }
    }
}

/// Returns the difference of each trial's objective from the mean on its case.
fn beyond_cases(trials: &[Lesson]) -> Vec<f64> {
    let mut cases = vec![(0.0, 0.0); trials.iter().map(|trial| trial.case + 1).max().unwrap_or(0)];
    for trial in trials {
        cases[trial.case].0 += trial.objective;
        cases[trial.case].1 += 1.0;
    }
    trials.iter().map(|trial| trial.objective - cases[trial.case].0 / cases[trial.case].1).collect()
}

/// Returns the candidate with the largest mean advantage. One good trial may be luck, so the mean
/// counts one more trial without advantage for each candidate.
fn best_of(trials: &[Lesson], beyond: &[f64]) -> Vec<f64> {
    let mut candidates: IndexMap<Vec<u64>, (usize, f64, f64)> = IndexMap::new();
    for (place, (trial, beyond)) in trials.iter().zip(beyond).enumerate() {
        let key = trial.values.iter().map(|value| value.to_bits()).collect();
        let (_, sum, count) = candidates.entry(key).or_insert((place, 0.0, 1.0));
        *sum += beyond;
        *count += 1.0;
    }
    let best = candidates.values().reduce(|best, one| if one.1 / one.2 > best.1 / best.2 { one } else { best });
    trials[best.expect("there is a trial").0].values.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(x: f64, case: usize, objective: f64) -> Lesson {
        Lesson { values: vec![x], case, objective, is_bound: false }
    }

    #[test]
    fn the_best_and_a_spread_are_kept_by_what_they_are_on_their_cases() {
        // The cases differ by far more than the candidates.
        let trials: Vec<Lesson> =
            (0..40).map(|i| lesson(f64::from(i / 2), i as usize % 2, f64::from(1000 * (i % 2) + i / 2))).collect();
        let kept = Earlier::new(None, trials.clone(), 10);
        let values: Vec<f64> = kept.trials.iter().map(|trial| trial.values[0]).collect();
        assert_eq!(values, [19.0, 19.0, 3.0, 18.0, 11.0, 18.0, 15.0, 17.0, 7.0, 17.0]);
        assert_eq!(kept.best, [19.0]);
        assert_eq!(Earlier::new(Some(vec![4.0]), trials.clone(), 10).best, [4.0]);
        assert_eq!(Earlier::new(None, trials, 100).trials.len(), 40);
    }

    #[test]
    fn one_lucky_trial_is_not_the_best() {
        let mut trials: Vec<Lesson> = (0..6).map(|case| lesson(1.0, case, 2.0)).collect();
        trials.extend((0..6).map(|case| lesson(0.0, case, 0.0)));
        trials.push(lesson(2.0, 0, 2.5));
        assert_eq!(Earlier::new(None, trials, 100).best, [1.0]);
    }
}
