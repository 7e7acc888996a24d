//! A slow second implementation of ChessPuzzle, written directly from its rules.

/// A game without hidden tiles: letters by row, column and layer, the last one on top.
#[derive(Clone)]
pub struct Twin {
    stacks: Vec<Vec<Vec<char>>>,
    last: Option<(usize, usize, char)>,
    pub clicks: usize,
    tiles: usize,
}

impl Twin {
    pub fn new(stacks: Vec<Vec<Vec<char>>>) -> Self {
        let tiles = stacks.iter().flatten().map(Vec::len).sum();
        Twin { stacks, last: None, clicks: 0, tiles }
    }

    pub fn rows(&self) -> usize {
        self.stacks.len()
    }

    pub fn columns(&self) -> usize {
        self.stacks[0].len()
    }

    pub fn top(&self, row: usize, column: usize) -> Option<char> {
        self.stacks[row][column].last().copied()
    }

    pub fn height(&self, row: usize, column: usize) -> usize {
        self.stacks[row][column].len()
    }

    /// Returns all cells that may be clicked, row by row.
    pub fn legal(&self) -> Vec<(usize, usize)> {
        let mut cells = Vec::new();
        for row in 0..self.rows() {
            for column in 0..self.columns() {
                let reached = match self.last {
                    None => true,
                    Some((r, c, letter)) => self.reaches(letter, r, c).contains(&(row, column)),
                };
                if reached && self.height(row, column) > 0 {
                    cells.push((row, column));
                }
            }
        }
        cells
    }

    pub fn click(&mut self, row: usize, column: usize) {
        let letter = self.stacks[row][column].pop().unwrap();
        self.last = Some((row, column, letter));
        self.clicks += 1;
    }

    pub fn score(&self) -> f64 {
        self.clicks as f64 / self.tiles as f64
    }

    /// Returns the cells on the board that a tile reaches, empty or not.
    pub fn reaches(&self, letter: char, row: usize, column: usize) -> Vec<(usize, usize)> {
        const STRAIGHT: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
        const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let both = [STRAIGHT, DIAGONAL].concat();
        let on_board =
            |(r, c): (i32, i32)| (0..self.rows() as i32).contains(&r) && (0..self.columns() as i32).contains(&c);
        let (r, c) = (row as i32, column as i32);
        let to_edge = |directions: &[(i32, i32)]| {
            let mut cells = Vec::new();
            for &(dr, dc) in directions {
                let (mut r, mut c) = (r, c);
                while on_board((r + dr, c + dc)) {
                    (r, c) = (r + dr, c + dc);
                }
                if (r, c) != (row as i32, column as i32) {
                    cells.push((r, c));
                }
            }
            cells
        };
        let cells = match letter {
            '1'..='4' => {
                let distance = letter.to_digit(10).unwrap() as i32;
                both.iter().map(|&(dr, dc)| (r + distance * dr, c + distance * dc)).collect()
            }
            'K' => {
                let jumps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
                jumps.iter().map(|&(dr, dc)| (r + dr, c + dc)).collect()
            }
            'B' => to_edge(&DIAGONAL),
            'R' => to_edge(&STRAIGHT),
            'Q' => to_edge(&both),
            _ => panic!("no tile {letter}"),
        };
        cells.into_iter().filter(|&cell| on_board(cell)).map(|(r, c)| (r as usize, c as usize)).collect()
    }
}
