//! The value of a position for the player who has just moved: a weighted sum of features.

use super::board::{free, Squares};
use super::features::Grid;
use super::weights::Weights;

impl Weights {
    /// Returns the value of a position for the player who has just moved; only differences count.
    pub fn value(&self, black: Squares) -> f64 {
        let board = Grid::new(black);
        let closed = board.closed_up();
        let (whole, unlike) = (board.unlike(), closed.unlike());
        let lines = board.lines();
        let regions = board.regions();
        let free = free(black);
        // A move can take k free squares of a line in k (k + 1) / 2 ways; a single square belongs
        // to two lines.
        let moves: u32 = (1u32..).zip(&lines[1..]).map(|(k, count)| count * k * (k + 1) / 2).sum::<u32>() - free;

        let is = |condition: bool| f64::from(u8::from(condition));
        let odd = |count: u32| f64::from(count % 2);
        self.turn * is(whole.turn == 0)
            + self.flip * is(whole.flip == 0)
            + self.mirror * is(whole.mirror == 0)
            + self.closed_turn * is(unlike.turn == 0)
            + self.closed_flip * is(unlike.flip == 0)
            + self.closed_mirror * is(unlike.mirror == 0)
            + self.unlike_turn * f64::from(unlike.turn)
            + self.unlike_flip * f64::from(unlike.flip)
            + self.unlike_mirror * f64::from(unlike.mirror)
            + self.middle * f64::from(closed.middle())
            + self.free * f64::from(free)
            + self.free_odd * odd(free)
            + self.rows_odd * odd(closed.height as u32)
            + self.columns_odd * odd(closed.width as u32)
            + self.moves * f64::from(moves)
            + self.moves_odd * odd(moves)
            + self.line_1 * f64::from(lines[1])
            + self.line_2 * f64::from(lines[2])
            + self.line_3 * f64::from(lines[3])
            + self.line_more * f64::from(lines[4] + lines[5] + lines[6])
            + self.lone * f64::from(regions.lone)
            + self.lone_odd * odd(regions.lone)
            + self.regions * f64::from(regions.count)
            + self.regions_odd * odd(regions.count)
            + self.largest * f64::from(regions.largest)
            + self.balance * is(regions.nim_sum == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::{moves, ALL};
    use super::*;
    use crate::random::SplitMix64;

    #[test]
    fn moves_are_counted_like_they_are_listed() {
        let counting = Weights { moves: 1.0, ..Weights::ZERO };
        let mut random = SplitMix64::new(1);
        for _ in 0..1000 {
            let black = random.next_u64() as Squares & random.next_u64() as Squares & ALL;
            assert_eq!(counting.value(black), moves(black).count() as f64);
        }
    }
}
