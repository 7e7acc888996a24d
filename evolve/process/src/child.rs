//! A child process to talk to.

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

/// Reads after the end: enough to empty a pipe, and an end even if a stranger holds and fills it.
const LAST_READS: usize = 64;

/// Interval between checks of a stop flag; events of the child are noticed at once.
const TICK: Duration = Duration::from_millis(10);

/// The next item on the program's standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line without its end; a last line may lack one.
    Line(Vec<u8>),
    /// The line is longer than allowed (see [`Program::longest_line`]); [`Child::pending`] has its beginning.
    TooLong,
    /// The program has closed its standard output, most often by ending.
    End,
}

/// For how long to wait.
#[derive(Clone, Copy, Debug, Default)]
pub struct Until<'a> {
    /// Waiting ends at this time, if any.
    pub deadline: Option<Instant>,
    /// Waiting ends within some 10 ms after this becomes true.
    pub stop: Option<&'a AtomicBool>,
}

impl Until<'_> {
    /// Until this much time has passed from now on.
    pub fn after(wait: Duration) -> Self {
        Self { deadline: Instant::now().checked_add(wait), stop: None }
    }

    /// Whether the deadline has passed.
    pub fn is_over(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }

    /// How long there is to wait yet.
    fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

/// Why waiting came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// The deadline has passed. The program runs on.
    Late,
    /// The stop flag is raised. The program runs on.
    Stopped,
    /// The program exceeded a limit and was ended.
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

/// A running program with all its descendants, which are killed when this is dropped.
///
/// Its output and errors are read during [`line`](Self::line) and [`wait`](Self::wait). In between it can write as much
/// as a pipe holds. Standard error is drained, and its end kept.
pub struct Child {
    guard: Guard,
    /// `None` once closed by either side.
    stdin: Option<Writer>,
    /// `None` at the end of the stream.
    output: Option<Reader>,
    /// `None` at the end of the stream.
    errors: Option<Reader>,
    /// Text that the pipe has not taken yet.
    outgoing: VecDeque<u8>,
    /// Close standard input once `outgoing` is empty.
    closing: bool,
    /// Output, of which the lines before `taken` were taken and no line ends before `searched`.
    incoming: Vec<u8>,
    taken: usize,
    searched: usize,
    longest_line: usize,
    pub(crate) stderr: Captured,
    buffer: Box<[u8]>,
    /// Bytes read from standard output.
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
    /// Starts the program with this input, or with a pipe.
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

    /// Sends text to standard input. What the pipe does not take at once follows while somebody waits for the child.
    pub fn send(&mut self, text: impl AsRef<[u8]>) {
        self.outgoing.extend(text.as_ref());
        self.write();
    }

    /// Closes standard input once everything has been sent.
    pub fn close(&mut self) {
        self.closing = true;
        self.write();
    }

    /// Whether the program left input in its pipe, so that not all text could be delivered.
    pub fn unread(&self) -> bool {
        !self.outgoing.is_empty()
    }

    /// Sends the line, adding its end, and waits for the next line of output.
    ///
    /// # Errors
    /// As of [`line`](Self::line). After [`Interruption::Late`] the answer may still come, and would be taken for that
    /// to the next question: end the child, or wait for the line.
    pub fn ask(&mut self, line: &str, until: Until<'_>) -> Result<Heard, Interruption> {
        self.outgoing.extend(line.as_bytes());
        self.send("\n");
        self.line(until)
    }

    /// Waits for the next line of output. Lines that have already arrived are returned without checking the clock, so
    /// callers that take many of them must check it themselves.
    ///
    /// # Errors
    /// No line arrives in time.
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

    /// Output of which no line was taken yet.
    pub fn pending(&self) -> &[u8] {
        &self.incoming[self.taken..]
    }

    /// Waits for the end of the program, dropping the rest of its output.
    ///
    /// # Errors
    /// If it does not end in time.
    pub fn wait(&mut self, until: Until<'_>) -> Result<Exit, Interruption> {
        self.drain(until, |_| {})?;
        Ok(self.end())
    }

    /// How the program ended, if it has; does not wait.
    pub fn exit(&mut self) -> Option<Exit> {
        self.guard.look().map(|exit| self.watch.complete(exit))
    }

    /// Ends the program and all its descendants, unless it has ended by itself. Waits until they are gone, which takes
    /// 10 s at most, if the system itself cannot end them.
    pub fn end(&mut self) -> Exit {
        let exit = self.guard.end();
        self.watch.complete(exit)
    }

    /// The limit that the program has exceeded, if any.
    pub fn exceeded(&self) -> Option<Exceeded> {
        self.watch.exceeded
    }

    /// The end of standard error (see [`Program::keep`]); complete once the program has ended.
    pub fn stderr(&mut self) -> &[u8] {
        self.read_rest();
        self.stderr.tail()
    }

    /// The program's standard error so far, as far as it can be read without waiting.
    pub fn errors(&mut self) -> &Captured {
        self.read_errors();
        &self.stderr
    }

    /// Drains the pipes, without waiting.
    pub(crate) fn read_rest(&mut self) {
        for _ in 0..LAST_READS {
            if !self.read_output() & !self.read_errors() {
                break;
            }
        }
    }

    /// Waits for the end of the program and of its output, which it hands over in pieces.
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

    /// Takes the next line, if it is there.
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
            // The same the next time.
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

    /// Moves what can be moved through the pipes, after waiting until anything can. Whether the deadline has passed.
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
            // All that will ever come is there.
            true => Some(Duration::ZERO),
            false => [until.left(), until.stop.map(|_| TICK), self.watch.left()].into_iter().flatten().min(),
        };
        let stdin = self.stdin.as_ref().filter(|_| !self.outgoing.is_empty());
        let ready = system::wait(self.guard.keeper(), [self.output.as_ref(), self.errors.as_ref()], stdin, wait);

        let heard = (ready.stdout || exited) && self.read_output();
        if exited && !heard {
            // A stranger may hold the pipe open, so that the end of the stream never comes.
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
                // A broken pipe: a program may stop reading as soon as it knows enough.
                Err(_) => self.stdin = None,
            }
        }
        if self.stdin.is_none() {
            self.outgoing.clear();
        } else if self.closing {
            self.stdin = None;
        }
    }

    /// Whether there was anything to read.
    fn read_output(&mut self) -> bool {
        let Some(bytes) = read(&mut self.output, &mut self.buffer) else { return false };
        // What was taken makes room before there is more.
        self.incoming.drain(..self.taken);
        self.searched -= self.taken;
        self.taken = 0;
        self.incoming.extend_from_slice(bytes);
        self.heard += bytes.len() as u64;
        true
    }

    /// Whether there was anything to read.
    fn read_errors(&mut self) -> bool {
        let Some(bytes) = read(&mut self.errors, &mut self.buffer) else { return false };
        self.stderr.extend(bytes);
        true
    }

    /// Ends the program if it has exceeded a limit.
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
    /// Starts the program, to talk to it.
    ///
    /// # Errors
    /// Says whose fault it is that the program cannot be started.
    pub fn start(&self) -> Result<Child, StartError> {
        Child::start(self, None)
    }
}

/// One read that does not wait; closes the pipe at its end. `None` if there was nothing.
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
