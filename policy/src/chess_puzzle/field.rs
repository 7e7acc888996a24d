//! A search's view of a position, with connection counts updated click by click.

use super::board::{Board, Cell, CellSet, Cells, TYPES};
use super::position::Position;
use crate::random::mixed;

/// Marks the type of an unknown tile.
pub const HIDDEN: u8 = TYPES as u8;
/// Marks the type of an empty cell's tile.
pub const EMPTY: u8 = HIDDEN + 1;

/// Returns whether a type goes all the way to the edge: rook, bishop, queen.
#[inline]
pub const fn is_long(piece: u8) -> bool {
    piece >= 4 && piece <= 6
}

/// Room for every value of [`Cell`], so that no index is out of bounds.
const SPACE: usize = 256;

/// The tiles of a cell, next to each other in memory because they are used together.
#[derive(Clone, Copy, Debug)]
struct Stack {
    /// Type of the top tile.
    top: u8,
    height: u8,
    /// Number of visible tiles that reach the cell.
    reached: u8,
    /// Number of cells, empty ones excluded, that the visible tile reaches; 0 for hidden tiles.
    exits: u8,
}

/// The extent of play over visible tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Number of stacks that can be reached.
    pub stacks: u32,
    /// Number of those stacks that show a number or knight.
    pub short: u32,
}

/// A position as seen by a search: some tiles may be [`HIDDEN`].
#[derive(Clone, Debug)]
pub struct Field {
    board: &'static Board,
    stacks: [Stack; SPACE],
    /// Cells that are not empty.
    occupied: CellSet,
    /// Cells with a visible number or knight.
    short: CellSet,
    /// Tiles left.
    left: i32,
    /// Tiles left on edges and corners.
    edge_left: i32,
    /// Visible tiles that go all the way to the edge.
    long: i32,
    /// Tiles that are not visible.
    hidden: i32,
    hash: u64,
}

impl Field {
    /// Returns a player's view of a position.
    pub fn new(position: &Position) -> Self {
        let board = position.board();
        let mut field = Field {
            board,
            stacks: [Stack { top: EMPTY, height: 0, reached: 0, exits: 0 }; SPACE],
            occupied: CellSet::default(),
            short: CellSet::default(),
            left: 0,
            edge_left: 0,
            long: 0,
            hidden: 0,
            hash: 0,
        };
        for cell in 0..board.cells() as Cell {
            let height = position.height(cell) as u8;
            field.stacks[cell as usize].height = height;
            field.left += i32::from(height);
            if height > 0 {
                field.occupied.insert(cell);
            }
            if board.sides(cell) > 0 {
                field.edge_left += i32::from(height);
            }
            field.hash ^= key(cell, height);
        }
        for cell in 0..board.cells() as Cell {
            if let Some(piece) = position.top(cell) {
                field.show(cell, piece as u8);
                field.hidden += i32::from(field.height(cell)) - 1;
            }
        }
        field
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// Returns the type of a cell's top tile, [`HIDDEN`] or [`EMPTY`].
    #[inline]
    pub fn top(&self, cell: Cell) -> u8 {
        self.stacks[cell as usize].top
    }

    /// Returns the number of tiles left on a cell.
    #[inline]
    pub fn height(&self, cell: Cell) -> u8 {
        self.stacks[cell as usize].height
    }

    /// Returns the number of visible tiles that reach a cell.
    #[inline]
    pub fn reached(&self, cell: Cell) -> u8 {
        self.stacks[cell as usize].reached
    }

    /// Returns the number of cells, empty ones excluded, that a cell's visible tile reaches.
    #[inline]
    pub fn exits(&self, cell: Cell) -> u8 {
        self.stacks[cell as usize].exits
    }

    /// Tiles left.
    #[inline]
    pub fn left(&self) -> i32 {
        self.left
    }

    /// Tiles left on edges and corners.
    #[inline]
    pub fn edge_left(&self) -> i32 {
        self.edge_left
    }

    /// Visible tiles that go all the way to the edge.
    #[inline]
    pub fn long(&self) -> i32 {
        self.long
    }

    /// Tiles that are not visible.
    #[inline]
    pub fn hidden(&self) -> i32 {
        self.hidden
    }

    /// Returns a hash of the tiles left.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns the [`hash`](Self::hash) after the visible tile of a cell is removed.
    #[inline]
    pub fn hash_after(&self, cell: Cell) -> u64 {
        let height = self.stacks[cell as usize].height;
        self.hash ^ key(cell, height) ^ key(cell, height - 1)
    }

    /// Returns the cells, empty or not, that the type reaches from a cell.
    #[inline]
    pub fn targets(&self, cell: Cell, piece: u8) -> &'static Cells {
        self.board.targets(cell, piece)
    }

    /// Returns the number of tiles that play can reach over visible tiles after the tile of `cell`,
    /// of type `piece`, is removed. The search follows at most `most` stacks; the number is exact
    /// only up to `most`. The tile that the click uncovers, and hidden tiles, can be reached but
    /// lead nowhere.
    #[inline]
    pub fn reach(&self, cell: Cell, piece: u8, most: u32) -> Reach {
        let (mut unseen, mut short) = (self.occupied, self.short);
        short.remove(cell);
        if self.height(cell) == 1 {
            unseen.remove(cell);
        }
        let (stacks, shorts) = (unseen.count(), short.count());
        let seen = |unseen: &CellSet| Reach { stacks: stacks - unseen.count(), short: shorts - unseen.common(&short) };
        let mut open = CellSet::default();
        unseen.move_common(self.board.target_set(cell, piece), &mut open);
        for gone_on in 1..=most {
            let Some(next) = open.pop() else { break };
            if next != cell && self.top(next) < HIDDEN {
                unseen.move_common(self.board.target_set(next, self.top(next)), &mut open);
            }
            // Counting costs as much as following one or two stacks.
            if gone_on % 4 == 0 && seen(&unseen).short >= most {
                break;
            }
        }
        seen(&unseen)
    }

    /// Removes the visible tile of a cell. `revealed` is the type of the tile below it: [`HIDDEN`]
    /// if unknown, ignored if the cell is then empty.
    pub fn click(&mut self, cell: Cell, revealed: u8) {
        let place = cell as usize;
        let piece = self.stacks[place].top;
        let height = self.stacks[place].height;
        debug_assert!(height > 0 && piece < HIDDEN, "only visible tiles are clicked");
        for &target in self.targets(cell, piece).iter() {
            self.stacks[target as usize].reached -= 1;
        }
        self.long -= i32::from(is_long(piece));
        self.short.remove(cell);
        self.left -= 1;
        self.edge_left -= i32::from(self.board.sides(cell) > 0);
        self.hash ^= key(cell, height) ^ key(cell, height - 1);
        self.stacks[place].height = height - 1;
        if height > 1 {
            if revealed < HIDDEN {
                self.hidden -= 1;
            }
            self.show(cell, revealed);
            return;
        }
        self.stacks[place].top = EMPTY;
        self.stacks[place].exits = 0;
        self.occupied.remove(cell);
        for source in self.board.sources(cell) {
            if self.stacks[source.cell as usize].top == source.piece {
                self.stacks[source.cell as usize].exits -= 1;
            }
        }
    }

    /// Puts a tile on top of a cell.
    fn show(&mut self, cell: Cell, piece: u8) {
        let place = cell as usize;
        self.stacks[place].top = piece;
        self.stacks[place].exits = 0;
        if piece < HIDDEN {
            self.long += i32::from(is_long(piece));
            if !is_long(piece) {
                self.short.insert(cell);
            }
            for &target in self.targets(cell, piece).iter() {
                self.stacks[target as usize].reached += 1;
                self.stacks[place].exits += u8::from(self.stacks[target as usize].height > 0);
            }
        }
    }
}

/// The state of play: the cells that may be clicked next.
#[derive(Clone, Copy, Debug)]
pub enum Head {
    /// Any cell: the first click of a game.
    Start,
    /// The cells that a tile of this type reaches from this cell.
    At(Cell, u8),
}

/// Returns a random number for a cell with this many tiles left.
#[inline]
fn key(cell: Cell, height: u8) -> u64 {
    mixed(((u64::from(cell) << 8 | u64::from(height)) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
