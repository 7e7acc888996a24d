//! Seeds by index: every random choice of a run follows from the run's seed, a split and indices,
//! never from the order in which threads finish.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

/// The split to which a stream of random numbers belongs. Streams of different splits are
/// independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u64)]
pub enum Split {
    /// Random choices of an optimizer, by generation and purpose.
    Variation = 1,
    /// Cases of the search, by generation and number.
    Search = 2,
    /// Cases of validation, by number.
    Validation = 3,
    /// Cases of the selection among the finalists, by number.
    Selection = 4,
    /// Cases of the held-out test, by number.
    Test = 5,
    /// Cases of `judge`, and of `compare` with one candidate, by number.
    Measurement = 6,
    /// Cases of `compare` with several candidates, by number.
    Comparison = 7,
    /// Cases of the held-out test of a run without validation and selection, whose instances also
    /// serve the test.
    HeldOut = 8,
}

impl Split {
    /// Returns whether its cases decide about a candidate, as in tests, measurements and
    /// comparisons. All other cases only guide the search.
    pub fn decides(self) -> bool {
        matches!(self, Split::Test | Split::HeldOut | Split::Measurement | Split::Comparison)
    }

    /// Returns the index of the stream: both kinds of tests have the same random numbers.
    pub fn stream(self) -> u64 {
        match self {
            Split::HeldOut => Split::Test as u64,
            split => split as u64,
        }
    }
}

/// Returns the seed of one stream.
pub fn seed(run: u64, split: Split, generation: u64, number: u64) -> u64 {
    [split.stream(), generation, number].into_iter().fold(mix(run), |state, index| mix(state ^ mix(index)))
}

/// Applies the finaliser of SplitMix64 (Steele, Lea and Flood, 2014), a bijection that spreads
/// every input bit.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Creates the generator of one stream: ChaCha8, which gives the same numbers on every machine.
pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}
