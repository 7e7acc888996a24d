//! The greedy player, which looks one click ahead.

use super::board::Cell;
use super::evaluation::{Evaluation, Evaluations};
use super::field::{Field, Head};
use super::player::Searcher;
use crate::clock::Clock;

/// The greedy player; it has no state.
#[derive(Clone, Copy, Debug)]
pub struct Greedy;

impl Searcher for Greedy {
    fn choose(&mut self, field: &Field, head: Head, evaluations: &Evaluations, _: &Clock) -> Option<Cell> {
        let evaluation = evaluations.at(field.left());
        match head {
            Head::Start => {
                let all: Vec<Cell> = (0..field.board().cells() as Cell).collect();
                best(field, &all, evaluation)
            }
            Head::At(last, piece) => best(field, field.targets(last, piece), evaluation),
        }
    }
}

/// Returns the cell whose click has the largest evaluation; `None` if all are empty. Ties go to the
/// larger value without reach, then to the first cell.
#[inline]
pub fn best(field: &Field, cells: &[Cell], evaluation: &Evaluation) -> Option<Cell> {
    let value = |cell| match evaluation.next_moves(field, cell, field.top(cell)) {
        Some(moves) => moves + evaluation.change(field, cell),
        // The game ends with all other tiles left.
        None => -f64::from(field.left() - 1),
    };
    let mut best: Option<(f64, Cell)> = None;
    let better = |best: Option<(f64, Cell)>, value| best.is_none_or(|(best, _)| value > best);
    let Some(most) = evaluation.most_reach() else {
        for &cell in cells.iter().filter(|&&cell| field.height(cell) > 0) {
            let value = value(cell);
            if better(best, value) {
                best = Some((value, cell));
            }
        }
        return best.map(|(_, cell)| cell);
    };
    // Computing the reach is expensive, so it is done only where it can change the choice.
    for cells in cells.chunks(8) {
        let (mut values, mut count) = ([(0.0, 0); 8], 0);
        for &cell in cells.iter().filter(|&&cell| field.height(cell) > 0) {
            values[count] = (value(cell), cell);
            count += 1;
        }
        values[..count].sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for &(value, cell) in &values[..count] {
            if !better(best, value + most) {
                break;
            }
            let value = value + evaluation.reach(field, cell, field.top(cell));
            if better(best, value) {
                best = Some((value, cell));
            }
        }
    }
    best.map(|(_, cell)| cell)
}
