//! Java's `SecureRandom` with the algorithm `SHA1PRNG`, which dealt the contest's games.
//!
//! The algorithm is that of the class `sun.security.provider.SecureRandom`: each hash of a state of
//! 20 bytes gives 20 bytes of output, and the sum of state and output becomes the next state.

use sha1::{Digest, Sha1};

const BYTES: usize = 20;

/// A generator with a fixed seed.
#[derive(Clone, Debug)]
pub struct Sha1Prng {
    state: [u8; BYTES],
    output: [u8; BYTES],
    used: usize,
}

impl Sha1Prng {
    /// Creates the generator in its state after `setSeed(seed)`.
    pub fn new(seed: u64) -> Self {
        let state = Sha1::digest(seed.to_le_bytes()).into();
        Sha1Prng { state, output: [0; BYTES], used: BYTES }
    }

    fn next_byte(&mut self) -> u8 {
        if self.used == BYTES {
            self.output = Sha1::digest(self.state).into();
            self.advance();
            self.used = 0;
        }
        self.used += 1;
        self.output[self.used - 1]
    }

    /// Adds the output and 1 to the state, as signed bytes with a carry from each byte to the next.
    fn advance(&mut self) {
        let mut carry = 1;
        let mut changed = false;
        for (state, output) in self.state.iter_mut().zip(self.output) {
            let sum = i32::from(*state as i8) + i32::from(output as i8) + carry;
            changed |= *state != sum as u8;
            *state = sum as u8;
            carry = sum >> 8;
        }
        if !changed {
            self.state[0] = self.state[0].wrapping_add(1);
        }
    }

    /// Returns 31 random bits, like `next(31)`.
    fn next_31(&mut self) -> u32 {
        let bytes = std::array::from_fn(|_| self.next_byte());
        u32::from_be_bytes(bytes) >> 1
    }

    /// Returns a number below `bound`, which must not be 0, like `nextInt(bound)`.
    pub fn next_int(&mut self, bound: u32) -> u32 {
        if bound.is_power_of_two() {
            return ((u64::from(bound) * u64::from(self.next_31())) >> 31) as u32;
        }
        loop {
            let bits = self.next_31();
            let value = bits % bound;
            // Reject the last numbers, which do not form a complete range.
            if u64::from(bits - value) + u64::from(bound) <= 1 << 31 {
                return value;
            }
        }
    }
}
