//! ChessPuzzle: click away the stacked tiles of a large board, each click a chess-like step from the last.
//!
//! [`board`] and [`position`] are the rules; [`weights`], [`field`] and [`evaluation`] judge a position; [`beam`] and
//! [`sampled`] look ahead; [`dialogue`] talks to the tester.

pub mod beam;
pub mod board;
pub mod dialogue;
pub mod evaluation;
pub mod field;
pub mod player;
pub mod position;
pub mod sampled;
pub mod weights;
