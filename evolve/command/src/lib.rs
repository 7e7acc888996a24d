//! `evolve`, a heuristic tuner: the front of the library.
//!
//! Tuning itself is in [`core`], the games that come with it in [`games`]. A program with a [`Problem`] of its own gets
//! the whole command line from [`cli::main`].

pub use evolve_core as core;
pub use evolve_core::model::parameter::Parameter;
pub use evolve_core::model::problem::{
    Candidate, Contender, Context, OpenError, Player, Problem, Remembering, Session, session,
};
pub use evolve_core::model::setup::Setup;
pub use evolve_core::model::trial::{Deal, Failure, Metrics, Outcome, PlayError};
pub use evolve_games as games;
pub use evolve_judge as judge;
pub use evolve_report as report;

pub mod cli;
pub mod watch;
