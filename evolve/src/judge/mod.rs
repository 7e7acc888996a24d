//! Plays a real program over pipes by a contest's dialogue.
//!
//! [`referee`] is the contest's side without a process, [`process`] plays one dialogue with one
//! process and gives a [`verdict`], [`session`] plays many at once, [`report`] sums them up.

pub mod numbers;
pub mod process;
pub mod referee;
pub mod report;
pub mod session;
pub mod verdict;
