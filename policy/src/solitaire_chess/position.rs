//! A game in progress, as its player sees it.

use super::board::{targets, tiles, Mask, Piece, Tile, ALL, TYPES};
use super::bonus::{self, Kind, State};
use crate::random::SplitMix64;

/// The number of layers of a tile: bronze, silver, gold.
pub const TIERS: usize = 3;

/// The largest number of removals in a game.
pub const REMOVALS: u32 = (36 * TIERS) as u32;

/// Returns the tiles that are not empty.
#[inline(always)]
pub fn occupied(tiers: &[Mask; TIERS]) -> Mask {
    tiers[0] | tiers[1] | tiers[2]
}

/// Returns the visible layer of the occupied tile with this bit: 0 bronze, 1 silver, 2 gold.
#[inline(always)]
pub fn tier_of(tiers: &[Mask; TIERS], bit: Mask) -> usize {
    usize::from(tiers[1] & bit != 0) + 2 * usize::from(tiers[2] & bit != 0)
}

/// Returns the tiers after the occupied tile with this bit is worn down by one layer.
#[inline(always)]
pub fn worn(tiers: &[Mask; TIERS], bit: Mask) -> [Mask; TIERS] {
    let [bronze, silver, gold] = *tiers;
    [bronze & !bit, silver & !bit | bronze & bit, gold & !bit | silver & bit]
}

/// Returns the type that a tile shows, given the tiles that show each type; `None` if it shows
/// none.
pub fn shown(types: &[Mask; TYPES], tile: Tile) -> Option<Piece> {
    Piece::ALL.into_iter().find(|&piece| types[piece as usize] >> tile & 1 == 1)
}

/// The parts of a score, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// One point for each removal: 1 for a tile worn down to silver, 2 to gold, 3 to empty.
    pub tiles: u16,
    /// Runs of the same type.
    pub runs: u16,
    /// Sets of the four numbers.
    pub number_sets: u16,
    /// Sets of the four chess pieces.
    pub chess_sets: u16,
    /// Alternating sets.
    pub alternation: u16,
}

impl Score {
    /// Returns the contest's score.
    pub fn total(&self) -> u32 {
        self.parts().iter().map(|&(_, points)| u32::from(points)).sum()
    }

    /// Returns the parts with their names.
    pub fn parts(&self) -> [(&'static str, u16); 5] {
        [
            ("tiles", self.tiles),
            ("runs", self.runs),
            ("number_sets", self.number_sets),
            ("chess_sets", self.chess_sets),
            ("alternation", self.alternation),
        ]
    }
}

/// A game in progress: the visible pieces, the layers under them, and the score so far.
#[derive(Clone, Debug)]
pub struct Position {
    visible: [Mask; TYPES],
    tiers: [Mask; TIERS],
    last: Option<(Tile, Piece)>,
    bonus: State,
    score: Score,
}

impl Position {
    /// Starts a game from the visible piece of each tile.
    pub fn new(piece_at: impl Fn(Tile) -> Piece) -> Self {
        let mut visible = [0; TYPES];
        for tile in tiles(ALL) {
            visible[piece_at(tile) as usize] |= 1 << tile;
        }
        Position { visible, tiers: [ALL, 0, 0], last: None, bonus: 0, score: Score::default() }
    }

    /// Returns the tiles that may be removed now: at first all, then those that the last removal
    /// allows.
    pub fn legal(&self) -> Mask {
        match self.last {
            None => ALL,
            Some((tile, piece)) => targets(piece, tile) & self.occupied(),
        }
    }

    /// Returns the tiles that are not empty.
    pub fn occupied(&self) -> Mask {
        occupied(&self.tiers)
    }

    /// Returns the visible piece of a tile; `None` if it is empty.
    pub fn piece(&self, tile: Tile) -> Option<Piece> {
        shown(&self.visible, tile)
    }

    /// Returns the tiles that show each type.
    pub fn visible(&self) -> &[Mask; TYPES] {
        &self.visible
    }

    /// Returns the tiles of each tier: bronze, silver, gold.
    pub fn tiers(&self) -> &[Mask; TIERS] {
        &self.tiers
    }

    /// Returns the visible layer of a tile: 0 bronze, 1 silver, 2 gold; 3 if it is empty.
    pub fn tier(&self, tile: Tile) -> usize {
        self.tiers.iter().position(|tiles| tiles >> tile & 1 == 1).unwrap_or(TIERS)
    }

    /// Returns the last removed tile and type.
    pub fn last(&self) -> Option<(Tile, Piece)> {
        self.last
    }

    /// Returns the state of the bonuses.
    pub fn bonus(&self) -> State {
        self.bonus
    }

    /// Returns the score so far.
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// Returns the number of removals so far.
    pub fn removals(&self) -> u32 {
        u32::from(self.score.tiles)
    }

    /// Returns a number determined by the position, as a seed for random numbers.
    pub fn seed(&self) -> u64 {
        let sets = self.visible.iter().chain(&self.tiers);
        sets.fold(u64::from(self.bonus), |seed, &set| SplitMix64::new(seed ^ set).next_u64())
    }

    /// Removes the visible piece of a [`legal`](Self::legal) tile. `revealed` is the piece that
    /// takes its place; it is ignored for a gold piece, whose removal empties the tile.
    ///
    /// # Panics
    /// If the tile is empty.
    pub fn remove(&mut self, tile: Tile, revealed: Option<Piece>) {
        let piece = self.piece(tile).expect("an empty tile has no piece to remove");
        let bit = 1 << tile;
        let tier = self.tier(tile);
        self.visible[piece as usize] &= !bit;
        self.tiers[tier] &= !bit;
        if tier + 1 < TIERS {
            self.tiers[tier + 1] |= bit;
            if let Some(revealed) = revealed {
                self.visible[revealed as usize] |= bit;
            }
        }
        let step = bonus::step(self.bonus, piece);
        let repeated = self.last.is_some_and(|(_, last)| last == piece);
        let points = u16::from(step.total - step.alternation);
        if repeated {
            self.score.runs += points;
        } else if Kind::of(piece) == Kind::Number {
            self.score.number_sets += points;
        } else {
            self.score.chess_sets += points;
        }
        self.score.alternation += u16::from(step.alternation);
        self.score.tiles += 1;
        self.bonus = step.next;
        self.last = Some((tile, piece));
    }
}
