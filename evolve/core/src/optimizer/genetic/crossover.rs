//! What a child inherits from two parents.

use chacha20::ChaCha8Rng;
use rand::RngExt;

crate::choices! {
    /// How two parents make a child.
    pub enum Crossover {
        /// Each value from either parent.
        Uniform = "uniform",
        /// Each value anywhere between the parents, and somewhat beyond them.
        Blend = "blend",
        /// Each value near either parent, the nearer the more alike they are (simulated binary crossover).
        Sbx = "sbx",
    }
}

/// How far beyond the parents a blend may go, as a share of their distance: children of parents drawn at random vary as
/// much as the parents do. Less would narrow the population even where nothing is selected.
const BEYOND: f64 = 0.366;
/// The distribution index of SBX (Deb and Agrawal, "Simulated binary crossover for continuous search space", 1995): the
/// larger, the nearer to a parent.
const INDEX: f64 = 5.0;

impl Crossover {
    /// A child of two parents.
    pub fn child(self, mother: &[f64], father: &[f64], random: &mut ChaCha8Rng) -> Vec<f64> {
        let mut draw = |(&a, &b): (&f64, &f64)| match self {
            Crossover::Uniform => {
                if random.random::<bool>() {
                    a
                } else {
                    b
                }
            }
            Crossover::Blend => a + (random.random::<f64>() * (1.0 + 2.0 * BEYOND) - BEYOND) * (b - a),
            Crossover::Sbx => {
                let u = random.random::<f64>();
                let base = if u < 0.5 { 2.0 * u } else { 0.5 / (1.0 - u) };
                let spread = libm::pow(base, 1.0 / (INDEX + 1.0));
                let side = if random.random::<bool>() { spread } else { -spread };
                0.5 * (a + b) + 0.5 * side * (b - a)
            }
        };
        mother.iter().zip(father).map(&mut draw).collect()
    }
}
