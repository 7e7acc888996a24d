//! Plays programs over pipes in the dialogue of a contest.
//!
//! [`process`] plays one dialogue with one process and returns a [`verdict`] and, on request, a
//! [`transcript`]. [`session`] plays many dialogues in parallel, [`report`] summarizes them, and
//! [`games`] lists and compares single games.

pub mod games;
pub mod process;
pub mod report;
pub mod session;
pub mod transcript;
pub mod verdict;
