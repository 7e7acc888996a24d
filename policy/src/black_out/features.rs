//! Features of a position: symmetries, lines, regions.

use super::board::{Squares, ALL, COLUMNS, ROWS};

/// The free squares by rows, in the first `height` rows and `width` columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The free squares of each row; the lowest bit is the first column.
    pub rows: [u8; ROWS],
    /// How many rows there are.
    pub height: usize,
    /// How many columns there are.
    pub width: usize,
}

/// The number of free squares without a free mirror image, for each symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unlike {
    /// Rotation by 180 degrees.
    pub turn: u32,
    /// Reflection of top and bottom.
    pub flip: u32,
    /// Reflection of left and right.
    pub mirror: u32,
}

/// Regions: free squares connected through rows and columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// Number of regions.
    pub count: u32,
    /// Number of regions of a single square.
    pub lone: u32,
    /// Number of squares of the largest region.
    pub largest: u32,
    /// The exclusive or of the sizes. A region in a single line is a heap of Nim: a move can take
    /// any of its consecutive free squares, whatever black squares lie between them.
    pub nim_sum: u32,
}

/// Returns the lowest six bits in reverse order.
const REVERSED: [u8; 1 << COLUMNS] = {
    let mut table = [0; 1 << COLUMNS];
    let mut i = 0;
    while i < table.len() {
        table[i] = (i as u8).reverse_bits() >> (8 - COLUMNS);
        i += 1;
    }
    table
};

/// `PACKED[open][row]`: the bits of `row` at the places set in `open`, moved together.
static PACKED: [[u8; 1 << COLUMNS]; 1 << COLUMNS] = {
    let mut table = [[0; 1 << COLUMNS]; 1 << COLUMNS];
    let mut open = 0;
    while open < table.len() {
        let mut row = 0;
        while row < table.len() {
            let (mut packed, mut place, mut column) = (0, 0, 0);
            while column < COLUMNS {
                if open >> column & 1 == 1 {
                    packed |= ((row >> column & 1) << place) as u8;
                    place += 1;
                }
                column += 1;
            }
            table[open][row] = packed;
            row += 1;
        }
        open += 1;
    }
    table
};

impl Grid {
    /// The whole board.
    pub fn new(black: Squares) -> Self {
        let free = !black & ALL;
        let rows = std::array::from_fn(|row| (free >> (row * COLUMNS)) as u8 & ((1 << COLUMNS) - 1));
        Grid { rows, height: ROWS, width: COLUMNS }
    }

    /// Returns the columns that have a free square.
    pub fn open_columns(&self) -> u8 {
        self.rows.iter().fold(0, |open, row| open | row)
    }

    /// Returns the position without the rows and columns that have no free square. It is the same
    /// game, because segments pass over them.
    pub fn closed_up(&self) -> Self {
        let open = self.open_columns();
        let mut closed = Grid { rows: [0; ROWS], height: 0, width: open.count_ones() as usize };
        for row in self.rows {
            if row != 0 {
                closed.rows[closed.height] = PACKED[open as usize][row as usize];
                closed.height += 1;
            }
        }
        closed
    }

    fn reversed(&self, row: u8) -> u8 {
        REVERSED[row as usize] >> (COLUMNS - self.width)
    }

    /// Returns the number of free squares without a free mirror image, for each symmetry.
    pub fn unlike(&self) -> Unlike {
        let mut unlike = Unlike { turn: 0, flip: 0, mirror: 0 };
        for i in 0..self.height {
            let (row, opposite) = (self.rows[i], self.rows[self.height - 1 - i]);
            unlike.turn += (row & !self.reversed(opposite)).count_ones();
            unlike.flip += (row & !opposite).count_ones();
            unlike.mirror += (row & !self.reversed(row)).count_ones();
        }
        unlike
    }

    /// Returns the free squares in a row or a column with equally many free squares on both sides.
    pub fn middle(&self) -> u32 {
        let column = if self.width % 2 == 1 { 1 << (self.width / 2) } else { 0 };
        let mut count = 0;
        for (i, row) in self.rows[..self.height].iter().enumerate() {
            let is_middle = 2 * i + 1 == self.height;
            count += if is_middle { *row } else { row & column }.count_ones();
        }
        count
    }

    /// Returns the number of rows and columns that have exactly `i` free squares, at index `i`.
    pub fn lines(&self) -> [u32; COLUMNS + 1] {
        let mut lines = [0; COLUMNS + 1];
        for row in self.rows {
            lines[row.count_ones() as usize] += 1;
        }
        for column in 0..COLUMNS {
            let free: u8 = self.rows.iter().map(|row| row >> column & 1).sum();
            lines[free as usize] += 1;
        }
        lines
    }

    /// Returns the regions.
    pub fn regions(&self) -> Regions {
        let mut regions = Regions::default();
        let mut rows = self.rows;
        for first in 0..ROWS {
            let mut columns = rows[first];
            if columns == 0 {
                continue;
            }
            let mut size = 0;
            // Repeat whenever a row of the region has added columns.
            loop {
                let before = columns;
                for row in &mut rows[first..] {
                    if *row & columns != 0 {
                        columns |= *row;
                        size += row.count_ones();
                        *row = 0;
                    }
                }
                if columns == before && size > 0 {
                    break;
                }
            }
            regions.count += 1;
            regions.lone += u32::from(size == 1);
            regions.largest = regions.largest.max(size);
            regions.nim_sum ^= size;
        }
        regions
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::{segment, ROW};
    use super::*;

    #[test]
    fn full_lines_are_left_out() {
        let row_2 = ROW << COLUMNS;
        let column_4 = segment((0, 3), (4, 3)).unwrap().squares;
        let whole = Grid::new(row_2 | column_4);
        let closed = whole.closed_up();
        assert_eq!(closed, Grid { rows: [0b11111, 0b11111, 0b11111, 0b11111, 0], height: 4, width: 5 });
        assert_eq!(closed.unlike(), Unlike { turn: 0, flip: 0, mirror: 0 });
        assert_eq!(closed.middle(), 4);
        assert_eq!(whole.middle(), 5);
        let unlike = whole.unlike();
        assert!(unlike.turn > 0 && unlike.flip > 0 && unlike.mirror > 0);
    }

    #[test]
    fn regions_join_over_black_squares() {
        // Two squares of the first row with black squares between them, and a separate square.
        let free = 0b100001 | 1 << (COLUMNS + 2);
        let grid = Grid::new(ALL & !free);
        assert_eq!(grid.regions(), Regions { count: 2, lone: 1, largest: 2, nim_sum: 3 });
        // A third square connects them.
        let grid = Grid::new(ALL & !(free | 1 << COLUMNS));
        assert_eq!(grid.regions(), Regions { count: 1, lone: 0, largest: 4, nim_sum: 4 });
        assert_eq!(Grid::new(ALL).regions(), Regions::default());
        assert_eq!(Grid::new(0).regions(), Regions { count: 1, lone: 0, largest: 30, nim_sum: 30 });
    }

    #[test]
    fn lines_by_their_free_squares() {
        assert_eq!(Grid::new(0).lines(), [0, 0, 0, 0, 0, 6, 5]);
        assert_eq!(Grid::new(ALL & !0b11).lines(), [8, 2, 1, 0, 0, 0, 0]);
    }
}
