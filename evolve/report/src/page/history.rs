//! Every trial of a program, and its difference from the baseline. The data are in `trials.csv`.

use super::heights::Heights;
use super::thin::{Ranged, ranged, short, thin};
use crate::draw::{Axis, BLUE, Colour, GREEN, OCHRE, PALETTE, PURPLE, RED, SKY, column_decimals};
use crate::tables::Run;
use evolve_core::document::cell;
use evolve_core::job::{Job, Stage};
use evolve_core::model::rating::Rating;
use evolve_core::model::space::Space;
use evolve_core::run::rows::{TRIAL_TIMES, TRIALS, TimeRow, TrialRow, TrialTimeRow, ValidationRow};
use evolve_core::search::landscape::Landscape;
use evolve_core::statistics::Interval;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The trials on a page, in lists of the same length: the page of a long run shows some of them.
#[derive(Serialize)]
pub struct History {
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
    /// The heights in a chart: gains, or scores where no gain is known.
    pub is_related: bool,
    /// Whether some gains are from the level of the case by the model.
    is_modelled: bool,
    /// The gain of the incumbent: the last trial before it, seconds, and the gain.
    course: Vec<(u64, f64, Ranged)>,
    pub axes: Axes,
    /// The decimals of scores, gains and seconds.
    digits: [usize; 3],
    /// The seconds of each trial; empty if they were not measured.
    seconds: Vec<Option<f64>>,
    /// The values of each tuned parameter.
    values: Vec<Vec<Option<f64>>>,
    /// The seed of each trial, as digits, and its replicate.
    seed: Vec<String>,
    replicate: Vec<u64>,
    /// The score of the baseline in the same case, if it played it.
    baseline: Vec<Option<f64>>,
}

#[derive(Serialize)]
pub struct Axes {
    pub trials: Axis,
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

/// The series: scored trials by stage, then capped and failed trials.
const GROUPS: [Group; 8] = [
    group("trials: baseline", PALETTE[6], false),
    group("trials: search", SKY, false),
    group("trials: validation", BLUE, false),
    group("trials: selection", OCHRE, false),
    group("trials: effects", PURPLE, false),
    group("trials: test", GREEN, false),
    group("capped", OCHRE, true),
    group("failed", RED, true),
];

/// Returns the series of a trial. Trials of the baseline are in one series, in every stage.
fn group_of(row: &TrialRow, is_start: bool) -> usize {
    match (row.failure.is_empty(), row.capped) {
        (true, false) if is_start => Stage::Baseline as usize,
        (true, false) => row.stage as usize,
        (true, true) => 6,
        (false, _) => 7,
    }
}

/// The largest number of cells on a page, so that it stays below two megabytes.
const CELLS: usize = 200_000;
/// The columns beside the values.
const COLUMNS: usize = 14;

/// A trial with its tuned values.
struct Played {
    row: TrialRow,
    values: Vec<Option<f64>>,
}

impl History {
    /// Reads the trials of the run in a folder; `None` without a table of trials.
    pub fn read(folder: &Path, job: &Job, run: &Run, landscape: Option<&Landscape>) -> Option<Self> {
        let played = read(folder, &job.space)?;
        let known = gains(&played, job, landscape);
        let gains: Vec<Option<f64>> = known.iter().map(|known| Some(known.as_ref()?.gain)).collect();
        let baseline = scores_of_baseline(folder, &played, &job.space);
        let kept = thin(played.len(), CELLS / (COLUMNS + job.space.tuned_indices().len()));
        let rows = || kept.iter().map(|&i| &played[i]);
        let start = job.space.evolving_values(job.space.start());
        let elapsed = |trial: u64| short(elapsed(&run.times, trial + 1));
        let course = course(&played, landscape);
        let is_related = gains.iter().any(Option::is_some);
        let heights: Vec<f64> = match is_related {
            true => gains.iter().flatten().copied().collect(),
            false => played.iter().map(|of| of.row.score).collect(),
        };
        let lines = course.iter().map(|(_, gain)| gain.mean).chain(held(run)).chain([0.0]).filter(|_| is_related);
        let end = played.last().map_or(0, |of| of.row.trial);
        let times: BTreeMap<u64, Option<f64>> = csv::Reader::from_path(folder.join(TRIAL_TIMES))
            .into_iter()
            .flat_map(csv::Reader::into_deserialize)
            .map_while(Result::<TrialTimeRow, _>::ok)
            .map(|row| (row.trial, row.seconds))
            .collect();
        let seconds = |of: &Played| times.get(&of.row.trial).copied().flatten().map(short);
        let durations: Vec<f64> = rows().filter_map(seconds).collect();
        let is_timed = !durations.is_empty();
        let rating = if is_related { job.problem.behaviour().rating } else { Rating::Objective };
        let height = Axis::around_most(lines, &heights, 5).in_percent(rating);
        let axes = Axes {
            spread: match rating {
                Rating::Ratio => Axis::around(heights.iter().copied(), 5).in_percent(rating),
                Rating::Objective => height.clone(),
            },
            trials: Axis::counting(end, 8),
            seconds: Axis::time(elapsed(end), 8),
            height,
            scores: Heights::of(&rows().map(|of| of.row.score).filter(|score| score.is_finite()).collect::<Vec<_>>()),
            durations: is_timed.then(|| Heights::of(&durations)),
            shares: Axis::of_shares(5),
        };
        let mut instances = Names::default();
        let mut ends = Names::default();
        ["scored", "capped"].into_iter().for_each(|end| _ = ends.place(end));
        let mut stages: Vec<Stage> = rows().map(|of| of.row.stage).collect();
        stages.sort();
        stages.dedup();
        let end = |row: &TrialRow| match (row.failure.as_str(), row.capped) {
            ("", false) => "scored".to_string(),
            ("", true) => "capped".to_string(),
            (failure, _) => failure.to_string(),
        };
        Some(History {
            all: played.len(),
            group: rows().map(|of| group_of(&of.row, is_start(of, &start))).collect(),
            groups: GROUPS.to_vec(),
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
            trial: rows().map(|of| of.row.trial).collect(),
            stage: rows().map(|of| stages.partition_point(|stage| *stage < of.row.stage)).collect(),
            instance: rows().map(|of| instances.place(cell::text(&of.row.instance))).collect(),
            score: rows().map(|of| short(of.row.score)).collect(),
            gain: kept.iter().map(|&i| gains[i].map(short)).collect(),
            end: rows().map(|of| ends.place(&end(&of.row))).collect(),
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

/// Returns the gain of the incumbent with the trial of the run after which it had it.
fn course(played: &[Played], landscape: Option<&Landscape>) -> Vec<(u64, Interval)> {
    let search: Vec<u64> = played.iter().filter(|of| of.row.stage == Stage::Search).map(|of| of.row.trial).collect();
    let place = |count: usize| search.get(count.saturating_sub(1)).or(search.last()).copied();
    let course = landscape.into_iter().flat_map(|landscape| &landscape.course);
    course.filter_map(|(count, gain)| Some((place(*count)?, *gain))).collect()
}

/// Returns the gains in validation and test, with the ends of their intervals.
fn held(run: &Run) -> impl Iterator<Item = f64> {
    let rows = run.stage(Stage::Validation).chain(run.tested().map(|(_, finalist)| finalist));
    let gains = rows.filter_map(ValidationRow::difference).flat_map(|of| [of.mean, of.low, of.high]);
    gains.filter(|gain| gain.is_finite())
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

/// Names with their places.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Names {
    fn place(&mut self, name: &str) -> usize {
        *self.places.entry(name.to_string()).or_insert_with(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        })
    }
}

fn read(folder: &Path, space: &Space) -> Option<Vec<Played>> {
    let mut table = csv::Reader::from_path(folder.join(TRIALS)).ok()?;
    let headers = table.headers().ok()?.clone();
    let columns: Vec<Option<usize>> = space
        .tuned()
        .map(|parameter| headers.iter().position(|header| header.strip_prefix("value.") == Some(&parameter.name)))
        .collect();
    let played = |record: csv::StringRecord| {
        let row = record.deserialize(Some(&headers)).ok()?;
        let value = |(parameter, column): (&evolve_core::model::parameter::Parameter, &Option<usize>)| {
            parameter.parse(cell::text(record.get((*column)?)?))
        };
        Some(Played { row, values: space.tuned().zip(&columns).map(value).collect() })
    };
    // Stop at an incomplete last row, which a run may be writing.
    Some(table.records().map_while(Result::ok).map_while(played).collect())
}

fn is_start(of: &Played, start: &[f64]) -> bool {
    of.values.iter().zip(start).all(|(value, start)| *value == Some(*start))
}

/// A line of the file of the baseline's outcomes.
#[derive(Deserialize)]
struct Reference {
    seed: u64,
    scenario: usize,
    score: f64,
}

/// Returns the scores of the baseline by seed: those of its trials and, if a trial has only one scenario,
/// of its references.
fn scores_of_baseline(folder: &Path, played: &[Played], space: &Space) -> BTreeMap<u64, f64> {
    let text = fs::read_to_string(folder.join(BASELINE)).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Reference>(line).ok());
    let references: Vec<Reference> = lines.collect();
    let is_single = references.iter().all(|line| line.scenario == 0);
    let mut scores: BTreeMap<u64, f64> =
        references.iter().filter(|_| is_single).map(|line| (line.seed, line.score)).collect();
    let start = space.evolving_values(space.start());
    for of in played.iter().filter(|of| is_start(of, &start) && of.row.failure.is_empty() && !of.row.capped) {
        scores.insert(of.row.seed, of.row.score);
    }
    scores
}

/// The file of the baseline's outcomes.
const BASELINE: &str = "baseline.jsonl";

/// The difference of a trial from the baseline.
struct Known {
    gain: f64,
    /// Whether it is the difference from the level of the case by the model.
    is_modelled: bool,
}

/// Returns the difference of each trial from the baseline, if it is known.
fn gains(played: &[Played], job: &Job, landscape: Option<&Landscape>) -> Vec<Option<Known>> {
    let rating = job.problem.behaviour().rating;
    let own = |row: &TrialRow| rating.gain_in_search(row.objective).filter(|_| row.stage == Stage::Search);
    let start = job.space.evolving_values(job.space.start());
    let mut baseline: BTreeMap<u64, f64> = BTreeMap::new();
    for of in played.iter().filter(|of| is_start(of, &start) && own(&of.row).is_none() && !of.row.capped) {
        baseline.entry(of.row.seed).or_insert(of.row.objective);
    }
    let modelled = landscape.into_iter().flat_map(|landscape| &landscape.trials);
    let modelled: BTreeMap<(u64, u64), f64> =
        modelled.map(|trial| ((trial.case, trial.objective.to_bits()), trial.gain)).collect();
    let of = |Played { row, .. }: &Played| {
        if let Some(gain) = own(row) {
            return Some(Known { gain, is_modelled: false });
        }
        let by_model = || (row.stage == Stage::Search).then(|| modelled.get(&(row.number, row.objective.to_bits())));
        let compared = baseline
            .get(&row.seed)
            .map(|&baseline| Known { gain: rating.gain(row.objective, baseline), is_modelled: false });
        compared.or_else(|| Some(Known { gain: *by_model().flatten()?, is_modelled: true }))
    };
    played.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_core::model::parameter::Parameter;

    #[test]
    fn trials_are_read_up_to_an_incomplete_row() {
        let folder = tempfile::TempDir::new().unwrap();
        let table = "trial,stage,number,instance,replicate,seed,score,objective,failure,capped,metrics,groups,value.way,value.k\n\
                     0,search,0,a,0,1,10,-10,,false,,,b,5\n\
                     1,search,1,'=b,0,2,12,-12,time limit,true,,,a,7\n\
                     2,search,0,a,0";
        fs::write(folder.path().join("trials.csv"), table).unwrap();
        let parameters = vec![Parameter::int("k", 1, 9, 5), Parameter::choice("way", ["a", "b"], 0)];
        let space = Space::new(parameters, vec![5.0, 0.0], vec![0, 1]);
        let played = read(folder.path(), &space).unwrap();
        assert_eq!(played.len(), 2);
        assert_eq!(played[0].values, [Some(5.0), Some(1.0)]);
        assert_eq!((played[1].values[0], played[1].row.capped), (Some(7.0), true));
        assert!(read(&folder.path().join("none"), &space).is_none());
        // The baseline's scores are in its own file, or in its trials.
        let reference = |scenario| format!("{{\"seed\":2,\"scenario\":{scenario},\"score\":15.0,\"sum\":1}}\n");
        fs::write(folder.path().join(BASELINE), format!("{{\"program\":\"a\"}}\n{}", reference(0))).unwrap();
        let start = Space::new(space.parameters().to_vec(), vec![5.0, 1.0], vec![0, 1]);
        assert_eq!(scores_of_baseline(folder.path(), &played, &start), BTreeMap::from([(1, 10.0), (2, 15.0)]));
        fs::write(folder.path().join(BASELINE), reference(0) + &reference(1)).unwrap();
        assert_eq!(scores_of_baseline(folder.path(), &played, &start), BTreeMap::from([(1, 10.0)]));
    }

    #[test]
    fn time_passes_evenly_between_generations() {
        let row = |trials_played, seconds| TimeRow { trials_played, seconds, ..TimeRow::default() };
        let times = [row(10, 5.0), row(30, 10.0)];
        assert_eq!([5, 10, 20, 30, 60].map(|trials| elapsed(&times, trials)), [2.5, 5.0, 7.5, 10.0, 20.0]);
        assert_eq!(elapsed(&[], 7), 0.0);
    }

    #[test]
    fn names_keep_their_places() {
        let mut names = Names::default();
        assert_eq!(["a", "b", "a"].map(|name| names.place(name)), [0, 1, 0]);
        assert_eq!(names.names, ["a", "b"]);
    }
}
