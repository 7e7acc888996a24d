//! Writes a first job for a program.
//!
//! [`find()`] returns how to build and start the program of a folder. [`suggest`] finds what its
//! source could let a tuner set, and [`mod@import`] reads the declarations in the file of another
//! tuner. [`job`] writes the job.

mod cargo;
mod find;
mod found;
pub mod import;
pub mod instances;
pub mod job;
mod lines;
pub mod pahcer;
pub mod scale;
pub mod suggest;
mod tools;

pub use find::find;
pub use found::{FindError, FoundProgram};

/// Compiles a pattern of this crate.
fn regex(text: &str) -> regex::Regex {
    regex::Regex::new(text).expect("a regex")
}
