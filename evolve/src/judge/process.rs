//! One dialogue between a referee and a real program, a child process on pipes.
//!
//! The program's standard error is drained and its last bytes kept. Whatever the program does, the
//! dialogue ends within its limits, and the program ends with it together with every process that it
//! started (as long as that stayed in the program's process group). Only the death of the judge itself by
//! `SIGKILL` leaves a program behind, with its standard input closed.
//!
//! The calling process must ignore `SIGPIPE`, as Rust programs do unless told otherwise.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::child::{Child, Line};
use super::quote::{last_words, quote};
use super::verdict::Verdict;
use evolve_core::contest::{Referee, Reply};
use evolve_core::trial::Outcome;

/// How long the judge sleeps before it looks at the stop flag and at the program's exit; input and output
/// wake it at once.
const TICK: Duration = Duration::from_millis(10);

/// The same when only the exit is still to come, which is a matter of microseconds.
const EXIT_TICK: Duration = Duration::from_millis(1);

/// What one dialogue may cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The wall-clock time of all turns of the program together. A turn lasts from the first byte sent
    /// to the end of the line that completes the move; the first turn includes the start of the program.
    /// The referee's own thinking is not counted.
    pub time: Duration,
    /// The wall-clock time that the program has to end once the dialogue is over.
    pub grace: Duration,
    /// The longest line of output, bytes without the line end.
    pub line: usize,
    /// How much of the end of standard error is kept, bytes.
    pub stderr: usize,
}

impl Limits {
    /// The given time in all turns together, 2 s to end, lines of 4096 bytes, 2048 bytes of standard error.
    pub fn new(time: Duration) -> Self {
        Self { time, grace: Duration::from_secs(2), line: 4096, stderr: 2048 }
    }
}

/// One dialogue as it was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialogue {
    /// The games finished, in order; if the verdict is not [`Verdict::Correct`], those before the failure.
    pub outcomes: Vec<Outcome>,
    /// The wall-clock time of the program's turns (see [`Limits::time`]).
    pub time: Duration,
    /// How the dialogue ended.
    pub verdict: Verdict,
    /// The last [`Limits::stderr`] bytes that the program wrote to standard error; what is no UTF-8 is
    /// replaced.
    pub stderr: String,
}

/// Plays one dialogue with the program `command[0]`, given the arguments `command[1..]`.
///
/// The program inherits environment and working directory. `None` if `stop` was raised before the end.
pub fn play(command: &[OsString], referee: &mut dyn Referee, limits: &Limits, stop: &AtomicBool) -> Option<Dialogue> {
    let opening = referee.open();
    let start = Instant::now();
    let child = match Child::spawn(command, limits.stderr) {
        Ok(child) => child,
        Err(error) => {
            let program = command.first().map(|name| name.to_string_lossy().into_owned());
            let verdict = Verdict::not_started(program.unwrap_or_default(), &error);
            return Some(Dialogue { outcomes: Vec::new(), time: Duration::ZERO, verdict, stderr: String::new() });
        }
    };
    let mut table = Table {
        child,
        limits,
        stop,
        line: 1,
        turn: Turn { start, first: 1, before: Duration::ZERO },
        time: Duration::ZERO,
    };
    let verdict = match table.converse(opening, referee).and_then(|()| table.part()) {
        Ok(()) => Verdict::Correct,
        Err(Break::Fault(verdict)) => verdict,
        Err(Break::Stopped) => return None,
    };
    table.child.end();
    let stderr = String::from_utf8_lossy(table.child.stderr()).into_owned();
    Some(Dialogue { outcomes: referee.outcomes(), time: table.time, verdict, stderr })
}

/// Why a dialogue breaks off.
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
    limits: &'a Limits,
    stop: &'a AtomicBool,
    /// The number of the line that is due, from 1.
    line: u64,
    turn: Turn,
    /// The program's time so far, this turn included.
    time: Duration,
}

/// The program's turn under way.
struct Turn {
    start: Instant,
    /// The number of its first line.
    first: u64,
    /// The program's time in the turns before.
    before: Duration,
}

impl Table<'_> {
    /// Plays until the referee says that it is over.
    fn converse(&mut self, opening: String, referee: &mut dyn Referee) -> Result<(), Break> {
        self.child.send(&opening);
        loop {
            let line = self.hear()?;
            let fault = |bytes: &[u8], reason: &str| Verdict::Garbage {
                line: self.line,
                text: quote(bytes),
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
                // The turn goes on, and its time with it, or an endless move would cost nothing.
                Reply::More => {}
                Reply::Send(answer) => {
                    self.turn = Turn { start: Instant::now(), first: self.line + 1, before: self.time };
                    self.child.send(&answer);
                }
                Reply::Over(farewell) => {
                    self.child.send(&farewell);
                    return Ok(());
                }
                Reply::Garbage(reason) => return Err(fault(&line, &reason).into()),
                Reply::Illegal(reason) => {
                    return Err(Verdict::Illegal { line: self.line, text: quote(&line), reason }.into());
                }
            }
            self.line += 1;
        }
    }

    /// The program's next line.
    fn hear(&mut self) -> Result<Vec<u8>, Break> {
        loop {
            let turn = self.turn.start.elapsed();
            self.time = self.turn.before.saturating_add(turn);
            if self.time > self.limits.time {
                return Err(self.out_of_time(turn).into());
            }
            match self.child.line(self.limits.line) {
                Line::Whole(line) => return Ok(line),
                Line::Part => {}
                Line::TooLong => {
                    let (line, text) = (self.line, quote(self.child.pending()));
                    return Err(Verdict::LongLine { line, text, limit: self.limits.line }.into());
                }
                Line::End => return Err(self.ended_early()),
            }
            // A nanosecond more, so that the time is not merely reached but over.
            let left = (self.limits.time - self.time).saturating_add(Duration::from_nanos(1));
            self.exchange(left.min(TICK))?;
        }
    }

    fn exchange(&mut self, wait: Duration) -> Result<(), Break> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Break::Stopped);
        }
        self.child.exchange(wait);
        Ok(())
    }

    /// The verdict on a last turn of the given length.
    fn out_of_time(&self, turn: Duration) -> Verdict {
        let (line, limit, pending) = (self.line, self.limits.time, self.child.pending());
        let silent = pending.is_empty() && line == self.turn.first;
        if silent && turn > limit / 2 {
            Verdict::Silence { line, turn, limit, unread: self.child.unread() }
        } else {
            // Whole lines are there if they came in time's last moment.
            let unfinished = !pending.is_empty() && !pending.contains(&b'\n');
            let partial = unfinished.then(|| quote(pending));
            Verdict::OverTime { line, time: self.time, limit, partial }
        }
    }

    /// The verdict on the end of the output before the dialogue was over, which waits for the exit
    /// because its status tells a crash from a program that thought it was done.
    fn ended_early(&mut self) -> Break {
        let start = Instant::now();
        while !self.child.exited() && start.elapsed() < self.limits.grace {
            if let Err(stopped) = self.exchange(EXIT_TICK) {
                return stopped;
            }
        }
        let (line, running) = (self.line, !self.child.exited());
        match self.crash(Some(line)) {
            Some(crash) if !running => crash.into(),
            _ => Verdict::EarlyEnd { line, running }.into(),
        }
    }

    /// Sees the program out after the dialogue.
    fn part(&mut self) -> Result<(), Break> {
        self.child.close();
        let start = Instant::now();
        loop {
            // A line end too many harms nobody.
            let rest = self.child.pending().trim_ascii();
            if !rest.is_empty() {
                return Err(Verdict::Trailing { text: quote(rest) }.into());
            }
            if self.child.finished() {
                break;
            }
            if start.elapsed() > self.limits.grace {
                return Err(Verdict::Lingered { grace: self.limits.grace }.into());
            }
            self.exchange(EXIT_TICK)?;
        }
        self.crash(None).map_or(Ok(()), |crash| Err(crash.into()))
    }

    /// Ends the program; a crash if its status is not 0.
    fn crash(&mut self, line: Option<u64>) -> Option<Verdict> {
        let status = self.child.end();
        let stderr = last_words(self.child.stderr());
        (!status.success()).then_some(Verdict::Crash { line, status, stderr })
    }
}
