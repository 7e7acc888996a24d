//! Small spaces: a model for the first trials, then CMA-ES from its recommendation, with as many deals as ranking
//! needs.
//!
//! Whether a difference is visible depends on the noise, which differs between problems and along a search. The games
//! of a generation show how much of the differences between its candidates is noise, as candidates and deals are
//! crossed: if it is too much, the next generation plays more deals (after Hansen et al., "A method for handling
//! uncertainty in evolutionary optimization", 2009, who measure it by changes of ranks). The recommendation is an
//! average of means, never the luckiest candidate.

use super::around::around;
use super::cma_es::CmaEs;
use super::model::{self, Model};
use crate::model::space::{Coordinate, Space};
use crate::search::{Ask, Deals, FinalistKind, Generation, Optimizer, clamp, is_count};
use crate::statistics::{Interval, mean};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Trials of the model.
const MODEL: usize = 300;
/// Candidates a generation: about 4 + 3 ln(coordinates), Hansen's default, in the larger ones of these spaces.
const POPULATION: usize = 12;
/// Distance of the first candidates from a point that the exploration found, as a fraction of the width explored.
const SPREAD: f64 = 0.2;
/// The same distance in units of each coordinate's scale, if the model found nothing better than the start.
const NEAR: f64 = 0.7;
/// Deals of a generation, and how much more or fewer the next one plays.
const DEALS: std::ops::RangeInclusive<f64> = 4.0..=1000.0;
const CHANGE: f64 = 1.1;
/// Largest share of noise in the variance between candidates.
const LUCK: f64 = 0.25;
/// The average's weight of a mean grows with this power of the games played: it forgets where the search came from.
const POWER: f64 = 3.0;

/// A search of a small space.
pub struct Small {
    space: Vec<Coordinate>,
    deals: Deals,
    seed: u64,
    state: State,
    model: Model,
    /// How much better the model's recommendation is than the start.
    gain: Option<Interval>,
    /// The search that follows the model.
    search: Option<CmaEs>,
}

/// Everything that it remembers between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    /// Batches of the model and generations after it.
    generation: u64,
    model: model::State,
    /// The state of what follows the model.
    search: Option<Value>,
    /// How many deals a generation plays, but for rounding down.
    deals: f64,
    /// Deals of the search so far.
    all_deals: u64,
    /// Games played after the model.
    games: u64,
    /// The recommendation: the best of the exploration, then the average of the generations' means.
    mean: Vec<f64>,
}

impl Small {
    /// A search at its start.
    pub fn start(whole: &Space, deals: Deals, seed: u64) -> Self {
        let space = whole.coordinates();
        let state = State {
            generation: 0,
            model: model::State::default(),
            search: None,
            deals: *DEALS.start(),
            all_deals: 0,
            games: 0,
            mean: space.iter().map(|coordinate| coordinate.start).collect(),
        };
        let model = Model::new(whole, deals, seed, model::State::default()).expect("a model that has seen nothing");
        Small { space: space.to_vec(), deals, seed, state, model, gain: None, search: None }
    }

    /// Resumes a search from its state; `None` if the state is not one of this space.
    pub fn resume(whole: &Space, deals: Deals, seed: u64, state: &Value) -> Result<Option<Self>, serde_json::Error> {
        let space = whole.coordinates();
        let mut state = State::deserialize(state)?;
        if !state.fits(space) {
            return Ok(None);
        }
        let Some(model) = Model::new(whole, deals, seed, std::mem::take(&mut state.model)) else { return Ok(None) };
        let (origin, gain) = model.recommended();
        let search = match (model.trials() >= MODEL, state.search.take()) {
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

    /// Takes the objectives of a batch of the model.
    fn learn(&mut self, ask: &Ask, objectives: &[f64], capped: &[usize]) {
        let Small { space, seed, state, model, gain, search, .. } = self;
        model.tell(ask, objectives, capped, (state.generation, state.all_deals));
        (state.mean, *gain) = model.recommended();
        if model.trials() >= MODEL {
            *search = Some(CmaEs::start(&searched(space, &state.mean), POPULATION, *seed));
        }
    }
}

impl State {
    fn fits(&self, space: &[Coordinate]) -> bool {
        let is_within = |(x, coordinate): (&f64, &Coordinate)| (coordinate.min..=coordinate.max).contains(x);
        is_count(self.generation)
            && is_count(self.games)
            && DEALS.contains(&self.deals)
            && self.mean.len() == space.len()
            && self.mean.iter().zip(space).all(is_within)
    }
}

/// The space around the model's recommendation.
fn searched(space: &[Coordinate], origin: &[f64]) -> Vec<Coordinate> {
    let has_moved = space.iter().zip(origin).any(|(coordinate, x)| coordinate.start != *x);
    let from = |(coordinate, &start): (&Coordinate, &f64)| {
        let (low, high) = around(coordinate);
        let scale = if has_moved { SPREAD * (high - low) } else { NEAR * coordinate.scale };
        Coordinate { start, scale, ..*coordinate }
    };
    space.iter().zip(origin).map(from).collect()
}

/// The share of noise in the variance between candidates' means, from the objectives of all candidates on all deals,
/// deal by deal: the analysis of variance of a table of candidates and deals, without the effects of the deals.
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
    // Where all are alike, everything may be luck.
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

    fn tell(&mut self, ask: &Ask, objectives: &[f64], capped: &[usize]) -> Generation {
        let means = ask.means(objectives);
        let generation = Generation::of(self.state.generation, &ask.points, &means);
        let Some(search) = &mut self.search else {
            self.learn(ask, objectives, capped);
            self.state.generation += 1;
            self.state.all_deals += ask.deals as u64;
            return generation;
        };
        self.state.generation += 1;
        self.state.all_deals += ask.deals as u64;
        search.tell(&ask.points, &means);
        let State { deals, games, mean, .. } = &mut self.state;
        let is_lucky = self.deals == Deals::Many && luck(objectives, &means) > LUCK;
        let wanted = if is_lucky { *deals * CHANGE } else { *deals / CHANGE };
        *deals = wanted.clamp(*DEALS.start(), *DEALS.end());
        *games += objectives.len() as u64;
        let share = ((1.0 + POWER) * objectives.len() as f64 / *games as f64).min(1.0);
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
        // Those of even distributions until the look is over.
        let even = |coordinate: &Coordinate| {
            let (low, high) = around(coordinate);
            (high - low) / 12.0_f64.sqrt()
        };
        match &self.search {
            Some(search) => search.deviations(),
            None => self.space.iter().map(even).collect(),
        }
    }

    fn state(&self) -> Value {
        let search = self.search.as_ref().map(|search| search.state());
        let state = State { search, model: self.model.state().clone(), ..self.state.clone() };
        serde_json::to_value(state).expect("a state is numbers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parameter::Parameter;
    use crate::model::seed::generator;
    use crate::search::sampling::normal;

    /// A search of 10,000 games on a quadratic of six coordinates, with noise of this standard deviation.
    fn search(start: f64, noise: f64) -> Small {
        let parameters = vec![Parameter::float("x", -20.0, 20.0, start).scale(1.0); 6];
        let space = Space::new(parameters, vec![start; 6], (0..6).collect());
        let mut small = Small::start(&space, Deals::Many, 3);
        let mut random = generator(4);
        let mut games = 0;
        while games < 10_000 {
            let ask = small.ask();
            let score = |point: &Vec<f64>| -point.iter().map(|x| x * x).sum::<f64>();
            let objectives: Vec<f64> =
                ask.trials.iter().map(|&(i, _)| score(&ask.points[i]) + noise * normal(&mut random)).collect();
            games += objectives.len();
            small.tell(&ask, &objectives, &[]);
        }
        small
    }

    #[test]
    fn the_bottom_is_found_from_afar() {
        let distance = |small: &Small| small.mean().iter().map(|x| x * x).sum::<f64>().sqrt();
        let (clear, noisy) = (search(8.0, 0.1), search(8.0, 30.0));
        assert!(distance(&clear) < 0.1, "{}", distance(&clear));
        assert!(distance(&noisy) < 4.0, "{}", distance(&noisy));
    }

    #[test]
    fn deals_are_as_many_as_luck_demands() {
        let (clear, noisy) = (search(1.0, 0.0).state.deals, search(1.0, 100.0).state.deals);
        assert!(clear == *DEALS.start() && noisy > 16.0, "{clear} {noisy}");
    }

    /// The sample of pahcer for tuning: a whole number and a real one, the sum of whose squares is the score.
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
    fn luck_is_what_deals_do_not_share() {
        // Two candidates on two deals, the second one easier: the difference of 3 is no luck, that of 0 may be nothing else.
        assert_eq!(luck(&[1.0, 4.0, 6.0, 9.0], &[3.5, 6.5]), 0.0);
        assert_eq!(luck(&[1.0, 2.0, 2.0, 1.0], &[1.5, 1.5]), 1.0);
        // Differences of 1 and 3: their mean is 2, its standard error 1.
        assert_eq!(luck(&[0.0, 1.0, 0.0, 3.0], &[0.0, 2.0]), 0.25);
    }
}
