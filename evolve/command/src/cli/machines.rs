//! The evaluators of a run: threads of this process, or workers on any number of machines.

use super::Failure;
use evolve_core::job::Job;
use evolve_search::evaluator::{Evaluator, Threads};
use evolve_search::file::slashed;
use evolve_search::model::problem::{Context, Notes};
use evolve_search::shell::shell_word;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
#[cfg(feature = "nats")]
use {evolve_nats::NatsError, evolve_search::model::problem::Input, std::collections::BTreeMap};

/// Arguments that name workers.
#[derive(Clone, Debug, clap::Args)]
pub struct Machines {
    /// Play the trials on the workers of this NATS server
    #[arg(long, value_name = "URL")]
    server: Option<String>,

    /// Also send this file or folder to the workers
    #[arg(long, value_name = "PATH", requires = "server")]
    send: Vec<PathBuf>,

    #[command(flatten)]
    access: Access,
}

/// Arguments that open a NATS server.
#[derive(Clone, Debug, clap::Args)]
pub struct Access {
    /// Credentials file of a NATS user
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
}

/// The evaluator of a run.
pub enum Playing {
    /// Threads of this process.
    Here(Threads),
    /// Workers.
    #[cfg(feature = "nats")]
    There(Box<evolve_nats::Nats>),
}

impl Machines {
    /// Returns whether workers play the trials.
    pub fn are_there(&self) -> bool {
        self.server.is_some()
    }

    /// Returns the flags that a command needs to resume the run in the same way.
    pub fn again(&self) -> String {
        let mut again: String = self.server.iter().map(|url| format!(" --server {}", self.access.shown(url))).collect();
        let files = self.send.iter().map(|path| ("--send", path));
        for (option, path) in files.chain(self.access.creds.iter().map(|path| ("--creds", path))) {
            again += &format!(" {option} {}", shell_word(&slashed(path)));
        }
        again
    }

    /// Opens the evaluator of a job, with `threads` as the user gave them.
    pub fn playing(
        &self,
        job: &Job,
        threads: Option<usize>,
        stop: &Arc<AtomicBool>,
        context: Context,
        notes: Notes,
    ) -> Result<Playing, Failure> {
        match &self.server {
            // By default, one for each core.
            None => Ok(Playing::Here(Threads::open(&*job.problem, threads.unwrap_or(0), context)?)),
            Some(url) if threads.is_some() => Err(Failure::Usage(format!(
                "--parallel: with --server this process plays no trials; start a worker here as well: evolve worker \
                    --server {url} --parallel NUMBER"
            ))),
            Some(url) => self.there(url, job, stop, context, notes),
        }
    }

    #[cfg(not(feature = "nats"))]
    fn there(&self, _: &str, _: &Job, _: &Arc<AtomicBool>, _: Context, _: Notes) -> Result<Playing, Failure> {
        Err(without())
    }

    #[cfg(feature = "nats")]
    fn there(
        &self,
        url: &str,
        job: &Job,
        stop: &Arc<AtomicBool>,
        context: Context,
        notes: Notes,
    ) -> Result<Playing, Failure> {
        let options = evolve_nats::Options { server: self.access.server(url), stop: Arc::clone(stop), notes };
        options.server.check()?;
        let nats = evolve_nats::Nats::open(job, options, context, |inputs| offer(job, &self.send, inputs))?;
        Ok(Playing::There(Box::new(nats)))
    }
}

/// Returns the failure of a build without this feature.
#[cfg(not(feature = "nats"))]
pub fn without() -> Failure {
    Failure::Usage(
        "this build supports only one machine; for many machines, build it with the feature `nats`: cargo install \
            --path evolve/command --features nats"
            .to_string(),
    )
}

#[cfg(feature = "nats")]
impl Access {
    /// Returns the server with this address.
    pub fn server(&self, url: &str) -> evolve_nats::Server {
        evolve_nats::Server { url: url.to_string(), creds: self.creds.clone() }
    }

    /// Returns the address without credentials.
    fn shown(&self, url: &str) -> String {
        self.server(url).with_credentials("...@")
    }
}

#[cfg(not(feature = "nats"))]
impl Access {
    /// Returns no address, because without this feature no run has one.
    fn shown(&self, _: &str) -> String {
        String::new()
    }
}

/// Returns the offer to workers: the job, and the files of its program as built here, which are
/// among the inputs.
#[cfg(feature = "nats")]
fn offer(job: &Job, more: &[PathBuf], inputs: &[Input]) -> Result<evolve_nats::Offer, NatsError> {
    let Some(program) = evolve_program::Program::of(&*job.problem) else {
        return match more {
            [] => Ok(evolve_nats::Offer { job: job.to_toml(), ..Default::default() }),
            _ => Err(NatsError::Usage("--send: only jobs with a [program] need files".to_string())),
        };
    };
    let mut built = job.clone();
    built.problem = Arc::new(program.as_built());
    let mut paths = program.sent().map_err(|error| NatsError::Job(error.to_string()))?;
    for path in more {
        walk(path, &mut paths)?;
    }
    let copies: BTreeMap<PathBuf, &Path> =
        inputs.iter().filter_map(|input| Some((PathBuf::from(&input.path), input.copy.as_deref()?))).collect();
    paths.extend(copies.keys().cloned());
    paths.sort();
    paths.dedup();
    let sent = |path: &PathBuf| evolve_nats::Sent::new(path, copies.get(path).copied());
    let files = paths.iter().map(sent).collect::<Result<_, _>>()?;
    Ok(evolve_nats::Offer { job: built.to_toml(), files, is_program: true })
}

/// Collects a file, or all files in a folder.
#[cfg(feature = "nats")]
fn walk(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), NatsError> {
    let unreadable = |error: std::io::Error| NatsError::Usage(format!("--send {}: {error}", path.display()));
    if !std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        walk(&entry.map_err(unreadable)?.path(), files)?;
    }
    Ok(())
}

impl Playing {
    /// Returns whether this process plays all games.
    pub fn is_here(&self) -> bool {
        matches!(self, Playing::Here(_))
    }

    pub fn evaluator(&self) -> &dyn Evaluator {
        match self {
            Playing::Here(threads) => threads,
            #[cfg(feature = "nats")]
            Playing::There(nats) => nats.as_ref(),
        }
    }

    /// Starts to play for the run in a folder, which this process has locked.
    pub fn begin(&self, _folder: &Path) -> Result<(), Failure> {
        match self {
            Playing::Here(_) => Ok(()),
            #[cfg(feature = "nats")]
            Playing::There(nats) => Ok(nats.begin(_folder)?),
        }
    }
}

#[cfg(all(test, feature = "nats"))]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_run_names_every_server_without_its_credentials() {
        for (url, shown) in [
            ("nats://host:4222", "nats://host:4222"),
            ("nats://me:secret@host", "nats://...@host"),
            ("nats://a:b@one:1,tls://c@two:2", "nats://...@one:1,tls://...@two:2"),
            ("a@x,b@y", "...@x,...@y"),
        ] {
            let access = Access { creds: None };
            let machines = Machines { server: Some(url.to_string()), send: Vec::new(), access };
            assert_eq!(machines.again(), format!(" --server {shown}"));
        }
    }
}
