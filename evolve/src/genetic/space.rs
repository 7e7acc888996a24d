//! The space that a population lives in: all weights, their starting values, and which of them evolve.

use policy::weights::Weight;

/// All weights of a game, where they start and which evolve. A genome holds the values of those that evolve.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    weights: Vec<Weight>,
    start: Vec<f64>,
    evolving: Vec<usize>,
}

impl Space {
    /// A space of all `weights`, which start at `start`; those at the places `evolving` (ascending) evolve within
    /// their ranges.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn new(weights: Vec<Weight>, start: Vec<f64>, evolving: Vec<usize>) -> Self {
        assert_eq!(weights.len(), start.len(), "one starting value a weight");
        Space { weights, start, evolving }
    }

    /// All weights, with their ranges and scales.
    pub fn weights(&self) -> &[Weight] {
        &self.weights
    }

    /// The starting values of all weights.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// The weights that evolve, in the order of genomes.
    pub fn evolving(&self) -> impl Iterator<Item = &Weight> {
        self.evolving.iter().map(|&i| &self.weights[i])
    }

    /// The genome of the starting values.
    pub fn start_genome(&self) -> Vec<f64> {
        self.evolving.iter().map(|&i| self.start[i]).collect()
    }

    /// A genome in numbers that a person can read: each value rounded to as many decimals as a thousandth of its scale
    /// has. What is recommended is rounded before it is measured.
    pub fn rounded(&self, genome: &[f64]) -> Vec<f64> {
        let round = |(value, weight): (&f64, &Weight)| {
            let mut unit = 1.0;
            while unit * weight.scale < 1000.0 && unit < 1e15 {
                unit *= 10.0;
            }
            ((value * unit).round() / unit).clamp(weight.min, weight.max)
        };
        genome.iter().zip(self.evolving()).map(round).collect()
    }

    /// All weights of a genome: its own values, and the starting values of the rest.
    ///
    /// # Panics
    /// If the genome is of another space.
    pub fn complete(&self, genome: &[f64]) -> Vec<f64> {
        assert_eq!(genome.len(), self.evolving.len(), "one value a weight that evolves");
        let mut weights = self.start.clone();
        for (&i, &value) in self.evolving.iter().zip(genome) {
            weights[i] = value;
        }
        weights
    }
}
