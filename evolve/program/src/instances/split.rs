//! Which purpose each instance is for.

use evolve_core::judgement::comparison::LEAST_CLAIM;
use evolve_core::model::seed::{Purpose, seed};
use std::fmt;

/// Places of instances by purpose. What the search has seen judges nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    search: Vec<usize>,
    held_out: Vec<usize>,
    finalists: Vec<usize>,
    verdict: Vec<usize>,
}

/// How many of the instances a purpose can use: one in so many of them, but so many at least and at most.
struct Use {
    one_in: usize,
    least: usize,
    most: usize,
}

impl Use {
    fn of(&self, count: usize) -> usize {
        (count / self.one_in).clamp(self.least, self.most)
    }
}

/// Checks only show how the run gets on.
const HELD_OUT: Use = Use { one_in: 10, least: 2, most: 50 };
/// The final round tells two or three finalists apart.
const FINALISTS: Use = Use { one_in: 10, least: 2, most: 100 };
/// A search seldom comes to more deals than that; more instances would be new to it, but lost to the verdict.
const SEARCH: Use = Use { one_in: 2, least: 6, most: 400 };
/// The verdict has the rest. Fewer support no claim.
const LEAST_VERDICT: usize = LEAST_CLAIM;

/// Too few instances to split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFew(usize);

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [held_out, finalists, search] = [&HELD_OUT, &FINALISTS, &SEARCH].map(|one| one.least);
        let (least, verdict) = (Split::LEAST, LEAST_VERDICT);
        write!(
            f,
            "{} instances are too few: it takes {least}, at least {search} to search on, {held_out} held out, {finalists} \
             for the final round and {verdict} for the verdict. With split = false these few are used for \
             everything, and the verdict claims nothing beyond them",
            self.0
        )
    }
}

impl std::error::Error for TooFew {}

impl Split {
    /// The fewest instances that can be split.
    pub const LEAST: usize = HELD_OUT.least + FINALISTS.least + SEARCH.least + LEAST_VERDICT;

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
        let mut part = |size: usize| -> Vec<usize> { order.drain(..size).collect() };
        let (held_out, finalists) = (part(HELD_OUT.of(count)), part(FINALISTS.of(count)));
        let rest = count - held_out.len() - finalists.len();
        let search = part(SEARCH.of(count).min(rest - LEAST_VERDICT));
        Ok(Split { search, held_out, finalists, verdict: order })
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
            assert!(split.search.len() >= 6 && split.verdict.len() >= LEAST_VERDICT);
            assert_eq!(split.of_purpose(Purpose::Comparison), split.of_purpose(Purpose::Verdict));
        }
        let sizes = |count: usize| {
            let Split { search, held_out, finalists, verdict } = Split::of(count).unwrap();
            [search, held_out, finalists, verdict].map(|part| part.len())
        };
        assert_eq!(
            [16, 20, 100, 1000].map(sizes),
            [[6, 2, 2, 6], [10, 2, 2, 6], [50, 10, 10, 30], [400, 50, 100, 450]]
        );
        let message = Split::of(Split::LEAST - 1).unwrap_err().to_string();
        assert!(message.contains("15 instances") && message.contains("takes 16"), "{message}");
    }
}
