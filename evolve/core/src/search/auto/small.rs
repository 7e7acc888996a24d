//! The method for small spaces: a model for the first trials, then CMA-ES from its recommendation, with as many deals
//! as the ranking of candidates needs.
//!
//! Whether a difference is visible depends on the noise, which differs between problems and changes during a search.
//! After the model, all candidates of a generation play the same deals, which reveals what share of the variance
//! between candidates is noise. If this share is too large, the next generation plays more deals (after Hansen et al.,
//! "A method for handling uncertainty in evolutionary optimization", 2009, who measure the noise by changes of ranks).
//! The recommendation is the model's best point at first, and later an average of the means of the generations, never
//! the luckiest candidate.

use super::around::around;
use super::cma_es::CmaEs;
use super::model::{self, Model};
use crate::model::space::{Coordinate, Space};
use crate::search::{Ask, Deals, FinalistKind, Generation, Optimizer, clamp, is_count};
use crate::statistics::{Interval, mean};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The number of trials for the model.
const MODEL: usize = 300;
/// The candidates in a generation: about 4 + 3 ln(coordinates), Hansen's default, for the largest spaces that this
/// method searches.
const POPULATION: usize = 12;
/// The distance of the first candidates from the best explored point, as a fraction of the explored width.
const SPREAD: f64 = 0.2;
/// The same distance in units of each coordinate's scale, if the model found no better point than the start.
const NEAR: f64 = 0.7;
/// The deals in a generation, and the factor by which their number grows or shrinks.
const DEALS: std::ops::RangeInclusive<f64> = 4.0..=1000.0;
const CHANGE: f64 = 1.1;
/// The largest tolerated share of noise in the variance between candidates. Above it, the next generation plays more
/// deals.
const LUCK: f64 = 0.25;
/// In the recommended average, a mean's weight grows with this power of the number of trials played by then, so that
/// the early means are forgotten.
const POWER: f64 = 3.0;

/// The search of a small space.
pub struct Small {
    space: Vec<Coordinate>,
    deals: Deals,
    seed: u64,
    state: State,
    model: Model,
    /// The model's estimate of how much better its recommendation is than the start.
    gain: Option<Interval>,
    /// The search after the model.
    search: Option<CmaEs>,
}

/// The complete state between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    /// The number of batches that the model has asked for, plus the number of generations after them.
    generation: u64,
    model: model::State,
    /// The state of the search after the model.
    search: Option<Value>,
    /// The number of deals in a generation, before rounding down.
    deals: f64,
    /// The number of trials played after the model.
    #[serde(rename = "games")]
    trials: u64,
    /// The recommendation: the best point of the model, then the average of the generations' means.
    mean: Vec<f64>,
}

impl Small {
    /// Creates a search at its start.
    pub fn start(whole: &Space, deals: Deals, seed: u64) -> Self {
        let space = whole.coordinates();
        let state = State {
            generation: 0,
            model: model::State::default(),
            search: None,
            deals: *DEALS.start(),
            trials: 0,
            mean: space.iter().map(|coordinate| coordinate.start).collect(),
        };
        let model =
            Model::new(whole, deals, seed, MODEL, model::State::default()).expect("a model that has seen nothing");
        Small { space: space.to_vec(), deals, seed, state, model, gain: None, search: None }
    }

    /// Resumes a search from its state; returns `None` if the state does not fit this space.
    pub fn resume(whole: &Space, deals: Deals, seed: u64, state: &Value) -> Result<Option<Self>, serde_json::Error> {
        let space = whole.coordinates();
        let mut state = State::deserialize(state)?;
        if !state.fits(space) {
            return Ok(None);
        }
        let Some(model) = Model::new(whole, deals, seed, MODEL, std::mem::take(&mut state.model)) else {
            return Ok(None);
        };
        let (origin, gain) = model.recommended();
        let search = match (model.is_complete(), state.search.take()) {
            (true, Some(search)) => CmaEs::resume(&searched(space, &origin), POPULATION, seed, &search).map(Some),
            (false, None) => Some(None),
            _ => None,
        };
        let is_whole = |search: &Option<CmaEs>| {
            let generations = search.as_ref().map_or(0, |search| search.generation());
            state.generation == model.state().batches + generations
        };
        let search = search.filter(is_whole);
        Ok(search.map(|search| Small { space: space.to_vec(), deals, seed, state, model, gain, search }))
    }

    /// Updates the model with the objectives of a batch.
    fn learn(&mut self, ask: &Ask, objectives: &[f64], capped: &[usize]) {
        let Small { space, seed, state, model, gain, search, .. } = self;
        model.tell(ask, objectives, capped);
        (state.mean, *gain) = model.recommended();
        if model.is_complete() {
            *search = Some(CmaEs::start(&searched(space, &state.mean), POPULATION, *seed));
        }
    }
}

impl State {
    fn fits(&self, space: &[Coordinate]) -> bool {
        let is_within = |(x, coordinate): (&f64, &Coordinate)| (coordinate.min..=coordinate.max).contains(x);
        is_count(self.generation)
            && is_count(self.trials)
            && DEALS.contains(&self.deals)
            && self.mean.len() == space.len()
            && self.mean.iter().zip(space).all(is_within)
    }
}

/// Returns the space around the model's recommendation, for the search after the model.
fn searched(space: &[Coordinate], origin: &[f64]) -> Vec<Coordinate> {
    let has_moved = space.iter().zip(origin).any(|(coordinate, x)| coordinate.start != *x);
    let from = |(coordinate, &start): (&Coordinate, &f64)| {
        let (low, high) = around(coordinate);
        let scale = if has_moved { SPREAD * (high - low) } else { NEAR * coordinate.scale };
        Coordinate { start, scale, ..*coordinate }
    };
    space.iter().zip(origin).map(from).collect()
}

/// Returns the standard deviations of the model's candidates while it explores: they are uniformly distributed.
pub fn explored(space: &[Coordinate]) -> Vec<f64> {
    let even = |coordinate: &Coordinate| {
        let (low, high) = around(coordinate);
        (high - low) / 12.0_f64.sqrt()
    };
    space.iter().map(even).collect()
}

/// Returns the share of noise in the variance between candidates' means, from the objectives of all candidates on all
/// deals, deal by deal. The noise is what an analysis of variance leaves after the effects of candidates and deals.
fn luck(objectives: &[f64], means: &[f64]) -> f64 {
    let count = means.len();
    let total = mean(means);
    let mut rest = 0.0;
    for deal in objectives.chunks(count) {
        let level = mean(deal);
        rest += deal.iter().zip(means).map(|(x, mean)| (x - mean) - (level - total)).map(|x| x * x).sum::<f64>();
    }
    let deals = (objectives.len() / count) as f64;
    let between: f64 = means.iter().map(|mean| (mean - total) * (mean - total)).sum();
    // Without differences between candidates, everything may be noise.
    if between > 0.0 { rest / (deals * (deals - 1.0)) / between } else { 1.0 }
}

impl Optimizer for Small {
    fn ask(&self) -> Ask {
        match &self.search {
            Some(search) if self.deals == Deals::One => Ask::all(search.points(), 1),
            Some(search) => Ask::all(search.points(), self.state.deals as usize),
            None => self.model.ask(),
        }
    }

    fn ahead(&self) -> Vec<Ask> {
        self.model.ahead()
    }

    fn tell(&mut self, ask: &Ask, objectives: &[f64], capped: &[usize]) -> Generation {
        let means = ask.means(objectives);
        let generation = Generation::of(self.state.generation, &ask.points, &means);
        let Some(search) = &mut self.search else {
            self.learn(ask, objectives, capped);
            self.state.generation += 1;
            return generation;
        };
        self.state.generation += 1;
        search.tell(&ask.points, &means);
        let State { deals, trials, mean, .. } = &mut self.state;
        let is_lucky = self.deals == Deals::Many && luck(objectives, &means) > LUCK;
        let wanted = if is_lucky { *deals * CHANGE } else { *deals / CHANGE };
        *deals = wanted.clamp(*DEALS.start(), *DEALS.end());
        *trials += objectives.len() as u64;
        let share = ((1.0 + POWER) * objectives.len() as f64 / *trials as f64).min(1.0);
        mean.iter_mut().zip(search.mean()).for_each(|(mean, x)| *mean = (1.0 - share) * *mean + share * x);
        clamp(mean, &self.space);
        generation
    }

    fn generation(&self) -> u64 {
        self.state.generation
    }

    fn mean(&self) -> &[f64] {
        &self.state.mean
    }

    fn recommended(&self) -> Vec<(FinalistKind, Vec<f64>)> {
        let last = self.search.iter().map(|search| (FinalistKind::Last, search.mean().to_vec()));
        std::iter::once((FinalistKind::Mean, self.state.mean.clone())).chain(last).collect()
    }

    fn gain(&self) -> Option<Interval> {
        self.gain.filter(|_| self.search.is_none())
    }

    fn method(&self) -> &'static str {
        if self.search.is_some() { "CMA-ES" } else { "Gaussian process" }
    }

    fn deviations(&self) -> Vec<f64> {
        self.search.as_ref().map_or_else(|| explored(&self.space), |search| search.deviations())
    }

    fn state(&self) -> Value {
        let search = self.search.as_ref().map(|search| search.state());
        let state = State { search, model: self.model.state().clone(), ..self.state.clone() };
        serde_json::to_value(state).expect("a state consists of numbers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parameter::Parameter;
    use crate::model::seed::generator;
    use crate::search::sampling::normal;

    /// Searches a quadratic of six coordinates with 10,000 trials, with noise of this standard deviation.
    fn search(start: f64, noise: f64) -> Small {
        let parameters = vec![Parameter::float("x", -20.0, 20.0, start).scale(1.0); 6];
        let space = Space::new(parameters, vec![start; 6], (0..6).collect());
        let mut small = Small::start(&space, Deals::Many, 3);
        let mut random = generator(4);
        let mut trials = 0;
        while trials < 10_000 {
            let ask = small.ask();
            let score = |point: &Vec<f64>| -point.iter().map(|x| x * x).sum::<f64>();
            let objectives: Vec<f64> =
                ask.trials.iter().map(|&(i, _)| score(&ask.points[i]) + noise * normal(&mut random)).collect();
            trials += objectives.len();
            small.tell(&ask, &objectives, &[]);
        }
        small
    }

    #[test]
    fn a_distant_optimum_is_found() {
        let distance = |small: &Small| small.mean().iter().map(|x| x * x).sum::<f64>().sqrt();
        let (clear, noisy) = (search(8.0, 0.1), search(8.0, 30.0));
        assert!(distance(&clear) < 0.1, "{}", distance(&clear));
        assert!(distance(&noisy) < 4.0, "{}", distance(&noisy));
    }

    #[test]
    fn the_number_of_deals_follows_the_noise() {
        let (clear, noisy) = (search(1.0, 0.0).state.deals, search(1.0, 100.0).state.deals);
        assert!(clear == *DEALS.start() && noisy > 16.0, "{clear} {noisy}");
    }

    /// The tuning example of pahcer, a runner for contest solvers: one integer and one real parameter, with the sum of
    /// squares as the score.
    #[test]
    fn one_deal_is_played_once_by_each_candidate() {
        let parameters =
            vec![Parameter::int("whole", -10, 10, 7).scale(2.0), Parameter::float("real", -10.0, 10.0, 8.0).scale(2.0)];
        let space = Space::new(parameters, vec![7.0, 8.0], vec![0, 1]);
        let mut near = 0;
        for seed in 0..10 {
            let mut small = Small::start(&space, Deals::One, seed);
            let mut played: Vec<Vec<f64>> = Vec::new();
            while played.len() < 54 {
                let ask = small.ask();
                assert!(ask.deals + ask.again.len() == 1 && ask.points.len() == ask.trials.len(), "{ask:?}");
                assert!(ask.points.iter().all(|point| !played.contains(point)));
                let objectives: Vec<f64> =
                    ask.points.iter().map(|point| -point[0].round().powi(2) - point[1] * point[1]).collect();
                small.tell(&ask, &objectives, &[]);
                played.extend(ask.points);
            }
            near += usize::from(small.mean()[0].round() == 0.0 && small.mean()[1].abs() < 0.05);
        }
        assert!(near >= 9, "{near}");
    }

    #[test]
    fn noise_excludes_the_effects_of_deals() {
        // The second deal is easier for both candidates. A constant difference of 3 is not noise. If the means are
        // equal, all variation may be noise.
        assert_eq!(luck(&[1.0, 4.0, 6.0, 9.0], &[3.5, 6.5]), 0.0);
        assert_eq!(luck(&[1.0, 2.0, 2.0, 1.0], &[1.5, 1.5]), 1.0);
        // Differences of 1 and 3 have a mean of 2 with a standard error of 1.
        assert_eq!(luck(&[0.0, 1.0, 0.0, 3.0], &[0.0, 2.0]), 0.25);
    }
}
