//! What a session keeps on the server: a stream with two consumers, and a bucket with the job's files.

use crate::digest::Digest;
use crate::files::{self, Manifest};
use crate::server::{Connection, chain};
use crate::wire::{COORDINATOR, PREFIX, WORKERS, store, subject};
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::object_store;
use async_nats::jetstream::stream::{self, RetentionPolicy, StorageType};
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;

/// How long what nobody fetches is kept: if a coordinator dies and is never resumed, its work does not lie there for ever.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// Units that workers hold at the same time at most, all together.
const HELD: i64 = 1_000_000;

/// What is kept of a session.
#[derive(Clone)]
pub struct Network {
    /// The connection to the server.
    pub connection: Connection,
    /// The name of the session.
    pub session: String,
    /// How long a worker may be silent about a unit.
    pub lease: Duration,
    /// What workers get of the job.
    pub manifest: Arc<Manifest>,
}

impl Network {
    /// The subject of a session.
    pub fn subject(&self, what: &str) -> String {
        subject(&self.session, what)
    }

    /// Makes the stream and its consumers, and sends the job's files, as far as they are not there; gives the hash of their
    /// list.
    pub async fn open(&self) -> Result<Digest, String> {
        let stream = stream::Config {
            name: store(&self.session),
            description: Some("work and outcomes of an evolve run".to_string()),
            subjects: vec![self.subject("work"), self.subject("results")],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            max_age: KEPT,
            ..Default::default()
        };
        let stream = self.connection.jetstream.get_or_create_stream(stream).await;
        let stream = stream.map_err(|error| format!("the server cannot keep a queue of work: {}", chain(&error)))?;
        for (name, what) in [(WORKERS, "work"), (COORDINATOR, "results")] {
            let consumer = pull::Config {
                durable_name: Some(name.to_string()),
                filter_subject: self.subject(what),
                ack_policy: AckPolicy::Explicit,
                ack_wait: self.lease,
                max_ack_pending: HELD,
                max_waiting: 16_384,
                ..Default::default()
            };
            let made = stream.get_or_create_consumer(name, consumer).await;
            made.map_err(|error| format!("the server cannot share work out: {}", chain(&error)))?;
        }
        self.send().await
    }

    async fn send(&self) -> Result<Digest, String> {
        let name = store(&self.session);
        let bucket = match self.connection.jetstream.get_object_store(&name).await {
            Ok(bucket) => bucket,
            Err(_) => {
                let bucket = object_store::Config { bucket: name, storage: StorageType::File, ..Default::default() };
                let made = self.connection.jetstream.create_object_store(bucket).await;
                made.map_err(|error| format!("the server cannot keep the job's files: {}", chain(&error)))?
            }
        };
        files::send(&bucket, &self.manifest).await
    }

    /// Removes work that nobody needs any more.
    pub async fn purge(&self) {
        if let Ok(stream) = self.connection.jetstream.get_stream_no_info(store(&self.session)).await {
            let _ = stream.purge().filter(self.subject("work")).await;
        }
    }

    /// Whether the server has nothing to hand out and nobody holds anything.
    pub async fn is_idle(&self) -> Option<bool> {
        let stream = self.connection.jetstream.get_stream_no_info(store(&self.session)).await.ok()?;
        let info = stream.consumer_info(WORKERS).await.ok()?;
        Some(info.num_pending == 0 && info.num_ack_pending == 0)
    }

    /// Removes all that is kept of the session.
    pub async fn close(&self) {
        remove(&self.connection, &self.session).await;
    }

    /// Removes what earlier starts of the same run left behind: `run` begins their names.
    pub async fn close_earlier(&self, run: &str) {
        let mut names = self.connection.jetstream.stream_names();
        let mut earlier = Vec::new();
        while let Some(Ok(name)) = names.next().await {
            let session = name.strip_prefix("OBJ_").unwrap_or(&name).strip_prefix(PREFIX).unwrap_or_default();
            if session.starts_with(run) && session != self.session {
                earlier.push(session.to_string());
            }
        }
        for session in earlier {
            remove(&self.connection, &session).await;
        }
    }
}

async fn remove(connection: &Connection, session: &str) {
    // Workers of an earlier start need not wait until they miss it.
    let _ = connection.client.publish(subject(session, "end"), "".into()).await;
    // Whoever is still at them hears that they are gone; there is nobody to tell of an error.
    let _ = connection.jetstream.delete_stream(store(session)).await;
    let _ = connection.jetstream.delete_object_store(store(session)).await;
}
