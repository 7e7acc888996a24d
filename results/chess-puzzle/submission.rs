//! A player of ChessPuzzle, exported by evolve 0.1.0.
//!
//! Player `greedy`, run `chess-puzzle/refined` (version 1): +0.037 against the baseline on 76 trials (95 %: +0.022 to +0.064).
//! Build it with `rustc -O --edition 2021`. Licence: MIT OR Apache-2.0.

// Each module below is complete, although this player uses only a part of it.
#![allow(dead_code, unused_imports)]

use clock::Clock;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use chess_puzzle::beam::Settings;
use chess_puzzle::search::Search;
use chess_puzzle::weights::{Terms, Weights};

/// The weights.
const WEIGHTS: Weights = Weights {
	start: Terms {
		inner_unreached: -5.2027,
		inner_reached_1: -0.8122,
		inner_reached_2: -0.3893,
		inner_reached_3: -0.308,
		edge_unreached: -3.2717,
		edge_reached_1: -0.8881,
		edge_reached_2: -0.1913,
		edge_reached_3: 0.0189,
		inner_unreached_layer: -0.255,
		inner_reached_1_layer: -0.1076,
		inner_reached_2_layer: -0.1452,
		edge_unreached_layer: -0.3726,
		edge_reached_1_layer: -0.0353,
		edge_reached_2_layer: -0.1405,
		short_stuck: -18.9019,
		short_exits_1: -2.9765,
		short_exits_2: -0.1959,
		long_stuck: -7.8496,
		long_exits_1: -3.4284,
		long_exits_2: -0.8953,
		short_stuck_layer: -0.1422,
		short_exits_1_layer: -1.1517,
		short_exits_2_layer: -0.3992,
		long_stuck_layer: -3.3274,
		long_exits_1_layer: -0.476,
		long_exits_2_layer: -0.2068,
		long_inner: -0.096,
		long_edge: -0.571,
		long_last: 0.269,
		long_height_2: 0.6106,
		long_height_3: -0.0643,
		long_layer: -0.1806,
		hidden_inner: 4.002,
		hidden_edge: 2.8568,
		edge_layer: 2.1951,
		corner_layer: 0.2737,
		tall_inner: -4.1634,
		tall_edge: -0.7312,
		tall_corner: -0.4152,
		last_layer: -0.8064,
		edge_short: -0.7471,
		edge_tight: -0.4351,
		edge_spare: -0.0417,
		moves_1: -2.0695,
		moves_2: -1.1896,
		moves_3: 0.0426,
		moves_more: -0.5374,
		moves_stuck: 0.1883,
		moves_exits_1: 0.6163,
		moves_long: 0.0808,
		moves_edge: -0.0567,
		moves_waste: 0.3401,
		moves_alone: 4.2073,
		moves_height: -0.3576,
		within_8: 37.386,
		within_24: 84.59,
		within_short: 0.087,
		stuck_soon: -17.002,
		..Terms::DEFAULT
	},
	drift: Terms {
		inner_unreached: -0.8124,
		inner_reached_1: -0.1326,
		inner_reached_2: -0.0721,
		inner_reached_3: 0.1106,
		edge_unreached: -1.467,
		edge_reached_1: 1.1795,
		edge_reached_2: 0.198,
		edge_reached_3: -0.2297,
		inner_unreached_layer: -0.6428,
		inner_reached_1_layer: -0.0307,
		inner_reached_2_layer: 0.0674,
		edge_unreached_layer: -0.149,
		edge_reached_1_layer: -1.2526,
		edge_reached_2_layer: -0.1491,
		short_stuck: -3.8113,
		short_exits_1: -2.2918,
		short_exits_2: -1.1291,
		long_stuck: -7.0176,
		long_exits_1: -2.5069,
		long_exits_2: -1.156,
		short_stuck_layer: -2.2447,
		short_exits_1_layer: -1.1832,
		short_exits_2_layer: -0.7745,
		long_stuck_layer: -0.7085,
		long_exits_1_layer: -0.2981,
		long_exits_2_layer: -0.1093,
		long_inner: 1.5678,
		long_edge: 0.3828,
		long_last: 1.0823,
		long_height_2: 0.2439,
		long_height_3: 0.4323,
		long_layer: -0.1083,
		hidden_inner: 0.2551,
		hidden_edge: 1.1372,
		edge_layer: 1.9587,
		corner_layer: 0.8167,
		tall_inner: -0.888,
		tall_edge: -2.3552,
		tall_corner: -1.0212,
		last_layer: -0.3025,
		edge_short: 0.8989,
		edge_tight: -0.1283,
		edge_spare: 0.746,
		moves_1: -2.7793,
		moves_2: 0.0193,
		moves_3: 1.0995,
		moves_more: -0.1364,
		moves_stuck: 0.5557,
		moves_exits_1: 0.2884,
		moves_long: 0.2632,
		moves_edge: 0.3455,
		moves_waste: -0.1215,
		moves_alone: 1.7952,
		moves_height: 0.5735,
		within_8: 12.447,
		within_24: 16.196,
		within_short: 0.72,
		stuck_soon: -17.012,
		..Terms::ZERO
	},
	tight: Terms {
		inner_unreached: -0.7133,
		inner_reached_1: -0.6763,
		inner_reached_2: -0.5388,
		inner_reached_3: -0.2143,
		edge_unreached: -0.7324,
		edge_reached_1: -0.4767,
		edge_reached_2: -0.4671,
		edge_reached_3: -0.0575,
		inner_unreached_layer: 0.1308,
		inner_reached_1_layer: 0.1281,
		inner_reached_2_layer: 0.0159,
		edge_unreached_layer: 2.0264,
		edge_reached_1_layer: -0.2382,
		edge_reached_2_layer: -0.0288,
		short_stuck: 0.2442,
		short_exits_1: 0.623,
		short_exits_2: -0.3795,
		long_stuck: 4.4893,
		long_exits_1: 1.9579,
		long_exits_2: 0.3675,
		short_stuck_layer: -1.943,
		short_exits_1_layer: -0.0302,
		short_exits_2_layer: 0.0048,
		long_stuck_layer: -3.4038,
		long_exits_1_layer: 0.022,
		long_exits_2_layer: 0.0107,
		long_inner: 2.3658,
		long_edge: 0.2531,
		long_last: 2.6723,
		long_height_2: 0.4655,
		long_height_3: -0.2107,
		long_layer: 0.0054,
		hidden_inner: -1.0021,
		hidden_edge: 0.1593,
		edge_layer: 4.1702,
		corner_layer: 0.3573,
		tall_inner: -0.2673,
		tall_edge: 0.0426,
		tall_corner: -0.1465,
		last_layer: -0.2682,
		edge_short: 0.0613,
		edge_tight: 0.0407,
		edge_spare: -0.3803,
		moves_1: -1.0651,
		moves_2: -0.5249,
		moves_3: -0.3062,
		moves_more: -0.1768,
		moves_stuck: 0.0079,
		moves_exits_1: -0.0643,
		moves_long: 0.0656,
		moves_edge: 0.2468,
		moves_waste: 0.0231,
		moves_alone: 0.4446,
		moves_height: 1.5317,
		within_8: 6.878,
		within_24: 2.942,
		within_short: 0.699,
		stuck_soon: 18.216,
		..Terms::ZERO
	},
	layers: Terms {
		inner_unreached: 0.5549,
		inner_reached_1: 0.3428,
		inner_reached_2: 0.2288,
		inner_reached_3: 0.1224,
		edge_unreached: 4.3663,
		edge_reached_1: -0.3224,
		edge_reached_2: 0.1992,
		edge_reached_3: 0.0232,
		inner_unreached_layer: 0.699,
		inner_reached_1_layer: 0.2,
		inner_reached_2_layer: 0.0358,
		edge_unreached_layer: -1.059,
		edge_reached_1_layer: 0.479,
		edge_reached_2_layer: 0.0618,
		short_stuck: 1.9298,
		short_exits_1: 0.8132,
		short_exits_2: 0.238,
		long_stuck: 6.8697,
		long_exits_1: 1.0422,
		long_exits_2: 0.2497,
		short_stuck_layer: 0.5431,
		short_exits_1_layer: 0.0482,
		short_exits_2_layer: 0.1247,
		long_stuck_layer: -2.3874,
		long_exits_1_layer: 0.0817,
		long_exits_2_layer: 0.308,
		long_inner: 0.3148,
		long_edge: -0.2805,
		long_last: -0.8225,
		long_height_2: -0.1289,
		long_height_3: 0.9061,
		long_layer: -0.0479,
		hidden_inner: 1.8028,
		hidden_edge: 0.6631,
		edge_layer: -0.4276,
		corner_layer: -0.074,
		tall_inner: -0.9053,
		tall_edge: -0.6549,
		tall_corner: -0.9145,
		last_layer: -0.5313,
		edge_short: 0.0012,
		edge_tight: 0.2731,
		edge_spare: 0.1894,
		moves_1: 0.3476,
		moves_2: -0.4226,
		moves_3: -0.1518,
		moves_more: -0.1823,
		moves_stuck: 0.4965,
		moves_exits_1: 0.0221,
		moves_long: -0.0595,
		moves_edge: 0.0464,
		moves_waste: 0.0307,
		moves_alone: -1.725,
		moves_height: -0.4076,
		within_24: -7.574,
		within_short: 0.182,
		stuck_soon: 17.077,
		..Terms::ZERO
	},
};

/// The search. With a clock, that decides how many completions are sampled.
const SEARCH: Search = Search::Sampled { beam: Settings { width: 1, depth: 1 }, samples: 64 };

/// Time limit of a game on the player's own clock; the judge allows 20s.
const TIME: Option<Duration> = Some(Duration::from_micros(19000000));

fn main() -> ExitCode {
	let start = Instant::now();
	let clock = TIME.map_or(Clock::UNLIMITED, |limit| Clock::start(&start, limit));
	let player = |position: &_| SEARCH.player(&WEIGHTS, position);
	match chess_puzzle::dialogue::play(std::io::stdin().lock(), std::io::stdout().lock(), &clock, player) {
		Ok(()) => ExitCode::SUCCESS,
		Err(message) => {
			eprintln!("error: {message}");
			ExitCode::FAILURE
		}
	}
}

pub mod chess_puzzle {
	//! ChessPuzzle: clear the stacked tiles of a large board, where each click is a chess-like step
	//! from the last.
	//!
	//! [`board`] and [`position`] hold the rules; [`weights`], [`field`] and [`evaluation`] judge a
	//! position; [`greedy`], [`beam`] and [`sampled`] choose clicks by the evaluation for the
	//! [`player`]; [`search`] selects one of them by name; [`dialogue`] talks to the tester.

	pub mod beam {
		//! Beam search over the visible tiles.
		//!
		//! A line of play ends where no cell can be clicked, at a hidden tile (valued at the average over
		//! its possible types), or at the beam's depth. The search returns the line with the best end.

		use super::board::{Cell, CELLS, TYPES};
		use super::evaluation::{Evaluation, Evaluations};
		use super::field::{Field, Head, HIDDEN};
		use super::player::Searcher;
		use crate::clock::Clock;

		/// The width and depth of a beam.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct Settings {
			/// Number of lines kept at each depth.
			pub width: usize,
			/// Number of clicks looked ahead.
			pub depth: usize,
		}

		/// A line of play up to a click that is chosen but not yet made.
		#[derive(Clone, Copy, Debug)]
		struct Line {
			/// Index of the line that it extends.
			parent: u32,
			cell: Cell,
			first: Cell,
			/// Value of stacks and board after the click.
			board: f64,
			/// The same plus the value of the next moves, by which lines are compared.
			value: f64,
			/// Hash of the tiles left after the click.
			hash: u64,
		}

		/// A click of a line of play, with the index of the click before it.
		#[derive(Clone, Copy, Debug)]
		struct Step {
			before: u32,
			cell: Cell,
		}

		const NONE: u32 = u32::MAX;

		/// The value of the best line found from each first cell; negative infinity if there is none. Only
		/// the largest value is reliable: the search may have dropped the other lines early.
		pub type Values = [f64; CELLS];

		/// A beam search with its working memory.
		#[derive(Debug)]
		pub struct Beam {
			fields: Vec<Field>,
			before: Vec<Field>,
			lines: Vec<Line>,
			grown: Vec<Line>,
			/// All clicks of the kept lines, and for each line the index of its last click.
			steps: Vec<Step>,
			last: Vec<u32>,
			before_last: Vec<u32>,
			values: Box<Values>,
			/// The best line: its value and its last click.
			best: Option<(f64, Step)>,
			is_complete: bool,
			considered: u64,
		}

		impl Default for Beam {
			fn default() -> Self {
				Beam {
					fields: Vec::new(),
					before: Vec::new(),
					lines: Vec::new(),
					grown: Vec::new(),
					steps: Vec::new(),
					last: Vec::new(),
					before_last: Vec::new(),
					values: Box::new([f64::NEG_INFINITY; CELLS]),
					best: None,
					is_complete: true,
					considered: 0,
				}
			}
		}

		impl Beam {
			/// Searches for the best line of play. A clock that runs out ends the search at the depth
			/// reached. Returns whether the search was completed.
			pub fn search(
				&mut self,
				settings: Settings,
				field: &Field,
				head: Head,
				evaluations: &Evaluations,
				clock: &Clock,
			) -> bool {
				let width = settings.width.max(1);
				// With nothing hidden, the search reaches the end of the game and the evaluation changes
				// with progress. Otherwise it compares lines of different lengths, which requires a single
				// evaluation.
				let goes_along = field.hidden() == 0;
				let mut evaluation = evaluations.at(field.left());
				// One click ahead, only the changes count.
				let board = if settings.depth > 1 { evaluation.value(field) } else { 0.0 };
				self.values.fill(f64::NEG_INFINITY);
				self.best = None;
				self.is_complete = true;
				self.steps.clear();
				self.grown.clear();
				let mut grow = |cell: Cell| {
					let root = Line { parent: NONE, cell, first: cell, board, value: 0.0, hash: 0 };
					self.extend(field, &root, NONE, cell, settings.depth <= 1, evaluation);
				};
				match head {
					Head::Start => (0..field.board().cells() as Cell).for_each(&mut grow),
					Head::At(last, piece) => field.targets(last, piece).iter().copied().for_each(&mut grow),
				}
				for depth in 2..=settings.depth {
					if self.grown.is_empty() {
						break;
					}
					if clock.is_over() {
						self.give_up();
						return false;
					}
					self.keep(width);
					self.advance(field, depth == 2);
					let left = field.left() - depth as i32 + 1;
					if goes_along && !std::ptr::eq(evaluation, evaluations.at(left)) {
						evaluation = evaluations.at(left);
						for (line, field) in self.lines.iter_mut().zip(&self.fields) {
							line.board = evaluation.value(field);
						}
					}
					for place in 0..self.lines.len() {
						let line = self.lines[place];
						// Taken out while lines that extend it are added.
						let fields = std::mem::take(&mut self.fields);
						let before = if depth == 2 { field } else { &self.before[line.parent as usize] };
						for &cell in before.targets(line.cell, before.top(line.cell)).iter() {
							let root = Line { parent: place as u32, cell, ..line };
							self.extend(&fields[place], &root, self.last[place], cell, depth == settings.depth, evaluation);
						}
						self.fields = fields;
					}
				}
				true
			}

			/// Returns whether the last search dropped no line: a wider one would find the same.
			pub fn is_complete(&self) -> bool {
				self.is_complete
			}

			/// Returns the number of clicks considered in all searches so far.
			pub fn considered(&self) -> u64 {
				self.considered
			}

			/// Returns the values of all first clicks.
			pub fn values(&self) -> &Values {
				&self.values
			}

			/// Returns the first click of the best line; `None` if the game is over.
			pub fn choice(&self) -> Option<Cell> {
				let mut step = self.best?.1;
				while step.before != NONE {
					step = self.steps[step.before as usize];
				}
				Some(step.cell)
			}

			/// Returns the best line, its last click first.
			pub fn line(&self) -> impl Iterator<Item = Cell> + '_ {
				let mut next = self.best.map(|(_, step)| step);
				std::iter::from_fn(move || {
					let step = next?;
					next = self.steps.get(step.before as usize).copied();
					Some(step.cell)
				})
			}

			/// Ends all lines at the present depth.
			fn give_up(&mut self) {
				for place in 0..self.grown.len() {
					let line = self.grown[place];
					let before = self.last_of(line.parent);
					self.finish(line.first, line.value, Step { before, cell: line.cell });
				}
			}

			/// Returns the index of the last click of a line among `lines`.
			fn last_of(&self, parent: u32) -> u32 {
				if parent == NONE {
					NONE
				} else {
					self.last[parent as usize]
				}
			}

			/// Moves the best `width` extended lines to `lines`, and only one of those that leave the same
			/// tiles.
			fn keep(&mut self, width: usize) {
				let better =
					|a: &Line, b: &Line| b.value.total_cmp(&a.value).then(a.parent.cmp(&b.parent)).then(a.cell.cmp(&b.cell));
				self.grown.sort_unstable_by(|a, b| (a.hash, a.cell).cmp(&(b.hash, b.cell)).then_with(|| better(a, b)));
				self.grown.dedup_by(|a, b| (a.hash, a.cell) == (b.hash, b.cell));
				if self.grown.len() > width {
					self.is_complete = false;
					self.grown.select_nth_unstable_by(width, better);
					self.grown.truncate(width);
				}
				self.grown.sort_unstable_by(better);
				let mut last = std::mem::take(&mut self.before_last);
				last.clear();
				for line in &self.grown {
					last.push(self.steps.len() as u32);
					self.steps.push(Step { before: self.last_of(line.parent), cell: line.cell });
				}
				self.before_last = std::mem::replace(&mut self.last, last);
				std::mem::swap(&mut self.lines, &mut self.grown);
				self.grown.clear();
			}

			/// Makes the clicks of `lines`; `fields` receives the board after each.
			fn advance(&mut self, start: &Field, is_first: bool) {
				std::mem::swap(&mut self.fields, &mut self.before);
				for (place, line) in self.lines.iter().enumerate() {
					let parent = if is_first { start } else { &self.before[line.parent as usize] };
					match self.fields.get_mut(place) {
						Some(field) => field.clone_from(parent),
						None => self.fields.push(parent.clone()),
					}
					self.fields[place].click(line.cell, HIDDEN);
				}
			}

			fn finish(&mut self, first: Cell, value: f64, step: Step) {
				let of_first = &mut self.values[first as usize];
				*of_first = of_first.max(value);
				if self.best.is_none_or(|(best, _)| value > best) {
					self.best = Some((value, step));
				}
			}

			/// Adds a click on `cell` to a line, if it is legal: to the values if it ends the line, else to
			/// the lines to extend.
			#[inline]
			fn extend(&mut self, field: &Field, line: &Line, before: u32, cell: Cell, is_last: bool, evaluation: &Evaluation) {
				if field.height(cell) == 0 {
					return;
				}
				self.considered += 1;
				let piece = field.top(cell);
				let change = evaluation.change(field, cell);
				let board = line.board + change;
				let step = Step { before, cell };
				let lost = -f64::from(field.left() - 1);
				if piece == HIDDEN {
					let after = |piece| evaluation.moves(field, cell, piece).map_or(lost, |moves| board + moves);
					let sum: f64 = (0..TYPES as u8).map(after).sum();
					self.finish(line.first, sum / TYPES as f64, step);
					return;
				}
				match evaluation.moves(field, cell, piece) {
					None => self.finish(line.first, lost, step),
					Some(moves) if is_last => self.finish(line.first, board + moves, step),
					Some(moves) => {
						let hash = field.hash_after(cell);
						self.grown.push(Line { board, value: board + moves, hash, ..*line });
					}
				}
			}
		}

		/// A player that follows the best line of a beam with the same settings throughout the game.
		#[derive(Debug)]
		pub struct Wide {
			settings: Settings,
			beam: Beam,
		}

		impl Wide {
			/// Returns a player with a beam of these settings.
			pub fn new(settings: Settings) -> Self {
				Wide { settings, beam: Beam::default() }
			}
		}

		impl Searcher for Wide {
			fn choose(&mut self, field: &Field, head: Head, evaluations: &Evaluations, clock: &Clock) -> Option<Cell> {
				self.beam.search(self.settings, field, head, evaluations, &clock.share(field.left() as u32));
				self.beam.choice()
			}
		}
	}
	pub mod board {
		//! Boards of every size: their cells, and the cells that each type of tile reaches.
		//!
		//! Cells are numbered row by row from 0. A tile reaches at most eight cells, kept in a short list,
		//! so that a step costs the same on every size of board.

		pub use crate::piece::{Piece, TYPES};
		use std::sync::OnceLock;

		/// Smallest number of rows and of columns.
		pub const SMALLEST: usize = 6;
		/// Largest number of rows and of columns.
		pub const LARGEST: usize = 15;
		/// Largest number of cells.
		pub const CELLS: usize = LARGEST * LARGEST;
		/// Largest number of layers.
		pub const MOST_LAYERS: usize = 10;

		/// A cell, `row * columns + column`.
		pub type Cell = u8;

		const LETTERS: [char; TYPES] = ['1', '2', '3', '4', 'R', 'B', 'Q', 'K'];

		impl Piece {
			/// Returns the letter in the tester's dialogue.
			pub const fn letter(self) -> char {
				LETTERS[self as usize]
			}

			/// Returns the type with this letter in the tester's dialogue.
			pub fn from_letter(letter: char) -> Option<Piece> {
				Self::ALL.into_iter().find(|piece| piece.letter() == letter)
			}
		}

		/// A short list of cells.
		#[derive(Clone, Copy, Debug, Default)]
		pub struct Cells {
			cells: [Cell; 8],
			count: u8,
		}

		impl Cells {
			/// Adds a cell.
			fn push(&mut self, cell: Cell) {
				self.cells[self.count as usize] = cell;
				self.count += 1;
			}
		}

		impl std::ops::Deref for Cells {
			type Target = [Cell];

			#[inline]
			fn deref(&self) -> &[Cell] {
				&self.cells[..(self.count & 15) as usize]
			}
		}

		/// A set of cells, one bit each.
		#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
		pub struct CellSet([u64; 4]);

		impl CellSet {
			/// Adds a cell.
			#[inline]
			pub fn insert(&mut self, cell: Cell) {
				self.0[usize::from(cell >> 6)] |= 1 << (cell & 63);
			}

			/// Removes a cell, if it is in the set.
			#[inline]
			pub fn remove(&mut self, cell: Cell) {
				self.0[usize::from(cell >> 6)] &= !(1 << (cell & 63));
			}

			/// Removes and returns the first cell.
			#[inline]
			pub fn pop(&mut self) -> Option<Cell> {
				let (word, bits) = self.0.iter_mut().enumerate().find(|(_, bits)| **bits != 0)?;
				let cell = word as u32 * 64 + bits.trailing_zeros();
				*bits &= *bits - 1;
				Some(cell as Cell)
			}

			/// Moves the cells that are also in `other` from this set to `to`.
			#[inline]
			pub fn move_common(&mut self, other: &CellSet, to: &mut CellSet) {
				for ((from, other), to) in self.0.iter_mut().zip(other.0).zip(&mut to.0) {
					*to |= *from & other;
					*from &= !other;
				}
			}

			/// How many cells there are.
			#[inline]
			pub fn count(&self) -> u32 {
				self.0.iter().map(|bits| bits.count_ones()).sum()
			}

			/// Returns the number of cells in both sets.
			#[inline]
			pub fn common(&self, other: &CellSet) -> u32 {
				self.0.iter().zip(other.0).map(|(bits, other)| (bits & other).count_ones()).sum()
			}
		}

		/// A type of tile on a cell that reaches another cell.
		#[derive(Clone, Copy, Debug)]
		pub struct Source {
			/// Where the tile is.
			pub cell: Cell,
			/// Its type.
			pub piece: u8,
		}

		/// The geometry of one size of board.
		#[derive(Debug)]
		pub struct Board {
			rows: usize,
			columns: usize,
			targets: Vec<[Cells; TYPES]>,
			target_sets: Vec<[CellSet; TYPES]>,
			sources: Vec<Vec<Source>>,
			sides: [u8; 256],
		}

		impl Board {
			/// Returns the board of this size.
			///
			/// # Panics
			/// If rows or columns are not in [`SMALLEST`] to [`LARGEST`].
			pub fn of_size(rows: usize, columns: usize) -> &'static Board {
				const SIZES: usize = LARGEST - SMALLEST + 1;
				static BOARDS: [[OnceLock<Board>; SIZES]; SIZES] = [const { [const { OnceLock::new() }; SIZES] }; SIZES];
				BOARDS[rows - SMALLEST][columns - SMALLEST].get_or_init(|| Board::new(rows, columns))
			}

			fn new(rows: usize, columns: usize) -> Self {
				let cells = rows * columns;
				let place = |cell: usize| (cell / columns, cell % columns);
				let mut board = Board {
					rows,
					columns,
					targets: vec![[Cells::default(); TYPES]; cells],
					target_sets: vec![[CellSet::default(); TYPES]; cells],
					sources: vec![Vec::new(); cells],
					sides: [0; 256],
				};
				for from in 0..cells {
					for to in 0..cells {
						for piece in Piece::ALL {
							if piece.steps((rows, columns), place(from), place(to)) {
								board.targets[from][piece as usize].push(to as Cell);
								board.target_sets[from][piece as usize].insert(to as Cell);
								board.sources[to].push(Source { cell: from as Cell, piece: piece as u8 });
							}
						}
					}
					let (row, column) = place(from);
					board.sides[from] = u8::from(row == 0 || row == rows - 1) + u8::from(column == 0 || column == columns - 1);
				}
				board
			}

			/// Rows.
			pub fn rows(&self) -> usize {
				self.rows
			}

			/// Columns.
			pub fn columns(&self) -> usize {
				self.columns
			}

			/// How many cells there are.
			pub fn cells(&self) -> usize {
				self.rows * self.columns
			}

			/// Returns the cells, empty or not, that may be clicked right after a tile of this type was
			/// removed from `cell`.
			#[inline]
			pub fn targets(&self, cell: Cell, piece: u8) -> &Cells {
				&self.targets[cell as usize][(piece & 7) as usize]
			}

			/// Returns the same cells as a set.
			#[inline]
			pub fn target_set(&self, cell: Cell, piece: u8) -> &CellSet {
				&self.target_sets[cell as usize][(piece & 7) as usize]
			}

			/// Returns every type and place of a tile that would reach `cell`.
			#[inline]
			pub fn sources(&self, cell: Cell) -> &[Source] {
				&self.sources[cell as usize]
			}

			/// Returns the number of sides of the board on which a cell lies: 0 inside, 1 on an edge, 2 in
			/// a corner.
			#[inline]
			pub fn sides(&self, cell: Cell) -> u8 {
				self.sides[cell as usize]
			}
		}
	}
	pub mod dialogue {
		//! The dialogue of the contest's offline tester: the program reads the board, then prints a cell
		//! and reads the tile that shows there, repeatedly.
		//!
		//! The tester does not answer the click that ends the game; it closes its side. Any white space
		//! separates words.

		use super::board::{Cell, Piece, LARGEST, MOST_LAYERS, SMALLEST};
		use super::field::HIDDEN;
		use super::player::Player;
		use super::position::Position;
		use crate::clock::Clock;
		use crate::words::Words;
		use std::io::{self, BufRead, Write};

		/// The tester's word for a cell that is now empty.
		const EMPTIED: &str = "-";

		/// Plays one game. `player` returns the player of a game that starts with the given position.
		///
		/// The game ends when no cell can be clicked, or when the tester closes its side before an answer.
		///
		/// # Errors
		/// A message about a fault in the input, or about a failure to read or write.
		pub fn play(
			input: impl BufRead,
			mut output: impl Write,
			clock: &Clock,
			player: impl FnOnce(&Position) -> Player,
		) -> Result<(), String> {
			let mut words = Words::new(input);
			let mut position = read_start(&mut words)?;
			let mut player = player(&position);
			let columns = position.board().columns();
			while let Some(cell) = player.choose(clock) {
				let (row, column) = (cell as usize / columns, cell as usize % columns);
				match writeln!(output, "{row} {column}").and_then(|()| output.flush()) {
					Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
					Err(error) => return Err(format!("cannot print a click: {error}")),
					Ok(()) => {}
				}
				let Some(word) = words.next()? else { return Ok(()) };
				let revealed =
					shown(&word, position.height(cell)).map_err(|m| format!("after the click on {row} {column}: {m}"))?;
				position.click(cell, revealed);
				player.click(cell, revealed.map_or(HIDDEN, |piece| piece as u8));
			}
			Ok(())
		}

		/// Reads the tile that shows after a click on a stack of `height` layers.
		fn shown(word: &str, height: usize) -> Result<Option<Piece>, String> {
			match (word, height) {
				(EMPTIED, 1) => Ok(None),
				(EMPTIED, _) => Err(format!("`{EMPTIED}`, but the cell has another tile")),
				(word, 1) => Err(format!("`{word}`, but `{EMPTIED}` was due: the cell is empty")),
				(word, _) => tile(word).map(Some),
			}
		}

		/// Parses the one letter of a tile.
		fn tile(word: &str) -> Result<Piece, String> {
			let mut letters = word.chars();
			match (letters.next().and_then(Piece::from_letter), letters.next()) {
				(Some(piece), None) => Ok(piece),
				_ => Err(format!("there is no tile `{word}`")),
			}
		}

		fn read_start(words: &mut Words<impl BufRead>) -> Result<Position, String> {
			let layers = read_number(words, "the number of layers", 1, MOST_LAYERS)?;
			let rows = read_number(words, "the number of rows", SMALLEST, LARGEST)?;
			let mut tiles: Vec<Piece> = Vec::new();
			let mut columns = 0;
			for row in 0..rows {
				let Some(line) = words.next()? else {
					return Err(format!("the board ends before row {row} of {rows} (counted from 0)"));
				};
				let length = line.chars().count();
				if row == 0 {
					columns = length;
					if !(SMALLEST..=LARGEST).contains(&columns) {
						return Err(format!("row 0 has {columns} tiles; boards are {SMALLEST} to {LARGEST} wide"));
					}
				} else if length != columns {
					return Err(format!("row {row} has {length} tiles, row 0 has {columns}"));
				}
				for (column, letter) in line.chars().enumerate() {
					let unknown = || format!("row {row}, column {column}: there is no tile `{letter}`");
					tiles.push(Piece::from_letter(letter).ok_or_else(unknown)?);
				}
			}
			Ok(Position::new(rows, columns, layers, |cell: Cell| tiles[cell as usize]))
		}

		fn read_number(words: &mut Words<impl BufRead>, what: &str, min: usize, max: usize) -> Result<usize, String> {
			let Some(word) = words.next()? else { return Err(format!("the input ends before {what}")) };
			match word.parse() {
				Ok(number) if (min..=max).contains(&number) => Ok(number),
				_ => Err(format!("{what} is {min} to {max}, not `{word}`")),
			}
		}

	}
	pub mod evaluation {
		//! The value of a position: minus the number of tiles that will remain at the end, estimated by a
		//! few sums.
		//!
		//! A value is the sum of a part for each stack (its height, and its connections in both
		//! directions), a part for the whole board (whether it has enough edge tiles for the tiles that
		//! need one) and a part for the next moves. A click changes few terms, so candidates are compared
		//! by the change alone.

		use super::board::{Board, Cell, TYPES};
		use super::field::{is_long, Field, HIDDEN};
		use super::weights::{Terms, Weights};

		/// Number of steps in which the weights follow the progress of a game.
		const STEPS: usize = 16;
		/// The step from which tiles within reach count: earlier, nearly all are.
		const FIRST_REACH: usize = 4;
		/// Number of stacks within reach at which counting stops.
		const FAR: u32 = 24;

		/// The evaluations of one game, from its start to its end.
		#[derive(Clone, Debug)]
		pub struct Evaluations {
			tiles: i32,
			by_step: Vec<Evaluation>,
		}

		impl Evaluations {
			/// Returns the evaluations of a game on this board with `layers` layers.
			pub fn new(weights: &Weights, board: &Board, layers: usize) -> Self {
				let at = |progress| weights.at(board.rows(), board.columns(), layers, progress);
				let terms = |step| {
					let terms = at(step as f64 / STEPS as f64);
					match step {
						FIRST_REACH.. => terms,
						_ => Terms { within_8: 0.0, within_24: 0.0, within_short: 0.0, ..terms },
					}
				};
				let step = |step| Evaluation::new(terms(step), layers);
				Evaluations { tiles: (board.cells() * layers) as i32, by_step: (0..=STEPS).map(step).collect() }
			}

			/// Returns the evaluation for a position with `left` tiles.
			#[inline]
			pub fn at(&self, left: i32) -> &Evaluation {
				let gone = (self.tiles - left).max(0) as usize;
				&self.by_step[(gone * STEPS / self.tiles as usize).min(STEPS)]
			}
		}

		/// Values by height, 0 for an empty stack. Heights are at most 10; the spare values keep every
		/// index in bounds.
		type ByHeight = [f64; 16];

		/// Returns values by height: `stack` for each stack, plus `layer` for each of its layers.
		fn by_height(stack: f64, layer: f64) -> ByHeight {
			std::array::from_fn(|height| if height == 0 { 0.0 } else { stack + layer * height as f64 })
		}

		/// Terms as tables, so that evaluating a change takes little more than a few differences.
		#[derive(Clone, Debug)]
		pub struct Evaluation {
			terms: Terms,
			/// By side (inside, edge) and number of visible tiles that reach the stack, capped at four.
			reached: [[ByHeight; 8]; 2],
			/// In the same layout, the change when one visible tile fewer reaches the stack.
			reached_less: [[ByHeight; 8]; 2],
			/// By kind of type (short, long) and number of stacks that the tile reaches, capped at three.
			exits: [[ByHeight; 8]; 2],
			/// Value of a stack without its connections, by number of sides on the edge and type of the top
			/// tile.
			stack: [[ByHeight; 16]; 3],
			/// Value that a next move adds, by kind of the clicked tile (short, long), side and type of the
			/// next one.
			next: [[[f64; 16]; 2]; 2],
			/// Value of a next move, by the number of stacks that it reaches.
			next_exits: [f64; 16],
			/// The most that [`reach`](Self::reach) can be; `None` if it is always 0.
			most_reach: Option<f64>,
			layers: f64,
		}

		impl Evaluation {
			/// Returns the evaluation by these terms for games with this many layers.
			pub fn new(terms: Terms, layers: usize) -> Self {
				let t = &terms;
				let layers = layers as f64;
				let zero = [0.0; 16];
				let reached = [
					[
						by_height(t.inner_unreached, t.inner_unreached_layer),
						by_height(t.inner_reached_1, t.inner_reached_1_layer),
						by_height(t.inner_reached_2, t.inner_reached_2_layer),
						by_height(t.inner_reached_3, 0.0),
						zero,
						zero,
						zero,
						zero,
					],
					[
						by_height(t.edge_unreached, t.edge_unreached_layer),
						by_height(t.edge_reached_1, t.edge_reached_1_layer),
						by_height(t.edge_reached_2, t.edge_reached_2_layer),
						by_height(t.edge_reached_3, 0.0),
						zero,
						zero,
						zero,
						zero,
					],
				];
				let exits = [
					[
						by_height(t.short_stuck, t.short_stuck_layer),
						by_height(t.short_exits_1, t.short_exits_1_layer),
						by_height(t.short_exits_2, t.short_exits_2_layer),
						zero,
						zero,
						zero,
						zero,
						zero,
					],
					[
						by_height(t.long_stuck, t.long_stuck_layer),
						by_height(t.long_exits_1, t.long_exits_1_layer),
						by_height(t.long_exits_2, t.long_exits_2_layer),
						zero,
						zero,
						zero,
						zero,
						zero,
					],
				];
				let mut stack = [[zero; 16]; 3];
				let tall = [t.tall_inner / layers, t.tall_edge / layers, t.tall_corner / layers];
				let layer = [0.0, t.edge_layer, t.edge_layer + t.corner_layer];
				let long_low = [t.long_last, t.long_height_2, t.long_height_3];
				for (sides, of_sides) in stack.iter_mut().enumerate() {
					for (top, values) in of_sides.iter_mut().enumerate().take(TYPES + 1) {
						let long = is_long(top as u8);
						let (of_top, of_layer) = match (top as u8 == HIDDEN, long) {
							(true, _) => (if sides == 0 { t.hidden_inner } else { t.hidden_edge }, 0.0),
							(_, true) => (if sides == 0 { t.long_inner } else { t.long_edge }, t.long_layer),
							_ => (0.0, 0.0),
						};
						for (height, value) in values.iter_mut().enumerate().skip(1) {
							let h = height as f64;
							*value = of_top + (of_layer + layer[sides]) * h + tall[sides] * h * h;
							if height == 1 {
								*value += t.last_layer;
							}
							if long && sides == 0 {
								*value += long_low.get(height - 1).unwrap_or(&0.0);
							}
						}
					}
				}
				let mut next = [zero; 2];
				for of_side in &mut next {
					of_side[4..7].fill(t.moves_long);
					of_side[HIDDEN as usize] = t.moves_hidden;
				}
				let mut next = [next; 2];
				for value in &mut next[0][1] {
					*value += t.moves_waste;
				}
				for value in &mut next[1][1] {
					*value += t.moves_edge;
				}
				let mut next_exits = zero;
				next_exits[0] = t.moves_stuck;
				next_exits[1] = t.moves_exits_1;
				let mut reached_less = [[zero; 8]; 2];
				for (less, reached) in reached_less.iter_mut().zip(&reached) {
					for count in 1..less.len() {
						less[count] = std::array::from_fn(|height| reached[count - 1][height] - reached[count][height]);
					}
				}
				let reaches = t.within_8 != 0.0 || t.within_24 != 0.0 || t.within_short != 0.0;
				let most_reach = reaches.then(|| {
					let far = f64::from(FAR);
					let (at_8, at_24) = (8.0 * (t.within_8 + t.within_24), 8.0 * t.within_8 + far * t.within_24);
					at_8.max(at_24).max(0.0) + (far * t.within_short).max(0.0)
				});
				Evaluation { reached, reached_less, exits, stack, next, next_exits, most_reach, layers, terms }
			}

			#[inline]
			fn stack(&self, sides: u8, top: u8, height: u8) -> f64 {
				self.stack[(sides & 3).min(2) as usize][(top & 15) as usize][(height & 15) as usize]
			}

			#[inline]
			fn reached(&self, sides: u8, reached: u8, height: u8) -> f64 {
				self.reached[usize::from(sides > 0)][reached.min(7) as usize][(height & 15) as usize]
			}

			#[inline]
			fn reached_less(&self, sides: u8, reached: u8, height: u8) -> f64 {
				self.reached_less[usize::from(sides > 0)][reached.min(7) as usize][(height & 15) as usize]
			}

			#[inline]
			fn exits(&self, top: u8, exits: u8, height: u8) -> f64 {
				self.exits[usize::from(is_long(top))][exits.min(7) as usize][(height & 15) as usize]
			}

			/// Returns the value of the supply of edge tiles, of which each of `long` tiles needs one.
			#[inline]
			fn edges(&self, long: f64, edge: f64) -> f64 {
				let short = |share: f64| (long - share * edge).max(0.0);
				self.terms.edge_short * short(1.0) + self.terms.edge_tight * short(0.75) + self.terms.edge_spare * short(1.25)
			}

			/// Returns the change in the value of stacks and board when the visible tile of `cell` is
			/// clicked.
			#[inline]
			pub fn change(&self, field: &Field, cell: Cell) -> f64 {
				let board = field.board();
				let (top, height, sides) = (field.top(cell), field.height(cell), board.sides(cell));
				let reached = field.reached(cell);
				let mut change = self.stack(sides, HIDDEN, height - 1) - self.stack(sides, top, height)
					+ self.reached(sides, reached, height - 1)
					- self.reached(sides, reached, height);
				if top < HIDDEN {
					change -= self.exits(top, field.exits(cell), height);
					for &target in field.targets(cell, top).iter() {
						change += self.reached_less(board.sides(target), field.reached(target), field.height(target));
					}
				}
				if height == 1 {
					for source in board.sources(cell) {
						if field.top(source.cell) == source.piece {
							let (exits, height) = (field.exits(source.cell), field.height(source.cell));
							change += self.exits(source.piece, exits - 1, height) - self.exits(source.piece, exits, height);
						}
					}
				}
				let long = f64::from(field.long()) + 0.375 * f64::from(field.hidden());
				let edge = f64::from(field.edge_left());
				let gone = if top == HIDDEN { 0.375 } else { f64::from(u8::from(is_long(top))) };
				change + self.edges(long - gone, edge - f64::from(u8::from(sides > 0))) - self.edges(long, edge)
			}

			/// Returns the value of the next moves, and of all moves that follow from them, after a click
			/// on the tile of type `piece` on `cell`; `None` if there is none. `field` is the position
			/// before that click.
			#[inline]
			pub fn moves(&self, field: &Field, cell: Cell, piece: u8) -> Option<f64> {
				self.next_moves(field, cell, piece).map(|value| value + self.reach(field, cell, piece))
			}

			/// Returns the value of the tiles then within reach over visible tiles, the expensive part of
			/// [`moves`](Self::moves).
			#[inline]
			pub fn reach(&self, field: &Field, cell: Cell, piece: u8) -> f64 {
				if self.most_reach.is_none() {
					return 0.0;
				}
				let t = &self.terms;
				let reach = field.reach(cell, piece, FAR);
				t.within_8 * f64::from(reach.stacks.min(8))
					+ t.within_24 * f64::from(reach.stacks.min(FAR))
					+ t.within_short * f64::from(reach.short.min(FAR))
			}

			/// The most that [`reach`](Self::reach) can be; `None` if it is always 0.
			#[inline]
			pub fn most_reach(&self) -> Option<f64> {
				self.most_reach
			}

			/// Returns the value of the next moves alone, in the same way.
			#[inline]
			pub fn next_moves(&self, field: &Field, cell: Cell, piece: u8) -> Option<f64> {
				let t = &self.terms;
				let board = field.board();
				let next_value = &self.next[usize::from(is_long(piece))];
				let (mut count, mut stuck, mut tallest, mut value) = (0, 0, 0, 0.0);
				let empties = field.height(cell) == 1;
				for &next in field.targets(cell, piece).iter() {
					let height = field.height(next);
					if height == 0 {
						continue;
					}
					count += 1;
					tallest = tallest.max(height);
					let top = field.top(next);
					value += next_value[usize::from(board.sides(next) > 0)][(top & 15) as usize];
					if top == HIDDEN {
						continue;
					}
					if field.reached(next) == 1 {
						value += t.moves_alone;
					}
					// A stack that this click empties is no longer an exit.
					let lost = empties && field.targets(next, top).contains(&cell);
					let exits = field.exits(next) - u8::from(lost);
					stuck += u8::from(exits == 0);
					value += self.next_exits[(exits & 15) as usize];
				}
				value += match count {
					0 => return None,
					1 => t.moves_1,
					2 => t.moves_2,
					3 => t.moves_3,
					_ => t.moves_more * f64::from(count - 4),
				};
				if stuck == count {
					value += t.stuck_soon;
				}
				Some(value + t.moves_height * f64::from(tallest) / self.layers)
			}

			/// Returns the value of all stacks and the board.
			pub fn value(&self, field: &Field) -> f64 {
				let board = field.board();
				let mut value = 0.0;
				for cell in 0..board.cells() as Cell {
					let (top, height, sides) = (field.top(cell), field.height(cell), board.sides(cell));
					value += self.stack(sides, top, height) + self.reached(sides, field.reached(cell), height);
					if top < HIDDEN {
						value += self.exits(top, field.exits(cell), height);
					}
				}
				let long = f64::from(field.long()) + 0.375 * f64::from(field.hidden());
				value + self.edges(long, f64::from(field.edge_left()))
			}
		}
	}
	pub mod field {
		//! A search's view of a position, with connection counts updated click by click.

		use super::board::{Board, Cell, CellSet, Cells, TYPES};
		use super::position::Position;
		use crate::random::mixed;

		/// Marks the type of an unknown tile.
		pub const HIDDEN: u8 = TYPES as u8;
		/// Marks the type of an empty cell's tile.
		pub const EMPTY: u8 = HIDDEN + 1;

		/// Returns whether a type goes all the way to the edge: rook, bishop, queen.
		#[inline]
		pub const fn is_long(piece: u8) -> bool {
			piece >= 4 && piece <= 6
		}

		/// Room for every value of [`Cell`], so that no index is out of bounds.
		const SPACE: usize = 256;

		/// The tiles of a cell, next to each other in memory because they are used together.
		#[derive(Clone, Copy, Debug)]
		struct Stack {
			/// Type of the top tile.
			top: u8,
			height: u8,
			/// Number of visible tiles that reach the cell.
			reached: u8,
			/// Number of cells, empty ones excluded, that the visible tile reaches; 0 for hidden tiles.
			exits: u8,
		}

		/// The extent of play over visible tiles.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct Reach {
			/// Number of stacks that can be reached.
			pub stacks: u32,
			/// Number of those stacks that show a number or knight.
			pub short: u32,
		}

		/// A position as seen by a search: some tiles may be [`HIDDEN`].
		#[derive(Clone, Debug)]
		pub struct Field {
			board: &'static Board,
			stacks: [Stack; SPACE],
			/// Cells that are not empty.
			occupied: CellSet,
			/// Cells with a visible number or knight.
			short: CellSet,
			/// Tiles left.
			left: i32,
			/// Tiles left on edges and corners.
			edge_left: i32,
			/// Visible tiles that go all the way to the edge.
			long: i32,
			/// Tiles that are not visible.
			hidden: i32,
			hash: u64,
		}

		impl Field {
			/// Returns a player's view of a position.
			pub fn new(position: &Position) -> Self {
				let board = position.board();
				let mut field = Field {
					board,
					stacks: [Stack { top: EMPTY, height: 0, reached: 0, exits: 0 }; SPACE],
					occupied: CellSet::default(),
					short: CellSet::default(),
					left: 0,
					edge_left: 0,
					long: 0,
					hidden: 0,
					hash: 0,
				};
				for cell in 0..board.cells() as Cell {
					let height = position.height(cell) as u8;
					field.stacks[cell as usize].height = height;
					field.left += i32::from(height);
					if height > 0 {
						field.occupied.insert(cell);
					}
					if board.sides(cell) > 0 {
						field.edge_left += i32::from(height);
					}
					field.hash ^= key(cell, height);
				}
				for cell in 0..board.cells() as Cell {
					if let Some(piece) = position.top(cell) {
						field.show(cell, piece as u8);
						field.hidden += i32::from(field.height(cell)) - 1;
					}
				}
				field
			}

			/// The board.
			#[inline]
			pub fn board(&self) -> &'static Board {
				self.board
			}

			/// Returns the type of a cell's top tile, [`HIDDEN`] or [`EMPTY`].
			#[inline]
			pub fn top(&self, cell: Cell) -> u8 {
				self.stacks[cell as usize].top
			}

			/// Returns the number of tiles left on a cell.
			#[inline]
			pub fn height(&self, cell: Cell) -> u8 {
				self.stacks[cell as usize].height
			}

			/// Returns the number of visible tiles that reach a cell.
			#[inline]
			pub fn reached(&self, cell: Cell) -> u8 {
				self.stacks[cell as usize].reached
			}

			/// Returns the number of cells, empty ones excluded, that a cell's visible tile reaches.
			#[inline]
			pub fn exits(&self, cell: Cell) -> u8 {
				self.stacks[cell as usize].exits
			}

			/// Tiles left.
			#[inline]
			pub fn left(&self) -> i32 {
				self.left
			}

			/// Tiles left on edges and corners.
			#[inline]
			pub fn edge_left(&self) -> i32 {
				self.edge_left
			}

			/// Visible tiles that go all the way to the edge.
			#[inline]
			pub fn long(&self) -> i32 {
				self.long
			}

			/// Tiles that are not visible.
			#[inline]
			pub fn hidden(&self) -> i32 {
				self.hidden
			}

			/// Returns a hash of the tiles left.
			#[inline]
			pub fn hash(&self) -> u64 {
				self.hash
			}

			/// Returns the [`hash`](Self::hash) after the visible tile of a cell is removed.
			#[inline]
			pub fn hash_after(&self, cell: Cell) -> u64 {
				let height = self.stacks[cell as usize].height;
				self.hash ^ key(cell, height) ^ key(cell, height - 1)
			}

			/// Returns the cells, empty or not, that the type reaches from a cell.
			#[inline]
			pub fn targets(&self, cell: Cell, piece: u8) -> &'static Cells {
				self.board.targets(cell, piece)
			}

			/// Returns the number of tiles that play can reach over visible tiles after the tile of `cell`,
			/// of type `piece`, is removed. The search follows at most `most` stacks; the number is exact
			/// only up to `most`. The tile that the click uncovers, and hidden tiles, can be reached but
			/// lead nowhere.
			#[inline]
			pub fn reach(&self, cell: Cell, piece: u8, most: u32) -> Reach {
				let (mut unseen, mut short) = (self.occupied, self.short);
				short.remove(cell);
				if self.height(cell) == 1 {
					unseen.remove(cell);
				}
				let (stacks, shorts) = (unseen.count(), short.count());
				let seen = |unseen: &CellSet| Reach { stacks: stacks - unseen.count(), short: shorts - unseen.common(&short) };
				let mut open = CellSet::default();
				unseen.move_common(self.board.target_set(cell, piece), &mut open);
				for gone_on in 1..=most {
					let Some(next) = open.pop() else { break };
					if next != cell && self.top(next) < HIDDEN {
						unseen.move_common(self.board.target_set(next, self.top(next)), &mut open);
					}
					// Counting costs as much as following one or two stacks.
					if gone_on % 4 == 0 && seen(&unseen).short >= most {
						break;
					}
				}
				seen(&unseen)
			}

			/// Removes the visible tile of a cell. `revealed` is the type of the tile below it: [`HIDDEN`]
			/// if unknown, ignored if the cell is then empty.
			pub fn click(&mut self, cell: Cell, revealed: u8) {
				let place = cell as usize;
				let piece = self.stacks[place].top;
				let height = self.stacks[place].height;
				debug_assert!(height > 0 && piece < HIDDEN, "only visible tiles are clicked");
				for &target in self.targets(cell, piece).iter() {
					self.stacks[target as usize].reached -= 1;
				}
				self.long -= i32::from(is_long(piece));
				self.short.remove(cell);
				self.left -= 1;
				self.edge_left -= i32::from(self.board.sides(cell) > 0);
				self.hash ^= key(cell, height) ^ key(cell, height - 1);
				self.stacks[place].height = height - 1;
				if height > 1 {
					if revealed < HIDDEN {
						self.hidden -= 1;
					}
					self.show(cell, revealed);
					return;
				}
				self.stacks[place].top = EMPTY;
				self.stacks[place].exits = 0;
				self.occupied.remove(cell);
				for source in self.board.sources(cell) {
					if self.stacks[source.cell as usize].top == source.piece {
						self.stacks[source.cell as usize].exits -= 1;
					}
				}
			}

			/// Puts a tile on top of a cell.
			fn show(&mut self, cell: Cell, piece: u8) {
				let place = cell as usize;
				self.stacks[place].top = piece;
				self.stacks[place].exits = 0;
				if piece < HIDDEN {
					self.long += i32::from(is_long(piece));
					if !is_long(piece) {
						self.short.insert(cell);
					}
					for &target in self.targets(cell, piece).iter() {
						self.stacks[target as usize].reached += 1;
						self.stacks[place].exits += u8::from(self.stacks[target as usize].height > 0);
					}
				}
			}
		}

		/// The state of play: the cells that may be clicked next.
		#[derive(Clone, Copy, Debug)]
		pub enum Head {
			/// Any cell: the first click of a game.
			Start,
			/// The cells that a tile of this type reaches from this cell.
			At(Cell, u8),
		}

		/// Returns a random number for a cell with this many tiles left.
		#[inline]
		fn key(cell: Cell, height: u8) -> u64 {
			mixed(((u64::from(cell) << 8 | u64::from(height)) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
		}
	}
	pub mod greedy {
		//! The greedy player, which looks one click ahead.

		use super::board::Cell;
		use super::evaluation::{Evaluation, Evaluations};
		use super::field::{Field, Head};
		use super::player::Searcher;
		use crate::clock::Clock;

		/// The greedy player; it has no state.
		#[derive(Clone, Copy, Debug)]
		pub struct Greedy;

		impl Searcher for Greedy {
			fn choose(&mut self, field: &Field, head: Head, evaluations: &Evaluations, _: &Clock) -> Option<Cell> {
				let evaluation = evaluations.at(field.left());
				match head {
					Head::Start => {
						let all: Vec<Cell> = (0..field.board().cells() as Cell).collect();
						best(field, &all, evaluation)
					}
					Head::At(last, piece) => best(field, field.targets(last, piece), evaluation),
				}
			}
		}

		/// Returns the cell whose click has the largest evaluation; `None` if all are empty. Ties go to the
		/// larger value without reach, then to the first cell.
		#[inline]
		pub fn best(field: &Field, cells: &[Cell], evaluation: &Evaluation) -> Option<Cell> {
			let value = |cell| match evaluation.next_moves(field, cell, field.top(cell)) {
				Some(moves) => moves + evaluation.change(field, cell),
				// The game ends with all other tiles left.
				None => -f64::from(field.left() - 1),
			};
			let mut best: Option<(f64, Cell)> = None;
			let better = |best: Option<(f64, Cell)>, value| best.is_none_or(|(best, _)| value > best);
			let Some(most) = evaluation.most_reach() else {
				for &cell in cells.iter().filter(|&&cell| field.height(cell) > 0) {
					let value = value(cell);
					if better(best, value) {
						best = Some((value, cell));
					}
				}
				return best.map(|(_, cell)| cell);
			};
			// Computing the reach is expensive, so it is done only where it can change the choice.
			for cells in cells.chunks(8) {
				let (mut values, mut count) = ([(0.0, 0); 8], 0);
				for &cell in cells.iter().filter(|&&cell| field.height(cell) > 0) {
					values[count] = (value(cell), cell);
					count += 1;
				}
				values[..count].sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
				for &(value, cell) in &values[..count] {
					if !better(best, value + most) {
						break;
					}
					let value = value + evaluation.reach(field, cell, field.top(cell));
					if better(best, value) {
						best = Some((value, cell));
					}
				}
			}
			best.map(|(_, cell)| cell)
		}
	}
	pub mod player {
		//! The player: the present field, the evaluations of the game, and a search that uses both.

		use super::board::Cell;
		use super::evaluation::Evaluations;
		use super::field::{Field, Head};
		use super::position::Position;
		use super::weights::Weights;
		use crate::clock::Clock;
		use std::fmt::Debug;

		/// A player of one game.
		#[derive(Debug)]
		pub struct Player {
			field: Field,
			head: Head,
			evaluations: Evaluations,
			search: Box<dyn Searcher>,
		}

		/// A search that looks ahead for a player.
		pub trait Searcher: Debug + Send {
			/// Returns the best click; `None` if the game is over. The same game so far gives the same
			/// cell, unless `clock`, which covers the whole game, runs short.
			fn choose(&mut self, field: &Field, head: Head, evaluations: &Evaluations, clock: &Clock) -> Option<Cell>;
		}

		impl Player {
			/// Returns a player for the game that starts with `position`, with these weights and this
			/// search.
			pub fn new(weights: &Weights, search: Box<dyn Searcher>, position: &Position) -> Self {
				Player {
					field: Field::new(position),
					head: Head::Start,
					evaluations: Evaluations::new(weights, position.board(), position.layers()),
					search,
				}
			}

			/// Returns the cell to click; `None` if the game is over. The same game so far gives the same
			/// cell, unless `clock` runs short.
			pub fn choose(&mut self, clock: &Clock) -> Option<Cell> {
				self.search.choose(&self.field, self.head, &self.evaluations, clock)
			}

			/// Records a click on `cell`. `revealed` is the next tile, ignored if there is none.
			pub fn click(&mut self, cell: Cell, revealed: u8) {
				self.head = Head::At(cell, self.field.top(cell));
				self.field.click(cell, revealed);
			}
		}
	}
	pub mod position {
		//! A game in progress, as its player sees it.

		use super::board::{Board, Cell, Piece, CELLS, MOST_LAYERS};

		/// A game in progress: the visible tiles, the remaining layers and the last click.
		#[derive(Clone, Debug)]
		pub struct Position {
			board: &'static Board,
			layers: u8,
			heights: [u8; CELLS],
			tops: [Option<Piece>; CELLS],
			last: Option<(Cell, Piece)>,
			clicks: u32,
		}

		impl Position {
			/// Returns the start of a game with these visible tiles, one for each cell.
			///
			/// # Panics
			/// If there is no board of this size, or `layers` is not in 1..=10.
			pub fn new(rows: usize, columns: usize, layers: usize, top: impl Fn(Cell) -> Piece) -> Self {
				assert!((1..=MOST_LAYERS).contains(&layers), "a game has 1 to 10 layers");
				let board = Board::of_size(rows, columns);
				let mut position =
					Position { board, layers: layers as u8, heights: [0; CELLS], tops: [None; CELLS], last: None, clicks: 0 };
				for cell in 0..board.cells() {
					position.heights[cell] = layers as u8;
					position.tops[cell] = Some(top(cell as Cell));
				}
				position
			}

			/// Returns the board.
			pub fn board(&self) -> &'static Board {
				self.board
			}

			/// Returns the number of layers at the start.
			pub fn layers(&self) -> usize {
				self.layers as usize
			}

			/// Returns the number of layers left on a cell.
			pub fn height(&self, cell: Cell) -> usize {
				self.heights[cell as usize] as usize
			}

			/// Returns the visible tile of a cell; `None` if the cell is empty.
			pub fn top(&self, cell: Cell) -> Option<Piece> {
				self.tops[cell as usize]
			}

			/// Returns the cell of the last click, with the tile that it removed.
			pub fn last(&self) -> Option<(Cell, Piece)> {
				self.last
			}

			/// Returns whether a cell may be clicked now.
			pub fn is_legal(&self, cell: Cell) -> bool {
				let reached = |(from, piece): (Cell, Piece)| self.board.targets(from, piece as u8).contains(&cell);
				(cell as usize) < self.board.cells() && self.height(cell) > 0 && self.last.is_none_or(reached)
			}

			/// Returns the cells that may be clicked now: at first every cell, then those that the last
			/// tile reaches.
			pub fn legal(&self) -> Vec<Cell> {
				(0..self.board.cells() as Cell).filter(|&cell| self.is_legal(cell)).collect()
			}

			/// Returns the number of clicks so far.
			pub fn clicks(&self) -> u32 {
				self.clicks
			}

			/// Returns the number of tiles at the start.
			pub fn tiles(&self) -> u32 {
				(self.board.cells() * self.layers()) as u32
			}

			/// Returns the contest's score: the share of removed tiles.
			pub fn score(&self) -> f64 {
				f64::from(self.clicks) / f64::from(self.tiles())
			}

			/// Clicks a legal cell. `revealed` is the tile below, ignored if the cell is then empty.
			///
			/// # Panics
			/// If the cell is empty, or if it has a tile below and none is given.
			pub fn click(&mut self, cell: Cell, revealed: Option<Piece>) {
				let place = cell as usize;
				let piece = self.tops[place].expect("an empty cell cannot be clicked");
				self.heights[place] -= 1;
				self.tops[place] = match self.heights[place] {
					0 => None,
					_ => Some(revealed.expect("another tile shows under this one")),
				};
				self.last = Some((cell, piece));
				self.clicks += 1;
			}
		}
	}
	pub mod sampled {
		//! Games played out over sampled completions: the player deals the hidden tiles at random several
		//! times. From each of the most promising clicks, the greedy player plays each deal to its end.
		//! Once nothing is hidden, a beam to the end of the game replaces the samples.
		//!
		//! Another click replaces the beam's choice only if it did clearly better on the same deals:
		//! choosing the best of a few noisy means is worse than not sampling at all.

		use super::beam::{Beam, Settings};
		use super::board::Cell;
		use super::evaluation::Evaluations;
		use super::field::{Field, Head, HIDDEN};
		use super::greedy::best;
		use super::player::Searcher;
		use crate::clock::Clock;
		use std::time::Duration;

		/// The player with its working memory.
		#[derive(Debug)]
		pub struct Sampled {
			settings: Settings,
			samples: u32,
			beam: Beam,
			rollout: Option<Box<Field>>,
			/// Clicks already settled, the next one last.
			plan: Vec<Cell>,
			/// Average number of tiles left at the end of the last games played out.
			lost: f64,
		}

		/// Largest number of tiles by which a click may look worse than the best one and still be played
		/// out.
		const NEAR: f64 = 8.0;
		/// Largest number of clicks that are played out.
		const MOST: usize = 6;
		/// Standard errors by which a click must beat the beam's choice on the same deals to replace it.
		const CLEAR: f64 = 1.3;
		/// Standard errors by which a click must be worse to be dropped.
		const HOPELESS: f64 = 1.5;
		/// Number of samples between two comparisons of the clicks. Fewer carry no information.
		const ROUND: u32 = 16;
		/// Approximate time for one click of a played-out game. Nothing is played out if the clock has no
		/// time for one round.
		const CLICK: Duration = Duration::from_nanos(300);
		/// Share of the expected moves over which the time is divided: the other moves leave no choice.
		const CHOICES: f64 = 0.75;
		/// Smallest number of expected moves.
		const LEAST_MOVES: f64 = 4.0;
		/// Width of the first beam to the end of the game; each further beam is twice as wide.
		const FIRST_WIDTH: usize = 64;

		/// The results of a click on the same deals as the beam's choice.
		#[derive(Clone, Copy, Debug)]
		struct Candidate {
			cell: Cell,
			value: f64,
			/// Sum of the differences from the beam's choice, and sum of their squares.
			sum: f64,
			squares: f64,
		}

		impl Candidate {
			/// Returns the mean advantage after this many samples, in standard errors.
			fn clarity(&self, samples: u32) -> f64 {
				let n = f64::from(samples);
				let mean = self.sum / n;
				let variance = (self.squares / n - mean * mean) / (n - 1.0);
				// If all deals end alike, the standard error is zero.
				if variance > 0.0 {
					mean / variance.sqrt()
				} else {
					mean.clamp(-1.0, 1.0) * CLEAR
				}
			}
		}

		impl Sampled {
			/// Returns a player that plays out `samples` deals for each click, if it has no clock, after a
			/// beam search.
			pub fn new(settings: Settings, samples: u32) -> Self {
				Sampled { settings, samples, beam: Beam::default(), rollout: None, plan: Vec::new(), lost: 0.0 }
			}
		}

		impl Searcher for Sampled {
			fn choose(&mut self, field: &Field, head: Head, evaluations: &Evaluations, clock: &Clock) -> Option<Cell> {
				if field.hidden() == 0 {
					if self.plan.is_empty() {
						self.make_plan(field, head, evaluations, clock);
					}
					return self.plan.pop();
				}
				let moves = (field.left() as f64 - self.lost).max(LEAST_MOVES);
				let clock = clock.share((moves * CHOICES) as u32);
				self.beam.search(self.settings, field, head, evaluations, &clock);
				let choice = self.beam.choice()?;
				let mut candidates = self.candidates(choice);
				let enough = CLICK * ROUND * candidates.len() as u32 * moves as u32;
				if candidates.len() == 1 || clock.left().is_some_and(|left| left < enough) {
					return Some(choice);
				}
				Some(self.compare(field, evaluations, &mut candidates, &clock))
			}
		}

		impl Sampled {
			/// Returns the most promising clicks, the beam's choice first.
			fn candidates(&self, choice: Cell) -> Vec<Candidate> {
				let values = self.beam.values();
				let best = values[choice as usize];
				let mut candidates: Vec<Candidate> = values
					.iter()
					.enumerate()
					.filter(|&(_, &value)| value >= best - NEAR)
					.map(|(cell, &value)| Candidate { cell: cell as Cell, value, sum: 0.0, squares: 0.0 })
					.collect();
				candidates.sort_by(|a, b| (b.cell == choice).cmp(&(a.cell == choice)).then(b.value.total_cmp(&a.value)));
				candidates.truncate(MOST);
				candidates
			}

			/// Plays the candidates out on the same deals until the choice is clear or the time is up.
			fn compare(
				&mut self,
				field: &Field,
				evaluations: &Evaluations,
				candidates: &mut Vec<Candidate>,
				clock: &Clock,
			) -> Cell {
				let rollout = self.rollout.get_or_insert_with(|| Box::new(field.clone()));
				let (mut samples, mut lost) = (0, 0.0);
				while candidates.len() > 1 && if clock.left().is_some() { !clock.is_over() } else { samples < self.samples } {
					for _ in 0..ROUND {
						let deal = Deal(field.hash() ^ u64::from(samples).wrapping_mul(0xd134_2543_de82_ef95));
						let mut first = 0.0;
						for (place, candidate) in candidates.iter_mut().enumerate() {
							(**rollout).clone_from(field);
							let left = f64::from(play_out(rollout, candidate.cell, &deal, evaluations));
							if place == 0 {
								first = left;
								lost += left;
							}
							candidate.sum += first - left;
							candidate.squares += (first - left) * (first - left);
						}
						samples += 1;
					}
					let choice = candidates[0].cell;
					candidates.retain(|candidate| candidate.cell == choice || candidate.clarity(samples) > -HOPELESS);
				}
				if samples > 0 {
					self.lost = lost / f64::from(samples);
				}
				let mut best = (candidates[0].cell, 0.0);
				for candidate in &candidates[1..] {
					if candidate.clarity(samples) >= CLEAR && candidate.sum > best.1 {
						best = (candidate.cell, candidate.sum);
					}
				}
				best.0
			}

			/// Searches for a line to the end of the game with beams that widen while there is time.
			fn make_plan(&mut self, field: &Field, head: Head, evaluations: &Evaluations, clock: &Clock) {
				let depth = field.left() as usize;
				let mut width = FIRST_WIDTH;
				let mut longest = 0;
				loop {
					let done = self.beam.search(Settings { width, depth }, field, head, evaluations, clock);
					let line: Vec<Cell> = self.beam.line().collect();
					if done && line.len() > longest || longest == 0 {
						longest = line.len();
						self.plan = line;
					}
					// Without a clock, the number of samples limits the total number of lines.
					let more = match clock.left() {
						Some(_) => done,
						None => width * 2 <= FIRST_WIDTH.max(self.samples as usize),
					};
					if !more || longest == depth || self.beam.is_complete() {
						return;
					}
					width *= 2;
				}
			}
		}

		/// A completion: the tiles below the visible ones, determined by a number.
		#[derive(Clone, Copy, Debug)]
		pub struct Deal(pub u64);

		impl Deal {
			/// Returns the type of a cell's tile that has `under` tiles below it.
			#[inline]
			fn tile(&self, cell: Cell, under: u8) -> u8 {
				let mut z = (self.0 ^ (u64::from(cell) << 8 | u64::from(under))).wrapping_mul(0xbf58_476d_1ce4_e5b9);
				z = (z ^ (z >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
				(z >> 61) as u8
			}
		}

		/// Clicks `cell`, continues greedily and returns the number of tiles left at the end.
		pub fn play_out(field: &mut Field, mut cell: Cell, deal: &Deal, evaluations: &Evaluations) -> i32 {
			loop {
				let piece = field.top(cell);
				let height = field.height(cell);
				let revealed = if height > 1 { deal.tile(cell, height - 2) } else { HIDDEN };
				field.click(cell, revealed);
				let evaluation = evaluations.at(field.left());
				match best(field, field.targets(cell, piece), evaluation) {
					Some(next) => cell = next,
					None => return field.left(),
				}
			}
		}
	}
	pub mod search {
		//! The searches by name: greedy, beam, sampled.

		use super::beam::{Settings, Wide};
		use super::greedy::Greedy;
		use super::player::{Player, Searcher};
		use super::position::Position;
		use super::sampled::Sampled;
		use super::weights::Weights;

		/// The search that looks ahead, with its settings.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub enum Search {
			/// The best click by the evaluation alone.
			Greedy,
			/// Beam search over the visible tiles.
			Beam(Settings),
			/// Beam search, then games played out over sampled completions from the most promising clicks;
			/// once nothing is hidden, a wide beam to the end of the game.
			Sampled {
				/// The beam that finds the most promising clicks.
				beam: Settings,
				/// Number of completions for each click. With a clock, the time alone decides.
				samples: u32,
			},
		}

		impl Search {
			/// Returns a player for the game that starts with `position`, with these weights and this
			/// search.
			pub fn player(self, weights: &Weights, position: &Position) -> Player {
				let searcher: Box<dyn Searcher> = match self {
					Search::Greedy => Box::new(Greedy),
					Search::Beam(settings) => Box::new(Wide::new(settings)),
					Search::Sampled { beam, samples } => Box::new(Sampled::new(beam, samples)),
				};
				Player::new(weights, searcher, position)
			}
		}
	}
	pub mod weights {
		//! The weights of the evaluation, each declared once. Values count tiles that can still be clicked.

		crate::weights! {
			/// The factors of an evaluation's features.
			pub struct Terms {
				inner_unreached: "each inner stack that no visible tile reaches", -20.0..=20.0, 0.3, -0.5;
				inner_reached_1: "each inner stack that one visible tile reaches", -20.0..=20.0, 0.3, -0.2;
				inner_reached_2: "each inner stack that two visible tiles reach", -20.0..=20.0, 0.3, -0.1;
				inner_reached_3: "each inner stack that three visible tiles reach", -20.0..=20.0, 0.3, 0.0;
				edge_unreached: "each edge stack that no visible tile reaches", -20.0..=20.0, 0.3, -0.5;
				edge_reached_1: "each edge stack that one visible tile reaches", -20.0..=20.0, 0.3, -0.2;
				edge_reached_2: "each edge stack that two visible tiles reach", -20.0..=20.0, 0.3, -0.1;
				edge_reached_3: "each edge stack that three visible tiles reach", -20.0..=20.0, 0.3, 0.0;
				inner_unreached_layer: "each layer of an inner stack that no visible tile reaches", -10.0..=10.0, 0.1, -0.1;
				inner_reached_1_layer: "each layer of an inner stack that one visible tile reaches", -10.0..=10.0, 0.1, 0.0;
				inner_reached_2_layer: "each layer of an inner stack that two visible tiles reach", -10.0..=10.0, 0.1, 0.0;
				edge_unreached_layer: "each layer of an edge stack that no visible tile reaches", -10.0..=10.0, 0.1, -0.1;
				edge_reached_1_layer: "each layer of an edge stack that one visible tile reaches", -10.0..=10.0, 0.1, 0.0;
				edge_reached_2_layer: "each layer of an edge stack that two visible tiles reach", -10.0..=10.0, 0.1, 0.0;

				short_stuck: "each number or knight that reaches nothing any more", -20.0..=20.0, 0.3, -0.5;
				short_exits_1: "each number or knight that reaches one stack", -20.0..=20.0, 0.3, -0.2;
				short_exits_2: "each number or knight that reaches two stacks", -20.0..=20.0, 0.3, 0.0;
				long_stuck: "each rook, bishop or queen that reaches nothing any more", -20.0..=20.0, 0.3, -0.5;
				long_exits_1: "each rook, bishop or queen that reaches one stack", -20.0..=20.0, 0.3, -0.2;
				long_exits_2: "each rook, bishop or queen that reaches two stacks", -20.0..=20.0, 0.3, 0.0;
				short_stuck_layer: "each layer under a number or knight that reaches nothing any more", -10.0..=10.0, 0.1, -0.5;
				short_exits_1_layer: "each layer under a number or knight that reaches one stack", -10.0..=10.0, 0.1, -0.1;
				short_exits_2_layer: "each layer under a number or knight that reaches two stacks", -10.0..=10.0, 0.1, 0.0;
				long_stuck_layer: "each layer under a rook, bishop or queen that reaches nothing any more", -10.0..=10.0, 0.1, -0.5;
				long_exits_1_layer: "each layer under a rook, bishop or queen that reaches one stack", -10.0..=10.0, 0.1, -0.1;
				long_exits_2_layer: "each layer under a rook, bishop or queen that reaches two stacks", -10.0..=10.0, 0.1, 0.0;

				long_inner: "each visible rook, bishop or queen inside", -20.0..=20.0, 0.3, -0.2;
				long_edge: "each visible rook, bishop or queen on an edge", -20.0..=20.0, 0.3, -0.2;
				long_last: "each rook, bishop or queen that is the last tile of an inner stack", -20.0..=20.0, 0.3, 0.0;
				long_height_2: "each rook, bishop or queen on an inner stack of two layers", -20.0..=20.0, 0.3, 0.0;
				long_height_3: "each rook, bishop or queen on an inner stack of three layers", -20.0..=20.0, 0.3, 0.0;
				long_layer: "each layer under a rook, bishop or queen", -10.0..=10.0, 0.1, -0.1;
				hidden_inner: "each hidden tile that a line of play brought to the top inside", -20.0..=20.0, 0.3, 0.0;
				hidden_edge: "each hidden tile that a line of play brought to the top on an edge", -20.0..=20.0, 0.3, 0.0;
				edge_layer: "each layer on an edge", -10.0..=10.0, 0.1, 0.3;
				corner_layer: "each layer on a corner, besides that", -10.0..=10.0, 0.1, -0.1;
				tall_inner: "each inner stack: its height squared, over the layers at the start", -10.0..=10.0, 0.1, -0.3;
				tall_edge: "each edge stack: its height squared, over the layers at the start", -10.0..=10.0, 0.1, -0.3;
				tall_corner: "each corner stack: its height squared, over the layers at the start", -10.0..=10.0, 0.1, -0.3;
				last_layer: "each stack of one layer", -10.0..=10.0, 0.2, 0.0;
				edge_short: "each rook, bishop or queen, visible or expected, without an edge tile to go to", -10.0..=10.0, 0.1, -0.5;
				edge_tight: "the same, were there a quarter fewer edge tiles", -10.0..=10.0, 0.1, -0.2;
				edge_spare: "the same, were there a quarter more edge tiles", -10.0..=10.0, 0.1, -0.2;

				moves_1: "exactly one next tile", -20.0..=20.0, 0.5, -2.0;
				moves_2: "exactly two next tiles", -20.0..=20.0, 0.5, -1.0;
				moves_3: "exactly three next tiles", -20.0..=20.0, 0.5, -0.4;
				moves_more: "each next tile beyond four", -10.0..=10.0, 0.2, 0.1;
				moves_hidden: "each next tile that is hidden", -10.0..=10.0, 0.2, 0.1;
				moves_stuck: "each next tile that reaches nothing", -10.0..=10.0, 0.3, -0.3;
				moves_exits_1: "each next tile that reaches one stack", -10.0..=10.0, 0.3, -0.1;
				moves_long: "each next tile that is a rook, bishop or queen", -10.0..=10.0, 0.2, 0.0;
				moves_edge: "each next tile on an edge, after a rook, bishop or queen", -10.0..=10.0, 0.2, 0.0;
				moves_waste: "each next tile on an edge, after a number or knight", -10.0..=10.0, 0.2, -0.1;
				moves_alone: "each next tile that no other visible tile reaches", -10.0..=10.0, 0.2, 0.2;
				moves_height: "the height of the tallest next stack, over the layers at the start", -20.0..=20.0, 0.5, 0.5;
				within_8: "each stack that play can get to over visible tiles, up to eight", -100.0..=100.0, 1.0, 0.0;
				within_24: "each stack that play can get to over visible tiles, up to 24", -100.0..=100.0, 1.0, 0.0;
				within_short: "each visible number or knight that play can get to, up to 24", -100.0..=100.0, 1.0, 0.0;
				stuck_soon: "no next tile reaches anything", -40.0..=40.0, 1.0, -4.0;
			}
			/// Increase of each factor from the start to the end of a game.
			variation DRIFTS = "_drift", "change from start to end of the game: ";
			/// Increase of each factor from an average board to the one with the smallest share of edge
			/// cells.
			variation TIGHT = "_tight", "change from an average board to the one with the smallest share of edge cells: ";
			/// Increase of each factor from an average number of layers to ten.
			variation LAYERS = "_layers", "change from an average number of layers to ten: ";
		}

		/// The weights of a policy: [`Terms`] that vary with the progress of the game, the board and the
		/// layers.
		#[derive(Clone, Copy, Debug, PartialEq)]
		pub struct Weights {
			/// The weights at the start of a game on an average board.
			pub start: Terms,
			/// Increase to the end of the game.
			pub drift: Terms,
			/// Increase to the board with the smallest share of edge cells.
			pub tight: Terms,
			/// Increase to ten layers.
			pub layers: Terms,
		}

		/// The number of weights.
		pub const COUNT: usize = 4 * Terms::COUNT;

		/// The share of edge cells of an average board, and the difference to the largest board, whose
		/// share is smallest. With a small share, edge tiles run out first.
		const EDGES: (f64, f64) = (0.4, 0.15);
		/// Number of layers of an average deal, and the difference to the deepest deal.
		const LAYERS: (f64, f64) = (5.5, 4.5);

		impl Weights {
			/// The hand-set weights.
			pub const DEFAULT: Self =
				Weights { start: Terms::DEFAULT, drift: Terms::ZERO, tight: Terms::ZERO, layers: Terms::ZERO };

			/// Returns the weights with these values, in declaration order, one kind after the other;
			/// `None` if there are not [`COUNT`].
			pub fn from_values(values: &[f64]) -> Option<Self> {
				let terms = |part: usize| {
					let values = values.get(part * Terms::COUNT..(part + 1) * Terms::COUNT)?;
					Some(Terms::from_values(values.try_into().ok()?))
				};
				match values.len() {
					COUNT => Some(Weights { start: terms(0)?, drift: terms(1)?, tight: terms(2)?, layers: terms(3)? }),
					_ => None,
				}
			}

			/// Returns the weights for a board of `rows` x `columns` with `layers` layers, when a share
			/// `progress` (0 to 1) of the tiles is gone.
			pub fn at(&self, rows: usize, columns: usize, layers: usize, progress: f64) -> Terms {
				let edges = (2 * (rows + columns) - 4) as f64 / (rows * columns) as f64;
				self.start
					.drifted(&self.drift, progress)
					.drifted(&self.tight, (EDGES.0 - edges) / EDGES.1)
					.drifted(&self.layers, (layers as f64 - LAYERS.0) / LAYERS.1)
			}
		}
	}
}

pub mod clock {
	//! Time in play: a budget for a whole game that a player shares out over its moves.

	use std::fmt::Debug;
	use std::time::{Duration, Instant};

	/// A source of time: the machine's in a program; a simulated one in tests, so that a clock can run
	/// out at any point of a search.
	pub trait Time: Debug {
		/// Returns the time since a fixed moment in the past.
		fn passed(&self) -> Duration;
	}

	impl Time for Instant {
		fn passed(&self) -> Duration {
			self.elapsed()
		}
	}

	/// The time left in a game. Without a limit, a player's choices depend on its settings alone. With
	/// a limit, they stay the same until the clock runs short; then the player searches less.
	#[derive(Clone, Copy, Debug)]
	pub struct Clock<'a>(Option<Limited<'a>>);

	#[derive(Clone, Copy, Debug)]
	struct Limited<'a> {
		time: &'a dyn Time,
		limit: Duration,
		/// The moment at which the time is up.
		end: Duration,
	}

	impl<'a> Clock<'a> {
		/// A clock that never runs out.
		pub const UNLIMITED: Self = Clock(None);

		/// Starts a clock that runs out after `limit`.
		pub fn start(time: &'a dyn Time, limit: Duration) -> Self {
			Clock(Some(Limited { time, limit, end: time.passed() + limit }))
		}

		/// Starts a clock with the same limit for the next game.
		pub fn again(&self) -> Self {
			self.0.map_or(Clock::UNLIMITED, |Limited { time, limit, .. }| Clock::start(time, limit))
		}

		/// Returns the time left: zero after it ran out, `None` without a limit.
		pub fn left(&self) -> Option<Duration> {
			self.0.map(|Limited { time, end, .. }| end.saturating_sub(time.passed()))
		}

		/// Starts a clock for the next of `moves` moves, with an even share of the remaining time.
		pub fn share(&self, moves: u32) -> Self {
			match (self.0, self.left()) {
				(Some(Limited { time, .. }), Some(left)) => Clock::start(time, left / moves.max(1)),
				_ => *self,
			}
		}

		/// Returns whether the time is up.
		pub fn is_over(&self) -> bool {
			self.0.is_some_and(|Limited { time, end, .. }| time.passed() >= end)
		}
	}
}

pub mod piece {
	//! Types of pieces and their steps, shared by the puzzles on boards of stacked tiles.

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

	/// The number of types.
	pub const TYPES: usize = 8;

	impl Piece {
		/// All types, in the order of their discriminants.
		pub const ALL: [Piece; TYPES] =
			[Piece::One, Piece::Two, Piece::Three, Piece::Four, Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight];

		/// Returns whether a piece of this type steps from `from` to `to` on a board of `rows` x
		/// `columns`, all 0-based. Occupied cells on the way and at the end are ignored.
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
	//! A small portable random number generator for players that sample: it returns the same numbers on
	//! every machine.

	/// SplitMix64 (Steele, Lea and Flood, 2014): 64 bits of state, good enough to sample hidden tiles.
	#[derive(Clone, Debug)]
	pub struct SplitMix64(u64);

	impl SplitMix64 {
		/// Returns a generator whose whole sequence is fixed by `seed`.
		pub const fn new(seed: u64) -> Self {
			Self(seed)
		}

		/// Returns the next 64 random bits.
		#[inline]
		pub fn next_u64(&mut self) -> u64 {
			self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
			mixed(self.0)
		}

		/// Returns an integer in `0..n`; the bias of the multiplication is below 2^-32 for the small
		/// `n` used here.
		#[inline]
		pub fn below(&mut self, n: u32) -> u32 {
			(((self.next_u64() >> 32) * u64::from(n)) >> 32) as u32
		}
	}

	/// Returns the input after the finaliser of [`SplitMix64`]: a bijection in which each output bit
	/// depends on every input bit.
	#[inline]
	pub const fn mixed(mut z: u64) -> u64 {
		z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
		z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
		z ^ (z >> 31)
	}
}

pub mod weights {
	//! Tunable weights. Each game declares its weights once, with [`weights!`](crate::weights!);
	//! configuration checks, listings, CSV headers and exported constants all read that declaration.

	/// One declared weight of an evaluation.
	#[derive(Clone, Copy, Debug, PartialEq)]
	pub struct Weight {
		/// Name in configurations, CSV headers and exported sources: letters, digits and `_`.
		pub name: &'static str,
		/// Description for readers.
		pub meaning: &'static str,
		/// Smallest value that a tuner may try.
		pub min: f64,
		/// Largest value that a tuner may try.
		pub max: f64,
		/// Typical distance between two values worth comparing; the unit of mutation.
		pub scale: f64,
		/// The hand-set value.
		pub default: f64,
	}

	/// Declares a struct of weights (every field an `f64`) with the constant `DECLARED`, which lists
	/// the weights in the same order. `from_values` and `values` convert between the struct and an
	/// array.
	///
	/// Each line reads `name: "meaning", min..=max, scale, default;`.
	///
	/// Variations may follow the struct. Each declares a constant of the same length as `DECLARED` with
	/// one more weight for every weight of the struct; a suffix extends the names and a prefix the
	/// meanings.
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

				/// The number of weights.
				pub const COUNT: usize = Self::DECLARED.len();

				/// The hand-set weights.
				pub const DEFAULT: Self = Self { $($weight: $default),* };

				/// All weights 0.
				pub const ZERO: Self = Self { $($weight: 0.0),* };

				/// Returns the weights with these values, given in declaration order.
				pub const fn from_values(values: &[f64; Self::COUNT]) -> Self {
					let [$($weight),*] = *values;
					Self { $($weight),* }
				}

				/// Returns these weights plus `share` of `drift`.
				pub fn drifted(&self, drift: &Self, share: f64) -> Self {
					Self { $($weight: self.$weight + share * drift.$weight),* }
				}

				/// Returns the values in declaration order.
				pub const fn values(&self) -> [f64; Self::COUNT] {
					[$(self.$weight),*]
				}
			}
		};
	}
}

pub mod words {
	//! A judge's messages, split into words: the protocols ignore the kind and amount of white space
	//! between words.

	use std::io::{BufRead, Read};

	/// A reader of the words of an input. It never reads beyond the line of the word that it returns.
	#[derive(Debug)]
	pub struct Words<R> {
		input: R,
		line: Vec<u8>,
		next: usize,
	}

	/// The length in bytes at which words are cut off. No contest's protocol has longer ones.
	pub const LONGEST: usize = 1000;

	impl<R: BufRead> Words<R> {
		/// Returns a reader that starts at the current position of `input`.
		pub fn new(input: R) -> Self {
			Words { input, line: Vec::new(), next: 0 }
		}

		/// Returns the next word, or `None` at the end of the input. Bytes that are not UTF-8 are
		/// replaced and control characters escaped, so that the word can be printed.
		///
		/// # Errors
		/// A message if reading fails.
		// Not an `Iterator`: callers must stop after an error.
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
