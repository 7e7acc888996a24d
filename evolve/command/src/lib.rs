//! `evolve`, a heuristic tuner: the entry point of the library.
//!
//! [`core`] contains the tuner itself, and [`games`] the built-in games, which are
//! [contests](contest). A program with its own [`Problem`] gets the whole command line from
//! [`cli::main`].

#![warn(missing_docs)]

pub use evolve_contest as contest;
pub use evolve_core as core;
pub use evolve_core::job::{Game, Nothing};
pub use evolve_games as games;
pub use evolve_judge as judge;
pub use evolve_report as report;
pub use evolve_search as search;
pub use evolve_search::model::parameter::Parameter;
pub use evolve_search::model::problem::{
    Candidate, Contender, Context, OpenError, Player, Problem, Remembering, Session, session,
};
pub use evolve_search::model::trial::{Case, Failure, FailureKind, Metrics, Outcome, PlayError};

pub mod cli;
mod lineage;
pub mod watch;
