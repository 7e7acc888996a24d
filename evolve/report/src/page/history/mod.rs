//! Every trial of a program, and its difference from the baseline. The data are in `trials.csv`.

mod columns;
mod gains;
mod names;
mod read;
mod timeline;

use super::heights::Heights;
use super::thin::{Ranged, ranged, short, thin};
use crate::draw::{Axis, BLUE, Colour, GREEN, OCHRE, PALETTE, PURPLE, RED, SKY, column_decimals};
use crate::tables::Run;
use columns::{Column, Columns};
use evolve_core::job::time_limit::{extrapolated, slack};
use evolve_core::job::{Job, Stage, TimeLimits};
use evolve_core::run::rows::{End, TimeRow, TrialRow};
use evolve_core::run::trials::{PastTrial, Trials};
use evolve_search::model::goal::Direction;
use evolve_search::model::rating::Rating;
use evolve_search::optimizer::landscape::Landscape;
use gains::{course, gains, measured, shown};
use names::Names;
use read::scores_of_baseline;
use serde::Serialize;
use std::path::Path;
use std::time::Duration;
use timeline::{Timeline, Times};

/// The trials on a page, in lists of the same length: the page of a long run shows some of them.
#[derive(Serialize)]
pub struct History {
    /// The time of the longest of a thousand trials, in words, if trials have a time limit.
    #[serde(skip)]
    pub(super) tail: Option<String>,
    /// The number of all trials, shown or not.
    all: usize,
    /// The names to which the lists refer by index.
    stages: Vec<Stage>,
    instances: Vec<String>,
    /// The first ends are a score and a cap.
    ends: Vec<String>,
    /// The series in a chart, to which `group` refers.
    pub groups: Vec<Group>,
    group: Vec<usize>,
    trial: Vec<u64>,
    /// The seconds spent on trials up to each of them; empty if they were not measured.
    elapsed: Vec<f64>,
    stage: Vec<usize>,
    instance: Vec<usize>,
    score: Vec<f64>,
    /// The difference of the objective from the baseline's, as comparisons count it: in the same
    /// case or, if the baseline did not play it, from the level of the case by the model.
    gain: Vec<Option<f64>>,
    end: Vec<usize>,
    /// The place of each trial by its gain or, if few gains are known, its objective; 1 is the
    /// best.
    rank: Vec<Option<usize>>,
    /// The heights in a chart: gains, or scores where no gain is known.
    pub is_related: bool,
    /// Whether some gains are from the level of the case by the model.
    is_modelled: bool,
    /// The index of each trial of the model, if it is shown.
    modelled: Vec<Option<usize>>,
    timeline: Option<Timeline>,
    /// The gain of the incumbent: the last trial before it, seconds, and the gain.
    course: Vec<(u64, f64, Ranged)>,
    pub axes: Axes,
    /// The decimals of scores, gains and seconds.
    digits: [usize; 3],
    /// The seconds of each trial; empty if they were not measured.
    seconds: Vec<Option<f64>>,
    /// The values of each tuned parameter.
    values: Vec<Vec<Option<f64>>>,
    /// The metrics of the trials, and the features and groups of their instances.
    columns: Vec<Column>,
    /// The seed of each trial, as digits, and its replicate.
    seed: Vec<String>,
    replicate: Vec<u64>,
    /// The score of the baseline in the same case, if it played it.
    baseline: Vec<Option<f64>>,
}

#[derive(Serialize)]
pub struct Axes {
    pub trials: Axis,
    ranks: Axis,
    seconds: Axis,
    pub height: Axis,
    /// All heights that are ratios, which are bounded; most of others.
    spread: Axis,
    scores: Heights,
    /// The run times of trials, if they were measured.
    durations: Option<Heights>,
    /// The shares of trials in a distribution.
    shares: Axis,
}

/// A series of trials.
#[derive(Clone, Copy, Serialize)]
pub struct Group {
    pub name: &'static str,
    pub colour: Colour,
    /// Whether its points are crosses.
    pub is_cross: bool,
}

const fn group(name: &'static str, colour: Colour, is_cross: bool) -> Group {
    Group { name, colour, is_cross }
}

/// The series of scored trials, by stage.
const SCORED: [Group; 6] = [
    group("trials: baseline", PALETTE[6], false),
    group("trials: search", SKY, false),
    group("trials: validation", BLUE, false),
    group("trials: selection", OCHRE, false),
    group("trials: effects", PURPLE, false),
    group("trials: test", GREEN, false),
];
/// The other ends of trials, each a series after these, with its colour.
const OTHERS: [(End, Colour); 2] = [(End::Capped, OCHRE), (End::Failed, RED)];

/// Returns the series of a trial. Trials of the baseline are in one series, in every stage.
fn group_of(row: &TrialRow, is_start: bool) -> usize {
    match OTHERS.iter().position(|&(end, _)| end == row.end()) {
        Some(other) => SCORED.len() + other,
        None if is_start => Stage::Baseline as usize,
        None => row.stage as usize,
    }
}

/// Returns the extrapolated time of the longest of a thousand trials, if they have a time limit.
fn tail(job: &Job, times: impl Iterator<Item = (Stage, f64)>) -> Option<String> {
    let limits = TimeLimits::of(&*job.problem)?;
    let full = times.filter(|(stage, _)| limits.at(*stage) == limits.full);
    let most = extrapolated(full.filter_map(|(_, seconds)| Duration::try_from_secs_f64(seconds).ok()))?;
    Some(format!("99.9 % of trials within {}, extrapolated", slack(most, limits.full)))
}

/// The largest number of cells on a page, so that it stays below two megabytes.
const CELLS: usize = 200_000;
/// The columns beside the values.
const COLUMNS: usize = 17;

impl History {
    /// Reads the trials of the run in a folder; `None` without a table of trials.
    pub fn read(folder: &Path, job: &Job, run: &Run, landscape: Option<&Landscape>) -> Option<Self> {
        let played = Trials::open(folder)?.played(&job.space);
        let known = gains(&played, job, landscape);
        let gains: Vec<Option<f64>> = known.iter().map(|known| Some(known.as_ref()?.gain)).collect();
        let baseline = scores_of_baseline(folder, &played, &job.space);
        let columns = Columns::of(&played, job);
        let kept = thin(played.len(), CELLS / (COLUMNS + columns.count() + job.space.tuned_indices().len()));
        let rows = || kept.iter().map(|&i| &played[i]);
        let start = job.space.evolving_values(job.space.start());
        let elapsed = |trial: u64| short(elapsed(&run.times, trial + 1));
        let course = course(&played, landscape);
        let is_related = gains.iter().any(Option::is_some);
        let heights: Vec<f64> = match is_related {
            true => gains.iter().flatten().copied().collect(),
            false => played.iter().map(|of| of.row.score).collect(),
        };
        let best = best(rows().map(|of| &of.row), job.problem.goal().map(|goal| goal.direction).unwrap_or_default());
        let lines = course.iter().map(|(_, gain)| gain.mean).chain(measured(run)).chain([0.0]).filter(|_| is_related);
        let lines = lines.chain(best.filter(|_| !is_related));
        let end = played.last().map_or(0, |of| of.row.trial);
        let times = Times::read(folder);
        let seconds = |of: &PastTrial| times.seconds(of.row.trial).map(short);
        let durations: Vec<f64> = rows().filter_map(seconds).collect();
        let is_timed = !durations.is_empty();
        let rating = if is_related { job.problem.rating() } else { Rating::Objective };
        let height = Axis::around_most(lines, &heights, 5).in_percent(rating);
        let axes = Axes {
            spread: match rating {
                Rating::Ratio => Axis::around(heights.iter().copied(), 5).in_percent(rating),
                Rating::Objective => height.clone(),
            },
            trials: Axis::counting(end, 8),
            ranks: Axis::counting(played.len() as u64, 8),
            seconds: Axis::time(elapsed(end), 8),
            height,
            scores: Heights::of(
                best,
                &rows().map(|of| of.row.score).filter(|score| score.is_finite()).collect::<Vec<_>>(),
            ),
            durations: is_timed.then(|| Heights::of(None, &durations)),
            shares: Axis::of_shares(5),
        };
        let mut instances = Names::default();
        let mut ends = Names::default();
        [End::Scored, End::Capped].into_iter().for_each(|end| _ = ends.place(end.name()));
        let mut stages: Vec<Stage> = rows().map(|of| of.row.stage).collect();
        stages.sort();
        stages.dedup();
        let end = |row: &TrialRow| match row.end() {
            End::Failed => row.failure.clone(),
            end => end.name().to_string(),
        };
        Some(History {
            tail: tail(job, played.iter().filter_map(|of| Some((of.row.stage, times.seconds(of.row.trial)?)))),
            all: played.len(),
            group: rows().map(|of| group_of(&of.row, of.is_of(&start))).collect(),
            groups: {
                let others = OTHERS.map(|(end, colour)| group(end.name(), colour, true));
                SCORED.into_iter().chain(others).collect()
            },
            elapsed: match run.times.is_empty() {
                true => Vec::new(),
                false => rows().map(|of| elapsed(of.row.trial)).collect(),
            },
            is_related,
            is_modelled: known.iter().flatten().any(|known| known.is_modelled),
            course: course.into_iter().map(|(trial, gain)| (trial, elapsed(trial), ranged(gain))).collect(),
            axes,
            digits: [
                column_decimals(rows().map(|of| of.row.score)),
                column_decimals(gains.iter().flatten().copied()),
                column_decimals(durations),
            ],
            timeline: Timeline::of(&times, rows().map(|of| of.row.trial)),
            modelled: shown(&played, &kept, landscape),
            trial: rows().map(|of| of.row.trial).collect(),
            stage: rows().map(|of| stages.partition_point(|stage| *stage < of.row.stage)).collect(),
            instance: rows().map(|of| instances.place(&of.row.instance)).collect(),
            score: rows().map(|of| short(of.row.score)).collect(),
            gain: kept.iter().map(|&i| gains[i].map(short)).collect(),
            end: rows().map(|of| ends.place(&end(&of.row))).collect(),
            rank: {
                let ranks = ranks(&played, &gains);
                kept.iter().map(|&i| ranks[i]).collect()
            },
            columns: columns.read(rows()),
            seconds: if is_timed { rows().map(seconds).collect() } else { Vec::new() },
            values: (0..job.space.tuned_indices().len())
                .map(|place| rows().map(|of| of.values[place].map(short)).collect())
                .collect(),
            seed: rows().map(|of| of.row.seed.to_string()).collect(),
            replicate: rows().map(|of| of.row.replicate).collect(),
            baseline: rows().map(|of| baseline.get(&of.row.seed).copied().map(short)).collect(),
            stages,
            instances: instances.names,
            ends: ends.names,
        })
    }
}

/// Returns the best score of those that trials reached.
fn best<'r>(rows: impl Iterator<Item = &'r TrialRow>, direction: Direction) -> Option<f64> {
    let reached = rows.filter(|row| row.is_whole());
    match direction {
        Direction::Maximize => reached.map(|row| row.score).max_by(f64::total_cmp),
        Direction::Minimize => reached.map(|row| row.score).min_by(f64::total_cmp),
    }
}

/// Returns the place of each trial by its gain or, if less than half of the gains are known, its
/// objective. Equal trials share the first place.
fn ranks(played: &[PastTrial], gains: &[Option<f64>]) -> Vec<Option<usize>> {
    let are_known = 2 * gains.iter().flatten().count() >= played.len();
    let height = |i: usize| if are_known { gains[i] } else { Some(played[i].row.objective) };
    let mut order: Vec<(usize, f64)> = (0..played.len()).filter_map(|i| Some((i, height(i)?))).collect();
    order.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut ranks = vec![None; played.len()];
    for (place, &(i, height)) in order.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| order[before]).filter(|(_, other)| *other == height);
        ranks[i] = before.map_or(Some(place + 1), |(before, _)| ranks[before]);
    }
    ranks
}

/// Returns the seconds spent on trials until a number of them: between two rows of the table, all
/// trials take the same time, and after the last row as long as before.
fn elapsed(times: &[TimeRow], trials: u64) -> f64 {
    let after = times.partition_point(|row| row.trials_played < trials);
    let of = |row: &TimeRow| (row.trials_played as f64, row.seconds);
    let (from, to) = match (after.checked_sub(1).map(|i| of(&times[i])), times.get(after).map(of)) {
        (_, None) => ((0.0, 0.0), times.last().map_or((1.0, 0.0), of)),
        (from, Some(to)) => (from.unwrap_or_default(), to),
    };
    let speed = if to.0 > from.0 { (to.1 - from.1) / (to.0 - from.0) } else { 0.0 };
    from.1 + speed * (trials as f64 - from.0)
}

impl History {
    pub fn is_empty(&self) -> bool {
        self.trial.is_empty()
    }

    /// Returns the points of each series in a chart over trials.
    pub fn points(&self) -> Vec<(Group, Vec<(f64, f64)>)> {
        let heights = if self.is_related { &self.gain } else { &self.scores() };
        let point = |i: usize| Some((self.group[i], (self.trial[i] as f64, heights[i]?)));
        let points: Vec<(usize, (f64, f64))> = (0..self.trial.len()).filter_map(point).collect();
        let of = |group: usize| points.iter().filter(|(of, _)| *of == group).map(|(_, point)| *point).collect();
        self.groups.iter().enumerate().map(|(i, group)| (*group, of(i))).collect()
    }

    /// Returns the gain of the incumbent over trials, with its interval and its decimals.
    pub fn course(&self) -> impl Iterator<Item = (u64, f64, f64, f64, usize)> {
        self.course.iter().map(|&(trials, _, (mean, low, high, digits))| (trials, mean, low, high, digits))
    }

    /// Returns the gains that an axis of courses shows: all means, and the last interval, because
    /// the first ones are wide.
    pub fn gains_on_axis(&self) -> impl Iterator<Item = f64> {
        let last = self.course.last().into_iter().flat_map(|&(.., (_, low, high, _))| [low, high]);
        self.course().map(|(_, mean, ..)| mean).chain(last)
    }

    fn scores(&self) -> Vec<Option<f64>> {
        self.score.iter().copied().map(Some).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_evenly_between_generations() {
        let row = |trials_played, seconds| TimeRow { trials_played, seconds, ..TimeRow::default() };
        let times = [row(10, 5.0), row(30, 10.0)];
        assert_eq!([5, 10, 20, 30, 60].map(|trials| elapsed(&times, trials)), [2.5, 5.0, 7.5, 10.0, 20.0]);
        assert_eq!(elapsed(&[], 7), 0.0);
    }

    #[test]
    fn the_axis_of_scores_shows_the_best_of_them() {
        let row = |score| TrialRow { score, ..TrialRow::default() };
        let mut rows: Vec<TrialRow> = (0..100).map(|i| row(1000.0 + f64::from(i))).collect();
        rows.extend([row(200.0), row(9000.0), TrialRow { failure: "no score".into(), ..row(1.0) }]);
        assert_eq!(best(rows.iter(), Direction::Maximize), Some(9000.0));
        let lowest = best(rows.iter(), Direction::Minimize);
        assert_eq!(lowest, Some(200.0));
        let scores: Vec<f64> = rows.iter().map(|row| row.score).collect();
        let around = |best: Option<f64>| Axis::around_most(best, &scores, 5);
        assert!(around(lowest).contains(200.0) && !around(lowest).contains(9000.0) && !around(None).contains(200.0));
    }

    #[test]
    fn equal_trials_share_a_rank() {
        let played = |objective| PastTrial { row: TrialRow { objective, ..TrialRow::default() }, values: Vec::new() };
        let all: Vec<PastTrial> = [3.0, 7.0, 3.0, 1.0].map(played).into_iter().collect();
        assert_eq!(ranks(&all, &[None; 4]), [Some(2), Some(1), Some(2), Some(4)]);
        assert_eq!(ranks(&all, &[Some(0.5), None, Some(-0.5), None]), [Some(1), None, Some(2), None]);
    }
}
