//! Compares weights with their declared meaning: if one weight is 1 and the others are 0, the
//! future of a removal is the feature of that weight. The prospects of bonuses have separate tests.

use super::*;
use crate::random::SplitMix64;
use crate::solitaire_chess::board::ALL;
use std::collections::BTreeSet;

/// A board right after a removal: for each tile its tier (3: empty) and the visible piece, if
/// known.
struct Case {
    tiers: [usize; 64],
    shown: [Option<Piece>; 64],
    tile: Tile,
    piece: Piece,
}

impl Case {
    fn random(random: &mut SplitMix64) -> Self {
        let mut case = Case { tiers: [TIERS; 64], shown: [None; 64], tile: 0, piece: Piece::One };
        for tile in tiles(ALL) {
            let tier = random.below(5).min(3) as usize;
            case.tiers[tile as usize] = tier;
            if tier < TIERS && random.below(6) > 0 {
                case.shown[tile as usize] = Some(Piece::ALL[random.below(8) as usize]);
            }
        }
        case.tile = tiles(ALL).nth(random.below(36) as usize).unwrap();
        // The removal has just taken this piece.
        case.shown[case.tile as usize] = None;
        case.piece = Piece::ALL[random.below(8) as usize];
        case
    }

    fn occupied(&self, tile: Tile) -> bool {
        self.tiers[tile as usize] < TIERS
    }

    fn steps(&self, piece: Piece, tile: Tile) -> BTreeSet<Tile> {
        tiles(targets(piece, tile)).filter(|&to| self.occupied(to)).collect()
    }

    /// Returns the tiles after one that shows a known piece.
    fn after(&self, tile: Tile) -> BTreeSet<Tile> {
        self.shown[tile as usize].map_or(BTreeSet::new(), |piece| self.steps(piece, tile))
    }

    /// Returns the number of visible pieces that reach a tile.
    fn reached_by(&self, tile: Tile) -> usize {
        tiles(ALL).filter(|&from| self.after(from).contains(&tile)).count()
    }

    /// Returns the tiles within this number of removals, including the next one.
    fn within(&self, removals: usize) -> BTreeSet<Tile> {
        let mut found = self.steps(self.piece, self.tile);
        for _ in 1..removals {
            found = found.iter().flat_map(|&tile| self.after(tile)).chain(found.iter().copied()).collect();
        }
        found
    }

    /// Returns the feature of the weight with this name; `None` for bonuses.
    fn count(&self, name: &str) -> Option<usize> {
        let next = self.within(1);
        let of = |holds: &dyn Fn(Tile) -> bool| next.iter().filter(|&&tile| holds(tile)).count();
        let all = |holds: &dyn Fn(Tile) -> bool| tiles(ALL).filter(|&tile| self.occupied(tile) && holds(tile)).count();
        let tier = |tier: usize| all(&|tile| self.tiers[tile as usize] == tier);
        let known = |tile: Tile| self.shown[tile as usize].is_some();
        let ways = |tile: Tile| self.after(tile).len();
        let reach = self.within(36);
        let lost = |tier: usize| all(&|tile| self.tiers[tile as usize] == tier && !reach.contains(&tile));
        let left = self.occupied(self.tile);
        Some(match name {
            "tile_bronze" => tier(0),
            "tile_silver" => tier(1),
            "tile_gold" => tier(2),
            "moves_1" => usize::from(next.len() == 1),
            "moves_2" => usize::from(next.len() == 2),
            "moves_3" => usize::from(next.len() == 3),
            "moves_4" => usize::from(next.len() >= 4),
            "moves_more" => next.len().saturating_sub(4),
            "moves_unseen" => of(&|tile| !known(tile)),
            "moves_all_unseen" => usize::from(next.iter().all(|&tile| !known(tile))),
            "moves_open" => of(&|tile| ways(tile) > 1),
            "moves_last" => of(&|tile| known(tile) && ways(tile) == 0),
            "stuck_soon" => usize::from(next.iter().all(|&tile| known(tile) && ways(tile) == 0)),
            "reach_2" => self.within(2).len(),
            "reach_3" => self.within(3).len(),
            "reach_all" => reach.len(),
            "lost_bronze" => lost(0),
            "lost_silver" => lost(1),
            "lost_gold" => lost(2),
            "left_unreached" => usize::from(left && self.reached_by(self.tile) == 0),
            "left_reached_once" => usize::from(left && self.reached_by(self.tile) == 1),
            "orphans" => of(&|tile| self.reached_by(tile) < 2),
            "board_unreached" => all(&|tile| self.reached_by(tile) == 0),
            "board_stuck" => all(&|tile| known(tile) && ways(tile) == 0),
            _ => return None,
        })
    }
}

#[test]
fn weights_have_their_declared_features() {
    let mut random = SplitMix64::new(9);
    let mut seen = BTreeSet::new();
    // Each board is computed from the previous one, whatever they share.
    let (mut board, mut last) = (Board::default(), Board::default());
    for _ in 0..300 {
        let case = Case::random(&mut random);
        if case.within(1).is_empty() {
            continue;
        }
        let set = |holds: &dyn Fn(usize) -> bool| {
            tiles(ALL).filter(|&tile| holds(tile as usize)).fold(0, |set, tile| set | 1 << tile)
        };
        let types = Piece::ALL.map(|piece| set(&|tile| case.shown[tile] == Some(piece)));
        let tiers = [0, 1, 2].map(|tier| set(&|tile| case.tiers[tile] == tier));
        for (i, weight) in Terms::DECLARED.iter().enumerate() {
            let Some(count) = case.count(weight.name) else { continue };
            let mut values = [0.0; Terms::COUNT];
            values[i] = 1.0;
            let evaluation = Evaluation::new(Terms::from_values(&values), Alphabet::of(&Piece::ALL));
            std::mem::swap(&mut board, &mut last);
            evaluation.survey(&mut board, &last, types, tiers, evaluation.material(&tiers));
            let removal = evaluation.judge_closely(&board, 0, case.tile, case.piece);
            assert_eq!(removal.future, count as f64, "{}", weight.name);
            if count > 0 {
                seen.insert(weight.name);
            }
        }
    }
    assert_eq!(seen.len(), 24, "{seen:?}");
}

#[test]
fn wear_keeps_up_with_the_material() {
    let mut random = SplitMix64::new(11);
    let values = std::array::from_fn(|_| f64::from(random.below(64)) / 8.0 - 4.0);
    let evaluation = Evaluation::new(Terms::from_values(&values), Alphabet::of(&Piece::ALL));
    let mut tiers = [ALL, 0, 0];
    let mut material = evaluation.material(&tiers);
    for _ in 0..3 * 36 {
        let occupied: Vec<Tile> = tiles(tiers[0] | tiers[1] | tiers[2]).collect();
        let tile = occupied[random.below(occupied.len() as u32) as usize];
        (tiers, material) = evaluation.worn(&tiers, material, tile);
        // Eighths add up without rounding.
        assert_eq!(material, evaluation.material(&tiers));
    }
    assert_eq!(tiers, [0; TIERS]);
}
