//! Dealt games: from a seed, or the contest's own from their numbers.

use super::java::Sha1Prng;
use evolve_search::model::seed::generator;
use policy::chess_puzzle::board::{CELLS, Cell, LARGEST, MOST_LAYERS, Piece, SMALLEST, TYPES};
use policy::chess_puzzle::position::Position;
use rand::RngExt;

/// A dealt game: its size, and the tiles of each cell, the last one on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    rows: usize,
    columns: usize,
    layers: usize,
    tiles: Box<[[Piece; MOST_LAYERS]; CELLS]>,
}

/// The types in the order of the contest's generator.
const ORIGINAL: [Piece; TYPES] =
    [Piece::One, Piece::Two, Piece::Three, Piece::Four, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

impl Deal {
    /// Deals size, layers and tiles uniformly.
    pub fn new(seed: u64) -> Self {
        let mut random = generator(seed);
        Self::draw(|below| random.random_range(0..below as u32) as usize)
    }

    /// Returns the contest's own game with this number, which is the seed of its generator.
    pub fn original(seed: u64) -> Self {
        let mut random = Sha1Prng::new(seed);
        Self::draw(|below| random.next_int(below as u32) as usize)
    }

    /// Deals with a function that returns a number below a bound, in the order in which the
    /// contest's generator draws.
    fn draw(mut below: impl FnMut(usize) -> usize) -> Self {
        let sizes = LARGEST - SMALLEST + 1;
        let rows = below(sizes) + SMALLEST;
        let columns = below(sizes) + SMALLEST;
        let layers = below(MOST_LAYERS) + 1;
        let mut tiles = Box::new([[Piece::One; MOST_LAYERS]; CELLS]);
        for stack in tiles.iter_mut().take(rows * columns) {
            for tile in stack.iter_mut().take(layers) {
                *tile = ORIGINAL[below(TYPES)];
            }
        }
        Deal { rows, columns, layers, tiles }
    }

    /// Returns the numbers of rows, columns and layers.
    pub fn size(&self) -> (usize, usize, usize) {
        (self.rows, self.columns, self.layers)
    }

    /// Returns the tile of a cell that has `under` tiles below it.
    pub fn tile(&self, cell: Cell, under: usize) -> Piece {
        self.tiles[cell as usize][under]
    }

    /// Returns the start of the game.
    pub fn start(&self) -> Position {
        Position::new(self.rows, self.columns, self.layers, |cell| self.tile(cell, self.layers - 1))
    }

    /// Clicks a legal cell, and returns the tile that becomes visible.
    pub fn click(&self, position: &mut Position, cell: Cell) -> Option<Piece> {
        let revealed = position.height(cell).checked_sub(2).map(|under| self.tile(cell, under));
        position.click(cell, revealed);
        revealed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes of the contest's games 1 to 100: seed, rows, columns, layers.
    const SIZES: &str = include_str!("../../tests/data/chess-puzzle-sizes.csv");
    /// The visible boards of the contest's games 1 to 10.
    const BOARDS: &str = include_str!("../../tests/data/chess-puzzle-boards.txt");

    #[test]
    fn the_contests_games_have_their_sizes() {
        let mut games = 0;
        for line in SIZES.lines().skip(1) {
            let numbers: Vec<u64> = line.split(',').map(|number| number.parse().unwrap()).collect();
            let (rows, columns, layers) = Deal::original(numbers[0]).size();
            assert_eq!([rows as u64, columns as u64, layers as u64], numbers[1..], "game {}", numbers[0]);
            games += 1;
        }
        assert_eq!(games, 100);
    }

    #[test]
    fn the_contests_games_have_their_boards() {
        let mut shown = String::new();
        for game in 1..=10 {
            let deal = Deal::original(game);
            let (rows, columns, layers) = deal.size();
            shown += &format!("# seed {game}\n{rows}x{columns} K={layers}\n");
            for row in 0..rows {
                let letters =
                    (0..columns).map(|column| deal.tile((row * columns + column) as Cell, layers - 1).letter());
                shown += &letters.collect::<String>();
                shown.push('\n');
            }
        }
        assert_eq!(shown.trim_end(), BOARDS.trim_end());
    }
}
