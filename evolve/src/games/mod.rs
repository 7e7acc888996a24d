//! The register of games.

use crate::game::Game;
use std::sync::RwLock;

pub mod black_out;
pub mod chess_puzzle;
pub mod gomoku;
pub mod king_rook;
pub mod solitaire_chess;

/// The games that come with the project, in the order of listings.
pub static GAMES: [&dyn Game; 5] = [
    &solitaire_chess::SolitaireChess,
    &chess_puzzle::ChessPuzzle,
    &gomoku::Gomoku,
    &king_rook::KingRook,
    &black_out::BlackOut,
];

/// Games that a program which uses this library brought along.
static MORE: RwLock<Vec<&'static dyn Game>> = RwLock::new(Vec::new());

/// Registers one more game, for programs that bring a game of their own: jobs and weights files may name it from now on.
///
/// # Panics
/// If there is a game of that name already.
pub fn add(game: &'static dyn Game) {
    assert!(find(game.name()).is_err(), "there is a game `{}` already", game.name());
    MORE.write().unwrap_or_else(|poisoned| poisoned.into_inner()).push(game);
}

/// The game of that name.
///
/// # Errors
/// A message that lists the games there are.
pub fn find(name: &str) -> Result<&'static dyn Game, String> {
    let more = MORE.read().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut all = GAMES.iter().chain(more.iter()).copied();
    all.clone().find(|game| game.name() == name).ok_or_else(|| {
        let known: Vec<_> = all.by_ref().map(|game| game.name()).collect();
        format!("there is no game `{name}`; there are: {}", known.join(", "))
    })
}
