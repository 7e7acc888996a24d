//! The lines of play that a search decides by: the same values as its own, with how each line goes and where it ends.
//! They are for whoever asks why; no player needs them.

use super::super::board::{Cell, TYPES};
use super::super::evaluation::{Evaluation, Evaluations};
use super::super::field::{Field, Head, HIDDEN};
use super::{Beam, Settings, NONE};
use crate::clock::Clock;

/// The last click of a line, on what is left before it.
#[derive(Clone, Debug)]
pub struct End {
    field: Box<Field>,
    cell: Cell,
    /// Tiles left at the root: which evaluation counts.
    left: i32,
    /// Whether stacks and board count, as they do where a search looks further than one click.
    whole: bool,
}

impl End {
    /// What a line that ends here is worth.
    pub fn value(&self, evaluations: &Evaluations) -> f64 {
        let End { field, cell, left, whole } = self;
        let (cell, evaluation) = (*cell, evaluations.at(*left));
        let before = if *whole { evaluation.value(field) } else { 0.0 };
        let lost = -f64::from(field.left() - 1);
        let board = before + evaluation.change(field, cell);
        let after = |piece| evaluation.moves(field, cell, piece).map_or(lost, |moves| board + moves);
        match field.top(cell) {
            HIDDEN => (0..TYPES as u8).map(after).sum::<f64>() / TYPES as f64,
            piece => after(piece),
        }
    }
}

/// The best line found that starts with a click.
#[derive(Clone, Debug)]
pub struct Found {
    /// The cell clicked first.
    pub first: Cell,
    /// What the search holds it worth.
    pub value: f64,
    /// Where it ends.
    pub end: End,
    /// The clicks after the first.
    pub path: Vec<Cell>,
}

impl Beam {
    /// The best line for each first click that a search still holds in the end, in the order of their cells. Where it
    /// looks further than one click, something must be hidden: else it goes by several evaluations.
    pub fn alternatives(
        &mut self,
        settings: Settings,
        field: &Field,
        head: Head,
        evaluations: &Evaluations,
    ) -> Vec<Found> {
        debug_assert!(settings.depth <= 1 || field.hidden() > 0);
        let mut found = Vec::new();
        let depth = settings.depth.max(1);
        let all: Vec<Cell> = match head {
            Head::Start => (0..field.board().cells() as Cell).collect(),
            Head::At(last, piece) => field.targets(last, piece).to_vec(),
        };
        let root = End { field: Box::new(field.clone()), cell: 0, left: field.left(), whole: depth > 1 };
        for cell in all {
            add(&mut found, &root, field, cell, cell, depth == 1, evaluations, Vec::new);
        }
        // The lines of a depth are those that a search one deeper is about to end.
        for depth in 2..=depth {
            self.search(Settings { depth, ..settings }, field, head, evaluations, &Clock::UNLIMITED);
            for place in 0..self.lines.len() {
                let line = self.lines[place];
                let path = self.clicks_to(self.last[place]);
                if path.len() + 1 < depth {
                    // No line gets any further.
                    return found;
                }
                let before = if depth == 2 { field } else { &self.before[line.parent as usize] };
                let fields = &self.fields[place];
                for &cell in before.targets(line.cell, before.top(line.cell)).iter() {
                    let is_last = depth == settings.depth;
                    let rest = || path[1..].iter().copied().chain([cell]).collect();
                    add(&mut found, &root, fields, line.first, cell, is_last, evaluations, rest);
                }
            }
        }
        found
    }

    /// The clicks of a line up to one of its steps.
    fn clicks_to(&self, mut place: u32) -> Vec<Cell> {
        let mut path = Vec::new();
        while place != NONE {
            let step = self.steps[place as usize];
            path.push(step.cell);
            place = step.before;
        }
        path.reverse();
        path
    }
}

/// Takes a line down that ends with the click on `cell`, if it does and is the best of its first click.
#[allow(clippy::too_many_arguments)]
fn add(
    found: &mut Vec<Found>,
    root: &End,
    field: &Field,
    first: Cell,
    cell: Cell,
    is_last: bool,
    evaluations: &Evaluations,
    path: impl FnOnce() -> Vec<Cell>,
) {
    if field.height(cell) == 0 {
        return;
    }
    let evaluation: &Evaluation = evaluations.at(root.left);
    let piece = field.top(cell);
    if !is_last && piece != HIDDEN && evaluation.moves(field, cell, piece).is_some() {
        return;
    }
    let end = End { field: Box::new(field.clone()), cell, ..root.clone() };
    let value = end.value(evaluations);
    let place = found.partition_point(|other| other.first < first);
    match found.get_mut(place).filter(|other| other.first == first) {
        Some(other) if other.value >= value => {}
        Some(other) => *other = Found { first, value, end, path: path() },
        None => found.insert(place, Found { first, value, end, path: path() }),
    }
}
