//! Linux: a supervisor process that stands between this one and the program.

mod launch;
mod order;
mod serve;
pub(crate) mod supervisor;
mod sys;
mod tree;
