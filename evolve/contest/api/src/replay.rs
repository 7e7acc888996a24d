//! Replays: deals recorded move by move, with the reason for each move.
//!
//! A replay is data: a board of cells, the changes of each step, and the moves that the player
//! considered, with their values. A page can draw it without the rules of the game.

use evolve_search::document::is_default;
use evolve_search::model::problem::Candidate;
use evolve_search::model::problem::Context;
use evolve_search::model::trial::{Case, PlayError};
use serde::Serialize;

/// A problem whose trials can be replayed.
pub trait Replayable: Sync {
    /// Plays deals as the problem's contender does and records the moves. Returns one replay for
    /// each deal, in order.
    ///
    /// # Errors
    /// The first trial that ends without a score.
    fn replay(&self, candidate: Candidate<'_>, deals: &[Case], context: &Context) -> Result<Vec<Replay>, PlayError>;
}

/// The index of a cell on a board, row by row from the top left.
pub type Place = u16;

/// The record of one deal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    /// The style of drawing: `tiers`, `stacks`, `stones`, `pieces` or `squares`. A page shows texts
    /// if it does not know the style.
    pub look: &'static str,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The faces that a cell can show.
    pub faces: Vec<Face>,
    /// The face of each cell at the start, as an index into `faces`, row by row from the top.
    pub start: Vec<u16>,
    /// Facts about the deal, such as the opponent, each with name and value.
    pub facts: Vec<(&'static str, String)>,
    /// The names of the numbers in [`Step::totals`], such as parts of the score; may be empty.
    pub parts: Vec<&'static str>,
    /// The moves, in order.
    pub steps: Vec<Step>,
    /// The contest's score.
    pub score: f64,
    /// A description of the end in a few words.
    pub ending: String,
}

/// The face of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Face {
    /// The text on the cell, such as the letter of a piece.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The kind of cell, such as `gold`, which determines its drawing.
    pub kind: &'static str,
    /// The number of objects on the cell, where the game counts them.
    #[serde(skip_serializing_if = "is_default")]
    pub count: usize,
}

impl Face {
    /// Creates a face without a count.
    pub fn new(text: impl Into<String>, kind: &'static str) -> Self {
        Face { text: text.into(), kind, count: 0 }
    }
}

/// A move and its effect.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Step {
    /// The move in a few letters, such as `Rd4`.
    pub name: String,
    /// The cells of the move: the chosen one, from and to, or all removed cells.
    pub cells: Vec<Place>,
    /// The cells that the player could choose; empty if every empty cell was possible.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub legal: Vec<Place>,
    /// The cells that change, with the index of the new face in [`Replay::faces`].
    pub changes: Vec<(Place, u16)>,
    /// The opponent's answer, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<Response>,
    /// The values of [`Replay::parts`] after the move and its answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub totals: Vec<f64>,
    /// The reason for the move, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
}

/// The opponent's answer to a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Response {
    /// The move in a few letters.
    pub name: String,
    /// The cells of the move.
    pub cells: Vec<Place>,
    /// The cells that change, with the new faces.
    pub changes: Vec<(Place, u16)>,
}

/// The reason for a move.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Why {
    /// A note if values alone did not decide (the only move, a solved ending, a forced win), or if
    /// they omit a part of the decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The considered moves: the chosen one first, then the others from best to worst.
    pub considered: Vec<Considered>,
    /// The comparison of the chosen move with the runner-up, weight by weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<ValueSplit>,
}

/// The largest number of moves in a [`Why`].
pub const MOST_CONSIDERED: usize = 8;

impl Why {
    /// Explains the only possible move.
    pub fn only() -> Self {
        Why::decided("the only move")
    }

    /// Explains a move that did not result from a comparison of values.
    pub fn decided(note: impl Into<String>) -> Self {
        Why { note: Some(note.into()), ..Why::default() }
    }

    /// Explains a move chosen by its value: puts it first, then the others from best to worst, and
    /// keeps [`MOST_CONSIDERED`] of them.
    ///
    /// # Panics
    /// If `chosen` is not an index of the moves.
    pub fn valued(mut moves: Vec<Considered>, chosen: usize) -> Self {
        moves[..=chosen].rotate_right(1);
        // The sort is stable: equal moves keep their order.
        moves[1..].sort_by(|a, b| b.value.total_cmp(&a.value));
        moves.truncate(MOST_CONSIDERED);
        Why { considered: moves, ..Why::default() }
    }
}

/// A considered move.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Considered {
    /// The move in a few letters.
    pub name: String,
    /// The cells of the move, as in [`Step::cells`].
    pub cells: Vec<Place>,
    /// The expected continuation after the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// The value of the move.
    pub value: f64,
}

/// The difference in value between two moves, divided among the weights. The parts add up to the
/// difference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueSplit {
    /// The value of the chosen move minus the value of the runner-up.
    pub difference: f64,
    /// The part that does not depend on weights, such as points scored.
    #[serde(skip_serializing_if = "is_nothing")]
    pub bare: f64,
    /// For each weight, its index among the parameters, and the decrease of the difference if the
    /// weight were 0 and the others unchanged. Weights without effect are omitted.
    pub weights: Vec<(usize, f64)>,
    /// The number and sum of further parts, if [`ValueSplit::shorten`] removed any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<(usize, f64)>,
    /// The part that only combinations of weights cause.
    #[serde(skip_serializing_if = "is_nothing")]
    pub together: f64,
}

fn is_nothing(part: &f64) -> bool {
    *part == 0.0
}

/// The evaluation that chooses moves, with copies of it: one without any weight, and one without
/// each weight.
///
/// The same evaluation chooses a move and explains it, so the two cannot disagree.
#[derive(Clone, Debug)]
pub struct Probes<E> {
    whole: E,
    bare: E,
    without: Vec<(usize, E)>,
}

impl<E> Probes<E> {
    /// Builds the copies with `evaluation`, which makes an evaluation of weights.
    pub fn new(weights: &[f64], evaluation: impl Fn(&[f64]) -> E) -> Self {
        let without = |(place, _): (usize, &f64)| {
            let mut left = weights.to_vec();
            left[place] = 0.0;
            (place, evaluation(&left))
        };
        Probes {
            whole: evaluation(weights),
            bare: evaluation(&vec![0.0; weights.len()]),
            without: weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0).map(without).collect(),
        }
    }

    /// Returns the evaluation with all weights.
    pub fn whole(&self) -> &E {
        &self.whole
    }

    /// Explains the choice of a move by the `value` of each move. The `described` moves have no
    /// values yet.
    ///
    /// # Panics
    /// If `chosen` is not an index of the moves.
    pub fn why<M>(
        &self,
        moves: &[M],
        chosen: usize,
        described: impl Fn(&M) -> Considered,
        value: impl Fn(&E, &M) -> f64,
    ) -> Why {
        let values: Vec<f64> = moves.iter().map(|one| value(&self.whole, one)).collect();
        let considered = moves.iter().zip(&values).map(|(one, &value)| Considered { value, ..described(one) });
        let others = (0..moves.len()).filter(|&other| other != chosen);
        let runner_up = others.reduce(|best, other| if values[other] > values[best] { other } else { best });
        let split = runner_up.map(|other| self.split(|e| value(e, &moves[chosen]) - value(e, &moves[other])));
        Why { split, ..Why::valued(considered.collect(), chosen) }
    }

    /// Divides a difference in value among the weights. The compared moves must stay the same: only
    /// their values may change with the weights.
    fn split(&self, difference: impl Fn(&E) -> f64) -> ValueSplit {
        let (whole, bare) = (difference(&self.whole), difference(&self.bare));
        let parts = self.without.iter().map(|(place, evaluation)| (*place, whole - difference(evaluation)));
        let weights: Vec<(usize, f64)> = parts.filter(|&(_, part)| part != 0.0).collect();
        let rest = weights.iter().fold(whole - bare, |rest, (_, part)| rest - part);
        // A remainder this small is a rounding error, not an effect of weights.
        let size = weights.iter().fold(whole.abs().max(bare.abs()), |size, (_, part)| size.max(part.abs()));
        let together = if rest.abs() > 1e-9 * size { rest } else { 0.0 };
        ValueSplit { difference: whole, bare, weights, more: None, together }
    }
}

impl ValueSplit {
    /// Returns the sum of all parts.
    pub fn sum(&self) -> f64 {
        let more = self.more.map_or(0.0, |(_, sum)| sum);
        self.bare + self.weights.iter().map(|(_, part)| part).sum::<f64>() + more + self.together
    }

    /// Sorts the weights by the size of their parts, largest first, and combines those after the
    /// first `most`.
    pub fn shorten(&mut self, most: usize) {
        self.weights.sort_by(|(a, x), (b, y)| y.abs().total_cmp(&x.abs()).then(a.cmp(b)));
        // A single remaining weight keeps its own bar.
        if self.more.is_none() && self.weights.len() > most + 1 {
            let rest = self.weights.split_off(most);
            self.more = Some((rest.len(), rest.iter().map(|(_, part)| part).sum()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_difference() {
        // Two weights act alone, two act together, and the points depend on no weight.
        let weights = [2.0, -3.0, 5.0, 0.5, 0.0];
        let probes = Probes::new(&weights, <[f64]>::to_vec);
        let split = probes.split(|w| 7.0 + w[0] - 2.0 * w[1] + w[2] * w[3] + w[4]);
        assert_eq!(split.difference, 17.5);
        assert_eq!(split.bare, 7.0);
        assert_eq!(split.weights, [(0, 2.0), (1, 6.0), (2, 2.5), (3, 2.5)]);
        assert_eq!(split.together, -2.5);
        assert_eq!(split.sum(), split.difference);
        let mut short = split.clone();
        short.shorten(1);
        assert_eq!((&short.weights[..], short.more), (&[(1, 6.0)][..], Some((3, 7.0))));
        assert_eq!(short.sum(), split.difference);
    }

    #[test]
    fn the_chosen_move_comes_first_and_the_others_by_value() {
        let probes = Probes::new(&[2.0], |weights| weights[0]);
        let named = |at: &f64| Considered { name: at.to_string(), ..Considered::default() };
        let why = probes.why(&[1.0, 5.0, 3.0, 4.0], 2, named, |weight, at| weight * at);
        let considered: Vec<(&str, f64)> = why.considered.iter().map(|one| (&*one.name, one.value)).collect();
        assert_eq!(considered, [("3", 6.0), ("5", 10.0), ("4", 8.0), ("1", 2.0)]);
        let split = why.split.unwrap();
        assert_eq!((split.difference, &split.weights[..]), (-4.0, &[(0, -4.0)][..]));
        assert_eq!(probes.why(&[1.0], 0, named, |weight, at| weight * at).split, None);
    }
}
