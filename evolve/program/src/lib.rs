//! Anyone's program as a problem: a solver or a bot in any language, tuned by what it prints.
//!
//! A job declares it in the sections `[program]`, `[parameters]` and `[scenarios]`, which [`PROGRAM`] reads. The
//! [`Program`] that comes of it is data; a session of it starts the command for every trial, or keeps it alive as a
//! worker, and takes the score out of what it says. A deal is an instance and its repetition ([`instances`]); each instance has one purpose.
//!
//! Everything is relative to the current folder. What a program may use is limited, none of its processes survives,
//! and what goes wrong counts as the job says ([`failure`]).

mod check;
mod command;
pub mod failure;
pub mod file;
pub mod format;
pub mod instances;
mod kept;
pub mod parameters;
mod pictures;
mod play;
mod problem;
mod program;
pub mod put_back;
mod read;
mod run;
pub mod scale;
mod scenarios;
mod scope;
pub mod score;
mod sending;
mod session;
mod slot;
pub mod source;
mod starts;
pub mod suggest;
pub mod template;
mod tool;
mod watched;
mod worker;

pub use kept::Kept;
pub use program::Program;
pub use read::{PROGRAM, Programs};
pub use watched::find as find_program;
