//! The files of a run. The checkpoint owns the valid length of the log; the tables are views of the
//! log.

pub mod checkpoint;
pub mod earlier;
pub mod folder;
pub mod inputs;
pub mod landscape;
pub mod learned;
pub mod log;
pub mod recommend;
pub mod snapshot;
pub mod views;
