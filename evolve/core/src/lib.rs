//! The core of the tuner, without games, processes, pictures or a command line. It runs jobs with
//! the optimizers of [`evolve_search`].
//!
//! Modules from the bottom up; each one uses only those before it:
//!
//! - [`names`]: the names in the folder of a run.
//! - [`job`]: the problem, its tuned parameters, and the settings of a run.
//! - [`judgement`]: comparisons of candidates, and forecasts of a run.
//! - [`run`]: the execution of a job.

pub mod job;
pub mod judgement;
pub mod names;
pub mod run;

#[cfg(test)]
mod fixture;

/// The version of the results. It increases with every release whose players or search change the
/// outcome of a job, as the golden runs show. A run resumes only under its own version.
pub const VERSION: u64 = 1;
