//! Black Out: blacken a straight segment of a 5 x 6 board by turns, at least one new square each time; who blackens
//! the last square wins.
//!
//! [`board`] is the rules; [`weights`], [`features`] and [`evaluation`] judge a position; [`exact`] solves the end of a
//! game; [`player`] puts both together; [`dialogue`] talks to the judge.

pub mod board;
pub mod dialogue;
pub mod evaluation;
pub mod exact;
pub mod features;
pub mod player;
pub mod weights;
