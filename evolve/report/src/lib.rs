//! What runs wrote, read back and shown: plots as pictures, and a page to look around in.

pub mod draw;
mod error;
pub mod page;
pub mod plot;
mod tables;

pub use error::ReportError;
