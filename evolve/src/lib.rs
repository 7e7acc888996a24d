//! What tunes: configuration, evolution, evaluation of candidates, arenas, statistics, files of a run.

pub mod judge;
pub mod plot;
