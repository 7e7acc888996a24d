//! The server's side of a session: a stream of unfinished units, and the consumer that delivers
//! them to workers.

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

/// The lifetime of messages, after which the server deletes the work of a run that died and was
/// never resumed.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// The largest total numbers of units that workers hold, and of requests for units that wait.
const HELD: i64 = 1_000_000;
const WAITING: i64 = 65_536;

/// The server's status code for missing items.
const NOT_FOUND: usize = 404;

#[derive(Clone)]
pub struct UnitStream {
    jetstream: Context,
    session: String,
}

/// An encoded unit with its identifier.
pub struct Packed {
    /// The identifier of the unit; the server accepts each identifier once.
    pub id: String,
    /// The unit.
    pub bytes: Bytes,
}

impl UnitStream {
    pub fn new(jetstream: Context, session: &str) -> Self {
        UnitStream { jetstream, session: session.to_string() }
    }

    /// Creates the stream and its consumer.
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

    /// Removes the stream, including one that an earlier start of the run left.
    pub async fn remove(&self) {
        // The stream may not exist.
        let _ = self.jetstream.delete_stream(stream(&self.session)).await;
    }

    /// Returns whether the server no longer has the stream.
    pub async fn is_lost(&self) -> bool {
        let found = self.jetstream.get_stream(stream(&self.session)).await;
        found.is_err_and(
            |error| matches!(error.kind(), GetStreamErrorKind::JetStream(error) if error.code() == NOT_FOUND),
        )
    }

    /// Returns the consumer from which workers get units; `None` if the server has lost it, or does
    /// not answer.
    pub async fn consumer(&self) -> Option<Consumer<pull::Config>> {
        let stream = self.jetstream.get_stream_no_info(stream(&self.session)).await.ok()?;
        stream.get_consumer(&self.session).await.ok()
    }

    /// Publishes units. After an error, all of them can be published again.
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
