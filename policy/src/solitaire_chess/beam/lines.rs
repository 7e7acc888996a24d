//! The lines of play that searches decide by: the same values as theirs, with how each line goes and where it ends. They
//! are for whoever asks why; no player needs them.

use super::super::board::{tiles, Mask, Piece, Tile};
use super::super::bonus::State;
use super::super::evaluation::{Board, Evaluation, Removal};
use super::super::position::{Position, TIERS};
use super::{highest, Beam, Ending, Known, Line};
use crate::clock::Clock;

/// Where a line of play was judged.
#[derive(Clone, Debug)]
pub enum End {
    /// The game is over with so many points.
    Over(f64),
    /// At a tile whose piece may not be known, by a close look.
    Judged(Judged),
    /// In one of these places, each as likely as the others.
    Any(Vec<End>),
}

/// A last removal that is judged closely.
#[derive(Clone, Debug)]
pub struct Judged {
    known: Known,
    tiers: [Mask; TIERS],
    bonus: State,
    points: u32,
    tile: Tile,
    piece: Option<Piece>,
}

impl End {
    /// What a line that ends here is worth: its points, and what the evaluation sees behind them.
    pub fn value(&self, evaluation: &Evaluation) -> f64 {
        match self {
            End::Over(points) => *points,
            End::Any(ends) => ends.iter().map(|end| end.value(evaluation)).sum::<f64>() / ends.len() as f64,
            End::Judged(Judged { known, tiers, bonus, points, tile, piece }) => {
                let material = evaluation.material(tiers);
                let (tiers, bonus, points) = (*tiers, *bonus, *points);
                let line = Line { tiers, next: 0, tile: 0, first: 0, bonus, points, material, value: 0.0, board: 0 };
                let ending = Ending { line, tile: *tile, piece: *piece, value: 0.0 };
                ending.value(&mut [Board::default(), Board::default()], known, evaluation)
            }
        }
    }
}

/// The best line found that starts with a removal.
#[derive(Clone, Debug)]
pub struct Found {
    /// The removal.
    pub first: Tile,
    /// What the search holds it worth.
    pub value: f64,
    /// Where it ends.
    pub end: End,
    /// The removals after the first.
    pub path: Vec<Tile>,
}

impl Beam {
    /// The best line for each first removal that a search from this position still holds in the end, in the order of
    /// their tiles.
    pub fn alternatives(&mut self, position: &Position, known: &Known, evaluation: &Evaluation) -> Vec<Found> {
        let root = Line::root(position, position.legal(), evaluation);
        let Followed { levels, over: mut found } = self.explored(root, known, evaluation);
        for ending in &self.endings {
            let value = ending.value(&mut self.boards, known, evaluation);
            let rest = || (ending.judged(known), levels.path(&ending.line, ending.tile, known));
            add(&mut found, ending.line.first, value, rest);
        }
        found
    }

    /// Where the best line ends that starts with the removal of a legal tile, found by a search for that alone.
    pub fn best_end(&mut self, position: &Position, tile: Tile, known: &Known, evaluation: &Evaluation) -> End {
        self.best_end_from(Line::root(position, 1 << tile, evaluation), known, evaluation)
    }

    pub(super) fn best_end_from(&mut self, root: Line, known: &Known, evaluation: &Evaluation) -> End {
        let mut best = highest(&self.search(root, known, evaluation, &Clock::UNLIMITED));
        let mut end = End::Over(best);
        for ending in &self.endings {
            let value = ending.value(&mut self.boards, known, evaluation);
            if value > best {
                (best, end) = (value, ending.judged(known));
            }
        }
        end
    }

    /// Searches from a root, and keeps the lines of every depth. The endings stay in the beam.
    pub(super) fn explored(&mut self, root: Line, known: &Known, evaluation: &Evaluation) -> Followed {
        let depth = self.settings.depth;
        let mut levels = Levels(vec![vec![root]]);
        // The lines of a depth are those that a search one deeper is about to end.
        for depth in 2..=depth {
            self.settings.depth = depth;
            self.search(root, known, evaluation, &Clock::UNLIMITED);
            let last = levels.0.last().and_then(|level| level.first());
            if last.zip(self.lines.first()).is_some_and(|(last, line)| last.tiers == line.tiers) {
                // No line gets any further.
                break;
            }
            levels.0.push(self.lines.clone());
        }
        self.settings.depth = depth;
        let values = self.search(root, known, evaluation, &Clock::UNLIMITED);
        let mut over = Vec::new();
        for line in levels.0.iter().flatten() {
            for tile in tiles(line.next) {
                let Some(piece) = piece(known, &line.tiers, tile) else { continue };
                let removal = Removal::new(&line.tiers, line.bonus, tile, piece);
                let points = f64::from(line.points + removal.points);
                let first = if line.tiers == root.tiers { tile } else { line.first };
                if removal.next == 0 && points >= values[first as usize] {
                    add(&mut over, first, points, || (End::Over(points), levels.path(line, tile, known)));
                }
            }
        }
        Followed { levels, over }
    }
}

/// What a search came by.
pub(super) struct Followed {
    pub(super) levels: Levels,
    /// The best lines that end the game, by their first removals.
    pub(super) over: Vec<Found>,
}

/// Takes a line down if it is the best of its first removal.
pub(super) fn add(found: &mut Vec<Found>, first: Tile, value: f64, rest: impl FnOnce() -> (End, Vec<Tile>)) {
    let place = found.partition_point(|other| other.first < first);
    let is_there = found.get(place).is_some_and(|other| other.first == first);
    if is_there && found[place].value >= value {
        return;
    }
    let (end, path) = rest();
    let new = Found { first, value, end, path };
    match is_there {
        true => found[place] = new,
        false => found.insert(place, new),
    }
}

/// The piece that a tile is known to show.
fn piece(known: &Known, tiers: &[Mask; TIERS], tile: Tile) -> Option<Piece> {
    let types = known.types(tiers);
    Piece::ALL.into_iter().find(|&piece| types[piece as usize] >> tile & 1 == 1)
}

/// The lines of a search, depth by depth, that of no removal first.
pub(super) struct Levels(Vec<Vec<Line>>);

impl Levels {
    /// The removals after the first of a line that goes on with a `tile`.
    pub(super) fn path(&self, line: &Line, tile: Tile, known: &Known) -> Vec<Tile> {
        let mut path = vec![tile];
        let mut line = *line;
        let is_at = |level: &Vec<Line>| level.iter().any(|other| other.meets(&line) && other.points == line.points);
        let Some(depth) = self.0.iter().rposition(is_at) else { return Vec::new() };
        for level in self.0[..depth].iter().rev() {
            path.push(line.tile);
            match level.iter().find(|before| leads(before, &line, known)) {
                Some(before) => line = *before,
                None => break,
            }
        }
        // The last one is the first removal itself.
        path.pop();
        path.reverse();
        path
    }
}

/// Whether a line grew from another one by its last removal.
fn leads(before: &Line, line: &Line, known: &Known) -> bool {
    let is_root = before.points == 0;
    let [bronze, silver, gold] = before.tiers;
    let bit = 1 << line.tile;
    let worn = [bronze & !bit, silver & !bit | bronze & bit, gold & !bit | silver & bit];
    before.next & bit != 0
        && worn == line.tiers
        && (is_root || before.first == line.first)
        && piece(known, &before.tiers, line.tile).is_some_and(|piece| {
            let removal = Removal::new(&before.tiers, before.bonus, line.tile, piece);
            removal.bonus == line.bonus && before.points + removal.points == line.points
        })
}

impl Ending {
    fn judged(&self, known: &Known) -> End {
        let Line { tiers, bonus, points, .. } = self.line;
        End::Judged(Judged { known: known.clone(), tiers, bonus, points, tile: self.tile, piece: self.piece })
    }
}
