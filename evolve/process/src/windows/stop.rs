//! Requests to stop, from console events.

use std::io;
use std::sync::{Mutex, PoisonError};

use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::core::BOOL;

use super::check;

/// The exit status after Ctrl-C, as on other systems.
const INTERRUPTED: i32 = 130;

type Asked = Box<dyn FnMut(i32) + Send>;

/// The registered callbacks.
static LISTENERS: Mutex<Vec<Asked>> = Mutex::new(Vec::new());

/// Calls `asked` in a separate thread whenever the process is asked to stop, with the usual exit
/// status of such an end. On Windows, these requests are Ctrl-C and Ctrl-Break; closing the console
/// ends all processes at once. On Unix, they are `SIGINT` and `SIGTERM`.
///
/// # Errors
/// If the system cannot report these requests.
pub fn listen(asked: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    let mut listeners = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
    if listeners.is_empty() {
        // SAFETY: the system may call the handler in a separate thread at any time.
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

/// Does nothing, because files may grow as large as the disk.
pub fn outlast_file_limits() {}
