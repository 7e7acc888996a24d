//! Finds candidates for parameters in a source: values that it reads with their defaults, and constants.

mod constants;
mod insert;
mod literal;
mod reads;

pub use constants::{Constant, constants, crowded, tuned};
pub use insert::{insert, inserts};
pub use reads::{Read, Way, reads};

/// Returns the environment variable for a parameter, as read by `evolve.hpp` and the other helper files.
pub fn variable(name: &str) -> String {
    let capital = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    "EVOLVE_".chars().chain(name.chars().map(capital)).collect()
}
