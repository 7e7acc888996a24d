//! Waiting for a program and its pipes.

use std::thread;
use std::time::Duration;

use windows_sys::Win32::Foundation::{HANDLE, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{INFINITE, WaitForMultipleObjects, WaitForSingleObject};

use super::keeper::Keeper;
use super::milliseconds;
use super::pipes::{Reader, Writer};
use crate::ended::Ready;

/// Waits until the program ends, data can move through these pipes, or `wait` has passed.
pub(crate) fn wait(
    keeper: Option<&Keeper>,
    [stdout, stderr]: [Option<&Reader>; 2],
    stdin: Option<&Writer>,
    wait: Option<Duration>,
) -> Ready {
    let end = keeper.map(Keeper::process);
    let [stdout, stderr] = [stdout, stderr].map(|reader| reader.map(Reader::event));
    let stdin = stdin.map(Writer::event);
    let handles: Vec<HANDLE> = [end, stdout, stderr, stdin].into_iter().flatten().collect();
    let milliseconds = wait.map_or(INFINITE, milliseconds);
    match handles.is_empty() {
        true => thread::sleep(wait.unwrap_or_default()),
        // SAFETY: the handles are open.
        false => drop(unsafe { WaitForMultipleObjects(handles.len() as u32, handles.as_ptr(), 0, milliseconds) }),
    }
    // SAFETY: as above.
    let ready = |handle: HANDLE| unsafe { WaitForSingleObject(handle, 0) } == WAIT_OBJECT_0;
    Ready { end: end.is_some_and(ready), stdout: stdout.is_some_and(ready), stderr: stderr.is_some_and(ready) }
}
