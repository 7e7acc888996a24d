//! Compares a position with its slow twin.

use super::twin::{Place, Twin};
use policy::king_rook::board::{Cell, Cells};
use policy::king_rook::position::{Position, State};

fn place<const F: usize, const R: usize>(cell: Cell) -> Place {
    (i32::from(cell) % F as i32, i32::from(cell) / F as i32)
}

fn set<const F: usize>(places: Vec<Place>) -> Cells {
    places.into_iter().fold(0, |set, (file, rank)| set | 1 << (rank * F as i32 + file))
}

/// Returns the twin of a position.
pub fn twin_of<const F: usize, const R: usize>(at: &Position<F, R>) -> Twin {
    let [king, rook, black] = [at.king, at.rook, at.black].map(place::<F, R>);
    Twin { size: (F as i32, R as i32), king, rook, black }
}

/// Checks that both implementations agree on a position.
pub fn compare<const F: usize, const R: usize>(at: &Position<F, R>) {
    let twin = twin_of(at);
    assert_eq!(at.is_check(), twin.is_check(), "{at:?}");
    assert_eq!(at.black_moves(), set::<F>(twin.black_moves()), "{at:?}");
    assert_eq!(at.king_moves(), set::<F>(twin.king_moves()), "{at:?}");
    assert_eq!(at.rook_moves(), set::<F>(twin.rook_moves()), "{at:?}");
    let expected = match (twin.black_moves().as_slice(), twin.is_check()) {
        ([], true) => State::Checkmate,
        ([], false) => State::Stalemate,
        (replies, _) if replies.contains(&twin.rook) => State::RookLost,
        _ => State::Open(at.black_moves()),
    };
    assert_eq!(at.state(), expected, "{at:?}");
}
