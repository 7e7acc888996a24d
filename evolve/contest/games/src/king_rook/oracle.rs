//! Perfect play: the number of moves until the mate from every position, by retrograde analysis.

use policy::king_rook::board::{Board, Cell, cells};
use policy::king_rook::player::moves as moves_of_white;
use policy::king_rook::position::{Position, State};
use std::sync::OnceLock;

/// The number of White's moves until the mate, from every position with White to move.
pub struct Oracle<const FILES: usize, const RANKS: usize> {
    /// The moves by number of the position; [`NEVER`] if Black is in check, which is impossible
    /// with White to move.
    white: Vec<u8>,
}

/// No mate.
const NEVER: u8 = u8::MAX;

/// Returns the contest's oracle, which is computed on the first call.
pub fn contest() -> &'static Oracle<10, 9> {
    static ORACLE: OnceLock<Oracle<10, 9>> = OnceLock::new();
    ORACLE.get_or_init(Oracle::new)
}

impl<const FILES: usize, const RANKS: usize> Oracle<FILES, RANKS> {
    /// Works backwards from the mates. In each round, Black loses where every reply leads to a
    /// position that White won in an earlier round, and White wins where one move leads to such a
    /// loss.
    pub fn new() -> Self {
        let size = Board::<FILES, RANKS>::CELLS;
        let (mut white, mut black) = (vec![NEVER; size * size * size], vec![NEVER; size * size * size]);
        let mut open_white = Vec::new();
        let mut open_black = Vec::new();
        for position in every_position::<FILES, RANKS>() {
            match position.state() {
                State::Checkmate => black[position.number()] = 0,
                State::Open(replies) => open_black.push((position, replies)),
                State::RookLost | State::Stalemate => (),
            }
            if !position.is_check() {
                open_white.push(position);
            }
        }
        for moves in 1.. {
            let before = open_white.len();
            open_white.retain(|position| {
                let is_won = moves_of_white(position).any(|step| black[position.after(step).number()] < moves);
                if is_won {
                    white[position.number()] = moves;
                }
                !is_won
            });
            if open_white.len() == before {
                break;
            }
            open_black.retain(|(position, replies)| {
                let after = |black: Cell| Position { black, ..*position };
                let is_lost = cells(*replies).all(|black| white[after(black).number()] <= moves);
                if is_lost {
                    black[position.number()] = moves;
                }
                !is_lost
            });
        }
        Oracle { white }
    }

    /// Returns the number of White's moves until the mate; `None` if there is no mate, or Black is
    /// in check.
    pub fn white_to_move(&self, position: &Position<FILES, RANKS>) -> Option<u8> {
        Some(self.white[position.number()]).filter(|&moves| moves != NEVER)
    }
}

/// Returns every position of three pieces, whether or not Black is in check.
pub fn every_position<const FILES: usize, const RANKS: usize>() -> impl Iterator<Item = Position<FILES, RANKS>> {
    let all = 0..Board::<FILES, RANKS>::CELLS as Cell;
    let pairs = all.clone().flat_map(move |king| all.clone().map(move |rook| (king, rook)));
    let all = 0..Board::<FILES, RANKS>::CELLS as Cell;
    pairs.flat_map(move |(king, rook)| all.clone().filter_map(move |black| Position::new(king, rook, black).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of positions with White to move, the longest mate, and the sum of all
    /// moves.
    fn facts<const FILES: usize, const RANKS: usize>(oracle: &Oracle<FILES, RANKS>) -> (usize, u8, f64) {
        let legal = || every_position::<FILES, RANKS>().filter(|position| !position.is_check());
        let moves: Vec<u8> =
            legal().map(|position| oracle.white_to_move(&position).expect("every one is won")).collect();
        let mean = moves.iter().map(|&moves| f64::from(moves)).sum::<f64>() / moves.len() as f64;
        (moves.len(), moves.iter().copied().max().unwrap(), mean)
    }

    #[test]
    fn the_contest_board_is_won_in_19_moves() {
        let (positions, longest, mean) = facts(contest());
        assert_eq!((positions, longest), (529_240, 19));
        assert!((mean - 12.10).abs() < 0.005, "{mean}");
    }

    #[test]
    fn other_boards_match_known_results() {
        assert_eq!(facts(&Oracle::<8, 8>::new()).1, 16);
        assert_eq!(facts(&Oracle::<10, 10>::new()).1, 21);
    }
}
