//! Events of the console.

use std::io;
use std::sync::{Mutex, PoisonError};

use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::core::BOOL;

use super::check;

/// The status of an end by Ctrl-C, as on other systems.
const INTERRUPTED: i32 = 130;

type Asked = Box<dyn FnMut(i32) + Send>;

/// What wants to know.
static LISTENERS: Mutex<Vec<Asked>> = Mutex::new(Vec::new());

/// Calls this whenever somebody asks the process to stop, in a thread of its own, with the exit status that such an end
/// has by custom. On Windows these are Ctrl-C and Ctrl-Break; a console that is closed ends all at once. On Unix they are
/// `SIGINT` and `SIGTERM`.
///
/// # Errors
/// The system does not tell.
pub fn listen(asked: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    let mut listeners = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
    if listeners.is_empty() {
        // SAFETY: the system calls it in a thread of its own, as often as it likes.
        check(unsafe { SetConsoleCtrlHandler(Some(hear), 1) })?;
    }
    listeners.push(Box::new(asked));
    Ok(())
}

unsafe extern "system" fn hear(event: u32) -> BOOL {
    if event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT {
        return 0;
    }
    let mut listeners = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
    listeners.iter_mut().for_each(|asked| asked(INTERRUPTED));
    1
}

/// Files may grow as large as the disk.
pub fn outlast_file_limits() {}
