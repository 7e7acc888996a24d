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

use evolve_core::job::Game;
use std::sync::LazyLock;

/// The games, in the order of listings.
pub static GAMES: LazyLock<Vec<Game>> = LazyLock::new(|| {
    vec![solitaire_chess::game(), chess_puzzle::game(), gomoku::game(), king_rook::game(), black_out::game()]
});
