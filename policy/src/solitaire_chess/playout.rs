//! Random playouts: play from a position to the end of the game, with every removal drawn uniformly
//! from the legal ones and every hidden piece from the group's types, with the exact score.
//!
//! Playouts measure the speed of the rules alone. A removal depends on the previous one through a
//! chain of lookups. So all data of a removal are in one row of one table, and two playouts run
//! side by side, so that one works while the other waits.

use super::alphabet::Alphabet;
use super::board::{tiles, Mask, Piece, Tile, ALL, TARGETS, TYPES};
use super::bonus::{step, State};
use super::position::{Position, TIERS};
use crate::random::SplitMix64;

/// The tiles to which a removal of a type from a tile leads, occupied or not.
#[derive(Clone, Copy)]
struct Onward {
    targets: Mask,
    /// The targets one by one, one byte each.
    draws: u64,
    /// The number of targets.
    count: u64,
}

/// The targets by type and tile, at index `64 * type + tile`.
static ONWARD: [Onward; 64 * TYPES] = all_onward();

const fn all_onward() -> [Onward; 64 * TYPES] {
    let mut all = [Onward { targets: 0, draws: 0, count: 0 }; 64 * TYPES];
    let mut i = 0;
    while i < all.len() {
        let targets = TARGETS[i / 64][i % 64];
        let mut left = targets;
        while left != 0 {
            all[i].draws |= (left.trailing_zeros() as u64) << (8 * all[i].count);
            all[i].count += 1;
            left &= left - 1;
        }
        all[i].targets = targets;
        i += 1;
    }
    all
}

/// The result of a playout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// The number of removals from the position on.
    pub removals: u32,
    /// The number of points from the position on.
    pub points: u32,
}

/// Playouts from one position.
#[derive(Clone, Debug)]
pub struct Playouts {
    /// For each tile, the visible piece and its tier: `8 * tier + type`.
    shown: [u8; 64],
    occupied: Mask,
    /// The last removed tile and type, as an index of [`ONWARD`].
    last: Option<usize>,
    bonus: State,
    types: [u8; TYPES],
    size: u64,
}

const LAST_TIER: u8 = TIERS as u8 - 1;

impl Playouts {
    /// Prepares playouts from `position`, with hidden pieces of the types in `alphabet`.
    pub fn new(position: &Position, alphabet: Alphabet) -> Self {
        let mut shown = [0; 64];
        for tile in tiles(position.occupied()) {
            if let Some(piece) = position.piece(tile) {
                shown[tile as usize] = 8 * position.tier(tile) as u8 + piece as u8;
            }
        }
        let mut types = [0; TYPES];
        for (slot, piece) in types.iter_mut().zip(alphabet.pieces()) {
            *slot = piece as u8;
        }
        Playouts {
            shown,
            occupied: position.occupied(),
            last: position.last().map(|(tile, piece)| 64 * piece as usize + tile as usize),
            bonus: position.bonus(),
            types,
            size: alphabet.size() as u64,
        }
    }

    /// Plays to the end. Calls `removed` with each removal and the type that would show below it.
    pub fn play(&self, random: &mut SplitMix64, mut removed: impl FnMut(Tile, Piece)) -> Ending {
        let Some(mut line) = Line::new(self, 0, random) else { return Ending::default() };
        while line.remove(self, &mut removed) {}
        *random = line.random;
        line.tally.into()
    }

    /// Plays one playout for each seed, with its own generator, and calls `ended` with each result,
    /// in any order.
    pub fn play_all(&self, seeds: impl IntoIterator<Item = u64>, mut ended: impl FnMut(u64, Ending)) {
        let mut seeds = seeds.into_iter();
        let mut next = |ended: &mut dyn FnMut(u64, Ending)| loop {
            let seed = seeds.next()?;
            let line = Line::new(self, seed, &mut SplitMix64::new(seed));
            if line.is_some() {
                return line;
            }
            ended(seed, Ending::default());
        };
        let Some(mut one) = next(&mut ended) else { return };
        while let Some(mut other) = next(&mut ended) {
            while one.remove(self, &mut |_, _| ()) {
                if !other.remove(self, &mut |_, _| ()) {
                    std::mem::swap(&mut one, &mut other);
                    break;
                }
            }
            ended(one.seed, one.tally.into());
            one = other;
        }
        while one.remove(self, &mut |_, _| ()) {}
        ended(one.seed, one.tally.into());
    }
}

/// The removals in the upper half and the points in the lower half: one addition counts both.
#[derive(Clone, Copy)]
struct Tally(u64);

impl From<Tally> for Ending {
    fn from(Tally(tally): Tally) -> Self {
        Ending { removals: (tally >> 32) as u32, points: tally as u32 }
    }
}

/// A playout in progress.
struct Line {
    seed: u64,
    shown: [u8; 64],
    occupied: Mask,
    bonus: State,
    /// The tile of the next removal, unless the game is over.
    tile: Tile,
    random: SplitMix64,
    bits: u64,
    tally: Tally,
}

impl Line {
    /// Starts a playout; returns `None` if the game is already over.
    #[inline(always)]
    fn new(playouts: &Playouts, seed: u64, random: &mut SplitMix64) -> Option<Self> {
        let occupied = playouts.occupied;
        let mut bits = random.next_u64();
        let tile = match playouts.last {
            None => draw_any(bits, occupied),
            Some(last) => draw(&ONWARD[last], occupied, &mut bits, random)?,
        };
        let (shown, bonus, random) = (playouts.shown, playouts.bonus, random.clone());
        Some(Line { seed, shown, occupied, bonus, tile, random, bits, tally: Tally(0) })
    }

    /// Makes the next removal and draws the following one; returns `false` if there is none.
    #[inline(always)]
    fn remove(&mut self, playouts: &Playouts, removed: &mut impl FnMut(Tile, Piece)) -> bool {
        let tile = self.tile;
        let shows = &mut self.shown[(tile & 63) as usize];
        let piece = *shows & 7;
        // The same bits serve twice: the next tile depends on their upper half.
        let below = playouts.types[(((self.bits & 0xffff_ffff) * playouts.size) >> 32) as usize & 7];
        self.occupied ^= Mask::from(*shows / (8 * LAST_TIER)) << tile;
        *shows = (*shows | 7) + 1 + below;
        removed(tile, Piece::ALL[below as usize & 7]);
        let step = step(self.bonus, Piece::ALL[piece as usize]);
        self.bonus = step.next;
        self.tally.0 += (1 << 32) + 1 + u64::from(step.total);
        let onward = &ONWARD[64 * piece as usize + (tile & 63) as usize];
        self.bits = self.random.next_u64();
        match draw(onward, self.occupied, &mut self.bits, &mut self.random) {
            Some(tile) => {
                self.tile = tile;
                true
            }
            None => false,
        }
    }
}

/// Draws an occupied target by the upper half of `bits`. If the drawn one is empty, draws among the
/// occupied ones by new bits.
#[inline(always)]
fn draw(onward: &Onward, occupied: Mask, bits: &mut u64, random: &mut SplitMix64) -> Option<Tile> {
    if onward.targets & occupied == 0 {
        return None;
    }
    let place = ((*bits >> 32) * onward.count) >> 32;
    let tile = (onward.draws >> (8 * place)) as Tile & 63;
    if occupied >> tile & 1 == 1 {
        return Some(tile);
    }
    *bits = random.next_u64();
    // This loop has no branch. After an empty target was drawn, at most seven are left, of which at
    // most six are skipped.
    let mut left = onward.targets & occupied;
    let skip = ((*bits >> 32) * u64::from(left.count_ones())) >> 32;
    for i in 0..6 {
        left = if i < skip { left & left.wrapping_sub(1) } else { left };
    }
    Some(left.trailing_zeros() as Tile)
}

/// Draws any tile of a board without empty tiles.
fn draw_any(bits: u64, occupied: Mask) -> Tile {
    debug_assert_eq!(occupied, ALL);
    let place = ((bits >> 32) * 36) >> 32;
    (place / 6 * 10 + place % 6) as Tile
}

#[cfg(test)]
mod tests;
