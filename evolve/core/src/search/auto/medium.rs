//! The method for spaces of medium size if trials are few: a model for the first trials, then mirrored sampling from its
//! recommendation.
//!
//! With few trials, a model learns more from each trial than mirrored sampling, which spends a generation of pairs on one
//! step. With many trials, the model's first points, which are far from the start, cost more than they gain.

use super::large::Large;
use super::model::{self, Model};
use super::small::explored;
use crate::model::space::{Coordinate, Space};
use crate::search::{Ask, Deals, FinalistKind, Generation, Optimizer, at_priors};
use crate::statistics::Interval;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The number of trials for the model. More of them cost more than they gain.
const MODEL: usize = 150;

/// The search of a space of medium size.
pub struct Medium {
    space: Vec<Coordinate>,
    seed: u64,
    model: Model,
    /// The model's recommendation, and its estimate of how much better it is than the start.
    recommended: (Vec<f64>, Option<Interval>),
    /// The search after the model.
    search: Option<Large>,
}

/// The complete state between two generations.
#[derive(Serialize, Deserialize)]
struct State {
    model: model::State,
    /// The state of the search after the model.
    search: Option<Value>,
}

impl Medium {
    /// Creates a search at its start.
    pub fn start(space: &Space, deals: Deals, seed: u64) -> Self {
        let model =
            Model::new(space, deals, seed, MODEL, model::State::default()).expect("a model that has seen nothing");
        let recommended = (space.origin(), None);
        Medium { space: space.coordinates().to_vec(), seed, model, recommended, search: None }
    }

    /// Resumes a search from its state; returns `None` if the state does not fit this space.
    pub fn resume(space: &Space, deals: Deals, seed: u64, state: &Value) -> Result<Option<Self>, serde_json::Error> {
        let state = State::deserialize(state)?;
        let Some(model) = Model::new(space, deals, seed, MODEL, state.model) else { return Ok(None) };
        let recommended = model.recommended();
        let searched = searched(space.coordinates(), &recommended.0);
        let search = match (model.is_complete(), state.search) {
            (true, Some(search)) => Large::resume(&searched, seed, &search)?.map(Some),
            (false, None) => Some(None),
            _ => None,
        };
        let space = space.coordinates().to_vec();
        Ok(search.map(|search| Medium { space, seed, model, recommended, search }))
    }

    /// Returns whether a state is one of this search.
    pub fn is_state(state: &Value) -> bool {
        state.get("model").is_some()
    }
}

/// Returns the space of the search after the model, which starts at the model's recommendation.
fn searched(space: &[Coordinate], origin: &[f64]) -> Vec<Coordinate> {
    let from = |(coordinate, &start): (&Coordinate, &f64)| Coordinate { start, prior: None, ..*coordinate };
    at_priors(space).iter().zip(origin).map(from).collect()
}

impl Optimizer for Medium {
    fn ask(&self) -> Ask {
        self.search.as_ref().map_or_else(|| self.model.ask(), Large::ask)
    }

    fn ahead(&self) -> Vec<Ask> {
        self.model.ahead()
    }

    fn tell(&mut self, ask: &Ask, objectives: &[f64], capped: &[usize]) -> Generation {
        let number = self.generation();
        if let Some(search) = &mut self.search {
            return Generation { number, ..search.tell(ask, objectives, capped) };
        }
        self.model.tell(ask, objectives, capped);
        self.recommended = self.model.recommended();
        if self.model.is_complete() {
            self.search = Some(Large::start(&searched(&self.space, &self.recommended.0), true, self.seed));
        }
        Generation::of(number, &ask.points, &ask.means(objectives))
    }

    fn generation(&self) -> u64 {
        self.model.state().batches + self.search.as_ref().map_or(0, Large::generation)
    }

    fn mean(&self) -> &[f64] {
        self.search.as_ref().map_or(&self.recommended.0, Large::mean)
    }

    fn recommended(&self) -> Vec<(FinalistKind, Vec<f64>)> {
        match &self.search {
            Some(search) => search.recommended(),
            None => vec![(FinalistKind::Mean, self.recommended.0.clone())],
        }
    }

    fn gain(&self) -> Option<Interval> {
        self.recommended.1.filter(|_| self.search.is_none())
    }

    fn method(&self) -> &'static str {
        self.search.as_ref().map_or("Gaussian process", Large::method)
    }

    fn deviations(&self) -> Vec<f64> {
        self.search.as_ref().map_or_else(|| explored(&self.space), Large::deviations)
    }

    fn state(&self) -> Value {
        let search = self.search.as_ref().map(Large::state);
        let state = State { model: self.model.state().clone(), search };
        serde_json::to_value(state).expect("a state consists of numbers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parameter::Parameter;
    use crate::model::seed::generator;
    use crate::search::sampling::normal;

    /// Searches a quadratic of 24 coordinates, from a loss of 24, with noise of standard deviation 1 on each trial;
    /// returns the losses of the recommendations after these numbers of trials.
    fn losses(mut search: impl Optimizer, stops: &[usize]) -> Vec<f64> {
        let loss = |point: &[f64]| point.iter().map(|x| x * x).sum::<f64>();
        let mut random = generator(4);
        let mut trials = 0;
        let after = |&stop: &usize| {
            while trials < stop {
                let ask = search.ask();
                let objectives: Vec<f64> =
                    ask.trials.iter().map(|&(i, _)| normal(&mut random) - loss(&ask.points[i])).collect();
                trials += objectives.len();
                search.tell(&ask, &objectives, &[]);
            }
            loss(&search.recommended()[0].1)
        };
        stops.iter().map(after).collect()
    }

    #[test]
    fn few_trials_gain_more_than_by_mirrored_sampling() {
        let parameters = vec![Parameter::float("x", -4.0, 4.0, 1.0).scale(0.4); 24];
        let space = Space::new(parameters, vec![1.0; 24], (0..24).collect());
        let (few, mirrored) = ([60, 300, 1000], Large::start(space.coordinates(), false, 3));
        let (medium, large) = (losses(Medium::start(&space, Deals::Many, 3), &few), losses(mirrored, &few));
        assert!(medium[0] < 0.8 * large[0] && medium[1] < 0.5 * large[1], "{medium:?} {large:?}");
        // The search after the model goes on from its recommendation.
        assert!(medium[2] < medium[1] && medium[2] < large[2], "{medium:?} {large:?}");
    }

    #[test]
    fn a_resumed_search_is_the_same() {
        let parameters = vec![Parameter::float("x", -4.0, 4.0, 1.0).scale(0.4); 20];
        let space = Space::new(parameters, vec![1.0; 20], (0..20).collect());
        let mut whole = Medium::start(&space, Deals::Many, 5);
        let mut trials = 0;
        while trials < 400 {
            let resumed = Medium::resume(&space, Deals::Many, 5, &whole.state()).unwrap().expect("its own state");
            let ask = whole.ask();
            assert_eq!((resumed.generation(), resumed.ask()), (whole.generation(), ask.clone()));
            assert_eq!((resumed.mean(), resumed.gain()), (whole.mean(), whole.gain()));
            let objectives: Vec<f64> = ask.trials.iter().map(|&(i, _)| -ask.points[i][0].abs()).collect();
            trials += objectives.len();
            whole.tell(&ask, &objectives, &[]);
        }
        assert_eq!(whole.method(), "mirrored sampling");
        let state = whole.state();
        assert!(Medium::is_state(&state) && !Medium::is_state(&Large::start(space.coordinates(), true, 5).state()));
    }
}
