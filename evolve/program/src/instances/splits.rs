//! Divides instances among the splits.

use evolve_search::model::seed::{Split, seed};
use evolve_search::statistics::{LEAST_CLAIM, counted};
use thiserror::Error;

/// The indices of instances by split, each in a random order: authors sort their inputs by kind,
/// and a search or a comparison may end after the first of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Splits {
    search: Vec<usize>,
    /// The instances that the search never plays: first the test's, then the selection's, then
    /// those for validation. `None` if every split has all instances.
    held_out: Option<HeldOut>,
}

#[derive(Clone, Debug, PartialEq)]
struct HeldOut {
    instances: Vec<usize>,
    /// The ends of the test's and of the selection's instances.
    ends: [usize; 2],
}

/// The share of a split: one in `one_in` instances, but at least `least` and at most `most`.
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

/// Validation only shows the progress of a run.
const VALIDATION: Use = Use { one_in: 10, least: 2, most: 50 };
/// The selection compares two or three finalists.
const SELECTION: Use = Use { one_in: 10, least: 2, most: 100 };
/// A search seldom plays more instances, so the others are of more use in the test.
const SEARCH: Use = Use { one_in: 2, least: 6, most: 400 };
/// The smallest number of instances for the test, which gets the rest: with fewer, no improvement
/// can be found.
const LEAST_TEST: usize = LEAST_CLAIM;

/// The error for too few instances, with their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub struct TooFew(usize);

impl TooFew {
    fn message(&self) -> String {
        let [validation, selection, search] = [&VALIDATION, &SELECTION, &SEARCH].map(|one| one.least);
        let (least, test) = (Splits::LEAST, LEAST_TEST);
        let are = if self.0 == 1 { "is" } else { "are" };
        format!(
            "{} {are} too few to hold any out for the test: list at least {least} (search {search}, validation \
                {validation}, selection {selection}, test {test}), or write `split = false` to use every instance in \
                the search and in the test; the verdict is then about these instances only",
            counted(self.0 as u64, "instance")
        )
    }
}

impl Splits {
    /// The smallest number of instances that can be divided.
    pub const LEAST: usize = VALIDATION.least + SELECTION.least + SEARCH.least + LEAST_TEST;

    /// Divides `count` instances. The result depends only on their number.
    ///
    /// # Errors
    /// If `count` is less than [`LEAST`](Self::LEAST).
    pub fn of(count: usize) -> Result<Self, TooFew> {
        if count < Self::LEAST {
            return Err(TooFew(count));
        }
        let mut order = shuffled(count);
        let mut part = |size: usize| -> Vec<usize> { order.drain(..size).collect() };
        let (validation, selection) = (part(VALIDATION.of(count)), part(SELECTION.of(count)));
        let rest = count - validation.len() - selection.len();
        let search = part(SEARCH.of(count).min(rest - LEAST_TEST));
        let ends = [order.len(), order.len() + selection.len()];
        let held_out = HeldOut { instances: [order, selection, validation].concat(), ends };
        Ok(Splits { search, held_out: Some(held_out) })
    }

    /// Uses all of `count` instances in every split.
    pub fn shared(count: usize) -> Self {
        Splits { search: shuffled(count), held_out: None }
    }

    /// Returns the instances of a split, in the order of its cases.
    pub fn of_split(&self, split: Split) -> &[usize] {
        let Some(HeldOut { instances, ends: [test, selection] }) = &self.held_out else { return &self.search };
        match split {
            Split::Search | Split::Variation => &self.search,
            Split::Validation => &instances[*selection..],
            Split::Selection => &instances[*test..*selection],
            // Neither the search nor the selection has seen these instances. Policies of all runs
            // are compared on them.
            Split::Test | Split::Measurement | Split::Comparison => &instances[..*test],
            Split::HeldOut => instances,
        }
    }
}

/// Returns the numbers below `count` in a fixed random order, by a seed that no run uses.
fn shuffled(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&place| (seed(u64::MAX, Split::Variation, u64::MAX, place as u64), place));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four(splits: &Splits) -> [&[usize]; 4] {
        [Split::Search, Split::Validation, Split::Selection, Split::Test].map(|split| splits.of_split(split))
    }

    #[test]
    fn every_instance_belongs_to_one_split() {
        for count in [Splits::LEAST, 20, 100, 1003] {
            let splits = Splits::of(count).unwrap();
            let mut all = four(&splits).concat();
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
            assert!(splits.search.len() >= 6 && splits.of_split(Split::Test).len() >= LEAST_TEST);
            assert_eq!(splits.of_split(Split::Comparison), splits.of_split(Split::Test));
            // Those of the search are the same in every run, so that a longer run can go on with
            // it.
            let held_out = [Split::Test, Split::Selection, Split::Validation].map(|split| splits.of_split(split));
            assert_eq!(splits.of_split(Split::HeldOut), held_out.concat());
        }
        let sizes = |count: usize| {
            let splits = Splits::of(count).unwrap();
            four(&splits).map(|part| part.len())
        };
        assert_eq!(
            [16, 20, 100, 1000].map(sizes),
            [[6, 2, 2, 6], [10, 2, 2, 6], [50, 10, 10, 30], [400, 50, 100, 450]]
        );
        // Without splits, every stage has all instances, but not in the order of the list.
        let shared = Splits::shared(20);
        let mut all = shared.of_split(Split::Test).to_vec();
        assert!(!all.is_sorted() && four(&shared).iter().all(|part| *part == all));
        all.sort_unstable();
        assert_eq!(all, (0..20).collect::<Vec<_>>());
        let message = Splits::of(Splits::LEAST - 1).unwrap_err().to_string();
        assert!(message.contains("15 instances are too few") && message.contains("at least 16"), "{message}");
        assert!(Splits::of(1).unwrap_err().to_string().starts_with("1 instance is too few"));
    }
}
