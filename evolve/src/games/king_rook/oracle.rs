//! Perfect play: how many moves the mate takes from every position, by retrograde analysis.

use policy::king_rook::board::{Board, Cell, Cells, cells};
use policy::king_rook::position::{Position, State};
use std::sync::OnceLock;

/// How many white moves the mate takes, for every position with either side to move.
pub struct Oracle<const FILES: usize, const RANKS: usize> {
    /// White to move; [`NEVER`] for impossible positions.
    white: Vec<u8>,
    /// Black to move, 0 where Black is mated; [`NEVER`] where White does not win.
    black: Vec<u8>,
}

/// No mate.
const NEVER: u8 = u8::MAX;

/// The contest's oracle; worked out when it is first asked for.
pub fn contest() -> &'static Oracle<10, 9> {
    static ORACLE: OnceLock<Oracle<10, 9>> = OnceLock::new();
    ORACLE.get_or_init(Oracle::new)
}

impl<const FILES: usize, const RANKS: usize> Oracle<FILES, RANKS> {
    /// Works backwards from the mates: in each round Black loses where every reply leads to a position that White won
    /// in an earlier round, and White wins where one move leads to such a loss.
    pub fn new() -> Self {
        let size = Board::<FILES, RANKS>::CELLS;
        let (mut white, mut black) = (vec![NEVER; size * size * size], vec![NEVER; size * size * size]);
        let mut open_white = Vec::new();
        let mut open_black = Vec::new();
        for position in every_position::<FILES, RANKS>() {
            match position.state() {
                State::Checkmate => black[index(&position)] = 0,
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
                let wins = |after: &Position<FILES, RANKS>| black[index(after)] < moves;
                let is_won = after_white(position).any(|after| wins(&after));
                if is_won {
                    white[index(position)] = moves;
                }
                !is_won
            });
            if open_white.len() == before {
                break;
            }
            open_black.retain(|(position, replies)| {
                let lost = |reply: Cell| white[index(&Position { black: reply, ..*position })] <= moves;
                let is_lost = cells(*replies).all(lost);
                if is_lost {
                    black[index(position)] = moves;
                }
                !is_lost
            });
        }
        Oracle { white, black }
    }

    /// White moves to the mate with White to move; `None` if there is none, or Black is in check.
    pub fn white_to_move(&self, position: &Position<FILES, RANKS>) -> Option<u8> {
        Some(self.white[index(position)]).filter(|&moves| moves != NEVER)
    }

    /// White moves to the mate with Black to move; `None` if White does not win.
    pub fn black_to_move(&self, position: &Position<FILES, RANKS>) -> Option<u8> {
        Some(self.black[index(position)]).filter(|&moves| moves != NEVER)
    }
}

/// The positions that moves of White lead to.
pub fn after_white<const FILES: usize, const RANKS: usize>(
    position: &Position<FILES, RANKS>,
) -> impl Iterator<Item = Position<FILES, RANKS>> + use<FILES, RANKS> {
    let position = *position;
    let rook: Cells = position.rook_moves();
    let king: Cells = position.king_moves();
    cells(rook)
        .map(move |rook| Position { rook, ..position })
        .chain(cells(king).map(move |king| Position { king, ..position }))
}

/// Every position of three pieces, Black in check or not.
pub fn every_position<const FILES: usize, const RANKS: usize>() -> impl Iterator<Item = Position<FILES, RANKS>> {
    let all = 0..Board::<FILES, RANKS>::CELLS as Cell;
    let pairs = all.clone().flat_map(move |king| all.clone().map(move |rook| (king, rook)));
    let all = 0..Board::<FILES, RANKS>::CELLS as Cell;
    pairs.flat_map(move |(king, rook)| all.clone().filter_map(move |black| Position::new(king, rook, black).ok()))
}

/// The place of a position in a table of all.
pub fn index<const FILES: usize, const RANKS: usize>(position: &Position<FILES, RANKS>) -> usize {
    let size = Board::<FILES, RANKS>::CELLS;
    (usize::from(position.king) * size + usize::from(position.rook)) * size + usize::from(position.black)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions with White to move, the longest mate, and all moves summed.
    fn facts<const FILES: usize, const RANKS: usize>(oracle: &Oracle<FILES, RANKS>) -> (usize, u8, f64) {
        let legal = || every_position::<FILES, RANKS>().filter(|position| !position.is_check());
        let moves: Vec<u8> = legal().map(|position| oracle.white_to_move(&position).expect("every one is won")).collect();
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
    fn other_boards_are_as_known() {
        assert_eq!(facts(&Oracle::<8, 8>::new()).1, 16);
        assert_eq!(facts(&Oracle::<10, 10>::new()).1, 21);
    }
}
