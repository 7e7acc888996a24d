//! The meaning of errors and exit statuses.

use std::io;
use std::os::windows::process::ExitStatusExt as _;
use std::process::ExitStatus;

use windows_sys::Win32::Foundation::*;

/// The exit status of a killed program, the same as after `taskkill`.
pub(super) const KILLED: u32 = 1;

/// Describes the exception that crashed a program, if the status shows one.
pub fn crash(status: ExitStatus) -> Option<String> {
    // The two highest bits of an exception code mark an error.
    let code = status.code().map(i32::cast_unsigned).filter(|code| code >> 28 == 0xC)?;
    let name = match code.cast_signed() {
        STATUS_ACCESS_VIOLATION => "access violation",
        STATUS_ILLEGAL_INSTRUCTION => "illegal instruction",
        STATUS_INTEGER_DIVIDE_BY_ZERO => "division by zero",
        STATUS_STACK_OVERFLOW => "stack overflow",
        STATUS_DLL_NOT_FOUND => "missing DLL",
        STATUS_ENTRYPOINT_NOT_FOUND => "missing function of a DLL",
        STATUS_HEAP_CORRUPTION => "heap corruption",
        STATUS_STACK_BUFFER_OVERRUN => "abort",
        STATUS_NO_MEMORY => "no memory",
        STATUS_CONTROL_C_EXIT => "Ctrl-C",
        _ => "exception",
    };
    Some(format!("{name} ({code:#010X})"))
}

/// Returns the exit status of a killed program.
pub(crate) fn killed() -> ExitStatus {
    ExitStatus::from_raw(KILLED)
}

/// Describes the shortage of this process or machine, if that is why a program or thread cannot be
/// started.
pub(crate) fn shortage(error: &io::Error) -> Option<&'static str> {
    Some(match error.raw_os_error()?.cast_unsigned() {
        ERROR_TOO_MANY_OPEN_FILES => "this process has too many open files",
        ERROR_NOT_ENOUGH_MEMORY | ERROR_OUTOFMEMORY | ERROR_COMMITMENT_LIMIT => "this machine is out of memory",
        ERROR_NO_SYSTEM_RESOURCES | ERROR_NOT_ENOUGH_QUOTA | ERROR_MAX_THRDS_REACHED => {
            "too many processes, threads or handles"
        }
        _ => return None,
    })
}

/// Returns the usual remedy when a program cannot be started; empty if unknown.
pub(crate) fn hint(program: &str, error: &io::Error) -> &'static str {
    match error.raw_os_error().map(i32::cast_unsigned) {
        Some(ERROR_FILE_NOT_FOUND | ERROR_PATH_NOT_FOUND) if program.contains(['/', '\\']) => "is the path right?",
        Some(ERROR_FILE_NOT_FOUND | ERROR_PATH_NOT_FOUND) | None => {
            "a program in this directory is named with its path, as in ./name"
        }
        Some(ERROR_BAD_EXE_FORMAT) => {
            "a program of another system? Start a script by its interpreter, as in python name.py"
        }
        Some(ERROR_ACCESS_DENIED) => "is it a program, and does a virus scanner allow it?",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crashes_have_names() {
        let crash = |code: u32| crash(ExitStatus::from_raw(code));
        assert_eq!(crash(0xC000_0005).as_deref(), Some("access violation (0xC0000005)"));
        assert_eq!(crash(0xC000_0096).as_deref(), Some("exception (0xC0000096)"));
        assert_eq!((crash(0), crash(3), crash(u32::MAX)), (None, None, None));
    }

    #[test]
    fn shortages_are_distinguished() {
        let error = |code: u32| io::Error::from_raw_os_error(code.cast_signed());
        assert!(shortage(&error(ERROR_COMMITMENT_LIMIT)).is_some());
        assert!(shortage(&error(ERROR_FILE_NOT_FOUND)).is_none());
        assert!(hint("player", &error(ERROR_FILE_NOT_FOUND)).contains("./name"));
        assert!(hint("x.py", &error(ERROR_BAD_EXE_FORMAT)).contains("interpreter"));
    }
}
