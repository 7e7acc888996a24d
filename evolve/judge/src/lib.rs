//! Plays a real program over pipes by a contest's dialogue.
//!
//! [`process`] plays one dialogue with one process and gives a [`verdict`] and, on request, a [`transcript`];
//! [`session`] plays many at once, [`report`] sums them up, [`games`] lists and compares them one by one.

pub mod games;
pub mod process;
pub mod report;
pub mod session;
pub mod transcript;
pub mod verdict;
