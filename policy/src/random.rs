//! A small portable random number generator for players that sample: it returns the same numbers on
//! every machine.

/// SplitMix64 (Steele, Lea and Flood, 2014): 64 bits of state, good enough to sample hidden tiles.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Returns a generator whose whole sequence is fixed by `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// Returns an integer in `0..n`; the bias of the multiplication is below 2^-32 for the small
    /// `n` used here.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// Returns the input after the finaliser of [`SplitMix64`]: a bijection in which each output bit
/// depends on every input bit.
#[inline]
pub const fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
