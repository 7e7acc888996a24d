//! Trials played on many machines: an [`Evaluator`](evolve_core::evaluator::Evaluator) that shares them out through a
//! NATS server with JetStream, and the workers that play them.
//!
//! A run that coordinates makes one stream on the server, a work queue in file storage. Into it go units of work
//! ([`wire::Unit`]): trials in the order of the run, with their candidates. A worker takes a unit, says that it is still
//! at it for as long as it plays, sends the outcomes into the same stream, and acknowledges the unit. What is not
//! acknowledged within its lease is given to another. Outcomes are named by their trials, so that those that come twice
//! do no harm, and the run gets them in the order of its trials: the same bytes as on one thread.
//!
//! Before anything of a worker counts it is held to the version of what reproduces, to the job's files by their hashes,
//! and to trials whose outcomes the coordinator knows ([`proof`]).
//!
//! The async runtime lives in threads of this crate; its face is synchronous.

mod board;
mod collect;
mod coordinator;
mod digest;
mod evaluator;
mod feed;
mod files;
mod gate;
mod heartbeat;
mod machine;
mod members;
mod network;
mod pace;
pub mod proof;
mod server;
mod session;
mod wait;
pub mod wire;
mod worker;

pub use coordinator::{Offer, Options};
pub use evaluator::Nats;
pub use files::Sent;
pub use server::Server;
pub use worker::{Found, Host, join};

use std::sync::Arc;

/// Where a line for a person goes.
pub type Notes = Arc<dyn Fn(&str) + Send + Sync>;
