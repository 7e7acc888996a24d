//! A child process and the dialogue with it.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::capture::Captured;
use super::error::StartError;
use super::guard::{Exit, Guard};
use super::limits::Exceeded;
use super::program::Program;
use super::system::{self, CHUNK, Pipes, Reader, Writer};
use super::watch::Watch;

/// The number of reads after the end: enough to empty a pipe, but limited, in case another process
/// holds and fills it.
const LAST_READS: usize = 64;

/// The interval between checks of a stop flag. Events of the child are noticed at once.
const TICK: Duration = Duration::from_millis(10);

/// The next item on the standard output of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line without its end. The last line may lack the end.
    Line(Vec<u8>),
    /// The line is longer than allowed (see [`Program::longest_line`]). [`Child::pending`] returns
    /// its beginning.
    TooLong,
    /// The program has closed its standard output, usually by ending.
    End,
}

/// The limits of a wait.
#[derive(Clone, Copy, Debug, Default)]
pub struct Until<'a> {
    /// The time at which waiting ends, if any.
    pub deadline: Option<Instant>,
    /// A flag that ends waiting, within about 10 ms after it is set.
    pub stop: Option<&'a AtomicBool>,
}

impl Until<'_> {
    /// Waits for at most this duration from now.
    pub fn after(wait: Duration) -> Self {
        Self { deadline: Instant::now().checked_add(wait), stop: None }
    }

    /// Returns whether the deadline has passed.
    pub fn is_over(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }

    /// Returns the time left until the deadline.
    fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

/// The reason why a wait ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// The deadline has passed. The program continues to run.
    Late,
    /// The stop flag is set. The program continues to run.
    Stopped,
    /// The program exceeded a limit and was killed.
    Exceeded(Exceeded),
}

impl fmt::Display for Interruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Late => f.write_str("too late"),
            Self::Stopped => f.write_str("stopped"),
            Self::Exceeded(exceeded) => write!(f, "exceeded a limit: {exceeded}"),
        }
    }
}

impl Error for Interruption {}

/// A running program with all its descendants, which are killed when this value is dropped.
///
/// Output and errors are read during [`line`](Self::line) and [`wait`](Self::wait). Between these
/// calls, the program can write as much as a pipe holds. Standard error is drained, and its end is
/// kept.
pub struct Child {
    guard: Guard,
    /// `None` once closed by either side.
    stdin: Option<Writer>,
    /// `None` at the end of the stream.
    output: Option<Reader>,
    /// `None` at the end of the stream.
    errors: Option<Reader>,
    /// Text that the pipe has not accepted yet.
    outgoing: VecDeque<u8>,
    /// Whether to close standard input once `outgoing` is empty.
    closing: bool,
    /// The received output. Lines before `taken` were returned, and no line ends between there and
    /// `searched`.
    incoming: Vec<u8>,
    taken: usize,
    searched: usize,
    longest_line: usize,
    pub(crate) stderr: Captured,
    buffer: Box<[u8]>,
    /// The number of bytes read from standard output.
    heard: u64,
    watch: Watch,
}

impl fmt::Debug for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Child")
            .field("exit", &self.guard.exit())
            .field("limits", &self.watch.limits)
            .finish_non_exhaustive()
    }
}

impl Child {
    /// Starts the program with this file as its input, or with a pipe.
    pub(crate) fn start(program: &Program, stdin: Option<File>) -> Result<Self, StartError> {
        let (guard, Pipes { stdin, stdout, stderr }) = program.spawn(stdin)?;
        let watch = Watch::new(program.limits.clone(), guard.start_time());
        Ok(Self {
            guard,
            stdin,
            output: Some(stdout),
            errors: Some(stderr),
            outgoing: VecDeque::new(),
            closing: false,
            incoming: Vec::new(),
            taken: 0,
            searched: 0,
            longest_line: program.longest_line,
            stderr: Captured::new(0, program.kept),
            buffer: vec![0; CHUNK].into(),
            heard: 0,
            watch,
        })
    }

    /// Sends text to standard input. Text that the pipe does not accept at once is sent during
    /// later waits for the child.
    pub fn send(&mut self, text: impl AsRef<[u8]>) {
        self.outgoing.extend(text.as_ref());
        self.write();
    }

    /// Closes standard input once all text has been sent.
    pub fn close(&mut self) {
        self.closing = true;
        self.write();
    }

    /// Returns whether the program left input in its pipe, so that some text could not be
    /// delivered.
    pub fn unread(&self) -> bool {
        !self.outgoing.is_empty()
    }

    /// Sends a line with a line end, and waits for the next line of output.
    ///
    /// # Errors
    /// As for [`line`](Self::line). After [`Interruption::Late`], the answer may still arrive and
    /// would be taken for the answer to the next question: end the child, or wait for the line.
    pub fn ask(&mut self, line: &str, until: Until<'_>) -> Result<Heard, Interruption> {
        self.outgoing.extend(line.as_bytes());
        self.send("\n");
        self.line(until)
    }

    /// Waits for the next line of output. Returns lines that have already arrived without checking
    /// the clock, so callers that read many lines must check it themselves.
    ///
    /// # Errors
    /// If no line arrives in time.
    pub fn line(&mut self, until: Until<'_>) -> Result<Heard, Interruption> {
        let mut late = false;
        loop {
            if let Some(heard) = self.take() {
                return Ok(heard);
            }
            if late {
                return Err(Interruption::Late);
            }
            late = self.exchange(&until)?;
        }
    }

    /// Returns the output after the last returned line.
    pub fn pending(&self) -> &[u8] {
        &self.incoming[self.taken..]
    }

    /// Waits for the end of the program, and discards the rest of its output.
    ///
    /// # Errors
    /// If the program does not end in time.
    pub fn wait(&mut self, until: Until<'_>) -> Result<Exit, Interruption> {
        self.drain(until, |_| {})?;
        Ok(self.end())
    }

    /// Returns the exit of the program if it has ended; does not wait.
    pub fn exit(&mut self) -> Option<Exit> {
        self.guard.look().map(|exit| self.watch.complete(exit))
    }

    /// Kills the program and all its descendants, unless the program has already ended. Waits until
    /// they are gone, or for 10 s if the system cannot kill them.
    pub fn end(&mut self) -> Exit {
        let exit = self.guard.end();
        self.watch.complete(exit)
    }

    /// Returns the end of standard error (see [`Program::keep`]), which is complete once the
    /// program has ended.
    pub fn stderr(&mut self) -> &[u8] {
        self.read_rest();
        self.stderr.tail()
    }

    /// Returns the standard error so far, as far as it can be read without waiting.
    pub fn errors(&mut self) -> &Captured {
        self.read_errors();
        &self.stderr
    }

    /// Drains the pipes without waiting.
    pub(crate) fn read_rest(&mut self) {
        for _ in 0..LAST_READS {
            if !self.read_output() & !self.read_errors() {
                break;
            }
        }
    }

    /// Waits for the end of the program and its output, and passes the output to `take` in pieces.
    pub(crate) fn drain(&mut self, until: Until<'_>, mut take: impl FnMut(&[u8])) -> Result<(), Interruption> {
        let mut late = false;
        loop {
            take(self.pending());
            self.clear();
            if self.output.is_none() && self.guard.exit().is_some() {
                return Ok(());
            }
            if late {
                return Err(Interruption::Late);
            }
            late = match self.exchange(&until) {
                Ok(late) => late,
                Err(interruption) => {
                    take(self.pending());
                    self.clear();
                    return Err(interruption);
                }
            };
        }
    }

    fn clear(&mut self) {
        self.incoming.clear();
        (self.taken, self.searched) = (0, 0);
    }

    /// Takes the next line, if it has arrived.
    fn take(&mut self) -> Option<Heard> {
        let end = self.incoming[self.searched..].iter().position(|&byte| byte == b'\n');
        let (end, next) = match end {
            Some(offset) => (self.searched + offset, self.searched + offset + 1),
            None => {
                self.searched = self.incoming.len();
                (self.searched, self.searched)
            }
        };
        if end - self.taken > self.longest_line {
            // The next call must give the same result.
            self.searched = self.taken;
            return Some(Heard::TooLong);
        }
        if next == end {
            if self.output.is_some() {
                return None;
            }
            if self.taken == end {
                return Some(Heard::End);
            }
        }
        let line = self.incoming[self.taken..end].to_vec();
        (self.taken, self.searched) = (next, next);
        if next == self.incoming.len() {
            self.clear();
        }
        Some(Heard::Line(line))
    }

    /// Waits until data can move through a pipe, and moves it. Returns whether the deadline has
    /// passed.
    fn exchange(&mut self, until: &Until<'_>) -> Result<bool, Interruption> {
        if let Some(exceeded) = self.watch.exceeded {
            return Err(Interruption::Exceeded(exceeded));
        }
        if until.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Interruption::Stopped);
        }
        self.write();
        let exited = self.guard.exit().is_some();
        let wait = match exited {
            // All output is already in the pipes.
            true => Some(Duration::ZERO),
            false => [until.left(), until.stop.map(|_| TICK), self.watch.left()].into_iter().flatten().min(),
        };
        let stdin = self.stdin.as_ref().filter(|_| !self.outgoing.is_empty());
        let ready = system::wait(self.guard.keeper(), [self.output.as_ref(), self.errors.as_ref()], stdin, wait);

        let heard = (ready.stdout || exited) && self.read_output();
        if exited && !heard {
            // Another process may hold the pipe open, so that the stream never ends.
            self.output = None;
        }
        if ready.stderr || exited {
            self.read_errors();
        }
        if ready.end {
            self.exit();
        }
        self.write();
        self.check();
        match self.watch.exceeded {
            Some(exceeded) => Err(Interruption::Exceeded(exceeded)),
            None => Ok(until.is_over()),
        }
    }

    fn write(&mut self) {
        while let Some(stdin) = self.stdin.as_mut().filter(|_| !self.outgoing.is_empty()) {
            match stdin.write(self.outgoing.as_slices().0) {
                Ok(count) => drop(self.outgoing.drain(..count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The pipe is broken: a program may stop reading once it knows enough.
                Err(_) => self.stdin = None,
            }
        }
        if self.stdin.is_none() {
            self.outgoing.clear();
        } else if self.closing {
            self.stdin = None;
        }
    }

    /// Returns whether there was anything to read.
    fn read_output(&mut self) -> bool {
        let Some(bytes) = read(&mut self.output, &mut self.buffer) else { return false };
        // Free the space of returned lines before adding output.
        self.incoming.drain(..self.taken);
        self.searched -= self.taken;
        self.taken = 0;
        self.incoming.extend_from_slice(bytes);
        self.heard += bytes.len() as u64;
        true
    }

    /// Returns whether there was anything to read.
    fn read_errors(&mut self) -> bool {
        let Some(bytes) = read(&mut self.errors, &mut self.buffer) else { return false };
        self.stderr.extend(bytes);
        true
    }

    /// Kills the program if it has exceeded a limit.
    fn check(&mut self) {
        if let Some(keeper) = self.guard.keeper_mut() {
            self.watch.sample(keeper);
        }
        self.watch.check(self.guard.exit(), self.heard, self.stderr.total());
        if self.watch.exceeded.is_some() {
            self.end();
        }
    }
}

impl Program {
    /// Starts the program for a dialogue.
    ///
    /// # Errors
    /// If the program cannot be started: whether the program or this machine is the reason.
    pub fn start(&self) -> Result<Child, StartError> {
        Child::start(self, None)
    }
}

/// Reads once without waiting, and closes the pipe at its end. Returns `None` if there was nothing
/// to read.
fn read<'a>(pipe: &mut Option<impl Read>, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
    loop {
        match pipe.as_mut()?.read(buffer) {
            Ok(count) if count > 0 => return Some(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return None,
            _ => *pipe = None,
        }
    }
}
