//! Who becomes a parent.

use chacha20::ChaCha8Rng;
use rand::RngExt;

crate::choices! {
    /// How a generation's parents are chosen.
    pub enum Selection {
        /// The best ones.
        Truncation = "truncation",
        /// Winners of tournaments among members drawn at random, with replacement.
        Tournament = "tournament",
    }
}

impl Selection {
    /// `count` parents as indices of members, better ones first. `ranking` lists all members from best to worst;
    /// `entrants` is the size of a tournament.
    pub fn parents(self, count: usize, entrants: usize, ranking: &[usize], random: &mut ChaCha8Rng) -> Vec<usize> {
        let mut ranks: Vec<usize> = match self {
            Selection::Truncation => (0..count).collect(),
            Selection::Tournament => (0..count).map(|_| tournament(entrants, ranking.len(), random)).collect(),
        };
        ranks.sort_unstable();
        ranks.into_iter().map(|rank| ranking[rank]).collect()
    }
}

/// The rank of the winner among `entrants` drawn from `members`.
fn tournament(entrants: usize, members: usize, random: &mut ChaCha8Rng) -> usize {
    let entrants = (0..entrants).map(|_| random.random_range(0..members as u32) as usize);
    entrants.min().expect("a tournament has entrants")
}
