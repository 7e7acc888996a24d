//! Five contest games to tune. Each has a folder here, and one in `policy`, which contains the code
//! that plays.

/// Implements the roles that a game itself provides, in its `impl Contest`.
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

use evolve_contest::Games;
use std::sync::LazyLock;

/// The games, in the order of listings.
pub static GAMES: LazyLock<Games> = LazyLock::new(|| {
    Games::default()
        .with::<solitaire_chess::SolitaireChess>(solitaire_chess::game())
        .with::<chess_puzzle::ChessPuzzle>(chess_puzzle::game())
        .with::<gomoku::Gomoku>(gomoku::game())
        .with::<king_rook::KingRook>(king_rook::game())
        .with::<black_out::BlackOut>(black_out::game())
});
