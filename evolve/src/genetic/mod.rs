//! The genetic algorithm: a population of weights, varied and selected by whoever measures it.
//!
//! It only asks and tells: [`Genetic::population`] is to be measured on games that all its members share, and
//! [`Genetic::tell`] takes the fitness and makes the next generation. No member is believed twice on the strength of
//! one measurement: elites live on to be measured again, and with [`Crossover::Mean`] noise in single members is
//! averaged away. Mutations adapt as in evolution strategies (see [`mutation`]).

mod crossover;
pub mod mutation;
mod normal;
mod selection;
mod space;

pub use space::Space;

use crate::seed::{Purpose, generator, seed};
use mutation::Mutation;
use serde::{Deserialize, Serialize};

/// How a generation's parents are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The best ones.
    Truncation,
    /// Winners of tournaments among members drawn at random, with replacement.
    Tournament {
        /// Members in each.
        size: usize,
    },
}

/// What a child starts from, before it mutates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossover {
    /// The mean of all parents, better ones counting more.
    Mean,
    /// Each weight from either of two parents.
    Uniform,
    /// A point between two parents, drawn anew for each weight.
    Blend,
}

/// What of the mutations adapts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adapt {
    /// Each weight's scale, and the step that is common to all.
    Weights,
    /// The common step.
    Step,
    /// Nothing.
    Nothing,
}

/// The settings of the algorithm; the job reference says what each does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Members of a generation, at least 2.
    pub population: usize,
    /// How parents are chosen.
    pub selection: Selection,
    /// How many, 1 to `population`.
    pub parents: usize,
    /// What children start from.
    pub crossover: Crossover,
    /// Best members that live on unchanged, fewer than `population`.
    pub elites: usize,
    /// The first standard deviation of mutations, in units of each weight's declared scale.
    pub step: f64,
    /// The share of weights that mutate in a child, above 0, at most 1.
    pub rate: f64,
    /// What adapts.
    pub adapt: Adapt,
}

/// One set of weights in a population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The values of the weights that evolve.
    pub genome: Vec<f64>,
    /// The mutation that made it, in standard deviations of each weight; `None` if it is older than its generation.
    mutation: Option<Vec<f64>>,
}

/// The whole state of the algorithm between two generations. Together with the run's seed it determines everything
/// that follows, because each generation's random numbers are a stream of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Genetic {
    /// The generation that `population` is, from 0.
    pub generation: u64,
    /// The members to be measured.
    pub population: Vec<Member>,
    /// The population's mean: what the parents of this generation average to.
    pub centre: Vec<f64>,
    /// The mean of recent centres, with weights that fall by a tenth from each generation to the one before.
    pub average: Vec<f64>,
    mutation: Mutation,
}

/// What a new centre counts in the average of centres, once there are this many.
const NEW_CENTRE: f64 = 0.1;

impl Genetic {
    /// The first generation: the starting weights themselves, and mutations of them.
    pub fn new(space: &Space, settings: &Settings, run: u64) -> Self {
        let start = space.start_genome();
        let mutation = Mutation::new(space, settings);
        let mut random = generator(seed(run, Purpose::Variation, 0, 0));
        let mut population = vec![Member { genome: start.clone(), mutation: None }];
        while population.len() < settings.population {
            population.push(mutation.mutate(start.clone(), space, settings, &mut random));
        }
        Genetic { generation: 0, population, centre: start.clone(), average: start, mutation }
    }

    /// Makes the next generation from the fitness of each member, larger is better. Of equal members the first
    /// counts as better.
    ///
    /// # Panics
    /// If there is not one fitness a member.
    pub fn tell(&mut self, fitness: &[f64], space: &Space, settings: &Settings, run: u64) {
        assert_eq!(fitness.len(), self.population.len(), "one fitness a member");
        let ranking = ranking(fitness);
        let mut random = generator(seed(run, Purpose::Variation, self.generation + 1, 0));
        let parents: Vec<&Member> = settings
            .selection
            .parents(&ranking, settings.parents, &mut random)
            .into_iter()
            .map(|i| &self.population[i])
            .collect();
        let shares = selection::shares(parents.len());
        self.mutation.adapt(&parents, &shares, settings);
        let centre = crossover::mean(&parents, &shares);
        let mut population: Vec<Member> = ranking[..settings.elites]
            .iter()
            .map(|&i| Member { genome: self.population[i].genome.clone(), mutation: None })
            .collect();
        while population.len() < settings.population {
            let base = settings.crossover.base(&parents, &centre, &mut random);
            population.push(self.mutation.mutate(base, space, settings, &mut random));
        }
        self.generation += 1;
        let share = NEW_CENTRE.max(1.0 / self.generation as f64);
        for (average, centre) in self.average.iter_mut().zip(&centre) {
            *average += share * (centre - *average);
        }
        self.centre = centre;
        self.population = population;
    }

    /// The standard deviation of each weight among the members, with divisor n.
    pub fn spreads(&self) -> Vec<f64> {
        let n = self.population.len() as f64;
        (0..self.centre.len())
            .map(|i| {
                let values = || self.population.iter().map(|member| member.genome[i]);
                let mean = values().sum::<f64>() / n;
                (values().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n).sqrt()
            })
            .collect()
    }

    /// Whether a state read from a file fits a space and settings.
    pub fn fits(&self, space: &Space, settings: &Settings) -> bool {
        let n = space.evolving().count();
        let is_whole = |values: &[f64]| values.len() == n && values.iter().all(|value| value.is_finite());
        self.population.len() == settings.population
            && self
                .population
                .iter()
                .all(|member| is_whole(&member.genome) && member.mutation.as_deref().is_none_or(is_whole))
            && is_whole(&self.centre)
            && is_whole(&self.average)
            && self.mutation.fits(n)
    }
}

/// The indices of the members from best to worst; equal ones in their order.
pub fn ranking(fitness: &[f64]) -> Vec<usize> {
    let mut ranking: Vec<usize> = (0..fitness.len()).collect();
    ranking.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
    ranking
}

#[cfg(test)]
mod tests;
