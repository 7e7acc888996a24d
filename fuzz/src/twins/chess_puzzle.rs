//! The position and its score.

#[rustfmt::skip] // Of another edition.
#[path = "../../../policy/tests/chess_puzzle/compare.rs"]
mod compare;
#[rustfmt::skip] // Of another edition.
#[path = "../../../policy/tests/chess_puzzle/twin.rs"]
#[allow(dead_code, missing_docs)]
mod twin;

use super::Choices;
use compare::{click, compare, letter};
use policy::chess_puzzle::board::{Cell, LARGEST, MOST_LAYERS, Piece, SMALLEST, TYPES};
use policy::chess_puzzle::position::Position;
use policy::random::SplitMix64;
use twin::Twin;

/// A size and a seed, then one or two bytes for each click.
pub fn run(bytes: &[u8]) -> bool {
    let mut choices = Choices::new(bytes);
    let sizes = LARGEST - SMALLEST + 1;
    let (Some(rows), Some(columns), Some(layers)) =
        (choices.below(sizes), choices.below(sizes), choices.below(MOST_LAYERS))
    else {
        return false;
    };
    let (rows, columns, layers) = (rows + SMALLEST, columns + SMALLEST, layers + 1);
    let mut random = SplitMix64::new(choices.seed());
    let mut stack = |_| (0..layers).map(|_| Piece::ALL[random.below(TYPES as u32) as usize].letter()).collect();
    let mut twin = Twin::new((0..rows).map(|_| (0..columns).map(&mut stack).collect()).collect());
    let top = |cell: Cell| letter(&twin, cell as usize / columns, cell as usize % columns).expect("a tile");
    let mut position = Position::new(rows, columns, layers, top);
    loop {
        let legal = compare(&twin, &position);
        if legal.is_empty() {
            return true;
        }
        let Some(choice) = choices.below(legal.len()) else { return true };
        click(&mut twin, &mut position, legal[choice]);
    }
}
