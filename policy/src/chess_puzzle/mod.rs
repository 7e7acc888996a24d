//! ChessPuzzle: clear the stacked tiles of a large board, where each click is a chess-like step
//! from the last.
//!
//! [`board`] and [`position`] hold the rules; [`weights`], [`field`] and [`evaluation`] judge a
//! position; [`greedy`], [`beam`] and [`sampled`] choose clicks by the evaluation for the
//! [`player`]; [`search`] selects one of them by name; [`dialogue`] talks to the tester.

pub mod beam;
pub mod board;
pub mod dialogue;
pub mod evaluation;
pub mod field;
pub mod greedy;
pub mod player;
pub mod position;
pub mod sampled;
pub mod search;
pub mod weights;
