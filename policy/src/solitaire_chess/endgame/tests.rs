use super::super::bonus::step;
use super::super::groups::{alphabet, GROUPS};
use super::*;
use crate::random::SplitMix64;

/// Returns the positions of a random game, from the first to the last.
fn game(group: usize, random: &mut SplitMix64) -> Vec<Position> {
    let types = GROUPS[group - 1];
    let mut draw = |n: usize| random.below(n as u32) as usize;
    let shown: Vec<_> = (0..64).map(|_| types[draw(types.len())]).collect();
    let mut position = Position::new(|tile| shown[tile as usize]);
    let mut positions = Vec::new();
    while position.legal() != 0 {
        positions.push(position.clone());
        let legal = position.legal();
        let tile = tiles(legal).nth(draw(legal.count_ones() as usize)).expect("one of them");
        position.remove(tile, Some(types[draw(types.len())]));
    }
    positions
}

/// Computes values directly from the rules, with every removal and every type below it. Returns
/// `None` if there are too many.
fn slow(position: &Position, types: &[Piece], left: &mut u32) -> Option<f64> {
    *left = left.checked_sub(1)?;
    // No removal costs points.
    let mut best: f64 = 0.0;
    for tile in tiles(position.legal()) {
        best = best.max(after(position, tile, types, left)?);
    }
    Some(best)
}

fn after(position: &Position, tile: Tile, types: &[Piece], left: &mut u32) -> Option<f64> {
    let mut sum = 0.0;
    for &piece in types {
        let mut next = position.clone();
        next.remove(tile, Some(piece));
        let points = next.score().total() - position.score().total();
        sum += f64::from(points) + slow(&next, types, left)?;
    }
    Some(sum / types.len() as f64)
}

#[test]
fn values_match_the_slow_twin() {
    let mut random = SplitMix64::new(5);
    for group in 3..=6 {
        let types = GROUPS[group - 1];
        let mut compared = 0;
        while compared < 50 {
            // One solver serves a whole game: its cached results must not mislead it.
            let mut solver = Solver::new(0);
            solver.most = f64::INFINITY;
            for position in game(group, &mut random) {
                let mut left = 4_000;
                let twin: Option<Vec<(Tile, f64)>> = tiles(position.legal())
                    .map(|tile| Some((tile, after(&position, tile, types, &mut left)?)))
                    .collect();
                let Some(twin) = twin else { continue };
                let Some(values) = solver.values(&position, alphabet(group), &Clock::UNLIMITED) else { continue };
                for (tile, value) in twin {
                    assert!((values[tile as usize] - value).abs() < 1e-9, "group {group}, {tile} at {position:?}");
                    compared += 1;
                }
            }
        }
    }
}

/// A slow twin with late revelation: for each tile, the piece if it is known, and the layer.
#[derive(Clone)]
struct Twin {
    shown: [Option<Piece>; 64],
    layer: [usize; 64],
    bonus: State,
}

impl Twin {
    fn of(position: &Position) -> Self {
        let tiles: Vec<Tile> = (0..64).collect();
        let shown = tiles.iter().map(|&tile| position.piece(tile)).collect::<Vec<_>>().try_into().expect("64");
        let layer = tiles.iter().map(|&tile| position.tier(tile)).collect::<Vec<_>>().try_into().expect("64");
        Twin { shown, layer, bonus: position.bonus() }
    }

    /// Returns the expected points from the removal of `tile` on; `None` if there are too many
    /// boards.
    fn value(&self, tile: Tile, late: &[Mask; TIERS], types: &[Piece], left: &mut u32) -> Option<f64> {
        *left = left.checked_sub(1)?;
        let place = tile as usize;
        let Some(piece) = self.shown[place] else {
            return mean(types, |piece| {
                let mut seen = self.clone();
                seen.shown[place] = Some(piece);
                seen.value(tile, late, types, left)
            });
        };
        let mut after = self.clone();
        let step = step(self.bonus, piece);
        after.bonus = step.next;
        after.layer[place] += 1;
        after.shown[place] = None;
        let mut best = |board: &Twin| {
            let next = tiles(targets(piece, tile)).filter(|&next| board.layer[next as usize] < TIERS);
            next.map(|next| board.value(next, late, types, left))
                .try_fold(0.0, |best: f64, value| Some(best.max(value?)))
        };
        let layer = after.layer[place];
        let more = if layer < TIERS && late[layer] >> tile & 1 == 0 {
            mean(types, |shown| {
                after.shown[place] = Some(shown);
                best(&after)
            })
        } else {
            best(&after)
        };
        Some(1.0 + f64::from(step.total) + more?)
    }
}

fn mean(types: &[Piece], mut value: impl FnMut(Piece) -> Option<f64>) -> Option<f64> {
    let sum = types.iter().try_fold(0.0, |sum, &piece| Some(sum + value(piece)?))?;
    Some(sum / types.len() as f64)
}

#[test]
fn late_pieces_count_by_their_probability() {
    let mut random = SplitMix64::new(6);
    for group in [3, 4] {
        let types = GROUPS[group - 1];
        let mut differ = 0;
        while differ < 30 {
            let mut solver = Solver::new(0);
            solver.prepare(alphabet(group));
            solver.values.make_room();
            for position in game(group, &mut random) {
                let (rest, twin) = (Rest::of(&position), Twin::of(&position));
                for tile in tiles(position.legal()) {
                    let mut values = Sight::ALL.into_iter().map_while(|sight| {
                        let late = sight.late(&rest.tiers);
                        let value = twin.value(tile, &late, types, &mut 5_000)?;
                        solver.late = late;
                        let found = solver.removal(&rest, tile, &Clock::UNLIMITED);
                        assert!((found - value).abs() < 1e-9, "group {group}, {tile} at {position:?}");
                        Some(value)
                    });
                    let Some(most) = values.next() else { continue };
                    for less in values {
                        assert!(less < most + 1e-9, "less knowledge is never worth more");
                        differ += usize::from(less < most - 1e-9);
                    }
                }
            }
        }
    }
}

#[test]
fn regions_of_group_4_are_connected_by_lines() {
    let mut solver = Solver::new(1);
    solver.prepare(alphabet(4));
    let corners: Mask = 1 | 1 << 5 | 1 << 50 | 1 << 55;
    let mut sizes: Vec<u32> = solver.regions.iter().map(|region| region.count_ones()).collect();
    sizes.sort_unstable();
    // No move leads to an inner tile.
    assert_eq!(sizes, [vec![1; 16], vec![4, 8, 8]].concat());
    assert!(solver.regions.contains(&corners));
    // In the other groups, every tile leads to every other.
    for group in [3, 5, 6] {
        solver.prepare(alphabet(group));
        assert_eq!(solver.regions, [ALL], "group {group}");
    }
}

#[test]
fn boards_multiply_within_a_region_and_add_up_beyond() {
    let mut solver = Solver::new(4096);
    solver.prepare(alphabet(4));
    let start = Position::new(|_| Piece::Rook);
    let rest = Rest::of(&start);
    // The layers of a corner show any of three types each, or the visible one, or the tile is
    // empty.
    assert_eq!(solver.sight(&rest, 1), Some([0; TIERS]));
    // Eight edge tiles are too many, even without early revelation.
    assert_eq!(solver.sight(&rest, 1 << 1), None);
    assert!(solver.values(&start, alphabet(4), &Clock::UNLIMITED).is_none());
    // With this limit, corners are still completely revealed.
    solver.most = 4.0_f64.powi(8);
    let [_, silver, gold] = solver.sight(&rest, 1 << 1).expect("few enough");
    assert_eq!((silver, gold.count_ones()), (gold, 8));
}
