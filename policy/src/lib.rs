//! Players of contest games: the rules, an evaluation with named weights, greedy and beam players,
//! and the dialogue with the contest's judge. Each game has one folder. The crate uses `std` only,
//! because an export joins these modules into one self-contained source file.

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
