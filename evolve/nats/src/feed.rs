//! Hands work out: units into the stream, as many as the workers need to have before them.

use crate::session::Session;
use crate::wire::{Unit, bytes};
use async_nats::jetstream::context::PublishErrorKind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Units that are being sent at the same time.
const SENDING: usize = 64;
/// How long at most until it is looked whether there is something to hand out.
const LOOK: Duration = Duration::from_millis(200);
/// How long to wait after the server did not take a unit.
const REST: Duration = Duration::from_secs(1);
/// How long it goes on until the user is told, and how long until it is told again.
const PATIENCE: Duration = Duration::from_secs(3);
const TOLD: Duration = Duration::from_secs(30);

/// Hands units out, for ever.
pub async fn keep(session: Arc<Session>) {
    let sending = Arc::new(Semaphore::new(SENDING));
    let failing = Arc::new(Failing::default());
    let mut told: Option<Instant> = None;
    loop {
        if !session.network.connection.is_up() {
            sleep(LOOK).await;
            continue;
        }
        if failing.again.swap(false, Ordering::Relaxed) {
            recover(&session, &failing, &mut told).await;
        }
        let purge = std::mem::take(&mut session.state().purge);
        if purge {
            session.network.purge().await;
        }
        let unit = {
            let state = &mut *session.state();
            let threads = state.members.threads();
            // Whoever comes first finds work there already.
            state.board.as_mut().and_then(|board| board.next_unit(&state.pace, threads, Instant::now()))
        };
        let Some(unit) = unit else {
            let _ = timeout(LOOK, session.feed.notified()).await;
            continue;
        };
        let permit = Arc::clone(&sending).acquire_owned().await.expect("it is never closed");
        let (session, failing) = (Arc::clone(&session), Arc::clone(&failing));
        tokio::spawn(async move {
            match send(&session, &unit).await {
                Ok(()) => *failing.since() = None,
                Err(kind) => {
                    if let Some(board) = session.state().board.as_mut().filter(|board| board.round() == unit.round) {
                        board.take_back(&unit);
                    }
                    // Without a connection there is nothing to be told beside that.
                    if kind != PublishErrorKind::BrokenPipe {
                        failing.since().get_or_insert_with(Instant::now);
                        failing.again.store(true, Ordering::Relaxed);
                    }
                }
            }
            drop(permit);
        });
    }
}

async fn send(session: &Session, unit: &Unit) -> Result<(), PublishErrorKind> {
    let jetstream = &session.network.connection.jetstream;
    let sent = jetstream.publish(session.network.subject("work"), bytes(unit).into()).await;
    sent.map_err(|error| error.kind())?.await.map_err(|error| error.kind())?;
    Ok(())
}

/// Units that the server did not take.
#[derive(Default)]
struct Failing {
    /// Whether there was one since it was looked at last.
    again: AtomicBool,
    /// Since when it has taken none.
    since: Mutex<Option<Instant>>,
}

impl Failing {
    fn since(&self) -> MutexGuard<'_, Option<Instant>> {
        self.since.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The server did not take a unit: it may have lost the stream, or have no space.
async fn recover(session: &Session, failing: &Failing, told: &mut Option<Instant>) {
    let opened = session.network.open().await;
    let is_long = failing.since().is_some_and(|since| since.elapsed() > PATIENCE);
    if is_long && session.network.connection.is_up() && told.is_none_or(|told| told.elapsed() > TOLD) {
        *told = Some(Instant::now());
        let why = opened.err().unwrap_or_else(|| "it may have no space left, or its limits are reached".to_string());
        session.note(&format!(
            "the server takes no more work ({why}); the games wait, and nothing is lost; trying again. The server's own log \
             may say more"
        ));
    }
    sleep(REST).await;
}
