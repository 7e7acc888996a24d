//! Plays a real program over pipes by a contest's dialogue.

pub mod referee;
