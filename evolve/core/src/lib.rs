//! The tuner without games, processes, pictures or a command line.
//!
//! Modules from the bottom up; each one uses only those before it:
//!
//! - [`document`]: TOML files read into types, with the place of every fault; [`statistics`].
//! - [`model`]: problems as data ([`Problem`](model::problem::Problem)), and the sessions that play them.
//! - [`search`]: optimizers, which ask for trials and receive outcomes; [`evaluator`]: what plays the trials.
//! - [`job`]: a problem, its tuned parameters, and the settings of a run.
//! - [`judgement`]: comparisons of candidates, and forecasts of a run.
//! - [`run`]: the execution of a job.

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

/// Version of the results: it increases with every change of players or search that changes the outcome of a job,
/// together with the golden runs. A run resumes only under its own version.
pub const VERSION: u64 = 5;
