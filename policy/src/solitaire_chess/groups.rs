//! The contest's six groups of tests, which differ in the types of pieces.

use super::alphabet::Alphabet;
use super::board::{Mask, Piece, TYPES};

/// The types of each group, group 1 first. Hidden pieces are drawn uniformly from them.
pub const GROUPS: [&[Piece]; 6] = [
    &[Piece::Knight],
    &[Piece::One],
    &[Piece::One, Piece::Two],
    &[Piece::Rook, Piece::Bishop, Piece::Queen],
    &[Piece::One, Piece::Two, Piece::Three, Piece::Four],
    &Piece::ALL,
];

/// Returns the types of a group, 1 to 6.
///
/// # Panics
/// If the group does not exist.
pub fn alphabet(group: usize) -> Alphabet {
    Alphabet::of(GROUPS[group - 1])
}

/// Returns the group of a board from the types that it shows: the one with the fewest types that
/// has all of them.
pub fn group_of(visible: &[Mask; TYPES]) -> usize {
    let shown = Alphabet::of_board(visible);
    (1..=GROUPS.len())
        .filter(|&group| alphabet(group).has_all(shown))
        .min_by_key(|&group| GROUPS[group - 1].len())
        .expect("the last group has every type")
}
