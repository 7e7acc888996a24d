//! Output of runs, read back and shown: plots as pictures, and an interactive page.

pub mod draw;
mod error;
pub mod page;
pub mod plot;
mod tables;

pub use error::ReportError;
