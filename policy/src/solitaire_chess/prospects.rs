//! What a board offers to whoever comes by: for each question the set of tiles that answer it.

use super::board::{targets, tiles, Mask, Piece, Tile, TYPES};
use super::bonus::Kind;

/// Which bonuses a group's alphabet allows at all.
#[derive(Clone, Copy, Debug)]
pub struct Alphabet {
    types: u8,
}

impl Alphabet {
    /// The types that occur among the visible tiles of a start board.
    pub fn of_board(visible: &[Mask; TYPES]) -> Self {
        let types = (0..TYPES).filter(|&t| visible[t] != 0).fold(0, |set, t| set | 1 << t);
        Alphabet { types }
    }

    /// These types.
    pub fn of(pieces: &[Piece]) -> Self {
        Alphabet { types: pieces.iter().fold(0, |set, &piece| set | 1 << piece as u8) }
    }

    /// Whether it has all types of another.
    pub fn has_all(self, other: Alphabet) -> bool {
        other.types & !self.types == 0
    }

    /// The types, ascending.
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        Piece::ALL.into_iter().filter(move |&piece| self.types >> piece as u8 & 1 == 1)
    }

    /// How many types there are.
    pub fn size(self) -> usize {
        self.types.count_ones() as usize
    }

    /// Whether all four types of a kind occur.
    pub fn has(self, kind: Kind) -> bool {
        self.types >> (4 * kind as u8) & 0b1111 == 0b1111
    }
}

/// Sets of tiles by the set of types still needed (bit `i`: the kind's `i`-th type).
pub type ByNeed = [Mask; 16];

/// The prospects of one board. A tile may count through the very tile that is removed next: evaluations take that
/// tile out of the answer, but not out of what lies behind it.
#[derive(Clone, Copy, Debug)]
pub struct Prospects {
    /// For each tile whose piece is known the occupied tiles a step away; nothing for others.
    onward: [Mask; 64],
    /// By kind and need: tiles from which the needed types can be removed one after the other, in some order.
    pub completes: [ByNeed; 2],
    /// The same, and a whole set of the other kind can follow.
    pub links: [ByNeed; 2],
    /// Tiles from which an ascending number set goes on: 1 to 4, 2 to 4, 3 to 4, 4; then none.
    pub ascends: [Mask; 5],
    /// Tiles from which a descending number set goes on: 4 to 1, 3 to 1, 2 to 1, 1; then none.
    pub descends: [Mask; 5],
    /// Tiles with their own type a step away.
    pub pairs: Mask,
    /// Tiles with their own type a step away, which has two of that type a step away.
    pub triples: Mask,
    /// Tiles with at least one occupied tile a step away.
    pub live: Mask,
    /// Tiles with at least two.
    pub open: Mask,
    /// Tiles that at least one visible piece reaches.
    pub reached: Mask,
    /// Tiles that at least two visible pieces reach.
    pub reached_twice: Mask,
}

/// Counts to two for every tile at once.
#[derive(Default)]
struct Twice {
    once: Mask,
    twice: Mask,
}

impl Twice {
    #[inline(always)]
    fn add(&mut self, set: Mask) {
        self.twice |= self.once & set;
        self.once |= set;
    }
}

impl Prospects {
    /// The prospects of a board: the tiles that show each type, and all tiles that are not empty.
    pub fn new(types: &[Mask; TYPES], occupied: Mask, alphabet: Alphabet) -> Self {
        let mut found = Prospects {
            onward: [0; 64],
            completes: [[0; 16]; 2],
            links: [[0; 16]; 2],
            ascends: [0; 5],
            descends: [0; 5],
            pairs: 0,
            triples: 0,
            live: 0,
            open: 0,
            reached: 0,
            reached_twice: 0,
        };
        let mut reached = Twice::default();
        for piece in alphabet.pieces() {
            let own = types[piece as usize];
            let mut forks = 0;
            for tile in tiles(own) {
                let bit = 1 << tile;
                let onward = targets(piece, tile) & occupied;
                found.onward[(tile & 63) as usize] = onward;
                reached.add(onward);
                found.live |= bit_if(onward != 0, bit);
                found.open |= bit_if(is_several(onward), bit);
                found.pairs |= bit_if(onward & own != 0, bit);
                forks |= bit_if(is_several(onward & own), bit);
            }
            if forks != 0 {
                found.triples |= found.reaching(own, forks);
            }
        }
        found.reached = reached.once;
        found.reached_twice = reached.twice;
        let numbers = Kind::Number.pieces().map(|piece| types[piece as usize]);
        let chess = Kind::Chess.pieces().map(|piece| types[piece as usize]);
        if alphabet.has(Kind::Number) {
            found.completes[0] = found.complete(numbers, numbers);
            found.find_orders(numbers);
        }
        if alphabet.has(Kind::Chess) {
            found.completes[1] = found.complete(chess, chess);
        }
        if alphabet.has(Kind::Number) && alphabet.has(Kind::Chess) {
            let [number_start, chess_start] = [found.completes[0][15], found.completes[1][15]];
            if chess_start != 0 {
                let ends = numbers.map(|from| found.reaching(from, chess_start));
                found.links[0] = found.complete(ends, numbers);
            }
            if number_start != 0 {
                let ends = chess.map(|from| found.reaching(from, number_start));
                found.links[1] = found.complete(ends, chess);
            }
        }
        found
    }

    /// The occupied tiles a step away from a tile whose piece is known.
    #[inline(always)]
    pub fn onward(&self, tile: Tile) -> Mask {
        self.onward[(tile & 63) as usize]
    }

    /// By need, for one kind, the tiles from which it can be met: `ends` are the tiles of each type where a set may
    /// end, and a tile of a needed type serves if it reaches a tile that serves for the rest.
    #[inline(always)]
    fn complete(&self, ends: [Mask; 4], types: [Mask; 4]) -> ByNeed {
        let mut found = [0; 16];
        [found[1], found[2], found[4], found[8]] = ends;
        let mut extend = |i: usize, needs: [usize; 3]| {
            let serves = self.each_reaching(types[i], needs.map(|need| found[need]));
            for (need, set) in needs.into_iter().zip(serves) {
                found[need | 1 << i] |= set;
            }
        };
        // Written out, so that each becomes straight code for its needs.
        extend(0, [2, 4, 8]);
        extend(1, [1, 4, 8]);
        extend(2, [1, 2, 8]);
        extend(3, [1, 2, 4]);
        extend(0, [6, 10, 12]);
        extend(1, [5, 9, 12]);
        extend(2, [3, 9, 10]);
        extend(3, [3, 5, 6]);
        for i in 0..4 {
            found[15] |= self.reaching(types[i], found[15 & !(1 << i)]);
        }
        found
    }

    /// For each of several sets, those tiles of `from` that have a tile of it a step away.
    #[inline(always)]
    fn each_reaching<const N: usize>(&self, from: Mask, sets: [Mask; N]) -> [Mask; N] {
        let mut found = [0; N];
        for tile in tiles(from) {
            let onward = self.onward(tile);
            for (found, to) in found.iter_mut().zip(sets) {
                *found |= bit_if(onward & to != 0, 1 << tile);
            }
        }
        found
    }

    /// Those tiles of `from` that have one of `to` a step away.
    #[inline(always)]
    fn reaching(&self, from: Mask, to: Mask) -> Mask {
        self.each_reaching(from, [to])[0]
    }

    fn find_orders(&mut self, [one, two, three, four]: [Mask; 4]) {
        self.ascends[3] = four;
        self.ascends[2] = self.reaching(three, four);
        self.ascends[1] = self.reaching(two, self.ascends[2]);
        self.ascends[0] = self.reaching(one, self.ascends[1]);
        self.descends[3] = one;
        self.descends[2] = self.reaching(two, one);
        self.descends[1] = self.reaching(three, self.descends[2]);
        self.descends[0] = self.reaching(four, self.descends[1]);
    }
}

/// `bit` if `condition` holds, else nothing; without a branch, for none could be foretold.
#[inline(always)]
fn bit_if(condition: bool, bit: Mask) -> Mask {
    Mask::from(condition).wrapping_neg() & bit
}

#[inline(always)]
fn is_several(set: Mask) -> bool {
    set & set.wrapping_sub(1) != 0
}

#[cfg(test)]
mod tests;
