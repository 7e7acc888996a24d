//! Takes units from the server, as many as there are threads free for.

use crate::server::Connection;
use crate::wire::{WORKERS, store};
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{Consumer, pull};
use futures_util::StreamExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{sleep, timeout};

/// How long the server waits for work before it answers that there is none.
const WAIT: Duration = Duration::from_secs(3);
/// How long to rest after an error.
const REST: Duration = Duration::from_millis(300);
/// Units that take longer than this are not taken before a thread is free for them: others might be.
const LONG: Duration = Duration::from_secs(2);
/// Threads for each unit that is taken ahead.
const AHEAD: usize = 4;

/// How much a worker holds, and may hold.
pub struct Room {
    threads: usize,
    held: AtomicUsize,
    /// Milliseconds that the last unit took.
    last: AtomicU64,
    free: Notify,
}

impl Room {
    /// Room for so many threads.
    pub fn new(threads: usize) -> Self {
        Room { threads, held: AtomicUsize::new(0), last: AtomicU64::new(0), free: Notify::new() }
    }

    /// A unit is held no more; it took so long.
    pub fn release(&self, time: Duration) {
        self.held.fetch_sub(1, Ordering::Relaxed);
        self.last.store(u64::try_from(time.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
        self.free.notify_one();
    }

    fn left(&self) -> usize {
        let is_long = self.last.load(Ordering::Relaxed) > LONG.as_millis() as u64;
        let ahead = if is_long { 0 } else { self.threads.div_ceil(AHEAD) };
        (self.threads + ahead).saturating_sub(self.held.load(Ordering::Relaxed))
    }
}

/// Takes units, for ever; ends when nobody wants them.
pub async fn keep(connection: Connection, session: String, room: Arc<Room>, taken: UnboundedSender<Message>) {
    loop {
        if let Ok(stream) = connection.jetstream.get_stream_no_info(store(&session)).await
            && let Ok(consumer) = stream.get_consumer::<pull::Config>(WORKERS).await
            && !take(&connection, &consumer, &room, &taken).await
        {
            return;
        }
        sleep(REST).await;
    }
}

/// Takes units until there is an error; `false` if nobody wants them.
async fn take(
    connection: &Connection,
    consumer: &Consumer<pull::Config>,
    room: &Room,
    taken: &UnboundedSender<Message>,
) -> bool {
    let mut made = connection.made.clone();
    loop {
        let left = room.left();
        if left == 0 {
            room.free.notified().await;
            continue;
        }
        made.mark_unchanged();
        let Ok(mut batch) = consumer.batch().max_messages(left).expires(WAIT).messages().await else { return true };
        loop {
            let received = tokio::select! {
                received = timeout(WAIT + REST, batch.next()) => received,
                // The server does not know what was asked for over another connection.
                _ = made.changed() => break,
            };
            match received {
                Ok(Some(Ok(message))) => {
                    room.held.fetch_add(1, Ordering::Relaxed);
                    if taken.send(message).is_err() {
                        return false;
                    }
                }
                Ok(Some(Err(_))) => return true,
                Ok(None) => break,
                // Not even an answer that there is nothing: it may be gone.
                Err(_) => return true,
            }
        }
    }
}
