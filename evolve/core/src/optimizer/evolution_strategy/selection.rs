//! Who becomes a parent, and how much each counts.

use super::{Selection, Settings};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The parents as indices of members, better ones first. `ranking` lists all members from best to worst.
pub fn parents(settings: &Settings, ranking: &[usize], random: &mut ChaCha8Rng) -> Vec<usize> {
    let count = settings.parents();
    let mut ranks: Vec<usize> = match settings.selection {
        Selection::Truncation => (0..count).collect(),
        Selection::Tournament => (0..count)
            .map(|_| {
                let entrants = (0..settings.tournament).map(|_| random.random_range(0..ranking.len() as u32) as usize);
                entrants.min().expect("a tournament has entrants")
            })
            .collect(),
    };
    ranks.sort_unstable();
    ranks.into_iter().map(|rank| ranking[rank]).collect()
}

/// How much each of `count` parents counts in a mean, better ones first; the shares add up to 1. They fall with the
/// logarithm of the rank (Hansen, "The CMA evolution strategy: a tutorial", equation 49).
pub fn shares(count: usize) -> Vec<f64> {
    let log = |x: f64| libm::log(x);
    let raw: Vec<f64> = (0..count).map(|i| log(count as f64 + 0.5) - log((i + 1) as f64)).collect();
    let sum: f64 = raw.iter().sum();
    raw.into_iter().map(|share| share / sum).collect()
}
