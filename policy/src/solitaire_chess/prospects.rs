//! What a board offers to whoever comes by: for each question the set of tiles that answer it, found for the whole
//! board at once by shifting sets of tiles.

use super::board::{backward_steps, forward_steps, sources, Mask, Piece, ALL, TYPES};
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
        for piece in Piece::ALL {
            let tiles = types[piece as usize];
            if tiles == 0 {
                continue;
            }
            let mut onward = Twice::default();
            backward_steps(piece, occupied, |set| onward.add(set));
            found.live |= onward.once & tiles;
            found.open |= onward.twice & tiles;
            let mut own = Twice::default();
            backward_steps(piece, tiles, |set| own.add(set));
            found.pairs |= own.once & tiles;
            found.triples |= sources(piece, own.twice & tiles) & tiles;
            forward_steps(piece, tiles, |set| reached.add(set));
        }
        found.reached = reached.once & ALL;
        found.reached_twice = reached.twice & ALL;
        let numbers = Kind::Number.pieces().map(|piece| types[piece as usize]);
        let chess = Kind::Chess.pieces().map(|piece| types[piece as usize]);
        if alphabet.has(Kind::Number) {
            complete_numbers(&mut found.completes[0], numbers, numbers);
            found.find_orders(numbers);
        }
        if alphabet.has(Kind::Chess) {
            complete_chess(&mut found.completes[1], chess, chess);
        }
        if alphabet.has(Kind::Number) && alphabet.has(Kind::Chess) {
            let [number_start, chess_start] = [found.completes[0][15], found.completes[1][15]];
            let ends = Kind::Number.pieces().map(|piece| types[piece as usize] & sources(piece, chess_start));
            complete_numbers(&mut found.links[0], ends, numbers);
            let ends = Kind::Chess.pieces().map(|piece| types[piece as usize] & sources(piece, number_start));
            complete_chess(&mut found.links[1], ends, chess);
        }
        found
    }

    fn find_orders(&mut self, numbers: [Mask; 4]) {
        let [one, two, three, four] = numbers;
        self.ascends[3] = four;
        self.ascends[2] = three & sources(Piece::Three, four);
        self.ascends[1] = two & sources(Piece::Two, self.ascends[2]);
        self.ascends[0] = one & sources(Piece::One, self.ascends[1]);
        self.descends[3] = one;
        self.descends[2] = two & sources(Piece::Two, one);
        self.descends[1] = three & sources(Piece::Three, self.descends[2]);
        self.descends[0] = four & sources(Piece::Four, self.descends[1]);
    }
}

/// Fills `found` for one kind by need, from small needs to large: `ends` are the tiles of each type where a set may
/// end, and a tile of a needed type serves if it reaches a tile that serves for the rest.
#[inline(always)]
fn complete(found: &mut ByNeed, pieces: [Piece; 4], ends: [Mask; 4], types: [Mask; 4]) {
    [found[1], found[2], found[4], found[8]] = ends;
    // Written out, so that each becomes straight code for its types.
    complete_need::<0b0011>(found, pieces, types);
    complete_need::<0b0101>(found, pieces, types);
    complete_need::<0b1001>(found, pieces, types);
    complete_need::<0b0110>(found, pieces, types);
    complete_need::<0b1010>(found, pieces, types);
    complete_need::<0b1100>(found, pieces, types);
    complete_need::<0b0111>(found, pieces, types);
    complete_need::<0b1011>(found, pieces, types);
    complete_need::<0b1101>(found, pieces, types);
    complete_need::<0b1110>(found, pieces, types);
    complete_need::<0b1111>(found, pieces, types);
}

#[inline(always)]
fn complete_need<const NEED: usize>(found: &mut ByNeed, pieces: [Piece; 4], types: [Mask; 4]) {
    let mut set = 0;
    for i in 0..4 {
        if NEED >> i & 1 == 1 {
            set |= types[i] & sources(pieces[i], found[NEED & !(1 << i)]);
        }
    }
    found[NEED] = set;
}

fn complete_numbers(found: &mut ByNeed, ends: [Mask; 4], types: [Mask; 4]) {
    complete(found, Kind::Number.pieces(), ends, types);
}

fn complete_chess(found: &mut ByNeed, ends: [Mask; 4], types: [Mask; 4]) {
    complete(found, Kind::Chess.pieces(), ends, types);
}
