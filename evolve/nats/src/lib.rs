//! Trials on many machines: an [`Evaluator`](evolve_core::evaluator::Evaluator) that distributes them through a NATS
//! server with JetStream, and the workers that play them.
//!
//! A run makes one stream on the server, a work queue in file storage, and cuts every round into units of a few trials
//! ([`wire::Unit`]). A worker takes a unit, reports progress to the server while it plays, sends the outcomes to the
//! run, and acknowledges the unit once the run has them. The server delivers unacknowledged units again, to this worker
//! or another. Outcomes carry the indices of their trials, so duplicates do no harm, and the run processes them in
//! trial order: the same bytes as on one thread.
//!
//! A worker joins a run only if it is of the same version and reads the same problem from the job ([`build`]).
//!
//! The async runtime lives in threads of this crate; its interface is synchronous.

pub mod build;
mod coordinator;
mod digest;
mod error;
mod machine;
mod members;
mod offer;
mod play;
mod queue;
mod round;
mod server;
mod session;
pub mod wire;
mod worker;

pub use coordinator::{Nats, Options};
pub use error::NatsError;
pub use offer::{Offer, Sent};
pub use server::Server;
pub use worker::{Found, Host, join};

use std::time::Duration;

/// How long one side may be silent: then the server gives a worker's units to others, the run counts the worker no more,
/// and a worker looks for another run.
const SILENT: Duration = Duration::from_secs(6);
/// Time from one sign of life to the next.
const BEAT: Duration = Duration::from_secs(1);
/// How long to rest after the server, or the other side, did not take something.
const REST: Duration = Duration::from_secs(1);
