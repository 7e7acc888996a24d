//! `evolve`, a heuristic tuner: the library's front.
//!
//! Tuning itself is in [`core`], the games that come with it in [`games`]. A program of one's own that has a
//! [`Problem`] gets the whole command line by one line, [`cli::main`].

pub use evolve_core as core;
pub use evolve_core::parameter::Parameter;
pub use evolve_core::problem::{
    Candidate, Contender, Context, OpenError, Player, Problem, Remembering, Session, session,
};
pub use evolve_core::setup::Setup;
pub use evolve_core::trial::{Deal, Failure, Outcome, PlayError};
pub use evolve_games as games;
pub use evolve_report as report;

pub mod cli;
pub mod judge;
pub mod watch;
