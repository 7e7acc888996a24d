//! Dialogue.
