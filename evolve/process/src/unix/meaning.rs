//! The meaning of errors and exit statuses.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use rustix::io::Errno;

/// Describes the signal that crashed a program, if the status shows one.
pub fn crash(status: ExitStatus) -> Option<String> {
    let signal = status.signal()?;
    Some(match signal_hook::low_level::signal_name(signal) {
        Some(name) => name.to_owned(),
        None => format!("signal {signal}"),
    })
}

/// Returns the exit status of a killed program.
pub(crate) fn killed() -> ExitStatus {
    ExitStatus::from_raw(libc::SIGKILL)
}

/// Describes the shortage of this process or machine, if that is why a program or thread cannot be
/// started.
pub(crate) fn shortage(error: &io::Error) -> Option<&'static str> {
    Some(match Errno::from_io_error(error)? {
        // The second error counts descriptors in transit to a supervisor.
        Errno::MFILE | Errno::TOOMANYREFS => "this process has too many open files (see `ulimit -n`)",
        Errno::NFILE => "this machine has too many open files",
        Errno::AGAIN => "too many processes and threads (see `ulimit -u`)",
        Errno::NOMEM => "this machine is out of memory",
        _ => return None,
    })
}

/// Returns the usual remedy when a program cannot be started; empty if unknown.
pub(crate) fn hint(program: &str, error: &io::Error) -> &'static str {
    match Errno::from_io_error(error) {
        Some(Errno::NOENT) if program.contains('/') => {
            "is the path right, and does a script's #! line name an existing program?"
        }
        Some(Errno::NOENT) => "a program in this directory is named with its path, as in ./name",
        Some(Errno::ACCESS) => "is it a program, and marked executable (chmod +x)?",
        Some(Errno::NOEXEC) => "a program of another machine, or a script without a #! line?",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::StartError;

    #[test]
    fn shortages_are_distinguished() {
        for errno in [Errno::MFILE, Errno::NFILE, Errno::TOOMANYREFS, Errno::AGAIN, Errno::NOMEM] {
            assert!(matches!(StartError::from(io::Error::from(errno)), StartError::Shortage(_)), "{errno}");
        }
        for errno in [Errno::NOENT, Errno::ACCESS, Errno::NOEXEC] {
            assert!(matches!(StartError::from(io::Error::from(errno)), StartError::Program(_)), "{errno}");
        }
        let text = StartError::from(io::Error::from(Errno::MFILE)).to_string();
        assert!(text.contains("ulimit -n"), "{text}");
    }

    #[test]
    fn hints_fit_the_error() {
        let hint = |program: &str, errno: Errno| hint(program, &errno.into());
        assert!(hint("player", Errno::NOENT).contains("./name"));
        assert!(hint("./player", Errno::NOENT).contains("#!"));
        assert!(hint("./player", Errno::ACCESS).contains("chmod +x"));
        assert_eq!(hint("./player", Errno::IO), "");
    }
}
