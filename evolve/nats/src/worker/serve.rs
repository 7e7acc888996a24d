//! Plays for one session: joins it, shows what it has to, takes units, and hands outcomes in.

use super::crew::{Crew, Done};
use super::report::Reporter;
use super::take::{self, Room};
use crate::Notes;
use crate::digest::Digest;
use crate::machine;
use crate::proof::play;
use crate::server::Connection;
use crate::wire::{Answer, Beat, Build, HERE, Hello, Here, Shown, Unit, bytes, message, subject};
use async_nats::jetstream::{AckKind, Message};
use evolve_core::problem::Problem;
use evolve_core::setup::Setup;
use futures_util::StreamExt;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::{MissedTickBehavior, interval, timeout};

/// A place to play for a session.
pub struct Post {
    /// The connection to the server.
    pub connection: Connection,
    /// The run.
    pub here: Here,
    /// What is played.
    pub problem: &'static dyn Problem,
    /// How.
    pub setup: Arc<Setup>,
    /// Units to play at the same time.
    pub threads: usize,
    /// Raised when the worker is to leave, with what it has begun handed in.
    pub stop: Arc<AtomicBool>,
    /// Raised when what it plays is to be given up.
    pub abandon: Arc<AtomicBool>,
    /// Lines for the user.
    pub notes: Notes,
}

/// How it ended.
pub enum Ended {
    /// It could not begin.
    NotJoined(String),
    /// The coordinator wants nothing of this worker.
    Refused(String),
    /// The run is over, or stopped.
    Over,
    /// The coordinator was not heard of for long.
    Lost,
    /// The worker was asked to leave.
    Stopped,
}

/// How long the coordinator may be silent.
const SILENT: Duration = Duration::from_secs(15);
/// Time from one sign of life to the next.
const BEAT: Duration = Duration::from_secs(1);
/// How long at most until it is looked whether the worker is to leave.
const LOOK: Duration = Duration::from_millis(100);

/// Plays until something ends it.
pub async fn serve(post: Post) -> Ended {
    let worker = name_for(&post.here);
    match come_in(&post, &worker).await {
        Ok(()) => stay(&post, worker).await,
        Err(ended) => ended,
    }
}

/// What names this worker and no other.
fn name_for(here: &Here) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let all = format!("{}\n{}\n{}", machine::process(), here.session, now.as_nanos());
    Digest::of(all.as_bytes()).to_string()[..24].to_string()
}

/// Joins, and shows what has to be shown.
async fn come_in(post: &Post, worker: &str) -> Result<(), Ended> {
    let build = Build::here(post.problem, &post.setup).map_err(Ended::NotJoined)?;
    let hello = Hello { worker: worker.to_string(), name: machine::process(), threads: post.threads as u32, build };
    let mut answer = ask(post, "join", bytes(&hello)).await?;
    if let Answer::Prove(unit) = &answer {
        if !unit.fits(post.problem.parameters().len()) {
            return Err(Ended::NotJoined("its trials do not fit the parameters: use the same build".to_string()));
        }
        let results = tokio::task::block_in_place(|| play(post.problem, &post.setup, unit));
        answer = ask(post, "prove", bytes(&Shown { worker: worker.to_string(), results })).await?;
    }
    match answer {
        Answer::Welcome => Ok(()),
        Answer::Refused(why) => Err(Ended::Refused(why)),
        Answer::Prove(_) => Err(Ended::Lost),
    }
}

async fn ask(post: &Post, what: &str, question: Vec<u8>) -> Result<Answer, Ended> {
    let answer = post.connection.client.request(subject(&post.here.session, what), question.into()).await;
    let answer = answer.map_err(|_| Ended::Lost)?;
    message(&answer.payload).ok_or_else(|| Ended::NotJoined("its messages are of another build".to_string()))
}

/// A unit that is held: its message, so that it can be acknowledged.
type Held = HashMap<u64, Arc<Message>>;

async fn stay(post: &Post, worker: String) -> Ended {
    let Post { connection, here, notes, .. } = post;
    let client = &connection.client;
    let at = |what: &str| subject(&here.session, what);
    let subscriptions = async {
        let announced = client.subscribe(HERE).await?;
        let ends = client.subscribe(at("end")).await?;
        Ok::<_, async_nats::SubscribeError>((announced, ends, client.subscribe(at(&format!("to.{worker}"))).await?))
    };
    let Ok((mut announced, mut ends, mut told)) = subscriptions.await else { return Ended::Lost };
    let (crew, mut finished) = match Crew::start(post.problem, &post.setup, post.threads) {
        Ok(started) => started,
        Err(error) => return Ended::NotJoined(format!("cannot start threads: {error}")),
    };
    let (taken, mut units) = unbounded_channel();
    let (handed, mut handed_in) = unbounded_channel::<u64>();
    let room = Arc::new(Room::new(post.threads));
    let taking = tokio::spawn(take::keep(connection.clone(), here.session.clone(), Arc::clone(&room), taken));
    let reporter = Arc::new(Reporter {
        connection: connection.clone(),
        subject: at("results"),
        worker: worker.clone(),
        over: AtomicBool::new(false),
        notes: Arc::clone(notes),
        told: Mutex::default(),
    });
    notes(&format!("playing for the run {} ({}) on {} threads", here.name, here.problem, post.threads));

    let since = Instant::now();
    let mut heard = Instant::now();
    let mut held = Held::new();
    let mut keys = 0;
    let mut stopping = false;
    let every = |time| {
        let mut tick = interval(time);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        tick
    };
    let (mut beats, mut leases, mut looks) = (every(BEAT), every(here.lease / 3), every(LOOK));
    let beat = |last| {
        let count = crew.count();
        let beat = Beat {
            worker: worker.clone(),
            games: count.games.load(Ordering::Relaxed),
            busy: Duration::from_nanos(count.busy.load(Ordering::Relaxed)),
            since: since.elapsed(),
            last,
        };
        client.publish(at("beat"), bytes(&beat).into())
    };
    let ended = loop {
        tokio::select! {
            Some(unit) = units.recv(), if !stopping => {
                keys += 1;
                match message::<Unit>(&unit.payload).filter(|unit| unit.fits(post.problem.parameters().len())) {
                    Some(work) => {
                        held.insert(keys, Arc::new(unit));
                        crew.give(keys, work);
                    }
                    None => {
                        let _ = unit.ack_with(AckKind::Term).await;
                        room.release(Duration::ZERO);
                        notes("work that cannot be read is left alone");
                    }
                }
            }
            Some(done) = finished.recv() => {
                if let Some(unit) = held.get(&done.key).cloned() {
                    let (reporter, handed, room) = (Arc::clone(&reporter), handed.clone(), Arc::clone(&room));
                    tokio::spawn(async move {
                        let Done { key, time, .. } = done;
                        // The thread is free now; the unit is kept from others until its outcomes are handed in.
                        room.release(time);
                        reporter.report(done, &unit).await;
                        let _ = handed.send(key);
                    });
                }
            }
            Some(key) = handed_in.recv() => {
                held.remove(&key);
            }
            Some(received) = announced.next() => {
                let own = serde_json::from_slice::<Here>(&received.payload);
                if own.is_ok_and(|own| own.session == here.session) {
                    heard = Instant::now();
                }
            }
            Some(_) = ends.next() => break Ended::Over,
            Some(why) = told.next() => break Ended::Refused(String::from_utf8_lossy(&why.payload).into_owned()),
            _ = leases.tick() => {
                for unit in held.values() {
                    let _ = unit.ack_with(AckKind::Progress).await;
                }
            }
            _ = beats.tick() => {
                let _ = beat(false).await;
                if !connection.is_up() {
                    heard = Instant::now();
                }
                if heard.elapsed() > SILENT {
                    break Ended::Lost;
                }
            }
            _ = looks.tick() => {
                if post.stop.load(Ordering::Relaxed) && !stopping {
                    stopping = true;
                    taking.abort();
                    crew.count().quit.store(true, Ordering::Relaxed);
                }
                if stopping && held.is_empty() {
                    break Ended::Stopped;
                }
            }
        }
    };
    taking.abort();
    reporter.over.store(true, Ordering::Relaxed);
    crew.count().quit.store(true, Ordering::Relaxed);
    if !matches!(ended, Ended::Stopped) {
        post.abandon.store(true, Ordering::Relaxed);
    }
    let _ = beat(true).await;
    let _ = timeout(BEAT, client.flush()).await;
    tokio::task::block_in_place(|| drop(crew));
    ended
}
