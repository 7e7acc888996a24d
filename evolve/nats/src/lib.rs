//! Trials on many machines: an [`Evaluator`](evolve_search::evaluator::Evaluator) that distributes
//! them through a NATS server with JetStream, and the workers that play them.
//!
//! A run creates one stream on the server, a work queue in file storage, and cuts every round into
//! units of a few trials ([`wire::Unit`]). A worker takes a unit, reports progress to the server
//! while it plays, sends the outcomes to the run, and acknowledges the unit once the run has them.
//! The server delivers unacknowledged units again, to any worker. Outcomes carry the indices of
//! their trials, so duplicates do no harm, and the run processes them in trial order: the result
//! has the same bytes as on one thread.
//!
//! A worker joins a run only if it has the same version and reads the same problem from the job
//! ([`build`]).
//!
//! The async runtime lives in threads of this crate; the interface is synchronous.

pub mod build;
mod coordinator;
mod digest;
mod error;
mod machine;
mod members;
mod offer;
mod play;
mod queue;
mod server;
mod session;
mod units;
pub mod wire;
mod worker;

pub use coordinator::{Nats, Options};
pub use error::NatsError;
pub use offer::{Offer, Sent};
pub use server::Server;
pub use worker::{ReceivedJob, WorkerOptions, join};

use std::time::Duration;

/// How long one side may be silent. After that, the server gives a worker's units to others, the
/// run no longer counts the worker, and a worker looks for another run.
const SILENT: Duration = Duration::from_secs(6);
/// The interval between signs of life.
const BEAT: Duration = Duration::from_secs(1);
/// The pause after the server, or the other side, did not accept a message.
const REST: Duration = Duration::from_secs(1);
