//! How good it is to have just removed a certain piece: the points that may still come, as a weighted sum.

use super::board::{targets, tiles, Mask, Piece, Tile, TYPES};
use super::bonus::{meaning, step, Kind, Meaning, State};
use super::position::TIERS;
use super::prospects::{Alphabet, Prospects};
use super::weights::Terms;

/// A board in a line of play: what is known of it, and what it offers.
pub struct Board {
    /// The tiles that are known to show each type.
    pub types: [Mask; TYPES],
    /// The tiles whose piece is not known.
    pub unseen: Mask,
    /// The tiles of each tier.
    pub tiers: [Mask; TIERS],
    /// What the board offers.
    pub prospects: Prospects,
    /// The part of the evaluation that is the same whatever is removed next.
    base: f64,
}

/// A removal from a board.
pub struct Removal {
    /// Points that it scores.
    pub points: u32,
    /// The state of the bonuses after it.
    pub bonus: State,
    /// The occupied tiles that may be removed next.
    pub next: Mask,
    /// Points that may still come after it; 0 if nothing can be removed next.
    pub future: f64,
    /// Whether it empties the tile.
    emptied: bool,
}

impl Removal {
    /// A removal with its future still to be judged.
    #[inline(always)]
    fn new(board: &Board, bonus: State, tile: Tile, piece: Piece) -> Self {
        let occupied = board.tiers[0] | board.tiers[1] | board.tiers[2];
        let step = step(bonus, piece);
        Removal {
            points: 1 + u32::from(step.total),
            bonus: step.next,
            next: targets(piece, tile) & occupied,
            future: 0.0,
            emptied: board.tiers[TIERS - 1] >> tile & 1 == 1,
        }
    }
}

/// The six classes of tiles that the board's symmetries leave apart.
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

/// An evaluation at one moment of a game: its terms, and what follows from them.
pub struct Evaluation {
    terms: Terms,
    alphabet: Alphabet,
    /// The value of a tile by its tier (3: empty) and class.
    tile: [[f64; CLASSES]; TIERS + 1],
}

impl Evaluation {
    /// The evaluation with these terms, for a group's alphabet.
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
        Evaluation { terms, alphabet, tile }
    }

    /// The group's alphabet.
    pub fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    /// What all tiles of a board are worth; a removal changes it by `wear`.
    pub fn material(&self, tiers: &[Mask; TIERS]) -> f64 {
        let mut sum = 0.0;
        for (tier, &set) in tiers.iter().enumerate() {
            for tile in super::board::tiles(set) {
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

    /// The tiers of a board, and what its tiles are worth, once a `tile` is worn down by one layer.
    #[inline]
    pub fn worn(&self, board: &Board, material: f64, tile: Tile) -> ([Mask; TIERS], f64) {
        let bit: Mask = 1 << tile;
        let [bronze, silver, gold] = board.tiers;
        let tier = tier_of(&board.tiers, bit);
        let tiers = [bronze & !bit, silver & !bit | bronze & bit, gold & !bit | silver & bit];
        (tiers, material + self.wear(tier, tile))
    }

    /// Takes stock of a board whose tiles are worth `material`.
    #[inline]
    pub fn survey(&self, types: [Mask; TYPES], tiers: [Mask; TIERS], material: f64) -> Board {
        let occupied = tiers[0] | tiers[1] | tiers[2];
        let seen = types.iter().fold(0, |all, set| all | set);
        let prospects = Prospects::new(&types, occupied, self.alphabet);
        let t = &self.terms;
        let base = material
            + t.board_unreached * count(occupied & !prospects.reached)
            + t.board_stuck * count(seen & !prospects.live)
            + t.board_number_sets * count(prospects.completes[0][15])
            + t.board_chess_sets * count(prospects.completes[1][15])
            + t.board_pairs * count(prospects.pairs);
        Board { types, unseen: occupied & !seen, tiers, prospects, base }
    }

    /// Judges the removal of `piece` from an occupied `tile`, when the bonuses stand at `bonus`, by what the board
    /// offers before the removal: a quick look, good enough to choose which lines to follow.
    #[inline]
    pub fn judge(&self, board: &Board, bonus: State, tile: Tile, piece: Piece) -> Removal {
        let mut removal = Removal::new(board, bonus, tile, piece);
        if removal.next != 0 {
            removal.future = board.base
                + self.wear(tier_of(&board.tiers, 1 << tile), tile)
                + self.weigh(board, &removal, tile, piece);
        }
        removal
    }

    /// The board once a `tile` is worn down by one layer, and what it then shows is not known.
    #[inline]
    pub fn after(&self, board: &Board, material: f64, tile: Tile) -> Board {
        let (tiers, material) = self.worn(board, material, tile);
        self.survey(board.types.map(|set| set & !(1 << tile)), tiers, material)
    }

    /// Judges the same by what the board offers [`after`](Self::after) the removal, and by how much of it stays within
    /// reach: the look that decides.
    #[inline]
    pub fn judge_closely(&self, board: &Board, after: &Board, bonus: State, tile: Tile, piece: Piece) -> Removal {
        let mut removal = Removal::new(board, bonus, tile, piece);
        if removal.next != 0 {
            removal.future = after.base + self.weigh(after, &removal, tile, piece) + self.reach_of(after, removal.next);
        }
        removal
    }

    /// The features of a removal, but for what is the same for the whole board.
    #[inline(always)]
    fn weigh(&self, board: &Board, removal: &Removal, tile: Tile, piece: Piece) -> f64 {
        let next = removal.next;
        let meaning = meaning(removal.bonus);
        let mut value = self.mobility(board, next);
        if !removal.emptied {
            value += self.left(&board.prospects, 1 << tile);
        }
        value += self.terms.orphans * count(next & !board.prospects.reached_twice);
        value += self.runs(board, next, piece, meaning.run);
        if self.alphabet.has(Kind::Number) || self.alphabet.has(Kind::Chess) {
            value += self.sets(board, next, meaning, Kind::of(piece));
        }
        value
    }

    /// How much of the board can still be reached over visible pieces, starting with one of `next`.
    fn reach_of(&self, board: &Board, next: Mask) -> f64 {
        let t = &self.terms;
        let occupied = board.tiers[0] | board.tiers[1] | board.tiers[2];
        let mut reach = next;
        let mut fresh = next;
        let mut within = [next; 3];
        let mut removals = 1;
        while fresh != 0 {
            let mut onward = 0;
            for tile in tiles(fresh & !board.unseen) {
                onward |= board.prospects.onward(tile);
            }
            fresh = onward & !reach;
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
        let moves = next.count_ones();
        let mut value = match moves {
            1 => t.moves_1,
            2 => t.moves_2,
            3 => t.moves_3,
            _ => t.moves_4 + t.moves_more * f64::from(moves - 4),
        };
        let unseen = next & board.unseen;
        if unseen != 0 {
            value += t.moves_unseen * count(unseen);
            if unseen == next {
                value += t.moves_all_unseen;
            }
        }
        let live = next & board.prospects.live;
        if live | unseen == 0 {
            value += t.stuck_soon;
        }
        value + t.moves_open * count(next & board.prospects.open) + t.moves_last * count(next & !live & !unseen)
    }

    /// Whether the tile just worn down can still be removed.
    #[inline(always)]
    fn left(&self, prospects: &Prospects, bit: Mask) -> f64 {
        if prospects.reached & bit == 0 {
            self.terms.left_unreached
        } else if prospects.reached_twice & bit == 0 {
            self.terms.left_reached_once
        } else {
            0.0
        }
    }

    #[inline(always)]
    fn runs(&self, board: &Board, next: Mask, piece: Piece, run: bool) -> f64 {
        let t = &self.terms;
        let mut value = 0.0;
        let same = next & board.types[piece as usize];
        if same != 0 {
            value += if run { t.run_2 } else { t.run_1 };
            if same & board.prospects.pairs != 0 {
                value += t.run_on;
            }
        }
        if next & board.prospects.pairs != 0 {
            value += t.pair;
            if next & board.prospects.triples != 0 {
                value += t.triple;
            }
        }
        value
    }

    #[inline(always)]
    fn sets(&self, board: &Board, next: Mask, meaning: &Meaning, kind: Kind) -> f64 {
        let t = &self.terms;
        let p = &board.prospects;
        let own = kind as usize;
        let other = kind.other() as usize;
        let due = f64::from(meaning.alternation);
        let other_kind = kind.other().pieces().iter().fold(0, |set, &piece| set | board.types[piece as usize]);
        let mut value = t.other_kind * count(next & other_kind);
        if meaning.length == 0 {
            // A set is complete; any other tail has at least the last removal in it.
            if next & p.completes[other][15] != 0 {
                value += [t.next_number, t.next_chess][other] + t.next_chain * due;
                if next & p.links[other][15] != 0 {
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
        let mut needed = 0;
        for (i, piece) in kind.pieces().into_iter().enumerate() {
            if missing >> i & 1 == 1 {
                needed |= board.types[piece as usize];
            }
        }
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
            if next & p.links[own][missing] != 0 {
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
        if next & (p.links[0][15] | p.links[1][15]) != 0 {
            value += t.start_link;
        }
        value
    }
}

/// The tier of the occupied tile with this bit.
#[inline(always)]
fn tier_of(tiers: &[Mask; TIERS], bit: Mask) -> usize {
    usize::from(tiers[1] & bit != 0) + 2 * usize::from(tiers[2] & bit != 0)
}

#[inline(always)]
fn count(set: Mask) -> f64 {
    f64::from(set.count_ones())
}
