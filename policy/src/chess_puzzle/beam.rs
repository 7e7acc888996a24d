//! Beam search over the visible tiles.
//!
//! A line of play ends where no cell can be clicked, at a hidden tile (valued at the average over
//! its possible types), or at the beam's depth. The search returns the line with the best end.

use super::board::{Cell, CELLS, TYPES};
use super::evaluation::{Evaluation, Evaluations};
use super::field::{Field, Head, HIDDEN};
use super::player::Searcher;
use crate::clock::Clock;

/// The width and depth of a beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Number of lines kept at each depth.
    pub width: usize,
    /// Number of clicks looked ahead.
    pub depth: usize,
}

/// A line of play up to a click that is chosen but not yet made.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Index of the line that it extends.
    parent: u32,
    cell: Cell,
    first: Cell,
    /// Value of stacks and board after the click.
    board: f64,
    /// The same plus the value of the next moves, by which lines are compared.
    value: f64,
    /// Hash of the tiles left after the click.
    hash: u64,
}

/// A click of a line of play, with the index of the click before it.
#[derive(Clone, Copy, Debug)]
struct Step {
    before: u32,
    cell: Cell,
}

const NONE: u32 = u32::MAX;

/// The value of the best line found from each first cell; negative infinity if there is none. Only
/// the largest value is reliable: the search may have dropped the other lines early.
pub type Values = [f64; CELLS];

/// A beam search with its working memory.
#[derive(Debug)]
pub struct Beam {
    fields: Vec<Field>,
    before: Vec<Field>,
    lines: Vec<Line>,
    grown: Vec<Line>,
    /// All clicks of the kept lines, and for each line the index of its last click.
    steps: Vec<Step>,
    last: Vec<u32>,
    before_last: Vec<u32>,
    values: Box<Values>,
    /// The best line: its value and its last click.
    best: Option<(f64, Step)>,
    is_complete: bool,
    considered: u64,
}

impl Default for Beam {
    fn default() -> Self {
        Beam {
            fields: Vec::new(),
            before: Vec::new(),
            lines: Vec::new(),
            grown: Vec::new(),
            steps: Vec::new(),
            last: Vec::new(),
            before_last: Vec::new(),
            values: Box::new([f64::NEG_INFINITY; CELLS]),
            best: None,
            is_complete: true,
            considered: 0,
        }
    }
}

impl Beam {
    /// Searches for the best line of play. A clock that runs out ends the search at the depth
    /// reached. Returns whether the search was completed.
    pub fn search(
        &mut self,
        settings: Settings,
        field: &Field,
        head: Head,
        evaluations: &Evaluations,
        clock: &Clock,
    ) -> bool {
        let width = settings.width.max(1);
        // With nothing hidden, the search reaches the end of the game and the evaluation changes
        // with progress. Otherwise it compares lines of different lengths, which requires a single
        // evaluation.
        let goes_along = field.hidden() == 0;
        let mut evaluation = evaluations.at(field.left());
        // One click ahead, only the changes count.
        let board = if settings.depth > 1 { evaluation.value(field) } else { 0.0 };
        self.values.fill(f64::NEG_INFINITY);
        self.best = None;
        self.is_complete = true;
        self.steps.clear();
        self.grown.clear();
        let mut grow = |cell: Cell| {
            let root = Line { parent: NONE, cell, first: cell, board, value: 0.0, hash: 0 };
            self.extend(field, &root, NONE, cell, settings.depth <= 1, evaluation);
        };
        match head {
            Head::Start => (0..field.board().cells() as Cell).for_each(&mut grow),
            Head::At(last, piece) => field.targets(last, piece).iter().copied().for_each(&mut grow),
        }
        for depth in 2..=settings.depth {
            if self.grown.is_empty() {
                break;
            }
            if clock.is_over() {
                self.give_up();
                return false;
            }
            self.keep(width);
            self.advance(field, depth == 2);
            let left = field.left() - depth as i32 + 1;
            if goes_along && !std::ptr::eq(evaluation, evaluations.at(left)) {
                evaluation = evaluations.at(left);
                for (line, field) in self.lines.iter_mut().zip(&self.fields) {
                    line.board = evaluation.value(field);
                }
            }
            for place in 0..self.lines.len() {
                let line = self.lines[place];
                // Taken out while lines that extend it are added.
                let fields = std::mem::take(&mut self.fields);
                let before = if depth == 2 { field } else { &self.before[line.parent as usize] };
                for &cell in before.targets(line.cell, before.top(line.cell)).iter() {
                    let root = Line { parent: place as u32, cell, ..line };
                    self.extend(&fields[place], &root, self.last[place], cell, depth == settings.depth, evaluation);
                }
                self.fields = fields;
            }
        }
        true
    }

    /// Returns whether the last search dropped no line: a wider one would find the same.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the number of clicks considered in all searches so far.
    pub fn considered(&self) -> u64 {
        self.considered
    }

    /// Returns the values of all first clicks.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Returns the first click of the best line; `None` if the game is over.
    pub fn choice(&self) -> Option<Cell> {
        let mut step = self.best?.1;
        while step.before != NONE {
            step = self.steps[step.before as usize];
        }
        Some(step.cell)
    }

    /// Returns the best line, its last click first.
    pub fn line(&self) -> impl Iterator<Item = Cell> + '_ {
        let mut next = self.best.map(|(_, step)| step);
        std::iter::from_fn(move || {
            let step = next?;
            next = self.steps.get(step.before as usize).copied();
            Some(step.cell)
        })
    }

    /// Ends all lines at the present depth.
    fn give_up(&mut self) {
        for place in 0..self.grown.len() {
            let line = self.grown[place];
            let before = self.last_of(line.parent);
            self.finish(line.first, line.value, Step { before, cell: line.cell });
        }
    }

    /// Returns the index of the last click of a line among `lines`.
    fn last_of(&self, parent: u32) -> u32 {
        if parent == NONE {
            NONE
        } else {
            self.last[parent as usize]
        }
    }

    /// Moves the best `width` extended lines to `lines`, and only one of those that leave the same
    /// tiles.
    fn keep(&mut self, width: usize) {
        let better =
            |a: &Line, b: &Line| b.value.total_cmp(&a.value).then(a.parent.cmp(&b.parent)).then(a.cell.cmp(&b.cell));
        self.grown.sort_unstable_by(|a, b| (a.hash, a.cell).cmp(&(b.hash, b.cell)).then_with(|| better(a, b)));
        self.grown.dedup_by(|a, b| (a.hash, a.cell) == (b.hash, b.cell));
        if self.grown.len() > width {
            self.is_complete = false;
            self.grown.select_nth_unstable_by(width, better);
            self.grown.truncate(width);
        }
        self.grown.sort_unstable_by(better);
        let mut last = std::mem::take(&mut self.before_last);
        last.clear();
        for line in &self.grown {
            last.push(self.steps.len() as u32);
            self.steps.push(Step { before: self.last_of(line.parent), cell: line.cell });
        }
        self.before_last = std::mem::replace(&mut self.last, last);
        std::mem::swap(&mut self.lines, &mut self.grown);
        self.grown.clear();
    }

    /// Makes the clicks of `lines`; `fields` receives the board after each.
    fn advance(&mut self, start: &Field, is_first: bool) {
        std::mem::swap(&mut self.fields, &mut self.before);
        for (place, line) in self.lines.iter().enumerate() {
            let parent = if is_first { start } else { &self.before[line.parent as usize] };
            match self.fields.get_mut(place) {
                Some(field) => field.clone_from(parent),
                None => self.fields.push(parent.clone()),
            }
            self.fields[place].click(line.cell, HIDDEN);
        }
    }

    fn finish(&mut self, first: Cell, value: f64, step: Step) {
        let of_first = &mut self.values[first as usize];
        *of_first = of_first.max(value);
        if self.best.is_none_or(|(best, _)| value > best) {
            self.best = Some((value, step));
        }
    }

    /// Adds a click on `cell` to a line, if it is legal: to the values if it ends the line, else to
    /// the lines to extend.
    #[inline]
    fn extend(&mut self, field: &Field, line: &Line, before: u32, cell: Cell, is_last: bool, evaluation: &Evaluation) {
        if field.height(cell) == 0 {
            return;
        }
        self.considered += 1;
        let piece = field.top(cell);
        let change = evaluation.change(field, cell);
        let board = line.board + change;
        let step = Step { before, cell };
        let lost = -f64::from(field.left() - 1);
        if piece == HIDDEN {
            let after = |piece| evaluation.moves(field, cell, piece).map_or(lost, |moves| board + moves);
            let sum: f64 = (0..TYPES as u8).map(after).sum();
            self.finish(line.first, sum / TYPES as f64, step);
            return;
        }
        match evaluation.moves(field, cell, piece) {
            None => self.finish(line.first, lost, step),
            Some(moves) if is_last => self.finish(line.first, board + moves, step),
            Some(moves) => {
                let hash = field.hash_after(cell);
                self.grown.push(Line { board, value: board + moves, hash, ..*line });
            }
        }
    }
}

/// A player that follows the best line of a beam with the same settings throughout the game.
#[derive(Debug)]
pub struct Wide {
    settings: Settings,
    beam: Beam,
}

impl Wide {
    /// Returns a player with a beam of these settings.
    pub fn new(settings: Settings) -> Self {
        Wide { settings, beam: Beam::default() }
    }
}

impl Searcher for Wide {
    fn choose(&mut self, field: &Field, head: Head, evaluations: &Evaluations, clock: &Clock) -> Option<Cell> {
        self.beam.search(self.settings, field, head, evaluations, &clock.share(field.left() as u32));
        self.beam.choice()
    }
}
