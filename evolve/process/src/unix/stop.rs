//! Requests to stop, from signals.

use std::io;
use std::sync::Arc;
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;

/// Calls `asked` in a separate thread whenever the process is asked to stop, with the usual exit
/// status of such an end. On Unix, these requests are `SIGINT` and `SIGTERM`; other signals, such
/// as `SIGHUP` and `SIGQUIT`, end the process and its programs at once. On Windows, they are Ctrl-C
/// and Ctrl-Break; closing the console ends all processes at once.
///
/// # Errors
/// If the system cannot report these requests.
pub fn listen(mut asked: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let listen = move || signals.forever().for_each(|signal| asked(128 + signal));
    thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
}

/// Turns the growth of a file beyond `ulimit -f` into an ordinary error with its path. Children do
/// not inherit this.
pub fn outlast_file_limits() {
    let _ = flag::register(SIGXFSZ, Arc::default());
}
