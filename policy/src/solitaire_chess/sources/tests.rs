use super::*;
use crate::random::SplitMix64;
use crate::solitaire_chess::board::{targets, tiles, ALL};
use crate::solitaire_chess::groups::GROUPS;

#[test]
fn ways_and_visits_follow_the_rules() {
    let mut random = SplitMix64::new(5);
    for round in 0..2000 {
        // The sets are dense or sparse, including whole boards and single tiles.
        let set = match round {
            0 => ALL,
            1..37 => 1 << tiles(ALL).nth(round - 1).unwrap(),
            _ => (0..round % 4).fold(ALL, |set, _| set & random.next_u64()),
        };
        for piece in Piece::ALL {
            let count = |tile: Tile| (targets(piece, tile) & set).count_ones();
            let at_least = |n: u32| tiles(ALL).filter(|&tile| count(tile) >= n).fold(0, |set, tile| set | 1 << tile);
            assert_eq!(sources(piece, set) & ALL, at_least(1), "{piece:?} {set:x}");
            let found = ways(piece, set);
            assert_eq!((found.once & ALL, found.twice & ALL), (at_least(1), at_least(2)), "{piece:?} {set:x}");
            let count = |tile: Tile| tiles(set).filter(|&from| targets(piece, from) >> tile & 1 == 1).count();
            let at_least = |n: usize| tiles(ALL).filter(|&tile| count(tile) >= n).fold(0, |set, tile| set | 1 << tile);
            let found = visits(piece, set);
            assert_eq!((found.once & ALL, found.twice & ALL), (at_least(1), at_least(2)), "{piece:?} {set:x}");
        }
        let group = GROUPS[round % 6];
        let mut types = [0; TYPES];
        for tile in tiles(ALL) {
            // Some tiles show nothing.
            if let Some(&piece) = group.get(random.below(group.len() as u32 + 1) as usize) {
                types[piece as usize] |= 1 << tile;
            }
        }
        let ahead = |piece: Piece| tiles(set & types[piece as usize]).fold(0, |all, tile| all | targets(piece, tile));
        assert_eq!(
            onward(&types, Alphabet::of(group), set) & ALL,
            Piece::ALL.into_iter().fold(0, |all, piece| all | ahead(piece))
        );
    }
}
