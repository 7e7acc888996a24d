//! Players of contest games: the rules, an evaluation with named weights, greedy and beam players, and the
//! dialogue with the contest's judge. One folder a game; `std` only, because a tuned player is exported as one
//! self-contained source file made of these very modules.

#![warn(missing_docs)]

pub mod black_out;
pub mod chess_puzzle;
pub mod clock;
pub mod gomoku;
pub mod king_rook;
pub mod piece;
pub mod random;
pub mod solitaire_chess;
pub mod weights;
pub mod words;
