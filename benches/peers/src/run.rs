//! Runs an optimizer on a task until its games are spent, with its recommendations on the way.

use crate::task::{Task, apart, numbered};
use evolve_search::document::Document;
use evolve_search::document::schema::properties;
use evolve_search::model::features::{Feature, Features, Values};
use evolve_search::optimizer::{self, Ask, BUDGETS, Cases, METHODS, Settings, Terms, Told};
use evolve_search::statistics::Estimate;
use std::path::Path;
use std::sync::Arc;

/// The recommendation of an optimizer after some number of games.
pub struct Row {
    pub games: usize,
    /// The score on held-out cases.
    pub held_out: Estimate,
}

/// Reads the settings of a method from its name and `keys` in TOML.
pub fn settings(method: &str, keys: &str) -> Result<Box<dyn Settings>, String> {
    let method = METHODS.iter().find(|known| known.name == method).ok_or_else(|| {
        let known: Vec<_> = METHODS.iter().map(|method| method.name).collect();
        format!("there is no method `{method}`; there are {}", known.join(", "))
    })?;
    let document = Document::new(Path::new("--set"), keys.to_string());
    let keys = properties(&(method.keys)());
    let read = document.top("settings").and_then(|top| {
        top.only(keys.keys().map(String::as_str))?;
        (method.read)(&top)
    });
    read.map_err(|fault| fault.to_string())
}

/// Runs an optimizer to the last of `stops`, which are ascending numbers of games, as the search of
/// a job: it gets about two thirds of the budget. Stops between whose budgets the method changes
/// belong to different runs.
pub fn run(
    task: &Task,
    settings: &dyn Settings,
    run: u64,
    stops: &[usize],
    held_out: usize,
    knows: bool,
) -> Result<Vec<Row>, String> {
    let budget = |stop: usize| 3 * stop as u64 / 2;
    let class = |stop: usize| BUDGETS.map(|most| budget(stop) <= most);
    let mut rows = Vec::new();
    for stops in stops.chunk_by(|&a, &b| class(a) == class(b)) {
        let terms = Terms { cases: Cases::Many, trials: stops.last().map_or(u64::MAX, |&last| budget(last)) };
        rows.extend(run_to(task, settings, run, stops, terms, held_out, knows)?);
    }
    Ok(rows)
}

/// Runs an optimizer to the last of `stops`. The recommendation at a stop results from the
/// generations completed before it.
fn run_to(
    task: &Task,
    settings: &dyn Settings,
    run: u64,
    stops: &[usize],
    terms: Terms,
    held_out: usize,
    knows: bool,
) -> Result<Vec<Row>, String> {
    let mut space = task.job.space.clone();
    if knows {
        space = space.among(Arc::new(features(task, run)));
    }
    let mut optimizer = optimizer::start(settings, &space, terms, run);
    let (mut games, mut cases, mut rows) = (0, 0, Vec::new());
    for &stop in stops {
        loop {
            let ask = optimizer.ask();
            if games + ask.trials.len() > stop {
                break;
            }
            let (objectives, capped) = play(task, &ask, run, (optimizer.generation(), cases))?;
            games += ask.trials.len();
            cases += ask.cases as u64;
            let told = Told { objectives: &objectives, penalized: &objectives, bounds: &capped, quantities: &[] };
            optimizer.tell(&ask, &told);
        }
        let (_, point) = &optimizer.recommended()[0];
        let held_out = task.measured(&task.job.space.candidate(point), run, held_out)?;
        rows.push(Row { games: stop, held_out });
    }
    Ok(rows)
}

/// Returns the features of the instances as a run numbers them.
fn features(task: &Task, run: u64) -> Features {
    let rotated = |feature: &Feature| {
        let mut feature = feature.clone();
        match &mut feature.values {
            Values::Numbers(numbers) => {
                let by = apart(run, numbers.len());
                numbers.rotate_left(by);
            }
            Values::Words(words) => {
                let by = apart(run, words.len());
                words.rotate_left(by);
            }
        }
        feature
    };
    Features::new(task.job.problem.features().columns().iter().map(rotated).collect())
}

/// Plays the requested trials. Returns their objectives and the indices of capped ones. As in a
/// run, the rivals that the optimizer knows cap trials; unlike there, a first batch without rivals
/// has no leading trials, and so no caps. `known` cases were played before.
fn play(task: &Task, ask: &Ask, run: u64, (generation, known): (u64, u64)) -> Result<(Vec<f64>, Vec<usize>), String> {
    let cases: Vec<_> = ask.all_cases(generation, known).map(|of| numbered(run, of)).collect();
    let mut order: Vec<usize> = (0..ask.trials.len()).collect();
    order.sort_by_key(|&i| ask.trials[i].0);
    let (mut objectives, mut capped) = (vec![0.0; ask.trials.len()], Vec::new());
    for of_point in order.chunk_by(|&a, &b| ask.trials[a].0 == ask.trials[b].0) {
        let candidate = task.job.space.candidate(&ask.points[ask.trials[of_point[0]].0]);
        let case = |&i: &usize| {
            let place = ask.trials[i].1;
            let rival = place.checked_sub(ask.cases).and_then(|again| ask.rivals.get(again).copied());
            (cases[place], rival.flatten().filter(|_| task.job.problem.behaviour().has_rivals))
        };
        for (&i, outcome) in of_point.iter().zip(task.play_against(&candidate, of_point.iter().map(case))?) {
            objectives[i] = outcome.objective;
            capped.extend(outcome.capped.then_some(i));
        }
    }
    capped.sort_unstable();
    Ok((objectives, capped))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::numbered;
    use std::collections::BTreeSet;

    /// Where instances differ in kind, a search that knows their features plays all kinds soon, and
    /// does not stay on a few instances.
    #[test]
    fn a_search_plays_all_kinds_of_instances() {
        let task = Task::read("dispatch").unwrap();
        let features = task.job.problem.features();
        let Values::Words(kinds) = &features.columns()[0].values else { unreachable!("kinds are words") };
        for run in 1..=3 {
            let space = task.job.space.clone().among(Arc::new(super::features(&task, run)));
            let terms = Terms { cases: Cases::Many, trials: 300 };
            let settings = settings("auto", "").unwrap();
            let mut optimizer = optimizer::start(settings.as_ref(), &space, terms, run);
            let (mut instances, mut cases) = (Vec::new(), 0);
            while instances.len() < 200 {
                let (ask, generation) = (optimizer.ask(), optimizer.generation());
                let of: Vec<_> = ask.all_cases(generation, cases).map(|of| numbered(run, of).number as usize).collect();
                instances.extend(ask.trials.iter().map(|&(_, place)| of[place] % kinds.len()));
                let (objectives, _) = play(&task, &ask, run, (generation, cases)).unwrap();
                cases += ask.cases as u64;
                optimizer.tell(&ask, &Told { objectives: &objectives, penalized: &objectives, ..Told::default() });
            }
            let soon: BTreeSet<_> = instances[..60].iter().map(|&i| &kinds[i]).collect();
            let played: BTreeSet<_> = instances[..200].iter().collect();
            assert_eq!(soon.len(), 4, "run {run}: {soon:?}");
            assert!(played.len() >= 16, "run {run}: {} instances", played.len());
        }
    }
}
