//! The open pages, and whether each has the last state.

use evolve_search::lock;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// The pages that have asked for the state, by the name that each gives itself.
#[derive(Default)]
pub struct Pages(Mutex<BTreeMap<String, Seen>>);

struct Seen {
    /// The time of the last request or answer.
    at: Instant,
    /// The number of requests without an answer.
    asking: usize,
    has_last: bool,
}

/// The time after an answer for which a page is assumed to be open: a hidden one asks every five
/// seconds. A page that does not ask within this time is not waited for.
const OPEN: Duration = Duration::from_secs(10);
/// The longest time to wait for an answer in progress: it may need a new landscape.
const LONGEST: Duration = Duration::from_secs(60);

impl Pages {
    /// Notes that a page asks.
    pub fn ask(&self, page: &str) {
        let mut pages = lock(&self.0);
        let seen = pages.entry(page.to_string()).or_insert(Seen { at: Instant::now(), asking: 0, has_last: false });
        (seen.at, seen.asking) = (Instant::now(), seen.asking + 1);
    }

    /// Notes that a page was answered, perhaps with the last state.
    pub fn answer(&self, page: &str, is_last: bool) {
        if let Some(seen) = lock(&self.0).get_mut(page) {
            (seen.at, seen.asking, seen.has_last) = (Instant::now(), seen.asking - 1, seen.has_last || is_last);
        }
    }

    /// Waits until every open page has the last state, at most a few seconds for each to ask.
    pub fn wait(&self) {
        let end = Instant::now();
        let is_awaited = |seen: &Seen| {
            let is_open = seen.at + OPEN > end && end.elapsed() < OPEN;
            !seen.has_last && (is_open || seen.asking > 0)
        };
        while end.elapsed() < LONGEST && lock(&self.0).values().any(is_awaited) {
            thread::sleep(Duration::from_millis(50));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_page_is_awaited_until_it_has_the_last_state() {
        let (pages, has_last) = (Pages::default(), AtomicBool::new(false));
        // Without pages, and for a page that has it already, there is nothing to wait for.
        pages.wait();
        pages.ask("old");
        pages.answer("old", true);
        pages.wait();
        // An answer is in progress: an earlier state does not end the wait, the last one does.
        pages.ask("new");
        pages.ask("new");
        pages.answer("new", false);
        thread::scope(|scope| {
            scope.spawn(|| {
                has_last.store(true, Ordering::SeqCst);
                pages.answer("new", true);
            });
            pages.wait();
            assert!(has_last.load(Ordering::SeqCst));
        });
    }
}
