//! What a child starts from.

use super::{Crossover, Member};
use chacha20::ChaCha8Rng;
use rand::RngExt;

impl Crossover {
    /// The point that a child starts from; `centre` is the mean of the parents.
    pub fn base(self, parents: &[&Member], centre: &[f64], random: &mut ChaCha8Rng) -> Vec<f64> {
        if self == Crossover::Mean {
            return centre.to_vec();
        }
        let mut draw = || &parents[random.random_range(0..parents.len() as u32) as usize].point;
        let (mother, father) = (draw(), draw());
        let pairs = mother.iter().zip(father);
        match self {
            Crossover::Uniform => pairs.map(|(&a, &b)| if random.random::<bool>() { a } else { b }).collect(),
            _ => pairs.map(|(&a, &b)| a + random.random::<f64>() * (b - a)).collect(),
        }
    }
}
