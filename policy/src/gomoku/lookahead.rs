//! A search that knows the opponent: after each own move it looks at every reply that the noise leaves possible, and
//! counts on the worst of them. At its leaves greedy play against the opponent without noise goes on to the end.

use super::board::{Cell, Side};
use super::evaluation;
use super::opponent::{reply, Replies};
use super::player::{greedy, must};
use super::position::Position;
use super::threats::win_by_fours;
use super::weights::Weights;
use crate::clock::Clock;

/// Width and depth of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Own moves looked at in each position, the best ones by the evaluation.
    pub width: usize,
    /// Own moves looked ahead before greedy play takes over.
    pub depth: u32,
    /// Own moves of that greedy play, at most.
    pub playout: u32,
}

/// The largest width.
pub const WIDEST: usize = 64;

/// Moves that a game is planned for when time is shared out; each gets this part of what is left.
const PLANNED: u32 = 16;

/// A game won, less the own moves it took. An undecided one is worth 0.
const WON: i32 = 1000;
/// A game lost, plus the own moves it took.
const LOST: i32 = -WON;

/// The search from one position.
#[derive(Debug)]
pub struct Lookahead<'a> {
    settings: Settings,
    weights: &'a Weights,
    clock: Clock,
    stopped: bool,
}

impl<'a> Lookahead<'a> {
    /// A search with these settings that orders moves by these weights.
    pub fn new(settings: Settings, weights: &'a Weights) -> Self {
        Lookahead { settings, weights, clock: Clock::UNLIMITED, stopped: false }
    }

    /// White's move, `None` if the board is full.
    pub fn choose(&mut self, position: &Position, clock: &Clock) -> Option<Cell> {
        let mut position = position.clone();
        if let Some(cell) = must(&position) {
            return Some(cell);
        }
        if let Some(win) = win_by_fours(&mut position) {
            return Some(win.cell);
        }
        let mut candidates = Candidates::new(&position, self.settings.width, self.weights);
        let Some(first) = candidates.cells().first().copied() else { return position.first_empty() };
        self.clock = clock.share(PLANNED);
        self.stopped = false;
        let mut best = first;
        // Deeper step by step: each step starts with the best move so far, and a clock that runs short costs only the
        // deepest step.
        for depth in 1..=self.settings.depth {
            let mut most = LOST - 1;
            let mut at_this_depth = first;
            for &cell in candidates.cells() {
                let value = self.worst(&mut position, cell, 1, depth, most, WON);
                if self.stopped {
                    return Some(best);
                }
                if value > most {
                    (at_this_depth, most) = (cell, value);
                }
            }
            best = at_this_depth;
            candidates.to_front(best);
        }
        Some(best)
    }

    /// The value of a move, White's `ply`-th from the root, if Black answers it in the worst of the possible ways.
    /// Exact if it is between `low` and `high`, else a bound.
    fn worst(&mut self, position: &mut Position, cell: Cell, ply: i32, depth: u32, low: i32, high: i32) -> i32 {
        position.put(cell, Side::White);
        let mut worst = high;
        if position.is_full() {
            worst = 0;
        } else {
            for &reply in Replies::new(position).cells() {
                position.put(reply, Side::Black);
                let value = if position.has_five(Side::Black) {
                    LOST + ply
                } else if position.is_full() {
                    0
                } else {
                    self.best(position, ply + 1, depth - 1, low, worst)
                };
                position.take(reply, Side::Black);
                worst = worst.min(value);
                if worst <= low || self.stopped {
                    break;
                }
            }
        }
        position.take(cell, Side::White);
        worst
    }

    /// The value of a position with White to make its `ply`-th move from the root. Exact if it is between `low` and
    /// `high`, else a bound.
    fn best(&mut self, position: &mut Position, ply: i32, depth: u32, low: i32, high: i32) -> i32 {
        if let Some(value) = forced(position, ply) {
            return value;
        }
        if depth == 0 {
            return self.playout(position.clone(), ply);
        }
        if self.clock.is_over() {
            self.stopped = true;
            return low;
        }
        if let Some(cell) = must(position) {
            return self.worst(position, cell, ply, depth, low, high);
        }
        let mut best = low;
        for &cell in Candidates::new(position, self.settings.width, self.weights).cells() {
            best = best.max(self.worst(position, cell, ply, depth, best, high));
            if best >= high || self.stopped {
                break;
            }
        }
        best
    }

    /// The value of a position if White goes on greedily and Black without noise.
    fn playout(&self, mut position: Position, ply: i32) -> i32 {
        for ply in ply..ply + self.settings.playout as i32 {
            if let Some(value) = forced(&mut position, ply) {
                return value;
            }
            let Some(cell) = greedy(&position, self.weights) else { return 0 };
            position.put(cell, Side::White);
            let Some(reply) = reply(&position) else { return 0 };
            position.put(reply, Side::Black);
            if position.has_five(Side::Black) {
                return LOST + ply;
            }
        }
        0
    }
}

/// The value of a position that is decided, with White to make its `ply`-th move from the root.
fn forced(position: &mut Position, ply: i32) -> Option<i32> {
    if let Some(win) = win_by_fours(position) {
        return Some(WON - (ply + win.moves as i32 - 1));
    }
    match position.fives(Side::Black) {
        (_, Some(_)) => Some(LOST + ply),
        _ => None,
    }
}

/// The best moves of a position by the evaluation, the best one first.
#[derive(Debug)]
struct Candidates {
    cells: [Cell; WIDEST],
    count: usize,
}

impl Candidates {
    fn new(position: &Position, width: usize, weights: &Weights) -> Self {
        let mut candidates = Candidates { cells: [0; WIDEST], count: 0 };
        let mut values = [0.0; WIDEST];
        let width = width.min(WIDEST);
        for cell in position.near() {
            let value = evaluation::value(position, cell, weights);
            // Insertion from the end; of equal values the first cell stays in front.
            let mut place = candidates.count;
            if place == width {
                if values[place - 1] >= value {
                    continue;
                }
                place -= 1;
            } else {
                candidates.count += 1;
            }
            while place > 0 && values[place - 1] < value {
                values[place] = values[place - 1];
                candidates.cells[place] = candidates.cells[place - 1];
                place -= 1;
            }
            values[place] = value;
            candidates.cells[place] = cell;
        }
        candidates
    }

    fn cells(&self) -> &[Cell] {
        &self.cells[..self.count]
    }

    fn to_front(&mut self, cell: Cell) {
        if let Some(place) = self.cells().iter().position(|&other| other == cell) {
            self.cells[..=place].rotate_right(1);
        }
    }
}
