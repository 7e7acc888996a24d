//! Gomoku on 19 x 19 cells as the second player, against a fixed strategy that looks one move
//! ahead.
//!
//! [`board`], [`gains`] and [`position`] hold the rules; [`opponent`] is the strategy to beat,
//! without its noise; [`weights`] and [`evaluation`] judge a move; [`threats`] finds wins by fours;
//! [`player`] picks moves by both, and [`lookahead`] by a search through the opponent's replies;
//! [`search`] selects a player by name; [`dialogue`] talks to the judge.

pub mod board;
pub mod dialogue;
pub mod evaluation;
pub mod gains;
pub mod lookahead;
pub mod opponent;
pub mod player;
pub mod position;
pub mod search;
pub mod threats;
pub mod weights;
