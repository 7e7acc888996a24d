//! The register of games.

use crate::game::Game;

pub mod king_rook;
pub mod solitaire_chess;

/// All games, in the order of listings.
pub static GAMES: [&dyn Game; 2] = [&solitaire_chess::SolitaireChess, &king_rook::KingRook];

/// The game of that name.
///
/// # Errors
/// A message that lists the games there are.
pub fn find(name: &str) -> Result<&'static dyn Game, String> {
    GAMES.into_iter().find(|game| game.name() == name).ok_or_else(|| {
        let known: Vec<_> = GAMES.iter().map(|game| game.name()).collect();
        format!("there is no game `{name}`; there are: {}", known.join(", "))
    })
}
