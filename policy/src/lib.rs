//! What plays.
