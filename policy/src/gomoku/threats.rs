//! Wins by fours: every white move threatens five, so that the reply is forced, until two fives threaten at once.
//! Such a win holds against every opponent.

use super::board::{Cell, Side};
use super::position::{alone, Position};

/// The most fours in a row that are tried.
const DEPTH: u32 = 10;
/// The most positions that are looked at.
const POSITIONS: u32 = 500;

/// A forced win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Win {
    /// The first move.
    pub cell: Cell,
    /// White moves until five.
    pub moves: u32,
}

/// A win by fours for White, who is to move; `None` if there is none, or none was found within the limits.
pub fn win_by_fours(position: &mut Position) -> Option<Win> {
    let mut left = POSITIONS;
    // Deeper step by step: the first win found is the soonest.
    (1..=DEPTH).find_map(|depth| search(position, depth, &mut left))
}

/// A win within `moves` moves.
fn search(position: &mut Position, moves: u32, left: &mut u32) -> Option<Win> {
    if let (Some(cell), _) = position.fives(Side::White) {
        return Some(Win { cell, moves: 1 });
    }
    if moves < 2 || position.tally(alone(Side::White, 3)) == 0 || *left == 0 {
        return None;
    }
    *left -= 1;
    // If Black threatens five, the only four that helps is made on that cell.
    let (must, other) = position.fives(Side::Black);
    if other.is_some() {
        return None;
    }
    let mut tried = [0; 6];
    // Lines change under way, and come back: only their states at this position count.
    let lines: [Option<usize>; 32] = {
        let mut lines = position.lines(alone(Side::White, 3));
        std::array::from_fn(|_| lines.next())
    };
    for line in lines.into_iter().flatten() {
        let gaps = {
            let mut gaps = position.gaps(line);
            [gaps.next(), gaps.next()]
        };
        for cell in gaps.into_iter().flatten() {
            let bit = 1u64 << (cell % 64);
            if must.is_some_and(|must| must != cell) || tried[cell as usize / 64] & bit != 0 {
                continue;
            }
            tried[cell as usize / 64] |= bit;
            position.put(cell, Side::White);
            let win = answer(position, moves, left);
            position.take(cell, Side::White);
            if let Some(rest) = win {
                return Some(Win { cell, moves: rest + 1 });
            }
        }
    }
    None
}

/// White moves until five after a four that was just made, if it wins.
fn answer(position: &mut Position, moves: u32, left: &mut u32) -> Option<u32> {
    let (first, second) = position.fives(Side::White);
    let forced = first?;
    if second.is_some() {
        return Some(1);
    }
    position.put(forced, Side::Black);
    let win = search(position, moves - 1, left);
    position.take(forced, Side::Black);
    win.map(|win| win.moves)
}
