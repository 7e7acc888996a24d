//! Linux: a supervisor process between this process and the program.

mod launch;
mod order;
mod serve;
pub(crate) mod supervisor;
mod sys;
mod tree;
