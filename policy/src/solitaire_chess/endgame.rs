//! Exact play when few boards remain possible: maximizes the expected points of the rest, over all
//! possible types of each hidden piece.
//!
//! Tiles that can never be reached again do not count. In group 4, no move leads out of the
//! corners, nor from one half of the other edge tiles to the other, so that a game is small enough
//! from its middle on. Before that, it becomes small enough if the types of some hidden pieces are
//! revealed only when they are removed, not when they are uncovered. This gives up planning with
//! these types, but still counts each by its probability.

use super::alphabet::Alphabet;
use super::beam::{best, Values};
use super::board::{targets, tiles, Mask, Piece, Tile, ALL, TYPES};
use super::bonus::{meaning, Kind, State};
use super::evaluation::{Evaluation, Removal};
use super::player::Searcher;
use super::position::{occupied, shown, tier_of, worn, Position, TIERS};
use crate::clock::Clock;
use crate::random::mixed;

/// A player that plays exactly at the end, and by another search before.
#[derive(Debug)]
pub struct Endgame {
    solver: Solver,
    search: Box<dyn Searcher>,
}

impl Endgame {
    /// Creates a player that uses `search` if more than `most` boards are possible.
    pub fn new(most: u32, search: Box<dyn Searcher>) -> Self {
        Endgame { solver: Solver::new(most), search }
    }
}

impl Searcher for Endgame {
    /// Returns the best removal; `None` if there is none. The exact search may use half of the time
    /// before the other search starts.
    fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
        match self.solver.values(position, evaluation.alphabet(), &clock.share(2)) {
            Some(values) => best(position.legal(), &values),
            None => self.search.choose(position, evaluation, clock),
        }
    }

    /// The first exact choices take nearly all of the time: later ones find most of their values in
    /// memory.
    fn choices(&mut self, position: &Position, evaluation: &Evaluation) -> u32 {
        if self.solver.is_small(position, evaluation.alphabet()) {
            CHOICES
        } else {
            self.search.choices(position, evaluation)
        }
    }
}

/// Computes the expected points of the rest of a game. Keeps results for later boards.
#[derive(Debug)]
pub struct Solver {
    most: f64,
    alphabet: Alphabet,
    /// For each tile, the tiles to which a removal there may lead, whatever the type.
    onward: [Mask; 64],
    /// The sets of tiles that lead to each other if all are occupied.
    regions: Vec<Mask>,
    /// For each layer, the tiles whose piece there is revealed late.
    late: [Mask; TIERS],
    values: Table,
    /// The number of boards until the next check of the clock; the next field tells whether it ran
    /// out.
    patience: u32,
    is_over: bool,
}

/// The number of choices among which the remaining time is divided once play is exact.
const CHOICES: u32 = 2;
/// The number of boards between two checks of the clock.
const PATIENCE: u32 = 256;

impl Solver {
    /// Creates a solver for positions with at most `most` possible boards.
    pub fn new(most: u32) -> Self {
        Solver {
            most: f64::from(most),
            alphabet: Alphabet::default(),
            onward: [0; 64],
            regions: Vec::new(),
            late: [0; TIERS],
            values: Table::default(),
            patience: PATIENCE,
            is_over: false,
        }
    }

    /// Returns the expected points for each first removal; negative infinity for illegal ones.
    /// Returns `None` if too many boards are possible, or the clock ran out.
    pub fn values(&mut self, position: &Position, alphabet: Alphabet, clock: &Clock) -> Option<Values> {
        self.prepare(alphabet);
        let rest = Rest::of(position);
        self.late = self.sight(&rest, position.legal())?;
        self.values.make_room();
        let mut values = [f64::NEG_INFINITY; 64];
        self.is_over = false;
        for tile in tiles(position.legal()) {
            values[tile as usize] = self.removal(&rest, tile, clock);
        }
        (!self.is_over).then_some(values)
    }

    /// Returns whether few enough boards are possible.
    fn is_small(&mut self, position: &Position, alphabet: Alphabet) -> bool {
        self.prepare(alphabet);
        self.sight(&Rest::of(position), position.legal()).is_some()
    }

    /// Prepares the solver for an alphabet.
    fn prepare(&mut self, alphabet: Alphabet) {
        if alphabet == self.alphabet {
            return;
        }
        self.alphabet = alphabet;
        self.values.clear();
        for tile in tiles(ALL) {
            self.onward[tile as usize] = alphabet.pieces().fold(0, |set, piece| set | targets(piece, tile));
        }
        self.regions.clear();
        let mut rest = ALL;
        while rest != 0 {
            let tile = rest.trailing_zeros() as Tile;
            let there = self.within_reach(1 << tile, ALL);
            let back = tiles(there).filter(|&other| self.within_reach(1 << other, ALL) >> tile & 1 == 1);
            let region = back.fold(0, |set, other| set | 1 << other);
            self.regions.push(region);
            rest &= !region;
        }
    }

    /// Returns the occupied tiles that may be removed at some time if one of `next` is removed now.
    fn within_reach(&self, next: Mask, occupied: Mask) -> Mask {
        let (mut reach, mut fresh) = (next, next);
        while fresh != 0 {
            let onward = tiles(fresh).fold(0, |set, tile| set | self.onward[tile as usize & 63]);
            fresh = onward & occupied & !reach;
            reach |= fresh;
        }
        reach
    }

    /// Returns the hidden pieces to reveal late, in each region as few as the number of boards
    /// allows; `None` if even that is too large. The numbers of boards in different regions do not
    /// multiply, because play never returns to a region.
    fn sight(&self, rest: &Rest, next: Mask) -> Option<[Mask; TIERS]> {
        let reach = self.within_reach(next, occupied(&rest.tiers));
        let mut late = [0; TIERS];
        for region in self.regions.iter().filter(|&region| region & reach != 0) {
            let tiers = rest.tiers.map(|tiles| tiles & region & reach);
            let sight = Sight::ALL.into_iter().find(|sight| sight.boards(&tiers, self.alphabet) <= self.most)?;
            for (late, layer) in late.iter_mut().zip(sight.late(&tiers)) {
                *late |= layer;
            }
        }
        Some(late)
    }

    /// Returns the points of a removal, and the expected points after it.
    fn removal(&mut self, rest: &Rest, tile: Tile, clock: &Clock) -> f64 {
        match rest.piece(tile) {
            Some(piece) => self.removal_of(piece, rest, tile, clock),
            None => self.alphabet.mean(|piece| self.removal_of(piece, rest, tile, clock)),
        }
    }

    fn removal_of(&mut self, piece: Piece, rest: &Rest, tile: Tile, clock: &Clock) -> f64 {
        let mut after = rest.without(tile);
        let Removal { points, bonus, next, .. } = Removal::new(&after.tiers, rest.bonus, tile, piece);
        after.bonus = bonus;
        let more = if next == 0 {
            0.0
        } else if after.uncovers(tile, &self.late) {
            self.alphabet.mean(|shown| self.expected(&after.showing(tile, shown), next, clock))
        } else {
            self.expected(&after, next, clock)
        };
        f64::from(points) + more
    }

    /// Returns the expected points if one of `next` is to be removed.
    fn expected(&mut self, rest: &Rest, next: Mask, clock: &Clock) -> f64 {
        let rest = rest.within(self.within_reach(next, occupied(&rest.tiers)));
        let [bronze, silver, _] = rest.tiers;
        let late = mixed(self.late[1] & bronze) ^ self.late[2] & (bronze | silver);
        let key = rest.key ^ mixed(mixed(mixed(late) ^ next) ^ self.memory(rest.bonus));
        if let Some(value) = self.values.get(key) {
            return value;
        }
        self.look_at(clock);
        if self.is_over {
            return 0.0;
        }
        let values = tiles(next).map(|tile| self.removal(&rest, tile, clock));
        let value = values.fold(f64::NEG_INFINITY, f64::max);
        if !self.is_over {
            self.values.insert(key, value);
        }
        value
    }

    /// Returns the relevant part of the bonuses' state: without sets, only the last type and
    /// whether a run is in progress.
    fn memory(&self, bonus: State) -> u64 {
        if self.alphabet.has(Kind::Number) || self.alphabet.has(Kind::Chess) {
            return u64::from(bonus);
        }
        let meaning = meaning(bonus);
        2 * meaning.last as u64 + u64::from(meaning.run)
    }

    fn look_at(&mut self, clock: &Clock) {
        self.patience -= 1;
        if self.patience == 0 {
            self.patience = PATIENCE;
            self.is_over |= clock.is_over();
        }
    }
}

/// Which hidden pieces are revealed as soon as they are uncovered; the others are revealed when
/// they are removed.
#[derive(Clone, Copy)]
enum Sight {
    All,
    /// All but the gold below bronze.
    Next,
    /// Nothing below bronze.
    GoldBelowSilver,
    Nothing,
}

impl Sight {
    const ALL: [Sight; 4] = [Sight::All, Sight::Next, Sight::GoldBelowSilver, Sight::Nothing];

    /// Returns the number of boards that can follow from these tiers.
    fn boards(self, tiers: &[Mask; TIERS], alphabet: Alphabet) -> f64 {
        let types = alphabet.size() as f64;
        // For each tier, the number of states that a tile may still take, including the current one
        // and empty.
        let faces = match self {
            Sight::All => [2.0 * types + 2.0, types + 2.0, 2.0],
            Sight::Next => [types + 3.0, types + 2.0, 2.0],
            Sight::GoldBelowSilver => [4.0, types + 2.0, 2.0],
            Sight::Nothing => [4.0, 3.0, 2.0],
        };
        tiers.iter().zip(faces).map(|(tiles, faces)| faces.powi(tiles.count_ones() as i32)).product()
    }

    /// Returns, for each layer, the tiles of these tiers whose piece there is revealed late.
    fn late(self, tiers: &[Mask; TIERS]) -> [Mask; TIERS] {
        let [bronze, silver, _] = *tiers;
        match self {
            Sight::All => [0, 0, 0],
            Sight::Next => [0, 0, bronze],
            Sight::GoldBelowSilver => [0, bronze, bronze],
            Sight::Nothing => [0, bronze, bronze | silver],
        }
    }
}

/// The remaining board, with the state of the bonuses.
#[derive(Clone, Copy)]
struct Rest {
    tiers: [Mask; TIERS],
    types: [Mask; TYPES],
    bonus: State,
    /// A hash of the visible pieces. Two boards of a million have the same hash once in 30 million
    /// games.
    key: u64,
}

impl Rest {
    fn of(position: &Position) -> Self {
        let mut rest = Rest { tiers: *position.tiers(), types: *position.visible(), bonus: position.bonus(), key: 0 };
        rest.key = rest.key_of(occupied(&rest.tiers));
        rest
    }

    /// Returns the type that an occupied tile shows; `None` if it is not revealed.
    fn piece(&self, tile: Tile) -> Option<Piece> {
        shown(&self.types, tile)
    }

    /// Returns whether wearing down this tile uncovers a piece that is revealed now.
    fn uncovers(&self, tile: Tile, late: &[Mask; TIERS]) -> bool {
        let [_, silver, gold] = self.tiers;
        (silver & !late[1] | gold & !late[2]) >> tile & 1 == 1
    }

    /// Returns the hash of the tiles of a set.
    fn key_of(&self, set: Mask) -> u64 {
        tiles(set).fold(0, |key, tile| key ^ self.key_at(tile))
    }

    fn key_at(&self, tile: Tile) -> u64 {
        let tier = tier_of(&self.tiers, 1 << tile) as u64;
        let shown = self.piece(tile).map_or(TYPES as u64, |piece| piece as u64);
        mixed(1 + u64::from(tile) + 64 * (tier + 4 * shown))
    }

    /// Returns the rest after a `tile` was worn down, before its new piece is revealed.
    fn without(&self, tile: Tile) -> Self {
        let bit: Mask = 1 << tile;
        let mut after = *self;
        after.types = self.types.map(|tiles| tiles & !bit);
        after.tiers = worn(&self.tiers, bit);
        after.key ^= self.key_at(tile);
        if occupied(&after.tiers) & bit != 0 {
            after.key ^= after.key_at(tile);
        }
        after
    }

    /// Returns the rest with a piece revealed on a tile.
    fn showing(&self, tile: Tile, piece: Piece) -> Self {
        let mut shown = *self;
        shown.types[piece as usize] |= 1 << tile;
        shown.key ^= self.key_at(tile) ^ shown.key_at(tile);
        shown
    }

    /// Returns the rest in which all other tiles are empty.
    fn within(&self, set: Mask) -> Self {
        let others = occupied(&self.tiers) & !set;
        if others == 0 {
            return *self;
        }
        let mut rest = *self;
        rest.key ^= self.key_of(others);
        rest.tiers = rest.tiers.map(|tiles| tiles & set);
        rest.types = rest.types.map(|tiles| tiles & set);
        rest
    }
}

/// A cache of values by key. When it is full, new values replace old ones, which must then be
/// computed again.
#[derive(Debug, Default)]
struct Table(Vec<Line>);

/// Entries that share a cache line: keys, none of which is 0, with their values.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line([(u64, f64); 4]);

/// The number of lines in the table, which takes 32 MiB.
const LINES: usize = 1 << 19;

impl Table {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn make_room(&mut self) {
        self.0.resize(LINES, Line::default());
    }

    fn get(&self, key: u64) -> Option<f64> {
        let Line(entries) = &self.0[key as usize % LINES];
        entries.iter().find(|entry| entry.0 == key).map(|entry| entry.1)
    }

    /// Stores a value, replacing the oldest one of its line.
    fn insert(&mut self, key: u64, value: f64) {
        let Line(entries) = &mut self.0[key as usize % LINES];
        entries.rotate_right(1);
        entries[0] = (key, value);
    }
}

#[cfg(test)]
mod tests;
