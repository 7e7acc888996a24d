//! Boards of up to 128 cells: cells and their names, the neighbours of a cell, and the lines of a
//! rook.

/// A cell: rank times the number of files, plus file; both count from 0.
pub type Cell = u8;

/// A set of cells, one bit each.
pub type Cells = u128;

/// A board with `FILES` files and `RANKS` ranks. It has no state, only tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board<const FILES: usize, const RANKS: usize>;

impl<const FILES: usize, const RANKS: usize> Board<FILES, RANKS> {
    /// The number of cells.
    pub const CELLS: usize = {
        assert!(FILES >= 3 && RANKS >= 3 && FILES <= 16 && RANKS <= 16 && FILES * RANKS <= 128);
        FILES * RANKS
    };

    /// File and rank of each cell.
    pub const PLACES: [(i8, i8); 128] = {
        let mut table = [(0, 0); 128];
        let mut cell = 0;
        while cell < Self::CELLS {
            table[cell] = ((cell % FILES) as i8, (cell / FILES) as i8);
            cell += 1;
        }
        table
    };

    /// The cells a king's step away from each cell.
    pub const NEIGHBOURS: [Cells; 128] = {
        let mut table = [0; 128];
        let mut cell = 0;
        while cell < Self::CELLS {
            let mut other = 0;
            while other < Self::CELLS {
                let files = (cell % FILES).abs_diff(other % FILES);
                let ranks = (cell / FILES).abs_diff(other / FILES);
                if files <= 1 && ranks <= 1 && files + ranks > 0 {
                    table[cell] |= 1 << other;
                }
                other += 1;
            }
            cell += 1;
        }
        table
    };

    /// The cells of each file.
    pub const FILE: [Cells; 16] = {
        let mut table = [0; 16];
        let mut cell = 0;
        while cell < Self::CELLS {
            table[cell % FILES] |= 1 << cell;
            cell += 1;
        }
        table
    };

    /// The cells of each rank.
    pub const RANK: [Cells; 16] = {
        let mut table = [0; 16];
        let mut cell = 0;
        while cell < Self::CELLS {
            table[cell / FILES] |= 1 << cell;
            cell += 1;
        }
        table
    };

    /// File and rank of a cell, counted from 0.
    #[inline]
    pub fn place(cell: Cell) -> (i8, i8) {
        Self::PLACES[usize::from(cell & 127)]
    }

    /// The cells a king's step away.
    #[inline]
    pub fn neighbours(cell: Cell) -> Cells {
        Self::NEIGHBOURS[usize::from(cell & 127)]
    }

    /// Returns the cells that a rook attacks on a board with `blockers`, including the first
    /// blocker on each line but not the rook's own cell.
    #[inline]
    pub fn rook_attacks(rook: Cell, blockers: Cells) -> Cells {
        let (file, rank) = Self::place(rook);
        let below = (1 << rook) - 1;
        let above = !below << 1;
        let mut attacks = 0;
        // Cell numbers increase along both lines, so the first blocker is the lowest bit above or
        // the highest bit below.
        for line in [Self::FILE[file as usize], Self::RANK[rank as usize]] {
            let (up, down) = (line & above, line & below);
            let first_up = up & blockers;
            attacks |= if first_up == 0 { up } else { up & (first_up ^ (first_up - 1)) };
            let first_down = down & blockers;
            attacks |= if first_down == 0 { down } else { down & !0 << (127 - first_down.leading_zeros()) };
        }
        attacks
    }

    /// Returns the name of a cell, such as `j9`.
    pub fn name(cell: Cell) -> String {
        let (file, rank) = Self::place(cell);
        format!("{}{}", char::from(b'a' + file as u8), rank + 1)
    }

    /// Returns the cell with a name; `None` if the board has none.
    pub fn cell(name: &str) -> Option<Cell> {
        let file = name.bytes().next()?.checked_sub(b'a')?;
        let number = name.get(1..).filter(|number| number.starts_with(|first: char| first.is_ascii_digit()))?;
        let rank = number.parse::<u8>().ok()?.checked_sub(1)?;
        let is_canonical = !number.starts_with('0');
        (usize::from(file) < FILES && usize::from(rank) < RANKS && is_canonical).then(|| rank * FILES as u8 + file)
    }
}

/// Returns the cells of a set in ascending order.
pub fn cells(mut set: Cells) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let cell = set.trailing_zeros() as Cell;
            set &= set - 1;
            cell
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    type Contest = Board<10, 9>;

    #[test]
    fn names_and_cells() {
        assert_eq!(Contest::cell("a1"), Some(0));
        assert_eq!(Contest::cell("j9"), Some(89));
        for cell in 0..90 {
            assert_eq!(Contest::cell(&Contest::name(cell)), Some(cell));
        }
        for wrong in ["", "a", "k1", "a0", "a10", "A1", "a01", "a+1", "1a", "aa", "a1 ", "é1", "`1", "a-1"] {
            assert_eq!(Contest::cell(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn kings_and_rooks_reach_what_they_should() {
        assert_eq!(Contest::neighbours(0).count_ones(), 3);
        assert_eq!(Contest::neighbours(9), 1 << 8 | 1 << 18 | 1 << 19);
        assert_eq!(Contest::neighbours(45).count_ones(), 8);
        for rook in 0..90 {
            assert_eq!(Contest::rook_attacks(rook, 0).count_ones(), 17);
            assert_eq!(Contest::rook_attacks(rook, !0 >> 38), Contest::rook_attacks(rook, Contest::neighbours(rook)));
        }
        let e4 = Contest::cell("e4").unwrap();
        let blockers = ["e6", "e8", "c4", "e3", "i4"].map(|name| 1 << Contest::cell(name).unwrap());
        let attacks = Contest::rook_attacks(e4, blockers.iter().fold(0, |set, cell: &u128| set | cell));
        let names: Vec<String> = cells(attacks).map(Contest::name).collect();
        assert_eq!(names.join(" "), "e3 c4 d4 f4 g4 h4 i4 e5 e6");
    }
}
