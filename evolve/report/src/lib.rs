//! What runs wrote, read back and drawn.

pub mod plot;
