//! Plays a real program over pipes by a contest's dialogue.
//!
//! [`process`] plays one dialogue with one
//! process and gives a [`verdict`], [`session`] plays many at once, [`report`] sums them up.

pub mod process;
pub mod report;
pub mod session;
pub mod verdict;
