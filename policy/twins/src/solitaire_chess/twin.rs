//! A slow, literal model of Solitaire chess, which tests compare with the fast one.
//!
//! The only state is the content of the tiles and the list of removals so far. Every question (the
//! visible piece of a tile, the legal removals, the score) is answered from that list. Callers
//! count rows and columns from 0; the rules are written with rows and columns 1 to 6, as in the
//! statement.

/// The number of rows, and of columns.
pub const SIDE: usize = 6;

/// The number of pieces on each tile, one above the other: bronze, silver, gold.
pub const LAYERS: usize = 3;

/// A type for every tile of the board, by row and column.
pub type Layer = [[Piece; SIDE]; SIDE];

/// The eight types of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// The number 1.
    One,
    /// The number 2.
    Two,
    /// The number 3.
    Three,
    /// The number 4.
    Four,
    /// `torn`
    Rook,
    /// `lopare`
    Bishop,
    /// `dam`
    Queen,
    /// `springare`
    Knight,
}

/// The numbers in ascending order.
pub const NUMBERS: [Piece; 4] = [Piece::One, Piece::Two, Piece::Three, Piece::Four];

/// The chess pieces, which make a piece set in any order.
pub const CHESS_PIECES: [Piece; 4] = [Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight];

/// Every type, numbers first.
pub const ALL_PIECES: [Piece; 8] =
    [Piece::One, Piece::Two, Piece::Three, Piece::Four, Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight];

/// The parts of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The points for clearing tiles.
    pub tiles: u32,
    /// The points for repeating a type.
    pub runs: u32,
    /// The points for sets of the four numbers.
    pub number_sets: u32,
    /// The points for sets of the four chess pieces.
    pub piece_sets: u32,
    /// The points for alternating sets of the two kinds.
    pub alternation: u32,
}

impl Score {
    /// Returns the sum of all parts.
    pub fn total(&self) -> u32 {
        self.tiles + self.runs + self.number_sets + self.piece_sets + self.alternation
    }
}

/// A removal: its tile (from 0) and its piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Removal {
    row: usize,
    col: usize,
    piece: Piece,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    /// The content of the tiles: bronze, silver, gold.
    layers: [Layer; LAYERS],
    /// All removals so far, oldest first.
    history: Vec<Removal>,
}

impl Game {
    /// Starts a game. All three layers are fixed here, so the piece that a removal uncovers does
    /// not depend on its time.
    pub fn new(layers: &[Layer; LAYERS]) -> Self {
        Game { layers: *layers, history: Vec::new() }
    }

    /// Returns the number of pieces removed from this tile.
    fn times_removed(&self, row: usize, col: usize) -> usize {
        let mut times = 0;
        for removal in &self.history {
            if removal.row == row && removal.col == col {
                times += 1;
            }
        }
        times
    }

    /// Returns the piece on this tile: bronze at first, silver after one removal, gold after two,
    /// none after three.
    pub fn visible(&self, row: usize, col: usize) -> Option<Piece> {
        match self.times_removed(row, col) {
            0 => Some(self.layers[0][row][col]),
            1 => Some(self.layers[1][row][col]),
            2 => Some(self.layers[2][row][col]),
            3 => None,
            times => unreachable!("tile ({row}, {col}) was emptied {times} times"),
        }
    }

    /// Returns the tiles (from 0, row by row) whose piece may be removed now: at first any, later
    /// those that the type and place of the last removed piece point at. The tile must not be
    /// empty.
    pub fn legal(&self) -> Vec<(usize, usize)> {
        let mut tiles = Vec::new();
        for row in 0..SIDE {
            for col in 0..SIDE {
                let reachable = match self.history.last() {
                    None => true,
                    Some(last) => points_at(last.piece, (last.row + 1, last.col + 1), (row + 1, col + 1)),
                };
                if reachable && self.visible(row, col).is_some() {
                    tiles.push((row, col));
                }
            }
        }
        tiles
    }

    /// Removes the piece at (`row`, `col`), from 0. Panics if the rules forbid it.
    pub fn remove(&mut self, row: usize, col: usize) {
        assert!(self.legal().contains(&(row, col)), "({row}, {col}) may not be removed now");
        let piece = self.visible(row, col).expect("a legal tile still has a piece");
        self.history.push(Removal { row, col, piece });
    }

    /// Returns the types removed so far, oldest first.
    pub fn removed(&self) -> Vec<Piece> {
        self.history.iter().map(|removal| removal.piece).collect()
    }

    /// Returns the score of the game if it stops here.
    pub fn score(&self) -> Score {
        Score { tiles: self.tile_points(), ..bonuses(&self.removed()) }
    }

    /// Returns the tile points: 0 for a tile that still shows bronze, 1 for silver, 2 for gold, 3
    /// for an empty one.
    fn tile_points(&self) -> u32 {
        let mut points = 0;
        for row in 0..SIDE {
            for col in 0..SIDE {
                points += match self.times_removed(row, col) {
                    0 => 0,
                    1 => 1,
                    2 => 2,
                    3 => 3,
                    times => unreachable!("tile ({row}, {col}) was emptied {times} times"),
                };
            }
        }
        points
    }
}

/// Returns whether a `piece` just removed from the first tile allows the second one next, both as
/// (row, column) from 1. A number steps exactly that far along a line or a diagonal. A rook, bishop
/// or queen goes along its lines to a border tile. A knight goes two in one direction and one in
/// the other. No type stays on its tile, and pieces in between do not block.
pub fn points_at(piece: Piece, (r, c): (usize, usize), (r2, c2): (usize, usize)) -> bool {
    let dr = r.abs_diff(r2);
    let dc = c.abs_diff(c2);
    if dr == 0 && dc == 0 {
        return false;
    }
    match piece {
        Piece::One => steps(1, dr, dc),
        Piece::Two => steps(2, dr, dc),
        Piece::Three => steps(3, dr, dc),
        Piece::Four => steps(4, dr, dc),
        Piece::Rook => rook(dr, dc, r2, c2),
        Piece::Bishop => bishop(dr, dc, r2, c2),
        Piece::Queen => rook(dr, dc, r2, c2) || bishop(dr, dc, r2, c2),
        Piece::Knight => (dr == 2 && dc == 1) || (dr == 1 && dc == 2),
    }
}

/// Returns whether a number's rule holds: `n` rows away, or `n` columns away, or both.
fn steps(n: usize, dr: usize, dc: usize) -> bool {
    (dr == n && dc == 0) || (dr == 0 && dc == n) || (dr == n && dc == n)
}

/// Returns whether the rook's rule holds: same column with the target in an outer row, or same row
/// with the target in an outer column.
fn rook(dr: usize, dc: usize, r2: usize, c2: usize) -> bool {
    ((r2 == 1 || r2 == 6) && dc == 0) || (dr == 0 && (c2 == 1 || c2 == 6))
}

/// Returns whether the bishop's rule holds: same diagonal, with the target in an outer row or
/// column.
fn bishop(dr: usize, dc: usize, r2: usize, c2: usize) -> bool {
    dr == dc && (r2 == 1 || r2 == 6 || c2 == 1 || c2 == 6)
}

/// Returns the bonus points of a list of removed types, with tile points of 0.
pub fn bonuses(removed: &[Piece]) -> Score {
    let sets = find_sets(removed);
    Score {
        tiles: 0,
        runs: run_points(removed),
        number_sets: number_set_points(removed, &sets),
        piece_sets: piece_set_points(&sets),
        alternation: alternation_points(&sets),
    }
}

/// Returns the run points: 2N for each longest sequence of N >= 2 equal types.
fn run_points(removed: &[Piece]) -> u32 {
    let mut points = 0;
    for start in 0..removed.len() {
        if start > 0 && removed[start - 1] == removed[start] {
            continue; // not the first of its stretch
        }
        let mut n = 0;
        while start + n < removed.len() && removed[start + n] == removed[start] {
            n += 1;
        }
        if n >= 2 {
            points += 2 * n as u32;
        }
    }
    points
}

/// The kind of a set's four types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Numbers,
    ChessPieces,
}

/// A set that counts: its kind, and the index of its first removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Set {
    kind: Kind,
    start: usize,
}

/// Returns the sets that count. From the oldest removal on, four in a row that form a set are used
/// up together; otherwise, the search moves on by one removal.
fn find_sets(removed: &[Piece]) -> Vec<Set> {
    let mut sets = Vec::new();
    let mut start = 0;
    while start + 4 <= removed.len() {
        let four = &removed[start..start + 4];
        if has_each_of(four, &NUMBERS) {
            let kind = Kind::Numbers;
            sets.push(Set { kind, start });
            start += 4;
        } else if has_each_of(four, &CHESS_PIECES) {
            let kind = Kind::ChessPieces;
            sets.push(Set { kind, start });
            start += 4;
        } else {
            start += 1;
        }
    }
    sets
}

/// Returns whether these four removals are the four given types in some order.
fn has_each_of(four: &[Piece], types: &[Piece; 4]) -> bool {
    four.len() == 4 && types.iter().all(|piece| four.contains(piece))
}

/// Returns the number set points: 12 for each set that counts up from 1 or down from 4, 8 for any
/// other.
fn number_set_points(removed: &[Piece], sets: &[Set]) -> u32 {
    let up = [Piece::One, Piece::Two, Piece::Three, Piece::Four];
    let down = [Piece::Four, Piece::Three, Piece::Two, Piece::One];
    let mut points = 0;
    for set in sets {
        if set.kind == Kind::Numbers {
            let four = &removed[set.start..set.start + 4];
            points += if four == up || four == down { 12 } else { 8 };
        }
    }
    points
}

/// Returns the piece set points: 8 for each set, in any order.
fn piece_set_points(sets: &[Set]) -> u32 {
    let mut points = 0;
    for set in sets {
        if set.kind == Kind::ChessPieces {
            points += 8;
        }
    }
    points
}

/// Returns the alternation points: 8K for each longest chain of K >= 2 sets.
fn alternation_points(sets: &[Set]) -> u32 {
    let mut points = 0;
    for first in 0..sets.len() {
        if first > 0 && continues_chain(sets[first - 1], sets[first]) {
            continue; // not the first of its chain
        }
        let mut k = 1;
        while first + k < sets.len() && continues_chain(sets[first + k - 1], sets[first + k]) {
            k += 1;
        }
        if k >= 2 {
            points += 8 * k as u32;
        }
    }
    points
}

/// Returns whether a set continues the chain of the previous one: it has the other kind, and no
/// removal lies between.
fn continues_chain(before: Set, after: Set) -> bool {
    before.kind != after.kind && before.start + 4 == after.start
}
