//! The transcript of a dialogue: the lines of both sides, and standard error.

use evolve_process::plain;
use std::fmt;
use std::time::{Duration, Instant};

/// The largest number of lines that are kept, so that endless output cannot exhaust the memory.
const MOST: usize = 20_000;

/// The source of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The judge, to the program's standard input.
    Judge,
    /// The program, to its standard output.
    Program,
    /// The program, to its standard error.
    Errors,
}

/// A line of a dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The time since the start of the program.
    pub at: Duration,
    /// For a line of the program, the time since the start of its turn.
    pub turn: Option<Duration>,
    /// The source of the line.
    pub side: Speaker,
    /// The text, safe for a terminal.
    pub text: String,
}

/// The lines of a dialogue, with their times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    start: Instant,
    lines: Vec<Line>,
    /// Whether lines beyond the limit were dropped.
    cut: bool,
    /// The number of bytes of standard error recorded so far.
    errors: u64,
    /// The incomplete last line of standard error.
    partial: Vec<u8>,
}

impl Transcript {
    /// Creates an empty transcript of a program that starts now.
    pub fn new() -> Self {
        Transcript { start: Instant::now(), lines: Vec::new(), cut: false, errors: 0, partial: Vec::new() }
    }

    /// Returns the lines so far.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    fn add(&mut self, side: Speaker, turn: Option<Duration>, bytes: &[u8]) {
        if self.lines.len() == MOST {
            self.cut = true;
            return;
        }
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        self.lines.push(Line { at: self.start.elapsed(), turn, side, text: plain(&String::from_utf8_lossy(bytes)) });
    }

    /// Records text that the judge sends.
    pub fn judge(&mut self, text: &str) {
        text.lines().for_each(|line| self.add(Speaker::Judge, None, line.as_bytes()));
    }

    /// Records a line of the program, printed `turn` after the start of its turn.
    pub fn program(&mut self, line: &[u8], turn: Duration) {
        self.add(Speaker::Program, Some(turn), line);
    }

    /// Records new output on standard error. The program has written `total` bytes so far, and
    /// `tail` is their end.
    pub fn errors(&mut self, total: u64, tail: &[u8]) {
        let new = usize::try_from(total - self.errors).unwrap_or(usize::MAX);
        self.errors = total;
        if new > tail.len() {
            self.add(Speaker::Errors, None, format!("({} bytes omitted)", new - tail.len()).as_bytes());
            self.partial.clear();
        }
        self.partial.extend_from_slice(&tail[tail.len().saturating_sub(new)..]);
        while let Some(end) = self.partial.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.partial.drain(..=end).collect();
            self.add(Speaker::Errors, None, &line[..end]);
        }
    }

    /// Records incomplete lines at the end.
    pub fn end(&mut self, pending: &[u8]) {
        if !pending.is_empty() {
            self.add(Speaker::Program, None, &[pending, b" (no line end)"].concat());
        }
        let partial = std::mem::take(&mut self.partial);
        if !partial.is_empty() {
            self.add(Speaker::Errors, None, &partial);
        }
    }
}

impl Default for Transcript {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "      time      turn  who")?;
        for Line { at, turn, side, text } in &self.lines {
            let who = match side {
                Speaker::Judge => "judge",
                Speaker::Program => "program",
                Speaker::Errors => "stderr",
            };
            let turn = turn.map(|turn| format!("{:.3} s", turn.as_secs_f64())).unwrap_or_default();
            let line = format!("{:8.3} s {turn:>9}  {who:<7}  {text}", at.as_secs_f64());
            writeln!(f, "{}", line.trim_end())?;
        }
        if self.cut { writeln!(f, "(more than {MOST} lines; the rest is omitted)") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(transcript: &Transcript) -> Vec<(Speaker, &str)> {
        transcript.lines().iter().map(|line| (line.side, line.text.as_str())).collect()
    }

    #[test]
    fn standard_error_is_recorded_line_by_line() {
        let mut transcript = Transcript::new();
        transcript.errors(5, b"one\ntw"[..5].as_ref());
        transcript.judge("1 2\n3\n");
        transcript.errors(8, b"one\ntwo\n");
        transcript.program(b"7\r", Duration::from_millis(3));
        transcript.errors(108, b"last");
        transcript.end(b"8");
        assert_eq!(
            texts(&transcript),
            [
                (Speaker::Errors, "one"),
                (Speaker::Judge, "1 2"),
                (Speaker::Judge, "3"),
                (Speaker::Errors, "two"),
                (Speaker::Program, "7"),
                (Speaker::Errors, "(96 bytes omitted)"),
                (Speaker::Program, "8 (no line end)"),
                (Speaker::Errors, "last"),
            ]
        );
    }

    #[test]
    fn lines_are_escaped_for_terminals() {
        let mut transcript = Transcript::new();
        transcript.program(b"\x1b]0;owned\x07\xff", Duration::ZERO);
        transcript.errors(4, b"\x1b[2J");
        transcript.end(b"");
        let text = transcript.to_string();
        assert!(!text.contains(|letter: char| letter.is_control() && letter != '\n'), "{text:?}");
    }

    #[test]
    fn endless_output_is_cut() {
        let mut transcript = Transcript::new();
        (0..MOST + 5).for_each(|_| transcript.program(b"1", Duration::ZERO));
        assert_eq!(transcript.lines().len(), MOST);
        assert!(transcript.to_string().ends_with("omitted)\n"));
    }
}
