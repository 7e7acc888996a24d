//! A model for few trials: a Gaussian process over candidates and cases chooses the most
//! informative trial.
//!
//! The model estimates the level of every case, so a candidate need not play all cases that its
//! rivals have played. The first trials all use one case. The state has the trials and the
//! hyperparameters of the last fit. Everything else is computed from these.

mod censored;
mod design;
mod earlier;
mod encoding;
mod fit;
mod follow;
mod gain;
mod importance;
mod kernel;
mod kin;
mod landscape;
mod limits;
mod outcomes;
mod posterior;
mod process;
mod propose;
mod refit;
mod requests;
mod squash;
mod state;
mod triangle;
mod wide;

pub use state::State;

use crate::model::space::Space;
use crate::optimizer::{Ask, Cases, Told};
use crate::statistics::Interval;
use censored::Outcomes;
use earlier::EarlierRuns;
use encoding::{Dimension, decoded, dimensions, encoded};
use gain::Gains;
use kernel::Kernel;
use kin::Instances;
use limits::{Limited, Limits};
use posterior::Posterior;
use process::{Before, Distinct, ModelTrial, Process};
use state::Request;
use std::cell::RefCell;
use triangle::Triangle;

/// The hyperparameters are fitted again when the number of trials has grown by this factor.
const GROWTH: f64 = 1.15;

/// The model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    space: Space,
    dimensions: Vec<Dimension>,
    earlier: EarlierRuns,
    cases: Cases,
    seed: u64,
    /// The number of trials after which it makes no more requests.
    most: usize,
    state: State,
    factor: Factor,
}

/// The factor of the covariances of this run's trials, which is kept between requests, because most
/// of the time of a request would go into it. It has the bits that a resumed run computes.
#[derive(Clone, Debug, Default)]
struct Factor(RefCell<Option<(Kernel, Triangle)>>);

impl Factor {
    /// Returns the rows known for a kernel, at most this number.
    fn of(&self, kernel: &Kernel, most: usize) -> Triangle {
        let known = self.0.borrow();
        let known = known.as_ref().filter(|known| known.0 == *kernel);
        known.map(|known| known.1.first(known.1.rows().min(most))).unwrap_or_default()
    }

    /// Keeps the first rows.
    fn keep(&self, kernel: &Kernel, triangle: &Triangle, rows: usize) {
        let mut known = self.0.borrow_mut();
        if known.as_ref().is_none_or(|known| known.0 != *kernel || known.1.rows() < rows) {
            *known = Some((kernel.clone(), triangle.first(rows)));
        }
    }
}

/// It follows from the state.
impl PartialEq for Factor {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Model {
    /// Returns a model of about `most` trials from its state, or at its start; `None` if the state
    /// does not fit this space.
    pub fn new(space: &Space, cases: Cases, seed: u64, most: usize, state: State) -> Option<Self> {
        let dimensions = dimensions(space.coordinates());
        let earlier = EarlierRuns::of(space, &dimensions);
        let is_new = state == State::default();
        let space = space.clone();
        let fits = is_new || state.fits(&dimensions, earlier.runs(), most);
        let mut model =
            fits.then(|| Model { space, dimensions, earlier, cases, seed, most, state, factor: Factor::default() })?;
        if is_new {
            // The only case has no others for which its features could stand.
            if cases != Cases::One {
                model.state.instances = Instances::of(model.space.features());
            }
            let design = model.design();
            model.request(design, Vec::new(), &[0]);
        }
        Some(model)
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the number of trials so far.
    pub fn trials(&self) -> usize {
        self.state.trials.len()
    }

    /// Returns whether the model has all its trials.
    pub fn is_complete(&self) -> bool {
        self.state.requests.is_empty()
    }

    /// Returns the oldest request in progress.
    ///
    /// # Panics
    /// If the model is complete.
    pub fn ask(&self) -> Ask {
        self.ask_of(&self.state.requests[0])
    }

    /// Returns the requests in progress after the oldest one.
    pub fn ahead(&self) -> Vec<Ask> {
        self.state.requests.iter().skip(1).map(|request| self.ask_of(request)).collect()
    }

    fn ask_of(&self, request: &Request) -> Ask {
        let Request { trials, known, rivals } = request;
        let cases = request.cases() - known;
        let again = self.state.cases[..*known].to_vec();
        let numbers = self.state.cases[*known..request.cases()].iter().map(|case| case.number).collect();
        let mut ask = Ask { points: Vec::new(), cases, numbers, again, trials: Vec::new(), rivals: rivals.clone() };
        for trial in trials {
            let point = self.point(&trial.values);
            let place = ask.points.iter().position(|other| *other == point).unwrap_or_else(|| {
                ask.points.push(point);
                ask.points.len() - 1
            });
            // New cases come first.
            let case = if trial.case < *known { cases + trial.case } else { trial.case - known };
            ask.trials.push((place, case));
        }
        ask
    }

    /// Records the outcomes of the oldest request, and makes further requests.
    pub fn tell(&mut self, ask: &Ask, told: &Told<'_>) {
        let state = &mut self.state;
        if state.batches == 0 {
            state.quantities = told.quantities.iter().map(Limited::new).collect();
        }
        state.quantities.iter_mut().zip(told.quantities).for_each(|(known, quantity)| known.tell(quantity));
        let Request { known, .. } = state.requests.remove(0);
        state.outcomes.add(told);
        for &(point, place) in &ask.trials {
            let case = if place < ask.cases { known + place } else { place - ask.cases };
            let values = encoded(&self.dimensions, &ask.points[point]);
            state.trials.push(ModelTrial::new(values, case));
        }
        state.batches += 1;
        self.state.levels = self.levels_of_best();
        let state = &self.state;
        if state.kernel.is_none() || state.trials.len() as f64 >= GROWTH * state.fitted as f64 + 0.5 {
            self.fit();
        }
        self.follow();
        self.look_ahead();
    }

    /// Returns whether there are constraints.
    pub fn is_constrained(&self) -> bool {
        !self.state.quantities.is_empty()
    }

    /// Returns objectives minus a penalty for each point that does not hold all constraints by the
    /// model, so that it is worse than those that do; `None` without constraints. The penalty is
    /// the same on all cases.
    pub fn penalized(&self, ask: &Ask, objectives: &[f64]) -> Option<Vec<f64>> {
        if !self.is_constrained() {
            return None;
        }
        let limits = self.limits();
        let excess = |point: &Vec<f64>| limits.excess(&encoded(&self.dimensions, point));
        let excesses: Vec<f64> = ask.points.iter().map(excess).collect();
        let spread = ask.spread(objectives);
        // If all objectives are equal, any penalty separates candidates.
        let unit = if spread > 0.0 { spread } else { 1.0 };
        let penalty = |place: usize| if excesses[place] > 0.0 { unit * (1.0 + excesses[place]) } else { 0.0 };
        Some(ask.trials.iter().zip(objectives).map(|(&(point, _), objective)| objective - penalty(point)).collect())
    }

    /// Returns the numbers of the cases so far.
    fn numbers(&self) -> Vec<u64> {
        self.state.cases.iter().map(|case| case.number).collect()
    }

    /// Returns the best played candidate, as a point of the space: the one with the least mean
    /// among those that hold all constraints. Returns the start if it breaks no constraint and is
    /// not clearly worse. If it breaks one and no candidate holds all, returns the one that most
    /// probably does.
    pub fn recommended(&self) -> Vec<f64> {
        let of_best = |values: &[f64]| self.following(values, &self.state.coefficients);
        self.best().map_or_else(|| self.space.origin(), |(values, _)| of_best(&values))
    }

    /// Returns the gain of the [recommended](Self::recommended) candidate in objective over the
    /// start, with its 95 % interval; `None` if that is the start, or not known to hold all
    /// constraints.
    pub fn gain(&self) -> Option<Interval> {
        let (best, is_feasible) = self.best()?;
        if !is_feasible {
            return None;
        }
        let State { kernel, trials, .. } = &self.state;
        let (kernel, outcomes) = (kernel.as_ref()?, self.unreduced()?);
        let process = self.process_of(kernel, trials.clone(), &outcomes);
        let gains = Gains::new(process, &outcomes, &self.start());
        Some(self.gain_of_following(&gains, &best).unwrap_or_else(|| gains.of(&best)))
    }

    fn before<'a>(&'a self, kernel: &'a Kernel) -> Before<'a> {
        Before { dimensions: &self.dimensions, kernel, instances: &self.state.instances, numbers: self.numbers() }
    }

    /// Returns the recommended candidate, and whether it is known to hold all constraints; `None`
    /// if that is the start.
    fn best(&self) -> Option<(Vec<f64>, bool)> {
        let posterior = self.posterior(self.state.kernel.as_ref()?);
        let Posterior { process, limits } = &posterior;
        let best = posterior.ranked(self.played()).swap_remove(0);
        let start = process.assessed(process.met(self.start()));
        let is_start_infeasible = limits.prospect(&start.values).is_infeasible;
        let is_feasible = best.prospect.is_feasible;
        if !is_feasible && !is_start_infeasible {
            return None;
        }
        let best = process.assessed(best.met);
        let (gain, deviation) = (start.mean - best.mean, process.variance_between(&best, &start).sqrt());
        if gain < deviation && !is_start_infeasible {
            return None;
        }
        Some((best.values, is_feasible))
    }

    fn limits(&self) -> Limits<'_> {
        Limits::new(&self.dimensions, &self.state.quantities, &self.state.trials, &self.start())
    }

    fn start(&self) -> Vec<f64> {
        encoded(&self.dimensions, &self.space.origin())
    }

    /// Returns the point of a candidate.
    fn point(&self, values: &[f64]) -> Vec<f64> {
        decoded(&self.dimensions, values, self.space.coordinates())
    }

    /// Returns the candidate if it is allowed, or else the nearest one that is.
    fn allowed(&self, values: Vec<f64>) -> Vec<f64> {
        let point = self.point(&values);
        if self.space.allows_point(&point) { values } else { encoded(&self.dimensions, &self.space.allowed(point)) }
    }

    /// Returns every played candidate once, in the order of play.
    fn played(&self) -> Vec<Vec<f64>> {
        Distinct::of(&self.state.trials).candidates
    }

    fn posterior<'a>(&'a self, kernel: &'a Kernel) -> Posterior<'a> {
        Posterior { process: self.process(kernel), limits: self.limits() }
    }

    fn process<'a>(&'a self, kernel: &'a Kernel) -> Process<'a> {
        self.process_of(kernel, self.all_trials(), &self.outcomes(kernel))
    }

    /// Returns the posterior after trials. The trials of this run come first.
    fn process_of<'a>(&'a self, kernel: &'a Kernel, trials: Vec<ModelTrial>, outcomes: &[f64]) -> Process<'a> {
        let own = self.trials();
        let factor = self.factor.of(kernel, own);
        let process = Process::new(self.before(kernel), trials, outcomes, factor);
        self.factor.keep(kernel, process.triangle(), own);
        process
    }

    /// Returns the trials of this run, then the trials of earlier runs.
    fn all_trials(&self) -> Vec<ModelTrial> {
        let earlier = self.earlier.beside(self.trials()).map(|known| &known.trial);
        self.state.trials.iter().chain(earlier).cloned().collect()
    }
}
