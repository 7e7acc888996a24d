//! Searches for the tests of several crates.

use crate::document::Document;
use crate::model::seed::{Split, seed};
use crate::model::space::Space;
use crate::optimizer::{Again, Ask, Cases, Method, Optimizer, Settings, Terms, Told};
use std::path::Path;

/// Reads the settings of a method from keys in TOML.
pub fn settings(method: &Method, keys: &str) -> Box<dyn Settings> {
    let document = Document::new(Path::new("test"), keys.to_string());
    (method.read)(&document.top("settings").unwrap()).unwrap()
}

impl<'a> Told<'a> {
    /// Returns the outcomes of trials that ran to their end, without constraints.
    pub fn of(objectives: &'a [f64]) -> Self {
        Told { objectives, penalized: objectives, ..Told::default() }
    }
}

/// The terms of a run without an end.
impl From<Cases> for Terms {
    fn from(cases: Cases) -> Self {
        Terms { cases, trials: u64::MAX }
    }
}

/// Plays a search up to these numbers of trials, and returns the recommended values after each of
/// them. `play` receives a request and the seed of each trial's case, plays the trials, and reports
/// their outcomes to the optimizer.
pub fn recommendations(
    optimizer: &mut dyn Optimizer,
    space: &Space,
    run: u64,
    at: &[usize],
    mut play: impl FnMut(&mut dyn Optimizer, &Ask, &[u64]),
) -> Vec<Vec<f64>> {
    let (mut played, mut recommended) = (0, Vec::new());
    while recommended.len() < at.len() {
        let (ask, generation) = (optimizer.ask(), optimizer.generation());
        let seed_of = |case: Again| seed(run, Split::Search, case.generation, case.place);
        let seeds: Vec<u64> = ask.all_cases(generation, 0).map(seed_of).collect();
        play(optimizer, &ask, &ask.trials.iter().map(|&(_, case)| seeds[case]).collect::<Vec<u64>>());
        played += ask.trials.len();
        while at.get(recommended.len()).is_some_and(|&trials| played >= trials) {
            recommended.push(space.candidate(optimizer.mean()));
        }
    }
    recommended
}
