//! Solitaire chess: remove piece after piece from a 6 x 6 board, each removal a chess-like step from the last,
//! for points for tiles worn down and for runs and sets of types.
//!
//! [`board`], [`alphabet`], [`bonus`] and [`groups`] are the rules and [`position`] puts them together; [`weights`], [`sources`],
//! [`prospects`] and [`evaluation`] judge a position; [`greedy`], [`beam`] and [`sampled`] choose removals by that for
//! the [`player`], [`endgame`] without, and [`search`] knows them by name; [`dialogue`] talks to the judge. [`playout`] plays at random, as fast as it goes.

pub mod alphabet;
pub mod beam;
pub mod board;
pub mod bonus;
pub mod dialogue;
pub mod endgame;
pub mod evaluation;
pub mod greedy;
pub mod groups;
pub mod player;
pub mod playout;
pub mod position;
pub mod prospects;
pub mod sampled;
pub mod search;
pub mod sources;
pub mod weights;
