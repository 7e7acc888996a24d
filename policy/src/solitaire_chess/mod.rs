//! Solitaire chess: remove piece after piece from a 6 x 6 board, each removal a chess-like step
//! from the last, for points for tiles worn down and for runs and sets of types.
//!
//! [`board`], [`alphabet`], [`bonus`] and [`groups`] define the rules, and [`position`] combines
//! them. [`weights`], [`sources`], [`prospects`] and [`evaluation`] judge a position. [`greedy`],
//! [`beam`] and [`sampled`] choose removals by this evaluation for the [`player`], and [`endgame`]
//! without it; [`search`] lists them by name. [`dialogue`] communicates with the judge. [`playout`]
//! plays fast random games.

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
