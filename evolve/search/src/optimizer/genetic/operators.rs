//! The operators of the genetic algorithm: the selection of parents and the creation of children.

use chacha20::ChaCha8Rng;
use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The method of selecting parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// The best third of the population.
    Truncation,
    /// As many winners of tournaments among members drawn at random, with replacement.
    Tournament,
}

/// The number of members in a tournament.
const ENTRANTS: usize = 3;

impl Selection {
    /// Returns the parents as indices of members, better ones first. `ranking` lists all members
    /// from best to worst.
    pub fn parents(self, ranking: &[usize], random: &mut ChaCha8Rng) -> Vec<usize> {
        let count = (ranking.len() / 3).max(2);
        let mut ranks: Vec<usize> = match self {
            Selection::Truncation => (0..count).collect(),
            Selection::Tournament => (0..count).map(|_| tournament(ranking.len(), random)).collect(),
        };
        ranks.sort_unstable();
        ranks.into_iter().map(|rank| ranking[rank]).collect()
    }
}

/// Returns the rank of the winner of a tournament.
fn tournament(members: usize, random: &mut ChaCha8Rng) -> usize {
    let entrants = (0..ENTRANTS).map(|_| random.random_range(0..members as u32) as usize);
    entrants.min().expect("a tournament has entrants")
}

/// The method of combining two parents into a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// Each value from either parent.
    Uniform,
    /// Each value anywhere between the parents, and somewhat beyond them (BLX-alpha).
    Blend,
    /// Each value near one of the parents; the more alike they are, the nearer (simulated binary
    /// crossover).
    Sbx,
}

/// How far a blend may extend beyond the parents, as a share of their distance. With this value,
/// children of randomly chosen parents vary as much as the parents do. A smaller one would narrow
/// the population even without selection.
const BEYOND: f64 = 0.366;
/// The distribution index of SBX (Deb and Agrawal, "Simulated binary crossover for continuous
/// search space", 1995). Larger values keep children nearer to a parent.
const INDEX: f64 = 5.0;

impl Crossover {
    /// Returns a child of two parents.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::seed::generator;

    #[test]
    fn better_members_become_parents() {
        let ranking: Vec<usize> = (0..30).rev().collect();
        let mut random = generator(1);
        assert_eq!(Selection::Truncation.parents(&ranking, &mut random), (20..30).rev().collect::<Vec<_>>());
        let mut ranks = [0; 30];
        for _ in 0..1000 {
            Selection::Tournament.parents(&ranking, &mut random).into_iter().for_each(|member| ranks[29 - member] += 1);
        }
        // The best of 30 wins a tournament of three with probability 1 - (29/30)^3, the worst with
        // probability (1/30)^3.
        assert!((900..1060).contains(&ranks[0]) && ranks[29] < 5, "{ranks:?}");
    }

    #[test]
    fn crossover_preserves_mean_and_variance() {
        let mut random = generator(1);
        let (mother, father) = ([0.0, 5.0, 1.0], [1.0, 5.0, 3.0]);
        for crossover in [Crossover::Uniform, Crossover::Blend, Crossover::Sbx] {
            let n = 20_000;
            let children: Vec<Vec<f64>> = (0..n).map(|_| crossover.child(&mother, &father, &mut random)).collect();
            for j in 0..3 {
                let mean = children.iter().map(|child| child[j]).sum::<f64>() / f64::from(n);
                let distance = father[j] - mother[j];
                assert!((mean - 0.5 * (mother[j] + father[j])).abs() <= 0.03 * distance, "{crossover:?} {j}: {mean}");
                let square = children.iter().map(|child| (child[j] - mean) * (child[j] - mean)).sum::<f64>();
                // Children vary about as much around their mean as two parents do; those of a blend
                // vary slightly less.
                let variance = square / f64::from(n) / (distance * distance).max(1e-300);
                assert!(distance == 0.0 || (0.2..0.4).contains(&variance), "{crossover:?} {j}: {variance}");
            }
        }
    }
}
