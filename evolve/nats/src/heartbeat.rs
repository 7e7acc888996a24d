//! Who is still there, what is lost, and what others can see of it.

use crate::session::Session;
use crate::wire::{Beat, message};
use evolve_core::run::workers;
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::{MissedTickBehavior, interval};

/// Time from one look at all workers to the next.
const LOOK: Duration = Duration::from_secs(1);
/// How long a worker may be silent before it is given up. Its work is given to others by the lease.
pub const SILENT: Duration = Duration::from_secs(6);
/// Looks from one question to the server whether anything is lost to the next.
const ASKED: u64 = 5;

/// What is said of a server that is connected and does nothing.
const MUTE: &str = "the server does not answer: its disk may be full. Make space and restart it; the games wait, and nothing \
                    is lost";

/// Listens to signs of life, for ever.
pub async fn keep(session: Arc<Session>) -> Result<(), async_nats::SubscribeError> {
    let client = session.network.connection.client.clone();
    let mut beats = client.subscribe(session.network.subject("beat")).await?;
    let mut tick = interval(LOOK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut looks = 0;
    let mut up = Instant::now();
    loop {
        tokio::select! {
            Some(received) = beats.next() => {
                if let Some(beat) = message::<Beat>(&received.payload) {
                    let turned = session.state().members.beat(&beat);
                    if let Some(name) = turned {
                        session.note(&format!("worker {name} {}", if beat.last { "has left" } else { "is back" }));
                    }
                    session.feed.notify_one();
                }
            }
            _ = tick.tick() => {
                looks += 1;
                if !session.network.connection.is_up() {
                    up = Instant::now();
                }
                // While there was no connection, or no server behind it, nobody could be heard.
                let is_silent = up.elapsed() > SILENT && session.state().members.any_silent(SILENT);
                if is_silent && !session.network.connection.answers().await {
                    up = Instant::now();
                    session.note(MUTE);
                } else if is_silent {
                    give_up(&session);
                }
                if looks % ASKED == 0 {
                    find_lost(&session).await;
                }
                list(&session).await;
            }
        }
    }
}

fn give_up(session: &Session) {
    let lost = session.state().members.give_up(SILENT);
    for name in lost {
        session.note(&format!("worker {name} was not heard of for {} s; others play its games", SILENT.as_secs()));
    }
}

/// Where the server has nothing and nobody holds anything, what is still open was lost with the server's files.
async fn find_lost(session: &Session) {
    let before = Instant::now();
    if session.network.is_idle().await == Some(true) {
        let state = &mut *session.state();
        let since = session.network.lease + before.elapsed();
        if let Some(board) = &mut state.board {
            board.lost(since, Instant::now());
        }
        session.feed.notify_one();
    }
}

/// Writes who plays into the folder of the run.
async fn list(session: &Arc<Session>) {
    let listing = session.state().members.listing();
    if listing.is_empty() || !session.folder.is_dir() {
        return;
    }
    let folder = session.folder.clone();
    // Nothing depends on it, so that an error is told by its absence.
    let _ = tokio::task::spawn_blocking(move || workers::write(&folder, &listing)).await;
}
