//! The position that is kept up stone by stone, and the opponent.

#[rustfmt::skip] // Of another edition.
#[path = "../../../policy/tests/gomoku/pair.rs"]
#[allow(missing_docs)]
mod pair;
#[rustfmt::skip] // Of another edition.
#[path = "../../../policy/tests/gomoku/twin.rs"]
#[allow(dead_code, missing_docs)]
mod twin;

use super::Choices;
use pair::{Pair, xy};
use policy::gomoku::board::{CELLS, CENTRE, Cell, Side};
use policy::gomoku::opponent::reply;

/// Longer games show nothing new, and the twin is slow.
const LONGEST: usize = 24;

/// A byte for a stone near others, or 255 and two bytes for one anywhere; 254 takes the last one back for a moment.
pub fn run(bytes: &[u8]) -> bool {
    let mut choices = Choices::new(bytes);
    let mut pair = Pair::new();
    pair.put(CENTRE, Side::Black);
    let mut side = Side::White;
    for _ in 0..LONGEST {
        if pair.is_over() {
            break;
        }
        let Some(choice) = choices.byte() else { break };
        if choice == 254 && pair.fast.count() > 1 {
            let before = pair.fast.clone();
            let (cell, side) = pair.take();
            pair.compare();
            pair.put(cell, side);
            assert!(pair.fast == before, "a stone taken back leaves traces");
            continue;
        }
        let near: Vec<Cell> = pair.fast.near().collect();
        let cell = match choice {
            255 => choices.below(CELLS).map_or(CENTRE, |cell| cell as Cell),
            _ if near.is_empty() => continue,
            _ => near[usize::from(choice) % near.len()],
        };
        if !pair.fast.is_empty(cell) {
            continue;
        }
        pair.put(cell, side);
        side = if side == Side::Black { Side::White } else { Side::Black };
        pair.compare();
        if side == Side::Black && !pair.is_over() {
            assert_eq!(reply(&pair.fast).map(xy), pair.slow.reply(|_, _| 0));
        }
    }
    pair.fast.count() > 1
}
