//! A search in two stages: a model for the first trials, then another search from the model's
//! recommendation.
//!
//! A run that ends soon after these trials stays with the model: the few generations of another
//! search would gain less.

use super::around::deviations;
use super::model::{self, Model};
use crate::document::is_default;
use crate::model::space::{Coordinate, Space};
use crate::optimizer::landscape::Landscape;
use crate::optimizer::{Ask, Cases, FinalistKind, Generation, Optimizer, StateError, Terms, Told, is_count};
use crate::statistics::Interval;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::OnceCell;

/// With constraints, the recommendation is the model's until the second search has played this many
/// times the model's trials.
const LONG: u64 = 4;

/// The place where the second search starts.
pub struct Handover<'a> {
    pub space: &'a [Coordinate],
    /// The model's recommendation.
    pub point: &'a [f64],
    /// The cases that the search may request.
    pub cases: Cases,
    pub seed: u64,
}

/// A search that follows a model.
pub trait Second: Optimizer + Sized {
    /// The number of trials for the model.
    const MODEL: usize;
    /// The largest number of trials of a run that stays with the model.
    const SHORT_RUN: u64 = 2 * Self::MODEL as u64;
    /// Tags the state of the model and the search.
    const TAG: fn(State) -> super::State;

    /// Creates the search at its start.
    fn start(origin: &Handover<'_>) -> Self;

    /// Resumes the search from its state.
    ///
    /// # Errors
    /// If the state does not fit this space.
    fn resume(origin: &Handover<'_>, state: &Value) -> Result<Self, StateError>;
}

/// A model, then the search `S`.
pub struct Staged<S> {
    space: Vec<Coordinate>,
    cases: Cases,
    seed: u64,
    is_short: bool,
    model: Model,
    /// The model's recommendation.
    recommended: Vec<f64>,
    /// The model's estimate of how much better that is than the start, once asked for.
    gain: OnceCell<Option<Interval>>,
    /// The search after the model.
    pub(super) second: Option<S>,
    /// The number of its trials, counted with constraints.
    trials: u64,
}

/// The complete state between two generations.
#[derive(Serialize, Deserialize)]
pub struct State {
    /// Whether the run stays with the model.
    #[serde(default, skip_serializing_if = "is_default")]
    is_short: bool,
    model: model::State,
    /// The state of the search after the model.
    second: Option<Value>,
    /// The number of its trials, counted with constraints.
    #[serde(default, skip_serializing_if = "is_default")]
    trials: u64,
}

impl<S: Second> Staged<S> {
    /// Creates a search at its start.
    pub fn start(space: &Space, terms: Terms, seed: u64) -> Self {
        let is_short = terms.is_within(S::SHORT_RUN);
        Self::of(space, terms.cases, seed, is_short, model::State::default())
            .expect("a model that has seen nothing fits")
    }

    /// Resumes a search from its state.
    ///
    /// # Errors
    /// If the state does not fit this space.
    pub fn resume(space: &Space, cases: Cases, seed: u64, state: State) -> Result<Self, StateError> {
        let State { is_short, model, second, trials } = state;
        let mut this = Self::of(space, cases, seed, is_short, model)?;
        if this.model.is_complete() != second.is_some() || !is_count(trials) {
            return Err(StateError::Inconsistent);
        }
        this.second = second.map(|state| S::resume(&this.origin(), &state)).transpose()?;
        this.trials = trials;
        Ok(this)
    }

    fn of(space: &Space, cases: Cases, seed: u64, is_short: bool, state: model::State) -> Result<Self, StateError> {
        // A search gets two thirds of the trials of a run with a test.
        let trials = if is_short { (2 * S::SHORT_RUN / 3) as usize } else { S::MODEL };
        let model = Model::new(space, cases, seed, trials, state).ok_or(StateError::Inconsistent)?;
        let recommended = model.recommended();
        Ok(Staged {
            space: space.coordinates().to_vec(),
            cases,
            seed,
            is_short,
            model,
            recommended,
            gain: OnceCell::new(),
            second: None,
            trials: 0,
        })
    }

    /// Returns the search after the model, once its recommendation counts. Along a limit, its first
    /// generations lose some of what the model found, so with constraints, it has to play several
    /// times as many trials.
    fn established(&self) -> Option<&S> {
        let is_early = self.model.is_constrained() && self.trials < LONG * S::MODEL as u64;
        self.second.as_ref().filter(|_| !is_early)
    }

    fn origin(&self) -> Handover<'_> {
        Handover { space: &self.space, point: &self.recommended, cases: self.cases, seed: self.seed }
    }
}

impl<S: Second> Optimizer for Staged<S> {
    fn ask(&self) -> Ask {
        self.second.as_ref().map_or_else(|| self.model.ask(), S::ask)
    }

    fn ahead(&self) -> Vec<Ask> {
        self.model.ahead()
    }

    fn tell(&mut self, ask: &Ask, told: &Told<'_>) -> Generation {
        let number = self.generation();
        if let Some(second) = &mut self.second {
            // The model of constraints knows the levels of cases, and what it learned stays true.
            let penalized = self.model.penalized(ask, told.objectives);
            if penalized.is_some() {
                self.trials += told.objectives.len() as u64;
            }
            let told = Told { penalized: penalized.as_deref().unwrap_or(told.penalized), ..*told };
            return Generation { number, ..second.tell(ask, &told) };
        }
        self.model.tell(ask, told);
        self.recommended = self.model.recommended();
        self.gain.take();
        if self.model.is_complete() {
            self.second = Some(S::start(&self.origin()));
        }
        Generation::of(number, &ask.points, &ask.means(told.penalized))
    }

    fn generation(&self) -> u64 {
        self.model.state().batches + self.second.as_ref().map_or(0, S::generation)
    }

    fn mean(&self) -> &[f64] {
        self.established().map_or(&self.recommended, S::mean)
    }

    fn recommended(&self) -> Vec<(FinalistKind, Vec<f64>)> {
        let Some(second) = self.established() else {
            return vec![(FinalistKind::Mean, self.model.recommended_now())];
        };
        let mut recommended = second.recommended();
        if self.model.is_constrained() {
            recommended.push((FinalistKind::Model, self.recommended.clone()));
        }
        recommended
    }

    fn gain(&self) -> Option<Interval> {
        match self.established() {
            None => *self.gain.get_or_init(|| self.model.gain()),
            Some(_) => None,
        }
    }

    fn landscape(&self) -> Option<Landscape> {
        self.model.landscape(self.mean())
    }

    fn method(&self) -> &'static str {
        self.second.as_ref().map_or("Gaussian process", S::method)
    }

    fn deviations(&self) -> Vec<f64> {
        self.second.as_ref().map_or_else(|| deviations(&self.space), S::deviations)
    }

    fn state(&self) -> Value {
        let state = State {
            is_short: self.is_short,
            model: self.model.state().clone(),
            second: self.second.as_ref().map(S::state),
            trials: self.trials,
        };
        serde_json::to_value(S::TAG(state)).expect("a state consists of numbers")
    }
}
