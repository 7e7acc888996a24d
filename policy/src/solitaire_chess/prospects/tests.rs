//! Compares prospects with their definitions, tile by tile.

use super::*;
use crate::random::SplitMix64;
use crate::solitaire_chess::board::{targets, tiles, Tile, ALL};
use crate::solitaire_chess::groups::GROUPS;

/// A board with some empty tiles, and some with unknown pieces.
#[derive(Clone)]
struct Board {
    types: [Mask; TYPES],
    occupied: Mask,
}

impl Board {
    /// Creates a random board of these types.
    fn random(types: &[Piece], random: &mut SplitMix64) -> Self {
        let mut board = Board { types: [0; TYPES], occupied: 0 };
        for tile in tiles(ALL) {
            match random.below(10) {
                0 => {}
                1 => board.occupied |= 1 << tile,
                _ => {
                    board.occupied |= 1 << tile;
                    board.types[types[random.below(types.len() as u32) as usize] as usize] |= 1 << tile;
                }
            }
        }
        board
    }

    /// Changes a board as between two evaluations: tiles become empty, or show another piece or an
    /// unknown one.
    fn changed(&self, types: &[Piece], random: &mut SplitMix64) -> Self {
        let (mut board, other) = (self.clone(), Board::random(types, random));
        for _ in 0..random.below(4) {
            let bit = 1 << tiles(ALL).nth(random.below(36) as usize).unwrap();
            board.occupied = board.occupied & !bit | other.occupied & bit;
            for (shown, other) in board.types.iter_mut().zip(other.types) {
                *shown = *shown & !bit | other & bit;
            }
        }
        board
    }

    fn shows(&self, tile: Tile) -> Option<Piece> {
        Piece::ALL.into_iter().find(|&piece| self.types[piece as usize] >> tile & 1 == 1)
    }

    /// Returns the occupied tiles that may follow a tile with a known piece.
    fn next(&self, tile: Tile) -> Vec<Tile> {
        self.shows(tile).map_or(Vec::new(), |piece| tiles(targets(piece, tile) & self.occupied).collect())
    }

    /// Returns whether the needed types of a kind can be removed one after another from `tile` on,
    /// with `end` true for the last tile.
    fn completes(&self, kind: Kind, need: usize, tile: Tile, end: &dyn Fn(Tile) -> bool) -> bool {
        let Some(member) = kind.pieces().iter().position(|&piece| self.shows(tile) == Some(piece)) else {
            return false;
        };
        let left = need & !(1 << member);
        need >> member & 1 == 1
            && if left == 0 {
                end(tile)
            } else {
                self.next(tile).iter().any(|&next| self.completes(kind, left, next, end))
            }
    }

    /// Returns whether an ascending (or descending) number set, after `from` steps, continues from
    /// `tile`.
    fn goes_on(&self, from: usize, ascending: bool, tile: Tile) -> bool {
        let piece = Piece::ALL[if ascending { from } else { 3 - from }];
        self.shows(tile) == Some(piece)
            && (from == 3 || self.next(tile).iter().any(|&next| self.goes_on(from + 1, ascending, next)))
    }

    fn same(&self, tile: Tile) -> Vec<Tile> {
        self.next(tile).into_iter().filter(|&next| self.shows(next) == self.shows(tile)).collect()
    }
}

fn set(holds: impl Fn(Tile) -> bool) -> Mask {
    tiles(ALL).filter(|&tile| holds(tile)).fold(0, |set, tile| set | 1 << tile)
}

#[test]
fn prospects_match_their_definitions() {
    let mut random = SplitMix64::new(3);
    let mut linked = 0;
    let mut board = Board::random(&Piece::ALL, &mut random);
    let (mut before, mut found) = (Prospects::default(), Prospects::default());
    for round in 0..400 {
        // Most boards have all types, because others seldom have sets.
        let types = if round % 40 < 28 { &Piece::ALL } else { GROUPS[round / 40 % 6] };
        let alphabet = Alphabet::of(types);
        board = if round % 4 == 0 { Board::random(types, &mut random) } else { board.changed(types, &mut random) };
        std::mem::swap(&mut before, &mut found);
        found.follow(&before, &board.types, board.occupied, alphabet);
        for kind in [Kind::Number, Kind::Chess] {
            if !alphabet.has(kind) {
                // If no set is possible, its parts are empty.
                assert_eq!((found.completes[kind as usize], found.links(kind, 3)), ([0; 16], 0));
                continue;
            }
            let starts = |tile: Tile| board.completes(kind.other(), 15, tile, &|_| true);
            let leads = |tile: Tile| board.next(tile).into_iter().any(starts);
            for need in 1..16 {
                let completes = set(|tile| board.completes(kind, need, tile, &|_| true));
                assert_eq!(found.completes[kind as usize][need], completes, "{kind:?} {need:b}");
                let links = set(|tile| board.completes(kind, need, tile, &leads));
                assert_eq!(found.links(kind, need), links, "{kind:?} {need:b}");
                linked += links.count_ones();
            }
        }
        for from in 0..if alphabet.has(Kind::Number) { 4 } else { 0 } {
            assert_eq!(found.ascends[from], set(|tile| board.goes_on(from, true, tile)));
            assert_eq!(found.descends[from], set(|tile| board.goes_on(from, false, tile)));
        }
        assert_eq!(found.live, set(|tile| !board.next(tile).is_empty()));
        assert_eq!(found.open, set(|tile| board.next(tile).len() > 1));
        assert_eq!(found.pairs, set(|tile| !board.same(tile).is_empty()));
        assert_eq!(found.triples, set(|tile| board.same(tile).iter().any(|&next| board.same(next).len() > 1)));
        let reached_by = |tile: Tile| tiles(ALL).filter(|&from| board.next(from).contains(&tile)).count();
        assert_eq!(found.reached.once, set(|tile| reached_by(tile) > 0));
        assert_eq!(found.reached.twice, set(|tile| reached_by(tile) > 1));
    }
    assert!(linked > 1000, "{linked}");
}
