//! The player: it makes the move with the largest evaluation until it can solve the rest of the
//! game.

use super::board::{free, moves, Squares, LONGEST, SEGMENT, SEGMENTS};
use super::exact::Solver;
use super::weights::Weights;
use crate::clock::Clock;

/// Settings of a player's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The number of free squares at which the solver takes over.
    pub exact: u32,
}

/// A player for successive games.
#[derive(Clone, Debug)]
pub struct Player {
    weights: Weights,
    settings: Settings,
    solver: Solver,
}

impl Player {
    /// Returns a player with these weights.
    pub fn new(weights: Weights, settings: Settings) -> Self {
        Player { weights, settings, solver: Solver::new() }
    }

    /// Returns the move, as an index into [`SEGMENT`]; `None` if all squares are black. Among
    /// winning moves, or among all moves that the solver has not decided, it is the first one with
    /// the largest value. The same position gives the same move, unless `clock` runs short.
    pub fn choose(&mut self, black: Squares, clock: &Clock) -> Option<usize> {
        let mut ranked = [(0.0, 0); SEGMENTS];
        let mut count = 0;
        for i in moves(black) {
            ranked[count] = (self.weights.value(black | SEGMENT[i].squares), i);
            count += 1;
        }
        let ranked = &mut ranked[..count];
        if free(black) <= self.settings.exact {
            // The sort is stable: moves of equal value keep their order.
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
