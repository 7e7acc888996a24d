//! One run: an optimizer against a case until its games are spent, and what it recommends on the way.

use crate::case::Case;
use evolve_core::document::Document;
use evolve_core::optimizer::{Ask, METHODS, Settings};
use evolve_core::seed::{Purpose, seed};
use evolve_core::statistics::Estimate;
use std::path::Path;

/// What an optimizer recommends after so many games.
pub struct Row {
    /// Games played.
    pub games: usize,
    /// Its held-out score.
    pub held_out: Estimate,
}

/// The settings of a method by name, with `keys` in TOML.
pub fn settings(method: &str, keys: &str) -> Result<Box<dyn Settings>, String> {
    let method = METHODS.iter().find(|known| known.name == method).ok_or_else(|| {
        let known: Vec<_> = METHODS.iter().map(|method| method.name).collect();
        format!("there is no method `{method}`; there are {}", known.join(", "))
    })?;
    let document = Document::new(Path::new("--set"), keys.to_string());
    let read = document.parse("settings", |section| {
        let settings = (method.read)(section);
        let names: Vec<_> = method.keys.iter().map(|key| key.name).collect();
        section.finish(&names);
        Some(settings)
    });
    read.map_err(|faults| faults.to_string())
}

/// Runs an optimizer to the last of `stops`, numbers of games in ascending order; those who follow a schedule are to be
/// run for each of them alone.
pub fn run(case: &Case, settings: &dyn Settings, run: u64, stops: &[usize], held_out: usize) -> Vec<Row> {
    let mut optimizer = settings.start(case.space.coordinates(), run);
    let limit = *stops.last().expect("a run has an end");
    let (mut games, mut rows) = (0, Vec::new());
    let mut best = optimizer.recommended()[0].1.clone();
    for &stop in stops {
        loop {
            let ask = optimizer.ask(games as f64 / limit as f64);
            if games + ask.trials.len() > stop {
                break;
            }
            let objectives = play(case, &ask, run, optimizer.generation());
            games += ask.trials.len();
            optimizer.tell(&ask, &objectives);
            best = optimizer.recommended()[0].1.clone();
        }
        rows.push(Row { games: stop, held_out: measured(case, &best, run, held_out) });
    }
    rows
}

/// The score of a point on `deals` deals that nobody searched on, the same for all who run with this seed.
pub fn measured(case: &Case, point: &[f64], run: u64, deals: usize) -> Estimate {
    let mut scores = Vec::with_capacity(deals);
    let deals = (0..deals as u64).map(|deal| seed(run, Purpose::Measurement, 0, deal));
    case.game.play(&case.space.rounded(point), deals, &mut scores);
    Estimate::of(&scores)
}

/// The objectives of the trials that an optimizer asks for.
pub fn play(case: &Case, ask: &Ask, run: u64, generation: u64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ask.trials.len()).collect();
    order.sort_by_key(|&i| ask.trials[i].0);
    let mut objectives = vec![0.0; ask.trials.len()];
    let mut scores = Vec::new();
    for of_point in order.chunk_by(|&a, &b| ask.trials[a].0 == ask.trials[b].0) {
        let candidate = case.space.candidate(&ask.points[ask.trials[of_point[0]].0]);
        let deals = of_point.iter().map(|&i| seed(run, Purpose::Training, generation, ask.trials[i].1 as u64));
        scores.clear();
        case.game.play(&candidate, deals, &mut scores);
        for (&i, score) in of_point.iter().zip(&scores) {
            objectives[i] = *score;
        }
    }
    objectives
}
