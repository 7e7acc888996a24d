//! Finds candidates for parameters in a source: values that it reads with their defaults, and
//! constants.

mod arguments;
mod brackets;
mod constants;
mod helpers;
mod insert;
mod literal;
mod reads;
mod sites;
mod way;

pub use arguments::{Argument, arguments};
pub use constants::{Constant, Constants, constants, tuned};
pub use insert::{insert, inserts};
pub use reads::{Read, reads};
pub use sites::LeftOut;
pub use way::{Passed, Way};

use crate::regex;
use evolve_search::document::MARK;

/// Returns a text without the byte order mark before it, which is no part of the code.
fn unmarked(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}
