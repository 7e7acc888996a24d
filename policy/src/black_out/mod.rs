//! Black Out: two players take turns to blacken a straight segment of a 5 x 6 board, at least one
//! new square each time. The last to blacken a square wins.
//!
//! [`board`] holds the rules; [`weights`], [`features`] and [`evaluation`] judge a position;
//! [`exact`] solves the end of a game; [`player`] combines both; [`dialogue`] talks to the judge.

pub mod board;
pub mod dialogue;
pub mod evaluation;
pub mod exact;
pub mod features;
pub mod player;
pub mod weights;
