//! A slow second implementation of the rules: one piece, one cell, one move at a time, for boards
//! of any size.

/// A file and rank, counted from 0.
pub type Place = (i32, i32);

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twin {
    pub size: Place,
    pub king: Place,
    pub rook: Place,
    pub black: Place,
}

impl Twin {
    fn on_board(&self, (file, rank): Place) -> bool {
        (0..self.size.0).contains(&file) && (0..self.size.1).contains(&rank)
    }

    /// Returns whether the pieces are on three cells, and the kings are not adjacent.
    pub fn is_possible(&self) -> bool {
        self.king != self.rook && self.rook != self.black && !near(self.king, self.black)
    }

    /// Returns whether the rook, moving cell by cell, reaches `target`. Only `king` stops it.
    fn rook_hits(&self, target: Place) -> bool {
        [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().any(|direction| {
            let mut at = step(self.rook, direction);
            while self.on_board(at) {
                if at == target {
                    return true;
                }
                if at == self.king {
                    return false;
                }
                at = step(at, direction);
            }
            false
        })
    }

    pub fn is_check(&self) -> bool {
        self.rook_hits(self.black)
    }

    /// Returns the legal moves of the black king, including captures of the rook.
    pub fn black_moves(&self) -> Vec<Place> {
        let is_safe = |&to: &Place| {
            let after = Twin { black: to, ..*self };
            self.on_board(to) && !near(to, self.king) && (to == self.rook || !after.rook_hits(to))
        };
        king_steps(self.black).filter(is_safe).collect()
    }

    /// Returns the legal moves of the white king.
    pub fn king_moves(&self) -> Vec<Place> {
        king_steps(self.king).filter(|&to| self.on_board(to) && to != self.rook && !near(to, self.black)).collect()
    }

    /// Returns the legal moves of the rook.
    pub fn rook_moves(&self) -> Vec<Place> {
        let mut found = Vec::new();
        for direction in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let mut at = step(self.rook, direction);
            while self.on_board(at) && at != self.king && at != self.black {
                found.push(at);
                at = step(at, direction);
            }
        }
        found
    }
}

fn step((file, rank): Place, (files, ranks): Place) -> Place {
    (file + files, rank + ranks)
}

fn king_steps(from: Place) -> impl Iterator<Item = Place> {
    (-1..=1)
        .flat_map(|files| (-1..=1).map(move |ranks| (files, ranks)))
        .filter(|&by| by != (0, 0))
        .map(move |by| step(from, by))
}

/// Returns whether two cells are equal or adjacent.
fn near(a: Place, b: Place) -> bool {
    (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1
}
