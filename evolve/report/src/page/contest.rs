//! Policies on the same deals: their scores, their comparison, and the deals to show.

use super::input::Input;
use super::thin::{Ranged, ranged, short};
use crate::draw::{Axis, column_decimals};
use crate::error::ReportError;
use evolve_contest::replay::{Replay, Replayable};
use evolve_contest::{Contest, Games};
use evolve_search::evaluator::{Evaluator, Threads, play_candidate};
use evolve_search::model::problem::{Candidate, Context, Problem};
use evolve_search::model::trial::Case;
use evolve_search::statistics::{Estimate, Interval};
use serde::Serialize;
use std::sync::Arc;

/// Values with the problem in which they play.
#[derive(Clone)]
pub struct Contestant {
    pub name: String,
    /// The problem, with its player.
    pub problem: Arc<dyn Problem>,
    pub values: Vec<f64>,
}

/// The results of policies on the same deals.
#[derive(Serialize)]
pub struct Contests {
    names: Vec<String>,
    /// The seed of the deals, for `evolve compare`.
    seed: u64,
    /// The score of each policy on each deal.
    scores: Vec<Vec<f64>>,
    /// The axis of scores, the decimals of scores, and the decimals of the parts of values.
    axis: Axis,
    digits: usize,
    parts: usize,
    /// The deals to show.
    shown: Vec<Shown>,
}

/// A deal to show.
#[derive(Serialize)]
struct Shown {
    /// The number of the deal, from 0.
    deal: usize,
    /// The reasons for showing it.
    labels: Vec<&'static str>,
    plays: Vec<Replay>,
}

/// The approximate number of bars of all steps together that a page of two megabytes can hold.
const ALL_BARS: usize = 24_000;
/// The largest number of moves in a line that fits beside the name of its first move.
const BESIDE: usize = 6;
/// The smallest and largest numbers of bars and considered moves of a step.
const BARS: (usize, usize) = (3, 12);

impl Contests {
    /// Plays the deals with each candidate; all candidates are for the same problem. `last` is the
    /// index of the candidate that decides which deals to show: its worst and best deals, and the
    /// deals on which it differs most from the first candidate.
    ///
    /// # Errors
    /// If the problem cannot be opened, or a trial fails.
    pub fn measure(
        contestants: &[Contestant],
        last: usize,
        deals: &[Case],
        seed: u64,
        threads: usize,
        context: &Context,
        games: &Games,
    ) -> Result<Self, ReportError> {
        let scores = contestants
            .iter()
            .map(|contestant| scores(contestant, deals, threads, context))
            .collect::<Result<Vec<_>, _>>()?;
        let mut shown: Vec<Shown> = match contestants.first().and_then(|first| replayable(first, games)) {
            Some(_) => remarkable(&scores[0], &scores[last])
                .into_iter()
                .map(|(deal, labels)| Shown { deal, labels, plays: Vec::new() })
                .collect(),
            None => Vec::new(),
        };
        let chosen: Vec<Case> = shown.iter().map(|shown| deals[shown.deal]).collect();
        for contestant in contestants {
            let Some(replayable) = replayable(contestant, games) else { continue };
            let parameters = contestant.problem.parameters();
            let candidate = Candidate::new(&parameters, &contestant.values);
            let replays = replayable.replay(candidate, &chosen, context).map_err(ReportError::Play)?;
            for (shown, replay) in shown.iter_mut().zip(replays) {
                shown.plays.push(replay);
            }
        }
        let plays = || shown.iter().flat_map(|shown| &shown.plays);
        let bars = (ALL_BARS / plays().map(|replay| replay.steps.len()).sum::<usize>().max(1)).clamp(BARS.0, BARS.1);
        shown.iter_mut().flat_map(|shown| &mut shown.plays).for_each(|replay| shorten(replay, bars));
        let names = contestants.iter().map(|contestant| contestant.name.clone()).collect();
        let plays = || shown.iter().flat_map(|shown| &shown.plays);
        let all = || scores.iter().flatten().copied();
        let whys = plays().flat_map(|replay| &replay.steps).filter_map(|step| step.why.as_ref());
        let parts = whys.filter_map(|why| why.split.as_ref()).map(|split| split.difference);
        let (axis, digits, parts) = (Axis::around(all(), 4), column_decimals(all()), column_decimals(parts).max(2));
        Ok(Contests { names, seed, axis, digits, parts, scores, shown })
    }

    /// Returns the difference between two policies, game by game.
    fn difference(&self, one: usize, other: usize) -> Estimate {
        Estimate::paired(&self.scores[one], &self.scores[other])
    }
}

/// Returns the source of replays of a contestant's games, if any.
fn replayable<'a>(contestant: &'a Contestant, games: &Games) -> Option<&'a dyn Replayable> {
    games.contest(&*contestant.problem).and_then(Contest::replayable)
}

fn scores(contestant: &Contestant, deals: &[Case], threads: usize, context: &Context) -> Result<Vec<f64>, ReportError> {
    let threads = Threads::open(&*contestant.problem, threads, context.clone()).map_err(ReportError::Open)?;
    let candidate = contestant.values.as_slice().into();
    let outcomes = play_candidate(threads.queue().as_mut(), &candidate, deals).map_err(ReportError::Play)?;
    Ok(outcomes.iter().map(|outcome| outcome.score).collect())
}

/// Returns the deals to show, each with its labels: the candidate's worst, median and best deal,
/// and the deals on which it gained and lost most against the baseline.
fn remarkable(start: &[f64], scores: &[f64]) -> Vec<(usize, Vec<&'static str>)> {
    let by = |key: &dyn Fn(usize) -> f64| {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| key(a).total_cmp(&key(b)));
        order
    };
    let (by_score, by_gain) = (by(&|i| scores[i]), by(&|i| scores[i] - start[i]));
    let (Some(&worst), Some(&best)) = (by_score.first(), by_score.last()) else { return Vec::new() };
    let (loss, gain) = (by_gain[0], by_gain[by_gain.len() - 1]);
    let mut found: Vec<(usize, Vec<&'static str>)> = Vec::new();
    let mut add = |deal: usize, label: &'static str| match found.iter_mut().find(|(other, _)| *other == deal) {
        Some((_, labels)) => labels.push(label),
        None => found.push((deal, vec![label])),
    };
    add(worst, "worst");
    add(by_score[by_score.len() / 2], "median");
    add(best, "best");
    if scores[gain] > start[gain] {
        add(gain, "gained most");
    }
    if scores[loss] < start[loss] {
        add(loss, "lost most");
    }
    found
}

/// Rounds numbers to the precision of a screen, and shortens lists of bars.
fn shorten(replay: &mut Replay, bars: usize) {
    for step in &mut replay.steps {
        step.totals.iter_mut().for_each(|total| *total = short(*total));
        let Some(why) = &mut step.why else { continue };
        why.considered.truncate(bars);
        // The page shows every line of the chosen move, but a line of another move only if it fits
        // beside its name.
        let others = why.considered.iter_mut().skip(1);
        others.filter(|other| other.line.len() > BESIDE).for_each(|other| other.line.clear());
        why.considered.iter_mut().for_each(|considered| considered.value = short(considered.value));
        if let Some(split) = &mut why.split {
            split.shorten(bars);
            let parts = split.weights.iter_mut().map(|(_, part)| part);
            let parts = parts.chain(split.more.as_mut().map(|(_, part)| part));
            parts.chain([&mut split.difference, &mut split.bare, &mut split.together]).for_each(|x| *x = short(*x));
        }
    }
}

#[derive(Serialize)]
pub struct Comparison {
    /// The indices of the two runs.
    runs: (usize, usize),
    /// The mean difference, first minus second, with its 95 % confidence interval; `None` if the
    /// runs are not comparable.
    difference: Option<Ranged>,
    /// The number of trials that both played; 0 if the difference results from their verdicts.
    trials: usize,
}

/// Compares each pair of runs: on the same deals if they were played, otherwise by their verdicts.
pub fn compare(inputs: &[Input], contests: Option<&Contests>) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for one in 0..inputs.len() {
        for other in one + 1..inputs.len() {
            let pair = (&inputs[one], &inputs[other]);
            let played = contests.and_then(|contests| {
                // The first contestant is the baseline, even if a run has that name.
                let place =
                    |input: &Input| Some(1 + contests.names.iter().skip(1).position(|name| *name == input.name)?);
                Some(contests.difference(place(pair.0)?, place(pair.1)?))
            });
            let difference = played.map(|estimate| estimate.interval()).or_else(|| by_verdicts(pair.0, pair.1));
            comparisons.push(Comparison {
                runs: (one, other),
                difference: difference.map(ranged),
                trials: played.map_or(0, |estimate| estimate.n),
            });
        }
    }
    comparisons
}

/// Returns the difference between the gains of two runs, each measured on its own trials.
fn by_verdicts(one: &Input, other: &Input) -> Option<Interval> {
    let comparable = one.job.problem.is_same(&*other.job.problem) && one.job.space.start() == other.job.space.start();
    let (a, b) = (one.gain().filter(|_| comparable)?, other.gain()?);
    let (mean, half) = (a.mean - b.mean, (0.5 * (a.high - a.low)).hypot(0.5 * (b.high - b.low)));
    Some(Interval { mean, low: mean - half, high: mean + half })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarkable_deals_are_shown() {
        let start = [5.0, 5.0, 5.0, 5.0, 5.0];
        let scores = [9.0, 2.0, 5.0, 6.0, 7.0];
        assert_eq!(
            remarkable(&start, &scores),
            [(1, vec!["worst", "lost most"]), (3, vec!["median"]), (0, vec!["best", "gained most"])]
        );
        assert_eq!(remarkable(&start[..1], &start[..1]), [(0, vec!["worst", "median", "best"])]);
        assert_eq!(remarkable(&[], &[]), []);
    }
}
