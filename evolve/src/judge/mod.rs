//! Plays a real program over pipes by a contest's dialogue.

mod child;
pub mod process;
mod quote;
pub mod referee;
pub mod session;
pub mod verdict;
