//! Five contest games to tune. Each has a folder here, and one in `policy`, which contains the code
//! that plays.

/// Implements the optional roles of a game in an `impl Problem`, which the game itself provides.
macro_rules! offers {
    ($($role:ident: $Role:ident),*) => {
        $(fn $role(&self) -> Option<&dyn $Role> {
            Some(self)
        })*
    };
}

pub mod black_out;
pub mod chess_puzzle;
pub mod gomoku;
pub mod king_rook;
pub mod numbers;
pub mod parameters;
pub mod solitaire_chess;

use evolve_core::model::problem::Problem;
use std::sync::{Arc, LazyLock};

/// The games, in the order of listings.
pub static GAMES: LazyLock<Vec<Arc<dyn Problem>>> = LazyLock::new(|| {
    vec![
        Arc::new(solitaire_chess::SolitaireChess),
        Arc::new(chess_puzzle::ChessPuzzle),
        Arc::new(gomoku::Gomoku),
        Arc::new(king_rook::KingRook),
        Arc::new(black_out::BlackOut),
    ]
});
