//! The tuner without games, processes, pictures or a command line.
//!
//! A [`problem::Problem`] is what can be tuned, as data; a [`problem::Session`] is it being played. A [`config::Job`] says
//! what of it to tune, and how. A [`run::Run`] carries that out: it asks an [`optimizer`] for trials, has an [`evaluator`]
//! play them on deals by [`seed`], tells the outcomes back, and at the end says by [`statistics`] whether anything was
//! gained.

#![warn(missing_docs)]

mod candidate;
pub mod comparison;
pub mod config;
pub mod contest;
pub mod document;
pub mod effect;
pub mod evaluator;
pub mod explain;
pub mod export;
pub mod optimizer;
pub mod outlook;
pub mod parameter;
pub mod policy_file;
pub mod problem;
pub mod proof;
pub mod replay;
mod retired;
pub mod run;
pub mod schema;
pub mod seed;
mod session;
pub mod setup;
pub mod source;
pub mod space;
pub mod statistics;
pub mod text;
mod time;
pub mod trial;

pub use parameter::condition;
pub use time::Time;

#[cfg(test)]
mod fixture;

/// The version of what reproduces: raised whenever players or the search change what a job gives, together with the
/// golden runs. A run goes on under its own version alone.
pub const VERSION: u64 = 4;
