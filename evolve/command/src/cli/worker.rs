//! `evolve worker`.

use super::Outcome;
use super::machines::Access;
use clap::builder::TypedValueParser;
use std::time::Duration;

/// Play trials for runs on other machines, until stopped
///
/// Joins runs that `evolve run --server` starts at the same NATS server, one after another. You can
/// start, stop and kill a worker at any time: other workers play its unfinished trials. A worker
/// must have the same version as the run; it reports runs of other versions.
///
/// A worker executes the programs of jobs only with --allow-programs. After Ctrl-C or SIGTERM, it
/// finishes the trials in progress; after a second one, it stops at once. The exit status is 0
/// after Ctrl-C, SIGTERM or --idle-timeout.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve worker --server nats://head:4222
  evolve worker --server tls://head:4222 --creds worker.creds --parallel 8
  srun --ntasks=20 evolve worker --server nats://head:4222 --allow-programs")]
pub struct Args {
    /// The NATS server
    #[arg(long, value_name = "URL")]
    server: String,

    /// Number of parallel trials; 0: one for each core
    #[arg(short = 'j', long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    parallel: usize,

    /// Execute the programs of jobs, so that anyone who can start a run on the server can execute
    /// code on this machine
    #[arg(long)]
    allow_programs: bool,

    /// Stop after this time without work
    #[arg(long, value_name = "DURATION", value_parser = idle())]
    idle_timeout: Option<Duration>,

    #[command(flatten)]
    access: Access,
}

/// Parses a duration from half a second to a day.
fn idle() -> impl TypedValueParser<Value = Duration> {
    clap::builder::StringValueParser::new().try_map(|text| match humantime::parse_duration(&text) {
        Ok(time) if time >= Duration::from_millis(500) && time <= Duration::from_secs(86_400) => Ok(time),
        Ok(_) => Err("from 500ms to 1d".to_string()),
        Err(error) => Err(error.to_string()),
    })
}

impl Args {
    /// Explains that this build has no workers.
    #[cfg(not(feature = "nats"))]
    pub fn run(self) -> Outcome {
        Err(super::machines::without())
    }

    /// Plays until the worker is stopped.
    #[cfg(feature = "nats")]
    pub fn run(self) -> Outcome {
        use super::progress::say;
        use super::{catalogue, context, interrupt};
        use evolve_core::job::Job;
        use evolve_search::document::Document;
        use evolve_search::model::problem::Notes;
        use std::path::Path;
        use std::process::ExitCode;

        let server = self.access.server(&self.server);
        server.check()?;
        let host = evolve_nats::WorkerOptions {
            threads: self.parallel,
            allow_programs: self.allow_programs,
            idle: self.idle_timeout,
            context: context(),
            stop: interrupt::patient_flag(|| say("leaving after the trials in progress; again to leave at once"))?,
            notes: Notes::new(say),
        };
        let read = |found: &evolve_nats::ReceivedJob<'_>| {
            let known = if found.is_program { catalogue().clone() } else { catalogue().without_declared() };
            let document = Document::new(Path::new("the job that was received"), found.job.to_string());
            Job::parse(&document, &known).map_err(|fault| evolve_nats::NatsError::Job(fault.to_string()))
        };
        evolve_nats::join(&server, &host, read)?;
        Ok(ExitCode::SUCCESS)
    }
}
