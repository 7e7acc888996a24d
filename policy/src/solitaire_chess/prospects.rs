//! The prospects of a board: sets of tiles with properties that the evaluation counts.

use super::alphabet::Alphabet;
use super::board::{Mask, Piece, TYPES};
use super::bonus::Kind;
use super::sources::{sources, visits, ways, Twice};
use std::cell::OnceCell;

/// Sets of tiles, indexed by the set of types still needed (bit `i`: the kind's `i`-th type).
pub type ByNeed = [Mask; 16];

/// The prospects of one board. A tile may count because of the very tile that is removed next:
/// evaluations subtract that tile itself, but not the tiles behind it.
///
/// Prospects are computed from those of another board, usually one that differs in a single tile,
/// so that little must be recomputed. The default is an empty board.
#[derive(Debug, Default)]
pub struct Prospects {
    alphabet: Alphabet,
    /// The tiles known to show each type.
    pub types: [Mask; TYPES],
    /// The tiles that are not empty.
    pub occupied: Mask,
    /// By kind and need: tiles from which the needed types can be removed one after another, in
    /// some order.
    pub completes: [ByNeed; 2],
    links: [OnceCell<ByNeed>; 2],
    /// Tiles from which an ascending number set continues: 1 to 4, 2 to 4, 3 to 4, 4; then none.
    pub ascends: [Mask; 5],
    /// Tiles from which a descending number set continues: 4 to 1, 3 to 1, 2 to 1, 1; then none.
    pub descends: [Mask; 5],
    /// Tiles with their own type one step away.
    pub pairs: Mask,
    /// Tiles with their own type one step away, from which two tiles of that type are one step
    /// away.
    pub triples: Mask,
    /// Tiles with at least one occupied tile one step away.
    pub live: Mask,
    /// Tiles with at least two occupied tiles one step away.
    pub open: Mask,
    /// Tiles that visible pieces reach.
    pub reached: Twice,
    /// Tiles, occupied or not, that the visible pieces of each type reach.
    visits: [Twice; TYPES],
}

impl Prospects {
    /// Computes the prospects of a board from those of any other board. The board is given by the
    /// tiles that show each type and all tiles that are not empty.
    #[inline(always)]
    pub fn follow(&mut self, other: &Prospects, types: &[Mask; TYPES], occupied: Mask, alphabet: Alphabet) {
        // The types that other tiles show, as bits, and all tiles that showed one of them. A player
        // may continue with games of another group, which changes all types.
        let (mut changed, mut gone) = (0, 0);
        for (i, (&old, &new)) in other.types.iter().zip(types).enumerate() {
            let differs = old != new || other.alphabet != alphabet;
            changed |= u8::from(differs) << i;
            gone |= bits_if(differs, old);
        }
        let afresh = other.occupied != occupied;
        let kept = !gone;
        let kept_onward = if afresh { 0 } else { kept };
        self.alphabet = alphabet;
        self.types = *types;
        self.occupied = occupied;
        self.links = [OnceCell::new(), OnceCell::new()];
        self.pairs = other.pairs & kept;
        self.triples = other.triples & kept;
        self.live = other.live & kept_onward;
        self.open = other.open & kept_onward;
        self.visits = other.visits;
        // The calls are unrolled, so that the compiler knows everything that depends on the type.
        self.look(Piece::One, changed, afresh);
        self.look(Piece::Two, changed, afresh);
        self.look(Piece::Three, changed, afresh);
        self.look(Piece::Four, changed, afresh);
        self.look(Piece::Rook, changed, afresh);
        self.look(Piece::Bishop, changed, afresh);
        self.look(Piece::Queen, changed, afresh);
        self.look(Piece::Knight, changed, afresh);
        let visited = self.visits.iter().fold(Twice::NONE, |sum, &visits| sum.plus(visits));
        self.reached = Twice { once: visited.once & occupied, twice: visited.twice & occupied };
        if changed & 0b1111 == 0 {
            self.completes[0] = other.completes[0];
            self.ascends = other.ascends;
            self.descends = other.descends;
        } else if alphabet.has(Kind::Number) {
            let numbers = self.of(Kind::Number);
            self.completes[0] = complete(Kind::Number, numbers, numbers);
            self.find_orders(numbers);
        } else {
            (self.completes[0], self.ascends, self.descends) = ([0; 16], [0; 5], [0; 5]);
        }
        if changed >> 4 == 0 {
            self.completes[1] = other.completes[1];
        } else if alphabet.has(Kind::Chess) {
            let chess = self.of(Kind::Chess);
            self.completes[1] = complete(Kind::Chess, chess, chess);
        } else {
            self.completes[1] = [0; 16];
        }
    }

    /// Returns the tiles from which the needed types of a kind can be removed one after another,
    /// followed by a whole set of the other kind.
    #[inline(always)]
    pub fn links(&self, kind: Kind, need: usize) -> Mask {
        let start = self.completes[kind.other() as usize][15];
        if start == 0 || self.completes[kind as usize][need] == 0 {
            return 0;
        }
        if need.is_power_of_two() {
            let piece = kind.pieces()[need.trailing_zeros() as usize];
            return sources(piece, start) & self.types[piece as usize];
        }
        self.links[kind as usize].get_or_init(|| {
            let types = self.of(kind);
            complete(kind, reaching(kind, types, [start; 4]), types)
        })[need]
    }

    /// Returns the tiles of each type of a kind.
    #[inline(always)]
    fn of(&self, kind: Kind) -> [Mask; 4] {
        let [one, two, three, four, rook, bishop, queen, knight] = self.types;
        match kind {
            Kind::Number => [one, two, three, four],
            Kind::Chess => [rook, bishop, queen, knight],
        }
    }

    /// Updates the tiles that the tiles of one type reach, if the type or the occupied tiles have
    /// changed.
    #[inline(always)]
    fn look(&mut self, piece: Piece, changed: u8, afresh: bool) {
        let own = self.types[piece as usize];
        let is_changed = changed >> piece as u8 & 1 == 1;
        if is_changed {
            let same = ways(piece, own);
            self.visits[piece as usize] = visits(piece, own);
            self.pairs |= same.once & own;
            self.triples |= sources(piece, same.twice & own) & own;
        }
        if is_changed || afresh {
            let onward = ways(piece, self.occupied);
            self.live |= onward.once & own;
            self.open |= onward.twice & own;
        }
    }

    #[inline(always)]
    fn find_orders(&mut self, [one, two, three, four]: [Mask; 4]) {
        self.ascends[3] = four;
        self.ascends[2] = sources(Piece::Three, four) & three;
        self.ascends[1] = sources(Piece::Two, self.ascends[2]) & two;
        self.ascends[0] = sources(Piece::One, self.ascends[1]) & one;
        self.descends[3] = one;
        self.descends[2] = sources(Piece::Two, one) & two;
        self.descends[1] = sources(Piece::Three, self.descends[2]) & three;
        self.descends[0] = sources(Piece::Four, self.descends[1]) & four;
    }
}

/// Returns, for each type of a kind, those of its tiles that have a tile of a set one step away.
#[inline(always)]
fn reaching(kind: Kind, types: [Mask; 4], sets: [Mask; 4]) -> [Mask; 4] {
    let [a, b, c, d] = kind.pieces();
    [
        sources(a, sets[0]) & types[0],
        sources(b, sets[1]) & types[1],
        sources(c, sets[2]) & types[2],
        sources(d, sets[3]) & types[3],
    ]
}

/// Returns, for each need of one kind, the tiles from which it can be met. `ends` are the tiles of
/// each type where a set may end. A tile of a needed type serves if it reaches a tile that serves
/// for the rest.
#[inline(always)]
fn complete(kind: Kind, ends: [Mask; 4], types: [Mask; 4]) -> ByNeed {
    let mut found = [0; 16];
    [found[1], found[2], found[4], found[8]] = ends;
    // Extend needs of two types, of three, and of all four, by the type that comes first.
    extend(kind, types, &mut found, [2, 1, 1, 1]);
    extend(kind, types, &mut found, [4, 4, 2, 2]);
    extend(kind, types, &mut found, [8, 8, 8, 4]);
    extend(kind, types, &mut found, [6, 5, 3, 3]);
    extend(kind, types, &mut found, [10, 9, 9, 5]);
    extend(kind, types, &mut found, [12, 12, 10, 6]);
    extend(kind, types, &mut found, [14, 13, 11, 7]);
    found
}

/// Adds the tiles of each type that reach a tile which serves for the `rest` of a need.
#[inline(always)]
fn extend(kind: Kind, types: [Mask; 4], found: &mut ByNeed, rest: [usize; 4]) {
    let [a, b, c, d] = rest;
    let serves = reaching(kind, types, [found[a], found[b], found[c], found[d]]);
    found[a | 1] |= serves[0];
    found[b | 2] |= serves[1];
    found[c | 4] |= serves[2];
    found[d | 8] |= serves[3];
}

/// Returns `bits` if `condition` holds, otherwise 0, without a branch, which could not be
/// predicted.
#[inline(always)]
pub fn bits_if(condition: bool, bits: Mask) -> Mask {
    Mask::from(condition).wrapping_neg() & bits
}

#[cfg(test)]
mod tests;
