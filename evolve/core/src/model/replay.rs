//! Deals played move by move, with the reason for each move.
//!
//! A replay is data: a board of cells, the changes of each step, and the moves that the player considered with their
//! values. A page draws it without knowing the rules.

use crate::model::candidate::Candidate;
use crate::model::session::Context;
use crate::model::setup::Setup;
use crate::model::trial::{Deal, PlayError};
use serde::Serialize;

/// A problem whose trials can be replayed.
pub trait Replayable: Sync {
    /// Plays deals as the problem's own contender does, and keeps what happened; one replay a deal, in order.
    ///
    /// # Errors
    /// The first trial that ends without a score.
    fn replay(
        &self,
        setup: &Setup,
        candidate: Candidate<'_>,
        deals: &[Deal],
        context: &Context,
    ) -> Result<Vec<Replay>, PlayError>;
}

/// The place of a cell on a board, row by row from the top left.
pub type Place = u16;

/// One deal, played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    /// Which drawing fits: `tiers`, `stacks`, `stones`, `pieces` or `squares`. A page that knows none shows texts.
    pub look: &'static str,
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// The faces that a cell can show.
    pub faces: Vec<Face>,
    /// The face of each cell at the start, as an index into `faces`, row by row from the top.
    pub start: Vec<u16>,
    /// Facts about the deal, such as the opponent: name and value.
    pub facts: Vec<(&'static str, String)>,
    /// The names of the numbers that [`Step::totals`] counts, such as parts of the score; empty if nothing grows.
    pub parts: Vec<&'static str>,
    /// The moves, in order.
    pub steps: Vec<Step>,
    /// The contest's score.
    pub score: f64,
    /// How it ended, in a few words.
    pub ending: String,
}

/// The face of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Face {
    /// Text on the cell, such as the letter of a piece.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Of which kind it is, such as `gold`: how it is drawn.
    pub kind: &'static str,
    /// How many of it there are, where that counts.
    #[serde(skip_serializing_if = "is_zero")]
    pub count: usize,
}

impl Face {
    /// A face without a count.
    pub fn new(text: impl Into<String>, kind: &'static str) -> Self {
        Face { text: text.into(), kind, count: 0 }
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A move and its effect.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Step {
    /// The move in a few letters, such as `Rd4`.
    pub name: String,
    /// Its cells: the chosen one, from and to, or all that are taken.
    pub cells: Vec<Place>,
    /// The cells that could have been chosen; empty where every empty cell could.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub legal: Vec<Place>,
    /// The cells that show something else after the move, and what, as places in [`Replay::faces`].
    pub changes: Vec<(Place, u16)>,
    /// The answer of the opponent, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<Reply>,
    /// The numbers named by [`Replay::parts`], after the move and its answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub totals: Vec<f64>,
    /// Why it was chosen, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
}

/// The opponent's answer to a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reply {
    /// The move in a few letters.
    pub name: String,
    /// Its cells.
    pub cells: Vec<Place>,
    /// The cells that show something else after it, and what.
    pub changes: Vec<(Place, u16)>,
}

/// Why a move was chosen.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Why {
    /// The reason where values alone did not decide: the only move, a solved end, a forced win; or a component that the
    /// values omit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The moves considered: the chosen one first, then the others, the best first.
    pub considered: Vec<Considered>,
    /// The chosen one against the runner-up, weight by weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
}

/// How many moves a [`Why`] lists at most.
pub const MOST_CONSIDERED: usize = 8;

impl Why {
    /// The only move that there is.
    pub fn only() -> Self {
        Why::decided("the only move")
    }

    /// A move that no comparison of values decided.
    pub fn decided(note: impl Into<String>) -> Self {
        Why { note: Some(note.into()), ..Why::default() }
    }

    /// A move chosen by its value: puts it first and the others behind it, the best first, and keeps
    /// [`MOST_CONSIDERED`] of them.
    ///
    /// # Panics
    /// If `chosen` is no place among the moves.
    pub fn valued(mut moves: Vec<Considered>, chosen: usize) -> Self {
        moves[..=chosen].rotate_right(1);
        // Stable: of equal moves the first stays in front.
        moves[1..].sort_by(|a, b| b.value.total_cmp(&a.value));
        moves.truncate(MOST_CONSIDERED);
        Why { considered: moves, ..Why::default() }
    }
}

/// A move that was considered.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Considered {
    /// The move in a few letters.
    pub name: String,
    /// Its cells, as in [`Step::cells`].
    pub cells: Vec<Place>,
    /// The line that was looked ahead to, after the move itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// Its value.
    pub value: f64,
}

/// The difference in value of two moves by weight. All parts add up to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Split {
    /// Value of the chosen move minus that of the runner-up.
    pub difference: f64,
    /// The part that depends on no weight, such as points scored.
    #[serde(skip_serializing_if = "is_nothing")]
    pub bare: f64,
    /// Decrease of the difference if this weight were 0 and all others kept: index of the weight among the parameters,
    /// and the decrease. Weights without effect are omitted.
    pub weights: Vec<(usize, f64)>,
    /// How many more weights have a part, and the sum of their parts; see [`Split::shorten`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<(usize, f64)>,
    /// The part that weights have only in combination.
    #[serde(skip_serializing_if = "is_nothing")]
    pub together: f64,
}

fn is_nothing(part: &f64) -> bool {
    *part == 0.0
}

/// The evaluation that chooses moves, and copies of it without any weight and without each of them.
///
/// A move is explained by the same evaluation that chose it, so there is no second one to keep in step.
#[derive(Clone, Debug)]
pub struct Probes<E> {
    whole: E,
    bare: E,
    without: Vec<(usize, E)>,
}

impl<E> Probes<E> {
    /// Makes the evaluations from `weights`.
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

    /// The evaluation with all weights.
    pub fn whole(&self) -> &E {
        &self.whole
    }

    /// Why a move was chosen among some by the `value` that the evaluation gives each: they are `described` without it.
    ///
    /// # Panics
    /// If `chosen` is no place among the moves.
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

    /// Splits a difference in value among the weights. The compared moves must stay fixed: only their values may change
    /// with the weights.
    fn split(&self, difference: impl Fn(&E) -> f64) -> Split {
        let (whole, bare) = (difference(&self.whole), difference(&self.bare));
        let parts = self.without.iter().map(|(place, evaluation)| (*place, whole - difference(evaluation)));
        let weights: Vec<(usize, f64)> = parts.filter(|&(_, part)| part != 0.0).collect();
        let rest = weights.iter().fold(whole - bare, |rest, (_, part)| rest - part);
        // What is left of sums of floating-point numbers is nothing that weights do.
        let size = weights.iter().fold(whole.abs().max(bare.abs()), |size, (_, part)| size.max(part.abs()));
        let together = if rest.abs() > 1e-9 * size { rest } else { 0.0 };
        Split { difference: whole, bare, weights, more: None, together }
    }
}

impl Split {
    /// The sum of all parts.
    pub fn sum(&self) -> f64 {
        let more = self.more.map_or(0.0, |(_, sum)| sum);
        self.bare + self.weights.iter().map(|(_, part)| part).sum::<f64>() + more + self.together
    }

    /// Sorts the weights by the size of their parts, the largest first, and adds up those behind the first `most`.
    pub fn shorten(&mut self, most: usize) {
        self.weights.sort_by(|(a, x), (b, y)| y.abs().total_cmp(&x.abs()).then(a.cmp(b)));
        // One bar for a single weight says more than one for the rest.
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
    fn the_parts_of_a_difference_add_up_to_it() {
        // Two weights that act alone, two that act together, and points without weight.
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
