//! ChessPuzzle: click away the stacked tiles of a large board, each click a chess-like step from the last.
//!
//! [`board`] and [`position`] are the rules; [`weights`], [`field`] and [`evaluation`] judge a position; [`greedy`],
//! [`beam`] and [`sampled`] choose clicks by that for the [`player`], and [`search`] knows them by name; [`dialogue`] talks
//! to the tester.

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
