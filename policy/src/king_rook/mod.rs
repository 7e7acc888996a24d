//! King and rook against king: mate a bare king on a board of 10 files and 9 ranks.
//!
//! [`board`] and [`position`] hold the rules for boards of any size; [`symmetry`] brings mirrored
//! positions into one form; [`weights`] and [`evaluation`] judge a position; [`player`] looks
//! ahead; [`dialogue`] talks to the judge.

pub mod board;
pub mod dialogue;
pub mod evaluation;
pub mod player;
pub mod position;
pub mod symmetry;
pub mod weights;
