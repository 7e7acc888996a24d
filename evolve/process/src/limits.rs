//! Resource limits of a child.

use std::fmt;
use std::time::Duration;

/// Resource limits of a child; none by default. A child that exceeds one is killed with all its
/// descendants.
///
/// Limits of time and memory are checked only while a caller waits for the child, because
/// [`Child`](crate::Child) has no thread of its own. An idle worker is checked at the next request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// The wall-clock time from the start.
    pub wall: Option<Duration>,
    /// The CPU time, user and system, of the program and all its descendants together. It is
    /// sampled about 50 times a second and checked again at the end.
    pub cpu: Option<Duration>,
    /// The resident memory in bytes of the program and all its descendants together, sampled about
    /// 50 times a second. Pages that several processes share count once.
    pub memory: Option<u64>,
    /// The number of bytes on standard output.
    pub stdout: Option<u64>,
    /// The number of bytes on standard error.
    pub stderr: Option<u64>,
}

impl Limits {
    /// Returns whether any limit requires samples of the processes.
    pub(crate) fn sampled(&self) -> bool {
        self.cpu.is_some() || self.memory.is_some()
    }

    /// Returns the first limit that these figures exceed.
    pub(crate) fn check(&self, cpu: Duration, memory: u64) -> Option<Exceeded> {
        if let Some(limit) = self.memory.filter(|&limit| memory > limit) {
            return Some(Exceeded::Memory { used: memory, limit });
        }
        self.cpu.filter(|&limit| cpu > limit).map(|limit| Exceeded::Cpu { used: cpu, limit })
    }
}

/// Resource use of a program and its descendants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sample {
    /// The memory in bytes, resident where the system reports that.
    pub memory: u64,
    /// The CPU time of living processes, and of processes that were waited for.
    pub cpu: Duration,
}

/// An exceeded limit, with the use at that time. [`Display`](fmt::Display) shows both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exceeded {
    /// See [`Limits::wall`].
    Wall { used: Duration, limit: Duration },
    /// See [`Limits::cpu`].
    Cpu { used: Duration, limit: Duration },
    /// See [`Limits::memory`]; bytes.
    Memory { used: u64, limit: u64 },
    /// See [`Limits::stdout`]; `used` counts the bytes read before the end.
    Stdout { used: u64, limit: u64 },
    /// See [`Limits::stderr`]; `used` counts the bytes read before the end.
    Stderr { used: u64, limit: u64 },
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |f: &mut fmt::Formatter<'_>, what, used: &Duration, limit: &Duration| {
            write!(f, "{:.3} s of {what} (limit {:.3} s)", used.as_secs_f64(), limit.as_secs_f64())
        };
        match self {
            Self::Wall { used, limit } => seconds(f, "wall-clock time", used, limit),
            Self::Cpu { used, limit } => seconds(f, "CPU time", used, limit),
            Self::Memory { used, limit } => {
                let mib = |bytes: &u64| *bytes as f64 / f64::from(1 << 20);
                write!(f, "{:.1} MiB of memory (limit {:.1} MiB)", mib(used), mib(limit))
            }
            Self::Stdout { used, limit } => write!(f, "{used} bytes on standard output (limit {limit})"),
            Self::Stderr { used, limit } => write!(f, "{used} bytes on standard error (limit {limit})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_checked() {
        let limits = Limits { cpu: Some(Duration::from_secs(1)), memory: Some(10), ..Limits::default() };
        assert_eq!(limits.check(Duration::from_secs(1), 10), None);
        let exceeded = limits.check(Duration::from_secs(1), 11);
        assert_eq!(exceeded, Some(Exceeded::Memory { used: 11, limit: 10 }));
        let exceeded = limits.check(Duration::from_millis(1250), 10).unwrap();
        assert_eq!(exceeded.to_string(), "1.250 s of CPU time (limit 1.000 s)");
        let exceeded = Exceeded::Memory { used: 3 << 19, limit: 1 << 20 };
        assert_eq!(exceeded.to_string(), "1.5 MiB of memory (limit 1.0 MiB)");
    }
}
