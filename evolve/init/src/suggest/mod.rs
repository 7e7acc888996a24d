//! Finds candidates for parameters in a source: values that it reads with their defaults, and constants.

mod arguments;
mod constants;
mod insert;
mod literal;
mod reads;

pub use arguments::{Argument, arguments};
pub use constants::{Constant, constants, crowded, tuned, words};
pub use insert::{insert, inserts};
pub use reads::{Passed, Read, Way, reads};

use regex::Regex;

/// Compiles a pattern of this crate.
fn regex(text: &str) -> Regex {
    Regex::new(text).expect("a regex")
}
