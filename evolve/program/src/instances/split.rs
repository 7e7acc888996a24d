//! Which purpose each instance is for.

use evolve_core::seed::{Purpose, seed};
use std::fmt;

/// Places of instances by purpose. What the search has seen judges nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    search: Vec<usize>,
    held_out: Vec<usize>,
    finalists: Vec<usize>,
    verdict: Vec<usize>,
}

/// Shares of the instances in hundredths, and the least number of each: held-out, final round, verdict. The search has
/// the rest.
const SHARES: [(usize, usize); 3] = [(10, 2), (10, 2), (20, 4)];
/// The least number for the search.
const LEAST_SEARCH: usize = 8;

/// Too few instances to split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFew(usize);

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(_, held_out), (_, finalists), (_, verdict)] = SHARES;
        let least = Split::LEAST;
        write!(
            f,
            "{} instances are too few: it takes {least}, at least {LEAST_SEARCH} to search on, {held_out} held out, {finalists} \
             for the final round and {verdict} for the verdict. With split = false these few are used for \
             everything, and the verdict claims nothing beyond them",
            self.0
        )
    }
}

impl std::error::Error for TooFew {}

impl Split {
    /// The fewest instances that can be split.
    pub const LEAST: usize = LEAST_SEARCH + SHARES[0].1 + SHARES[1].1 + SHARES[2].1;

    /// The split of so many instances. It depends on their number alone.
    ///
    /// # Errors
    /// If there are fewer than [`LEAST`](Self::LEAST).
    pub fn of(count: usize) -> Result<Self, TooFew> {
        if count < Self::LEAST {
            return Err(TooFew(count));
        }
        let mut order: Vec<usize> = (0..count).collect();
        // Any fixed numbers: those of a run that nobody makes.
        order.sort_by_key(|&place| (seed(u64::MAX, Purpose::Variation, u64::MAX, place as u64), place));
        let mut part = |(share, least): (usize, usize)| -> Vec<usize> {
            let size = (count * share / 100).max(least);
            order.drain(..size).collect()
        };
        let [held_out, finalists, verdict] = SHARES.map(&mut part);
        Ok(Split { search: order, held_out, finalists, verdict })
    }

    /// The instances of a purpose, in the order in which deals come to them.
    pub fn of_purpose(&self, purpose: Purpose) -> &[usize] {
        match purpose {
            Purpose::Training | Purpose::Variation => &self.search,
            Purpose::HeldOut => &self.held_out,
            Purpose::Finalists => &self.finalists,
            // Neither the search nor the selection has seen them.
            Purpose::Verdict | Purpose::Measurement | Purpose::Comparison => &self.verdict,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instance_has_one_purpose() {
        for count in [Split::LEAST, 20, 100, 1003] {
            let split = Split::of(count).unwrap();
            let purposes = [Purpose::Training, Purpose::HeldOut, Purpose::Finalists, Purpose::Verdict];
            let mut all: Vec<usize> = purposes.iter().flat_map(|&purpose| split.of_purpose(purpose).to_vec()).collect();
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
            assert!(split.search.len() >= count / 2);
            assert_eq!(split.of_purpose(Purpose::Comparison), split.of_purpose(Purpose::Verdict));
        }
        let sizes = Split::of(100).unwrap();
        assert_eq!((sizes.search.len(), sizes.held_out.len(), sizes.verdict.len()), (60, 10, 20));
        let message = Split::of(Split::LEAST - 1).unwrap_err().to_string();
        assert!(message.contains("15 instances") && message.contains("takes 16"), "{message}");
    }
}
