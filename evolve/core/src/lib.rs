//! The tuner without games, processes, pictures or a command line.
//!
//! From the bottom up, each knowing only what stands before it:
//!
//! - [`document`]: TOML files read into types, with the place of every mistake; [`statistics`].
//! - [`model`]: what can be tuned, as data ([`Problem`](model::problem::Problem)), and what plays it.
//! - [`search`]: optimizers, which ask for trials and are told outcomes; [`evaluator`]: who plays them.
//! - [`job`]: what of a problem to tune, and how.
//! - [`judgement`]: whether one candidate is better than another, and what a run can find out.
//! - [`run`]: carries out a job.

#![warn(missing_docs)]

pub mod document;
pub mod evaluator;
pub mod job;
pub mod judgement;
pub mod model;
pub mod run;
pub mod search;
pub mod statistics;

#[cfg(test)]
mod fixture;

/// The version of what reproduces: raised whenever players or the search change what a job gives, together with the
/// golden runs. A run goes on under its own version alone.
pub const VERSION: u64 = 4;
