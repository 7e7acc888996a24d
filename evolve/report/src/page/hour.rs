//! The changes of the last hour in a running search.

use super::history::History;
use super::thin::short;
use crate::draw::Axis;
use crate::tables::Run;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::space::Space;
use serde::Serialize;

/// The changes of an hour of trials.
#[derive(Debug, PartialEq, Serialize)]
pub struct Hour {
    trials: u64,
    /// The gain of the incumbent by the model, an hour ago and now, with the decimals of the last.
    gain: Option<(f64, f64, usize)>,
    /// The parameters whose mean moved most: the index among tuned parameters, and the mean an hour
    /// ago and now.
    moved: Vec<(usize, f64, f64)>,
}

const HOUR: f64 = 3600.0;
/// The smallest move on the page, as a share of the range, and the largest number of moves.
const MOVE: f64 = 0.05;
const MOVES: usize = 5;

impl Hour {
    /// Returns the changes of the last hour; `None` before an hour has passed.
    pub fn of(run: &Run, space: &Space, history: Option<&History>) -> Option<Self> {
        let now = run.times.last()?;
        let before = run.times.partition_point(|time| time.seconds <= now.seconds - HOUR).checked_sub(1)?;
        let then = &run.times[before];
        let course: Vec<_> = history.into_iter().flat_map(History::course).collect();
        let at = |trials: u64| course.iter().rev().find(|(of, ..)| *of < trials);
        let gain = at(then.trials_played).zip(course.last()).map(|((_, a, ..), (_, b, .., digits))| (*a, *b, *digits));
        let generation = run.generations.partition_point(|row| row.generation <= then.generation).checked_sub(1)?;
        let moved = |(place, parameter): (usize, &Parameter)| {
            let path = run.weights.iter().find(|path| path.name == parameter.name)?;
            let (from, to) = (path.mean[generation], *path.mean.last()?);
            let axis = Axis::of_parameter(parameter, 5);
            Some((place, from, to, (axis.share(to) - axis.share(from)).abs()))
        };
        let moved = space.tuned().enumerate().filter_map(moved).filter(|(.., share)| *share >= MOVE);
        let mut moved: Vec<_> = moved.collect();
        moved.sort_by(|(.., a), (.., b)| b.total_cmp(a));
        moved.truncate(MOVES);
        let moved = moved.into_iter().map(|(place, from, to, _)| (place, short(from), short(to))).collect();
        Some(Hour { trials: now.trials_played - then.trials_played, gain, moved })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::WeightPath;
    use evolve_core::run::rows::{GenerationRow, TimeRow};

    #[test]
    fn an_hour_has_its_own_trials_and_moves() {
        let times = [(0, 100, 1000.0), (1, 250, 3000.0), (2, 400, 7000.0)];
        let of =
            |(generation, trials_played, seconds)| TimeRow { generation, trials_played, seconds, ..TimeRow::default() };
        let path = |name: &str, mean: [f64; 3]| WeightPath {
            name: name.to_string(),
            mean: mean.to_vec(),
            deviation: vec![0.1; 3],
        };
        let mut run = Run {
            name: "run".to_string(),
            generations: (0..3).map(|generation| GenerationRow { generation, ..GenerationRow::default() }).collect(),
            weights: vec![path("k", [5.0, 6.0, 9.0]), path("rate", [1.0, 1.0, 1.01])],
            estimates: Vec::new(),
            times: times.map(of).to_vec(),
            verdict: None,
        };
        let parameters = vec![Parameter::int("k", 1, 11, 5), Parameter::float("rate", 1e-3, 1e3, 1.0).log()];
        let space = Space::new(parameters, vec![5.0, 1.0], vec![0, 1]);
        assert_eq!(Hour::of(&run, &space, None), Some(Hour { trials: 150, gain: None, moved: vec![(0, 6.0, 9.0)] }));
        run.times.pop();
        assert_eq!(Hour::of(&run, &space, None), None);
    }
}
