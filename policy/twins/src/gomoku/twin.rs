//! A slow, literal model of Gomoku and of the fixed strategy: the stones are its only state, and
//! every question is answered by scanning all rows of five. Coordinates count from 1, as in the
//! dialogue.

/// The number of cells along a side.
pub const SIDE: i64 = 19;

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Nothing,
    First,
    Second,
}
use Mark::{First, Nothing, Second};

/// The board.
#[derive(Clone)]
pub struct Board(pub Vec<Vec<Mark>>);

impl Default for Board {
    fn default() -> Self {
        Self::new()
    }
}

impl Board {
    pub fn new() -> Self {
        Board(vec![vec![Nothing; SIDE as usize]; SIDE as usize])
    }

    pub fn at(&self, x: i64, y: i64) -> Mark {
        self.0[x as usize - 1][y as usize - 1]
    }

    pub fn set(&mut self, x: i64, y: i64, mark: Mark) {
        self.0[x as usize - 1][y as usize - 1] = mark;
    }

    /// Returns the marks of every row of five on the board.
    pub fn rows(&self) -> Vec<[Mark; 5]> {
        let mut rows = Vec::new();
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for x in 1..=SIDE {
                for y in 1..=SIDE {
                    let (last_x, last_y) = (x + 4 * dx, y + 4 * dy);
                    if (1..=SIDE).contains(&last_x) && (1..=SIDE).contains(&last_y) {
                        rows.push(std::array::from_fn(|i| self.at(x + i as i64 * dx, y + i as i64 * dy)));
                    }
                }
            }
        }
        rows
    }

    /// Returns the score of the position, without noise.
    pub fn score(&self) -> i128 {
        let mut score = 0;
        for row in self.rows() {
            let first = row.iter().filter(|&&mark| mark == First).count() as u32;
            let second = row.iter().filter(|&&mark| mark == Second).count() as u32;
            if first > 0 && second == 0 {
                score += 50i128.pow(2 * first - 1);
            }
            if second > 0 && first == 0 {
                score -= 50i128.pow(2 * second);
            }
        }
        score
    }

    /// Returns the first player's move. `noise` is called for every empty cell.
    pub fn reply(&self, noise: impl Fn(i64, i64) -> i128) -> Option<(i64, i64)> {
        let mut best: Option<(i128, (i64, i64))> = None;
        let mut board = self.clone();
        for x in 1..=SIDE {
            for y in 1..=SIDE {
                if self.at(x, y) != Nothing {
                    continue;
                }
                board.set(x, y, First);
                let score = board.score() + noise(x, y);
                board.set(x, y, Nothing);
                // Later cells have a larger x, or the same x and a larger y.
                if best.is_none_or(|(most, _)| score > most) {
                    best = Some((score, (x, y)));
                }
            }
        }
        best.map(|(_, cell)| cell)
    }

    /// Returns whether a player has five adjacent marks in a row.
    pub fn has_five(&self, mark: Mark) -> bool {
        self.rows().iter().any(|row| row.iter().all(|&other| other == mark))
    }

    /// Returns whether a mark on this empty cell would complete five.
    pub fn completes(&self, x: i64, y: i64, mark: Mark) -> bool {
        if self.at(x, y) != Nothing {
            return false;
        }
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            let run = |sign: i64| {
                (1..5)
                    .take_while(|i| {
                        let (x, y) = (x + sign * i * dx, y + sign * i * dy);
                        (1..=SIDE).contains(&x) && (1..=SIDE).contains(&y) && self.at(x, y) == mark
                    })
                    .count()
            };
            run(1) + run(-1) >= 4
        })
    }

    /// Returns the cells where a mark would complete five.
    pub fn completing(&self, mark: Mark) -> Vec<(i64, i64)> {
        let all = (1..=SIDE).flat_map(|x| (1..=SIDE).map(move |y| (x, y)));
        all.filter(|&(x, y)| self.completes(x, y, mark)).collect()
    }

    /// Returns whether the second player, to move, wins within this number of moves by threatening
    /// five with every move.
    pub fn wins_by_fours(&mut self, moves: u32) -> bool {
        if !self.completing(Second).is_empty() {
            return moves > 0;
        }
        if moves < 2 {
            return false;
        }
        let danger = self.completing(First);
        for x in 1..=SIDE {
            for y in 1..=SIDE {
                if self.at(x, y) != Nothing || danger.iter().any(|&cell| cell != (x, y)) {
                    continue;
                }
                self.set(x, y, Second);
                let threats = self.completing(Second);
                let won = match threats.as_slice() {
                    [] => false,
                    &[(block_x, block_y)] => {
                        self.set(block_x, block_y, First);
                        let won = self.wins_by_fours(moves - 1);
                        self.set(block_x, block_y, Nothing);
                        won
                    }
                    _ => true,
                };
                self.set(x, y, Nothing);
                if won {
                    return true;
                }
            }
        }
        false
    }
}
