//! The greedy player: one click ahead.

use super::board::Cell;
use super::evaluation::{Evaluation, Evaluations};
use super::field::{Field, Head};
use super::player::Searcher;
use crate::clock::Clock;

/// The player, which needs no memory.
#[derive(Clone, Copy, Debug)]
pub struct Greedy;

impl Searcher for Greedy {
    fn choose(&mut self, field: &Field, head: Head, evaluations: &Evaluations, _: &Clock) -> Option<Cell> {
        let evaluation = evaluations.at(field.left());
        match head {
            Head::Start => best(field, 0..field.board().cells() as Cell, evaluation),
            Head::At(last, piece) => best(field, field.targets(last, piece).iter().copied(), evaluation),
        }
    }
}

/// The best of these cells by the evaluation of the click on it, the first of equals; `None` if all are empty.
#[inline]
pub fn best(field: &Field, cells: impl Iterator<Item = Cell>, evaluation: &Evaluation) -> Option<Cell> {
    let mut best: Option<(f64, Cell)> = None;
    for cell in cells {
        if field.height(cell) == 0 {
            continue;
        }
        let value = match evaluation.moves(field, cell, field.top(cell)) {
            Some(moves) => moves + evaluation.change(field, cell),
            // The end of the game, with all but this tile left.
            None => -f64::from(field.left() - 1),
        };
        if best.is_none_or(|(best, _)| value > best) {
            best = Some((value, cell));
        }
    }
    best.map(|(_, cell)| cell)
}
