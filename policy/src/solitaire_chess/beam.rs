//! Beam search over the tiles whose pieces are known.
//!
//! A line of play ends where no removal is possible, at a tile whose piece is unknown (valued at
//! the average over its possible types), or at the beam's depth. A quick evaluation of each removal
//! decides which lines to follow, and which of their endings get the close evaluation that decides.
//! The search returns the first removal of the best line: points made plus the evaluation's future.

use super::board::{tiles, Mask, Piece, Tile, TYPES};
use super::bonus::State;
use super::evaluation::{pair, Board, Evaluation};
use super::player::Searcher;
use super::position::{Position, TIERS};
use crate::clock::Clock;

pub mod expectimax;

/// The tiles known to a search: for each layer (0 bronze, 1 silver, 2 gold), the tiles that hold
/// each type.
#[derive(Clone, Debug)]
pub struct Known(pub [[Mask; TYPES]; TIERS]);

impl Known {
    /// Returns the player's knowledge; if only one type exists, hidden pieces are known too.
    pub fn visible(position: &Position, evaluation: &Evaluation) -> Self {
        let mut known = [[0; TYPES]; TIERS];
        for (layer, &tiles) in known.iter_mut().zip(position.tiers()) {
            *layer = position.visible().map(|set| set & tiles);
        }
        if evaluation.alphabet().size() == 1 {
            for piece in evaluation.alphabet().pieces() {
                known = known.map(|mut layer| {
                    layer[piece as usize] = super::board::ALL;
                    layer
                });
            }
        }
        Known(known)
    }

    /// Returns the tiles that show each type once the tiles are worn down to these tiers.
    #[inline]
    fn types(&self, tiers: &[Mask; TIERS]) -> [Mask; TYPES] {
        let mut types = [0; TYPES];
        for (layer, tiles) in self.0.iter().zip(tiers) {
            for (shown, set) in types.iter_mut().zip(layer) {
                *shown |= set & tiles;
            }
        }
        types
    }
}

/// The size of a beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The number of lines kept at each depth.
    pub width: usize,
    /// The number of removals to look ahead.
    pub depth: usize,
}

/// A line of play.
#[derive(Clone, Copy, Debug)]
struct Line {
    tiers: [Mask; TIERS],
    next: Mask,
    tile: Tile,
    first: Tile,
    bonus: State,
    points: u32,
    material: f64,
    value: f64,
    /// The index of a similar board among the beam's boards.
    board: u32,
    /// The index of the last removal among the beam's steps; [`NONE`] without removals.
    step: u32,
}

/// A removal in a line of play, and the removal before it.
#[derive(Clone, Copy, Debug)]
struct Step {
    before: u32,
    tile: Tile,
}

const NONE: u32 = u32::MAX;

impl Line {
    /// Creates the line without removals, which continues with one of the `legal` tiles.
    fn root(position: &Position, legal: Mask, evaluation: &Evaluation) -> Self {
        let tiers = *position.tiers();
        let (bonus, material) = (position.bonus(), evaluation.material(&tiers));
        Line { tiers, next: legal, tile: 0, first: 0, bonus, points: 0, material, value: 0.0, board: 0, step: NONE }
    }

    /// Returns whether both lines reach the same place on the same board, whatever came before.
    fn meets(&self, other: &Line) -> bool {
        self.tile == other.tile && self.tiers == other.tiers && self.bonus == other.bonus
    }
}

/// The end of a line of play that may continue.
#[derive(Clone, Copy, Debug)]
struct Ending {
    /// The line up to the removal before the last one.
    line: Line,
    tile: Tile,
    /// The last removed piece; `None` if it is unknown.
    piece: Option<Piece>,
    /// The value by a quick evaluation; if the piece is unknown, the value of the line before.
    value: f64,
}

/// Returns the number of endings that are evaluated closely.
fn closely(width: usize) -> usize {
    width.max(3)
}

/// The index of the board at the root of a search. The board before it is the root of the last
/// search.
const ROOT: usize = 1;

/// The value of each first removal.
pub type Values = [f64; 64];

/// A beam search with its working memory.
#[derive(Debug)]
pub struct Beam {
    settings: Settings,
    lines: Vec<Line>,
    grown: Vec<Line>,
    endings: Vec<Ending>,
    /// The best line that ends the game.
    over: Option<Ending>,
    /// The removals of all kept lines.
    steps: Vec<Step>,
    /// The boards at the root of the last search and of this one, those of lines at two alternating
    /// depths, and one for close evaluations. Each is computed from another board, which is faster
    /// if the two differ little.
    boards: Vec<Board>,
}

impl Searcher for Beam {
    /// Returns the best removal; `None` if there is none. If the clock runs out, the search ends at
    /// the depth reached.
    fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
        best(position.legal(), &self.values_from(position, evaluation, clock))
    }
}

impl Beam {
    /// Creates a beam with these settings; a width or depth of 0 counts as 1.
    pub fn new(settings: Settings) -> Self {
        let width = settings.width.max(1);
        let settings = Settings { width, depth: settings.depth.max(1) };
        Beam {
            settings,
            lines: Vec::with_capacity(width + 1),
            grown: Vec::with_capacity(width + 1),
            endings: Vec::with_capacity(closely(width) + 1),
            over: None,
            steps: Vec::with_capacity(width * settings.depth),
            boards: (0..2 * width + 3).map(|_| Board::default()).collect(),
        }
    }

    /// Returns the value of the best line found; 0 if no removal is possible.
    fn expected(&mut self, position: &Position, evaluation: &Evaluation) -> f64 {
        if position.legal() == 0 {
            return 0.0;
        }
        highest(&self.values_from(position, evaluation, &Clock::UNLIMITED))
    }

    /// Returns the value of the best line found, for each first removal.
    pub fn values_from(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Values {
        let known = Known::visible(position, evaluation);
        self.values(Line::root(position, position.legal(), evaluation), &known, evaluation, clock)
    }

    /// Returns the best line found that starts with a removal, with its last removal first.
    pub fn line(&self, first: Tile) -> impl Iterator<Item = Tile> + '_ {
        let endings = self.endings.iter().chain(&self.over).filter(move |ending| ending.line.first == first);
        let best = endings.max_by(|a, b| a.value.total_cmp(&b.value));
        let mut next = best.map(|ending| Step { before: ending.line.step, tile: ending.tile });
        std::iter::from_fn(move || {
            let step = next?;
            next = self.steps.get(step.before as usize).copied();
            Some(step.tile)
        })
    }

    /// Returns the value of the best line found that starts with the removal of a legal `tile`.
    pub fn value(
        &mut self,
        position: &Position,
        tile: Tile,
        known: &Known,
        evaluation: &Evaluation,
        clock: &Clock,
    ) -> f64 {
        self.values(Line::root(position, 1 << tile, evaluation), known, evaluation, clock)[tile as usize]
    }

    /// Returns, for each first removal from `root`, the value of the best line found that starts
    /// with it: its points plus the evaluation of its end. Tiles without a line, or without a
    /// closely evaluated one, have negative infinity. Only the best value is reliable: lines of
    /// other removals may have been dropped early.
    fn values(&mut self, root: Line, known: &Known, evaluation: &Evaluation, clock: &Clock) -> Values {
        let mut values = self.search(root, known, evaluation, clock);
        self.look_closely(known, evaluation);
        for ending in &self.endings {
            count(&mut values, ending.line.first, ending.value);
        }
        values
    }

    /// Evaluates each ending closely.
    fn look_closely(&mut self, known: &Known, evaluation: &Evaluation) {
        for ending in &mut self.endings {
            ending.value = ending.value(&mut self.boards, known, evaluation);
        }
    }

    /// Follows the lines from `root`. Collects lines that may continue as endings, and returns the
    /// values of the others by first removal.
    fn search(&mut self, root: Line, known: &Known, evaluation: &Evaluation, clock: &Clock) -> Values {
        let mut values = [f64::NEG_INFINITY; 64];
        self.lines.clear();
        self.lines.push(Line { board: 0, ..root });
        self.endings.clear();
        self.over = None;
        self.steps.clear();
        self.boards.swap(0, ROOT);
        for depth in 1..=self.settings.depth {
            let last = depth == self.settings.depth || (depth > 1 && clock.is_over());
            self.grown.clear();
            for i in 0..self.lines.len() {
                let line = self.lines[i];
                let board = if depth == 1 { ROOT } else { 2 + depth % 2 * self.settings.width + i };
                self.extend(line, board, known, evaluation, last, &mut values);
            }
            if last || self.grown.is_empty() {
                break;
            }
            std::mem::swap(&mut self.lines, &mut self.grown);
            let places = self.steps.len() as u32..;
            self.steps.extend(self.lines.iter().map(|line| Step { before: line.step, tile: line.tile }));
            for (line, place) in self.lines.iter_mut().zip(places) {
                line.step = place;
            }
        }
        values
    }

    /// Adds every removal after `line` to the beam, to the endings or, if it ends the game, to
    /// `values`. Stores the board of the line at index `at`.
    #[inline]
    fn extend(
        &mut self,
        mut line: Line,
        at: usize,
        known: &Known,
        evaluation: &Evaluation,
        is_last: bool,
        values: &mut Values,
    ) {
        let (board, near) = pair(&mut self.boards, at, line.board as usize);
        evaluation.survey(board, near, known.types(&line.tiers), line.tiers, line.material);
        line.board = at as u32;
        let (grown, endings, over, width) = (&mut self.grown, &mut self.endings, &mut self.over, self.settings.width);
        for tile in tiles(line.next) {
            if at == ROOT {
                line.first = tile;
            }
            let mut end = |piece, value| {
                keep(endings, closely(width), Ending { line, tile, piece, value }, |ending| ending.value);
            };
            let Some(piece) = board.piece(tile) else {
                end(None, line.value);
                continue;
            };
            let removal = evaluation.judge(board, line.bonus, tile, piece);
            let points = line.points + removal.points;
            let value = f64::from(points) + removal.future;
            if removal.next == 0 {
                count(values, line.first, value);
                finish(over, &line, tile, piece, value);
            } else if is_last {
                end(Some(piece), value);
            } else if grown.len() < width || grown.last().is_some_and(|last| value > last.value) {
                let (tiers, material) = evaluation.worn(&line.tiers, line.material, tile);
                let next = removal.next;
                admit(grown, width, Line { tiers, next, tile, bonus: removal.bonus, points, material, value, ..line });
            }
        }
    }
}

/// Inserts a line in order; of two lines that meet, the better one stays.
fn admit(grown: &mut Vec<Line>, width: usize, line: Line) {
    if let Some(met) = grown.iter().position(|other| other.meets(&line)) {
        if grown[met].value >= line.value {
            return;
        }
        grown.remove(met);
    }
    keep(grown, width, line, |line| line.value);
}

/// Inserts an element in order among the best so far, at most `most`.
#[inline(always)]
fn keep<T>(best: &mut Vec<T>, most: usize, new: T, value: impl Fn(&T) -> f64) {
    if best.len() == most {
        if best.last().is_some_and(|last| value(last) >= value(&new)) {
            return;
        }
        best.pop();
    }
    let place = best.partition_point(|other| value(other) >= value(&new));
    best.insert(place, new);
}

/// Keeps a line that ends the game if it is the best one. This is rare, so the function is not
/// inlined into the loop.
#[inline(never)]
fn finish(over: &mut Option<Ending>, line: &Line, tile: Tile, piece: Piece, value: f64) {
    if over.is_none_or(|over| value > over.value) {
        *over = Some(Ending { line: *line, tile, piece: Some(piece), value });
    }
}

/// Records the value of a line for its first removal, if it is the best.
#[inline(always)]
fn count(values: &mut Values, first: Tile, value: f64) {
    let best = &mut values[first as usize];
    *best = best.max(value);
}

impl Ending {
    /// Returns the value of the line by a close evaluation of the board after it, which uses the
    /// last slot of the boards.
    fn value(&self, boards: &mut [Board], known: &Known, evaluation: &Evaluation) -> f64 {
        let Line { tiers, material, board, .. } = self.line;
        let (after, near) = pair(boards, boards.len() - 1, board as usize);
        evaluation.survey_after(after, near, known.types(&tiers), &tiers, material, self.tile);
        self.mean(evaluation, |piece| {
            let removal = evaluation.judge_closely(after, self.line.bonus, self.tile, piece);
            f64::from(self.line.points + removal.points) + removal.future
        })
    }

    /// Returns the mean over the possible types of the last piece.
    fn mean(&self, evaluation: &Evaluation, value: impl FnMut(Piece) -> f64) -> f64 {
        match self.piece {
            Some(piece) => [piece].map(value)[0],
            None => evaluation.alphabet().mean(value),
        }
    }
}

/// Returns the highest value; negative infinity without any.
fn highest(values: &Values) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Returns the tile with the best value; of equal ones, the first.
pub(super) fn best(legal: Mask, values: &Values) -> Option<Tile> {
    let mut best: Option<Tile> = None;
    for tile in tiles(legal) {
        if best.is_none_or(|best| values[tile as usize] > values[best as usize]) {
            best = Some(tile);
        }
    }
    best
}

#[cfg(test)]
mod tests;
