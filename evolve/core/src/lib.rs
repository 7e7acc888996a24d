//! The core of the tuner, without games, processes, pictures or a command line.
//!
//! Modules from the bottom up; each one uses only those before it (`document`, `file` and
//! `statistics` are at the bottom):
//!
//! - [`document`]: TOML files deserialized with the place of every fault; [`file`](mod@file):
//!   atomic replacement of files; [`statistics`]: means and intervals; [`shell`]: quotes for a
//!   shell.
//! - [`model`]: problems as data ([`Problem`](model::problem::Problem)), and the sessions that play
//!   them.
//! - [`search`]: optimizers, which ask for trials and receive outcomes; [`evaluator`]: the code
//!   that plays trials.
//! - [`job`]: the problem, its tuned parameters, and the settings of a run.
//! - [`judgement`]: comparisons of candidates, and forecasts of a run.
//! - [`run`]: the execution of a job.

pub mod document;
pub mod evaluator;
pub mod file;
pub mod job;
pub mod judgement;
mod lock;
pub mod model;
pub mod run;
pub mod search;
pub mod shell;
pub mod statistics;

pub use lock::lock;

#[cfg(test)]
mod fixture;

/// The version of the results. It increases with every release whose players or search change the
/// outcome of a job, as the golden runs show. A run resumes only under its own version.
pub const VERSION: u64 = 1;
