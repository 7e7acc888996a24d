use super::{Clock, Time};
use std::cell::Cell;
use std::time::Duration;

/// Time of which a second passes with each look at it.
#[derive(Debug, Default)]
pub struct Looks(Cell<u32>);

impl Time for Looks {
    fn passed(&self) -> Duration {
        self.0.set(self.0.get() + 1);
        Duration::from_secs(u64::from(self.0.get()))
    }
}

impl Looks {
    /// How often anyone has looked.
    pub fn count(&self) -> u32 {
        self.0.get()
    }
}

/// A limit that lasts for so many looks.
pub fn looks(count: u32) -> Duration {
    Duration::from_secs(u64::from(count))
}

#[test]
fn a_clock_runs_out_once_and_for_all() {
    let time = Looks::default();
    let clock = Clock::start(&time, looks(3));
    assert_eq!(clock.left(), Some(looks(2)));
    assert_eq!([(); 3].map(|()| clock.is_over()), [false, true, true]);
    assert_eq!(clock.left(), Some(Duration::ZERO));
    // The next game has all the time again.
    assert_eq!(clock.again().left(), Some(looks(2)));
    assert_eq!((Clock::UNLIMITED.left(), Clock::UNLIMITED.again().is_over()), (None, false));
}

#[test]
fn a_share_ends_with_its_part() {
    let time = Looks::default();
    let clock = Clock::start(&time, looks(41));
    // A look each for what is left and for the start of the share.
    let share = clock.share(4);
    assert_eq!(share.left(), Some(looks(9)));
    assert!(clock.share(0).left() > Some(looks(9)));
    assert_eq!(Clock::UNLIMITED.share(7).left(), None);
}
