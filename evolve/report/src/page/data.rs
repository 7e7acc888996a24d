//! The data of a page, from the files of runs.

use super::contest::{Comparison, Contests};
use super::explained;
use super::functions::{Function, functions};
use super::history::History;
use super::hour::Hour;
use super::input::Input;
use super::landscape::LandscapeData;
use super::thin::{Ranged, ranged, short, thin};
use super::trials::Trials;
use super::weights::{WeightData, weights};
use super::words::{Words, words};
use crate::draw::Axis;
use crate::tables::Run;
use evolve_contest::Games;
use evolve_core::job::Stage;
use evolve_search::model::goal::Direction;
use evolve_search::model::rating::Rating;
use evolve_search::optimizer::FinalistKind;
use serde::Serialize;

#[derive(Serialize)]
pub struct Page {
    pub(super) title: String,
    version: &'static str,
    runs: Vec<RunData>,
    /// The axes of all runs together.
    axes: Axes,
    comparisons: Vec<Comparison>,
    contests: Option<Contests>,
}

impl Page {
    /// Creates the page of some runs, with the games that their policies played on the same cases,
    /// if any. `games` are those that their files may name.
    pub fn new(inputs: &[Input], contests: Option<Contests>, games: &Games) -> Self {
        let runs: Vec<RunData> = inputs.iter().map(|input| RunData::new(input, games)).collect();
        let title = match &runs[..] {
            [run] => run.name.clone(),
            runs => format!("{} runs", runs.len()),
        };
        let comparisons = super::contest::compare(inputs, contests.as_ref());
        let courses = runs.iter().filter_map(|run| run.history.as_ref()).flat_map(History::gains_on_axis);
        let courses = courses.filter(|_| runs.len() > 1);
        let rating = Rating::common(runs.iter().map(|run| run.rating));
        let axes = Axes::of(inputs.iter().map(|input| &input.run), courses, rating);
        Page { title, version: env!("CARGO_PKG_VERSION"), runs, axes, comparisons, contests }
    }
}

#[derive(Serialize)]
struct RunData {
    name: String,
    problem: String,
    player: String,
    seed: u64,
    words: Words,
    /// The trials of the run at most, if the job limits them.
    budget: Option<u64>,
    /// The scale of gains.
    rating: Rating,
    /// Which scores are better; `None` if the rules of a contest state it.
    direction: Option<Direction>,
    /// The name of the axis of objectives.
    objective: &'static str,
    axes: Axes,
    /// The axis of objectives in the search and in validation.
    height: Axis,
    generations: Generations,
    estimates: Vec<EstimateData>,
    weights: Vec<WeightData>,
    /// The names of all parameters, for lists that refer to them by index.
    parameters: Vec<String>,
    /// The single trials of a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    trials: Option<Trials>,
    /// Every trial of a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<History>,
    /// The landscape by the model of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    landscape: Option<LandscapeData>,
    /// The parameters that follow features, in the candidate that the run recommends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    functions: Vec<Function>,
    /// The generations of the model, before which paths do not begin.
    modelled: u64,
    /// What the last hour changed, until the run is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    hour: Option<Hour>,
}

/// The horizontal axes of some runs, and the axis of differences from the baseline.
#[derive(Serialize)]
struct Axes {
    generation: Axis,
    trials: Axis,
    seconds: Axis,
    gain: Axis,
}

impl Axes {
    /// Returns the axes of some runs. The axis of gains also shows `gains`.
    fn of<'r>(runs: impl Iterator<Item = &'r Run> + Clone, gains: impl Iterator<Item = f64>, rating: Rating) -> Self {
        let generations = |run: &Run| run.generations.last().map_or(0, |last| last.generation.saturating_add(1));
        let checked = |run: &Run| run.estimates.iter().map(|row| row.generation).max().unwrap_or(0);
        let seconds = runs.clone().filter_map(|run| run.times.last()).map(|time| time.seconds).fold(0.0, f64::max);
        let rows = runs.clone().flat_map(|run| &run.estimates).filter_map(|row| row.difference());
        let measured = rows.flat_map(|of| [of.mean, of.low, of.high]);
        let gains = gains.chain(measured).filter(|gain| gain.is_finite());
        Axes {
            generation: Axis::counting(
                runs.clone().map(|run| generations(run).max(checked(run))).max().unwrap_or(0),
                8,
            ),
            trials: Axis::counting(runs.map(Run::trials_played).max().unwrap_or(0), 8),
            seconds: Axis::time(seconds, 8),
            gain: Axis::around(gains.chain([0.0]), 5).in_percent(rating),
        }
    }
}

/// The generations of a run, in lists of the same length.
#[derive(Serialize)]
struct Generations {
    generation: Vec<u64>,
    trials: Vec<u64>,
    seconds: Vec<f64>,
    best: Vec<f64>,
    mean: Vec<f64>,
}

#[derive(Serialize)]
struct EstimateData {
    stage: Stage,
    policy: FinalistKind,
    generation: u64,
    trials: u64,
    seconds: f64,
    played: u64,
    mean: f64,
    difference: Option<Ranged>,
}

/// The largest number of points in a curve; more are indistinguishable on a screen.
const CURVE: usize = 800;
impl RunData {
    fn new(input: &Input, games: &Games) -> Self {
        let Input { name, job, run, folder, path, policy, time_limit, .. } = input;
        let landscape = input.landscape();
        let history = History::read(path, job, run, landscape);
        let tail = history.as_ref().and_then(|history| history.tail.as_ref());
        let rating = job.problem.rating();
        let seconds = |generation: u64| seconds(run, generation);
        let kept = thin(run.generations.len(), CURVE);
        let rows = || kept.iter().map(|&i| &run.generations[i]);
        let modelled = landscape.map_or(0, |landscape| landscape.generations);
        let candidate = policy.as_ref().map(|policy| &policy.values).or(input.incumbent.as_ref());
        let worths = explained::read(path);
        RunData {
            name: name.clone(),
            problem: [job.problem.title()].iter().chain(time_limit).chain(tail).cloned().collect::<Vec<_>>().join(", "),
            player: job.problem.player_title(),
            seed: job.seed,
            words: words(input, games),
            budget: job.limits.budget,
            rating,
            direction: job.problem.goal().map(|goal| goal.direction),
            objective: match rating {
                Rating::Ratio => "Objective (the baseline has 1)",
                Rating::Objective => "Objective",
            },
            axes: Axes::of([run].into_iter(), [].into_iter(), rating),
            height: height(run, history.is_some()),
            generations: Generations {
                generation: rows().map(|row| row.generation).collect(),
                trials: rows().map(|row| row.trials_played).collect(),
                seconds: rows().map(|row| short(seconds(row.generation.saturating_add(1)))).collect(),
                best: rows().map(|row| short(row.best)).collect(),
                mean: rows().map(|row| short(row.mean)).collect(),
            },
            estimates: run
                .estimates
                .iter()
                .map(|row| EstimateData {
                    stage: row.stage,
                    policy: row.candidate,
                    generation: row.generation,
                    trials: row.trials_played,
                    seconds: short(seconds(row.generation)),
                    played: row.trials,
                    mean: short(row.objective),
                    difference: row.difference().map(ranged),
                })
                .collect(),
            weights: weights(input, modelled, &worths),
            functions: candidate.map_or_else(Vec::new, |values| functions(&job.space, values, &worths)),
            modelled,
            parameters: job.space.parameters().iter().map(|parameter| parameter.name.clone()).collect(),
            trials: Trials::read(path, folder, job),
            hour: policy.is_none().then(|| Hour::of(run, &job.space, history.as_ref())).flatten(),
            history,
            landscape: landscape.map(|landscape| LandscapeData::of(job, landscape)),
        }
    }
}

/// Returns the axis of objectives. It shows most of the search and, without a history, all
/// objectives of validations: a history has them on the scale of gains.
fn height(run: &Run, has_history: bool) -> Axis {
    let search: Vec<f64> = run.generations.iter().flat_map(|row| [row.best, row.mean]).collect();
    let validated = run.stage(Stage::Validation).map(|row| row.objective).filter(|_| !has_history);
    Axis::around_most(validated, &search, 5)
}

/// Returns the seconds spent on trials before a generation.
fn seconds(run: &Run, generation: u64) -> f64 {
    let before = run.times.partition_point(|time| time.generation < generation);
    before.checked_sub(1).map_or(0.0, |last| run.times[last].seconds)
}
