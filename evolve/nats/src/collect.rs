//! Takes outcomes in.

use crate::gate;
use crate::proof::play;
use crate::session::Session;
use crate::wire::{Answer, COORDINATOR, Played, Results, Unit, message, store};
use async_nats::jetstream::consumer::{Consumer, pull};
use evolve_core::problem::STOPPED;
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// Messages asked for at once, and how long the server waits for them.
const BATCH: usize = 256;
const WAIT: Duration = Duration::from_secs(3);
/// How long to rest after an error.
const REST: Duration = Duration::from_millis(300);

/// Takes outcomes in, for ever.
pub async fn keep(session: Arc<Session>) {
    loop {
        let stream = session.network.connection.jetstream.get_stream_no_info(store(&session.network.session)).await;
        if let Ok(stream) = stream
            && let Ok(consumer) = stream.get_consumer::<pull::Config>(COORDINATOR).await
        {
            take(&session, &consumer).await;
        } else if session.network.connection.is_up() {
            let _ = session.network.open().await;
        }
        sleep(REST).await;
    }
}

/// Takes outcomes in until there is an error.
async fn take(session: &Arc<Session>, consumer: &Consumer<pull::Config>) {
    let mut made = session.network.connection.made.clone();
    loop {
        made.mark_unchanged();
        let Ok(mut batch) = consumer.batch().max_messages(BATCH).expires(WAIT).messages().await else { return };
        loop {
            let received = tokio::select! {
                received = timeout(WAIT + REST, batch.next()) => received,
                // The server does not know what was asked for over another connection.
                _ = made.changed() => break,
            };
            match received {
                Ok(Some(Ok(received))) => {
                    if let Some(results) = message::<Results>(&received.payload) {
                        count(session, results).await;
                    } else {
                        session.note("a message that holds no outcomes is ignored");
                    }
                    if received.ack().await.is_err() {
                        return;
                    }
                }
                Ok(Some(Err(_))) => return,
                Ok(None) => break,
                // Not even an answer that there is nothing: it may be gone.
                Err(_) => return,
            }
        }
    }
}

async fn count(session: &Arc<Session>, results: Results) {
    let Results { worker, round, first, results, time } = results;
    {
        let state = &mut *session.state();
        let is_known = state.members.counts(&worker);
        if !is_known || state.board.as_ref().is_none_or(|board| board.round() != round) {
            return;
        }
    }
    let results = check(session, &worker, first, results).await;
    let state = &mut *session.state();
    state.pace.measure(results.len(), time);
    if let Some(board) = state.board.as_mut().filter(|board| board.round() == round) {
        board.fill(first, results);
    }
    session.tell();
}

/// A failure that would end the run is believed only if it happens here as well: no single machine ends a run.
async fn check(session: &Arc<Session>, worker: &str, first: u64, mut results: Vec<Played>) -> Vec<Played> {
    for (i, result) in results.iter_mut().enumerate() {
        let Err(told) = &*result else { continue };
        let told = told.clone();
        let unit = {
            let state = session.state();
            let place = usize::try_from(first).unwrap_or(usize::MAX).saturating_add(i);
            let trial = state.board.as_ref().and_then(|board| board.trial(place));
            let Some((values, trial)) = trial else { continue };
            Unit { round: 0, first: 0, candidates: vec![values.to_vec()], trials: vec![(0, trial.deal)] }
        };
        let job = Arc::clone(&session.job);
        let again = tokio::task::spawn_blocking(move || play(job.source.problem, &job.source.setup, &unit));
        let Ok(Some(again)) = again.await.map(|mut played| played.pop()) else { continue };
        if again.is_ok() {
            let why = format!("a game failed there ({told}) that does not fail where the run is");
            if let Answer::Refused(why) = gate::refuse(session, worker, &why) {
                let to = session.network.subject(&format!("to.{worker}"));
                let _ = session.network.connection.client.publish(to, why.into()).await;
            }
        }
        let is_stopped = again.as_ref().is_err_and(|failure| failure.kind == STOPPED);
        *result = if is_stopped { Err(told) } else { again };
    }
    results
}
