//! Problems as data, and the search for better values of their parameters.
//!
//! Modules from the bottom up; each one uses only those before it:
//!
//! - [`document`]: TOML files deserialized with the place of every fault; [`file`](mod@file):
//!   atomic replacement of files; [`statistics`]: means and intervals; [`shell`]: quotes for a
//!   shell.
//! - [`model`]: parameters, problems ([`Problem`](model::problem::Problem)), and the sessions that
//!   play their trials.
//! - [`optimizer`]: optimizers, which ask for trials and receive outcomes; [`evaluator`]: the code
//!   that plays trials.

pub mod document;
pub mod evaluator;
pub mod file;
mod lock;
pub mod model;
pub mod optimizer;
pub mod shell;
pub mod statistics;
#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub mod testing;

pub use lock::lock;
