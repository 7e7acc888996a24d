//! A search with a model of the opponent: after each own move it searches every reply that the
//! noise allows, and assumes the worst of them. At its leaves greedy play against the opponent
//! without noise continues to the end.

use super::board::{Cell, Side};
use super::evaluation;
use super::opponent::{reply, Replies};
use super::player::{greedy, must, Player};
use super::position::Position;
use super::threats::win_by_fours;
use super::weights::Weights;
use crate::clock::Clock;

/// Width and depth of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Number of own moves searched in each position, the best ones by the evaluation.
    pub width: usize,
    /// Number of own moves looked ahead before greedy play takes over.
    pub depth: u32,
    /// Largest number of own moves of that greedy play.
    pub playout: u32,
}

/// The largest width.
pub const WIDEST: usize = 64;

/// Number of moves that share the remaining time equally.
const PLANNED: u32 = 16;

/// The value of a win, minus the number of own moves until then. An undecided game is worth 0.
pub const WON: i32 = 1000;
/// The value of a loss, plus the number of own moves until then.
pub const LOST: i32 = -WON;

/// The player that looks ahead.
#[derive(Clone, Debug)]
pub struct Lookahead {
    weights: Weights,
    settings: Settings,
}

impl Lookahead {
    /// Returns a player with these settings and with weights that order its moves.
    pub fn new(weights: Weights, settings: Settings) -> Self {
        Lookahead { weights, settings }
    }

    /// Returns the moves that the search considers if no move is forced, the best one by the
    /// evaluation first, each with its value at full depth.
    pub fn values(&self, position: &Position) -> Vec<(Cell, i32)> {
        let Lookahead { settings, weights } = self;
        let mut hunt = Hunt { settings: *settings, weights, clock: Clock::UNLIMITED, stopped: false };
        let mut position = position.clone();
        let candidates = Candidates::new(&position, settings.width, weights);
        let value = |&cell: &Cell| (cell, hunt.worst(&mut position, cell, 1, settings.depth, LOST - 1, WON));
        candidates.cells().iter().map(value).collect()
    }
}

impl Player for Lookahead {
    fn choose(&mut self, position: &Position, clock: &Clock) -> Option<Cell> {
        let clock = clock.share(PLANNED);
        Hunt { settings: self.settings, weights: &self.weights, clock, stopped: false }.choose(position)
    }
}

/// The search from one position.
#[derive(Debug)]
struct Hunt<'a> {
    settings: Settings,
    weights: &'a Weights,
    clock: Clock<'a>,
    stopped: bool,
}

impl Hunt<'_> {
    fn choose(&mut self, position: &Position) -> Option<Cell> {
        let mut position = position.clone();
        if let Some(cell) = must(&position) {
            return Some(cell);
        }
        if let Some(win) = win_by_fours(&mut position) {
            return Some(win.cell);
        }
        let mut candidates = Candidates::new(&position, self.settings.width, self.weights);
        let Some(first) = candidates.cells().first().copied() else { return position.first_empty() };
        let mut best = first;
        // Iterative deepening: each step starts with the best move so far, and a clock that runs
        // short costs only the deepest step.
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
            candidates.move_to_front(best);
        }
        Some(best)
    }

    /// Returns the value of White's `ply`-th move from the root against Black's strongest possible
    /// reply. The value is exact if it lies between `low` and `high`, else a bound.
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

    /// Returns the value of a position with White to make its `ply`-th move from the root. The
    /// value is exact if it lies between `low` and `high`, else a bound.
    fn best(&mut self, position: &mut Position, ply: i32, depth: u32, low: i32, high: i32) -> i32 {
        // Even an immediate win would come too late.
        if WON - ply <= low {
            return low;
        }
        if let Some(value) = forced(position, ply) {
            return value;
        }
        if depth == 0 {
            return self.playout(position.clone(), ply, low);
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

    /// Returns the value of the position if White continues greedily and Black plays without noise.
    /// The value is exact if it is above `low`, else a bound.
    fn playout(&self, mut position: Position, ply: i32, low: i32) -> i32 {
        for ply in ply..ply + self.settings.playout as i32 {
            if WON - ply <= low {
                return low;
            }
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

/// Returns the value of a decided position, with White to make its `ply`-th move from the root.
fn forced(position: &mut Position, ply: i32) -> Option<i32> {
    if let Some(win) = win_by_fours(position) {
        return Some(WON - (ply + win.moves as i32 - 1));
    }
    match position.fives(Side::Black) {
        (_, Some(_)) => Some(LOST + ply),
        _ => None,
    }
}

/// Returns the best moves of a position by the evaluation, the best one first.
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
            // Insert from the end: among equal values the first cell stays in front.
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

    fn move_to_front(&mut self, cell: Cell) {
        if let Some(place) = self.cells().iter().position(|&other| other == cell) {
            self.cells[..=place].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::{cell, CENTRE};
    use super::super::search::Search;
    use super::*;
    use std::time::{Duration, Instant};

    const SETTINGS: Settings = Settings { width: 6, depth: 2, playout: 10 };

    fn position(black: &[(i64, i64)], white: &[(i64, i64)]) -> Position {
        let mut position = Position::new();
        black.iter().for_each(|&(x, y)| position.put(cell(x, y).unwrap(), Side::Black));
        white.iter().for_each(|&(x, y)| position.put(cell(x, y).unwrap(), Side::White));
        position
    }

    #[test]
    fn five_comes_before_all_else_and_then_the_block() {
        let fours = ([(5, 5), (5, 6), (5, 7), (5, 8)], [(9, 4), (9, 5), (9, 6), (9, 7)]);
        for search in [Search::Greedy, Search::Lookahead(SETTINGS)] {
            let mut player = search.player(Weights::DEFAULT);
            let mut choose = |position: &Position| player.choose(position, &Clock::UNLIMITED);
            assert_eq!(choose(&position(&fours.0, &fours.1)), cell(9, 3));
            assert_eq!(choose(&position(&fours.0, &[(5, 4), (9, 5), (9, 6)])), cell(5, 9));
        }
    }

    #[test]
    fn an_open_three_of_its_own_wins() {
        let position = position(&[(10, 10), (1, 2), (19, 2)], &[(5, 6), (5, 7), (5, 8)]);
        let mut player = Lookahead::new(Weights::DEFAULT, SETTINGS);
        let chosen = player.choose(&position, &Clock::UNLIMITED);
        assert!(chosen == cell(5, 5) || chosen == cell(5, 9), "{chosen:?}");
    }

    #[test]
    fn the_same_position_gives_the_same_move_and_a_clock_that_ran_out_still_gives_one() {
        let mut position = position(&[], &[]);
        let mut player = Lookahead::new(Weights::DEFAULT, SETTINGS);
        let mut late = Lookahead::new(Weights::DEFAULT, Settings { depth: 20, ..SETTINGS });
        position.put(CENTRE, Side::Black);
        for _ in 0..5 {
            let chosen = player.choose(&position, &Clock::UNLIMITED).unwrap();
            assert_eq!(player.choose(&position, &Clock::UNLIMITED), Some(chosen));
            let hurried = late.choose(&position, &Clock::start(&Instant::now(), Duration::ZERO)).unwrap();
            assert!(position.is_empty(chosen) && position.is_empty(hurried));
            position.put(chosen, Side::White);
            position.put(reply(&position).unwrap(), Side::Black);
        }
    }

    #[test]
    fn a_board_with_one_cell_left_and_a_full_one() {
        let mut position = Position::new();
        for x in 1..=19 {
            for y in 1..=19 {
                if (x, y) != (19, 19) {
                    let side = if (x + 2 * y) % 4 < 2 { Side::Black } else { Side::White };
                    position.put(cell(x, y).unwrap(), side);
                }
            }
        }
        for search in [Search::Greedy, Search::Lookahead(SETTINGS)] {
            let mut player = search.player(Weights::DEFAULT);
            let last = cell(19, 19).unwrap();
            assert_eq!(player.choose(&position, &Clock::UNLIMITED), Some(last));
            let mut full = position.clone();
            full.put(last, Side::Black);
            assert_eq!(player.choose(&full, &Clock::UNLIMITED), None);
        }
    }

    #[test]
    fn candidates_are_the_best_moves_in_order() {
        let position = position(&[(10, 10), (10, 11), (8, 8)], &[(9, 9), (9, 10)]);
        let weights = Weights::DEFAULT;
        let mut all: Vec<Cell> = position.near().collect();
        // The sort is stable: among equal values the first cell stays in front.
        let value = |cell: &Cell| evaluation::value(&position, *cell, &weights);
        all.sort_by(|a, b| value(b).total_cmp(&value(a)));
        for width in [1, 2, 7, WIDEST] {
            let candidates = Candidates::new(&position, width, &weights);
            assert_eq!(candidates.cells(), &all[..width.min(all.len())]);
        }
    }
}
