//! Candidates for parameters in a source file: values that it reads with their defaults, and constants.

mod constants;
mod insert;
mod literal;
mod reads;

pub use constants::{Constant, constants, tuned};
pub use insert::{insert, inserts};
pub use reads::{Read, Way, reads};

/// The variable of the environment for a parameter, as `evolve.hpp` and its like look for it.
pub fn variable(name: &str) -> String {
    let capital = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    "EVOLVE_".chars().chain(name.chars().map(capital)).collect()
}
