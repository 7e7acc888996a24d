//! The evaluation of a removal: the points that may follow, as a weighted sum of features.

use super::alphabet::Alphabet;
use super::board::{targets, tiles, Mask, Piece, Tile, TYPES};
use super::bonus::{meaning, step, Kind, Meaning, State};
use super::position::{occupied, tier_of, worn, TIERS};
use super::prospects::{bits_if, Prospects};
use super::sources::onward;
use super::weights::Terms;

/// A board in a line of play: its known pieces and its prospects. By default, all tiles are empty.
#[derive(Debug, Default)]
pub struct Board {
    /// The prospects of the board.
    prospects: Prospects,
    /// The tiles with an unknown piece.
    unseen: Mask,
    /// The tiles known to show a number, and those known to show a chess piece.
    kinds: [Mask; 2],
    /// The tiles of each tier.
    tiers: [Mask; TIERS],
    /// The part of the evaluation that does not depend on the next removal.
    base: f64,
}

impl Board {
    /// Returns the tiles known to show each type.
    #[inline(always)]
    pub fn types(&self) -> &[Mask; TYPES] {
        &self.prospects.types
    }

    /// Returns the piece that a tile is known to show.
    #[inline(always)]
    pub fn piece(&self, tile: Tile) -> Option<Piece> {
        // Computes the type's number bit by bit, without a branch.
        let bit = |n: usize| {
            (0..TYPES).filter(|piece| piece >> n & 1 == 1).fold(0, |set, piece| set | self.types()[piece]) >> tile & 1
        };
        let piece = Piece::ALL[(bit(0) | bit(1) << 1 | bit(2) << 2) as usize];
        (self.types()[piece as usize] >> tile & 1 == 1).then_some(piece)
    }
}

/// Returns the board to compute and the board to compute it from.
#[inline(always)]
pub fn pair(boards: &mut [Board], made: usize, from: usize) -> (&mut Board, &Board) {
    if made > from {
        let (start, end) = boards.split_at_mut(made);
        (&mut end[0], &start[from])
    } else {
        let (start, end) = boards.split_at_mut(from);
        (&mut start[made], &end[0])
    }
}

/// A removal from a board.
pub struct Removal {
    /// The points of the removal.
    pub points: u32,
    /// The state of the bonuses after the removal.
    pub bonus: State,
    /// The occupied tiles that may be removed next.
    pub next: Mask,
    /// The points that may follow; 0 if no removal is possible next.
    pub future: f64,
}

impl Removal {
    /// Creates a removal without an evaluation of its future, from the tiers before or after it.
    #[inline(always)]
    pub fn new(tiers: &[Mask; TIERS], bonus: State, tile: Tile, piece: Piece) -> Self {
        let step = step(bonus, piece);
        let next = targets(piece, tile) & occupied(tiers);
        Removal { points: 1 + u32::from(step.total), bonus: step.next, next, future: 0.0 }
    }
}

/// The class of each tile: the symmetries of the board leave six classes.
static CLASS: [u8; 64] = classes();

const CLASSES: usize = 6;

const fn classes() -> [u8; 64] {
    let mut class = [0; 64];
    let mut i = 0;
    while i < 36 {
        let (row, column) = (i / 6, i % 6);
        let a = if row < 3 { row } else { 5 - row };
        let b = if column < 3 { column } else { 5 - column };
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        // (0,0) (0,1) (0,2) (1,1) (1,2) (2,2)
        class[row * 10 + column] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]][a][b];
        i += 1;
    }
    class
}

/// An evaluation at one moment of a game: its terms, and tables computed from them.
#[derive(Debug)]
pub struct Evaluation {
    terms: Terms,
    alphabet: Alphabet,
    /// The value of a tile by its tier (3: empty) and class.
    tile: [[f64; CLASSES]; TIERS + 1],
    /// The value of each number of next tiles.
    moves: [f64; MOST_MOVES + 1],
}

/// The largest number of next tiles after a removal.
const MOST_MOVES: usize = 8;

impl Evaluation {
    /// Creates the evaluation with these terms, for a group's alphabet.
    pub fn new(terms: Terms, alphabet: Alphabet) -> Self {
        let t = &terms;
        let class = [
            t.layer_corner,
            t.layer_edge,
            t.layer_edge_middle,
            t.layer_inner_corner,
            t.layer_inner_edge,
            t.layer_centre,
        ];
        let tile = [
            class.map(|layer| t.tile_bronze + 3.0 * layer),
            class.map(|layer| t.tile_silver + 2.0 * layer),
            class.map(|layer| t.tile_gold + layer),
            [0.0; CLASSES],
        ];
        let moves = std::array::from_fn(|moves| match moves {
            0 => 0.0,
            1 => t.moves_1,
            2 => t.moves_2,
            3 => t.moves_3,
            _ => t.moves_4 + t.moves_more * (moves - 4) as f64,
        });
        Evaluation { terms, alphabet, tile, moves }
    }

    /// Returns the group's alphabet.
    pub fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    /// Returns the value of all tiles of a board. `wear` is the change of this value by a removal.
    pub fn material(&self, tiers: &[Mask; TIERS]) -> f64 {
        let mut sum = 0.0;
        for (tier, &set) in tiers.iter().enumerate() {
            for tile in tiles(set) {
                sum += self.tile[tier][CLASS[tile as usize] as usize];
            }
        }
        sum
    }

    #[inline]
    fn wear(&self, tier: usize, tile: Tile) -> f64 {
        let class = CLASS[(tile & 63) as usize] as usize;
        self.tile[tier + 1][class] - self.tile[tier][class]
    }

    /// Returns the tiers of a board and the value of its tiles, after a `tile` is worn down by one
    /// layer.
    #[inline]
    pub fn worn(&self, tiers: &[Mask; TIERS], material: f64, tile: Tile) -> ([Mask; TIERS], f64) {
        let bit: Mask = 1 << tile;
        (worn(tiers, bit), material + self.wear(tier_of(tiers, bit), tile))
    }

    /// Computes a board whose tiles are worth `material` from any other board: the fewer
    /// differences, the faster.
    #[inline(always)]
    pub fn survey(&self, board: &mut Board, near: &Board, types: [Mask; TYPES], tiers: [Mask; TIERS], material: f64) {
        let occupied = occupied(&tiers);
        let [one, two, three, four, rook, bishop, queen, knight] = types;
        let kinds = [one | two | three | four, rook | bishop | queen | knight];
        let seen = kinds[0] | kinds[1];
        board.prospects.follow(&near.prospects, &types, occupied, self.alphabet);
        let (t, prospects) = (&self.terms, &board.prospects);
        board.base = material
            + t.board_unreached * count(occupied & !prospects.reached.once)
            + t.board_stuck * count(seen & !prospects.live)
            + t.board_number_sets * count(prospects.completes[0][15])
            + t.board_chess_sets * count(prospects.completes[1][15])
            + t.board_pairs * count(prospects.pairs);
        board.unseen = occupied & !seen;
        board.kinds = kinds;
        board.tiers = tiers;
    }

    /// Computes the board `after` a tile is worn down by one layer with an unknown type below, from
    /// the types, tiers and material before.
    #[inline(always)]
    pub fn survey_after(
        &self,
        after: &mut Board,
        near: &Board,
        types: [Mask; TYPES],
        tiers: &[Mask; TIERS],
        material: f64,
        tile: Tile,
    ) {
        let (tiers, material) = self.worn(tiers, material, tile);
        self.survey(after, near, types.map(|set| set & !(1 << tile)), tiers, material);
    }

    /// Evaluates the removal of `piece` from an occupied `tile`, with the bonuses in state `bonus`,
    /// by the prospects before the removal. This quick evaluation suffices to choose the lines to
    /// follow.
    #[inline(always)]
    pub fn judge(&self, board: &Board, bonus: State, tile: Tile, piece: Piece) -> Removal {
        let mut removal = Removal::new(&board.tiers, bonus, tile, piece);
        if removal.next != 0 {
            removal.future = board.base
                + self.wear(tier_of(&board.tiers, 1 << tile), tile)
                + self.weigh(board, &removal, tile, piece, board.tiers[TIERS - 1] >> tile & 1 == 1);
        }
        removal
    }

    /// Evaluates the removal of `piece` from `tile` by the prospects of the `board` after it, and
    /// by the part of it that stays within reach. This close evaluation decides. The piece that the
    /// tile then shows is unknown.
    #[inline(always)]
    pub fn judge_closely(&self, board: &Board, bonus: State, tile: Tile, piece: Piece) -> Removal {
        let mut removal = Removal::new(&board.tiers, bonus, tile, piece);
        if removal.next != 0 {
            let emptied = board.prospects.occupied >> tile & 1 == 0;
            removal.future =
                board.base + self.weigh(board, &removal, tile, piece, emptied) + self.reach_of(board, removal.next);
        }
        removal
    }

    /// Weighs the features of a removal, without those common to the whole board.
    #[inline(always)]
    fn weigh(&self, board: &Board, removal: &Removal, tile: Tile, piece: Piece, emptied: bool) -> f64 {
        let next = removal.next;
        let meaning = meaning(removal.bonus);
        let mut value = self.mobility(board, next);
        if !emptied {
            value += self.left(&board.prospects, 1 << tile);
        }
        value += self.terms.orphans * count(next & !board.prospects.reached.twice);
        value += self.runs(board, next, piece, meaning.run);
        if self.alphabet.has(Kind::Number) || self.alphabet.has(Kind::Chess) {
            value += self.sets(board, next, meaning, Kind::of(piece));
        }
        value
    }

    /// Returns the value of the part of the board that can be reached over visible pieces, starting
    /// with one of `next`.
    fn reach_of(&self, board: &Board, next: Mask) -> f64 {
        let t = &self.terms;
        let occupied = board.prospects.occupied;
        let mut reach = next;
        let mut fresh = next;
        let mut within = [next; 3];
        let mut removals = 1;
        // The largest set that can be reached.
        let most = next | board.prospects.reached.once;
        while fresh != 0 && reach != most {
            fresh = onward(board.types(), self.alphabet, fresh) & occupied & !reach;
            reach |= fresh;
            if removals < 3 {
                within[removals] = reach;
                removals += 1;
            }
        }
        while removals < 3 {
            within[removals] = reach;
            removals += 1;
        }
        let lost = occupied & !reach;
        t.reach_2 * count(within[1])
            + t.reach_3 * count(within[2])
            + t.reach_all * count(reach)
            + t.lost_bronze * count(lost & board.tiers[0])
            + t.lost_silver * count(lost & board.tiers[1])
            + t.lost_gold * count(lost & board.tiers[2])
    }

    #[inline(always)]
    fn mobility(&self, board: &Board, next: Mask) -> f64 {
        let t = &self.terms;
        let unseen = next & board.unseen;
        let mut value = self.moves[(next.count_ones() as usize).min(MOST_MOVES)]
            + t.moves_unseen * count(unseen)
            + only_if(unseen == next, t.moves_all_unseen);
        let live = next & board.prospects.live;
        value += only_if(live | unseen == 0, t.stuck_soon);
        value + t.moves_open * count(next & board.prospects.open) + t.moves_last * count(next & !live & !unseen)
    }

    /// Returns the value of whether the tile just worn down can still be removed.
    #[inline(always)]
    fn left(&self, prospects: &Prospects, bit: Mask) -> f64 {
        only_if(prospects.reached.once & bit == 0, self.terms.left_unreached)
            + only_if(prospects.reached.once & !prospects.reached.twice & bit != 0, self.terms.left_reached_once)
    }

    #[inline(always)]
    fn runs(&self, board: &Board, next: Mask, piece: Piece, run: bool) -> f64 {
        let t = &self.terms;
        let p = &board.prospects;
        let same = next & board.types()[piece as usize];
        only_if(same != 0, if run { t.run_2 } else { t.run_1 })
            + only_if(same & p.pairs != 0, t.run_on)
            + only_if(next & p.pairs != 0, t.pair)
            + only_if(next & p.triples != 0, t.triple)
    }

    #[inline(always)]
    fn sets(&self, board: &Board, next: Mask, meaning: &Meaning, kind: Kind) -> f64 {
        let t = &self.terms;
        let p = &board.prospects;
        let own = kind as usize;
        let other = kind.other() as usize;
        let due = f64::from(meaning.alternation);
        let mut value = t.other_kind * count(next & board.kinds[other]);
        if meaning.length == 0 {
            // A set is complete; any other tail contains at least the last removal.
            if next & p.completes[other][15] != 0 {
                value += [t.next_number, t.next_chess][other] + t.next_chain * due;
                if next & p.links(kind.other(), 15) != 0 {
                    value += t.next_link;
                }
            } else if next & p.completes[own][15] != 0 {
                value += t.next_same;
            } else {
                value += t.next_none;
            }
            if next & (p.ascends[0] | p.descends[0]) != 0 {
                value += t.start_order;
            }
            return value;
        }
        let length = meaning.length as usize - 1;
        let missing = meaning.missing as usize;
        // The mask excludes types that the current set already has.
        let part = |i: usize| bits_if(missing >> i & 1 == 1, board.types()[4 * own + i]);
        let needed = part(0) | part(1) | part(2) | part(3);
        value += t.needed * count(next & needed);
        let completing = next & p.completes[own][missing];
        if completing != 0 {
            value += [[t.number_1, t.number_2, t.number_3], [t.chess_1, t.chess_2, t.chess_3]][own][length]
                + [t.chain_1, t.chain_2, t.chain_3][length] * due;
            let order = match meaning.order {
                1 => p.ascends[length + 1],
                2 => p.descends[length + 1],
                _ => 0,
            };
            if next & order != 0 {
                value += [t.order_1, t.order_2, t.order_3][length];
            }
            if completing & (completing - 1) != 0 {
                value += t.choice;
            }
            if next & p.links(kind, missing) != 0 {
                value += t.link;
            }
            return value;
        }
        if next & (needed | board.unseen) != 0 {
            value += [t.hope_1, t.hope_2, t.hope_3][length] + t.hope_chain * due;
        }
        if next & p.completes[0][15] != 0 {
            value += t.start_number;
            if next & (p.ascends[0] | p.descends[0]) != 0 {
                value += t.start_order;
            }
        }
        if next & p.completes[1][15] != 0 {
            value += t.start_chess;
        }
        // A type that leads from one set to another also starts a set.
        if next & (p.completes[0][15] | p.completes[1][15]) != 0
            && next & (p.links(Kind::Number, 15) | p.links(Kind::Chess, 15)) != 0
        {
            value += t.start_link;
        }
        value
    }
}

/// Returns `value` if `condition` holds, otherwise 0, without a branch, which could not be
/// predicted.
#[inline(always)]
fn only_if(condition: bool, value: f64) -> f64 {
    f64::from_bits(bits_if(condition, value.to_bits()))
}

#[inline(always)]
fn count(set: Mask) -> f64 {
    f64::from(set.count_ones())
}

#[cfg(test)]
mod tests;
