//! The genetic algorithm: selection, crossover of two parents, mutation, elites.
//!
//! The spread of the population determines how far crossover reaches in each coordinate. Mutation
//! adds values that no parent has. All members of a generation play the same cases. All
//! measurements of a member count, newer ones more, so that no elite survives by luck alone.

mod operators;

use super::sampling::normal;
use super::{
    Ask, Cases, FinalistKind, Generation, Method, Optimizer, StateError, Terms, Told, at_priors, clamp, is_count,
    is_whole, ranking,
};
use crate::document::schema;
use crate::document::text::table;
use crate::document::{Fault, Section};
use crate::model::seed::{Split, generator, seed};
use crate::model::space::{Coordinate, Space};
use chacha20::ChaCha8Rng;
use operators::{Crossover, Selection};
use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The settings of the genetic algorithm.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// number of candidates in a generation
    #[schemars(range(min = 4, max = 10_000))]
    population: usize,
    /// trials of each candidate in a generation; all candidates play the same instances, and every
    /// generation plays new ones; at most 1,000,000 trials in a generation
    #[schemars(range(min = 1, max = 100_000))]
    trials: usize,
    /// how the parents, a third of `population`, are selected: the best candidates (`truncation`),
    /// or the winners of tournaments among three (`tournament`)
    parent_selection: Selection,
    /// how a child gets its values: each from either parent (`uniform`), between the parents and
    /// slightly beyond (`blend`), or near one of them (`sbx`, simulated binary crossover)
    crossover: Crossover,
    /// probability that a value of a child is mutated
    #[schemars(range(min = 0.0, max = 1.0))]
    mutation_rate: f64,
    /// standard deviation of the first population and of its mutations, in each
    /// parameter's unit; mutations shrink by a third within 30 generations, then with the inverse
    /// square root of the number of generations
    #[schemars(range(min = 1e-6, max = 1e6))]
    sigma0: f64,
    /// number of elites, which survive a generation and are measured again; less than `population`
    #[schemars(range(max = 10_000))]
    elites: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            population: 64,
            trials: 8,
            parent_selection: Selection::Truncation,
            crossover: Crossover::Blend,
            mutation_rate: 0.2,
            sigma0: 1.0,
            elites: 4,
        }
    }
}

/// The largest number of trials in a generation, because memory and the checkpoint hold all their
/// outcomes.
const MOST_TRIALS: usize = 1_000_000;

/// The genetic algorithm as a method that jobs can name.
pub static METHOD: Method = Method {
    name: "genetic",
    meaning: "genetic algorithm: selects parents, crosses them over in pairs and mutates the children; elites survive",
    keys: schema::of::<Settings>,
    read: |section| Ok(Box::new(Settings::checked(section)?)),
};

impl Settings {
    fn checked(section: &Section<'_>) -> Result<Self, Fault> {
        let settings: Settings = section.part()?;
        let Settings { population, trials, elites, .. } = settings;
        if population * trials > MOST_TRIALS {
            let message = format!(
                "`search.population` times `search.trials` is {}, and the maximum is {MOST_TRIALS} trials a \
                    generation",
                population * trials
            );
            return Err(section.fault(&[if section.has("trials") { "trials" } else { "population" }], message));
        }
        if elites < population {
            return Ok(settings);
        }
        let most = population - 1;
        let message = format!(
            "`search.elites` is {elites}; the maximum with a population of {population} is \
            {most}"
        );
        Err(section.fault(&["elites"], message))
    }
}

impl Settings {
    /// Returns the settings for these cases: one trial for each candidate if all cases are the
    /// same.
    fn on(&self, cases: Cases) -> Self {
        let trials = if cases == Cases::One { 1 } else { self.trials };
        Settings { trials, ..self.clone() }
    }
}

impl super::Settings for Settings {
    fn method(&self) -> &'static Method {
        &METHOD
    }

    fn write(&self) -> Map<String, Value> {
        table(self)
    }

    fn points(&self) -> Option<usize> {
        Some(self.population)
    }

    fn start(&self, space: &Space, terms: Terms, seed: u64) -> Box<dyn Optimizer> {
        Box::new(Genetic::new(&at_priors(space.coordinates()), &self.on(terms.cases), seed))
    }

    fn resume(&self, space: &Space, terms: Terms, seed: u64, state: &Value) -> Result<Box<dyn Optimizer>, StateError> {
        let space = at_priors(space.coordinates());
        let state = State::deserialize(state)?;
        if !state.fits(space.len(), self) {
            return Err(StateError::Inconsistent);
        }
        Ok(Box::new(Genetic { space, settings: self.on(terms.cases), seed, state }))
    }
}

/// A point of the population, with its measurements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Member {
    point: Vec<f64>,
    evidence: Evidence,
}

/// The measurements of a member, as differences from the mean of its generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Evidence {
    /// The weighted sum of the differences.
    sum: f64,
    /// The sum of the weights.
    weight: f64,
}

/// The factor by which the weight of older evidence decreases with each generation, because earlier
/// generations had worse members to compare with.
const KEPT: f64 = 0.8;

impl Evidence {
    fn add(self, difference: f64) -> Self {
        Evidence { sum: KEPT * self.sum + difference, weight: KEPT * self.weight + 1.0 }
    }

    /// Returns the estimated advantage over the generation. The divisor halves the value of a
    /// single measurement, which is partly luck.
    fn merit(self) -> f64 {
        self.sum / (self.weight + 1.0)
    }
}

/// The number of generations after which mutations have shrunk to 1 / sqrt(2). They keep shrinking
/// with the inverse square root of time, so that a population near an optimum stays there.
const SHRINKING: f64 = 30.0;

/// The state and settings of the genetic algorithm.
struct Genetic {
    space: Vec<Coordinate>,
    settings: Settings,
    seed: u64,
    state: State,
}

/// The complete state between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    /// The number of the current generation, from 0.
    generation: u64,
    /// The members to be measured: elites first, then children, each ordered from best to worst.
    population: Vec<Member>,
    /// The mean of the parents that produced the population.
    mean: Vec<f64>,
}

impl Genetic {
    fn new(space: &[Coordinate], settings: &Settings, seed: u64) -> Self {
        let start: Vec<f64> = space.iter().map(|coordinate| coordinate.start).collect();
        let state = State { generation: 0, population: Vec::new(), mean: start.clone() };
        let mut this = Genetic { space: space.to_vec(), settings: settings.clone(), seed, state };
        let mut random = this.random(0);
        let mut population = vec![Member { point: start.clone(), evidence: Evidence::default() }];
        while population.len() < settings.population {
            population.push(this.mutant(start.clone(), 1.0, &mut random));
        }
        this.state.population = population;
        this
    }

    fn random(&self, generation: u64) -> ChaCha8Rng {
        generator(seed(self.seed, Split::Variation, generation, 0))
    }

    /// Returns the standard deviation of the mutations in a coordinate.
    fn deviation(&self, coordinate: &Coordinate) -> f64 {
        let smaller = (1.0 + self.state.generation as f64 / SHRINKING).sqrt();
        (self.settings.sigma0 * coordinate.unit / smaller).max(coordinate.least)
    }

    /// Mutates each coordinate of a point with probability `rate`.
    fn mutant(&self, mut point: Vec<f64>, rate: f64, random: &mut ChaCha8Rng) -> Member {
        for (value, coordinate) in point.iter_mut().zip(&self.space) {
            if rate >= 1.0 || random.random::<f64>() < rate {
                *value += self.deviation(coordinate) * normal(random);
            }
        }
        clamp(&mut point, &self.space);
        Member { point, evidence: Evidence::default() }
    }

    /// Breeds the next generation, given the mean objective of each member.
    fn breed(&mut self, objectives: &[f64]) {
        let level = crate::statistics::mean(objectives);
        for (member, objective) in self.state.population.iter_mut().zip(objectives) {
            member.evidence = member.evidence.add(objective - level);
        }
        let merits: Vec<f64> = self.state.population.iter().map(|member| member.evidence.merit()).collect();
        let ranking = ranking(&merits);
        let settings = &self.settings;
        let mut random = self.random(self.state.generation + 1);
        let parents = settings.parent_selection.parents(&ranking, &mut random);
        let parents: Vec<&[f64]> = parents.into_iter().map(|i| self.state.population[i].point.as_slice()).collect();
        let mut population: Vec<Member> =
            ranking[..settings.elites].iter().map(|&i| self.state.population[i].clone()).collect();
        while population.len() < settings.population {
            let mut draw = || parents[random.random_range(0..parents.len() as u32) as usize];
            let (mother, father) = (draw(), draw());
            let child = settings.crossover.child(mother, father, &mut random);
            population.push(self.mutant(child, settings.mutation_rate, &mut random));
        }
        let share = 1.0 / parents.len() as f64;
        let mean_of = |j: usize| parents.iter().map(|parent| share * parent[j]).sum();
        self.state.mean = (0..self.space.len()).map(mean_of).collect();
        self.state.population = population;
        self.state.generation += 1;
    }
}

impl State {
    /// Returns whether a deserialized state fits `n` coordinates and these settings.
    fn fits(&self, n: usize, settings: &Settings) -> bool {
        let is_member = |member: &Member| {
            let Evidence { sum, weight } = member.evidence;
            is_whole(&member.point, n) && sum.is_finite() && weight.is_finite() && weight >= 0.0
        };
        is_count(self.generation)
            && self.population.len() == settings.population
            && self.population.iter().all(is_member)
            && is_whole(&self.mean, n)
    }
}

impl Optimizer for Genetic {
    fn ask(&self) -> Ask {
        let points = self.state.population.iter().map(|member| member.point.clone()).collect();
        Ask::all(points, self.settings.trials)
    }

    fn tell(&mut self, ask: &Ask, told: &Told<'_>) -> Generation {
        let means = ask.means(told.penalized);
        let generation = Generation::of(self.state.generation, &ask.points, &means);
        // The points may have been repaired.
        for (member, point) in self.state.population.iter_mut().zip(&ask.points) {
            member.point.clone_from(point);
        }
        self.breed(&means);
        generation
    }

    fn generation(&self) -> u64 {
        self.state.generation
    }

    fn mean(&self) -> &[f64] {
        &self.state.mean
    }

    fn recommended(&self) -> Vec<(FinalistKind, Vec<f64>)> {
        let mut points = vec![(FinalistKind::Mean, self.state.mean.clone())];
        if self.settings.elites > 0 {
            points.push((FinalistKind::Elite, self.state.population[0].point.clone()));
        }
        points
    }

    fn method(&self) -> &'static str {
        "genetic algorithm"
    }

    fn deviations(&self) -> Vec<f64> {
        self.space.iter().map(|coordinate| self.deviation(coordinate)).collect()
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.state).expect("a state consists of numbers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lucky_measurements_fade() {
        let lucky = Evidence::default().add(3.0);
        let good = (0..6).fold(Evidence::default(), |evidence, _| evidence.add(2.5));
        assert!(lucky.merit() > 1.0 && lucky.merit() < good.merit());
        let faded = (0..6).fold(lucky, |evidence, _| evidence.add(0.0));
        assert!(faded.merit() < 0.25, "{}", faded.merit());
    }
}
