//! Programs as problems: a solver or bot in any language, tuned by its output.
//!
//! A job declares a program in the sections `[program]`, `[parameters]`, `[scenarios]` and
//! `[constraints]`, which [`PROGRAM`] reads. The resulting [`Program`] is data. A session starts
//! the command for every trial, or keeps it alive as a worker, and reads the score from its output.
//! A case is one replicate of an instance ([`instances`]). Each instance belongs to one split.
//!
//! All paths are relative to the current folder. The program's resources are limited, none of its
//! processes survives, and failures count as declared in the job ([`failure`]).

mod baseline;
mod best;
mod check;
mod command;
mod constraints;
pub mod describe;
pub mod failure;
mod failures;
pub mod features;
pub mod file;
pub mod format;
mod function;
mod gauge;
pub mod host;
pub mod instances;
mod kept;
mod limit;
mod names;
pub mod parameters;
mod pictures;
mod play;
mod private;
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
mod stop;
pub mod template;
mod tool;
mod watched;
mod worker;
pub mod workers;

pub use command::{CommandError, line_word, split};
pub use kept::Kept;
pub use private::{CACHE_TAG, changed_file, changed_note, hand_on, normal, same_program};
pub use program::Program;
pub use read::{PROGRAM, Programs};
pub use watched::find as find_program;
