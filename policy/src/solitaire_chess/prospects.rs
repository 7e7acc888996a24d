//! What a board offers to whoever comes by: for each question the set of tiles that answer it.

use super::board::{targets, tiles, Mask, Piece, TYPES};
use super::bonus::Kind;
use super::sources::{line, neighbours, sources, Twice};

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
        Piece::ALL.into_iter().filter(move |&piece| self.contains(piece))
    }

    /// How many types there are.
    pub fn size(self) -> usize {
        self.types.count_ones() as usize
    }

    /// Whether a type occurs.
    #[inline(always)]
    pub fn contains(self, piece: Piece) -> bool {
        self.types >> piece as u8 & 1 == 1
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
    /// Tiles that visible pieces reach.
    pub reached: Twice,
}

impl Prospects {
    /// The prospects of a board: the tiles that show each type, and all tiles that are not empty.
    #[inline(always)]
    pub fn new(types: &[Mask; TYPES], occupied: Mask, alphabet: Alphabet) -> Self {
        let mut found = Prospects {
            completes: [[0; 16]; 2],
            links: [[0; 16]; 2],
            ascends: [0; 5],
            descends: [0; 5],
            pairs: 0,
            triples: 0,
            live: 0,
            open: 0,
            reached: Twice::default(),
        };
        // One after the other, as all that depends on the type is then known to the compiler.
        found.look_around(Piece::One, types, occupied, alphabet);
        found.look_around(Piece::Two, types, occupied, alphabet);
        found.look_around(Piece::Three, types, occupied, alphabet);
        found.look_around(Piece::Four, types, occupied, alphabet);
        found.look_around(Piece::Knight, types, occupied, alphabet);
        found.look_along(types, occupied);
        found.reached.once &= occupied;
        found.reached.twice &= occupied;
        let [one, two, three, four, rook, bishop, queen, knight] = *types;
        let numbers = [one, two, three, four];
        let chess = [rook, bishop, queen, knight];
        if alphabet.has(Kind::Number) {
            found.completes[0] = complete(Kind::Number, numbers, numbers);
            found.find_orders(numbers);
        }
        if alphabet.has(Kind::Chess) {
            found.completes[1] = complete(Kind::Chess, chess, chess);
        }
        if alphabet.has(Kind::Number) && alphabet.has(Kind::Chess) {
            let [number_start, chess_start] = [found.completes[0][15], found.completes[1][15]];
            if chess_start != 0 {
                found.links[0] = complete(Kind::Number, reaching(Kind::Number, numbers, [chess_start; 4]), numbers);
            }
            if number_start != 0 {
                found.links[1] = complete(Kind::Chess, reaching(Kind::Chess, chess, [number_start; 4]), chess);
            }
        }
        found
    }

    /// What a number or the knight sees: its steps lead both ways.
    #[inline(always)]
    fn look_around(&mut self, piece: Piece, types: &[Mask; TYPES], occupied: Mask, alphabet: Alphabet) {
        if !alphabet.contains(piece) {
            return;
        }
        let own = types[piece as usize];
        let onward = neighbours(piece, occupied);
        self.live |= onward.once & own;
        self.open |= onward.twice & own;
        let same = neighbours(piece, own);
        self.reached.add_all(same);
        self.pairs |= same.once & own;
        self.triples |= sources(piece, same.twice & own) & own;
    }

    /// What rooks, bishops and queens see, tile by tile.
    #[inline(always)]
    fn look_along(&mut self, types: &[Mask; TYPES], occupied: Mask) {
        let [.., rooks, bishops, queens, _] = *types;
        let mut forks = 0;
        for tile in tiles(rooks | bishops | queens) {
            let bit = 1 << tile;
            let piece = line(types, tile);
            let own = types[piece as usize];
            let onward = targets(piece, tile) & occupied;
            self.reached.add(onward);
            self.live |= bits_if(onward != 0, bit);
            self.open |= bits_if(is_several(onward), bit);
            self.pairs |= bits_if(onward & own != 0, bit);
            forks |= bits_if(is_several(onward & own), bit);
        }
        if forks != 0 {
            self.triples |= sources(Piece::Rook, forks & rooks) & rooks
                | sources(Piece::Bishop, forks & bishops) & bishops
                | sources(Piece::Queen, forks & queens) & queens;
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

/// For each type of a kind, those of its tiles that have one of a set a step away.
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

/// By need, for one kind, the tiles from which it can be met: `ends` are the tiles of each type where a set may end, and
/// a tile of a needed type serves if it reaches a tile that serves for the rest.
#[inline(always)]
fn complete(kind: Kind, ends: [Mask; 4], types: [Mask; 4]) -> ByNeed {
    let mut found = [0; 16];
    [found[1], found[2], found[4], found[8]] = ends;
    // By need of two types, of three, of all four, and by which of them comes first.
    extend(kind, types, &mut found, [2, 1, 1, 1]);
    extend(kind, types, &mut found, [4, 4, 2, 2]);
    extend(kind, types, &mut found, [8, 8, 8, 4]);
    extend(kind, types, &mut found, [6, 5, 3, 3]);
    extend(kind, types, &mut found, [10, 9, 9, 5]);
    extend(kind, types, &mut found, [12, 12, 10, 6]);
    extend(kind, types, &mut found, [14, 13, 11, 7]);
    found
}

/// Adds the tiles of each type from which a tile can be reached that serves for the `rest` of a need.
#[inline(always)]
fn extend(kind: Kind, types: [Mask; 4], found: &mut ByNeed, rest: [usize; 4]) {
    let [a, b, c, d] = rest;
    let serves = reaching(kind, types, [found[a], found[b], found[c], found[d]]);
    found[a | 1] |= serves[0];
    found[b | 2] |= serves[1];
    found[c | 4] |= serves[2];
    found[d | 8] |= serves[3];
}

/// `bits` if `condition` holds, else nothing; without a branch, for none could be foretold.
#[inline(always)]
pub fn bits_if(condition: bool, bits: Mask) -> Mask {
    Mask::from(condition).wrapping_neg() & bits
}

#[inline(always)]
fn is_several(set: Mask) -> bool {
    set & set.wrapping_sub(1) != 0
}

#[cfg(test)]
mod tests;
