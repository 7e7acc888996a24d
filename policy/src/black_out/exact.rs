//! Exact solution of the end of a game: depth-first search with a transposition table.

use super::board::{Squares, ALL, SEGMENT, SEGMENTS};
use crate::clock::Clock;

/// Number of entries of the table, a power of 2.
const ENTRIES: usize = 1 << 16;
/// The key of an empty entry; no position has it.
const EMPTY: u32 = u32::MAX;
/// Positions searched between two checks of the clock, a power of 2.
const PATIENCE: u32 = 1 << 10;

/// A solver that remembers its results. Its answers do not depend on earlier queries: replacing an
/// entry costs time, never correctness.
#[derive(Clone, Debug)]
pub struct Solver {
    /// Keys, indexed by a hash of the position: twice its set, plus 1 if it is lost. Newer
    /// positions replace older ones.
    table: Vec<u32>,
    visits: u32,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// Returns a solver with an empty table.
    pub fn new() -> Self {
        Solver { table: vec![EMPTY; ENTRIES], visits: 0 }
    }

    /// Returns whether the side to move loses against best play; `None` if the clock ran out first.
    /// The time about doubles with each free square.
    pub fn is_lost(&mut self, black: Squares, clock: &Clock) -> Option<bool> {
        let mut moves = [0; SEGMENTS];
        let mut count = 0;
        for (i, segment) in SEGMENT.iter().enumerate() {
            if black & segment.ends == 0 {
                moves[count] = i as u8;
                count += 1;
            }
        }
        self.search(black, &moves[..count], clock)
    }

    /// `before` holds the moves of an earlier position, which include those of this one.
    fn search(&mut self, black: Squares, before: &[u8], clock: &Clock) -> Option<bool> {
        if black == ALL {
            return Some(true);
        }
        let slot = (black.wrapping_mul(0x9e37_79b1) >> 16) as usize % ENTRIES;
        let known = self.table[slot];
        if known >> 1 == black {
            return Some(known & 1 == 1);
        }
        self.visits = self.visits.wrapping_add(1);
        if self.visits & (PATIENCE - 1) == 0 && clock.is_over() {
            return None;
        }
        let mut moves = [0; SEGMENTS];
        let mut count = 0;
        for &i in before {
            if black & SEGMENT[i as usize].ends == 0 {
                moves[count] = i;
                count += 1;
            }
        }
        let moves = &moves[..count];
        let mut is_lost = true;
        for &i in moves {
            if self.search(black | SEGMENT[i as usize].squares, moves, clock)? {
                is_lost = false;
                break;
            }
        }
        self.table[slot] = black << 1 | u32::from(is_lost);
        Some(is_lost)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::{moves, ROW};
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn a_line_is_a_heap_of_nim() {
        let mut solver = Solver::new();
        for (free, is_lost) in
            [(0, true), (1, false), (0b111, false), (0b101 | 1 << 9, false), (0b11 | 0b11 << 8, true)]
        {
            assert_eq!(solver.is_lost(ALL & !free, &Clock::UNLIMITED), Some(is_lost), "{free:b}");
        }
        // Two full rows of six, one below the other, are symmetric and therefore lost, though they
        // are more than two heaps.
        assert_eq!(solver.is_lost(ALL & !(ROW | ROW << 6), &Clock::UNLIMITED), Some(true));
    }

    #[test]
    fn lost_is_where_no_move_leads_to_a_lost_position() {
        let mut solver = Solver::new();
        for seed in 1..300u32 {
            let free = seed.wrapping_mul(0x9e37_79b9) & seed.wrapping_mul(0x85eb_ca6b) & ALL;
            if free.count_ones() <= 12 {
                let black = ALL & !free;
                let lost = |solver: &mut Solver, black| solver.is_lost(black, &Clock::UNLIMITED).unwrap();
                let is_won = moves(black).any(|i| lost(&mut solver, black | SEGMENT[i].squares));
                assert_eq!(lost(&mut solver, black), !is_won);
            }
        }
    }

    #[test]
    fn it_gives_up_when_the_clock_runs_out() {
        let start = Instant::now();
        let over = Clock::start(&start, Duration::ZERO);
        assert_eq!(Solver::new().is_lost(0, &over), None);
    }
}
