//! Defenders: the strategies of Black.

use super::oracle::contest;
use chacha20::ChaCha8Rng;
use policy::king_rook::board::{Board, Cell, Cells, cells};
use policy::king_rook::position::Contest;
use rand::RngExt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defender {
    /// Holds out as long as perfect play allows; chooses randomly between equal moves.
    Perfect,
    /// Makes any move.
    Random,
    /// Moves to the centre of the board.
    Centre,
    /// Moves towards the rook.
    Hunter,
    /// Makes the move that delays this particular player the longest, or escapes it. It must know
    /// all moves of the player, so it exists only in the arena; against a program, the perfect
    /// defender replaces it.
    Every,
}

impl Defender {
    /// All defenders.
    #[cfg(test)]
    pub const ALL: [Defender; 5] =
        [Defender::Perfect, Defender::Random, Defender::Centre, Defender::Hunter, Defender::Every];

    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Defender::Perfect => "perfect",
            Defender::Random => "random",
            Defender::Centre => "centre",
            Defender::Hunter => "hunter",
            Defender::Every => "every",
        }
    }

    /// Draws the defender of a mixed deal: perfect in seven of ten.
    pub fn mixed(random: &mut ChaCha8Rng) -> Self {
        match random.random_range(0..10u32) {
            0..7 => Defender::Perfect,
            7 => Defender::Random,
            8 => Defender::Centre,
            _ => Defender::Hunter,
        }
    }

    /// Chooses Black's move among `replies`, which must not be empty.
    pub fn reply(self, position: &Contest, replies: Cells, random: &mut ChaCha8Rng) -> Cell {
        let after = |black: Cell| Contest { black, ..*position };
        // A larger preference is better; positions that White does not win are the best.
        let preference = |cell: Cell| -> i32 {
            match self {
                Defender::Perfect | Defender::Every => {
                    contest().white_to_move(&after(cell)).map_or(i32::MAX, i32::from)
                }
                Defender::Random => 0,
                Defender::Centre => {
                    // Twice the squared distance from the middle, which is 4.5 files and 4 ranks
                    // from the first ones.
                    let (file, rank) = Board::<10, 9>::place(cell);
                    let (file, rank) = (2 * i32::from(file) - 9, 2 * i32::from(rank) - 8);
                    -(file * file + rank * rank)
                }
                Defender::Hunter => {
                    let ((file, rank), rook) = (Board::<10, 9>::place(cell), Board::<10, 9>::place(position.rook));
                    let (files, ranks) = (i32::from(file - rook.0), i32::from(rank - rook.1));
                    -(files * files + ranks * ranks)
                }
            }
        };
        let best = cells(replies).map(preference).max().unwrap_or(0);
        let equal = || cells(replies).filter(|&cell| preference(cell) == best);
        let count = equal().count() as u32;
        equal().nth(random.random_range(0..count.max(1)) as usize).unwrap_or(position.black)
    }
}
