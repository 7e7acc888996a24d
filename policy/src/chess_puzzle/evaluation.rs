//! The value of a position: minus the number of tiles that will remain at the end, estimated by a
//! few sums.
//!
//! A value is the sum of a part for each stack (its height, and its connections in both
//! directions), a part for the whole board (whether it has enough edge tiles for the tiles that
//! need one) and a part for the next moves. A click changes few terms, so candidates are compared
//! by the change alone.

use super::board::{Board, Cell, TYPES};
use super::field::{is_long, Field, HIDDEN};
use super::weights::{Terms, Weights};

/// Number of steps in which the weights follow the progress of a game.
const STEPS: usize = 16;
/// The step from which tiles within reach count: earlier, nearly all are.
const FIRST_REACH: usize = 4;
/// Number of stacks within reach at which counting stops.
const FAR: u32 = 24;

/// The evaluations of one game, from its start to its end.
#[derive(Clone, Debug)]
pub struct Evaluations {
    tiles: i32,
    by_step: Vec<Evaluation>,
}

impl Evaluations {
    /// Returns the evaluations of a game on this board with `layers` layers.
    pub fn new(weights: &Weights, board: &Board, layers: usize) -> Self {
        let at = |progress| weights.at(board.rows(), board.columns(), layers, progress);
        let terms = |step| {
            let terms = at(step as f64 / STEPS as f64);
            match step {
                FIRST_REACH.. => terms,
                _ => Terms { within_8: 0.0, within_24: 0.0, within_short: 0.0, ..terms },
            }
        };
        let step = |step| Evaluation::new(terms(step), layers);
        Evaluations { tiles: (board.cells() * layers) as i32, by_step: (0..=STEPS).map(step).collect() }
    }

    /// Returns the evaluation for a position with `left` tiles.
    #[inline]
    pub fn at(&self, left: i32) -> &Evaluation {
        let gone = (self.tiles - left).max(0) as usize;
        &self.by_step[(gone * STEPS / self.tiles as usize).min(STEPS)]
    }
}

/// Values by height, 0 for an empty stack. Heights are at most 10; the spare values keep every
/// index in bounds.
type ByHeight = [f64; 16];

/// Returns values by height: `stack` for each stack, plus `layer` for each of its layers.
fn by_height(stack: f64, layer: f64) -> ByHeight {
    std::array::from_fn(|height| if height == 0 { 0.0 } else { stack + layer * height as f64 })
}

/// Terms as tables, so that evaluating a change takes little more than a few differences.
#[derive(Clone, Debug)]
pub struct Evaluation {
    terms: Terms,
    /// By side (inside, edge) and number of visible tiles that reach the stack, capped at four.
    reached: [[ByHeight; 8]; 2],
    /// In the same layout, the change when one visible tile fewer reaches the stack.
    reached_less: [[ByHeight; 8]; 2],
    /// By kind of type (short, long) and number of stacks that the tile reaches, capped at three.
    exits: [[ByHeight; 8]; 2],
    /// Value of a stack without its connections, by number of sides on the edge and type of the top
    /// tile.
    stack: [[ByHeight; 16]; 3],
    /// Value that a next move adds, by kind of the clicked tile (short, long), side and type of the
    /// next one.
    next: [[[f64; 16]; 2]; 2],
    /// Value of a next move, by the number of stacks that it reaches.
    next_exits: [f64; 16],
    /// The most that [`reach`](Self::reach) can be; `None` if it is always 0.
    most_reach: Option<f64>,
    layers: f64,
}

impl Evaluation {
    /// Returns the evaluation by these terms for games with this many layers.
    pub fn new(terms: Terms, layers: usize) -> Self {
        let t = &terms;
        let layers = layers as f64;
        let zero = [0.0; 16];
        let reached = [
            [
                by_height(t.inner_unreached, t.inner_unreached_layer),
                by_height(t.inner_reached_1, t.inner_reached_1_layer),
                by_height(t.inner_reached_2, t.inner_reached_2_layer),
                by_height(t.inner_reached_3, 0.0),
                zero,
                zero,
                zero,
                zero,
            ],
            [
                by_height(t.edge_unreached, t.edge_unreached_layer),
                by_height(t.edge_reached_1, t.edge_reached_1_layer),
                by_height(t.edge_reached_2, t.edge_reached_2_layer),
                by_height(t.edge_reached_3, 0.0),
                zero,
                zero,
                zero,
                zero,
            ],
        ];
        let exits = [
            [
                by_height(t.short_stuck, t.short_stuck_layer),
                by_height(t.short_exits_1, t.short_exits_1_layer),
                by_height(t.short_exits_2, t.short_exits_2_layer),
                zero,
                zero,
                zero,
                zero,
                zero,
            ],
            [
                by_height(t.long_stuck, t.long_stuck_layer),
                by_height(t.long_exits_1, t.long_exits_1_layer),
                by_height(t.long_exits_2, t.long_exits_2_layer),
                zero,
                zero,
                zero,
                zero,
                zero,
            ],
        ];
        let mut stack = [[zero; 16]; 3];
        let tall = [t.tall_inner / layers, t.tall_edge / layers, t.tall_corner / layers];
        let layer = [0.0, t.edge_layer, t.edge_layer + t.corner_layer];
        let long_low = [t.long_last, t.long_height_2, t.long_height_3];
        for (sides, of_sides) in stack.iter_mut().enumerate() {
            for (top, values) in of_sides.iter_mut().enumerate().take(TYPES + 1) {
                let long = is_long(top as u8);
                let (of_top, of_layer) = match (top as u8 == HIDDEN, long) {
                    (true, _) => (if sides == 0 { t.hidden_inner } else { t.hidden_edge }, 0.0),
                    (_, true) => (if sides == 0 { t.long_inner } else { t.long_edge }, t.long_layer),
                    _ => (0.0, 0.0),
                };
                for (height, value) in values.iter_mut().enumerate().skip(1) {
                    let h = height as f64;
                    *value = of_top + (of_layer + layer[sides]) * h + tall[sides] * h * h;
                    if height == 1 {
                        *value += t.last_layer;
                    }
                    if long && sides == 0 {
                        *value += long_low.get(height - 1).unwrap_or(&0.0);
                    }
                }
            }
        }
        let mut next = [zero; 2];
        for of_side in &mut next {
            of_side[4..7].fill(t.moves_long);
            of_side[HIDDEN as usize] = t.moves_hidden;
        }
        let mut next = [next; 2];
        for value in &mut next[0][1] {
            *value += t.moves_waste;
        }
        for value in &mut next[1][1] {
            *value += t.moves_edge;
        }
        let mut next_exits = zero;
        next_exits[0] = t.moves_stuck;
        next_exits[1] = t.moves_exits_1;
        let mut reached_less = [[zero; 8]; 2];
        for (less, reached) in reached_less.iter_mut().zip(&reached) {
            for count in 1..less.len() {
                less[count] = std::array::from_fn(|height| reached[count - 1][height] - reached[count][height]);
            }
        }
        let reaches = t.within_8 != 0.0 || t.within_24 != 0.0 || t.within_short != 0.0;
        let most_reach = reaches.then(|| {
            let far = f64::from(FAR);
            let (at_8, at_24) = (8.0 * (t.within_8 + t.within_24), 8.0 * t.within_8 + far * t.within_24);
            at_8.max(at_24).max(0.0) + (far * t.within_short).max(0.0)
        });
        Evaluation { reached, reached_less, exits, stack, next, next_exits, most_reach, layers, terms }
    }

    #[inline]
    fn stack(&self, sides: u8, top: u8, height: u8) -> f64 {
        self.stack[(sides & 3).min(2) as usize][(top & 15) as usize][(height & 15) as usize]
    }

    #[inline]
    fn reached(&self, sides: u8, reached: u8, height: u8) -> f64 {
        self.reached[usize::from(sides > 0)][reached.min(7) as usize][(height & 15) as usize]
    }

    #[inline]
    fn reached_less(&self, sides: u8, reached: u8, height: u8) -> f64 {
        self.reached_less[usize::from(sides > 0)][reached.min(7) as usize][(height & 15) as usize]
    }

    #[inline]
    fn exits(&self, top: u8, exits: u8, height: u8) -> f64 {
        self.exits[usize::from(is_long(top))][exits.min(7) as usize][(height & 15) as usize]
    }

    /// Returns the value of the supply of edge tiles, of which each of `long` tiles needs one.
    #[inline]
    fn edges(&self, long: f64, edge: f64) -> f64 {
        let short = |share: f64| (long - share * edge).max(0.0);
        self.terms.edge_short * short(1.0) + self.terms.edge_tight * short(0.75) + self.terms.edge_spare * short(1.25)
    }

    /// Returns the change in the value of stacks and board when the visible tile of `cell` is
    /// clicked.
    #[inline]
    pub fn change(&self, field: &Field, cell: Cell) -> f64 {
        let board = field.board();
        let (top, height, sides) = (field.top(cell), field.height(cell), board.sides(cell));
        let reached = field.reached(cell);
        let mut change = self.stack(sides, HIDDEN, height - 1) - self.stack(sides, top, height)
            + self.reached(sides, reached, height - 1)
            - self.reached(sides, reached, height);
        if top < HIDDEN {
            change -= self.exits(top, field.exits(cell), height);
            for &target in field.targets(cell, top).iter() {
                change += self.reached_less(board.sides(target), field.reached(target), field.height(target));
            }
        }
        if height == 1 {
            for source in board.sources(cell) {
                if field.top(source.cell) == source.piece {
                    let (exits, height) = (field.exits(source.cell), field.height(source.cell));
                    change += self.exits(source.piece, exits - 1, height) - self.exits(source.piece, exits, height);
                }
            }
        }
        let long = f64::from(field.long()) + 0.375 * f64::from(field.hidden());
        let edge = f64::from(field.edge_left());
        let gone = if top == HIDDEN { 0.375 } else { f64::from(u8::from(is_long(top))) };
        change + self.edges(long - gone, edge - f64::from(u8::from(sides > 0))) - self.edges(long, edge)
    }

    /// Returns the value of the next moves, and of all moves that follow from them, after a click
    /// on the tile of type `piece` on `cell`; `None` if there is none. `field` is the position
    /// before that click.
    #[inline]
    pub fn moves(&self, field: &Field, cell: Cell, piece: u8) -> Option<f64> {
        self.next_moves(field, cell, piece).map(|value| value + self.reach(field, cell, piece))
    }

    /// Returns the value of the tiles then within reach over visible tiles, the expensive part of
    /// [`moves`](Self::moves).
    #[inline]
    pub fn reach(&self, field: &Field, cell: Cell, piece: u8) -> f64 {
        if self.most_reach.is_none() {
            return 0.0;
        }
        let t = &self.terms;
        let reach = field.reach(cell, piece, FAR);
        t.within_8 * f64::from(reach.stacks.min(8))
            + t.within_24 * f64::from(reach.stacks.min(FAR))
            + t.within_short * f64::from(reach.short.min(FAR))
    }

    /// The most that [`reach`](Self::reach) can be; `None` if it is always 0.
    #[inline]
    pub fn most_reach(&self) -> Option<f64> {
        self.most_reach
    }

    /// Returns the value of the next moves alone, in the same way.
    #[inline]
    pub fn next_moves(&self, field: &Field, cell: Cell, piece: u8) -> Option<f64> {
        let t = &self.terms;
        let board = field.board();
        let next_value = &self.next[usize::from(is_long(piece))];
        let (mut count, mut stuck, mut tallest, mut value) = (0, 0, 0, 0.0);
        let empties = field.height(cell) == 1;
        for &next in field.targets(cell, piece).iter() {
            let height = field.height(next);
            if height == 0 {
                continue;
            }
            count += 1;
            tallest = tallest.max(height);
            let top = field.top(next);
            value += next_value[usize::from(board.sides(next) > 0)][(top & 15) as usize];
            if top == HIDDEN {
                continue;
            }
            if field.reached(next) == 1 {
                value += t.moves_alone;
            }
            // A stack that this click empties is no longer an exit.
            let lost = empties && field.targets(next, top).contains(&cell);
            let exits = field.exits(next) - u8::from(lost);
            stuck += u8::from(exits == 0);
            value += self.next_exits[(exits & 15) as usize];
        }
        value += match count {
            0 => return None,
            1 => t.moves_1,
            2 => t.moves_2,
            3 => t.moves_3,
            _ => t.moves_more * f64::from(count - 4),
        };
        if stuck == count {
            value += t.stuck_soon;
        }
        Some(value + t.moves_height * f64::from(tallest) / self.layers)
    }

    /// Returns the value of all stacks and the board.
    pub fn value(&self, field: &Field) -> f64 {
        let board = field.board();
        let mut value = 0.0;
        for cell in 0..board.cells() as Cell {
            let (top, height, sides) = (field.top(cell), field.height(cell), board.sides(cell));
            value += self.stack(sides, top, height) + self.reached(sides, field.reached(cell), height);
            if top < HIDDEN {
                value += self.exits(top, field.exits(cell), height);
            }
        }
        let long = f64::from(field.long()) + 0.375 * f64::from(field.hidden());
        value + self.edges(long, f64::from(field.edge_left()))
    }
}
