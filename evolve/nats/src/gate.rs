//! How workers come in: the run is announced, they say who they are, and show what they have to.

use crate::session::Session;
use crate::wire::{Answer, HERE, Hello, Refusal, Shown, WHO, bytes, message};
use async_nats::Subscriber;
use futures_util::StreamExt;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

/// Time from one announcement to the next.
const ANNOUNCED: Duration = Duration::from_secs(1);
/// Trials that one worker plays at the same time at most, as far as is believed.
const MOST_THREADS: u32 = 4096;
/// Messages of workers that do not join that are shown.
const SHOWN: usize = 100;

/// Announces the run, and lets workers in, for ever.
pub async fn keep(session: Arc<Session>) -> Result<(), async_nats::SubscribeError> {
    let client = session.network.connection.client.clone();
    let mut asked = client.subscribe(WHO).await?;
    let mut joins = client.subscribe(session.network.subject("join")).await?;
    let mut shown = client.subscribe(session.network.subject("prove")).await?;
    let mut refusals = client.subscribe(session.network.subject("refuse")).await?;
    let mut told = BTreeSet::new();
    let mut tick = interval(ANNOUNCED);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => announce(&session).await,
            Some(_) = asked.next() => announce(&session).await,
            Some(received) = next(&mut joins) => {
                let answer = message(&received.payload).map(|hello| join(&session, &hello));
                reply(&session, received, answer).await;
            }
            Some(received) = next(&mut shown) => {
                let answer = message(&received.payload).map(|shown| prove(&session, &shown));
                reply(&session, received, answer).await;
            }
            Some(received) = next(&mut refusals) => {
                if let Ok(Refusal { name, message }) = serde_json::from_slice(&received.payload)
                    && told.len() < SHOWN
                    && told.insert((name.clone(), message.clone()))
                {
                    session.note(&format!("worker {name} does not join: {message}"));
                }
            }
        }
    }
}

async fn next(subscriber: &mut Subscriber) -> Option<async_nats::Message> {
    subscriber.next().await
}

async fn announce(session: &Session) {
    let here = serde_json::to_vec(&session.here()).expect("an announcement has a JSON form");
    let _ = session.network.connection.client.publish(HERE, here.into()).await;
}

async fn reply(session: &Session, received: async_nats::Message, answer: Option<Answer>) {
    let answer = answer.unwrap_or_else(|| Answer::Refused("its messages are of another build".to_string()));
    if let Some(to) = received.reply {
        let _ = session.network.connection.client.publish(to, bytes(&answer).into()).await;
    }
}

fn join(session: &Session, hello: &Hello) -> Answer {
    let by_trials = !session.proof.results.is_empty();
    let mut hello = hello.clone();
    hello.threads = hello.threads.clamp(1, MOST_THREADS);
    session.state().members.hello(&hello);
    if let Some(why) = session.build.refusal(&hello.build, by_trials, session.is_program) {
        return refuse(session, &hello.worker, &why);
    }
    match by_trials {
        true => Answer::Prove(session.proof.unit.clone()),
        false => accept(session, &hello.worker),
    }
}

fn prove(session: &Session, shown: &Shown) -> Answer {
    if session.proof.holds(&shown.results) {
        return accept(session, &shown.worker);
    }
    let differ = "it plays otherwise: trials that both have played had other outcomes there. It may be another build, or \
                  another version of something that the job's program needs";
    refuse(session, &shown.worker, differ)
}

fn accept(session: &Session, worker: &str) -> Answer {
    let mut state = session.state();
    state.members.accept(worker);
    let (name, count, threads) = (state.members.name(worker), state.members.count(), state.members.threads());
    drop(state);
    let (s, t) = (if count == 1 { "" } else { "s" }, if threads == 1 { "" } else { "s" });
    session.note(&format!("worker {name} has joined: {count} worker{s}, {threads} thread{t}"));
    session.tell();
    Answer::Welcome
}

/// Refuses a worker, now or later.
pub fn refuse(session: &Session, worker: &str, why: &str) -> Answer {
    let mut state = session.state();
    state.members.refuse(worker);
    let name = state.members.name(worker);
    drop(state);
    session.note(&format!("worker {name} is refused: {why}"));
    session.tell();
    Answer::Refused(why.to_string())
}
