//! Signals to this process.

use std::io;
use std::sync::Arc;
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;

/// Calls this whenever somebody asks the process to stop, in a thread of its own, with the exit status that such an end
/// has by custom. On Unix these are `SIGINT` and `SIGTERM`; others, such as `SIGHUP` and `SIGQUIT`, end the process and
/// its programs at once. On Windows they are Ctrl-C and Ctrl-Break; a console that is closed ends all at once.
///
/// # Errors
/// The system does not tell.
pub fn listen(mut asked: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let listen = move || signals.forever().for_each(|signal| asked(128 + signal));
    thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
}

/// Has a file that grows beyond `ulimit -f` be an error like any other, with its path. Children start without this.
pub fn outlast_file_limits() {
    let _ = flag::register(SIGXFSZ, Arc::default());
}
