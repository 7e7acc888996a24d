//! What tunes: jobs, evolution, evaluation of candidates, arenas, statistics, files of a run.
//!
//! A [`config::Job`] says what to do. A [`run::Run`] carries it out: it asks [`genetic`] for candidates, has an
//! [`evaluator`] play them on deals by [`seed`], tells the scores back, and at the end says by [`statistics`] whether
//! anything was gained. [`games`] registers what can be tuned, each a [`game::Game`].

pub mod config;
pub mod document;
pub mod evaluator;
pub mod export;
pub mod game;
pub mod games;
pub mod genetic;
pub mod judge;
pub mod plot;
pub mod policy_file;
pub mod run;
pub mod seed;
pub mod statistics;
