//! The board as a mask, and the exact search at the end of a game.

#[rustfmt::skip] // Of another edition.
#[path = "../../../policy/tests/black_out/compare.rs"]
mod compare;
#[rustfmt::skip] // Of another edition.
#[path = "../../../policy/tests/black_out/twin.rs"]
#[allow(missing_docs)]
mod twin;

use super::Choices;
use compare::compare;
use policy::black_out::board::{Squares, segment};
use policy::black_out::exact::Solver;
use policy::clock::Clock;
use std::collections::BTreeMap;
use twin::Board;

/// Free squares from which on the twin finds out who wins.
const END: usize = 7;

/// A byte, or two where there are many moves, for each move.
pub fn run(bytes: &[u8]) -> bool {
    let mut choices = Choices::new(bytes);
    let (mut board, mut black): (Board, Squares) = Default::default();
    let mut solver = Solver::new();
    loop {
        let legal = compare(&board, black);
        let free = board.iter().flatten().filter(|&&is_black| !is_black).count();
        if free <= END {
            let expected = twin::is_lost(&board, &mut BTreeMap::new());
            assert_eq!(solver.is_lost(black, &Clock::UNLIMITED), Some(expected), "{board:?}");
            return true;
        }
        let Some(choice) = choices.below(legal.len()) else { return !bytes.is_empty() };
        board = twin::play(&board, legal[choice]);
        let [r1, c1, r2, c2] = legal[choice].map(|number| number as u8);
        black |= segment((r1, c1), (r2, c2)).expect("a row or a column").squares;
    }
}
