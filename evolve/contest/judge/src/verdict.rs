//! How a dialogue ended: correctly, or through a fault of the program.

use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use evolve_process::{Exceeded, crash, hint, plain};

/// The end of one dialogue. [`Display`](fmt::Display) formats it as one line of plain text that is
/// safe for a terminal, even where a referee repeats output of the program in its reason.
///
/// `line` is the number of the line at fault, or of the line that was due next. The program's lines
/// are numbered from
/// 1. Texts printed by the program are escaped and shortened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// The dialogue was played to its end, and the program then exited with status 0.
    Correct,
    /// A move that the rules forbid.
    Illegal { line: u64, text: String, reason: String },
    /// A line that is not a move, or not UTF-8 text.
    Garbage { line: u64, text: String, reason: String },
    /// A line that is longer than allowed, or endless.
    LongLine {
        line: u64,
        /// The beginning of the line.
        text: String,
        /// The length limit in bytes.
        limit: usize,
    },
    /// The time ran out in a turn in which the program printed nothing for more than half of the
    /// time limit. Usually the program did not flush its output, or waits for input that the
    /// contest does not send; slow thinking is less common.
    Silence {
        line: u64,
        turn: Duration,
        limit: Duration,
        /// Whether the program left input unread in its pipe.
        unread: bool,
    },
    /// The program played, but its turns took longer in total than the limit.
    OverTime {
        line: u64,
        /// The time of the program's turns.
        time: Duration,
        limit: Duration,
        /// The received part of the line, if any.
        partial: Option<String>,
    },
    /// The program exited with status 0, or closed its standard output, before the end of the
    /// dialogue.
    EarlyEnd {
        line: u64,
        /// Whether the program continued to run without its standard output.
        running: bool,
    },
    /// The program was terminated by a signal or exited with a status other than 0.
    Crash {
        /// The number of the missing line; `None` if the dialogue was already over.
        line: Option<u64>,
        status: ExitStatus,
        /// The end of standard error; may be empty.
        stderr: String,
    },
    /// The program did not exit within the grace period after the dialogue.
    Lingered { grace: Duration },
    /// The program printed more than white space after the dialogue.
    Trailing { text: String },
    /// The program exceeded a resource limit and was killed.
    OverLimit {
        /// The number of the line that the program would have printed next, even if the dialogue
        /// was already over.
        line: u64,
        exceeded: Exceeded,
    },
    /// The operating system could not start the program.
    NotStarted {
        program: String,
        /// The operating system's reason.
        error: String,
        /// The usual remedy; empty if unknown.
        hint: &'static str,
    },
}

impl Verdict {
    /// Creates [`NotStarted`](Self::NotStarted) with a hint that fits the error.
    pub(super) fn not_started(program: String, error: &io::Error) -> Self {
        let hint = hint(&program, error);
        Self::NotStarted { program, error: error.to_string(), hint }
    }

    /// Returns whether the program played correctly to the end.
    pub fn is_correct(&self) -> bool {
        matches!(self, Self::Correct)
    }

    /// Returns the kind of end in one or two words, used in counts.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Correct => "correct",
            Self::Illegal { .. } => "illegal move",
            Self::Garbage { .. } => "malformed",
            Self::LongLine { .. } => "long line",
            Self::Silence { .. } => "silence",
            Self::OverTime { .. } => "over time",
            Self::EarlyEnd { .. } => "early end",
            Self::Crash { .. } => "crash",
            Self::Lingered { .. } => "lingered",
            Self::Trailing { .. } => "trailing output",
            Self::OverLimit { .. } => "over limit",
            Self::NotStarted { .. } => "not started",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text)?;
        // Escape foreign text in one place: referees' reasons, names of programs, errors of the
        // system.
        f.write_str(&plain(&text))
    }
}

impl Verdict {
    fn write(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        match self {
            Self::Correct => f.write_str("correct"),
            Self::Illegal { line, text, reason } => {
                write!(f, "illegal move in line {line}, {text}: {reason}")
            }
            Self::Garbage { line, text, reason } => {
                write!(f, "malformed line {line}: {reason}; got {text}")
            }
            Self::LongLine { line, text, limit } => {
                write!(f, "line {line} is longer than {limit} bytes: {text}")
            }
            Self::Silence { line, turn, limit, unread } => {
                let cause = if *unread { "it did not read its input" } else { "is its output flushed?" };
                write!(
                    f,
                    "printed nothing for {:.3} s when line {line} was due (time limit {:.3} s for the game); {cause}",
                    turn.as_secs_f64(),
                    limit.as_secs_f64()
                )
            }
            Self::OverTime { line, time, limit, partial } => {
                write!(
                    f,
                    "time limit exceeded when line {line} was due: {:.3} s (limit {:.3} s)",
                    time.as_secs_f64(),
                    limit.as_secs_f64()
                )?;
                match partial {
                    Some(text) => write!(f, "; it printed {text} without a line end"),
                    None => Ok(()),
                }
            }
            Self::EarlyEnd { line, running: false } => {
                write!(f, "exited with status 0 before it printed line {line}: the game was not over")
            }
            Self::EarlyEnd { line, running: true } => {
                write!(f, "closed its standard output before it printed line {line}, and kept running")
            }
            Self::Crash { line, status, stderr } => {
                match (crash(*status), status.code()) {
                    (Some(how), _) => write!(f, "crashed with {how}")?,
                    (None, Some(code)) => write!(f, "crashed with status {code}")?,
                    (None, None) => write!(f, "crashed ({status})")?,
                }
                match line {
                    Some(line) => write!(f, " before it printed line {line}")?,
                    None => f.write_str(" after the game was over")?,
                }
                if stderr.is_empty() { Ok(()) } else { write!(f, "; standard error: {stderr}") }
            }
            Self::Lingered { grace } => {
                write!(f, "still running {:.3} s after the game was over", grace.as_secs_f64())
            }
            Self::Trailing { text } => write!(f, "printed {text} after the game was over"),
            Self::OverLimit { line, exceeded } => write!(f, "used {exceeded} before it printed line {line}"),
            Self::NotStarted { program, error, hint } => {
                write!(f, "cannot start {program}: {error}")?;
                if hint.is_empty() { Ok(()) } else { write!(f, " ({hint})") }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_process::excerpt;

    #[test]
    fn errors_have_hints() {
        let missing = Verdict::not_started("player".to_owned(), &io::Error::from_raw_os_error(2)).to_string();
        assert!(missing.contains("(a program in this directory is named with its path, as in ./name)"), "{missing}");
        let other = Verdict::not_started("./player".to_owned(), &io::Error::from_raw_os_error(5000)).to_string();
        assert!(!other.contains("()"), "{other}");
    }

    #[test]
    fn verdicts_are_escaped_for_terminals() {
        let evil = "\x1b]0;title\x07 \u{202e}1 \r\n\u{9b}2J";
        let (text, reason, limit) =
            (excerpt(evil.as_bytes()), format!("`{evil}` is not a cell"), Duration::from_secs(1));
        let verdicts = [
            Verdict::Illegal { line: 1, text: text.clone(), reason: reason.clone() },
            Verdict::Garbage { line: 1, text: text.clone(), reason },
            Verdict::OverTime { line: 1, time: limit, limit, partial: Some(text) },
            Verdict::not_started(evil.to_owned(), &io::ErrorKind::NotFound.into()),
        ];
        for verdict in verdicts {
            let shown = verdict.to_string();
            assert!(!shown.contains(|c: char| c.is_control() || c == '\u{202e}'), "{shown:?}");
            assert!(shown.contains(r"\u{202e}1 \r\n"), "{shown}");
        }
    }
}
