//! The summary of a session: scores, failures and times, as text or JSON.

#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeMap;

use serde::Serialize;

use super::games::games;
use super::process::Dialogue;
use evolve_search::model::trial::{Metrics, Outcome};
use evolve_search::statistics::Estimate;

/// The summary of a session. The JSON form has these fields; the text form has several lines and
/// omits the single failures.
///
/// A contest gives no score for a failed dialogue. So each of its games, including those finished
/// before the failure, counts with the score of a failed game and with parts of 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The number of dialogues.
    pub dialogues: usize,
    /// The number of failed dialogues.
    pub failed: usize,
    /// The number of failed dialogues of each kind that occurred (see
    /// [`Verdict::kind`](super::verdict::Verdict::kind)).
    pub failed_by_kind: BTreeMap<&'static str, usize>,
    /// The score of each game in a failed dialogue.
    pub failed_score: f64,
    /// The mean score of the games in correct dialogues; `None` without such games.
    pub mean_of_correct: Option<f64>,
    /// The number of games.
    pub games: usize,
    /// The scores of all games, including those of failed dialogues.
    #[serde(flatten)]
    pub scores: Scores,
    /// The times of the program; `None` without dialogues.
    pub time: Option<Times>,
    /// The failed dialogues, in order.
    pub failures: Vec<FailedDialogue>,
}

/// The scores of games. The text form has several lines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scores {
    /// The number of games. What contains the scores serializes it under a name of its own.
    #[serde(skip)]
    pub games: usize,
    /// The distribution of the scores; `None` without games.
    pub score: Option<Distribution>,
    /// The mean of each part of the score over all games, in the problem's order.
    pub parts: Vec<Part>,
    /// The mean score of each kind of game, without failed games; empty if the game has no groups.
    pub groups: Vec<GroupScore>,
}

/// A distribution of scores, in the contest's unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Distribution {
    /// The arithmetic mean.
    pub mean: f64,
    /// The sample standard deviation (divisor n - 1); `None` for fewer than two games.
    pub standard_deviation: Option<f64>,
    /// The standard error of the mean: the standard deviation over the root of n; `None` for fewer
    /// than two games.
    pub standard_error: Option<f64>,
    /// The smallest score.
    pub min: f64,
    /// The 5 % quantile. All quantiles are interpolated linearly between two scores.
    pub q05: f64,
    /// The 25 % quantile.
    pub q25: f64,
    pub median: f64,
    /// The 75 % quantile.
    pub q75: f64,
    /// The 95 % quantile.
    pub q95: f64,
    /// The largest score.
    pub max: f64,
}

/// The mean of a part of the score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    pub name: String,
    /// The mean over all games, in the contest's unit.
    pub mean: f64,
}

/// The mean score of one kind of game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupScore {
    /// The property that distinguishes games, such as `layers`.
    pub name: String,
    /// The value of the property, such as `7`.
    pub value: String,
    /// The number of games or trials.
    pub count: usize,
    /// The mean score.
    pub mean: f64,
    /// The standard error of the mean; `None` for fewer than two games.
    pub standard_error: Option<f64>,
}

/// The wall-clock times of the program (see
/// [`DialogueLimits::time`](super::process::DialogueLimits::time)).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Times {
    /// The mean time of a dialogue in seconds.
    pub mean: f64,
    /// The longest time of a dialogue in seconds.
    pub slowest: f64,
    /// The number of the first dialogue with the longest time.
    pub slowest_dialogue: u64,
}

/// A failed dialogue.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailedDialogue {
    /// The number of the dialogue.
    pub dialogue: u64,
    /// The kind of failure (see [`Verdict::kind`](super::verdict::Verdict::kind)).
    pub kind: &'static str,
    /// The verdict in one line.
    pub message: String,
    /// The end of the program's standard error.
    pub stderr: String,
}

impl Report {
    /// Summarizes the dialogues of a session, which are numbered from `first` and should have
    /// `games_each` games each (1 in most contests). A failed dialogue loses that many games, each
    /// with a score of `failed_score`.
    pub fn new(dialogues: &[Dialogue], metrics: &Metrics, first: u64, games_each: usize, failed_score: f64) -> Self {
        let games = games(dialogues, first, games_each, failed_score);
        let of_correct: Vec<f64> = games.iter().filter_map(|game| game.outcome).map(|outcome| outcome.score).collect();
        let failures: Vec<FailedDialogue> = (first..)
            .zip(dialogues)
            .filter(|(_, dialogue)| !dialogue.verdict.is_correct())
            .map(|(number, dialogue)| FailedDialogue {
                dialogue: number,
                kind: dialogue.verdict.kind(),
                message: dialogue.verdict.to_string(),
                stderr: dialogue.stderr.clone(),
            })
            .collect();
        let mut failed_by_kind = BTreeMap::new();
        for failure in &failures {
            *failed_by_kind.entry(failure.kind).or_default() += 1;
        }
        Report {
            dialogues: dialogues.len(),
            failed: failures.len(),
            failed_by_kind,
            failed_score,
            mean_of_correct: (!of_correct.is_empty()).then(|| Estimate::of(&of_correct).mean),
            games: games.len(),
            scores: Scores::of(metrics, games.iter().map(|game| (game.score, game.outcome))),
            time: times(dialogues, first),
            failures,
        }
    }
}

impl Scores {
    /// Summarizes the games of these outcomes.
    pub fn new(metrics: &Metrics, outcomes: &[Outcome]) -> Self {
        Scores::of(metrics, outcomes.iter().map(|outcome| (outcome.score, Some(outcome))))
    }

    /// Summarizes games from their scores and outcomes; a failed game has no outcome.
    fn of<'a>(metrics: &Metrics, games: impl Iterator<Item = (f64, Option<&'a Outcome>)>) -> Self {
        let (scores, outcomes): (Vec<f64>, Vec<_>) = games.unzip();
        let mut parts: Vec<Part> = metrics.names.iter().map(|name| Part { name: name.clone(), mean: 0.0 }).collect();
        // The parts of a failed game are 0, but a trial that did not tell its metrics has none.
        let is_silent = |outcome: &&&Outcome| outcome.metrics.is_empty();
        let count = scores.len() - outcomes.iter().flatten().filter(is_silent).count();
        for outcome in outcomes.iter().flatten() {
            for (sum, value) in parts.iter_mut().zip(&outcome.metrics) {
                sum.mean += value / count as f64;
            }
        }
        let groups = groups(&metrics.groups, outcomes.into_iter().flatten());
        Scores { games: scores.len(), score: Distribution::new(scores), parts, groups }
    }
}

/// Summarizes games by kind, ordered by name and then by value, with numbers ordered by size.
fn groups<'a>(names: &[String], outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<GroupScore> {
    type Key = (usize, Option<u64>, String);
    let mut scores: BTreeMap<Key, Vec<f64>> = BTreeMap::new();
    for outcome in outcomes {
        for (place, value) in outcome.groups.iter().enumerate().filter(|(_, value)| !value.is_empty()) {
            let key = (place, value.parse().ok(), value.clone());
            scores.entry(key).or_default().push(outcome.score);
        }
    }
    let of_kind = |((place, _, value), scores): (Key, Vec<f64>)| {
        let Distribution { mean, standard_error, .. } = Distribution::new(scores.clone())?;
        Some(GroupScore { name: names.get(place)?.clone(), value, count: scores.len(), mean, standard_error })
    };
    scores.into_iter().filter_map(of_kind).collect()
}

fn times(dialogues: &[Dialogue], first: u64) -> Option<Times> {
    let seconds = |dialogue: &Dialogue| dialogue.time.as_secs_f64();
    // `max_by_key` returns the last of equal elements, so search from the end to find the first.
    let (slowest_dialogue, slowest) = dialogues.iter().enumerate().rev().max_by_key(|(_, dialogue)| dialogue.time)?;
    Some(Times {
        mean: dialogues.iter().map(seconds).sum::<f64>() / dialogues.len() as f64,
        slowest: seconds(slowest),
        slowest_dialogue: first + slowest_dialogue as u64,
    })
}

impl Distribution {
    /// Returns the distribution of the scores; `None` without scores.
    fn new(mut scores: Vec<f64>) -> Option<Self> {
        if scores.is_empty() {
            return None;
        }
        let Estimate { n, mean, standard_error } = Estimate::of(&scores);
        scores.sort_by(f64::total_cmp);
        let of_several = |value: f64| (n > 1).then_some(value);
        Some(Self {
            mean,
            standard_deviation: of_several(standard_error * (n as f64).sqrt()),
            standard_error: of_several(standard_error),
            min: scores[0],
            q05: quantile(&scores, 0.05),
            q25: quantile(&scores, 0.25),
            median: quantile(&scores, 0.5),
            q75: quantile(&scores, 0.75),
            q95: quantile(&scores, 0.95),
            max: scores[scores.len() - 1],
        })
    }
}

/// Returns the quantile at `level` (from 0 to 1) of one or more ascending scores, interpolated
/// linearly.
fn quantile(sorted: &[f64], level: f64) -> f64 {
    let position = level * (sorted.len() - 1) as f64;
    let below = position as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * position.fract()
}
