//! A game in progress, as its player sees it.

use super::board::{Board, Cell, Piece, CELLS, MOST_LAYERS};

/// A game in progress: the visible tiles, the remaining layers and the last click.
#[derive(Clone, Debug)]
pub struct Position {
    board: &'static Board,
    layers: u8,
    heights: [u8; CELLS],
    tops: [Option<Piece>; CELLS],
    last: Option<(Cell, Piece)>,
    clicks: u32,
}

impl Position {
    /// Returns the start of a game with these visible tiles, one for each cell.
    ///
    /// # Panics
    /// If there is no board of this size, or `layers` is not in 1..=10.
    pub fn new(rows: usize, columns: usize, layers: usize, top: impl Fn(Cell) -> Piece) -> Self {
        assert!((1..=MOST_LAYERS).contains(&layers), "a game has 1 to 10 layers");
        let board = Board::of_size(rows, columns);
        let mut position =
            Position { board, layers: layers as u8, heights: [0; CELLS], tops: [None; CELLS], last: None, clicks: 0 };
        for cell in 0..board.cells() {
            position.heights[cell] = layers as u8;
            position.tops[cell] = Some(top(cell as Cell));
        }
        position
    }

    /// Returns the board.
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// Returns the number of layers at the start.
    pub fn layers(&self) -> usize {
        self.layers as usize
    }

    /// Returns the number of layers left on a cell.
    pub fn height(&self, cell: Cell) -> usize {
        self.heights[cell as usize] as usize
    }

    /// Returns the visible tile of a cell; `None` if the cell is empty.
    pub fn top(&self, cell: Cell) -> Option<Piece> {
        self.tops[cell as usize]
    }

    /// Returns the cell of the last click, with the tile that it removed.
    pub fn last(&self) -> Option<(Cell, Piece)> {
        self.last
    }

    /// Returns whether a cell may be clicked now.
    pub fn is_legal(&self, cell: Cell) -> bool {
        let reached = |(from, piece): (Cell, Piece)| self.board.targets(from, piece as u8).contains(&cell);
        (cell as usize) < self.board.cells() && self.height(cell) > 0 && self.last.is_none_or(reached)
    }

    /// Returns the cells that may be clicked now: at first every cell, then those that the last
    /// tile reaches.
    pub fn legal(&self) -> Vec<Cell> {
        (0..self.board.cells() as Cell).filter(|&cell| self.is_legal(cell)).collect()
    }

    /// Returns the number of clicks so far.
    pub fn clicks(&self) -> u32 {
        self.clicks
    }

    /// Returns the number of tiles at the start.
    pub fn tiles(&self) -> u32 {
        (self.board.cells() * self.layers()) as u32
    }

    /// Returns the contest's score: the share of removed tiles.
    pub fn score(&self) -> f64 {
        f64::from(self.clicks) / f64::from(self.tiles())
    }

    /// Clicks a legal cell. `revealed` is the tile below, ignored if the cell is then empty.
    ///
    /// # Panics
    /// If the cell is empty, or if it has a tile below and none is given.
    pub fn click(&mut self, cell: Cell, revealed: Option<Piece>) {
        let place = cell as usize;
        let piece = self.tops[place].expect("an empty cell cannot be clicked");
        self.heights[place] -= 1;
        self.tops[place] = match self.heights[place] {
            0 => None,
            _ => Some(revealed.expect("another tile shows under this one")),
        };
        self.last = Some((cell, piece));
        self.clicks += 1;
    }
}
