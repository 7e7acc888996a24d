//! What tunes: configuration, evolution, evaluation of candidates, arenas, statistics, files of a run.

pub mod evaluator;
pub mod game;
pub mod games;
pub mod judge;
pub mod plot;
pub mod seed;
pub mod statistics;
