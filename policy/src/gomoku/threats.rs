//! Wins by fours: every white move threatens five and so forces the reply, until a move threatens
//! two fives at once. Such a win holds against every opponent.

use super::board::{alone, Cell, Side};
use super::position::Position;

/// Largest number of successive fours.
const DEPTH: u32 = 10;
/// Maximum number of positions searched.
const POSITIONS: u32 = 500;

/// A forced win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Win {
    /// The first move.
    pub cell: Cell,
    /// Number of White's moves until five in a line.
    pub moves: u32,
}

/// Returns a win by fours for White, who is to move; `None` if there is none or the search hits its
/// limits first.
pub fn win_by_fours(position: &mut Position) -> Option<Win> {
    let mut limits = Limits { positions: POSITIONS, cut: false };
    // Iterative deepening: the first win found is the fastest.
    for moves in 1..=DEPTH {
        limits.cut = false;
        let win = search(position, moves, &mut limits);
        if win.is_some() || !limits.cut {
            return win;
        }
    }
    None
}

/// Limits of a search.
struct Limits {
    /// Number of positions that may still be searched.
    positions: u32,
    /// Whether the depth limit left fours untried.
    cut: bool,
}

/// Returns a win within `moves` moves.
fn search(position: &mut Position, moves: u32, limits: &mut Limits) -> Option<Win> {
    if let (Some(cell), _) = position.fives(Side::White) {
        return Some(Win { cell, moves: 1 });
    }
    if position.tally(alone(Side::White, 3)) == 0 || limits.positions == 0 {
        return None;
    }
    if moves < 2 {
        limits.cut = true;
        return None;
    }
    limits.positions -= 1;
    // If Black threatens five, only a four on that cell helps.
    let (must, other) = position.fives(Side::Black);
    if other.is_some() {
        return None;
    }
    let mut tried = [0; 6];
    // The loop makes and unmakes moves, so collect the lines by their states at this position
    // first. More than 32 never occur.
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
            let win = answer(position, moves, limits);
            position.take(cell, Side::White);
            if let Some(rest) = win {
                return Some(Win { cell, moves: rest + 1 });
            }
        }
    }
    None
}

/// Returns the number of White's moves until five after a four that was just made, if the four
/// wins.
fn answer(position: &mut Position, moves: u32, limits: &mut Limits) -> Option<u32> {
    let (first, second) = position.fives(Side::White);
    let forced = first?;
    if second.is_some() {
        return Some(1);
    }
    position.put(forced, Side::Black);
    let win = search(position, moves - 1, limits);
    position.take(forced, Side::Black);
    win.map(|win| win.moves)
}
