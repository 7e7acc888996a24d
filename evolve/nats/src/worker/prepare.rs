//! Fetches a job and prepares it for play.

use super::{Ended, ReceivedJob, WorkerOptions};
use crate::build::Build;
use crate::digest::Digest;
use crate::error::NatsError;
use crate::machine;
use crate::offer::Offer;
use crate::server::Connection;
use crate::wire::{self, Here, Letter, Says, letters, message};
use evolve_core::job::Job;
use evolve_search::evaluator::Opened;
use evolve_search::model::problem::{Context, StopFlags};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// A job that is ready to be played.
pub struct Prepared {
    pub opened: Arc<Opened>,
    /// A flag that aborts the current trials.
    pub abandon: Arc<AtomicBool>,
    /// The folder with the files of the job's program, kept while it is played.
    _folder: Option<TempDir>,
}

/// Prepares the job of a run. A program gets its own folder, which becomes the current one.
pub async fn prepare(
    connection: &Connection,
    here: &Here,
    host: &WorkerOptions,
    read: &impl Fn(&ReceivedJob<'_>) -> Result<Job, NatsError>,
) -> Result<Prepared, Ended> {
    if here.is_program && !host.allow_programs {
        let why = "its job contains a program; start the worker with --allow-programs if you trust everyone who can \
            start runs there";
        return Err(Ended::Refused(why.to_string()));
    }
    let offer = fetch(connection, here).await?;
    tokio::task::block_in_place(|| ready(&offer, here, host, read)).map_err(|error| Ended::Refused(error.to_string()))
}

/// Fetches the offer of the run.
async fn fetch(connection: &Connection, here: &Here) -> Result<Offer, Ended> {
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < here.size {
        let letter = Letter { worker: machine::process(), says: Says::Wants(bytes.len() as u64) };
        let part = connection.client.request(letters(&here.session), wire::bytes(&letter)).await;
        // The run may announce itself again later.
        let part = part.map_err(|_| Ended::Lost)?;
        if part.payload.is_empty() {
            return Err(Ended::Lost);
        }
        bytes.extend_from_slice(&part.payload);
    }
    let offer = message(&bytes).filter(|_| Digest::of(&bytes) == here.offer);
    offer.ok_or_else(|| Ended::Refused("its job does not match its announcement".to_string()))
}

fn ready(
    offer: &Offer,
    here: &Here,
    host: &WorkerOptions,
    read: &impl Fn(&ReceivedJob<'_>) -> Result<Job, NatsError>,
) -> Result<Prepared, NatsError> {
    let mut folder = None;
    if here.is_program {
        let own =
            TempDir::new().map_err(|error| NatsError::Machine(format!("cannot create a temporary folder: {error}")))?;
        offer.unpack(own.path())?;
        std::env::set_current_dir(own.path())
            .map_err(|error| NatsError::Machine(format!("{}: {error}", own.path().display())))?;
        folder = Some(own);
    }
    is_plain(&offer.job)?;
    let job = read(&ReceivedJob { job: &offer.job, is_program: here.is_program })?;
    let problem = &*job.problem;
    if let Some(why) = here.build.refusal(&Build::here(problem, here.is_program)?) {
        return Err(NatsError::Job(why));
    }
    let abandon = Arc::new(AtomicBool::new(false));
    let context = Context { stop: StopFlags::all(&abandon), ..host.context.clone() };
    let opened = Opened::open(problem, context).map_err(|error| NatsError::Job(error.to_string()))?;
    Ok(Prepared { opened: Arc::new(opened), abandon, _folder: folder })
}

/// Checks that a received job refers to no file of weights, because a resolved job contains them.
fn is_plain(job: &str) -> Result<(), NatsError> {
    let table: toml::Table = job.parse().map_err(|_| NatsError::Job("the received job is not TOML".to_string()))?;
    let start = table.get("weights").and_then(|weights| weights.get("start"));
    match start {
        None => Ok(()),
        Some(start) if start.as_str() == Some("defaults") => Ok(()),
        Some(_) => Err(NatsError::Job("the received job names a weights file".to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn received_jobs_read_no_files() {
        is_plain("[weights]\nstart = \"defaults\"\n").unwrap();
        is_plain("seed = 1\n").unwrap();
        assert!(is_plain("[weights]\nstart = \"/etc/passwd\"\n").is_err());
        assert!(is_plain("[weights").is_err());
    }
}
