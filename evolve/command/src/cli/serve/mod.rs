//! `evolve serve`.

mod request;
mod study;
mod told;

use super::failure::INTERRUPTED;
use super::{Failure, Outcome, interrupt};
use request::{Request, ServeError};
use serde_json::{Value, json};
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, SyncSender};
use std::thread;
use study::Study;

/// Tune a function in another process, over JSON lines on standard input and output
///
/// The other process requests trials, plays them and reports their scores. The run writes the same
/// files as any other run, and has the same test and report. The Python package `evolve_tuner` uses
/// this protocol; docs/serve.md describes it.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// An event that wakes the main thread.
enum Event {
    Line(Vec<u8>),
    End(io::Result<()>),
    /// SIGINT or SIGTERM.
    Interruption,
}

/// The number of lines that are read ahead.
const AHEAD: usize = 16;

impl Args {
    pub fn run(self) -> Outcome {
        let (events, next) = mpsc::sync_channel(AHEAD);
        let interruption = events.clone();
        // If the queue is full, its next line ends the wait.
        let is_interrupted = interrupt::patient_flag(move || drop(interruption.try_send(Event::Interruption)))?;
        thread::spawn(move || read(&events));
        let mut study: Option<Study> = None;
        let ending = loop {
            let event = next.recv().unwrap_or(Event::Interruption);
            if is_interrupted.load(Ordering::Relaxed) {
                break Ok(ExitCode::from(INTERRUPTED));
            }
            match event {
                Event::Line(line) if line.trim_ascii().is_empty() => {}
                Event::Line(line) => {
                    let answer = Request::parse(&line).and_then(|request| answer(request, &mut study));
                    let answer = answer.unwrap_or_else(|error| json!({ "error": error.to_string() }));
                    let mut output = io::stdout();
                    // In one piece, so that the reader never waits for the rest of a line.
                    let line = format!("{answer}\n");
                    if let Err(error) = output.write_all(line.as_bytes()).and_then(|()| output.flush()) {
                        break Err(error.into());
                    }
                }
                Event::End(Ok(())) | Event::Interruption => break Ok(ExitCode::SUCCESS),
                Event::End(Err(error)) => break Err(Failure::Work(format!("cannot read standard input: {error}"))),
            }
        };
        // However it ends: a run that is closed repeats no trial.
        if let Some(mut study) = study {
            study.close();
        }
        ending
    }
}

/// Reads the lines of standard input. Bytes, not text: the answer to a line that is not UTF-8 is an
/// error like any other.
fn read(events: &SyncSender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let event = match input.read_until(b'\n', &mut line) {
            Ok(0) => Event::End(Ok(())),
            Ok(_) => Event::Line(line),
            Err(error) => Event::End(Err(error)),
        };
        let is_last = matches!(event, Event::End(_));
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

fn answer(request: Request, study: &mut Option<Study>) -> Result<Value, ServeError> {
    match (request, study) {
        (Request::Open(_), Some(_)) => Err(ServeError::Open),
        (Request::Open(open), study) => {
            let opened = Study::open(open)?;
            let folder = opened.folder().display().to_string();
            *study = Some(opened);
            Ok(json!({ "opened": { "folder": folder, "version": evolve_core::VERSION } }))
        }
        (_, None) => Err(ServeError::NoRun),
        (Request::Ask(count), Some(study)) => Ok(study.ask(count)),
        (Request::Tell(played), Some(study)) => study.tell(played),
        (Request::Recommend, Some(study)) => Ok(study.recommend()),
        (Request::Close, Some(study)) => {
            study.close();
            Ok(json!({ "closed": { "folder": study.folder().display().to_string() } }))
        }
    }
}
