//! What several tests of the command need.

use std::thread;
use std::time::{Duration, Instant};

/// Waits for a condition that is sure to come true.
pub fn wait_until(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "it never came true");
        thread::sleep(Duration::from_millis(1));
    }
}
