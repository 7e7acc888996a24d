//! The evolution strategy: normal mutations around the weighted mean of the best, whose step and scales adapt.
//!
//! All members of a generation play the same deals, so that they compare. No member is believed twice on the strength
//! of one measurement: elites live on to be measured again, and with [`Crossover::Mean`] noise in single members is
//! averaged away. How mutations adapt says [`mutation`].

mod crossover;
pub mod mutation;

use super::recombination::{self, ranking};
use super::selection::Selection;
use super::{Ask, Generation, Method, Optimizer};
use crate::document::Section;
use crate::key::Takes;
use crate::seed::{Purpose, generator, seed};
use crate::space::Coordinate;
use mutation::Mutation;
use serde::{Deserialize, Serialize};
use serde_json::Value;

crate::choices! {
    /// What a child starts from, before it mutates.
    pub enum Crossover {
        /// The mean of all parents, better ones counting more.
        Mean = "mean",
        /// Each coordinate from either of two parents.
        Uniform = "uniform",
        /// A point between two parents, drawn anew for each coordinate.
        Blend = "blend",
    }
}

crate::choices! {
    /// What of the mutations adapts.
    pub enum Adapt {
        /// Each coordinate's scale, and the step that is common to all.
        Weights = "weights",
        /// The common step.
        Step = "step",
        /// Nothing.
        Nothing = "none",
    }
}

crate::settings! {
    /// The settings of the evolution strategy.
    pub struct Settings {
        population: usize = "36", Takes::Integer(2, 100_000), "candidates a generation";
        games: usize = "24", Takes::Integer(1, 1_000_000),
            "games that each candidate plays in a generation, the same for all, new ones every generation";
        selection: Selection = "\"truncation\"", Takes::Choice(Selection::NAMES),
            "how parents are chosen: the best ones, or the winners of small tournaments";
        tournament: usize = "3", Takes::Integer(2, 1000), "candidates in each tournament";
        parents: Option<usize> = "", Takes::Integer(1, 100_000),
            "parents chosen in a generation, at most `population`; left out: half of it";
        crossover: Crossover = "\"mean\"", Takes::Choice(Crossover::NAMES),
            "what a child starts from: the mean of all parents, better ones counting more; each value from either of \
             two parents; or a point between two parents. The mean averages noise away";
        elites: usize = "1", Takes::Integer(0, 100_000),
            "the best candidates that live on unchanged, to be measured again on new games; less than `population`";
        step: f64 = "1.0", Takes::Number(1e-6, 1e6),
            "standard deviation of the first mutations, in units of each parameter's scale";
        rate: f64 = "1.0", Takes::Number(1e-6, 1.0), "share of a child's parameters that mutate";
        adapt: Adapt = "\"weights\"", Takes::Choice(Adapt::NAMES),
            "what of the mutations adapts: every parameter's own scale and the common step, the common step, or nothing";
    }
}

/// The evolution strategy, as jobs name it.
pub static METHOD: Method = Method {
    name: "evolution-strategy",
    meaning: "normal mutations around the weighted mean of the best half, whose step and scales adapt",
    keys: Settings::KEYS,
    read: |section| Box::new(Settings::checked(section)),
};

impl Settings {
    fn checked(section: &mut Section<'_>) -> Self {
        let settings = Settings::read(section);
        let population = settings.population;
        if let Some(parents) = settings.parents.filter(|&parents| parents > population) {
            let message = format!("`evolution.parents` is {parents}, but `population` is only {population}");
            section.report(section.line_of("parents"), message);
        }
        if settings.elites >= population {
            let elites = settings.elites;
            let message = format!(
                "`evolution.elites` is {elites}: it must leave room for children in a population of {population}"
            );
            section.report(section.line_of("elites"), message);
        }
        settings
    }

    /// How many parents a generation has.
    pub fn parents(&self) -> usize {
        self.parents.unwrap_or(self.population / 2).max(1)
    }
}

impl super::Settings for Settings {
    fn method(&self) -> &'static Method {
        &METHOD
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        Settings::write(self)
    }

    fn leaders(&self) -> usize {
        4
    }

    fn races(&self) -> Option<bool> {
        Some(false)
    }

    fn start(&self, space: &[Coordinate], seed: u64) -> Box<dyn Optimizer> {
        Box::new(EvolutionStrategy::new(space, self, seed))
    }

    fn resume(&self, space: &[Coordinate], seed: u64, state: &Value) -> Result<Box<dyn Optimizer>, String> {
        let state = State::deserialize(state).map_err(|error| error.to_string())?;
        if !state.fits(space.len(), self) {
            return Err("it is of another job, or contradicts itself".to_string());
        }
        Ok(Box::new(EvolutionStrategy { space: space.to_vec(), settings: self.clone(), seed, state }))
    }
}

/// One point in a population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Its coordinates.
    pub point: Vec<f64>,
    /// The mutation that made it, in standard deviations of each coordinate; `None` if it is older than its generation.
    mutation: Option<Vec<f64>>,
}

impl AsRef<[f64]> for Member {
    fn as_ref(&self) -> &[f64] {
        &self.point
    }
}

/// The evolution strategy.
pub struct EvolutionStrategy {
    space: Vec<Coordinate>,
    settings: Settings,
    seed: u64,
    state: State,
}

/// Everything that it remembers between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    /// The generation that `population` is, from 0.
    generation: u64,
    /// The members to be measured.
    population: Vec<Member>,
    /// The population's mean: what the parents of the generation before average to.
    centre: Vec<f64>,
    /// The mean of recent centres, with weights that fall by a tenth from each generation to the one before.
    average: Vec<f64>,
    mutation: Mutation,
}

/// What a new centre counts in the average of centres, once there are this many.
const NEW_CENTRE: f64 = 0.1;

impl EvolutionStrategy {
    /// The first generation: the start itself, and mutations of it.
    pub fn new(space: &[Coordinate], settings: &Settings, run: u64) -> Self {
        let start: Vec<f64> = space.iter().map(|coordinate| coordinate.start).collect();
        let mutation = Mutation::new(space, settings);
        let mut random = generator(seed(run, Purpose::Variation, 0, 0));
        let mut population = vec![Member { point: start.clone(), mutation: None }];
        while population.len() < settings.population {
            population.push(mutation.mutate(start.clone(), space, settings, &mut random));
        }
        let state = State { generation: 0, population, centre: start.clone(), average: start, mutation };
        EvolutionStrategy { space: space.to_vec(), settings: settings.clone(), seed: run, state }
    }

    /// Makes the next generation from the fitness of each member, larger is better. Of equal members the first
    /// counts as better.
    fn breed(&mut self, fitness: &[f64]) {
        let EvolutionStrategy { space, settings, seed: run, state } = self;
        let ranking = ranking(fitness);
        let mut random = generator(seed(*run, Purpose::Variation, state.generation + 1, 0));
        let parents = settings.selection.parents(settings.parents(), settings.tournament, &ranking, &mut random);
        let parents: Vec<&Member> = parents.into_iter().map(|i| &state.population[i]).collect();
        let shares = recombination::shares(parents.len());
        state.mutation.adapt(&parents, &shares, space, settings);
        let centre = recombination::mean(parents.iter().copied(), &shares);
        let mut population: Vec<Member> = ranking[..settings.elites]
            .iter()
            .map(|&i| Member { point: state.population[i].point.clone(), mutation: None })
            .collect();
        while population.len() < settings.population {
            let base = settings.crossover.base(&parents, &centre, &mut random);
            population.push(state.mutation.mutate(base, space, settings, &mut random));
        }
        state.generation += 1;
        let share = NEW_CENTRE.max(1.0 / state.generation as f64);
        for (average, centre) in state.average.iter_mut().zip(&centre) {
            *average += share * (centre - *average);
        }
        state.centre = centre;
        state.population = population;
    }
}

impl Optimizer for EvolutionStrategy {
    fn ask(&self, _used: f64) -> Ask {
        let points = self.state.population.iter().map(|member| member.point.clone()).collect();
        Ask::all(points, self.settings.games)
    }

    fn tell(&mut self, ask: &Ask, objectives: &[f64]) -> Option<Generation> {
        let fitness = ask.means(objectives);
        let generation = Generation::of(self.state.generation, &ask.points, &fitness);
        self.breed(&fitness);
        Some(generation)
    }

    fn generation(&self) -> u64 {
        self.state.generation
    }

    fn mean(&self) -> &[f64] {
        &self.state.centre
    }

    fn recommended(&self) -> Vec<(&'static str, Vec<f64>)> {
        vec![("mean", self.state.centre.clone()), ("average", self.state.average.clone())]
    }

    fn deviations(&self) -> Vec<f64> {
        self.state.mutation.deviations(&self.space)
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.state).expect("a state is numbers")
    }
}

impl State {
    /// Whether a state read from a file is one of `n` coordinates and these settings.
    fn fits(&self, n: usize, settings: &Settings) -> bool {
        let is_whole = |values: &[f64]| values.len() == n && values.iter().all(|value| value.is_finite());
        let is_member = |member: &Member| is_whole(&member.point) && member.mutation.as_deref().is_none_or(is_whole);
        // Far from what a run can reach, and from what can be added to.
        self.generation < 1 << 60
            && self.population.len() == settings.population
            && self.population.iter().all(is_member)
            && is_whole(&self.centre)
            && is_whole(&self.average)
            && self.mutation.fits(n)
    }
}

#[cfg(test)]
mod tests;
