//! The player: the evaluation's favourite, until the rest of the game can be solved.

use super::board::{free, moves, Squares, LONGEST, SEGMENT, SEGMENTS};
use super::exact::Solver;
use super::weights::Weights;
use crate::clock::Clock;

/// How a player looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// From how many free squares on the rest of the game is solved.
    pub exact: u32,
}

/// A player of one game after another.
#[derive(Clone, Debug)]
pub struct Player {
    weights: Weights,
    settings: Settings,
    solver: Solver,
}

impl Player {
    /// A player with these weights.
    pub fn new(weights: Weights, settings: Settings) -> Self {
        Player { weights, settings, solver: Solver::new() }
    }

    /// The move, as an index into [`SEGMENT`]; `None` if all squares are black. Among winning moves, and where the
    /// solver is not sure of all moves, it is the one with the largest value, and the first of equal ones. The same
    /// position gives the same move, unless `clock` runs short.
    pub fn choose(&mut self, black: Squares, clock: &Clock) -> Option<usize> {
        let mut ranked = [(0.0, 0); SEGMENTS];
        let mut count = 0;
        for i in moves(black) {
            ranked[count] = (self.weights.value(black | SEGMENT[i].squares), i);
            count += 1;
        }
        let ranked = &mut ranked[..count];
        if free(black) <= self.settings.exact {
            // Stable: equal values stay in the order of the moves.
            ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
            let clock = clock.share(LONGEST / 2);
            for &(_, i) in ranked.iter() {
                match self.solver.is_lost(black | SEGMENT[i].squares, &clock) {
                    Some(true) => return Some(i),
                    Some(false) => {}
                    None => break,
                }
            }
        }
        let mut best: Option<(f64, usize)> = None;
        for &(value, i) in ranked.iter() {
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, i));
            }
        }
        best.map(|(_, i)| i)
    }
}
