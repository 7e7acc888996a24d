//! The trials of a program: baseline against tuned candidate by instance and scenario, failures
//! with the commands that reproduce them, and pictures. The data are in `trials.csv` and the files
//! beside it.

mod files;

use super::thin::{Ranged, ranged, short};
use crate::draw::{Axis, column_decimals};
use evolve_core::job::{Job, Stage};
use evolve_core::names::{FAILURES, PICTURES};
use evolve_core::run::rows::{Numbers, TrialRow};
use evolve_core::run::trials::Trials as Table;
use evolve_search::model::problem::Problem;
use evolve_search::model::space::Space;
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
        Self::of(folder, shown, &*job.problem, &job.space)
    }

    fn of(folder: &Path, shown: &str, problem: &dyn Problem, space: &Space) -> Option<Self> {
        let rating = problem.rating();
        let start = space.evolving_values(space.start());
        let (mut held_out, mut verdict) = (Sides::default(), Sides::default());
        let mut failures: BTreeMap<(Stage, String), usize> = BTreeMap::new();
        for of in Table::open(folder)?.played(space) {
            if !of.row.failure.is_empty() {
                *failures.entry((of.row.stage, of.row.failure.clone())).or_default() += 1;
            }
            match of.row.stage {
                Stage::Baseline => held_out.replace(0, of.row),
                Stage::Validation => held_out.replace(1, of.row),
                Stage::Test => verdict.add(usize::from(!of.is_of(&start)), of.row),
                Stage::Search | Stage::Selection | Stage::Effects => {}
            }
        }
        let (stage, sides) =
            if verdict.cases.is_empty() { (Stage::Validation, held_out) } else { (Stage::Test, verdict) };
        let rows = sides.pairs();
        let gains: Vec<f64> = rows.iter().map(|(start, tuned)| tuned.gain(start, problem)).collect();
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
            scenarios: scenarios(&rows, problem),
            failures: failures.into_iter().map(|((stage, kind), count)| (stage, kind, count)).collect(),
            kept: kept(&folder.join(FAILURES), shown, space),
            pictures: pictures(&folder.join(PICTURES)),
        })
    }
}

/// The latest trials of the baseline and of the tuned candidate, by the number of their case.
#[derive(Default)]
struct Sides {
    cases: BTreeMap<u64, [Option<TrialRow>; 2]>,
    /// The number of trials of the test that are not the first of their kind.
    repeated: usize,
}

impl Sides {
    /// Adds a trial of one side, in place of an earlier one.
    fn replace(&mut self, side: usize, row: TrialRow) {
        let number = row.number;
        self.cases.entry(number).or_default()[side] = Some(row);
    }

    /// Adds a trial of a test. An exact test plays both trials of its first case a second time, to
    /// see whether they repeat, and ends with them. If one does not, the test may begin again.
    fn add(&mut self, side: usize, row: TrialRow) {
        let is_known = self.cases.get(&row.number).is_some_and(|known| known[side].is_some());
        self.repeated += usize::from(is_known);
        if self.repeated > 2 {
            *self = Sides::default();
        } else if is_known {
            return;
        }
        self.replace(side, row);
    }

    /// Returns the trials of the cases that both played: of the baseline, and of the tuned
    /// candidate.
    fn pairs(self) -> Vec<(TrialRow, TrialRow)> {
        let both = |[start, tuned]: [Option<TrialRow>; 2]| start.zip(tuned);
        self.cases.into_values().filter_map(both).collect()
    }
}

fn pair((start, tuned): &(TrialRow, TrialRow), gain: f64) -> Pair {
    let groups = TrialRow::groups(&start.groups);
    // A failed trial has at most the scores with which its scenarios count.
    let Numbers(metrics) = &start.metrics;
    let metrics = metrics.iter().filter(|_| start.failure.is_empty()).cloned();
    Pair {
        instance: start.instance.clone(),
        replicate: start.replicate,
        seed: start.seed.to_string(),
        score: [short(start.score), short(tuned.score)],
        gain: short(gain),
        failure: [start.failure.clone(), tuned.failure.clone()],
        trial: [start.trial, tuned.trial],
        metrics: metrics.chain(numbers(&groups)).collect(),
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

/// Compares the scores of each scenario, on the cases where neither trial failed: one that did has
/// no scores.
fn scenarios(rows: &[(TrialRow, TrialRow)], problem: &dyn Problem) -> Vec<Scenario> {
    let is_scored = |(start, tuned): &&(TrialRow, TrialRow)| start.failure.is_empty() && tuned.failure.is_empty();
    let rows: Vec<&(TrialRow, TrialRow)> = rows.iter().filter(is_scored).collect();
    let Some((first, _)) = rows.first() else { return Vec::new() };
    let count = problem.metrics().scenarios;
    let scenario = |(place, (name, _)): (usize, &(String, f64))| {
        let score = |row: &TrialRow| row.scenarios(count).get(place).map(|(_, score)| *score);
        let both = rows.iter().filter_map(|(start, tuned)| score(start).zip(score(tuned)));
        let (start, tuned): (Vec<f64>, Vec<f64>) = both.unzip();
        Scenario {
            name: name.clone(),
            score: [short(Estimate::of(&start).mean), short(Estimate::of(&tuned).mean)],
            difference: ranged(Estimate::paired(&tuned, &start).interval()),
        }
    };
    first.scenarios(count).iter().enumerate().map(scenario).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::goal::{Direction, Goal};
    use evolve_search::model::parameter::Parameter;
    use evolve_search::model::problem::{Context, OpenError, Session};
    use evolve_search::model::rating::Rating;
    use evolve_search::model::trial::Metrics;
    use std::fs;
    use tempfile::TempDir;

    /// A problem with a goal, whose trials play so many scenarios.
    struct Known {
        direction: Direction,
        rating: Rating,
        scenarios: usize,
    }

    const PLAIN: Known = Known { direction: Direction::Maximize, rating: Rating::Objective, scenarios: 0 };

    impl Problem for Known {
        fn name(&self) -> &str {
            "known"
        }

        fn parameters(&self) -> Vec<Parameter> {
            vec![Parameter::int("k", 1, 9, 5)]
        }

        fn goal(&self) -> Option<Goal> {
            let &Known { direction, rating, .. } = self;
            Some(Goal::of_score(direction, rating))
        }

        fn metrics(&self) -> Metrics {
            Metrics { scenarios: self.scenarios, ..Metrics::default() }
        }

        fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
            unreachable!("a page plays nothing")
        }
    }

    /// The space of the problem: `k` is 5 at the start.
    fn space() -> Space {
        Space::new(PLAIN.parameters(), vec![5.0], vec![0])
    }

    /// Reads trials from a table. Each row has a stage, number, score, objective, failure, metrics,
    /// and the value of `k`.
    fn read(rows: &[&str], problem: &Known) -> Trials {
        let mut table =
            "trial,instance,replicate,seed,stage,number,score,objective,failure,metrics,groups,value.k\n".to_string();
        rows.iter().enumerate().for_each(|(trial, row)| table += &format!("{trial},a,0,s{trial},{row}\n"));
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("trials.csv"), table).unwrap();
        Trials::of(folder.path(), "", problem, &space()).unwrap()
    }

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
        let space = space();
        fs::create_dir(folder.path().join("pictures")).unwrap();
        fs::write(folder.path().join("pictures/0000-0-tuned.svg"), "<svg/>").unwrap();
        let trials = Trials::of(folder.path(), "results/tour", &Known { scenarios: 1, ..PLAIN }, &space).unwrap();
        assert_eq!((trials.stage, trials.cases, trials.better, trials.worse), (Stage::Validation, 2, 1, 1));
        assert_eq!((trials.pairs[0].score, trials.pairs[0].gain), ([10.0, 8.0], 2.0));
        assert_eq!(trials.pairs[1].failure, ["", "exit code"]);
        // A failed trial has no scores in scenarios, and `easy` is no scenario.
        assert_eq!(trials.scenarios.len(), 1);
        assert_eq!((trials.scenarios[0].score, trials.scenarios[0].difference.0), ([6.0, 4.0], -2.0));
        assert_eq!(trials.failures.iter().map(|(.., count)| count).sum::<usize>(), 2);
        assert_eq!(trials.kept[0].again, "sh results/tour/failures/exit-00000001/again.sh");
        assert_eq!((trials.kept[0].output.lines().count(), trials.kept[0].output.lines().last()), (12, Some("last")));
        assert_eq!(trials.kept[0].values, [Some(6.0)]);
        let names: Vec<&str> = trials.metrics.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(names, ["score of the baseline", "easy", "hard"]);
        assert_eq!((trials.pairs[0].trial, &trials.metrics[1].values), ([0, 3], &vec![Some(4.0), Some(5.0)]));
        assert_eq!(trials.pictures[0].title, "trial 1, scenario 1, tuned");
        assert_eq!(trials.pictures[0].source, "data:image/svg+xml;base64,PHN2Zy8+");
        assert!(Trials::of(&kept, "", &PLAIN, &space).is_none());
    }

    /// The tuned candidate plays first on every other case.
    #[test]
    fn the_baseline_is_recognized_in_both_orders() {
        let folder = tempfile::TempDir::new().unwrap();
        let table = "trial,stage,number,instance,replicate,seed,score,objective,failure,metrics,value.k\n\
                     0,test,0,a,0,s2,10,10,,,5\n1,test,0,a,0,s2,14,14,,,7\n\
                     2,test,1,'=b,0,s3,15,15,,,7\n3,test,1,'=b,0,s3,11,11,,,5\n";
        fs::write(folder.path().join("trials.csv"), table).unwrap();
        let space = space();
        let trials = Trials::of(folder.path(), "results/tour", &PLAIN, &space).unwrap();
        assert_eq!((trials.cases, trials.better, trials.worse), (2, 2, 0));
        assert!(trials.pairs.iter().all(|pair| pair.gain == 4.0));
        // Relative to the larger score.
        let ratio = Known { rating: Rating::Ratio, ..PLAIN };
        let relative = Trials::of(folder.path(), "results/tour", &ratio, &space).unwrap();
        assert!(relative.pairs.iter().all(|pair| pair.gain.abs() < 1.0), "{:?}", relative.pairs[0].gain);
        assert_eq!((trials.pairs[0].instance.as_str(), trials.pairs[0].score), ("=b", [11.0, 15.0]));
    }

    #[test]
    fn an_exact_test_repeats_its_first_case_and_may_begin_again() {
        let exact = ["test,0,10,10,,,,5", "test,0,14,14,,,,7", "test,1,15,15,,,,7", "test,1,11,11,,,,5"];
        let mut rows = [&exact[..], &["test,0,10,10,,,,5", "test,0,13,13,,,,7"]].concat();
        let scores = |rows: &[&str]| {
            let trials = read(rows, &PLAIN);
            trials.pairs.iter().map(|pair| pair.score).collect::<Vec<_>>()
        };
        assert_eq!(scores(&rows), [[10.0, 14.0], [11.0, 15.0]]);
        // Half a case is no pair.
        assert_eq!(scores(&rows[..3]), [[10.0, 14.0]]);
        assert_eq!(scores(&exact[..1]), [[0.0; 2]; 0]);
        // The only case, which both play again in the other order.
        assert_eq!(scores(&[rows[0], rows[1], rows[5], rows[4]]), [[10.0, 14.0]]);
        // The test begins again, on repeated trials and in another order.
        rows.extend(["test,0,12,12,,,,5", "test,0,17,17,,,,7", "test,2,16,16,,,,7", "test,2,11,11,,,,5"]);
        assert_eq!(scores(&rows), [[12.0, 17.0], [11.0, 16.0]]);
    }

    #[test]
    fn ratios_are_rated_within_each_scenario() {
        let gain = |direction, cells: [&str; 2]| {
            let rows = [("5", cells[0]), ("7", cells[1])].map(|(k, cells)| format!("test,0,{cells},,{k}"));
            let known = Known { direction, rating: Rating::Ratio, scenarios: 2 };
            read(&rows.each_ref().map(String::as_str), &known).pairs[0].gain
        };
        // Twice as good where scores are small, and 10 % worse where they are large.
        assert_eq!(gain(Direction::Maximize, ["505,505,,n=3 a=10 b=1000", "460,460,,n=3 a=20 b=900"]), 0.2);
        assert_eq!(gain(Direction::Minimize, ["460,0.02,,n=3 a=20 b=900", "505,0.05,,n=3 a=10 b=1000"]), 0.2);
    }

    #[test]
    fn a_failed_baseline_places_no_instance() {
        let rows = ["validation,0,12,12,,n=4,n=4 m=2,7", "validation,1,14,14,,n=5,n=5 m=3,7"];
        let mut rows = [&["baseline,0,10,10,,n=4,n=4 m=2,5", "baseline,1,0,0,exit code,,n= m=3,5"], &rows[..]].concat();
        let trials = read(&rows, &PLAIN);
        let metrics: Vec<_> = trials.metrics.iter().map(|metric| (metric.name.as_str(), &metric.values[..])).collect();
        assert_eq!(metrics[1..], [("m", &[Some(3.0), Some(2.0)][..]), ("n", &[None, Some(4.0)])]);
        rows.truncate(2);
        assert_eq!(read(&rows, &PLAIN).cases, 0);
    }
}
