//! What the search finds behind each of its moves, and the line that it expects. They are for whoever asks why; no player
//! needs them.

use super::super::board::{Cell, Side};
use super::super::opponent::Replies;
use super::super::position::Position;
use super::{forced, Candidates, Hunt, Lookahead, LOST, WON};
use crate::clock::Clock;

/// How a line ends, the own moves that it takes from the root counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// White wins with this move at the latest.
    Won(u32),
    /// Nothing is decided where the search ends.
    Open,
    /// Black wins after this move.
    Lost(u32),
}

impl End {
    fn of(value: i32) -> Self {
        match value {
            1.. => End::Won((WON - value) as u32),
            0 => End::Open,
            _ => End::Lost((value - LOST) as u32),
        }
    }
}

/// A move that the search looks at.
#[derive(Clone, Debug)]
pub struct Found {
    /// The move.
    pub cell: Cell,
    /// What the search holds it worth: a win is worth the more the sooner it comes.
    pub value: i32,
    /// How it ends if Black answers in the worst of the likely ways.
    pub end: End,
    /// That line, Black's reply first, then moves in turns.
    pub line: Vec<Cell>,
}

impl Lookahead {
    /// The moves that the search looks at in a position where no five has to be completed or stopped and no fours win,
    /// the best one by the evaluation first, each looked through to its full depth.
    pub fn alternatives(&self, position: &Position) -> Vec<Found> {
        let mut hunt =
            Hunt { settings: self.settings, weights: &self.weights, clock: Clock::UNLIMITED, stopped: false };
        let mut position = position.clone();
        let candidates = Candidates::new(&position, self.settings.width, &self.weights);
        let found = |&cell: &Cell| {
            let value = hunt.worst(&mut position, cell, 1, self.settings.depth, LOST - 1, WON);
            let mut line = Vec::new();
            hunt.expected_line(&mut position, cell, 1, self.settings.depth, &mut line);
            Found { cell, value, end: End::of(value), line }
        };
        candidates.cells().iter().map(found).collect()
    }
}

impl Hunt<'_> {
    /// The line expected after a move, White's `ply`-th from the root, down to where greedy play takes over.
    fn expected_line(&mut self, position: &mut Position, cell: Cell, ply: i32, depth: u32, line: &mut Vec<Cell>) {
        position.put(cell, Side::White);
        let mut worst: Option<(i32, Cell)> = None;
        if !position.is_full() {
            for &reply in Replies::new(position).cells() {
                position.put(reply, Side::Black);
                let value = match position.has_five(Side::Black) {
                    true => LOST + ply,
                    false => self.best(position, ply + 1, depth - 1, LOST - 1, WON),
                };
                position.take(reply, Side::Black);
                if worst.is_none_or(|(worst, _)| value < worst) {
                    worst = Some((value, reply));
                }
            }
        }
        if let Some((value, reply)) = worst {
            line.push(reply);
            position.put(reply, Side::Black);
            let goes_on = depth > 1 && !position.has_five(Side::Black) && forced(position, ply + 1).is_none();
            let candidates = Candidates::new(position, self.settings.width, self.weights);
            let next = candidates.cells().iter().copied().filter(|_| goes_on);
            let next = next.filter(|&next| self.worst(position, next, ply + 1, depth - 1, LOST - 1, WON) == value);
            if let Some(next) = next.collect::<Vec<_>>().first().copied() {
                line.push(next);
                self.expected_line(position, next, ply + 1, depth - 1, line);
            }
            position.take(reply, Side::Black);
        }
        position.take(cell, Side::White);
    }
}
