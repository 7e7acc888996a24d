//! The trials of a program: baseline against tuned candidate by instance and scenario, failures
//! with the commands that reproduce them, and pictures. The data are in `trials.csv` and the files
//! beside it.

mod files;

use super::thin::{Ranged, ranged, short};
use crate::draw::{Axis, column_decimals};
use evolve_core::job::{Job, Stage};
use evolve_core::names::{FAILURES, PICTURES};
use evolve_core::run::rows::TrialRow;
use evolve_core::run::trials::Trials as Table;
use evolve_search::model::rating::Rating;
use evolve_search::model::space::Space;
use evolve_search::model::trial::is_swapped;
use evolve_search::statistics::Estimate;
use files::{Kept, Picture, kept, pictures};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Serialize)]
pub struct Trials {
    /// `Test`, or `Validation` before it.
    stage: Stage,
    /// The number of all cases that both played, shown or not.
    cases: usize,
    /// The numbers of cases on which the tuned candidate was better and worse.
    better: usize,
    worse: usize,
    pairs: Vec<Pair>,
    /// The numbers by which instances can be placed: the baseline's score, and its metrics.
    metrics: Vec<MetricData>,
    /// The axis of their scores and of their gains, and the decimals of both.
    axes: [Axis; 2],
    digits: [usize; 2],
    /// The mean scores of each scenario, if a trial has several.
    scenarios: Vec<Scenario>,
    failures: Vec<(Stage, String, usize)>,
    kept: Vec<Kept>,
    pictures: Vec<Picture>,
}

/// The outcomes of the baseline and the tuned candidate on the same case.
#[derive(Serialize)]
struct Pair {
    instance: String,
    replicate: u64,
    seed: String,
    score: [f64; 2],
    /// The difference of objectives, tuned minus baseline: positive where the tuned candidate was
    /// better.
    gain: f64,
    failure: [String; 2],
    /// The numbers of both trials in the run.
    trial: [u64; 2],
    /// The metrics of the baseline's trial, and the groups that are numbers.
    #[serde(skip)]
    metrics: Vec<(String, f64)>,
    /// The groups of the instance.
    #[serde(skip_serializing_if = "String::is_empty")]
    group: String,
}

/// A number of each pair.
#[derive(Serialize)]
struct MetricData {
    name: String,
    axis: Axis,
    values: Vec<Option<f64>>,
}

#[derive(Serialize)]
struct Scenario {
    name: String,
    score: [f64; 2],
    /// The mean difference in score, with its 95 % confidence interval.
    difference: Ranged,
}

/// The largest number of pairs on a page. Pairs with the largest gains and losses stay.
const PAIRS: usize = 1000;
/// The largest number of metrics on a page.
const METRICS: usize = 12;
impl Trials {
    /// Reads the trials of the run of a job in a folder, which commands call `shown`. If the job
    /// compares by ratio, a gain is a share of the larger score, as in the verdict. Returns `None`
    /// without a table of trials.
    pub fn read(folder: &Path, shown: &str, job: &Job) -> Option<Self> {
        Self::of(folder, shown, job.problem.rating(), &job.space)
    }

    fn of(folder: &Path, shown: &str, rating: Rating, space: &Space) -> Option<Self> {
        let mut table = Table::open(folder)?;
        // The first and the last trial of each case, by number, with the place of the case in the
        // order of play.
        let mut stages: [BTreeMap<u64, (usize, TrialRow, TrialRow)>; 2] = Default::default();
        let mut failures: BTreeMap<(Stage, String), usize> = BTreeMap::new();
        for row in table.rows() {
            if !row.failure.is_empty() {
                *failures.entry((row.stage, row.failure.clone())).or_default() += 1;
            }
            let place = match row.stage {
                Stage::Baseline | Stage::Validation => 0,
                Stage::Test => 1,
                Stage::Search | Stage::Selection | Stage::Effects => continue,
            };
            let before = stages[place].len();
            stages[place].entry(row.number).and_modify(|pair| pair.2 = row.clone()).or_insert((
                before,
                row.clone(),
                row,
            ));
        }
        let [held_out, verdict] = stages;
        let (stage, rows) = if verdict.is_empty() { (Stage::Validation, held_out) } else { (Stage::Test, verdict) };
        // The two rows are the baseline and the tuned candidate. In the test, the place of the case
        // decides which of them plays first.
        let in_order = |(place, a, b)| if stage == Stage::Test && is_swapped(place) { (b, a) } else { (a, b) };
        let rows: Vec<(TrialRow, TrialRow)> = rows.into_values().map(in_order).collect();
        let gains: Vec<f64> = rows.iter().map(|rows| gain(rows, rating)).collect();
        let mut pairs: Vec<Pair> = rows.iter().zip(&gains).map(|(rows, &gain)| pair(rows, gain)).collect();
        pairs.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(a.instance.cmp(&b.instance)));
        if pairs.len() > PAIRS {
            pairs.drain(PAIRS / 2..pairs.len() - PAIRS / 2);
        }
        let scores = || pairs.iter().flat_map(|pair| pair.score);
        let of_gains = || pairs.iter().map(|pair| pair.gain);
        Some(Trials {
            axes: [Axis::around(scores(), 6), Axis::around(of_gains().chain([0.0]), 5).in_percent(rating)],
            digits: [column_decimals(scores()), column_decimals(of_gains())],
            metrics: metrics(&pairs),
            stage,
            cases: rows.len(),
            better: gains.iter().filter(|gain| **gain > 0.0).count(),
            worse: gains.iter().filter(|gain| **gain < 0.0).count(),
            pairs,
            scenarios: scenarios(&rows),
            failures: failures.into_iter().map(|((stage, kind), count)| (stage, kind, count)).collect(),
            kept: kept(&folder.join(FAILURES), shown, space),
            pictures: pictures(&folder.join(PICTURES)),
        })
    }
}

/// Returns how much better the tuned candidate was than the baseline, as the verdict counts it.
fn gain((start, tuned): &(TrialRow, TrialRow), rating: Rating) -> f64 {
    rating.gain(tuned.objective, start.objective)
}

fn pair((start, tuned): &(TrialRow, TrialRow), gain: f64) -> Pair {
    let groups = TrialRow::groups(&start.groups);
    Pair {
        instance: start.instance.clone(),
        replicate: start.replicate,
        seed: start.seed.to_string(),
        score: [short(start.score), short(tuned.score)],
        gain: short(gain),
        failure: [start.failure.clone(), tuned.failure.clone()],
        trial: [start.trial, tuned.trial],
        metrics: start.metrics.0.iter().cloned().chain(numbers(&groups)).collect(),
        group: groups.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", "),
    }
}

/// Returns the groups whose values are numbers.
fn numbers(groups: &[(String, String)]) -> impl Iterator<Item = (String, f64)> {
    let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
    groups.iter().filter_map(move |(name, value)| Some((name.clone(), number(value)?)))
}

/// Returns the numbers by which pairs can be placed.
fn metrics(pairs: &[Pair]) -> Vec<MetricData> {
    let mut names: Vec<&str> = pairs.iter().flat_map(|pair| &pair.metrics).map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let of = |name: String, values: Vec<Option<f64>>| MetricData {
        name,
        axis: Axis::around(values.iter().flatten().copied(), 6),
        values: values.into_iter().map(|value| value.map(short)).collect(),
    };
    let value = |pair: &Pair, name: &str| pair.metrics.iter().find(|(other, _)| other == name).map(|(_, value)| *value);
    let of_metric = |name: &&str| of(name.to_string(), pairs.iter().map(|pair| value(pair, name)).collect());
    let score = of("score of the baseline".to_string(), pairs.iter().map(|pair| Some(pair.score[0])).collect());
    let varies = |of: &MetricData| of.values.windows(2).any(|two| two[0] != two[1]);
    [score].into_iter().chain(names.iter().take(METRICS).map(of_metric).filter(varies)).collect()
}

fn scenarios(rows: &[(TrialRow, TrialRow)]) -> Vec<Scenario> {
    let Some((first, _)) = rows.first() else { return Vec::new() };
    let scenario = |(place, (name, _)): (usize, &(String, f64))| {
        let values =
            |row: &TrialRow| row.metrics.0.get(place).filter(|(other, _)| other == name).map(|(_, value)| *value);
        let both = rows.iter().filter_map(|(start, tuned)| Some((values(start)?, values(tuned)?)));
        let (start, tuned): (Vec<f64>, Vec<f64>) = both.unzip();
        Scenario {
            name: name.clone(),
            score: [short(Estimate::of(&start).mean), short(Estimate::of(&tuned).mean)],
            difference: ranged(Estimate::paired(&tuned, &start).interval()),
        }
    };
    // A number by which trials are grouped is no score.
    let is_group =
        |name: &str| first.groups.split(' ').any(|group| group.rsplit_once('=').is_some_and(|(of, _)| of == name));
    let metrics = first.metrics.0.iter().enumerate().filter(|(_, (name, _))| !is_group(name));
    metrics.map(scenario).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::parameter::Parameter;
    use std::fs;

    #[test]
    fn the_first_and_the_last_trial_of_a_case_are_compared() {
        let folder = tempfile::TempDir::new().unwrap();
        let table = "trial,stage,number,instance,replicate,seed,score,objective,failure,metrics,value.k\n\
                     0,baseline,0,a,0,s1,10,-10,,easy=4 hard=6,5\n\
                     1,baseline,1,b,0,s2,12,-12,,easy=5 hard=7,5\n\
                     2,search,0,c,0,s3,9,-9,time limit,easy=4 hard=5,6\n\
                     3,validation,0,a,0,s1,8,-8,,easy=4 hard=4,6\n\
                     4,validation,1,b,0,s2,13,-13,exit code,easy=5 hard=8,6\n\
                     5,validation,0,a,0,s1,7";
        fs::write(folder.path().join("trials.csv"), table).unwrap();
        let kept = folder.path().join("failures/exit-00000001");
        fs::create_dir_all(&kept).unwrap();
        fs::write(kept.join("reason.txt"), "exit code: 3\n").unwrap();
        fs::write(kept.join("parameters.toml"), "k = 6\n").unwrap();
        fs::write(kept.join("stderr.txt"), "first\n".repeat(20) + "last\n").unwrap();
        let space = Space::new(vec![Parameter::int("k", 1, 9, 5)], vec![5.0], vec![0]);
        fs::create_dir(folder.path().join("pictures")).unwrap();
        fs::write(folder.path().join("pictures/0000-0-tuned.svg"), "<svg/>").unwrap();
        let trials = Trials::of(folder.path(), "results/tour", Rating::Objective, &space).unwrap();
        assert_eq!((trials.stage, trials.cases, trials.better, trials.worse), (Stage::Validation, 2, 1, 1));
        assert_eq!((trials.pairs[0].score, trials.pairs[0].gain), ([10.0, 8.0], 2.0));
        assert_eq!(trials.pairs[1].failure, ["", "exit code"]);
        assert_eq!((trials.scenarios[1].score, trials.scenarios[1].difference.0), ([6.5, 6.0], -0.5));
        assert_eq!(trials.failures.iter().map(|(.., count)| count).sum::<usize>(), 2);
        assert_eq!(trials.kept[0].again, "sh results/tour/failures/exit-00000001/again.sh");
        assert_eq!((trials.kept[0].output.lines().count(), trials.kept[0].output.lines().last()), (12, Some("last")));
        assert_eq!(trials.kept[0].values, [Some(6.0)]);
        let names: Vec<&str> = trials.metrics.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(names, ["score of the baseline", "easy", "hard"]);
        assert_eq!((trials.pairs[0].trial, &trials.metrics[1].values), ([0, 3], &vec![Some(4.0), Some(5.0)]));
        assert_eq!(trials.pictures[0].title, "trial 1, scenario 1, tuned");
        assert_eq!(trials.pictures[0].source, "data:image/svg+xml;base64,PHN2Zy8+");
        assert!(Trials::of(&kept, "", Rating::Objective, &space).is_none());
    }

    /// The tuned candidate plays first on every other case.
    #[test]
    fn the_baseline_is_recognized_in_both_orders() {
        let folder = tempfile::TempDir::new().unwrap();
        let table = "trial,stage,number,instance,replicate,seed,score,objective,failure,metrics,value.k\n\
                     0,test,0,a,0,s2,10,10,,,5\n1,test,0,a,0,s2,14,14,,,7\n\
                     2,test,1,'=b,0,s3,15,15,,,7\n3,test,1,'=b,0,s3,11,11,,,5\n";
        fs::write(folder.path().join("trials.csv"), table).unwrap();
        let space = Space::new(Vec::new(), Vec::new(), Vec::new());
        let trials = Trials::of(folder.path(), "results/tour", Rating::Objective, &space).unwrap();
        assert_eq!((trials.cases, trials.better, trials.worse), (2, 2, 0));
        assert!(trials.pairs.iter().all(|pair| pair.gain == 4.0));
        // Relative to the larger score.
        let relative = Trials::of(folder.path(), "results/tour", Rating::Ratio, &space).unwrap();
        assert!(relative.pairs.iter().all(|pair| pair.gain.abs() < 1.0), "{:?}", relative.pairs[0].gain);
        assert_eq!((trials.pairs[0].instance.as_str(), trials.pairs[0].score), ("=b", [11.0, 15.0]));
    }
}
