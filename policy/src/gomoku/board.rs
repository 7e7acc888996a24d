//! The board's geometry: cells, and the lines of five that a win may fill.

/// Cells along a side of the board.
pub const SIDE: usize = 19;
/// Cells on the board.
pub const CELLS: usize = SIDE * SIDE;
/// Cells in a line that wins.
pub const FIVE: usize = 5;
/// Lines of five consecutive cells: across, along and on both diagonals.
pub const LINES: usize = 2 * SIDE * (SIDE - 4) + 2 * (SIDE - 4) * (SIDE - 4);
/// Marks a line that would leave the board.
pub const NO_LINE: u16 = LINES as u16;
/// Directions of lines.
pub const DIRECTIONS: usize = 4;

/// A cell: 19 (x - 1) + (y - 1), so that cells are ordered by x, then by y.
pub type Cell = u16;

/// The centre, where the first player starts.
pub const CENTRE: Cell = (CELLS / 2) as Cell;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first player, the fixed strategy.
    Black,
    /// The second player, this program.
    White,
}

/// Number of line states: `black + 6 * white`, from the number of stones of each side.
pub const STATES: usize = 36;

/// Returns the state of a line with these numbers of stones.
pub const fn state(black: u8, white: u8) -> u8 {
    black + 6 * white
}

/// Returns the state of a line with this many stones of one side and none of the other.
pub const fn alone(side: Side, stones: u8) -> u8 {
    match side {
        Side::Black => state(stones, 0),
        Side::White => state(0, stones),
    }
}

/// Returns the cell at these coordinates, which count from 1; `None` if it is not on the board.
pub fn cell(x: i64, y: i64) -> Option<Cell> {
    let side = 1..=SIDE as i64;
    (side.contains(&x) && side.contains(&y)).then(|| ((x - 1) * SIDE as i64 + y - 1) as Cell)
}

/// Returns the coordinates x and y of a cell, counted from 1.
pub fn coordinates(cell: Cell) -> (usize, usize) {
    (cell as usize / SIDE + 1, cell as usize % SIDE + 1)
}

/// The steps of the four directions.
const STEPS: [(i32, i32); DIRECTIONS] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The tables, which depend on the geometry alone.
struct Tables {
    cells: [[Cell; FIVE]; LINES],
    through: [[[u16; FIVE]; DIRECTIONS]; CELLS],
}

const fn on_board(x: i32, y: i32) -> bool {
    0 <= x && x < SIDE as i32 && 0 <= y && y < SIDE as i32
}

const fn tables() -> Tables {
    let mut cells = [[0; FIVE]; LINES];
    let mut through = [[[NO_LINE; FIVE]; DIRECTIONS]; CELLS];
    let mut line = 0;
    let mut direction = 0;
    // Constant evaluation has no `for` loop.
    while direction < DIRECTIONS {
        let (dx, dy) = STEPS[direction];
        let mut start = 0;
        while start < CELLS {
            let (x, y) = ((start / SIDE) as i32, (start % SIDE) as i32);
            if on_board(x + 4 * dx, y + 4 * dy) {
                let mut i = 0;
                while i < FIVE {
                    let cell = (x + i as i32 * dx) * SIDE as i32 + y + i as i32 * dy;
                    cells[line][i] = cell as Cell;
                    through[cell as usize][direction][i] = line as u16;
                    i += 1;
                }
                line += 1;
            }
            start += 1;
        }
        direction += 1;
    }
    assert!(line == LINES);
    Tables { cells, through }
}

static TABLES: Tables = tables();

/// The cells of every line.
pub static LINE_CELLS: &[[Cell; FIVE]; LINES] = &TABLES.cells;

/// The lines through every cell by direction, [`NO_LINE`] where one would leave the board.
pub static THROUGH: &[[[u16; FIVE]; DIRECTIONS]; CELLS] = &TABLES.through;

/// Largest distance between a move and a stone, in both coordinates.
const NEAR: i32 = 2;
/// Largest number of cells within that distance.
pub const NEIGHBOURS: usize = ((2 * NEAR + 1) * (2 * NEAR + 1)) as usize;

const fn neighbours() -> [[Cell; NEIGHBOURS]; CELLS] {
    // The cell itself stands for every cell off the board.
    let mut all = [[0; NEIGHBOURS]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (x, y) = ((cell / SIDE) as i32, (cell % SIDE) as i32);
        let mut i = 0;
        while i < NEIGHBOURS as i32 {
            let (nx, ny) = (x + i / (2 * NEAR + 1) - NEAR, y + i % (2 * NEAR + 1) - NEAR);
            let neighbour = if on_board(nx, ny) { nx * SIDE as i32 + ny } else { cell as i32 };
            all[cell][i as usize] = neighbour as Cell;
            i += 1;
        }
        cell += 1;
    }
    all
}

/// The cells near every cell; the cell itself stands for those beyond the edge of the board.
pub static NEIGHBOURHOOD: [[Cell; NEIGHBOURS]; CELLS] = neighbours();
