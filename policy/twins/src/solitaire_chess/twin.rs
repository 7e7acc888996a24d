//! A slow, literal model of Solitaire chess, to test a fast one against.
//!
//! The only state is the content of the tiles and the list of removals so far. Every question (the piece that a tile
//! shows, the removals that are allowed, the score of the game) is answered from that list afresh. Callers count rows
//! and columns from 0; the rules themselves are written with rows and columns 1 to 6, as the statement has them.

/// Rows of the board, and columns.
pub const SIDE: usize = 6;

/// Pieces that each tile hides, one above the other: bronze, silver, gold.
pub const LAYERS: usize = 3;

/// One type for every tile of the board, by row and then by column.
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

/// The numbers, counting up.
pub const NUMBERS: [Piece; 4] = [Piece::One, Piece::Two, Piece::Three, Piece::Four];

/// The chess pieces, which make a piece set in any order.
pub const CHESS_PIECES: [Piece; 4] = [Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight];

/// Every type, numbers first.
pub const ALL_PIECES: [Piece; 8] =
    [Piece::One, Piece::Two, Piece::Three, Piece::Four, Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight];

/// The score of a game, by kind of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Points for how far down each tile has been cleared.
    pub tiles: u32,
    /// Points for repeating one type.
    pub runs: u32,
    /// Points for the four numbers next to each other.
    pub number_sets: u32,
    /// Points for the four chess pieces next to each other.
    pub piece_sets: u32,
    /// Points for sets of the two kinds taking turns.
    pub alternation: u32,
}

impl Score {
    /// All five kinds of points together.
    pub fn total(&self) -> u32 {
        self.tiles + self.runs + self.number_sets + self.piece_sets + self.alternation
    }
}

/// One removal: its tile (0-based) and its piece.
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
    /// Every removal so far, oldest first.
    history: Vec<Removal>,
}

impl Game {
    /// A game before its first move. All three layers are settled here, so what a tile uncovers
    /// does not depend on when it is played.
    pub fn new(layers: &[Layer; LAYERS]) -> Self {
        Game { layers: *layers, history: Vec::new() }
    }

    /// How many pieces have been taken from this tile.
    fn times_removed(&self, row: usize, col: usize) -> usize {
        let mut times = 0;
        for removal in &self.history {
            if removal.row == row && removal.col == col {
                times += 1;
            }
        }
        times
    }

    /// The piece on this tile: the bronze one at first, the silver one after one removal, the
    /// gold one after two, none after three.
    pub fn visible(&self, row: usize, col: usize) -> Option<Piece> {
        match self.times_removed(row, col) {
            0 => Some(self.layers[0][row][col]),
            1 => Some(self.layers[1][row][col]),
            2 => Some(self.layers[2][row][col]),
            3 => None,
            times => unreachable!("tile ({row}, {col}) was emptied {times} times"),
        }
    }

    /// The tiles (0-based, row by row) whose piece may be taken now: any at the start; later those
    /// which the type and place of the last removed piece point at. A tile needs a piece to give.
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

    /// Takes the piece at (`row`, `col`), 0-based. Panics if the rules forbid that.
    pub fn remove(&mut self, row: usize, col: usize) {
        assert!(self.legal().contains(&(row, col)), "({row}, {col}) may not be removed now");
        let piece = self.visible(row, col).expect("a legal tile still has a piece");
        self.history.push(Removal { row, col, piece });
    }

    /// The types removed so far, oldest first.
    pub fn removed(&self) -> Vec<Piece> {
        self.history.iter().map(|removal| removal.piece).collect()
    }

    /// The score of the game if it stops here.
    pub fn score(&self) -> Score {
        Score { tiles: self.tile_points(), ..bonuses(&self.removed()) }
    }

    /// Tile points: a tile that still shows bronze is worth 0, silver 1, gold 2, and a bare one 3.
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

/// Whether a `piece` just taken from the first tile lets the second be next, both 1-based (row,
/// column). A number steps exactly that far along a line or a diagonal. A rook, bishop or queen
/// goes along its lines to a border tile. A knight goes two one way and one the other. No type
/// stays where it is, and nothing in between stands in the way.
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

/// A number's rule: `n` rows away, or `n` columns away, or both.
fn steps(n: usize, dr: usize, dc: usize) -> bool {
    (dr == n && dc == 0) || (dr == 0 && dc == n) || (dr == n && dc == n)
}

/// The rook's rule: same column and the target in an outer row, or same row and the target in an
/// outer column.
fn rook(dr: usize, dc: usize, r2: usize, c2: usize) -> bool {
    ((r2 == 1 || r2 == 6) && dc == 0) || (dr == 0 && (c2 == 1 || c2 == 6))
}

/// The bishop's rule: same diagonal, and the target in an outer row or column.
fn bishop(dr: usize, dc: usize, r2: usize, c2: usize) -> bool {
    dr == dc && (r2 == 1 || r2 == 6 || c2 == 1 || c2 == 6)
}

/// The bonus points of a list of removed types; the tile points are left at 0.
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

/// Run points: each longest stretch of N >= 2 equal types is worth 2N.
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

/// Which four types a set is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Numbers,
    ChessPieces,
}

/// A set that counts: its kind, and which removal is the first of its four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Set {
    kind: Kind,
    start: usize,
}

/// The sets that count: from the oldest removal on, four in a row that make a set are used up
/// together; where they make none, the search moves on by one removal.
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

/// Whether these four removals are the four given types in some order.
fn has_each_of(four: &[Piece], types: &[Piece; 4]) -> bool {
    four.len() == 4 && types.iter().all(|piece| four.contains(piece))
}

/// Number set points: 12 for each set that counts up from 1 or down from 4, 8 for each other.
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

/// Piece set points: 8 for each, whatever its order.
fn piece_set_points(sets: &[Set]) -> u32 {
    let mut points = 0;
    for set in sets {
        if set.kind == Kind::ChessPieces {
            points += 8;
        }
    }
    points
}

/// Alternation points: each longest chain of K >= 2 sets is worth 8K.
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

/// A set carries on the chain of the one before it if it is of the other kind and no removal lies
/// between the two.
fn continues_chain(before: Set, after: Set) -> bool {
    before.kind != after.kind && before.start + 4 == after.start
}
