//! One dialogue between a referee and a program, which runs as a child process with pipes.
//!
//! The judge drains the program's standard error and keeps its last bytes. The dialogue always ends
//! within its limits, and then the program ends together with every process that it started (see
//! [`evolve_process`] for the mechanism and the system's requirements). The program also ends when
//! the judge ends, for any reason. The calling process must ignore `SIGPIPE`, as Rust programs do
//! by default.

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::transcript::Transcript;
use super::verdict::Verdict;
use evolve_contest::judge::{Referee, Reply};
use evolve_process::{Child, Exit, Heard, Interruption, Program, StartError, Until, excerpt, last_words};
use evolve_search::model::trial::Outcome;

/// Limits of one dialogue.
#[derive(Clone, Debug, PartialEq)]
pub struct DialogueLimits {
    /// The wall-clock time for all turns of the program together. A turn lasts from the first byte
    /// sent to the end of the line that completes the move; the first turn includes the start of
    /// the program. The time of the referee does not count.
    pub time: Duration,
    /// The wall-clock time in which the program must end once the dialogue is over.
    pub grace: Duration,
    /// The longest line of output, in bytes without the line end.
    pub line: usize,
    /// The number of bytes kept from the end of standard error.
    pub stderr: usize,
    /// The resource limits of the program and its descendants.
    pub resources: evolve_process::Limits,
}

impl DialogueLimits {
    /// Sets the time for all turns. Allows 2 s to end, lines of 4096 bytes, 2048 bytes of standard
    /// error, and any resources.
    pub fn new(time: Duration) -> Self {
        let resources = evolve_process::Limits::default();
        Self { time, grace: Duration::from_secs(2), line: 4096, stderr: 2048, resources }
    }
}

/// The record of one dialogue.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialogue {
    /// The outcomes of the finished games, in order; after a failure, those of the games before it.
    pub outcomes: Vec<Outcome>,
    /// The wall-clock time of the program's turns (see [`DialogueLimits::time`]).
    pub time: Duration,
    /// The verdict on the dialogue.
    pub verdict: Verdict,
    /// The last [`DialogueLimits::stderr`] bytes of the program's standard error; bytes that are
    /// not UTF-8 are replaced.
    pub stderr: String,
    /// The transcript, if one was requested.
    pub transcript: Option<Transcript>,
}

/// The number of bytes of standard error that a transcript can record between two lines.
const ERRORS: usize = 1 << 16;

/// The reason why a dialogue was not played to an end. It says nothing about the program.
#[derive(Debug)]
pub enum NotPlayed {
    Stopped,
    /// The judge lacks the resources to start a program.
    Shortage(StartError),
}

/// Plays one dialogue with the program `command[0]`, given the arguments `command[1..]`.
///
/// The program inherits environment and working directory. With `transcript`, the dialogue is
/// recorded.
///
/// # Errors
/// If `stop` was set before the end, or the judge itself cannot continue.
pub fn play_dialogue(
    command: &[OsString],
    referee: &mut dyn Referee,
    limits: &DialogueLimits,
    stop: &AtomicBool,
    transcript: bool,
) -> Result<Dialogue, NotPlayed> {
    let kept = if transcript { limits.stderr.max(ERRORS) } else { limits.stderr };
    let program = Program::from_command(command).limits(limits.resources.clone()).longest_line(limits.line).keep(kept);
    let opening = referee.open();
    let transcript = transcript.then(Transcript::new);
    let start = Instant::now();
    let child = match program.start() {
        Ok(child) => child,
        Err(StartError::Program(error)) => {
            let verdict = Verdict::not_started(program.name().to_string_lossy().into_owned(), &error);
            let (outcomes, time, stderr) = (Vec::new(), Duration::ZERO, String::new());
            return Ok(Dialogue { outcomes, time, verdict, stderr, transcript });
        }
        Err(shortage) => return Err(NotPlayed::Shortage(shortage)),
    };
    let mut table = Table {
        child,
        limits,
        stop,
        line: 1,
        turn: Turn { start, first: 1, before: Duration::ZERO },
        time: Duration::ZERO,
        transcript,
    };
    let verdict = match table.converse(opening, referee).and_then(|()| table.part()) {
        Ok(()) => Verdict::Correct,
        Err(Break::Fault(verdict)) => verdict,
        Err(Break::Stopped) => return Err(NotPlayed::Stopped),
    };
    table.child.end();
    let stderr = table.child.stderr();
    let stderr = String::from_utf8_lossy(&stderr[stderr.len().saturating_sub(limits.stderr)..]).into_owned();
    table.hear_errors();
    if let Some(transcript) = &mut table.transcript {
        transcript.end(table.child.pending());
    }
    Ok(Dialogue { outcomes: referee.outcomes(), time: table.time, verdict, stderr, transcript: table.transcript })
}

enum Break {
    Fault(Verdict),
    Stopped,
}

impl From<Verdict> for Break {
    fn from(verdict: Verdict) -> Self {
        Self::Fault(verdict)
    }
}

/// A dialogue under way.
struct Table<'a> {
    child: Child,
    limits: &'a DialogueLimits,
    stop: &'a AtomicBool,
    /// The number of the next line, from 1.
    line: u64,
    turn: Turn,
    /// The program's time so far, including this turn.
    time: Duration,
    transcript: Option<Transcript>,
}

struct Turn {
    start: Instant,
    /// The number of the first line of the turn.
    first: u64,
    /// The program's time in earlier turns.
    before: Duration,
}

impl<'a> Table<'a> {
    /// Plays until the referee ends the dialogue.
    fn converse(&mut self, opening: String, referee: &mut dyn Referee) -> Result<(), Break> {
        self.send(&opening);
        loop {
            let line = self.hear()?;
            let fault = |bytes: &[u8], reason: &str| Verdict::Garbage {
                line: self.line,
                text: excerpt(bytes),
                reason: reason.to_owned(),
            };
            let Ok(text) = std::str::from_utf8(&line) else {
                return Err(fault(&line, "not UTF-8").into());
            };
            let text = text.strip_suffix('\r').unwrap_or(text);
            if text.contains('\0') {
                return Err(fault(&line, "a NUL byte").into());
            }
            match referee.answer(text) {
                // The turn and its time continue; otherwise an endless move would cost nothing.
                Reply::More => {}
                Reply::Send(answer) => {
                    self.turn = Turn { start: Instant::now(), first: self.line + 1, before: self.time };
                    self.send(&answer);
                }
                Reply::Over(farewell) => {
                    self.send(&farewell);
                    return Ok(());
                }
                Reply::Garbage(reason) => return Err(fault(&line, &reason).into()),
                Reply::Illegal(reason) => {
                    return Err(Verdict::Illegal { line: self.line, text: excerpt(&line), reason }.into());
                }
            }
            self.line += 1;
        }
    }

    fn send(&mut self, text: &str) {
        if let Some(transcript) = &mut self.transcript {
            transcript.judge(text);
        }
        self.child.send(text);
    }

    /// Records new output on standard error.
    fn hear_errors(&mut self) {
        if let Some(transcript) = &mut self.transcript {
            let errors = self.child.errors();
            transcript.errors(errors.total(), errors.tail());
        }
    }

    /// Waits for the program's next line.
    fn hear(&mut self) -> Result<Vec<u8>, Break> {
        // Add a nanosecond, so that the time is exceeded and not merely reached.
        let left = self.limits.time.saturating_sub(self.turn.before).saturating_add(Duration::from_nanos(1));
        let heard = self.child.line(Until { deadline: self.turn.start.checked_add(left), stop: Some(self.stop) });
        let turn = self.turn.start.elapsed();
        self.hear_errors();
        if let (Some(transcript), Ok(Heard::Line(line))) = (&mut self.transcript, &heard) {
            transcript.program(line, turn);
        }
        self.time = self.turn.before.saturating_add(turn);
        let late = self.time > self.limits.time;
        match heard {
            Err(Interruption::Late) => Err(self.out_of_time(turn).into()),
            Err(interruption) => Err(self.broken_off(interruption)),
            // The line is complete, but arrived after the limit.
            Ok(Heard::Line(_)) if late => {
                let (line, time, limit) = (self.line, self.time, self.limits.time);
                Err(Verdict::OverTime { line, time, limit, partial: None }.into())
            }
            Ok(_) if late => Err(self.out_of_time(turn).into()),
            Ok(Heard::Line(line)) => Ok(line),
            Ok(Heard::TooLong) => {
                let (line, text) = (self.line, excerpt(self.child.pending()));
                Err(Verdict::LongLine { line, text, limit: self.limits.line }.into())
            }
            Ok(Heard::End) => Err(self.ended_early()),
        }
    }

    /// Returns the end of the dialogue for an interruption other than the deadline.
    fn broken_off(&self, interruption: Interruption) -> Break {
        match interruption {
            Interruption::Exceeded(exceeded) => Verdict::OverLimit { line: self.line, exceeded }.into(),
            Interruption::Stopped | Interruption::Late => Break::Stopped,
        }
    }

    /// Returns the verdict on a last turn of this length.
    fn out_of_time(&self, turn: Duration) -> Verdict {
        let (line, limit, pending) = (self.line, self.limits.time, self.child.pending());
        let silent = pending.is_empty() && line == self.turn.first;
        if silent && turn > limit / 2 {
            Verdict::Silence { line, turn, limit, unread: self.child.unread() }
        } else {
            let partial = (!pending.is_empty()).then(|| excerpt(pending));
            Verdict::OverTime { line, time: self.time, limit, partial }
        }
    }

    /// Returns the end of the grace period, which starts now.
    fn grace(&self) -> Until<'a> {
        Until { stop: Some(self.stop), ..Until::after(self.limits.grace) }
    }

    /// Returns the verdict on output that ended before the dialogue. Waits for the exit, because
    /// the status distinguishes a crash from a program that stopped too early.
    fn ended_early(&mut self) -> Break {
        let line = self.line;
        let until = self.grace();
        match self.child.wait(until) {
            Ok(exit) => self.crash(Some(line), exit).unwrap_or(Verdict::EarlyEnd { line, running: false }).into(),
            Err(Interruption::Late) => Verdict::EarlyEnd { line, running: true }.into(),
            Err(interruption) => self.broken_off(interruption),
        }
    }

    /// Waits for the program to end after the dialogue.
    fn part(&mut self) -> Result<(), Break> {
        self.child.close();
        let until = self.grace();
        loop {
            let rest = match self.child.line(until) {
                Ok(Heard::Line(line)) => line,
                Ok(Heard::TooLong) => {
                    return Err(Verdict::Trailing { text: excerpt(self.child.pending()) }.into());
                }
                Ok(Heard::End) => break,
                Err(Interruption::Late) => self.child.pending().to_vec(),
                Err(interruption) => return Err(self.broken_off(interruption)),
            };
            // Extra line ends are harmless, unless they never stop.
            let rest = rest.trim_ascii();
            if !rest.is_empty() {
                return Err(Verdict::Trailing { text: excerpt(rest) }.into());
            }
            if until.is_over() {
                return Err(Verdict::Lingered { grace: self.limits.grace }.into());
            }
        }
        match self.child.wait(until) {
            Ok(exit) => self.crash(None, exit).map_or(Ok(()), |crash| Err(crash.into())),
            Err(Interruption::Late) => Err(Verdict::Lingered { grace: self.limits.grace }.into()),
            Err(interruption) => Err(self.broken_off(interruption)),
        }
    }

    /// Returns a crash if the status is not 0.
    fn crash(&mut self, line: Option<u64>, exit: Exit) -> Option<Verdict> {
        let (status, stderr) = (exit.status, last_words(self.child.stderr()));
        (!status.success()).then_some(Verdict::Crash { line, status, stderr })
    }
}
