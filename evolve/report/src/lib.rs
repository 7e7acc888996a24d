//! Reports on runs, from their files: plots as pictures, and an interactive page.

pub mod draw;
mod error;
pub mod page;
pub mod plot;
mod tables;

pub use error::ReportError;
