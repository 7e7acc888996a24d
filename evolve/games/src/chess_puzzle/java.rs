//! Java's `SecureRandom` with the algorithm `SHA1PRNG`, with which the contest dealt its games.
//!
//! The algorithm is the one in the class `sun.security.provider.SecureRandom`: a state of 20 bytes is hashed for every
//! 20 bytes of output, and both are added up to the next state.

use sha1::{Digest, Sha1};

const BYTES: usize = 20;

/// A generator that was seeded once.
#[derive(Clone, Debug)]
pub struct Sha1Prng {
    state: [u8; BYTES],
    output: [u8; BYTES],
    used: usize,
}

impl Sha1Prng {
    /// The generator after `setSeed(seed)`.
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

    /// Adds the output, and 1, to the state: bytes as signed numbers, with a carry from one to the next.
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

    /// 31 random bits: `next(31)`.
    fn next_31(&mut self) -> u32 {
        let bytes = std::array::from_fn(|_| self.next_byte());
        u32::from_be_bytes(bytes) >> 1
    }

    /// A number below `bound`, which is not 0: `nextInt(bound)`.
    pub fn next_int(&mut self, bound: u32) -> u32 {
        if bound.is_power_of_two() {
            return ((u64::from(bound) * u64::from(self.next_31())) >> 31) as u32;
        }
        loop {
            let bits = self.next_31();
            let value = bits % bound;
            // The last numbers do not make up a whole round.
            if u64::from(bits - value) + u64::from(bound) <= 1 << 31 {
                return value;
            }
        }
    }
}
