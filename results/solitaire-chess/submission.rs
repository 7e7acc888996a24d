//! A player of Solitaire chess, exported by evolve 0.1.0.
//!
//! Group 1: Player `greedy` (margin 1000), run `solitaire-chess/group-1` (version 1): +180.00 against the baseline on 30 trials (95 %: +180.00 to +180.00).
//! Group 2: Player `greedy` (margin 1000), run `solitaire-chess/group-2` (version 1): +102.00 against the baseline on 30 trials (95 %: +102.00 to +102.00).
//! Group 3: Player `beam` (depth 10, width 5), run `solitaire-chess/group-3` (version 1): +38.2 against the baseline on 30 trials (95 %: +30.4 to +44.1).
//! Group 4: Player `beam` (depth 10, width 5), run `solitaire-chess/group-4` (version 1): +6.1 against the baseline on 70 trials (95 %: +3.2 to +10.2).
//! Group 5: Player `beam` (depth 14, width 8), run `solitaire-chess/group-5` (version 1): +8.6 against the baseline on 141 trials (95 %: +4.8 to +14.0).
//! Group 6: Player `beam` (depth 14, width 8), run `solitaire-chess/group-6` (version 1): +12.4 against the baseline on 155 trials (95 %: +6.3 to +18.6).
//! Build it with `rustc -O --edition 2021`. Licence: MIT OR Apache-2.0.

// Each module below is complete, although this player uses only a part of it.
#![allow(dead_code, unused_imports)]

use clock::Clock;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use solitaire_chess::beam::Settings;
use solitaire_chess::search::{Rollouts, Search};
use solitaire_chess::weights::{Terms, Weights};

/// Group 1 (springare) at the start of a game.
const START_1: Terms = Terms {
	moves_open: -2.4011,
	reach_2: -0.3776,
	reach_3: -0.2693,
	reach_all: 0.2835,
	orphans: -1.387,
	board_unreached: -1.6321,
	..Terms::DEFAULT
};
/// Added to it linearly until the end of the game.
const DRIFT_1: Terms = Terms::ZERO;
/// Settings of the search.
const SEARCH_1: Search = Search::Greedy { margin: 1000 };

/// Group 2 (1) at the start of a game.
const START_2: Terms = Terms {
	moves_more: -0.9855,
	moves_open: -0.6699,
	reach_2: -0.1287,
	orphans: -0.612,
	..Terms::DEFAULT
};
/// Added to it linearly until the end of the game.
const DRIFT_2: Terms = Terms::ZERO;
/// Settings of the search.
const SEARCH_2: Search = Search::Greedy { margin: 1000 };

/// Group 3 (1 2) at the start of a game.
const START_3: Terms = Terms {
	tile_bronze: 1.2019,
	tile_silver: 1.6766,
	tile_gold: 1.3623,
	layer_corner: -1.1419,
	layer_edge: -0.6244,
	layer_edge_middle: -0.0726,
	layer_inner_corner: -0.06,
	layer_inner_edge: 0.5189,
	layer_centre: 0.7986,
	moves_1: 7.148,
	moves_2: 7.744,
	moves_3: 7.967,
	moves_4: 8.105,
	moves_more: -0.1023,
	moves_unseen: -0.0255,
	moves_all_unseen: -2.783,
	moves_open: 0.1574,
	moves_last: 0.3552,
	stuck_soon: -9.599,
	reach_2: 0.0417,
	reach_3: 0.0137,
	reach_all: 0.294,
	lost_bronze: -1.0703,
	lost_silver: -0.5874,
	lost_gold: -0.962,
	left_unreached: 0.5257,
	left_reached_once: 0.1777,
	orphans: -0.3224,
	board_unreached: -0.4273,
	board_stuck: -0.0336,
	board_pairs: 0.6841,
	run_1: 3.147,
	run_2: 1.0711,
	run_on: -3.2286,
	pair: 4.3859,
	triple: 0.2461,
	..Terms::DEFAULT
};
/// Added to it linearly until the end of the game.
const DRIFT_3: Terms = Terms::ZERO;
/// Settings of the search.
const SEARCH_3: Search = Search::Expectimax { beam: Settings { width: 60, depth: 36 }, endings: 60, inner: Settings { width: 12, depth: 20 }, deeper: [12, 6], rollouts: None, exact: 1000000 };

/// Group 4 (torn lopare dam) at the start of a game.
const START_4: Terms = Terms {
	tile_bronze: 1.0012,
	tile_silver: 2.4634,
	tile_gold: 1.8275,
	layer_corner: 3.5064,
	layer_edge: -1.7636,
	layer_edge_middle: -1.8028,
	layer_inner_corner: 0.2351,
	layer_inner_edge: -0.2091,
	layer_centre: -0.1442,
	moves_1: 4.9,
	moves_2: 5.617,
	moves_3: 5.505,
	moves_4: 6.688,
	moves_more: -1.6258,
	moves_unseen: 0.6864,
	moves_all_unseen: 1.912,
	moves_open: -0.2852,
	moves_last: -5.1597,
	stuck_soon: -28.497,
	reach_2: 0.2918,
	reach_3: 0.4242,
	reach_all: -0.3716,
	lost_bronze: -2.2181,
	lost_silver: -0.1178,
	lost_gold: -0.4038,
	left_unreached: 9.1108,
	left_reached_once: 9.5911,
	orphans: 2.4244,
	board_unreached: 13.6979,
	board_stuck: 0.8511,
	board_pairs: 0.168,
	run_1: 2.4313,
	run_2: 0.6476,
	run_on: -0.8249,
	pair: 1.3507,
	triple: 1.9003,
	..Terms::DEFAULT
};
/// Added to it linearly until the end of the game.
const DRIFT_4: Terms = Terms {
	tile_bronze: 2.3459,
	tile_silver: -5.1795,
	tile_gold: 0.0244,
	layer_corner: 0.8747,
	layer_edge: 0.7563,
	layer_edge_middle: 1.8005,
	layer_inner_corner: -1.1943,
	layer_inner_edge: 0.7502,
	layer_centre: -0.5548,
	moves_1: -1.132,
	moves_2: -6.327,
	moves_3: -6.963,
	moves_4: -13.874,
	moves_more: -3.7934,
	moves_unseen: 2.2738,
	moves_all_unseen: -0.497,
	moves_open: 2.3516,
	moves_last: 6.0022,
	stuck_soon: 14.198,
	reach_2: 0.6414,
	reach_3: 0.1234,
	reach_all: 0.7924,
	lost_bronze: -3.455,
	lost_silver: -0.3113,
	lost_gold: 2.695,
	left_reached_once: -5.7646,
	board_unreached: -0.8162,
	board_stuck: -0.9918,
	board_pairs: -0.7342,
	run_1: -0.6541,
	run_2: -2.8978,
	run_on: -7.0375,
	pair: 12.4086,
	triple: 0.173,
	..Terms::ZERO
};
/// Settings of the search.
const SEARCH_4: Search = Search::Sampled { beam: Settings { width: 10, depth: 40 }, samples: 48, exact: 100000 };

/// Group 5 (1 2 3 4) at the start of a game.
const START_5: Terms = Terms {
	tile_bronze: -0.7243,
	tile_silver: 1.6023,
	tile_gold: 1.9471,
	layer_corner: -0.1203,
	layer_edge: 0.1117,
	layer_edge_middle: 0.4565,
	layer_inner_corner: 0.0201,
	layer_inner_edge: 0.8483,
	layer_centre: 1.457,
	moves_1: 6.375,
	moves_2: 6.114,
	moves_3: 6.739,
	moves_4: 5.446,
	moves_more: 0.118,
	moves_unseen: -0.5308,
	moves_all_unseen: 3.029,
	moves_open: -0.1253,
	moves_last: 0.2663,
	stuck_soon: -12.246,
	reach_2: 0.6122,
	reach_3: -0.3002,
	reach_all: -0.1472,
	lost_bronze: 0.8124,
	lost_silver: -1.0966,
	lost_gold: -1.4304,
	left_unreached: -1.0021,
	left_reached_once: -0.2531,
	orphans: 0.2978,
	board_unreached: -0.6327,
	board_stuck: -2.9794,
	board_number_sets: 0.6643,
	board_pairs: 0.8575,
	number_1: 2.256,
	number_2: 3.6865,
	number_3: 7.0017,
	order_1: 2.4568,
	order_2: 3.0593,
	order_3: 8.2401,
	choice: 0.6019,
	hope_1: 0.636,
	hope_2: 1.1996,
	hope_3: 3.3395,
	next_same: 3.3852,
	next_none: 1.9793,
	start_number: 1.3069,
	start_order: 1.9738,
	needed: 0.0077,
	run_1: 0.2668,
	run_2: -0.2718,
	run_on: -1.705,
	pair: -1.4131,
	triple: 1.3252,
	..Terms::DEFAULT
};
/// Added to it linearly until the end of the game.
const DRIFT_5: Terms = Terms::ZERO;
/// Settings of the search.
const SEARCH_5: Search = Search::Expectimax { beam: Settings { width: 40, depth: 20 }, endings: 40, inner: Settings { width: 12, depth: 14 }, deeper: [8, 4], rollouts: Some(Rollouts { most: 500, length: 12, beam: Settings { width: 4, depth: 8 } }), exact: 0 };

/// Group 6 (1 2 3 4 torn lopare dam springare) at the start of a game.
const START_6: Terms = Terms {
	tile_bronze: 0.5231,
	tile_silver: 2.5467,
	tile_gold: 2.5763,
	layer_corner: 0.7863,
	layer_edge: 0.1837,
	layer_edge_middle: 0.6625,
	layer_inner_corner: -0.4197,
	layer_inner_edge: 0.0291,
	layer_centre: 0.7277,
	moves_1: 6.338,
	moves_2: 7.297,
	moves_3: 6.056,
	moves_4: 6.748,
	moves_more: -0.4688,
	moves_unseen: 0.2346,
	moves_all_unseen: 1.252,
	moves_open: 0.0784,
	moves_last: -0.2261,
	stuck_soon: -7.696,
	reach_2: -0.1116,
	reach_3: 0.1594,
	reach_all: -1.3847,
	lost_bronze: -2.5669,
	lost_silver: -3.08,
	lost_gold: -2.1485,
	left_unreached: 1.6472,
	left_reached_once: 0.8933,
	orphans: -0.4432,
	board_unreached: -1.0512,
	board_stuck: -2.291,
	board_number_sets: 1.1462,
	board_chess_sets: 0.6745,
	board_pairs: 0.4797,
	number_1: 0.8611,
	number_2: 4.2247,
	number_3: 6.5141,
	chess_1: 2.0562,
	chess_2: 3.5781,
	chess_3: 6.7118,
	chain_1: 0.7146,
	chain_2: 0.95368,
	chain_3: 0.94792,
	order_1: 0.7598,
	order_2: 0.9025,
	order_3: 7.4447,
	choice: -0.1192,
	link: 8.6982,
	hope_1: -0.0232,
	hope_2: -0.3732,
	hope_3: 1.0474,
	hope_chain: 0.10975,
	next_number: 3.0363,
	next_chain: 0.99126,
	next_link: 10.248,
	next_same: 1.9723,
	next_none: -0.7002,
	start_number: 0.0878,
	start_chess: 0.6343,
	start_link: 2.0371,
	start_order: 1.1455,
	needed: 0.0653,
	other_kind: 0.2211,
	run_1: 1.1303,
	run_2: 0.9605,
	run_on: -0.2173,
	pair: 0.1458,
	triple: 0.2573,
	..Terms::DEFAULT
};
/// Added to it linearly until the end of the game.
const DRIFT_6: Terms = Terms::ZERO;
/// Settings of the search.
const SEARCH_6: Search = Search::Expectimax { beam: Settings { width: 40, depth: 20 }, endings: 30, inner: Settings { width: 12, depth: 14 }, deeper: [0, 0], rollouts: Some(Rollouts { most: 500, length: 12, beam: Settings { width: 4, depth: 8 } }), exact: 0 };

/// By group how it plays.
const PLAYERS: [(Search, Weights); 6] = [
	(SEARCH_1, Weights { start: START_1, drift: DRIFT_1 }),
	(SEARCH_2, Weights { start: START_2, drift: DRIFT_2 }),
	(SEARCH_3, Weights { start: START_3, drift: DRIFT_3 }),
	(SEARCH_4, Weights { start: START_4, drift: DRIFT_4 }),
	(SEARCH_5, Weights { start: START_5, drift: DRIFT_5 }),
	(SEARCH_6, Weights { start: START_6, drift: DRIFT_6 }),
];

/// Time limit of a game on the player's own clock; the judge allows 1s.
const TIME: Option<Duration> = Some(Duration::from_micros(875000));

fn main() -> ExitCode {
	let start = Instant::now();
	let clock = TIME.map_or(Clock::UNLIMITED, |limit| Clock::start(&start, limit));
	let player = |group: usize| PLAYERS[group - 1].0.player(PLAYERS[group - 1].1);
	match solitaire_chess::dialogue::play(std::io::stdin().lock(), std::io::stdout().lock(), &clock, player) {
		Ok(()) => ExitCode::SUCCESS,
		Err(message) => {
			eprintln!("error: {message}");
			ExitCode::FAILURE
		}
	}
}

pub mod solitaire_chess {
	pub mod alphabet {
		use super::board::{Mask, Piece, TYPES};
		use super::bonus::Kind;

		#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
		pub struct Alphabet {
			types: u8,
		}

		impl Alphabet {
			pub fn of_board(visible: &[Mask; TYPES]) -> Self {
				let types = (0..TYPES).filter(|&t| visible[t] != 0).fold(0, |set, t| set | 1 << t);
				Alphabet { types }
			}

			pub fn of(pieces: &[Piece]) -> Self {
				Alphabet { types: pieces.iter().fold(0, |set, &piece| set | 1 << piece as u8) }
			}

			pub fn has_all(self, other: Alphabet) -> bool {
				other.types & !self.types == 0
			}

			pub fn pieces(self) -> impl Iterator<Item = Piece> {
				Piece::ALL.into_iter().filter(move |&piece| self.contains(piece))
			}

			pub fn size(self) -> usize {
				self.types.count_ones() as usize
			}

			pub fn mean(self, value: impl FnMut(Piece) -> f64) -> f64 {
				self.pieces().map(value).sum::<f64>() / self.size() as f64
			}

			#[inline(always)]
			pub fn contains(self, piece: Piece) -> bool {
				self.types >> piece as u8 & 1 == 1
			}

			#[inline(always)]
			pub fn has_lines(self) -> bool {
				self.types & 0b111_0000 != 0
			}

			pub fn has(self, kind: Kind) -> bool {
				self.types >> (4 * kind as u8) & 0b1111 == 0b1111
			}
		}
	}
	pub mod beam {
		use super::board::{tiles, Mask, Piece, Tile, TYPES};
		use super::bonus::State;
		use super::evaluation::{pair, Board, Evaluation};
		use super::player::Searcher;
		use super::position::{Position, TIERS};
		use crate::clock::Clock;

		pub mod expectimax {
			use super::super::board::{Piece, Tile};
			use super::super::evaluation::{Evaluation, Removal};
			use super::super::player::Searcher;
			use super::super::position::Position;
			use super::{best, count, highest, Beam, Ending, Known, Line, Settings, Values};
			use crate::clock::Clock;

			pub mod rollout {
				use super::super::super::alphabet::Alphabet;
				use super::super::super::board::{tiles, Mask, Piece, Tile};
				use super::super::super::evaluation::Evaluation;
				use super::super::super::player::Searcher;
				use super::super::super::position::{Position, REMOVALS, TIERS};
				use super::super::{best, highest, Beam, Settings, Values};
				use super::Expectimax;
				use crate::clock::Clock;
				use crate::random::mixed;

				const NEAR: f64 = 8.0;
				const MOST: usize = 3;
				const SLOPE: f64 = 0.6;
				const DOUBT: f64 = 5.0;
				const LUCK: f64 = 50.0;
				const LEAST: u64 = 4;
				const HOPELESS: f64 = 2.0;
				const CHOICES: f64 = 0.15;

				#[derive(Debug)]
				pub struct Rollout {
					search: Expectimax,
					most: u32,
					length: u32,
					beam: Beam,
				}

				impl Rollout {
					pub fn new(search: Expectimax, most: u32, length: u32, beam: Settings) -> Self {
						Rollout { search, most, length, beam: Beam::new(beam) }
					}

					pub fn values(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Values {
						let mut values = self.search.values(position, evaluation, clock);
						self.compare(position, evaluation, &mut values, clock);
						values
					}

					pub fn line(&self, first: Tile) -> impl Iterator<Item = Tile> + '_ {
						self.search.line(first)
					}

					fn compare(&mut self, position: &Position, evaluation: &Evaluation, values: &mut Values, clock: &Clock) {
						let top = highest(values);
						let mut candidates = candidates(position.legal(), values);
						let (mut deals, mut rollouts) = (0, 0);
						while candidates.len() > 1 && rollouts + candidates.len() as u32 <= self.most && !clock.is_over() {
							let deal = Deal(position.seed() ^ mixed(deals));
							let mut first = 0.0;
							for (place, candidate) in candidates.iter_mut().enumerate() {
								let points = self.play_out(position, candidate.tile, &deal, evaluation);
								if place == 0 {
									first = points;
								}
								candidate.count(points - first);
							}
							deals += 1;
							rollouts += candidates.len() as u32;
							if deals >= LEAST {
								for candidate in &candidates {
									values[candidate.tile as usize] = top + candidate.advantage().0;
								}
								drop_hopeless(&mut candidates);
							}
						}
					}

					fn play_out(&mut self, position: &Position, mut tile: Tile, deal: &Deal, evaluation: &Evaluation) -> f64 {
						let mut position = position.clone();
						let before = position.score().total();
						for removal in 1.. {
							let below = position.tier(tile) + 1;
							let revealed = (below < TIERS).then(|| deal.piece(tile, below, evaluation.alphabet()));
							position.remove(tile, revealed);
							if removal == self.length {
								break;
							}
							match self.beam.choose(&position, evaluation, &Clock::UNLIMITED) {
								Some(next) => tile = next,
								None => break,
							}
						}
						f64::from(position.score().total() - before) + self.search.inner[0].expected(&position, evaluation)
					}
				}

				impl Searcher for Rollout {
					fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
						let values = self.values(position, evaluation, clock);
						best(position.legal(), &values)
					}

					fn choices(&mut self, position: &Position, _: &Evaluation) -> u32 {
						(CHOICES * f64::from(REMOVALS - position.removals())) as u32
					}
				}

				#[derive(Clone, Copy, Debug)]
				struct Candidate {
					tile: Tile,
					behind: f64,
					rollouts: f64,
					sum: f64,
					squares: f64,
				}

				impl Candidate {
					fn count(&mut self, points: f64) {
						self.rollouts += 1.0;
						self.sum += points;
						self.squares += points * points;
					}

					fn advantage(&self) -> (f64, f64) {
						let mean = self.sum / self.rollouts;
						let variance = (self.squares - self.sum * mean + LUCK) / (self.rollouts + 1.0);
						let (prior, told) = (1.0 / DOUBT, self.rollouts / variance);
						let precision = prior + told;
						((told * mean - prior * SLOPE * self.behind) / precision, 1.0 / precision.sqrt())
					}
				}

				fn candidates(legal: Mask, values: &Values) -> Vec<Candidate> {
					let top = highest(values);
					let candidate = |tile: Tile| {
						let behind = top - values[tile as usize];
						Candidate { tile, behind, rollouts: 0.0, sum: 0.0, squares: 0.0 }
					};
					let mut candidates: Vec<Candidate> = tiles(legal).map(candidate).filter(|one| one.behind <= NEAR).collect();
					candidates.sort_by(|a, b| a.behind.total_cmp(&b.behind));
					candidates.truncate(MOST);
					candidates
				}

				fn drop_hopeless(candidates: &mut Vec<Candidate>) {
					let most = candidates.iter().map(|one| one.advantage().0).fold(0.0, f64::max);
					let first = candidates[0].tile;
					candidates.retain(|one| {
						let (advantage, deviation) = one.advantage();
						one.tile == first || advantage + HOPELESS * deviation > most
					});
					if let [_, other] = candidates[..] {
						let (advantage, deviation) = other.advantage();
						if advantage > HOPELESS * deviation {
							candidates.remove(0);
						}
					}
				}

				#[derive(Clone, Copy, Debug)]
				struct Deal(u64);

				impl Deal {
					fn piece(&self, tile: Tile, layer: usize, alphabet: Alphabet) -> Piece {
						let bits = mixed(self.0 ^ u64::from(tile) << 2 ^ layer as u64) >> 32;
						let place = (bits * alphabet.size() as u64) >> 32;
						alphabet.pieces().nth(place as usize).expect("there are as many types as the alphabet has")
					}
				}

			}

			const FOLLOWED: usize = 3;

			#[derive(Debug)]
			pub struct Expectimax {
				beam: Beam,
				endings: [usize; 3],
				inner: [Beam; 3],
			}

			impl Expectimax {
				pub fn new(beam: Settings, endings: usize, inner: Settings, deeper: [usize; 2]) -> Self {
					let part = |part| Beam::new(Settings { width: inner.width.div_ceil(part), depth: inner.depth.div_ceil(part) });
					let [second, third] = deeper;
					Expectimax { beam: Beam::new(beam), endings: [endings, second, third], inner: [1, 2, 4].map(part) }
				}

				pub fn values(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Values {
					let known = Known::visible(position, evaluation);
					let root = Line::root(position, position.legal(), evaluation);
					let mut values = self.beam.search(root, &known, evaluation, clock);
					self.beam.look_closely(&known, evaluation);
					self.follow(&known, evaluation, clock);
					for ending in &self.beam.endings {
						count(&mut values, ending.line.first, ending.value);
					}
					values
				}

				pub fn line(&self, first: Tile) -> impl Iterator<Item = Tile> + '_ {
					self.beam.line(first)
				}

				fn follow(&mut self, known: &Known, evaluation: &Evaluation, clock: &Clock) {
					let Expectimax { beam, endings, inner } = self;
					for (round, &most) in endings.iter().enumerate() {
						if round > 0 && (most == 0 || clock.is_over() || is_clear(&beam.endings)) {
							break;
						}
						rank(&mut beam.endings);
						beam.endings.truncate(most);
						let mut followed = 0;
						for ending in &mut beam.endings {
							ending.value = ending.expected(&mut inner[..=round], known, evaluation);
							followed += 1;
							if clock.is_over() {
								break;
							}
						}
						beam.endings.truncate(followed);
					}
				}
			}

			impl Searcher for Expectimax {
				fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
					best(position.legal(), &self.values(position, evaluation, clock))
				}
			}

			fn rank(endings: &mut [Ending]) {
				endings.sort_by(|a, b| b.value.total_cmp(&a.value));
			}

			fn is_clear(endings: &[Ending]) -> bool {
				endings.windows(2).all(|two| two[0].line.first == two[1].line.first)
			}

			impl Beam {
				fn ranked(&mut self, root: Line, known: &Known, evaluation: &Evaluation) -> f64 {
					let over = self.search(root, known, evaluation, &Clock::UNLIMITED);
					self.look_closely(known, evaluation);
					rank(&mut self.endings);
					highest(&over)
				}
			}

			impl Ending {
				fn expected(&self, beams: &mut [Beam], known: &Known, evaluation: &Evaluation) -> f64 {
					let (inner, deeper) = beams.split_first_mut().expect("an ending is followed by a beam");
					self.mean(evaluation, |piece| {
						let root = self.onward(piece, evaluation);
						if root.next == 0 {
							return f64::from(root.points);
						}
						if deeper.is_empty() {
							return highest(&inner.values(root, known, evaluation, &Clock::UNLIMITED));
						}
						let over = inner.ranked(root, known, evaluation);
						let followed = inner.endings.iter().take(FOLLOWED);
						followed.map(|ending| ending.expected(deeper, known, evaluation)).fold(over, f64::max)
					})
				}

				fn onward(&self, piece: Piece, evaluation: &Evaluation) -> Line {
					let (tiers, material) = evaluation.worn(&self.line.tiers, self.line.material, self.tile);
					let removal = Removal::new(&tiers, self.line.bonus, self.tile, piece);
					let points = self.line.points + removal.points;
					Line { tiers, next: removal.next, bonus: removal.bonus, points, material, ..self.line }
				}
			}
		}

		#[derive(Clone, Debug)]
		pub struct Known(pub [[Mask; TYPES]; TIERS]);

		impl Known {
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

		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct Settings {
			pub width: usize,
			pub depth: usize,
		}

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
			board: u32,
			step: u32,
		}

		#[derive(Clone, Copy, Debug)]
		struct Step {
			before: u32,
			tile: Tile,
		}

		const NONE: u32 = u32::MAX;

		impl Line {
			fn root(position: &Position, legal: Mask, evaluation: &Evaluation) -> Self {
				let tiers = *position.tiers();
				let (bonus, material) = (position.bonus(), evaluation.material(&tiers));
				Line { tiers, next: legal, tile: 0, first: 0, bonus, points: 0, material, value: 0.0, board: 0, step: NONE }
			}

			fn meets(&self, other: &Line) -> bool {
				self.tile == other.tile && self.tiers == other.tiers && self.bonus == other.bonus
			}
		}

		#[derive(Clone, Copy, Debug)]
		struct Ending {
			line: Line,
			tile: Tile,
			piece: Option<Piece>,
			value: f64,
		}

		fn closely(width: usize) -> usize {
			width.max(3)
		}

		const ROOT: usize = 1;

		pub type Values = [f64; 64];

		#[derive(Debug)]
		pub struct Beam {
			settings: Settings,
			lines: Vec<Line>,
			grown: Vec<Line>,
			endings: Vec<Ending>,
			over: Option<Ending>,
			steps: Vec<Step>,
			boards: Vec<Board>,
		}

		impl Searcher for Beam {
			fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
				best(position.legal(), &self.values_from(position, evaluation, clock))
			}
		}

		impl Beam {
			pub fn new(settings: Settings) -> Self {
				let width = settings.width.max(1);
				let settings = Settings { width, depth: settings.depth.max(1) };
				Beam {
					settings,
					lines: Vec::with_capacity(width + 1),
					grown: Vec::with_capacity(width + 1),
					endings: Vec::with_capacity(closely(width) + 1),
					over: None,
					steps: Vec::with_capacity(width * settings.depth),
					boards: (0..2 * width + 3).map(|_| Board::default()).collect(),
				}
			}

			fn expected(&mut self, position: &Position, evaluation: &Evaluation) -> f64 {
				if position.legal() == 0 {
					return 0.0;
				}
				highest(&self.values_from(position, evaluation, &Clock::UNLIMITED))
			}

			pub fn values_from(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Values {
				let known = Known::visible(position, evaluation);
				self.values(Line::root(position, position.legal(), evaluation), &known, evaluation, clock)
			}

			pub fn line(&self, first: Tile) -> impl Iterator<Item = Tile> + '_ {
				let endings = self.endings.iter().chain(&self.over).filter(move |ending| ending.line.first == first);
				let best = endings.max_by(|a, b| a.value.total_cmp(&b.value));
				let mut next = best.map(|ending| Step { before: ending.line.step, tile: ending.tile });
				std::iter::from_fn(move || {
					let step = next?;
					next = self.steps.get(step.before as usize).copied();
					Some(step.tile)
				})
			}

			pub fn value(
				&mut self,
				position: &Position,
				tile: Tile,
				known: &Known,
				evaluation: &Evaluation,
				clock: &Clock,
			) -> f64 {
				self.values(Line::root(position, 1 << tile, evaluation), known, evaluation, clock)[tile as usize]
			}

			fn values(&mut self, root: Line, known: &Known, evaluation: &Evaluation, clock: &Clock) -> Values {
				let mut values = self.search(root, known, evaluation, clock);
				self.look_closely(known, evaluation);
				for ending in &self.endings {
					count(&mut values, ending.line.first, ending.value);
				}
				values
			}

			fn look_closely(&mut self, known: &Known, evaluation: &Evaluation) {
				for ending in &mut self.endings {
					ending.value = ending.value(&mut self.boards, known, evaluation);
				}
			}

			fn search(&mut self, root: Line, known: &Known, evaluation: &Evaluation, clock: &Clock) -> Values {
				let mut values = [f64::NEG_INFINITY; 64];
				self.lines.clear();
				self.lines.push(Line { board: 0, ..root });
				self.endings.clear();
				self.over = None;
				self.steps.clear();
				self.boards.swap(0, ROOT);
				for depth in 1..=self.settings.depth {
					let last = depth == self.settings.depth || (depth > 1 && clock.is_over());
					self.grown.clear();
					for i in 0..self.lines.len() {
						let line = self.lines[i];
						let board = if depth == 1 { ROOT } else { 2 + depth % 2 * self.settings.width + i };
						self.extend(line, board, known, evaluation, last, &mut values);
					}
					if last || self.grown.is_empty() {
						break;
					}
					std::mem::swap(&mut self.lines, &mut self.grown);
					let places = self.steps.len() as u32..;
					self.steps.extend(self.lines.iter().map(|line| Step { before: line.step, tile: line.tile }));
					for (line, place) in self.lines.iter_mut().zip(places) {
						line.step = place;
					}
				}
				values
			}

			#[inline]
			fn extend(
				&mut self,
				mut line: Line,
				at: usize,
				known: &Known,
				evaluation: &Evaluation,
				is_last: bool,
				values: &mut Values,
			) {
				let (board, near) = pair(&mut self.boards, at, line.board as usize);
				evaluation.survey(board, near, known.types(&line.tiers), line.tiers, line.material);
				line.board = at as u32;
				let (grown, endings, over, width) = (&mut self.grown, &mut self.endings, &mut self.over, self.settings.width);
				for tile in tiles(line.next) {
					if at == ROOT {
						line.first = tile;
					}
					let mut end = |piece, value| {
						keep(endings, closely(width), Ending { line, tile, piece, value }, |ending| ending.value);
					};
					let Some(piece) = board.piece(tile) else {
						end(None, line.value);
						continue;
					};
					let removal = evaluation.judge(board, line.bonus, tile, piece);
					let points = line.points + removal.points;
					let value = f64::from(points) + removal.future;
					if removal.next == 0 {
						count(values, line.first, value);
						finish(over, &line, tile, piece, value);
					} else if is_last {
						end(Some(piece), value);
					} else if grown.len() < width || grown.last().is_some_and(|last| value > last.value) {
						let (tiers, material) = evaluation.worn(&line.tiers, line.material, tile);
						let next = removal.next;
						admit(grown, width, Line { tiers, next, tile, bonus: removal.bonus, points, material, value, ..line });
					}
				}
			}
		}

		fn admit(grown: &mut Vec<Line>, width: usize, line: Line) {
			if let Some(met) = grown.iter().position(|other| other.meets(&line)) {
				if grown[met].value >= line.value {
					return;
				}
				grown.remove(met);
			}
			keep(grown, width, line, |line| line.value);
		}

		#[inline(always)]
		fn keep<T>(best: &mut Vec<T>, most: usize, new: T, value: impl Fn(&T) -> f64) {
			if best.len() == most {
				if best.last().is_some_and(|last| value(last) >= value(&new)) {
					return;
				}
				best.pop();
			}
			let place = best.partition_point(|other| value(other) >= value(&new));
			best.insert(place, new);
		}

		#[inline(never)]
		fn finish(over: &mut Option<Ending>, line: &Line, tile: Tile, piece: Piece, value: f64) {
			if over.is_none_or(|over| value > over.value) {
				*over = Some(Ending { line: *line, tile, piece: Some(piece), value });
			}
		}

		#[inline(always)]
		fn count(values: &mut Values, first: Tile, value: f64) {
			let best = &mut values[first as usize];
			*best = best.max(value);
		}

		impl Ending {
			fn value(&self, boards: &mut [Board], known: &Known, evaluation: &Evaluation) -> f64 {
				let Line { tiers, material, board, .. } = self.line;
				let (after, near) = pair(boards, boards.len() - 1, board as usize);
				evaluation.survey_after(after, near, known.types(&tiers), &tiers, material, self.tile);
				self.mean(evaluation, |piece| {
					let removal = evaluation.judge_closely(after, self.line.bonus, self.tile, piece);
					f64::from(self.line.points + removal.points) + removal.future
				})
			}

			fn mean(&self, evaluation: &Evaluation, value: impl FnMut(Piece) -> f64) -> f64 {
				match self.piece {
					Some(piece) => [piece].map(value)[0],
					None => evaluation.alphabet().mean(value),
				}
			}
		}

		fn highest(values: &Values) -> f64 {
			values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
		}

		pub(super) fn best(legal: Mask, values: &Values) -> Option<Tile> {
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
		pub const SIDE: usize = 6;
		const STRIDE: usize = 10;

		pub type Tile = u8;

		pub type Mask = u64;

		pub const ALL: Mask = TOP * LEFT;
		pub const TOP: Mask = 0b11_1111;
		pub const LEFT: Mask = 1 | 1 << 10 | 1 << 20 | 1 << 30 | 1 << 40 | 1 << 50;

		pub const fn tile(row: usize, column: usize) -> Tile {
			(row * STRIDE + column) as Tile
		}

		pub const fn row_column(tile: Tile) -> (usize, usize) {
			(tile as usize / STRIDE, tile as usize % STRIDE)
		}

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

			pub const fn name(self) -> &'static str {
				Self::NAMES[self as usize]
			}

			pub fn from_name(name: &str) -> Option<Piece> {
				Self::ALL.into_iter().find(|piece| piece.name() == name)
			}
		}

		pub(super) static TARGETS: [[Mask; 64]; TYPES] = all_targets();

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
		use super::board::{Piece, TYPES};

		pub const STATES: usize = 512;

		pub type State = u16;

		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		#[repr(u8)]
		pub enum Kind {
			Number,
			Chess,
		}

		impl Kind {
			pub const fn of(piece: Piece) -> Kind {
				if (piece as u8) < 4 {
					Kind::Number
				} else {
					Kind::Chess
				}
			}

			pub const fn pieces(self) -> [Piece; 4] {
				match self {
					Kind::Number => [Piece::One, Piece::Two, Piece::Three, Piece::Four],
					Kind::Chess => [Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight],
				}
			}

			pub const fn other(self) -> Kind {
				match self {
					Kind::Number => Kind::Chess,
					Kind::Chess => Kind::Number,
				}
			}
		}

		const RUN: u8 = 2;
		const ORDERED_NUMBERS: u8 = 12;
		const NUMBERS: u8 = 8;
		const CHESS: u8 = 8;
		const ALTERNATION: u8 = 8;

		#[derive(Clone, Copy, Debug)]
		pub struct Step {
			pub next: State,
			pub total: u8,
			pub alternation: u8,
		}

		#[derive(Clone, Copy, Debug)]
		pub struct Meaning {
			pub last: Piece,
			pub run: bool,
			pub length: u8,
			pub missing: u8,
			pub order: u8,
			pub alternation: u8,
		}

		#[derive(Clone, Copy)]
		struct Tail {
			types: [u8; 3],
			length: usize,
			chain: u8,
			last: u8,
			run: bool,
		}

		impl Tail {
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

			const fn remove(self, piece: u8, first: bool) -> (Tail, u8, u8) {
				if !first && piece == self.last {
					let tail = Tail { types: [piece, 0, 0], length: 1, chain: 0, last: piece, run: true };
					return (tail, if self.run { RUN } else { 2 * RUN }, 0);
				}
				let kind = piece / 4;
				let same_kind = !first && kind == self.kind();
				let mut tail = Tail { types: [piece, 0, 0], length: 1, chain: 0, last: piece, run: false };
				if self.length == 0 {
					if !first && !same_kind {
						tail.chain = self.chain;
					}
					return (tail, 0, 0);
				}
				if !same_kind {
					return (tail, 0, 0);
				}
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

		pub struct Automaton {
			steps: [[Step; TYPES]; STATES],
			meanings: [Meaning; STATES],
		}

		static AUTOMATON: Automaton = Automaton::build();

		impl Automaton {
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

		#[inline]
		pub fn step(state: State, piece: Piece) -> Step {
			AUTOMATON.steps[state as usize % STATES][piece as usize]
		}

		#[inline]
		pub fn meaning(state: State) -> &'static Meaning {
			&AUTOMATON.meanings[state as usize % STATES]
		}
	}
	pub mod dialogue {
		use super::board::{row_column, Piece, Tile, SIDE};
		use super::groups::{alphabet, group_of};
		use super::player::Player;
		use super::position::{Position, TIERS};
		use crate::clock::Clock;
		use crate::words::Words;
		use std::io::{self, BufRead, Write};

		const EMPTIED: &str = "blank";

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

		fn index(tile: Tile) -> usize {
			let (row, column) = row_column(tile);
			row * SIDE + column
		}

	}
	pub mod endgame {
		use super::alphabet::Alphabet;
		use super::beam::{best, Values};
		use super::board::{targets, tiles, Mask, Piece, Tile, ALL, TYPES};
		use super::bonus::{meaning, Kind, State};
		use super::evaluation::{Evaluation, Removal};
		use super::player::Searcher;
		use super::position::{occupied, shown, tier_of, worn, Position, TIERS};
		use crate::clock::Clock;
		use crate::random::mixed;

		#[derive(Debug)]
		pub struct Endgame {
			solver: Solver,
			search: Box<dyn Searcher>,
		}

		impl Endgame {
			pub fn new(most: u32, search: Box<dyn Searcher>) -> Self {
				Endgame { solver: Solver::new(most), search }
			}
		}

		impl Searcher for Endgame {
			fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
				match self.solver.values(position, evaluation.alphabet(), &clock.share(2)) {
					Some(values) => best(position.legal(), &values),
					None => self.search.choose(position, evaluation, clock),
				}
			}

			fn choices(&mut self, position: &Position, evaluation: &Evaluation) -> u32 {
				if self.solver.is_small(position, evaluation.alphabet()) {
					CHOICES
				} else {
					self.search.choices(position, evaluation)
				}
			}
		}

		#[derive(Debug)]
		pub struct Solver {
			most: f64,
			alphabet: Alphabet,
			onward: [Mask; 64],
			regions: Vec<Mask>,
			late: [Mask; TIERS],
			values: Table,
			patience: u32,
			is_over: bool,
		}

		const CHOICES: u32 = 2;
		const PATIENCE: u32 = 256;

		impl Solver {
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

			fn is_small(&mut self, position: &Position, alphabet: Alphabet) -> bool {
				self.prepare(alphabet);
				self.sight(&Rest::of(position), position.legal()).is_some()
			}

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

			fn within_reach(&self, next: Mask, occupied: Mask) -> Mask {
				let (mut reach, mut fresh) = (next, next);
				while fresh != 0 {
					let onward = tiles(fresh).fold(0, |set, tile| set | self.onward[tile as usize & 63]);
					fresh = onward & occupied & !reach;
					reach |= fresh;
				}
				reach
			}

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

		#[derive(Clone, Copy)]
		enum Sight {
			All,
			Next,
			GoldBelowSilver,
			Nothing,
		}

		impl Sight {
			const ALL: [Sight; 4] = [Sight::All, Sight::Next, Sight::GoldBelowSilver, Sight::Nothing];

			fn boards(self, tiers: &[Mask; TIERS], alphabet: Alphabet) -> f64 {
				let types = alphabet.size() as f64;
				let faces = match self {
					Sight::All => [2.0 * types + 2.0, types + 2.0, 2.0],
					Sight::Next => [types + 3.0, types + 2.0, 2.0],
					Sight::GoldBelowSilver => [4.0, types + 2.0, 2.0],
					Sight::Nothing => [4.0, 3.0, 2.0],
				};
				tiers.iter().zip(faces).map(|(tiles, faces)| faces.powi(tiles.count_ones() as i32)).product()
			}

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

		#[derive(Clone, Copy)]
		struct Rest {
			tiers: [Mask; TIERS],
			types: [Mask; TYPES],
			bonus: State,
			key: u64,
		}

		impl Rest {
			fn of(position: &Position) -> Self {
				let mut rest = Rest { tiers: *position.tiers(), types: *position.visible(), bonus: position.bonus(), key: 0 };
				rest.key = rest.key_of(occupied(&rest.tiers));
				rest
			}

			fn piece(&self, tile: Tile) -> Option<Piece> {
				shown(&self.types, tile)
			}

			fn uncovers(&self, tile: Tile, late: &[Mask; TIERS]) -> bool {
				let [_, silver, gold] = self.tiers;
				(silver & !late[1] | gold & !late[2]) >> tile & 1 == 1
			}

			fn key_of(&self, set: Mask) -> u64 {
				tiles(set).fold(0, |key, tile| key ^ self.key_at(tile))
			}

			fn key_at(&self, tile: Tile) -> u64 {
				let tier = tier_of(&self.tiers, 1 << tile) as u64;
				let shown = self.piece(tile).map_or(TYPES as u64, |piece| piece as u64);
				mixed(1 + u64::from(tile) + 64 * (tier + 4 * shown))
			}

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

			fn showing(&self, tile: Tile, piece: Piece) -> Self {
				let mut shown = *self;
				shown.types[piece as usize] |= 1 << tile;
				shown.key ^= self.key_at(tile) ^ shown.key_at(tile);
				shown
			}

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

		#[derive(Debug, Default)]
		struct Table(Vec<Line>);

		#[derive(Clone, Copy, Debug, Default)]
		#[repr(align(64))]
		struct Line([(u64, f64); 4]);

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

			fn insert(&mut self, key: u64, value: f64) {
				let Line(entries) = &mut self.0[key as usize % LINES];
				entries.rotate_right(1);
				entries[0] = (key, value);
			}
		}

	}
	pub mod evaluation {
		use super::alphabet::Alphabet;
		use super::board::{targets, tiles, Mask, Piece, Tile, TYPES};
		use super::bonus::{meaning, step, Kind, Meaning, State};
		use super::position::{occupied, tier_of, worn, TIERS};
		use super::prospects::{bits_if, Prospects};
		use super::sources::onward;
		use super::weights::Terms;

		#[derive(Debug, Default)]
		pub struct Board {
			prospects: Prospects,
			unseen: Mask,
			kinds: [Mask; 2],
			tiers: [Mask; TIERS],
			base: f64,
		}

		impl Board {
			#[inline(always)]
			pub fn types(&self) -> &[Mask; TYPES] {
				&self.prospects.types
			}

			#[inline(always)]
			pub fn piece(&self, tile: Tile) -> Option<Piece> {
				let bit = |n: usize| {
					(0..TYPES).filter(|piece| piece >> n & 1 == 1).fold(0, |set, piece| set | self.types()[piece]) >> tile & 1
				};
				let piece = Piece::ALL[(bit(0) | bit(1) << 1 | bit(2) << 2) as usize];
				(self.types()[piece as usize] >> tile & 1 == 1).then_some(piece)
			}
		}

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

		pub struct Removal {
			pub points: u32,
			pub bonus: State,
			pub next: Mask,
			pub future: f64,
		}

		impl Removal {
			#[inline(always)]
			pub fn new(tiers: &[Mask; TIERS], bonus: State, tile: Tile, piece: Piece) -> Self {
				let step = step(bonus, piece);
				let next = targets(piece, tile) & occupied(tiers);
				Removal { points: 1 + u32::from(step.total), bonus: step.next, next, future: 0.0 }
			}
		}

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
				class[row * 10 + column] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]][a][b];
				i += 1;
			}
			class
		}

		#[derive(Debug)]
		pub struct Evaluation {
			terms: Terms,
			alphabet: Alphabet,
			tile: [[f64; CLASSES]; TIERS + 1],
			moves: [f64; MOST_MOVES + 1],
		}

		const MOST_MOVES: usize = 8;

		impl Evaluation {
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

			pub fn alphabet(&self) -> Alphabet {
				self.alphabet
			}

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

			#[inline]
			pub fn worn(&self, tiers: &[Mask; TIERS], material: f64, tile: Tile) -> ([Mask; TIERS], f64) {
				let bit: Mask = 1 << tile;
				(worn(tiers, bit), material + self.wear(tier_of(tiers, bit), tile))
			}

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

			fn reach_of(&self, board: &Board, next: Mask) -> f64 {
				let t = &self.terms;
				let occupied = board.prospects.occupied;
				let mut reach = next;
				let mut fresh = next;
				let mut within = [next; 3];
				let mut removals = 1;
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
				if next & (p.completes[0][15] | p.completes[1][15]) != 0
					&& next & (p.links(Kind::Number, 15) | p.links(Kind::Chess, 15)) != 0
				{
					value += t.start_link;
				}
				value
			}
		}

		#[inline(always)]
		fn only_if(condition: bool, value: f64) -> f64 {
			f64::from_bits(bits_if(condition, value.to_bits()))
		}

		#[inline(always)]
		fn count(set: Mask) -> f64 {
			f64::from(set.count_ones())
		}

	}
	pub mod greedy {
		use super::board::{tiles, Piece, Tile};
		use super::evaluation::{pair, Board, Evaluation};
		use super::player::Searcher;
		use super::position::Position;
		use crate::clock::Clock;

		const MOST: usize = 3;

		pub const ANY: u32 = 1000;

		#[derive(Debug)]
		pub struct Greedy {
			margin: f64,
			boards: [Board; 2 + MOST],
			nearest: usize,
		}

		#[derive(Clone, Copy)]
		struct Candidate {
			tile: Tile,
			piece: Piece,
			value: f64,
		}

		impl Greedy {
			pub fn new(margin: u32) -> Box<Self> {
				let margin = if margin < ANY { f64::from(margin) } else { f64::INFINITY };
				Box::new(Greedy { margin, boards: Default::default(), nearest: 0 })
			}
		}

		impl Searcher for Greedy {
			fn choose(&mut self, position: &Position, evaluation: &Evaluation, _: &Clock) -> Option<Tile> {
				let legal = position.legal();
				let (tiers, bonus) = (*position.tiers(), position.bonus());
				let material = evaluation.material(&tiers);
				let now = usize::from(self.nearest == 0);
				let (board, nearest) = pair(&mut self.boards, now, self.nearest);
				self.nearest = now;
				evaluation.survey(board, nearest, *position.visible(), tiers, material);
				let all = self.margin == f64::INFINITY && legal.count_ones() as usize <= MOST;
				let none = Candidate { tile: tiles(legal).next()?, piece: Piece::One, value: f64::NEG_INFINITY };
				let mut best = none;
				let mut candidates = [none; MOST];
				let mut count = 0;
				for tile in tiles(legal) {
					let Some(piece) = board.piece(tile) else { continue };
					let mut candidate = Candidate { tile, piece, value: 0.0 };
					if !all {
						let removal = evaluation.judge(board, bonus, tile, piece);
						candidate.value = f64::from(removal.points) + removal.future;
						if removal.next == 0 {
							if candidate.beats(&best) {
								best = candidate;
							}
							continue;
						}
					}
					let worse = |other: &Candidate| other.value < candidate.value;
					if let Some(place) = candidates.iter().position(worse) {
						candidates[place..].rotate_right(1);
						candidates[place] = candidate;
						count = MOST.min(count + 1);
					}
				}
				let far = |candidate: &Candidate| candidate.value < candidates[0].value - self.margin;
				let in_doubt = candidates[..count].iter().position(far).unwrap_or(count);
				let is_clear = in_doubt == 1 && count > 1;
				for (i, mut candidate) in candidates.into_iter().take(in_doubt).enumerate() {
					if !is_clear {
						let (after, near) = pair(&mut self.boards, 2 + i, now);
						evaluation.survey_after(after, near, *position.visible(), &tiers, material, candidate.tile);
						let removal = evaluation.judge_closely(after, bonus, candidate.tile, candidate.piece);
						candidate.value = f64::from(removal.points) + removal.future;
					}
					if candidate.beats(&best) {
						best = candidate;
						self.nearest = if is_clear { now } else { 2 + i };
					}
				}
				Some(best.tile)
			}
		}

		impl Candidate {
			fn beats(&self, best: &Candidate) -> bool {
				self.value > best.value || self.value == best.value && self.tile < best.tile
			}
		}

	}
	pub mod groups {
		use super::alphabet::Alphabet;
		use super::board::{Mask, Piece, TYPES};

		pub const GROUPS: [&[Piece]; 6] = [
			&[Piece::Knight],
			&[Piece::One],
			&[Piece::One, Piece::Two],
			&[Piece::Rook, Piece::Bishop, Piece::Queen],
			&[Piece::One, Piece::Two, Piece::Three, Piece::Four],
			&Piece::ALL,
		];

		pub fn alphabet(group: usize) -> Alphabet {
			Alphabet::of(GROUPS[group - 1])
		}

		pub fn group_of(visible: &[Mask; TYPES]) -> usize {
			let shown = Alphabet::of_board(visible);
			(1..=GROUPS.len())
				.filter(|&group| alphabet(group).has_all(shown))
				.min_by_key(|&group| GROUPS[group - 1].len())
				.expect("the last group has every type")
		}
	}
	pub mod player {
		use super::alphabet::Alphabet;
		use super::board::{tiles, Tile};
		use super::evaluation::Evaluation;
		use super::position::{Position, REMOVALS};
		use super::weights::{Terms, Weights};
		use crate::clock::Clock;
		use std::fmt::Debug;

		#[derive(Debug)]
		pub struct Player {
			weights: Weights,
			drifts: bool,
			evaluation: Evaluation,
			search: Box<dyn Searcher>,
		}

		pub trait Searcher: Debug + Send {
			fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile>;

			fn choices(&mut self, position: &Position, _: &Evaluation) -> u32 {
				REMOVALS - position.removals()
			}
		}

		impl Player {
			pub fn new(weights: Weights, search: Box<dyn Searcher>) -> Self {
				let drifts = weights.drift != Terms::ZERO;
				Player { weights, drifts, evaluation: Evaluation::new(weights.start, Alphabet::of(&[])), search }
			}

			pub fn choose(&mut self, position: &Position, alphabet: Alphabet, clock: &Clock) -> Option<Tile> {
				let legal = position.legal();
				if legal & legal.wrapping_sub(1) == 0 {
					return tiles(legal).next();
				}
				if self.drifts || self.evaluation.alphabet() != alphabet {
					let progress = f64::from(position.removals()) / f64::from(REMOVALS);
					self.evaluation = Evaluation::new(self.weights.at(progress), alphabet);
				}
				let clock = clock.share(self.search.choices(position, &self.evaluation));
				self.search.choose(position, &self.evaluation, &clock)
			}
		}

	}
	pub mod position {
		use super::board::{targets, tiles, Mask, Piece, Tile, ALL, TYPES};
		use super::bonus::{self, Kind, State};
		use crate::random::SplitMix64;

		pub const TIERS: usize = 3;

		pub const REMOVALS: u32 = (36 * TIERS) as u32;

		#[inline(always)]
		pub fn occupied(tiers: &[Mask; TIERS]) -> Mask {
			tiers[0] | tiers[1] | tiers[2]
		}

		#[inline(always)]
		pub fn tier_of(tiers: &[Mask; TIERS], bit: Mask) -> usize {
			usize::from(tiers[1] & bit != 0) + 2 * usize::from(tiers[2] & bit != 0)
		}

		#[inline(always)]
		pub fn worn(tiers: &[Mask; TIERS], bit: Mask) -> [Mask; TIERS] {
			let [bronze, silver, gold] = *tiers;
			[bronze & !bit, silver & !bit | bronze & bit, gold & !bit | silver & bit]
		}

		pub fn shown(types: &[Mask; TYPES], tile: Tile) -> Option<Piece> {
			Piece::ALL.into_iter().find(|&piece| types[piece as usize] >> tile & 1 == 1)
		}

		#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
		pub struct Score {
			pub tiles: u16,
			pub runs: u16,
			pub number_sets: u16,
			pub chess_sets: u16,
			pub alternation: u16,
		}

		impl Score {
			pub fn total(&self) -> u32 {
				self.parts().iter().map(|&(_, points)| u32::from(points)).sum()
			}

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

		#[derive(Clone, Debug)]
		pub struct Position {
			visible: [Mask; TYPES],
			tiers: [Mask; TIERS],
			last: Option<(Tile, Piece)>,
			bonus: State,
			score: Score,
		}

		impl Position {
			pub fn new(piece_at: impl Fn(Tile) -> Piece) -> Self {
				let mut visible = [0; TYPES];
				for tile in tiles(ALL) {
					visible[piece_at(tile) as usize] |= 1 << tile;
				}
				Position { visible, tiers: [ALL, 0, 0], last: None, bonus: 0, score: Score::default() }
			}

			pub fn legal(&self) -> Mask {
				match self.last {
					None => ALL,
					Some((tile, piece)) => targets(piece, tile) & self.occupied(),
				}
			}

			pub fn occupied(&self) -> Mask {
				occupied(&self.tiers)
			}

			pub fn piece(&self, tile: Tile) -> Option<Piece> {
				shown(&self.visible, tile)
			}

			pub fn visible(&self) -> &[Mask; TYPES] {
				&self.visible
			}

			pub fn tiers(&self) -> &[Mask; TIERS] {
				&self.tiers
			}

			pub fn tier(&self, tile: Tile) -> usize {
				self.tiers.iter().position(|tiles| tiles >> tile & 1 == 1).unwrap_or(TIERS)
			}

			pub fn last(&self) -> Option<(Tile, Piece)> {
				self.last
			}

			pub fn bonus(&self) -> State {
				self.bonus
			}

			pub fn score(&self) -> &Score {
				&self.score
			}

			pub fn removals(&self) -> u32 {
				u32::from(self.score.tiles)
			}

			pub fn seed(&self) -> u64 {
				let sets = self.visible.iter().chain(&self.tiers);
				sets.fold(u64::from(self.bonus), |seed, &set| SplitMix64::new(seed ^ set).next_u64())
			}

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
		use super::alphabet::Alphabet;
		use super::board::{Mask, Piece, TYPES};
		use super::bonus::Kind;
		use super::sources::{sources, visits, ways, Twice};
		use std::cell::OnceCell;

		pub type ByNeed = [Mask; 16];

		#[derive(Debug, Default)]
		pub struct Prospects {
			alphabet: Alphabet,
			pub types: [Mask; TYPES],
			pub occupied: Mask,
			pub completes: [ByNeed; 2],
			links: [OnceCell<ByNeed>; 2],
			pub ascends: [Mask; 5],
			pub descends: [Mask; 5],
			pub pairs: Mask,
			pub triples: Mask,
			pub live: Mask,
			pub open: Mask,
			pub reached: Twice,
			visits: [Twice; TYPES],
		}

		impl Prospects {
			#[inline(always)]
			pub fn follow(&mut self, other: &Prospects, types: &[Mask; TYPES], occupied: Mask, alphabet: Alphabet) {
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

			#[inline(always)]
			fn of(&self, kind: Kind) -> [Mask; 4] {
				let [one, two, three, four, rook, bishop, queen, knight] = self.types;
				match kind {
					Kind::Number => [one, two, three, four],
					Kind::Chess => [rook, bishop, queen, knight],
				}
			}

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

		#[inline(always)]
		fn complete(kind: Kind, ends: [Mask; 4], types: [Mask; 4]) -> ByNeed {
			let mut found = [0; 16];
			[found[1], found[2], found[4], found[8]] = ends;
			extend(kind, types, &mut found, [2, 1, 1, 1]);
			extend(kind, types, &mut found, [4, 4, 2, 2]);
			extend(kind, types, &mut found, [8, 8, 8, 4]);
			extend(kind, types, &mut found, [6, 5, 3, 3]);
			extend(kind, types, &mut found, [10, 9, 9, 5]);
			extend(kind, types, &mut found, [12, 12, 10, 6]);
			extend(kind, types, &mut found, [14, 13, 11, 7]);
			found
		}

		#[inline(always)]
		fn extend(kind: Kind, types: [Mask; 4], found: &mut ByNeed, rest: [usize; 4]) {
			let [a, b, c, d] = rest;
			let serves = reaching(kind, types, [found[a], found[b], found[c], found[d]]);
			found[a | 1] |= serves[0];
			found[b | 2] |= serves[1];
			found[c | 4] |= serves[2];
			found[d | 8] |= serves[3];
		}

		#[inline(always)]
		pub fn bits_if(condition: bool, bits: Mask) -> Mask {
			Mask::from(condition).wrapping_neg() & bits
		}

	}
	pub mod sampled {
		use super::beam::{Beam, Known, Settings};
		use super::board::{tiles, Piece, Tile};
		use super::evaluation::Evaluation;
		use super::player::Searcher;
		use super::position::{Position, TIERS};
		use crate::clock::Clock;
		use crate::random::SplitMix64;

		#[derive(Debug)]
		pub struct Sampled {
			beam: Beam,
			samples: u32,
		}

		impl Sampled {
			pub fn new(beam: Settings, samples: u32) -> Self {
				Sampled { beam: Beam::new(beam), samples }
			}

			pub fn values(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Vec<(Tile, f64)> {
				let visible = Known::visible(position, evaluation);
				let legal = tiles(position.legal());
				let mut candidates: Vec<(Tile, f64)> =
					legal.map(|tile| (tile, self.beam.value(position, tile, &visible, evaluation, clock))).collect();
				candidates.sort_by(|(_, a), (_, b)| b.total_cmp(a));
				let best = candidates[0].1;
				candidates.retain(|&(_, value)| value >= best - NEAR);
				candidates.truncate(MOST);
				if candidates.len() > 1 {
					for candidate in &mut candidates {
						candidate.1 = 0.0;
					}
					let mut random = SplitMix64::new(position.seed());
					for _ in 0..self.samples {
						let known = complete(&visible, position, evaluation, &mut random);
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
				candidates
			}
		}

		impl Searcher for Sampled {
			fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
				if evaluation.alphabet().size() == 1 {
					return self.beam.choose(position, evaluation, clock);
				}
				let values = self.values(position, evaluation, clock);
				values.into_iter().reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(tile, _)| tile)
			}
		}

		const NEAR: f64 = 10.0;
		const MOST: usize = 4;

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
	pub mod search {
		use super::beam::expectimax::rollout::Rollout;
		use super::beam::expectimax::Expectimax;
		use super::beam::{Beam, Settings};
		use super::endgame::Endgame;
		use super::greedy::Greedy;
		use super::player::{Player, Searcher};
		use super::sampled::Sampled;
		use super::weights::Weights;

		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub enum Search {
			Greedy {
				margin: u32,
			},
			Beam(Settings),
			Expectimax {
				beam: Settings,
				endings: usize,
				inner: Settings,
				deeper: [usize; 2],
				rollouts: Option<Rollouts>,
				exact: u32,
			},
			Sampled {
				beam: Settings,
				samples: u32,
				exact: u32,
			},
		}

		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct Rollouts {
			pub most: u32,
			pub length: u32,
			pub beam: Settings,
		}

		impl Search {
			pub fn player(self, weights: Weights) -> Player {
				let searcher: Box<dyn Searcher> = match self {
					Search::Greedy { margin } => Greedy::new(margin),
					Search::Beam(settings) => Box::new(Beam::new(settings)),
					Search::Expectimax { beam, endings, inner, deeper, rollouts, .. } => {
						let search = Expectimax::new(beam, endings, inner, deeper);
						match rollouts {
							None => Box::new(search),
							Some(Rollouts { most, length, beam }) => Box::new(Rollout::new(search, most, length, beam)),
						}
					}
					Search::Sampled { beam, samples, .. } => Box::new(Sampled::new(beam, samples)),
				};
				let searcher = match self.exact() {
					0 => searcher,
					most => Box::new(Endgame::new(most, searcher)),
				};
				Player::new(weights, searcher)
			}

			pub fn exact(self) -> u32 {
				match self {
					Search::Greedy { .. } | Search::Beam(_) => 0,
					Search::Expectimax { exact, .. } | Search::Sampled { exact, .. } => exact,
				}
			}
		}
	}
	pub mod sources {
		use super::alphabet::Alphabet;
		use super::board::{row_column, targets, tile, tiles, Mask, Piece, Tile, LEFT, SIDE, TOP, TYPES};

		#[inline(always)]
		pub fn sources(piece: Piece, set: Mask) -> Mask {
			ways(piece, set).once
		}

		#[inline(always)]
		pub fn onward(types: &[Mask; TYPES], alphabet: Alphabet, set: Mask) -> Mask {
			let [one, two, three, four, rooks, bishops, queens, knights] = *types;
			let both = |piece: Piece, own: Mask| if alphabet.contains(piece) { sources(piece, set & own) } else { 0 };
			let found = both(Piece::One, one)
				| both(Piece::Two, two)
				| both(Piece::Three, three)
				| both(Piece::Four, four)
				| both(Piece::Knight, knights);
			if !alphabet.has_lines() {
				return found;
			}
			found | row_and_column_ends(set & (rooks | queens)) | diagonal_ends(set & (bishops | queens))
		}

		const BOTTOM: Mask = TOP << 50;
		const RIGHT: Mask = LEFT << 5;

		#[inline(always)]
		fn row_and_column_ends(set: Mask) -> Mask {
			let left = ((set & !LEFT) + 62 * LEFT) >> 6 & LEFT;
			let right = ((set & !RIGHT) + 31 * LEFT) & RIGHT;
			let top = one_to_five(set, |set, rows| set >> (10 * rows)) & TOP;
			let bottom = one_to_five(set, |set, rows| set << (10 * rows)) & BOTTOM;
			left | right | top | bottom
		}

		#[inline(always)]
		fn diagonal_ends(set: Mask) -> Mask {
			const TOP_RIGHT: Mask = (TOP | RIGHT) & !1;
			const BOTTOM_LEFT: Mask = (BOTTOM | LEFT) & !(1 << 55);
			one_to_five(set, |set, steps| set >> (11 * steps)) & (TOP | LEFT)
				| one_to_five(set, |set, steps| set << (11 * steps)) & (BOTTOM | RIGHT)
				| one_to_five(set, |set, steps| set >> (9 * steps)) & TOP_RIGHT
				| one_to_five(set, |set, steps| set << (9 * steps)) & BOTTOM_LEFT
		}

		#[inline(always)]
		fn one_to_five(set: Mask, steps: impl Fn(Mask, u32) -> Mask) -> Mask {
			let one = steps(set, 1);
			let two = one | steps(one, 1);
			two | steps(two, 2) | steps(one, 4)
		}

		#[derive(Clone, Copy, Debug, Default)]
		pub struct Twice {
			pub once: Mask,
			pub twice: Mask,
		}

		impl Twice {
			pub const NONE: Twice = Twice::of(0);

			#[inline(always)]
			pub const fn of(set: Mask) -> Self {
				Twice { once: set, twice: 0 }
			}

			#[inline(always)]
			pub const fn plus(self, other: Twice) -> Self {
				Twice { once: self.once | other.once, twice: self.twice | other.twice | self.once & other.once }
			}

			#[inline(always)]
			fn both_ways(self, places: usize) -> Self {
				let (up, down) = (self.once << places, self.once >> places);
				Twice { once: up | down, twice: up & down | self.twice << places | self.twice >> places }
			}
		}

		#[inline(always)]
		pub fn ways(piece: Piece, set: Mask) -> Twice {
			match piece {
				Piece::One => ways_around::<1>(set),
				Piece::Two => ways_around::<2>(set),
				Piece::Three => ways_around::<3>(set),
				Piece::Four => ways_around::<4>(set),
				Piece::Rook => LINES[0].ways(set),
				Piece::Bishop => LINES[1].ways(set),
				Piece::Queen => LINES[2].ways(set),
				Piece::Knight => {
					let set = Twice::of(set);
					set.both_ways(1).both_ways(20).plus(set.both_ways(2).both_ways(10))
				}
			}
		}

		#[inline(always)]
		fn ways_around<const STEPS: usize>(set: Mask) -> Twice {
			let set = Twice::of(set);
			let beside = set.both_ways(STEPS);
			beside.plus(beside.plus(set).both_ways(10 * STEPS))
		}

		#[inline(always)]
		pub fn visits(piece: Piece, set: Mask) -> Twice {
			match piece {
				Piece::Rook | Piece::Bishop | Piece::Queen => {
					tiles(set).fold(Twice::NONE, |found, tile| found.plus(Twice::of(targets(piece, tile))))
				}
				_ => ways(piece, set),
			}
		}

		struct Lines {
			top: [Twice; 64],
			bottom: [Twice; 64],
			left: [Twice; 16],
			right: [Twice; 16],
		}

		static LINES: [Lines; 3] = [Lines::of(Piece::Rook), Lines::of(Piece::Bishop), Lines::of(Piece::Queen)];

		impl Lines {
			const fn of(piece: Piece) -> Lines {
				let none = Twice::NONE;
				let mut lines = Lines { top: [none; 64], bottom: [none; 64], left: [none; 16], right: [none; 16] };
				let mut set = 0;
				while set < 64 {
					let mut i = 0;
					while i < SIDE {
						if set >> i & 1 == 1 {
							lines.top[set] = lines.top[set].plus(ending_at(piece, tile(0, i)));
							lines.bottom[set] = lines.bottom[set].plus(ending_at(piece, tile(SIDE - 1, i)));
							if set < 16 {
								lines.left[set] = lines.left[set].plus(ending_at(piece, tile(1 + i, 0)));
								lines.right[set] = lines.right[set].plus(ending_at(piece, tile(1 + i, SIDE - 1)));
							}
						}
						i += 1;
					}
					set += 1;
				}
				lines
			}

			#[inline(always)]
			fn ways(&self, set: Mask) -> Twice {
				let top = self.top[(set & 63) as usize];
				let bottom = self.bottom[(set >> 50 & 63) as usize];
				let left = self.left[inner_column(set >> 10)];
				let right = self.right[inner_column(set >> 15)];
				top.plus(bottom).plus(left.plus(right))
			}
		}

		const fn ending_at(piece: Piece, to: Tile) -> Twice {
			let mut found = 0;
			let mut from = 0;
			while from < SIDE * SIDE {
				let (row, column) = (from / SIDE, from % SIDE);
				if piece.steps((SIDE, SIDE), (row, column), row_column(to)) {
					found |= 1 << tile(row, column);
				}
				from += 1;
			}
			Twice::of(found)
		}

		#[inline(always)]
		fn inner_column(set: Mask) -> usize {
			const COLUMN: Mask = 1 | 1 << 10 | 1 << 20 | 1 << 30;
			((set & COLUMN).wrapping_mul(1 << 27 | 1 << 18 | 1 << 9 | 1) >> 27 & 0b1111) as usize
		}

	}
	pub mod weights {
		crate::weights! {
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
				choice: "more than one next tile continues towards the set", -20.0..=20.0, 0.5, 0.5;
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
				start_number: "no set in progress can be completed, but a next tile starts a number \
					set", -20.0..=20.0, 0.5, 1.0;
				start_chess: "no set in progress can be completed, but a next tile starts a chess set", -20.0..=20.0, 0.5, 1.0;
				start_link: "no set in progress can be completed, but a next tile starts two sets of both \
					kinds", -20.0..=20.0, 0.5, 1.0;
				start_order: "a next tile starts a number set in order, where no other set is in \
					progress", -20.0..=20.0, 0.5, 1.0;
				needed: "each next tile of a type that the set in progress lacks", -10.0..=10.0, 0.3, 0.1;
				other_kind: "each next tile of the kind that the last removal was not", -10.0..=10.0, 0.3, 0.0;

				run_1: "a next tile shows the type just removed", -20.0..=20.0, 0.5, 3.0;
				run_2: "a next tile shows the type of the run in progress", -20.0..=20.0, 0.5, 2.0;
				run_on: "a next tile of the type just removed has another one after it", -20.0..=20.0, 0.5, 0.5;
				pair: "a next tile has its own type after it", -20.0..=20.0, 0.5, 1.0;
				triple: "a next tile has its own type twice after it", -20.0..=20.0, 0.5, 0.5;
			}
			variation DRIFTS = "_drift", "change from start to end of the game: ";
		}

		#[derive(Clone, Copy, Debug, PartialEq)]
		pub struct Weights {
			pub start: Terms,
			pub drift: Terms,
		}

		impl Weights {
			pub const COUNT: usize = 2 * Terms::COUNT;

			pub const DEFAULT: Self = Weights { start: Terms::DEFAULT, drift: Terms::ZERO };

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

			pub fn at(&self, progress: f64) -> Terms {
				self.start.drifted(&self.drift, progress)
			}
		}
	}
}

pub mod clock {
	use std::fmt::Debug;
	use std::time::{Duration, Instant};

	pub trait Time: Debug {
		fn passed(&self) -> Duration;
	}

	impl Time for Instant {
		fn passed(&self) -> Duration {
			self.elapsed()
		}
	}

	#[derive(Clone, Copy, Debug)]
	pub struct Clock<'a>(Option<Limited<'a>>);

	#[derive(Clone, Copy, Debug)]
	struct Limited<'a> {
		time: &'a dyn Time,
		limit: Duration,
		end: Duration,
	}

	impl<'a> Clock<'a> {
		pub const UNLIMITED: Self = Clock(None);

		pub fn start(time: &'a dyn Time, limit: Duration) -> Self {
			Clock(Some(Limited { time, limit, end: time.passed() + limit }))
		}

		pub fn again(&self) -> Self {
			self.0.map_or(Clock::UNLIMITED, |Limited { time, limit, .. }| Clock::start(time, limit))
		}

		pub fn left(&self) -> Option<Duration> {
			self.0.map(|Limited { time, end, .. }| end.saturating_sub(time.passed()))
		}

		pub fn share(&self, moves: u32) -> Self {
			match (self.0, self.left()) {
				(Some(Limited { time, .. }), Some(left)) => Clock::start(time, left / moves.max(1)),
				_ => *self,
			}
		}

		pub fn is_over(&self) -> bool {
			self.0.is_some_and(|Limited { time, end, .. }| time.passed() >= end)
		}
	}
}

pub mod piece {
	#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
	#[repr(u8)]
	pub enum Piece {
		One,
		Two,
		Three,
		Four,
		Rook,
		Bishop,
		Queen,
		Knight,
	}

	pub const TYPES: usize = 8;

	impl Piece {
		pub const ALL: [Piece; TYPES] =
			[Piece::One, Piece::Two, Piece::Three, Piece::Four, Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight];

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
	#[derive(Clone, Debug)]
	pub struct SplitMix64(u64);

	impl SplitMix64 {
		pub const fn new(seed: u64) -> Self {
			Self(seed)
		}

		#[inline]
		pub fn next_u64(&mut self) -> u64 {
			self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
			mixed(self.0)
		}

		#[inline]
		pub fn below(&mut self, n: u32) -> u32 {
			(((self.next_u64() >> 32) * u64::from(n)) >> 32) as u32
		}
	}

	#[inline]
	pub const fn mixed(mut z: u64) -> u64 {
		z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
		z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
		z ^ (z >> 31)
	}
}

pub mod weights {
	#[derive(Clone, Copy, Debug, PartialEq)]
	pub struct Weight {
		pub name: &'static str,
		pub meaning: &'static str,
		pub min: f64,
		pub max: f64,
		pub scale: f64,
		pub default: f64,
	}

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
				pub const DECLARED: &'static [$crate::weights::Weight] = &[
					$($crate::weights::Weight {
						name: stringify!($weight), meaning: $meaning,
						min: $min, max: $max, scale: $scale, default: $default,
					},)*
				];

				pub const COUNT: usize = Self::DECLARED.len();

				pub const DEFAULT: Self = Self { $($weight: $default),* };

				pub const ZERO: Self = Self { $($weight: 0.0),* };

				pub const fn from_values(values: &[f64; Self::COUNT]) -> Self {
					let [$($weight),*] = *values;
					Self { $($weight),* }
				}

				pub fn drifted(&self, drift: &Self, share: f64) -> Self {
					Self { $($weight: self.$weight + share * drift.$weight),* }
				}

				pub const fn values(&self) -> [f64; Self::COUNT] {
					[$(self.$weight),*]
				}
			}
		};
	}
}

pub mod words {
	use std::io::{BufRead, Read};

	#[derive(Debug)]
	pub struct Words<R> {
		input: R,
		line: Vec<u8>,
		next: usize,
	}

	pub const LONGEST: usize = 1000;

	impl<R: BufRead> Words<R> {
		pub fn new(input: R) -> Self {
			Words { input, line: Vec::new(), next: 0 }
		}

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
