//! What a position is worth: minus the tiles that will be left over, as well as a few sums can tell.
//!
//! A value is a sum over stacks (who reaches them, whom they reach, how tall they are), over the whole board (are there
//! edge tiles enough for those that need one?) and of the next moves. A click changes little of it, so candidates are
//! compared by the change alone.

use super::board::{Board, Cell, TYPES};
use super::field::{is_long, Field, HIDDEN};
use super::weights::{Terms, Weights};

/// So many visible tiles that reach a stack, or stacks that a tile reaches, are told apart; more count as that many.
const TOLD: usize = 4;

/// A value for a stack and one for each of its layers.
#[derive(Clone, Copy, Debug, Default)]
struct Stack {
    stack: f64,
    layer: f64,
}

impl Stack {
    #[inline]
    fn of(&self, height: u8) -> f64 {
        self.stack + self.layer * f64::from(height)
    }
}

/// The weights follow the progress of a game in so many steps.
const STEPS: usize = 32;

/// The evaluations of one game, from its start to its end.
#[derive(Clone, Debug)]
pub struct Evaluations {
    tiles: i32,
    by_step: Vec<Evaluation>,
}

impl Evaluations {
    /// The evaluations of a game on this board with `layers` layers.
    pub fn new(weights: &Weights, board: &Board, layers: usize) -> Self {
        let at = |progress| weights.at(board.rows(), board.columns(), layers, progress);
        let step = |step| Evaluation::new(at(step as f64 / STEPS as f64), layers);
        Evaluations { tiles: (board.cells() * layers) as i32, by_step: (0..=STEPS).map(step).collect() }
    }

    /// The evaluation when so many tiles are left.
    #[inline]
    pub fn at(&self, left: i32) -> &Evaluation {
        let gone = (self.tiles - left).max(0) as usize;
        &self.by_step[(gone * STEPS / self.tiles as usize).min(STEPS)]
    }
}

/// Terms in the form that evaluation reads.
#[derive(Clone, Debug)]
pub struct Evaluation {
    terms: Terms,
    /// By side (inside, edge) and visible tiles that reach the stack.
    reached: [[Stack; TOLD + 1]; 2],
    /// By kind of type (short, long) and stacks that it reaches.
    exits: [[Stack; TOLD + 1]; 2],
    /// By side and type, what a top tile and each layer of its stack add. Without the visible tiles' exits.
    top: [[Stack; TYPES + 1]; 2],
    /// By number of sides: a layer's height squared.
    tall: [f64; 3],
    /// By height, up to three layers: what a long top adds inside.
    long_low: [f64; 4],
    corner_layer: f64,
    layers: f64,
}

impl Evaluation {
    /// The evaluation by these terms for games of so many layers.
    pub fn new(terms: Terms, layers: usize) -> Self {
        let t = &terms;
        let stack = |stack, layer| Stack { stack, layer };
        let reached = [
            [
                stack(t.inner_unreached, t.inner_unreached_layer),
                stack(t.inner_reached_1, t.inner_reached_1_layer),
                stack(t.inner_reached_2, t.inner_reached_2_layer),
                stack(t.inner_reached_3, 0.0),
                Stack::default(),
            ],
            [
                stack(t.edge_unreached, t.edge_unreached_layer),
                stack(t.edge_reached_1, t.edge_reached_1_layer),
                stack(t.edge_reached_2, t.edge_reached_2_layer),
                stack(t.edge_reached_3, 0.0),
                Stack::default(),
            ],
        ];
        let exits = [
            [
                stack(t.short_stuck, t.short_stuck_layer),
                stack(t.short_exits_1, t.short_exits_1_layer),
                stack(t.short_exits_2, t.short_exits_2_layer),
                Stack::default(),
                Stack::default(),
            ],
            [
                stack(t.long_stuck, t.long_stuck_layer),
                stack(t.long_exits_1, t.long_exits_1_layer),
                stack(t.long_exits_2, t.long_exits_2_layer),
                Stack::default(),
                Stack::default(),
            ],
        ];
        let mut top = [[Stack::default(); TYPES + 1]; 2];
        for side in 0..2 {
            let layer = if side == 1 { t.edge_layer } else { 0.0 };
            for piece in 0..=HIDDEN {
                top[side][piece as usize] = if piece == HIDDEN {
                    stack([t.hidden_inner, t.hidden_edge][side], layer)
                } else if is_long(piece) {
                    stack([t.long_inner, t.long_edge][side], layer + t.long_layer)
                } else {
                    stack(0.0, layer)
                };
            }
        }
        let layers = layers as f64;
        let tall = [t.tall_inner / layers, t.tall_edge / layers, t.tall_corner / layers];
        let long_low = [0.0, t.long_last, t.long_height_2, t.long_height_3];
        Evaluation { long_low, reached, exits, top, tall, corner_layer: t.corner_layer, layers, terms }
    }

    /// What a stack of `height` layers adds, whoever reaches it and whomever it reaches.
    #[inline]
    fn stack(&self, sides: u8, top: u8, height: u8) -> f64 {
        let h = f64::from(height);
        let side = usize::from(sides > 0);
        let mut value = self.top[side][top as usize].of(height) + self.tall[(sides & 3).min(2) as usize] * h * h;
        match sides {
            0 if height < 4 && is_long(top) => value += self.long_low[height as usize],
            2 => value += self.corner_layer * h,
            _ => {}
        }
        if height == 1 {
            value += self.terms.last_layer;
        }
        value
    }

    #[inline]
    fn reached(&self, sides: u8, reached: u8, height: u8) -> f64 {
        self.reached[usize::from(sides > 0)][(reached as usize).min(TOLD)].of(height)
    }

    #[inline]
    fn exits(&self, top: u8, exits: u8, height: u8) -> f64 {
        self.exits[usize::from(is_long(top))][(exits as usize).min(TOLD)].of(height)
    }

    /// Whether there are edge tiles enough: `long` tiles need one each.
    #[inline]
    fn edges(&self, long: f64, edge: f64) -> f64 {
        let short = |share: f64| (long - share * edge).max(0.0);
        self.terms.edge_short * short(1.0) + self.terms.edge_tight * short(0.75) + self.terms.edge_spare * short(1.25)
    }

    /// By how much clicking the visible tile of `cell` changes the value of stacks and board.
    pub fn change(&self, field: &Field, cell: Cell) -> f64 {
        let board = field.board();
        let (top, height, sides) = (field.top(cell), field.height(cell), board.sides(cell));
        let mut change = -self.stack(sides, top, height) - self.reached(sides, field.reached(cell), height);
        if top < HIDDEN {
            change -= self.exits(top, field.exits(cell), height);
            for &target in field.targets(cell, top).iter() {
                let height = field.height(target);
                if height > 0 {
                    let (sides, reached) = (board.sides(target), field.reached(target));
                    if reached as usize <= TOLD {
                        change += self.reached(sides, reached - 1, height) - self.reached(sides, reached, height);
                    }
                }
            }
        }
        if height > 1 {
            change += self.stack(sides, HIDDEN, height - 1) + self.reached(sides, field.reached(cell), height - 1);
        } else {
            for source in board.sources(cell) {
                if field.top(source.cell) == source.piece {
                    let (exits, height) = (field.exits(source.cell), field.height(source.cell));
                    if exits as usize <= TOLD {
                        change += self.exits(source.piece, exits - 1, height) - self.exits(source.piece, exits, height);
                    }
                }
            }
        }
        let long = f64::from(field.long()) + 0.375 * f64::from(field.hidden());
        let edge = f64::from(field.edge_left());
        let gone = if top == HIDDEN { 0.375 } else { f64::from(u8::from(is_long(top))) };
        change + self.edges(long - gone, edge - f64::from(u8::from(sides > 0))) - self.edges(long, edge)
    }

    /// What the next moves are worth once a tile of type `piece` is clicked away on `cell`; `None` if there is none.
    /// `field` is the position before that click.
    pub fn moves(&self, field: &Field, cell: Cell, piece: u8) -> Option<f64> {
        let t = &self.terms;
        let board = field.board();
        let (mut count, mut stuck, mut tallest, mut value) = (0, 0, 0, 0.0);
        let empties = field.height(cell) == 1;
        let edge = if is_long(piece) { t.moves_edge } else { t.moves_waste };
        for &next in field.targets(cell, piece).iter() {
            let height = field.height(next);
            if height == 0 {
                continue;
            }
            count += 1;
            tallest = tallest.max(height);
            let top = field.top(next);
            if board.sides(next) > 0 {
                value += edge;
            }
            if top == HIDDEN {
                value += t.moves_hidden;
                continue;
            }
            if is_long(top) {
                value += t.moves_long;
            }
            if field.reached(next) == 1 {
                value += t.moves_alone;
            }
            // A stack that this click empties is no exit any more.
            let lost = empties && field.targets(next, top).contains(&cell);
            match field.exits(next) - u8::from(lost) {
                0 => {
                    stuck += 1;
                    value += t.moves_stuck;
                }
                1 => value += t.moves_exits_1,
                _ => {}
            }
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

    /// The value of all stacks and the board.
    pub fn value(&self, field: &Field) -> f64 {
        let board = field.board();
        let mut value = 0.0;
        for cell in 0..board.cells() as Cell {
            let (top, height, sides) = (field.top(cell), field.height(cell), board.sides(cell));
            if height == 0 {
                continue;
            }
            value += self.stack(sides, top, height) + self.reached(sides, field.reached(cell), height);
            if top < HIDDEN {
                value += self.exits(top, field.exits(cell), height);
            }
        }
        let long = f64::from(field.long()) + 0.375 * f64::from(field.hidden());
        value + self.edges(long, f64::from(field.edge_left()))
    }
}
