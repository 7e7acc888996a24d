//! The server's side of a session: a stream with the unfinished units, and the consumer that hands them to workers.

use crate::SILENT;
use crate::error::NatsError;
use crate::server::chain;
use crate::wire::{stream, work};
use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::context::{GetStreamErrorKind, PublishError};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, RetentionPolicy, StorageType};
use bytes::Bytes;
use std::time::Duration;

/// Lifetime of unfetched messages, so that the work of a run that dies and is never resumed is deleted.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// Units that workers hold at the same time at most, and requests for units that wait, all together.
const HELD: i64 = 1_000_000;
const WAITING: i64 = 65_536;

/// The server's status for missing items.
const NOT_FOUND: usize = 404;

/// The queue of a session.
#[derive(Clone)]
pub struct Queue {
    jetstream: Context,
    session: String,
}

/// A unit, and what names it in the session.
pub struct Packed {
    /// Names the unit: the server takes one of a name once.
    pub id: String,
    /// The unit.
    pub bytes: Bytes,
}

impl Queue {
    /// The queue of a session.
    pub fn new(jetstream: Context, session: &str) -> Self {
        Queue { jetstream, session: session.to_string() }
    }

    /// Makes the stream and its consumer.
    pub async fn make(&self) -> Result<(), NatsError> {
        let config = Config {
            name: stream(&self.session),
            description: Some("work of an evolve run".to_string()),
            subjects: vec![work(&self.session)],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            max_age: KEPT,
            ..Default::default()
        };
        let made = self.jetstream.create_stream(config).await;
        let made = made
            .map_err(|error| NatsError::Server(format!("the server cannot create a work queue: {}", chain(&error))))?;
        let config = pull::Config {
            durable_name: Some(self.session.clone()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: SILENT,
            max_ack_pending: HELD,
            max_waiting: WAITING,
            ..Default::default()
        };
        let made = made.create_consumer(config).await;
        made.map(drop)
            .map_err(|error| NatsError::Server(format!("the server cannot distribute work: {}", chain(&error))))
    }

    /// Removes it, or what an earlier start of the run left behind.
    pub async fn remove(&self) {
        // If it is not there, so much the better.
        let _ = self.jetstream.delete_stream(stream(&self.session)).await;
    }

    /// Whether the server has no such stream any more.
    pub async fn is_lost(&self) -> bool {
        let found = self.jetstream.get_stream(stream(&self.session)).await;
        found.is_err_and(
            |error| matches!(error.kind(), GetStreamErrorKind::JetStream(error) if error.code() == NOT_FOUND),
        )
    }

    /// Where workers get units from; `None` if the server has lost it, or does not answer.
    pub async fn consumer(&self) -> Option<Consumer<pull::Config>> {
        let stream = self.jetstream.get_stream_no_info(stream(&self.session)).await.ok()?;
        stream.get_consumer(&self.session).await.ok()
    }

    /// Puts units in. After an error all of them can be put in again.
    pub async fn put(&self, units: &[Packed]) -> Result<(), PublishError> {
        let mut sent = Vec::new();
        for unit in units {
            let message = PublishMessage::build().payload(unit.bytes.clone()).message_id(&unit.id);
            sent.push(self.jetstream.send_publish(work(&self.session), message).await?);
        }
        for sent in sent {
            sent.await?;
        }
        Ok(())
    }
}
