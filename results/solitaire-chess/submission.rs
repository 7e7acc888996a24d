//! A player of Solitaire chess, exported by `evolve export`. It reads a board and plays by the contest's dialogue.
//!
//! Build it with `rustc -O --edition 2021 submission.rs`.

#![allow(dead_code)]

use clock::Clock;
use solitaire_chess::beam::Settings;
use solitaire_chess::dialogue;
use solitaire_chess::player::{Player, Search};
use solitaire_chess::weights::{Terms, Weights};
use std::process::ExitCode;

/// The time that a game may take by the player's own clock, of 1s allowed by the judge.
const TIME: Option<std::time::Duration> = Some(std::time::Duration::from_micros(750000));

fn main() -> ExitCode {
    let clock = TIME.map_or(Clock::UNLIMITED, Clock::start);
    let player = |group: usize| {
        let (weights, search) = [GROUP_1, GROUP_2, GROUP_3, GROUP_4, GROUP_5, GROUP_6][group - 1];
        Player::new(weights, search)
    };
    match dialogue::play(std::io::stdin().lock(), std::io::stdout().lock(), &clock, player) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Group 1 (springare): tuned in the player `greedy`.
const GROUP_1: (Weights, Search) = (
    Weights {
        start: Terms {
            tile_bronze: 2.2314,
            tile_silver: 1.3051,
            tile_gold: 0.4166,
            layer_corner: -0.1056,
            layer_edge: 0.4326,
            layer_edge_middle: 0.3655,
            layer_inner_corner: -0.4661,
            layer_inner_edge: 0.0155,
            layer_centre: 0.3936,
            moves_1: 7.434,
            moves_2: 6.834,
            moves_3: 7.491,
            moves_4: 5.29,
            moves_more: -0.0514,
            moves_unseen: -0.4945,
            moves_all_unseen: -1.101,
            moves_open: -1.6212,
            moves_last: -1.2728,
            stuck_soon: -7.729,
            reach_2: -0.3104,
            reach_3: -0.0936,
            reach_all: 0.5085,
            lost_bronze: 0.1332,
            lost_silver: 0.8452,
            lost_gold: -0.5283,
            left_unreached: 0.7726,
            left_reached_once: 1.5168,
            orphans: -1.7192,
            board_unreached: -0.039,
            board_stuck: -0.2222,
            ..Terms::DEFAULT
        },
        drift: Terms {
            tile_bronze: -0.6784,
            tile_silver: -0.2299,
            tile_gold: -0.9925,
            layer_corner: 0.103,
            layer_edge: 0.3036,
            layer_edge_middle: 0.3326,
            layer_inner_corner: 0.2852,
            layer_inner_edge: 0.7649,
            layer_centre: 0.2627,
            moves_1: 1.227,
            moves_2: 0.9,
            moves_3: -0.043,
            moves_4: 0.302,
            moves_more: -1.3767,
            moves_unseen: -1.5176,
            moves_all_unseen: -1.317,
            moves_open: -0.9949,
            moves_last: 1.1586,
            reach_2: -0.1426,
            reach_3: -0.2468,
            reach_all: -0.2458,
            lost_bronze: 0.031,
            lost_silver: 0.2909,
            lost_gold: 0.2054,
            left_unreached: -1.6411,
            left_reached_once: 1.6198,
            ..Terms::ZERO
        },
    },
    Search::Beam(Settings { width: 1, depth: 1 }),
);

/// Group 2 (1): tuned in the player `greedy`.
const GROUP_2: (Weights, Search) = (
    Weights {
        start: Terms {
            tile_bronze: 1.7957,
            tile_silver: 1.8556,
            tile_gold: 0.5783,
            layer_corner: 0.0254,
            layer_edge: 0.4368,
            layer_edge_middle: 0.3346,
            layer_inner_corner: -0.2591,
            layer_inner_edge: 0.2374,
            layer_centre: 0.1029,
            moves_1: 4.588,
            moves_2: 6.002,
            moves_3: 7.463,
            moves_4: 5.74,
            moves_more: -0.1756,
            moves_unseen: -0.6226,
            moves_all_unseen: -0.743,
            moves_open: -0.6394,
            moves_last: -0.0708,
            stuck_soon: -9.372,
            reach_2: -0.2384,
            reach_3: -0.0101,
            reach_all: 0.331,
            lost_bronze: 0.2557,
            lost_silver: 0.2623,
            lost_gold: -0.4004,
            left_unreached: 0.7443,
            left_reached_once: 1.2748,
            orphans: -1.0296,
            board_unreached: -0.5659,
            board_stuck: -0.0102,
            ..Terms::DEFAULT
        },
        drift: Terms {
            tile_bronze: -0.6089,
            tile_silver: 0.0126,
            tile_gold: -0.0073,
            layer_corner: 0.1845,
            layer_edge: -0.2122,
            layer_edge_middle: 0.0028,
            layer_inner_corner: 0.1543,
            layer_inner_edge: 0.4449,
            layer_centre: -0.022,
            moves_1: -1.857,
            moves_2: -1.277,
            moves_3: 0.115,
            moves_4: -0.353,
            moves_more: -0.332,
            moves_unseen: -0.5281,
            moves_all_unseen: -2.33,
            moves_open: -0.5926,
            moves_last: 0.8415,
            reach_2: -0.157,
            reach_3: -0.0741,
            reach_all: -0.0681,
            lost_bronze: 0.1996,
            lost_silver: 0.1188,
            lost_gold: 0.0261,
            left_unreached: -0.3134,
            left_reached_once: 0.8414,
            ..Terms::ZERO
        },
    },
    Search::Beam(Settings { width: 1, depth: 1 }),
);

/// Group 3 (1 2): tuned in the player `beam` (depth 10, width 5).
const GROUP_3: (Weights, Search) = (
    Weights {
        start: Terms {
            tile_bronze: 0.8487,
            tile_silver: 1.615,
            tile_gold: 1.2815,
            layer_corner: -1.0329,
            layer_edge: -0.5642,
            layer_edge_middle: -0.1646,
            layer_inner_corner: -0.1763,
            layer_inner_edge: 0.6613,
            layer_centre: 0.5881,
            moves_1: 5.737,
            moves_2: 5.173,
            moves_3: 7.362,
            moves_4: 7.513,
            moves_more: -0.4269,
            moves_unseen: 0.3945,
            moves_all_unseen: 3.991,
            moves_open: 0.3597,
            moves_last: 1.646,
            stuck_soon: -7.705,
            reach_2: 0.0776,
            reach_3: 0.0504,
            reach_all: -0.1506,
            lost_bronze: -0.1855,
            lost_silver: -1.7652,
            lost_gold: -1.1131,
            left_unreached: 0.2438,
            left_reached_once: -0.4038,
            orphans: -0.0419,
            board_unreached: -1.2964,
            board_stuck: 0.0333,
            board_pairs: 0.6267,
            run_1: 3.1052,
            run_2: 0.4177,
            run_on: -1.9463,
            pair: -0.5681,
            triple: 2.0944,
            ..Terms::DEFAULT
        },
        drift: Terms {
            tile_bronze: 0.6186,
            tile_silver: 0.4785,
            tile_gold: 0.8267,
            layer_corner: -0.9164,
            layer_edge: -0.786,
            layer_edge_middle: -0.3983,
            layer_inner_corner: 0.0895,
            layer_inner_edge: -0.366,
            layer_centre: 0.6484,
            moves_1: 0.465,
            moves_2: 0.539,
            moves_3: -2.797,
            moves_4: -4.006,
            moves_more: -0.5142,
            moves_unseen: 0.8181,
            moves_all_unseen: -1.234,
            moves_open: 0.7533,
            moves_last: 0.1309,
            stuck_soon: -3.722,
            reach_2: -0.1848,
            reach_3: -0.2324,
            reach_all: 0.0967,
            lost_bronze: -0.0836,
            lost_silver: 0.737,
            lost_gold: -0.1138,
            left_unreached: -0.7652,
            left_reached_once: -0.4454,
            orphans: 0.4415,
            board_unreached: 1.2245,
            board_stuck: -0.4182,
            board_pairs: 0.5312,
            run_1: -1.003,
            run_2: -0.2116,
            run_on: -1.2226,
            pair: 3.0069,
            triple: -2.0936,
            ..Terms::ZERO
        },
    },
    Search::Beam(Settings { width: 40, depth: 24 }),
);

/// Group 4 (torn lopare dam): tuned in the player `beam` (depth 10, width 5).
const GROUP_4: (Weights, Search) = (
    Weights {
        start: Terms {
            tile_bronze: 1.4203,
            tile_silver: 1.899,
            tile_gold: 1.3042,
            layer_corner: 2.2912,
            layer_edge: -0.8429,
            layer_edge_middle: -0.7743,
            layer_inner_corner: -0.2692,
            layer_inner_edge: 0.0252,
            layer_centre: -0.1159,
            moves_1: 7.152,
            moves_2: 7.104,
            moves_3: 6.317,
            moves_4: 7.584,
            moves_more: -1.4398,
            moves_unseen: 0.5811,
            moves_all_unseen: 3.316,
            moves_open: 0.2896,
            moves_last: 0.4209,
            stuck_soon: -5.94,
            reach_2: 0.0561,
            reach_3: 0.3258,
            reach_all: 0.3637,
            lost_bronze: -0.5983,
            lost_silver: -0.6267,
            lost_gold: -0.2878,
            left_unreached: 3.0272,
            left_reached_once: -0.3152,
            orphans: 0.196,
            board_unreached: 0.6631,
            board_stuck: 1.0251,
            board_pairs: 0.2204,
            run_1: 1.8194,
            run_2: -0.8787,
            run_on: -1.1089,
            pair: 2.0946,
            triple: 1.7955,
            ..Terms::DEFAULT
        },
        drift: Terms {
            tile_bronze: 2.5424,
            tile_silver: -0.589,
            tile_gold: 0.9596,
            layer_corner: -0.4714,
            layer_edge: -1.0605,
            layer_edge_middle: -0.2849,
            layer_inner_corner: -0.2389,
            layer_inner_edge: 0.2544,
            layer_centre: -0.589,
            moves_1: -1.877,
            moves_2: 0.426,
            moves_3: -3.378,
            moves_4: -3.223,
            moves_more: -0.0612,
            moves_unseen: 0.5109,
            moves_all_unseen: -5.197,
            moves_open: -0.6912,
            moves_last: 0.2254,
            stuck_soon: -2.485,
            reach_2: 0.2733,
            reach_3: 0.2847,
            reach_all: -0.1216,
            lost_bronze: -0.5174,
            lost_silver: 0.1981,
            lost_gold: 0.4785,
            left_unreached: -0.3889,
            left_reached_once: -0.3892,
            orphans: 0.898,
            board_unreached: -1.3418,
            board_stuck: -0.4229,
            board_pairs: -1.2141,
            run_1: -0.8184,
            run_2: -0.0972,
            run_on: -0.4115,
            pair: 1.3635,
            triple: -0.6055,
            ..Terms::ZERO
        },
    },
    Search::Sampled { beam: Settings { width: 10, depth: 12 }, samples: 48 },
);

/// Group 5 (1 2 3 4): tuned in the player `beam` (depth 10, width 5).
const GROUP_5: (Weights, Search) = (
    Weights {
        start: Terms {
            tile_bronze: -0.8165,
            tile_silver: 0.8795,
            tile_gold: 0.9989,
            layer_corner: 0.0318,
            layer_edge: 0.2882,
            layer_edge_middle: 0.4478,
            layer_inner_corner: 0.4418,
            layer_inner_edge: 0.745,
            layer_centre: 1.0161,
            moves_1: 8.302,
            moves_2: 6.808,
            moves_3: 7.466,
            moves_4: 7.131,
            moves_more: -0.0531,
            moves_unseen: 0.694,
            moves_all_unseen: -1.926,
            moves_open: 0.2991,
            moves_last: 0.1849,
            stuck_soon: -15.068,
            reach_2: 0.4436,
            reach_3: 0.2256,
            reach_all: 0.7485,
            lost_bronze: 1.1363,
            lost_silver: -0.0832,
            lost_gold: -0.0654,
            left_unreached: 4.0807,
            left_reached_once: 2.408,
            orphans: -0.9933,
            board_unreached: -0.5818,
            board_stuck: -4.992,
            board_number_sets: 0.7062,
            board_pairs: 1.0718,
            number_1: 2.857,
            number_2: 5.0412,
            number_3: 7.6703,
            order_1: 2.1384,
            order_2: 5.8249,
            order_3: 5.3663,
            choice: 0.8644,
            hope_1: 2.7179,
            hope_2: 2.3272,
            hope_3: -6.3514,
            next_same: 2.7227,
            next_none: 7.7119,
            start_number: 1.1319,
            start_order: 1.5116,
            needed: -0.2453,
            run_1: 2.6133,
            run_2: 1.1704,
            run_on: -3.0797,
            pair: -2.0622,
            triple: 0.7362,
            ..Terms::DEFAULT
        },
        drift: Terms::ZERO,
    },
    Search::Beam(Settings { width: 80, depth: 24 }),
);

/// Group 6 (1 2 3 4 torn lopare dam springare): tuned in the player `beam` (depth 8, width 4).
const GROUP_6: (Weights, Search) = (
    Weights {
        start: Terms {
            tile_bronze: -0.3127,
            tile_silver: 1.8336,
            tile_gold: 1.9966,
            layer_corner: 0.4432,
            layer_edge: 0.1652,
            layer_edge_middle: 0.5274,
            layer_inner_corner: -0.7761,
            layer_inner_edge: -0.3675,
            layer_centre: 0.6134,
            moves_1: 6.134,
            moves_2: 6.425,
            moves_3: 6.378,
            moves_4: 7.549,
            moves_more: -0.0556,
            moves_unseen: -0.3602,
            moves_all_unseen: 1.186,
            moves_open: 0.0016,
            moves_last: 0.9822,
            stuck_soon: -7.244,
            reach_2: -0.0144,
            reach_3: 0.0312,
            reach_all: -0.2118,
            lost_bronze: 0.2111,
            lost_silver: -0.9887,
            lost_gold: -0.632,
            left_unreached: 1.7594,
            left_reached_once: 1.2833,
            orphans: -0.1364,
            board_unreached: -0.9051,
            board_stuck: -2.4297,
            board_number_sets: 1.2195,
            board_chess_sets: 0.7399,
            board_pairs: 0.4452,
            number_1: 3.4655,
            number_2: 5.8601,
            number_3: 6.0783,
            chess_1: 4.2265,
            chess_2: 4.3308,
            chess_3: 6.64,
            chain_1: 0.7127,
            chain_2: 0.78323,
            chain_3: 0.89507,
            order_1: -1.9773,
            order_2: -0.0454,
            order_3: 2.5722,
            choice: 0.4944,
            link: 6.6257,
            hope_1: 1.0694,
            hope_2: -0.0306,
            hope_3: 1.2786,
            hope_chain: 0.10691,
            next_number: 5.0203,
            next_chess: 9.1958,
            next_chain: 0.20749,
            next_link: 0.6267,
            next_same: 3.9731,
            next_none: -0.1232,
            start_number: 0.1382,
            start_chess: -0.1139,
            start_link: 2.0642,
            start_order: 0.1211,
            needed: -0.8888,
            other_kind: -0.1726,
            run_1: 1.0364,
            run_2: -0.9549,
            run_on: 0.0468,
            pair: -0.1954,
            triple: 0.729,
            ..Terms::DEFAULT
        },
        drift: Terms::ZERO,
    },
    Search::Beam(Settings { width: 80, depth: 24 }),
);

pub mod clock {
//! Time in play: a budget for a whole game that a player shares out over its moves.

use std::time::{Duration, Instant};

/// How much of a game's time is left. Without a limit a player's choices depend on its settings alone; with one,
/// they stay the same until the clock runs short, and then the player searches less.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    deadline: Option<Instant>,
}

impl Clock {
    /// A clock that never runs out.
    pub const UNLIMITED: Clock = Clock { deadline: None };

    /// A clock that starts now and runs out after `limit`.
    pub fn start(limit: Duration) -> Self {
        Clock { deadline: Some(Instant::now() + limit) }
    }

    /// The time left, zero once it ran out; `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// A clock for one move when `moves` more are to be made: an even share of what is left.
    pub fn share(&self, moves: u32) -> Self {
        match self.left() {
            Some(left) => Clock { deadline: Some(Instant::now() + left / moves.max(1)) },
            None => *self,
        }
    }

    /// Whether the time is up.
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
}

pub mod piece {
//! Types of pieces and how they step: the same in the puzzles on boards of stacked tiles.

/// The type of a piece; the discriminants index every table by type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Piece {
    /// Exactly one step in any of eight directions.
    One,
    /// Exactly two steps.
    Two,
    /// Exactly three steps.
    Three,
    /// Exactly four steps.
    Four,
    /// All the way to the edge along a row or column.
    Rook,
    /// All the way to the edge along a diagonal.
    Bishop,
    /// Rook or bishop.
    Queen,
    /// A knight's jump.
    Knight,
}

/// How many types there are.
pub const TYPES: usize = 8;

impl Piece {
    /// All types, in the order of their discriminants.
    pub const ALL: [Piece; TYPES] =
        [Piece::One, Piece::Two, Piece::Three, Piece::Four, Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight];

    /// Whether a piece of this type steps from `from` to `to` on a board of `rows` x `columns`, all 0-based. What
    /// stands on the way or at the end of it does not matter here.
    pub const fn steps(
        self,
        (rows, columns): (usize, usize),
        (r1, c1): (usize, usize),
        (r2, c2): (usize, usize),
    ) -> bool {
        let (dr, dc) = (r1.abs_diff(r2), c1.abs_diff(c2));
        if dr == 0 && dc == 0 {
            return false;
        }
        let straight = dr == 0 || dc == 0;
        let diagonal = dr == dc;
        // A rook's row ends at the left and right edge, its column at the top and bottom.
        let ends_row = c2 == 0 || c2 == columns - 1;
        let ends_column = r2 == 0 || r2 == rows - 1;
        let rook = dr == 0 && ends_row || dc == 0 && ends_column;
        let bishop = diagonal && (ends_row || ends_column);
        match self {
            Piece::One | Piece::Two | Piece::Three | Piece::Four => {
                let distance = if dr > dc { dr } else { dc };
                (straight || diagonal) && distance == self as usize + 1
            }
            Piece::Rook => rook,
            Piece::Bishop => bishop,
            Piece::Queen => rook || bishop,
            Piece::Knight => dr + dc == 3 && !straight,
        }
    }
}
}

pub mod random {
//! A small portable generator for players that sample: the same numbers on every machine.

/// SplitMix64 (Steele, Lea and Flood, 2014): 64 bits of state, good enough to sample hidden tiles.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator whose whole sequence is fixed by `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An integer in `0..n`; the bias of the multiplication is below 2^-32 for the small `n` used here.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(n)) >> 32) as u32
    }
}
}

pub mod weights {
//! What a tunable weight is. Each game declares its weights once, with [`weights!`](crate::weights!); configuration
//! checks, listings, CSV headers and exported constants all read that declaration.

/// One declared weight of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// Name in configurations, CSV headers and exported sources: letters, digits and `_`.
    pub name: &'static str,
    /// What it multiplies, for a person.
    pub meaning: &'static str,
    /// Smallest value a tuner may try.
    pub min: f64,
    /// Largest value a tuner may try.
    pub max: f64,
    /// Typical distance between two values worth comparing: the unit of mutation.
    pub scale: f64,
    /// The hand-set value.
    pub default: f64,
}

/// Declares a struct of weights (every field an `f64`), and beside it the constant `DECLARED` that lists them in
/// the same order, with `from_values` and `values` between the two.
///
/// Each line reads `name: "meaning", min..=max, scale, default;`.
///
/// After the struct may stand variations of all its weights, to be declared as weights of their own: constants of the
/// same length as `DECLARED`, each with what it adds to the names and before the meanings.
#[macro_export]
macro_rules! weights {
    ($(#[$about:meta])* $vis:vis struct $Name:ident $weights:tt
        $($(#[$vary:meta])* variation $VARIATION:ident = $suffix:literal, $prefix:literal;)*
    ) => {
        $crate::weights! { @struct $(#[$about])* $vis struct $Name $weights }

        impl $Name {
            $($(#[$vary])* pub const $VARIATION: &'static [$crate::weights::Weight] =
                $crate::weights! { @variation $suffix, $prefix, $weights };)*
        }
    };
    (@variation $suffix:literal, $prefix:literal, {
        $($weight:ident : $meaning:literal, $min:literal ..= $max:literal, $scale:literal, $default:expr;)*
    }) => {
        &[$($crate::weights::Weight {
            name: concat!(stringify!($weight), $suffix), meaning: concat!($prefix, $meaning),
            min: $min - $max, max: $max - $min, scale: $scale, default: 0.0,
        },)*]
    };
    (@struct $(#[$about:meta])* $vis:vis struct $Name:ident {
        $($weight:ident : $meaning:literal, $min:literal ..= $max:literal, $scale:literal, $default:expr;)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        $vis struct $Name {
            $(#[doc = $meaning] pub $weight: f64,)*
        }

        impl $Name {
            /// Every weight, in declaration order.
            pub const DECLARED: &'static [$crate::weights::Weight] = &[
                $($crate::weights::Weight {
                    name: stringify!($weight), meaning: $meaning,
                    min: $min, max: $max, scale: $scale, default: $default,
                },)*
            ];

            /// How many weights there are.
            pub const COUNT: usize = Self::DECLARED.len();

            /// The hand-set weights.
            pub const DEFAULT: Self = Self { $($weight: $default),* };

            /// All weights 0.
            pub const ZERO: Self = Self { $($weight: 0.0),* };

            /// The weights from their values in declaration order.
            pub const fn from_values(values: &[f64; Self::COUNT]) -> Self {
                let [$($weight),*] = *values;
                Self { $($weight),* }
            }

            /// These weights plus `share` of `drift`.
            pub fn drifted(&self, drift: &Self, share: f64) -> Self {
                Self { $($weight: self.$weight + share * drift.$weight),* }
            }

            /// The values in declaration order.
            pub const fn values(&self) -> [f64; Self::COUNT] {
                [$(self.$weight),*]
            }
        }
    };
}
}

pub mod words {
//! What a judge sends, read as words: the dialogues do not care about the kind and number of white space between them.

use std::io::{BufRead, Read};

/// The words of an input, one by one; it never reads beyond the line that it needs.
#[derive(Debug)]
pub struct Words<R> {
    input: R,
    line: Vec<u8>,
    next: usize,
}

/// Longer words, in bytes, are none of any contest; they are cut off here.
pub const LONGEST: usize = 1000;

impl<R: BufRead> Words<R> {
    /// The words of `input` from where it stands.
    pub fn new(input: R) -> Self {
        Words { input, line: Vec::new(), next: 0 }
    }

    /// The next word, `None` at the end of the input. What is no text is escaped, fit to be shown.
    ///
    /// # Errors
    /// A message if reading fails.
    // An iterator would promise that it can be asked again after an error.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<String>, String> {
        loop {
            let rest = &self.line[self.next..];
            if let Some(start) = rest.iter().position(|byte| !byte.is_ascii_whitespace()) {
                let rest = &rest[start..];
                let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
                self.next += start + length;
                let word = String::from_utf8_lossy(&rest[..length.min(LONGEST)]);
                return Ok(Some(word.escape_debug().to_string()));
            }
            self.line.clear();
            self.next = 0;
            let mut limited = (&mut self.input).take(LONGEST as u64 * 100);
            let read = limited.read_until(b'\n', &mut self.line).map_err(|error| format!("cannot read: {error}"))?;
            if read == 0 {
                return Ok(None);
            }
        }
    }
}
}

pub mod solitaire_chess {
//! Solitaire chess: remove piece after piece from a 6 x 6 board, each removal a chess-like step from the last,
//! for points for tiles worn down and for runs and sets of types.
//!
//! [`board`], [`bonus`] and [`groups`] are the rules and [`position`] puts them together; [`weights`], [`prospects`] and
//! [`evaluation`] judge a position; [`beam`] and [`sampled`] look ahead; [`dialogue`] talks to the judge. [`playout`] plays
//! at random, as fast as it goes.

pub mod beam {
//! Beam search over the tiles whose pieces are known.
//!
//! A line of play ends where nothing can be removed any more, at a tile whose piece is not known yet (valued at the
//! average over the types it could be), or at the beam's depth. What the search answers is the first removal of the
//! line that ends best: points made plus the evaluation's future.

use super::board::{tiles, Mask, Tile, TYPES};
use super::bonus::State;
use super::evaluation::{Board, Evaluation};
use super::position::{Position, TIERS};
use crate::clock::Clock;

/// What a search takes for known: by layer (0 bronze, 1 silver, 2 gold) the tiles that hold each type there.
#[derive(Clone, Debug)]
pub struct Known(pub [[Mask; TYPES]; TIERS]);

impl Known {
    /// What the player sees; where only one type exists, all that is hidden too.
    pub fn visible(position: &Position, evaluation: &Evaluation) -> Self {
        let mut known = [[0; TYPES]; TIERS];
        for (layer, &tiles) in known.iter_mut().zip(position.tiers()) {
            *layer = position.visible().map(|set| set & tiles);
        }
        if evaluation.alphabet().size() == 1 {
            for piece in evaluation.alphabet().pieces() {
                known = known.map(|mut layer| {
                    layer[piece as usize] = super::board::ALL;
                    layer
                });
            }
        }
        Known(known)
    }

    /// The tiles that show each type once the tiles are worn down to these tiers.
    #[inline]
    fn types(&self, tiers: &[Mask; TIERS]) -> [Mask; TYPES] {
        let mut types = [0; TYPES];
        for (layer, tiles) in self.0.iter().zip(tiers) {
            for (shown, set) in types.iter_mut().zip(layer) {
                *shown |= set & tiles;
            }
        }
        types
    }
}

/// How far a beam looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Lines kept at each depth.
    pub width: usize,
    /// Removals looked ahead; 1 is the greedy player.
    pub depth: usize,
}

/// A line of play.
#[derive(Clone, Copy, Debug)]
struct Line {
    tiers: [Mask; TIERS],
    next: Mask,
    tile: Tile,
    first: Tile,
    bonus: State,
    points: u32,
    material: f64,
    value: f64,
}

impl Line {
    /// Whether both lines stand at the same place of the same board, whatever came before.
    fn meets(&self, other: &Line) -> bool {
        self.tile == other.tile && self.tiers == other.tiers && self.bonus == other.bonus
    }
}

/// How good each first removal turned out.
pub type Values = [f64; 64];

/// A beam search with its working memory.
#[derive(Debug)]
pub struct Beam {
    settings: Settings,
    lines: Vec<Line>,
    grown: Vec<Line>,
}

impl Beam {
    /// A beam with these settings; a width or depth of 0 counts as 1.
    pub fn new(settings: Settings) -> Self {
        let width = settings.width.max(1);
        let settings = Settings { width, depth: settings.depth.max(1) };
        Beam { settings, lines: Vec::with_capacity(width + 1), grown: Vec::with_capacity(width + 1) }
    }

    /// The best removal, `None` if there is none. A clock that runs out ends the search at the depth reached.
    pub fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
        let known = Known::visible(position, evaluation);
        let values = self.values(position, position.legal(), &known, evaluation, clock);
        best(position.legal(), &values)
    }

    /// The value of the best line found that starts with the removal of a legal `tile`.
    pub fn value(
        &mut self,
        position: &Position,
        tile: Tile,
        known: &Known,
        evaluation: &Evaluation,
        clock: &Clock,
    ) -> f64 {
        self.values(position, 1 << tile, known, evaluation, clock)[tile as usize]
    }

    /// By first removal, out of `legal`, the value of the best line found that starts with it: points from here on
    /// plus the evaluation of where it ends; negative infinity for tiles that start none. Only the best of them is a
    /// sure guide: lines of the others may have been left behind early.
    pub fn values(
        &mut self,
        position: &Position,
        legal: Mask,
        known: &Known,
        evaluation: &Evaluation,
        clock: &Clock,
    ) -> Values {
        let mut values = [f64::NEG_INFINITY; 64];
        let tiers = *position.tiers();
        let root = Line {
            tiers,
            next: legal,
            tile: 0,
            first: 0,
            bonus: position.bonus(),
            points: 0,
            material: evaluation.material(&tiers),
            value: 0.0,
        };
        self.lines.clear();
        self.lines.push(root);
        for depth in 1..=self.settings.depth {
            let last = depth == self.settings.depth || (depth > 1 && clock.is_over());
            self.grown.clear();
            for i in 0..self.lines.len() {
                let line = self.lines[i];
                self.extend(&line, known, evaluation, depth == 1, last, &mut values);
            }
            if last || self.grown.is_empty() {
                break;
            }
            std::mem::swap(&mut self.lines, &mut self.grown);
        }
        values
    }

    /// Adds every removal after `line`: to `values` where the line of play ends with it, else to the beam.
    #[inline]
    fn extend(
        &mut self,
        line: &Line,
        known: &Known,
        evaluation: &Evaluation,
        is_first: bool,
        is_last: bool,
        values: &mut Values,
    ) {
        let board = evaluation.survey(known.types(&line.tiers), line.tiers, line.material);
        let mut finish = |first: Tile, value: f64| {
            let best = &mut values[first as usize];
            *best = best.max(value);
        };
        for piece in evaluation.alphabet().pieces() {
            for tile in tiles(line.next & board.types[piece as usize]) {
                let removal = if is_last {
                    let after = evaluation.after(&board, line.material, tile);
                    evaluation.judge_closely(&board, &after, line.bonus, tile, piece)
                } else {
                    evaluation.judge(&board, line.bonus, tile, piece)
                };
                let points = line.points + removal.points;
                let value = f64::from(points) + removal.future;
                let first = if is_first { tile } else { line.first };
                if is_last || removal.next == 0 {
                    finish(first, value);
                } else if self.admits(value) {
                    let (tiers, material) = evaluation.worn(&board, line.material, tile);
                    let next = removal.next;
                    self.admit(Line { tiers, next, tile, first, bonus: removal.bonus, points, material, value });
                }
            }
        }
        for tile in tiles(line.next & board.unseen) {
            let first = if is_first { tile } else { line.first };
            finish(first, f64::from(line.points) + expected(evaluation, &board, line, tile));
        }
    }

    #[inline(always)]
    fn admits(&self, value: f64) -> bool {
        self.grown.len() < self.settings.width || self.grown.last().is_some_and(|last| value > last.value)
    }

    /// Puts a line in its place; of two lines that meet, the better one stays.
    fn admit(&mut self, line: Line) {
        if let Some(met) = self.grown.iter().position(|other| other.meets(&line)) {
            if self.grown[met].value >= line.value {
                return;
            }
            self.grown.remove(met);
        } else if self.grown.len() == self.settings.width {
            self.grown.pop();
        }
        let place = self.grown.partition_point(|other| other.value >= line.value);
        self.grown.insert(place, line);
    }
}

/// The value of removing an unknown piece: the mean over the types it could be.
#[inline]
fn expected(evaluation: &Evaluation, board: &Board, line: &Line, tile: Tile) -> f64 {
    let after = evaluation.after(board, line.material, tile);
    let mut sum = 0.0;
    for piece in evaluation.alphabet().pieces() {
        let removal = evaluation.judge_closely(board, &after, line.bonus, tile, piece);
        sum += f64::from(removal.points) + removal.future;
    }
    sum / evaluation.alphabet().size() as f64
}

/// The tile with the best value, the first of equals.
pub fn best(legal: Mask, values: &Values) -> Option<Tile> {
    let mut best: Option<Tile> = None;
    for tile in tiles(legal) {
        if best.is_none_or(|best| values[tile as usize] > values[best as usize]) {
            best = Some(tile);
        }
    }
    best
}
}

pub mod board {
//! The board: tiles as bits, the eight types of piece, and where each lets the next removal go.
//!
//! Row `r`, column `c` (0-based) is bit `10 r + c` of a [`Mask`]: a tile's two digits are its row and its column.

/// Rows, and columns.
pub const SIDE: usize = 6;
const STRIDE: usize = 10;

/// A tile: `10 * row + column`.
pub type Tile = u8;

/// A set of tiles, one bit a tile.
pub type Mask = u64;

/// All 36 tiles.
pub const ALL: Mask = ROW * COLUMN;
const ROW: Mask = 0b11_1111;
const COLUMN: Mask = 1 | 1 << 10 | 1 << 20 | 1 << 30 | 1 << 40 | 1 << 50;

/// The tile at a 0-based row and column below [`SIDE`].
pub const fn tile(row: usize, column: usize) -> Tile {
    (row * STRIDE + column) as Tile
}

/// The 0-based row and column of a tile.
pub const fn row_column(tile: Tile) -> (usize, usize) {
    (tile as usize / STRIDE, tile as usize % STRIDE)
}

/// The tiles of a set in ascending order.
#[inline]
pub fn tiles(mut set: Mask) -> impl Iterator<Item = Tile> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let tile = set.trailing_zeros() as Tile;
        set &= set - 1;
        Some(tile)
    })
}

pub use crate::piece::{Piece, TYPES};

impl Piece {
    const NAMES: [&'static str; TYPES] = ["1", "2", "3", "4", "torn", "lopare", "dam", "springare"];

    /// The name in the judge's dialogue.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The type of that name in the judge's dialogue.
    pub fn from_name(name: &str) -> Option<Piece> {
        Self::ALL.into_iter().find(|piece| piece.name() == name)
    }
}

/// The tiles that may follow the removal of a piece from a tile, were they all occupied, by type and tile.
/// [`targets`] reads it.
pub(super) static TARGETS: [[Mask; 64]; TYPES] = all_targets();

/// The tiles, occupied or not, that the rules allow right after a `piece` was removed from `tile`.
#[inline]
pub fn targets(piece: Piece, tile: Tile) -> Mask {
    TARGETS[piece as usize][(tile & 63) as usize]
}

const fn all_targets() -> [[Mask; 64]; TYPES] {
    let mut table = [[0; 64]; TYPES];
    let mut from = 0;
    while from < SIDE * SIDE {
        let mut to = 0;
        while to < SIDE * SIDE {
            let (r1, c1, r2, c2) = (from / SIDE, from % SIDE, to / SIDE, to % SIDE);
            let mut piece = 0;
            while piece < TYPES {
                if Piece::ALL[piece].steps((SIDE, SIDE), (r1, c1), (r2, c2)) {
                    table[piece][tile(r1, c1) as usize] |= 1 << tile(r2, c2);
                }
                piece += 1;
            }
            to += 1;
        }
        from += 1;
    }
    table
}
}

pub mod bonus {
//! The bonuses for runs, sets and alternation, as an automaton over the types removed.
//!
//! What earlier removals can still do for later bonuses is little: the longest tail of distinct types of one kind
//! (at most three: a fourth completes the set and empties it), whether that tail starts right where the last set
//! ended, how long the alternation is by then (one, or more), and whether a run is in progress. A greedy
//! left-to-right scan for windows of four finds exactly the sets that this tail completes. That makes fewer than
//! [`STATES`] states, so a removal's bonus is one look into a table, made here at compile time.

use super::board::{Piece, TYPES};

/// An upper bound of the number of states.
pub const STATES: usize = 272;

/// A state of the automaton; 0 before the first removal.
pub type State = u16;

/// The kind of a type: sets are made of the four numbers or of the four chess pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// 1, 2, 3, 4.
    Number,
    /// Rook, bishop, queen, knight.
    Chess,
}

impl Kind {
    /// The kind of a type.
    pub const fn of(piece: Piece) -> Kind {
        if (piece as u8) < 4 {
            Kind::Number
        } else {
            Kind::Chess
        }
    }

    /// The four types of the kind.
    pub const fn pieces(self) -> [Piece; 4] {
        match self {
            Kind::Number => [Piece::One, Piece::Two, Piece::Three, Piece::Four],
            Kind::Chess => [Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight],
        }
    }

    /// The other kind.
    pub const fn other(self) -> Kind {
        match self {
            Kind::Number => Kind::Chess,
            Kind::Chess => Kind::Number,
        }
    }
}

/// Points for each further piece of a run (its first two count together).
const RUN: u8 = 2;
const ORDERED_NUMBERS: u8 = 12;
const NUMBERS: u8 = 8;
const CHESS: u8 = 8;
/// Points for each set of an alternation (its first two count together).
const ALTERNATION: u8 = 8;

/// What one removal does to the bonuses.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The state after it.
    pub next: State,
    /// All bonus points that it brings.
    pub total: u8,
    /// How many of them are for the alternation; the rest is for the run or the set.
    pub alternation: u8,
}

/// What a state means to an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Meaning {
    /// The type removed last.
    pub last: Piece,
    /// Whether the last two removals, or more, were of one type.
    pub run: bool,
    /// How many removals the set in progress has, 0 to 3; 0 right after a set, and before the first removal.
    pub length: u8,
    /// The types that the set in progress lacks: bit `i` for the `i`-th type of the kind of `last`.
    pub missing: u8,
    /// Whether the set in progress can still be a number set in order: 1 ascending, 2 descending, 0 neither.
    pub order: u8,
    /// Alternation points that completing the set in progress would bring; with `length` 0, those that a set of the
    /// other kind would bring.
    pub alternation: u8,
}

/// A state written out. Two histories with the same tail have the same future.
#[derive(Clone, Copy)]
struct Tail {
    /// The types of the set in progress in order of removal.
    types: [u8; 3],
    length: usize,
    /// Sets alternating up to where the tail starts, at most 2; 0 if a removal lies between.
    chain: u8,
    last: u8,
    run: bool,
}

impl Tail {
    /// A number below [`CODES`] that differs for different tails.
    const fn code(self) -> usize {
        let mut code = self.length;
        let mut i = 0;
        while i < 3 {
            code = code * 8 + if i < self.length { self.types[i] as usize } else { 0 };
            i += 1;
        }
        ((code * 3 + self.chain as usize) * 8 + self.last as usize) * 2 + self.run as usize
    }

    const fn kind(self) -> u8 {
        self.last / 4
    }

    const fn ascending(self) -> bool {
        self.is_ordered(true)
    }

    /// Whether the tail starts 1 2 3 (or 4 3 2).
    const fn is_ordered(self, ascending: bool) -> bool {
        let mut i = 0;
        while i < self.length {
            let due = if ascending { i } else { 3 - i };
            if self.types[i] as usize != due {
                return false;
            }
            i += 1;
        }
        self.length > 0
    }

    const fn missing(self) -> u8 {
        let mut missing = 0b1111;
        let mut i = 0;
        while i < self.length {
            missing &= !(1 << (self.types[i] % 4));
            i += 1;
        }
        missing
    }

    /// Alternation points of the next set that goes on with the chain.
    const fn alternation_due(self) -> u8 {
        match self.chain {
            0 => 0,
            1 => 2 * ALTERNATION,
            _ => ALTERNATION,
        }
    }

    const fn meaning(self) -> Meaning {
        Meaning {
            last: Piece::ALL[self.last as usize],
            run: self.run,
            length: self.length as u8,
            missing: self.missing(),
            order: if self.ascending() {
                1
            } else if self.is_ordered(false) {
                2
            } else {
                0
            },
            alternation: self.alternation_due(),
        }
    }

    /// The tail after one more removal, the bonus for the run or the set, and the alternation's.
    const fn remove(self, piece: u8, first: bool) -> (Tail, u8, u8) {
        if !first && piece == self.last {
            // Twice the same type: only the second can start a set, and whatever chain there was is broken.
            let tail = Tail { types: [piece, 0, 0], length: 1, chain: 0, last: piece, run: true };
            return (tail, if self.run { RUN } else { 2 * RUN }, 0);
        }
        let kind = piece / 4;
        let same_kind = !first && kind == self.kind();
        let mut tail = Tail { types: [piece, 0, 0], length: 1, chain: 0, last: piece, run: false };
        if self.length == 0 {
            // Right after a set: one of the other kind alternates.
            if !first && !same_kind {
                tail.chain = self.chain;
            }
            return (tail, 0, 0);
        }
        if !same_kind {
            return (tail, 0, 0);
        }
        // Types up to the one that is repeated drop out of the set in progress, and with them the chain.
        let mut from = 0;
        let mut i = 0;
        while i < self.length {
            if self.types[i] == piece {
                from = i + 1;
            }
            i += 1;
        }
        let length = self.length - from + 1;
        let chain = if from == 0 { self.chain } else { 0 };
        if length == 4 {
            let completed = self.alternation_due();
            // Three in order leave only one type for the fourth, and it comes in order.
            let points = match kind {
                0 if self.is_ordered(true) || self.is_ordered(false) => ORDERED_NUMBERS,
                0 => NUMBERS,
                _ => CHESS,
            };
            tail.length = 0;
            tail.chain = if chain == 0 { 1 } else { 2 };
            return (tail, points, completed);
        }
        i = from;
        while i < self.length {
            tail.types[i - from] = self.types[i];
            i += 1;
        }
        tail.types[length - 1] = piece;
        tail.length = length;
        tail.chain = chain;
        (tail, 0, 0)
    }
}

const CODES: usize = 4 * 8 * 8 * 8 * 3 * 8 * 2;

/// The automaton.
pub struct Automaton {
    steps: [[Step; TYPES]; STATES],
    meanings: [Meaning; STATES],
}

static AUTOMATON: Automaton = Automaton::build();

impl Automaton {
    /// Walks all states from the start, breadth first, numbering them as they are met.
    const fn build() -> Automaton {
        const START: Tail = Tail { types: [0; 3], length: 0, chain: 0, last: 0, run: false };
        let mut tails = [START; STATES];
        let mut known = [0 as State; CODES];
        let mut count = 1;
        let none = Step { next: 0, total: 0, alternation: 0 };
        let mut automaton = Automaton { steps: [[none; TYPES]; STATES], meanings: [START.meaning(); STATES] };
        let mut state = 0;
        while state < count {
            automaton.meanings[state] = tails[state].meaning();
            let mut piece = 0;
            while piece < TYPES {
                let (tail, points, alternation) = tails[state].remove(piece as u8, state == 0);
                // State 0 is never entered again, so 0 stands for a tail not met yet.
                let code = tail.code();
                if known[code] == 0 {
                    known[code] = count as State;
                    tails[count] = tail;
                    count += 1;
                }
                let total = points + alternation;
                automaton.steps[state][piece] = Step { next: known[code], total, alternation };
                piece += 1;
            }
            state += 1;
        }
        automaton
    }
}

/// What removing a piece of that type does in that state.
#[inline]
pub fn step(state: State, piece: Piece) -> Step {
    AUTOMATON.steps[state as usize][piece as usize]
}

/// What a state means.
#[inline]
pub fn meaning(state: State) -> &'static Meaning {
    &AUTOMATON.meanings[state as usize]
}
}

pub mod dialogue {
//! The contest's dialogue: read the board, then print a tile and read what it hid, again and again.
//!
//! Stopping early never pays, because no removal costs points: the player stops, with `0 0`, only when nothing can be
//! removed any more. Words may be separated by any white space.

use super::board::{row_column, Piece, Tile, SIDE};
use super::groups::{alphabet, group_of};
use super::player::Player;
use super::position::{Position, TIERS};
use crate::clock::Clock;
use crate::words::Words;
use std::io::{self, BufRead, Write};

/// The judge's word for a tile that is empty now.
const EMPTIED: &str = "blank";

/// Plays one game. `player` makes the player for a group, 1 to 6.
///
/// The game is over when nothing can be removed, and also when the judge closes its side where an answer was due.
///
/// # Errors
/// A message that says what was wrong with the input, or that reading or writing failed.
pub fn play(
    input: impl BufRead,
    output: impl Write,
    clock: &Clock,
    player: impl FnOnce(usize) -> Player,
) -> Result<(), String> {
    let mut words = Words::new(input);
    let pieces = read_board(&mut words)?;
    let mut position = Position::new(|tile| pieces[index(tile)]);
    let group = group_of(position.visible());
    let mut player = player(group);
    match converse(&mut words, output, &mut position, |position| player.choose(position, alphabet(group), clock)) {
        Err(Ending::Broken(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(Ending::Broken(error)) => Err(format!("cannot print a move: {error}")),
        Err(Ending::Wrong(message)) => Err(message),
        Ok(()) => Ok(()),
    }
}

enum Ending {
    Wrong(String),
    Broken(io::Error),
}

impl From<io::Error> for Ending {
    fn from(error: io::Error) -> Self {
        Ending::Broken(error)
    }
}

fn converse(
    words: &mut Words<impl BufRead>,
    mut output: impl Write,
    position: &mut Position,
    mut choose: impl FnMut(&Position) -> Option<Tile>,
) -> Result<(), Ending> {
    while let Some(tile) = choose(position) {
        let (row, column) = row_column(tile);
        writeln!(output, "{} {}", row + 1, column + 1)?;
        output.flush()?;
        let place = || format!("after the removal of {} {}", row + 1, column + 1);
        let Some(word) = words.next().map_err(Ending::Wrong)? else { return Ok(()) };
        let is_last_layer = position.tier(tile) == TIERS - 1;
        let revealed = match (word.as_str(), is_last_layer) {
            (EMPTIED, true) => None,
            (EMPTIED, false) => {
                return Err(Ending::Wrong(format!("{}: `{EMPTIED}`, but the tile has another layer", place())))
            }
            (word, true) => {
                return Err(Ending::Wrong(format!("{}: `{word}`, but `{EMPTIED}` was due: the tile is empty", place())))
            }
            (word, false) => match Piece::from_name(word) {
                Some(piece) => Some(piece),
                None => return Err(Ending::Wrong(format!("{}: there is no piece `{word}`", place()))),
            },
        };
        position.remove(tile, revealed);
    }
    writeln!(output, "0 0")?;
    output.flush()?;
    Ok(())
}

fn read_board(words: &mut Words<impl BufRead>) -> Result<[Piece; SIDE * SIDE], String> {
    let mut pieces = [Piece::One; SIDE * SIDE];
    for (i, piece) in pieces.iter_mut().enumerate() {
        let (row, column) = (i / SIDE + 1, i % SIDE + 1);
        let Some(word) = words.next()? else {
            return Err(format!("the board ends before row {row}, column {column}"));
        };
        *piece = Piece::from_name(&word)
            .ok_or_else(|| format!("the board at row {row}, column {column}: there is no piece `{word}`"))?;
    }
    Ok(pieces)
}

/// The place of a tile in the board as read.
fn index(tile: Tile) -> usize {
    let (row, column) = row_column(tile);
    row * SIDE + column
}
}

pub mod evaluation {
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
}

pub mod groups {
//! The contest's six groups of tests: which types of pieces appear in each.

use super::board::{Mask, Piece, TYPES};
use super::prospects::Alphabet;

/// The types of each group, group 1 first. Hidden pieces are drawn uniformly from them.
pub const GROUPS: [&[Piece]; 6] = [
    &[Piece::Knight],
    &[Piece::One],
    &[Piece::One, Piece::Two],
    &[Piece::Rook, Piece::Bishop, Piece::Queen],
    &[Piece::One, Piece::Two, Piece::Three, Piece::Four],
    &Piece::ALL,
];

/// The types of a group, 1 to 6.
///
/// # Panics
/// If there is no such group.
pub fn alphabet(group: usize) -> Alphabet {
    Alphabet::of(GROUPS[group - 1])
}

/// The group of a board, from the types that it shows: the one with fewest types that has them all.
pub fn group_of(visible: &[Mask; TYPES]) -> usize {
    let shown = Alphabet::of_board(visible);
    (1..=GROUPS.len())
        .filter(|&group| alphabet(group).has_all(shown))
        .min_by_key(|&group| GROUPS[group - 1].len())
        .expect("the last group has every type")
}
}

pub mod player {
//! The players by name: greedy, beam, sampled.

use super::beam::{Beam, Settings};
use super::board::Tile;
use super::evaluation::Evaluation;
use super::position::{Position, REMOVALS};
use super::prospects::Alphabet;
use super::sampled::Sampled;
use super::weights::Weights;
use crate::clock::Clock;

/// Which search looks ahead, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Beam search over the visible tiles; with depth 1 the greedy player.
    Beam(Settings),
    /// Beam searches over sampled completions of the hidden tiles.
    Sampled {
        /// The beam that plays each completion.
        beam: Settings,
        /// Completions a move.
        samples: u32,
    },
}

/// The greedy player: one removal ahead.
pub const GREEDY: Search = Search::Beam(Settings { width: 1, depth: 1 });

/// A player of one game after another.
#[derive(Debug)]
pub struct Player {
    weights: Weights,
    search: Searcher,
}

#[derive(Debug)]
enum Searcher {
    Beam(Beam),
    Sampled(Sampled),
}

impl Player {
    /// A player with these weights that looks ahead by this search.
    pub fn new(weights: Weights, search: Search) -> Self {
        let search = match search {
            Search::Beam(settings) => Searcher::Beam(Beam::new(settings)),
            Search::Sampled { beam, samples } => Searcher::Sampled(Sampled::new(beam, samples)),
        };
        Player { weights, search }
    }

    /// The tile to remove, `None` if nothing can be removed. The same position gives the same tile, unless `clock`
    /// runs short.
    pub fn choose(&mut self, position: &Position, alphabet: Alphabet, clock: &Clock) -> Option<Tile> {
        let progress = f64::from(position.removals()) / f64::from(REMOVALS);
        let evaluation = Evaluation::new(self.weights.at(progress), alphabet);
        let clock = clock.share(REMOVALS - position.removals());
        match &mut self.search {
            Searcher::Beam(beam) => beam.choose(position, &evaluation, &clock),
            Searcher::Sampled(sampled) => sampled.choose(position, &evaluation, &clock),
        }
    }
}
}

pub mod position {
//! A game in progress as its player sees it.

use super::board::{targets, tiles, Mask, Piece, Tile, ALL, TYPES};
use super::bonus::{self, Kind, State};

/// Layers of a tile: bronze, silver, gold.
pub const TIERS: usize = 3;

/// The most removals that a game can have.
pub const REMOVALS: u32 = (36 * TIERS) as u32;

/// A score by its parts, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// One point a removal: 1 for a tile worn down to silver, 2 to gold, 3 to empty.
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
    /// The contest's score.
    pub fn total(&self) -> u32 {
        self.parts().iter().map(|&(_, points)| u32::from(points)).sum()
    }

    /// The parts with their names.
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

/// A game in progress: the visible pieces, what is left under them, and the score so far.
#[derive(Clone, Debug)]
pub struct Position {
    visible: [Mask; TYPES],
    tiers: [Mask; TIERS],
    last: Option<(Tile, Piece)>,
    bonus: State,
    score: Score,
}

impl Position {
    /// The start of a game from the visible piece of each tile.
    pub fn new(piece_at: impl Fn(Tile) -> Piece) -> Self {
        let mut visible = [0; TYPES];
        for tile in tiles(ALL) {
            visible[piece_at(tile) as usize] |= 1 << tile;
        }
        Position { visible, tiers: [ALL, 0, 0], last: None, bonus: 0, score: Score::default() }
    }

    /// The tiles that may be removed now: every tile at first, then those that the last removal allows.
    pub fn legal(&self) -> Mask {
        match self.last {
            None => ALL,
            Some((tile, piece)) => targets(piece, tile) & self.occupied(),
        }
    }

    /// The tiles that are not empty.
    pub fn occupied(&self) -> Mask {
        self.tiers[0] | self.tiers[1] | self.tiers[2]
    }

    /// The visible piece of a tile, `None` if it is empty.
    pub fn piece(&self, tile: Tile) -> Option<Piece> {
        Piece::ALL.into_iter().find(|&piece| self.visible[piece as usize] >> tile & 1 == 1)
    }

    /// The tiles that show each type.
    pub fn visible(&self) -> &[Mask; TYPES] {
        &self.visible
    }

    /// The tiles of each tier: bronze, silver, gold.
    pub fn tiers(&self) -> &[Mask; TIERS] {
        &self.tiers
    }

    /// The layer of a tile that shows: 0 bronze, 1 silver, 2 gold; 3 if it is empty.
    pub fn tier(&self, tile: Tile) -> usize {
        self.tiers.iter().position(|tiles| tiles >> tile & 1 == 1).unwrap_or(TIERS)
    }

    /// The tile and the type removed last.
    pub fn last(&self) -> Option<(Tile, Piece)> {
        self.last
    }

    /// Where the bonuses stand.
    pub fn bonus(&self) -> State {
        self.bonus
    }

    /// The score so far.
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// Removals made so far.
    pub fn removals(&self) -> u32 {
        u32::from(self.score.tiles)
    }

    /// Removes the visible piece of a [`legal`](Self::legal) tile. `revealed` is the piece that takes its place; it
    /// is ignored for a gold piece, which leaves the tile empty.
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
}

pub mod prospects {
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
}

pub mod sampled {
//! Beam searches over sampled completions: the hidden tiles are dealt at random several times, each deal is searched
//! as if it were known, and the first removal with the best mean over the deals is made.
//!
//! Every removal gets a beam of its own: in a common one, all but the best of them are left behind after a few
//! removals, and what was found of them until then says little. Those that look much worse on the visible tiles alone
//! are not searched at all.

use super::beam::{Beam, Known, Settings};
use super::board::{tiles, Piece, Tile};
use super::evaluation::Evaluation;
use super::position::{Position, TIERS};
use crate::clock::Clock;
use crate::random::SplitMix64;

/// The player with its working memory.
#[derive(Debug)]
pub struct Sampled {
    beam: Beam,
    samples: u32,
}

impl Sampled {
    /// A player that searches `samples` completions a move with a beam.
    pub fn new(beam: Settings, samples: u32) -> Self {
        Sampled { beam: Beam::new(beam), samples }
    }

    /// The removal with the best mean over the completions, `None` if there is none. When the clock runs out it is
    /// the mean over the completions searched so far.
    pub fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
        let visible = Known::visible(position, evaluation);
        let legal = position.legal();
        if legal & legal.wrapping_sub(1) == 0 || evaluation.alphabet().size() == 1 {
            return self.beam.choose(position, evaluation, clock);
        }
        let mut candidates: Vec<(Tile, f64)> =
            tiles(legal).map(|tile| (tile, self.beam.value(position, tile, &visible, evaluation, clock))).collect();
        candidates.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let best = candidates[0].1;
        candidates.retain(|&(_, value)| value >= best - NEAR);
        candidates.truncate(MOST);
        if candidates.len() > 1 {
            for candidate in &mut candidates {
                candidate.1 = 0.0;
            }
            let mut random = SplitMix64::new(seed(position));
            for _ in 0..self.samples {
                let known = complete(&visible, position, evaluation, &mut random);
                // A completion counts for all removals or for none.
                let values =
                    candidates.iter().map(|&(tile, _)| self.beam.value(position, tile, &known, evaluation, clock));
                let values: Vec<f64> = values.collect();
                if clock.is_over() {
                    break;
                }
                for (candidate, value) in candidates.iter_mut().zip(values) {
                    candidate.1 += value;
                }
            }
        }
        // The first of equals: without any completion the one that looked best.
        candidates.into_iter().reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(tile, _)| tile)
    }
}

/// How many points a removal may look worse than the best one, on the visible tiles, to be searched further.
const NEAR: f64 = 10.0;
/// How many removals are searched further at most.
const MOST: usize = 4;

/// A seed that the position fixes, so that the same position is always searched over the same completions.
fn seed(position: &Position) -> u64 {
    position
        .visible()
        .iter()
        .chain(position.tiers())
        .fold(u64::from(position.bonus()), |seed, &set| SplitMix64::new(seed ^ set).next_u64())
}

/// What is visible, and a random piece everywhere below.
fn complete(visible: &Known, position: &Position, evaluation: &Evaluation, random: &mut SplitMix64) -> Known {
    let mut alphabet = [Piece::One; 8];
    let mut types = 0;
    for piece in evaluation.alphabet().pieces() {
        alphabet[types] = piece;
        types += 1;
    }
    let mut known = visible.clone();
    let [bronze, silver, _] = *position.tiers();
    for (layer, hidden) in [(1, bronze), (2, bronze | silver)] {
        debug_assert!(layer < TIERS);
        for tile in tiles(hidden) {
            let piece = alphabet[random.below(types as u32) as usize];
            known.0[layer][piece as usize] |= 1 << tile;
        }
    }
    known
}
}

pub mod weights {
//! The weights of the evaluation, each declared once. Values are in points of the game's score.

crate::weights! {
    /// What an evaluation multiplies its features with.
    pub struct Terms {
        tile_bronze: "each bronze tile", -40.0..=40.0, 0.3, 2.0;
        tile_silver: "each silver tile", -40.0..=40.0, 0.3, 1.5;
        tile_gold: "each gold tile", -40.0..=40.0, 0.3, 0.8;
        layer_corner: "each layer left on a corner tile", -20.0..=20.0, 0.15, 0.0;
        layer_edge: "each layer left on an edge tile beside a corner", -20.0..=20.0, 0.15, 0.0;
        layer_edge_middle: "each layer left on one of the two middle tiles of an edge", -20.0..=20.0, 0.15, 0.0;
        layer_inner_corner: "each layer left on a tile diagonally next to a corner", -20.0..=20.0, 0.15, 0.0;
        layer_inner_edge: "each layer left on a tile next to an edge's middle", -20.0..=20.0, 0.15, 0.0;
        layer_centre: "each layer left on one of the four central tiles", -20.0..=20.0, 0.15, 0.0;

        moves_1: "exactly one next tile", -40.0..=40.0, 1.0, 4.0;
        moves_2: "exactly two next tiles", -40.0..=40.0, 1.0, 6.0;
        moves_3: "exactly three next tiles", -40.0..=40.0, 1.0, 7.0;
        moves_4: "four next tiles or more", -40.0..=40.0, 1.0, 8.0;
        moves_more: "each next tile beyond four", -10.0..=10.0, 0.3, 0.2;
        moves_unseen: "each next tile whose piece is not known yet", -10.0..=10.0, 0.3, -0.2;
        moves_all_unseen: "next tiles, but not one with a known piece", -20.0..=20.0, 1.0, -1.0;
        moves_open: "each next tile that has at least two tiles after it", -10.0..=10.0, 0.3, 0.4;
        moves_last: "each next tile that has no tile after it", -10.0..=10.0, 0.3, -0.4;
        stuck_soon: "no next tile has a tile after it", -40.0..=40.0, 1.0, -8.0;
        reach_2: "each tile within two removals", -10.0..=10.0, 0.1, 0.1;
        reach_3: "each tile within three removals", -10.0..=10.0, 0.1, 0.0;
        reach_all: "each tile within any number of removals of visible pieces", -10.0..=10.0, 0.1, 0.1;
        lost_bronze: "each bronze tile that is not within reach", -10.0..=10.0, 0.2, 0.0;
        lost_silver: "each silver tile that is not within reach", -10.0..=10.0, 0.2, 0.0;
        lost_gold: "each gold tile that is not within reach", -10.0..=10.0, 0.2, 0.0;

        left_unreached: "the tile just worn down is reached by no visible piece", -20.0..=20.0, 0.4, 0.5;
        left_reached_once: "the tile just worn down is reached by one visible piece", -20.0..=20.0, 0.4, 0.2;
        orphans: "each next tile that no other visible piece reaches", -20.0..=20.0, 0.3, -0.4;
        board_unreached: "each tile that no visible piece reaches", -20.0..=20.0, 0.3, -0.8;
        board_stuck: "each visible piece with no tile after it", -20.0..=20.0, 0.3, -0.4;
        board_number_sets: "each tile that starts a visible number set", -20.0..=20.0, 0.3, 0.1;
        board_chess_sets: "each tile that starts a visible chess set", -20.0..=20.0, 0.3, 0.1;
        board_pairs: "each tile from which its own type is a step away", -20.0..=20.0, 0.3, 0.1;

        number_1: "a number set of one piece so far can be completed over visible tiles", -20.0..=40.0, 0.8, 3.0;
        number_2: "a number set of two pieces so far can be completed over visible tiles", -20.0..=40.0, 0.8, 5.0;
        number_3: "a number set of three pieces so far can be completed now", -20.0..=40.0, 0.8, 8.0;
        chess_1: "a chess set of one piece so far can be completed over visible tiles", -20.0..=40.0, 0.8, 3.0;
        chess_2: "a chess set of two pieces so far can be completed over visible tiles", -20.0..=40.0, 0.8, 5.0;
        chess_3: "a chess set of three pieces so far can be completed now", -20.0..=40.0, 0.8, 8.0;
        chain_1: "each alternation point due for a completable set of one piece so far", -2.0..=4.0, 0.06, 0.3;
        chain_2: "each alternation point due for a completable set of two pieces so far", -2.0..=4.0, 0.06, 0.5;
        chain_3: "each alternation point due for a completable set of three pieces so far", -2.0..=4.0, 0.06, 0.9;
        order_1: "a set of one number so far can be completed in order", -20.0..=20.0, 0.5, 1.0;
        order_2: "a set of two numbers so far can be completed in order", -20.0..=20.0, 0.5, 2.0;
        order_3: "a set of three numbers so far can be completed in order", -20.0..=20.0, 0.5, 4.0;
        choice: "more than one next tile goes on towards completing the set", -20.0..=20.0, 0.5, 0.5;
        link: "the set can be completed so that one of the other kind can follow", -20.0..=40.0, 0.8, 3.0;
        hope_1: "one piece so far, not completable yet, but a next tile is needed or unknown", -20.0..=20.0, 0.5, 0.5;
        hope_2: "two pieces so far, not completable yet, but a next tile is needed or unknown", -20.0..=20.0, 0.5, 1.0;
        hope_3: "three pieces so far, and a next tile is unknown", -20.0..=20.0, 0.5, 1.0;
        hope_chain: "each alternation point due in those three cases", -2.0..=4.0, 0.06, 0.05;

        next_number: "a set is complete, and a visible number set of the other kind can follow", -20.0..=40.0, 0.8, 4.0;
        next_chess: "a set is complete, and a visible chess set of the other kind can follow", -20.0..=40.0, 0.8, 4.0;
        next_chain: "each alternation point due in those two cases", -2.0..=4.0, 0.06, 0.3;
        next_link: "that next set can be followed by a third one", -20.0..=40.0, 0.8, 2.0;
        next_same: "a set is complete, and only one of the same kind can follow", -20.0..=40.0, 0.8, 2.0;
        next_none: "a set is complete, and no visible set can follow", -20.0..=40.0, 0.8, 0.0;
        start_number: "no set in progress can be completed, but a next tile starts a number set", -20.0..=20.0, 0.5, 1.0;
        start_chess: "no set in progress can be completed, but a next tile starts a chess set", -20.0..=20.0, 0.5, 1.0;
        start_link: "no set in progress can be completed, but a next tile starts two sets of both kinds", -20.0..=20.0, 0.5, 1.0;
        start_order: "a next tile starts a number set in order, where no other set is in progress", -20.0..=20.0, 0.5, 1.0;
        needed: "each next tile of a type that the set in progress lacks", -10.0..=10.0, 0.3, 0.1;
        other_kind: "each next tile of the kind that the last removal was not", -10.0..=10.0, 0.3, 0.0;

        run_1: "a next tile shows the type just removed", -20.0..=20.0, 0.5, 3.0;
        run_2: "a next tile shows the type of the run in progress", -20.0..=20.0, 0.5, 2.0;
        run_on: "a next tile of the type just removed has another one after it", -20.0..=20.0, 0.5, 0.5;
        pair: "a next tile has its own type after it", -20.0..=20.0, 0.5, 1.0;
        triple: "a next tile has its own type twice after it", -20.0..=20.0, 0.5, 0.5;
    }
    /// How much each is larger at the end of a game than at the start.
    variation DRIFTS = "_drift", "change from start to end of the game: ";
}

/// Everything that is tuned: the terms at the first removal, and how much each is larger at the last possible one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The terms at the first removal.
    pub start: Terms,
    /// What the terms gain from the first to the last possible removal, linearly.
    pub drift: Terms,
}

impl Weights {
    /// How many values there are.
    pub const COUNT: usize = 2 * Terms::COUNT;

    /// The hand-set weights, the same all through the game.
    pub const DEFAULT: Self = Weights { start: Terms::DEFAULT, drift: Terms::ZERO };

    /// Reads values in declaration order: all of `start`, then all of `drift`; `None` if there are more or fewer.
    pub fn from_values(values: &[f64]) -> Option<Self> {
        if values.len() != Self::COUNT {
            return None;
        }
        let (start, drift) = values.split_at(Terms::COUNT);
        Some(Weights {
            start: Terms::from_values(start.try_into().ok()?),
            drift: Terms::from_values(drift.try_into().ok()?),
        })
    }

    /// The terms when `progress` (0 to 1) of the possible removals are made.
    pub fn at(&self, progress: f64) -> Terms {
        self.start.drifted(&self.drift, progress)
    }
}
}
}
