//! One run of the program for one trial in one scenario, and its result.

use crate::command::Command;
use crate::failure::Trouble;
use crate::gauge::Gauge;
use crate::scope::{OUTPUT, Scope};
use crate::score::{Clock, Scored};
use crate::session::ProgramSession;
use crate::slot::Slot;
use crate::template::BuiltIn;
use crate::tool;
use evolve_process::{
    Exceeded, Finished, Interruption, Limits, Program as Process, StartError, Stdin, crash, last_words,
};
use evolve_search::model::trial::{FailureKind, PlayError};
use memchr::{memchr, memrchr};
use regex::bytes::Regex;
use std::fs::{self, File};
use std::path::Path;
use std::process::ExitStatus;
use std::sync::LazyLock;
use std::time::Duration;

/// Bytes of output that a trial may print on each stream.
const MOST_OUTPUT: u64 = 16 << 20;
/// A memory limit in bytes that no program reaches.
const NO_LIMIT: u64 = 1 << 50;
/// Wall-clock time limit of a scorer.
const SCORER_TIME: Duration = Duration::from_secs(60);
/// The pattern of a wrong answer, in the output that has the score. `Wrong answers: 0 of 100` is a
/// count.
static WRONG: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?i-u)\bwrong answer\b").expect("a regex"));

/// The output of a run, to explain a failure.
#[derive(Debug, Default)]
pub struct Printed {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Runs the program to its end, and then its scorer.
///
/// # Errors
/// The failure; `printed` then has the program's output.
pub fn run_command(scope: &Scope<'_>, printed: &mut Printed, time: &mut Duration) -> Result<Scored, Trouble> {
    let declared = &scope.program.declared;
    let disk = |error| Trouble::fatal(FailureKind::Folder, format!("{}: {error}", scope.dir.display()));
    scope.write_params().map_err(disk)?;
    let words = scope.words(&scope.program.command);
    let input = match scope.standard_input() {
        None => Stdin::Empty,
        Some(path) => Stdin::File(open(&path)?),
    };
    let keys = &declared.keys;
    // Memory is sampled only under a limit.
    let is_gauged = declared.gauges().contains(&Gauge::Memory);
    let limits = Limits {
        wall: scope.stop.time(declared, Clock::Wall),
        cpu: scope.stop.time(declared, Clock::Cpu),
        memory: keys.memory_limit.map(|mib| mib << 20).or(is_gauged.then_some(NO_LIMIT)),
        stdout: Some(MOST_OUTPUT),
        stderr: Some(MOST_OUTPUT),
    };
    let process = surrounded(Process::from_command(words), scope).limits(limits).keep(MOST_OUTPUT as usize);
    let finished = process
        .run(input, scope.program.context.stop.trials.as_deref())
        .map_err(|error| start_failure(scope, &declared.keys.command, &error))?;
    *time += finished.exit.wall;
    printed.stdout = finished.stdout.bytes();
    printed.stderr = finished.stderr.bytes();
    if let Some(bound) = scope.stop.result(declared, &finished) {
        return Ok(bound);
    }
    check(&finished, &printed.stderr, &keys.success_status)?;
    let time = declared.score.clock().map(|clock| match clock {
        Clock::Cpu => finished.exit.cpu,
        Clock::Wall => finished.exit.wall,
    });
    let mut measured = match &declared.keys.scorer {
        None => scope.program.measure(time, &printed.stdout, &printed.stderr)?,
        Some(written) => {
            if !declared.keys.command.mentions(BuiltIn::Output) {
                fs::write(scope.dir.join(OUTPUT), &printed.stdout).map_err(disk)?;
            }
            score(scope, written, printed)?
        }
    };
    scope.stop.check(declared, measured.score)?;
    measured.metrics.extend(declared.gauges().iter().map(|gauge| gauge.of(&finished.exit)));
    Ok(measured)
}

fn score(scope: &Scope<'_>, written: &Command, printed: &mut Printed) -> Result<Scored, Trouble> {
    let program = scope.program;
    let words = scope.words(program.scorer.as_ref().unwrap_or(written));
    let process = surrounded(tool::process(words, Some(SCORER_TIME)), scope);
    let finished = process.run(Stdin::Empty, program.context.stop.trials.as_deref());
    let finished = finished.map_err(|error| start_failure(scope, written, &error))?;
    let (stdout, stderr) = (finished.stdout.bytes(), finished.stderr.bytes());
    if finished.interruption == Some(Interruption::Stopped) {
        return Err(Trouble::Ends(PlayError::Stopped));
    }
    let wrong = wrong(&stdout, &stderr);
    let measured = match finished.success() {
        _ if wrong.is_some() => Err(wrong.expect("it is there")),
        true => program.measure(None, &stdout, &stderr),
        false => Err(Trouble::Failed(FailureKind::Scorer, format!("the scorer {}", tool::ending(&finished)))),
    };
    if measured.is_err() {
        printed.stderr.extend_from_slice(b"\n--- the scorer\n");
        printed.stderr.extend([stdout, stderr].concat());
    }
    measured
}

impl ProgramSession {
    /// Returns the score in the output, or the run time if that is the score. Fails if the output
    /// reports a wrong answer.
    fn measure(&self, time: Option<Duration>, stdout: &[u8], stderr: &[u8]) -> Result<Scored, Trouble> {
        if let Some(wrong) = wrong(stdout, stderr) {
            return Err(wrong);
        }
        let score = &self.declared.score;
        let measured = time.map_or_else(|| score.find(stdout, stderr), |time| score.of_time(time, stdout, stderr));
        measured.map_err(Trouble::from)
    }
}

/// Returns a process with the environment variables that the job names.
pub fn surrounded(process: Process, scope: &Scope<'_>) -> Process {
    scope.environment().into_iter().fold(process, |process, (name, value)| match value {
        Some(value) => process.env(name, value),
        None => process.env_remove(name),
    })
}

/// Returns the line that reports a wrong answer.
pub fn wrong(stdout: &[u8], stderr: &[u8]) -> Option<Trouble> {
    let line = |text| {
        let found = WRONG.find(text)?;
        let start = memrchr(b'\n', &text[..found.start()]).map_or(0, |end| end + 1);
        let end = memchr(b'\n', &text[found.end()..]).map_or(text.len(), |end| found.end() + end);
        Some(&text[start..end])
    };
    let found = line(stdout).or_else(|| line(stderr))?;
    Some(Trouble::Failed(FailureKind::Wrong, last_words(found)))
}

/// An input file, opened.
///
/// # Errors
/// If the input is missing. This ends the run, because it is not the candidate's fault.
fn open(path: &Path) -> Result<File, Trouble> {
    let file = File::open(path);
    file.map_err(|error| Trouble::fatal(FailureKind::Input, format!("{} cannot be read: {error}", path.display())))
}

/// Returns the failure of a command of the job that cannot be started. It ends the run, because it
/// is not the candidate's fault.
pub fn start_failure(scope: &Scope<'_>, command: &Command, error: &StartError) -> Trouble {
    let name = &scope.words(command)[0];
    Trouble::fatal(FailureKind::Start, format!("`{name}` cannot be started: {error}"))
}

fn check(finished: &Finished, stderr: &[u8], success: &[u8]) -> Result<(), Trouble> {
    let is_success =
        |status: ExitStatus| status.code().is_some_and(|code| success.iter().any(|&one| code == i32::from(one)));
    match &finished.interruption {
        Some(interruption) => Err(interrupted(interruption)),
        None if finished.exit.status.success() || is_success(finished.exit.status) => Ok(()),
        None => Err(ended(finished.exit.status, stderr)),
    }
}

/// Returns the failure of an interrupted trial.
pub fn interrupted(interruption: &Interruption) -> Trouble {
    let kind = match interruption {
        Interruption::Stopped => return Trouble::Ends(PlayError::Stopped),
        Interruption::Late | Interruption::Exceeded(Exceeded::Wall { .. } | Exceeded::Cpu { .. }) => FailureKind::Time,
        Interruption::Exceeded(Exceeded::Memory { .. }) => FailureKind::Memory,
        Interruption::Exceeded(_) => FailureKind::Output,
    };
    Trouble::Failed(kind, interruption.to_string())
}

/// Returns the failure of a trial whose program ended with an unsuccessful status.
pub fn ended(status: ExitStatus, stderr: &[u8]) -> Trouble {
    let (kind, how) = match crash(status) {
        None => (FailureKind::Exit, status.to_string()),
        // The status already names a signal.
        Some(_) if status.code().is_none() => (FailureKind::Signal, status.to_string()),
        Some(exception) => (FailureKind::Signal, exception),
    };
    let words = last_words(stderr);
    let message = if words.is_empty() { how } else { format!("{how}: {words}") };
    Trouble::Failed(kind, message)
}

/// Empties a slot.
///
/// # Errors
/// If that fails, which ends the run.
pub fn clear(slot: &Slot) -> Result<(), Trouble> {
    let fault = |error| Trouble::fatal(FailureKind::Folder, format!("{}: {error}", slot.path().display()));
    slot.clear().map_err(fault)
}
