//! A player of Black Out, exported by evolve 0.1.0.
//!
//! Player `greedy` (exact 0), run `black-out` (version 1): +0.586 against the baseline on 30 trials (95 %: +0.424 to +0.743).
//! Build it with `rustc -O --edition 2021`. Licence: MIT OR Apache-2.0.

// Each module below is complete, although this player uses only a part of it.
#![allow(dead_code, unused_imports)]

use clock::Clock;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use black_out::player::{Player, Settings};
use black_out::weights::Weights;

/// The weights.
const WEIGHTS: Weights = Weights {
	unlike_turn: -3.9993,
	middle: -3.9944,
	free: 3.855,
	free_odd: -9.2933,
	rows_odd: -9.806,
	columns_odd: -9.766,
	moves: -0.98937,
	moves_odd: -9.6657,
	line_1: -3.7602,
	line_2: -2.6746,
	line_3: -1.7009,
	largest: -0.3205,
	..Weights::DEFAULT
};

/// Settings of the search.
const SETTINGS: Settings = Settings { exact: 8 };

/// Time limit of a game on the player's own clock; the judge allows 100ms.
const TIME: Option<Duration> = Some(Duration::from_micros(75000));

fn main() -> ExitCode {
	let start = Instant::now();
	let clock = TIME.map_or(Clock::UNLIMITED, |limit| Clock::start(&start, limit));
	let player = &mut Player::new(WEIGHTS, SETTINGS);
	match black_out::dialogue::play(std::io::stdin().lock(), std::io::stdout().lock(), &clock, player) {
		Ok(()) => ExitCode::SUCCESS,
		Err(message) => {
			eprintln!("error: {message}");
			ExitCode::FAILURE
		}
	}
}

pub mod black_out {
	//! Black Out: two players take turns to blacken a straight segment of a 5 x 6 board, at least one
	//! new square each time. The last to blacken a square wins.
	//!
	//! [`board`] holds the rules; [`weights`], [`features`] and [`evaluation`] judge a position;
	//! [`exact`] solves the end of a game; [`player`] combines both; [`dialogue`] talks to the judge.

	pub mod board {
		//! The rules: squares, segments, moves.

		/// Rows of the board.
		pub const ROWS: usize = 5;
		/// Columns of the board.
		pub const COLUMNS: usize = 6;
		/// Squares of the board.
		pub const SQUARES: u32 = (ROWS * COLUMNS) as u32;
		/// The number of segments: 21 in each row and 15 in each column; single squares count once.
		pub const SEGMENTS: usize = 165;
		/// The largest number of moves in a game.
		pub const LONGEST: u32 = SQUARES;

		/// A set of squares: bit `6 * row + column`, both from 0. A position is the set of its black
		/// squares; nothing else matters, not even whose turn it is.
		pub type Squares = u32;

		/// All squares: the position at the end of a game.
		pub const ALL: Squares = (1 << SQUARES) - 1;
		/// The squares of the first row.
		pub const ROW: Squares = (1 << COLUMNS) - 1;

		/// Adjacent squares in one row or column, from the first to the last one.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct Segment {
			/// Row and column, from 0, of the first square.
			pub from: (u8, u8),
			/// Row and column, from 0, of the last square.
			pub to: (u8, u8),
			/// All squares of the segment.
			pub squares: Squares,
			/// Its first and its last square.
			pub ends: Squares,
		}

		/// All segments, in the order of their first, then of their last square.
		pub static SEGMENT: [Segment; SEGMENTS] = segments();

		const fn segments() -> [Segment; SEGMENTS] {
			let mut all = [Segment { from: (0, 0), to: (0, 0), squares: 0, ends: 0 }; SEGMENTS];
			let mut count = 0;
			let mut first = 0;
			while first < ROWS * COLUMNS {
				let mut last = first;
				while last < ROWS * COLUMNS {
					let (r1, c1) = ((first / COLUMNS) as u8, (first % COLUMNS) as u8);
					let (r2, c2) = ((last / COLUMNS) as u8, (last % COLUMNS) as u8);
					if let Some(segment) = segment((r1, c1), (r2, c2)) {
						all[count] = segment;
						count += 1;
					}
					last += 1;
				}
				first += 1;
			}
			assert!(count == SEGMENTS);
			all
		}

		/// Returns the segment between two squares, each given by row and column from 0; `None` if they are
		/// off the board, not in one line or in the wrong order.
		pub const fn segment(from: (u8, u8), to: (u8, u8)) -> Option<Segment> {
			let is_on_board = (to.0 as usize) < ROWS && (to.1 as usize) < COLUMNS;
			let is_in_order = from.0 <= to.0 && from.1 <= to.1;
			let is_straight = from.0 == to.0 || from.1 == to.1;
			if !(is_on_board && is_in_order && is_straight) {
				return None;
			}
			let mut squares = 0;
			let mut row = from.0;
			while row <= to.0 {
				let mut column = from.1;
				while column <= to.1 {
					squares |= square(row, column);
					column += 1;
				}
				row += 1;
			}
			Some(Segment { from, to, squares, ends: square(from.0, from.1) | square(to.0, to.1) })
		}

		/// Returns the set of one square, given by row and column from 0.
		pub const fn square(row: u8, column: u8) -> Squares {
			1 << (row as usize * COLUMNS + column as usize)
		}

		/// Returns the number of free squares.
		pub const fn free(black: Squares) -> u32 {
			SQUARES - black.count_ones()
		}

		/// Returns the moves that lead to different positions, as indices into [`SEGMENT`]. Black squares
		/// at an end of a segment add nothing, so the segments with two free ends stand for all legal
		/// moves.
		pub fn moves(black: Squares) -> impl Iterator<Item = usize> {
			(0..SEGMENTS).filter(move |&i| black & SEGMENT[i].ends == 0)
		}

		/// Returns the move that blackens all free squares at once, as an index into [`SEGMENT`].
		pub fn finish(black: Squares) -> Option<usize> {
			moves(black).find(|&i| black | SEGMENT[i].squares == ALL)
		}

	}
	pub mod dialogue {
		//! The contest's dialogue: the number of games, then for each game, in turn, a printed move and the
		//! judge's answer, until `GAME`. Any white space separates words.

		use super::board::{segment, Segment, Squares, ALL, SEGMENT};
		use super::player::Player;
		use crate::clock::Clock;
		use crate::words::Words;
		use std::io::{self, BufRead, Write};

		/// The most games in one dialogue.
		pub const MOST_GAMES: u32 = 100;

		/// Plays all games. Each game gets the whole time of `clock`, which pauses between games.
		///
		/// Ends without an error if the judge closes its side before an answer, or stops reading.
		///
		/// # Errors
		/// A message about a fault in the input and its place, or about a failure to read or write.
		pub fn play(input: impl BufRead, mut output: impl Write, clock: &Clock, player: &mut Player) -> Result<(), String> {
			let mut words = Words::new(input);
			let games = number_of_games(&mut words)?;
			for game in 1..=games {
				match play_one(&mut words, &mut output, &clock.again(), player) {
					Ok(true) => {}
					Ok(false) => break,
					Err(Ending::Broken(error)) if error.kind() == io::ErrorKind::BrokenPipe => break,
					Err(Ending::Broken(error)) => return Err(format!("cannot print a move: {error}")),
					Err(Ending::Wrong(message)) => return Err(format!("game {game}: {message}")),
				}
			}
			Ok(())
		}

		fn number_of_games(words: &mut Words<impl BufRead>) -> Result<u32, String> {
			let Some(word) = words.next()? else {
				return Err("the input ends before the number of games".to_string());
			};
			match word.parse() {
				Ok(games) if (1..=MOST_GAMES).contains(&games) => Ok(games),
				_ => Err(format!("the number of games: `{word}` is not a number from 1 to {MOST_GAMES}")),
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

		impl From<String> for Ending {
			fn from(message: String) -> Self {
				Ending::Wrong(message)
			}
		}

		/// Plays one game and returns whether the judge is still connected.
		fn play_one(
			words: &mut Words<impl BufRead>,
			output: &mut impl Write,
			clock: &Clock,
			player: &mut Player,
		) -> Result<bool, Ending> {
			let mut black: Squares = 0;
			let mut turn = 0;
			while let Some(choice) = player.choose(black, clock) {
				turn += 1;
				let Segment { from, to, squares, .. } = SEGMENT[choice];
				writeln!(output, "{} {} {} {}", from.0 + 1, from.1 + 1, to.0 + 1, to.1 + 1)?;
				output.flush()?;
				black |= squares;
				let Some(word) = words.next()? else { return Ok(false) };
				match word.as_str() {
					"GAME" => return Ok(true),
					"MOVE" => {}
					_ => return Err(format!("after move {turn}: `{word}` is neither `MOVE` nor `GAME`").into()),
				}
				let Some(reply) = read_move(words, black).map_err(|message| format!("reply {turn}: {message}"))? else {
					return Ok(false);
				};
				black |= reply;
			}
			unreachable!("a reply that blackens the last square is turned down")
		}

		/// Returns the judge's move; `None` if the input ends first.
		fn read_move(words: &mut Words<impl BufRead>, black: Squares) -> Result<Option<Squares>, String> {
			let mut numbers = [0u8; 4];
			for number in &mut numbers {
				let Some(word) = words.next()? else { return Ok(None) };
				*number = word.parse().map_err(|_| format!("`{word}` is no number of a row or a column"))?;
			}
			let [r1, c1, r2, c2] = numbers;
			let text = format!("`MOVE {r1} {c1} {r2} {c2}`");
			let is_positive = numbers.iter().all(|&number| number > 0);
			let Some(Segment { squares, .. }) = is_positive.then(|| segment((r1 - 1, c1 - 1), (r2 - 1, c2 - 1))).flatten()
			else {
				return Err(format!("{text} is no row or column of squares on the board, first one first"));
			};
			match black | squares {
				_ if black == ALL => Err(format!("{text}, but all squares are black already")),
				next if next == black => Err(format!("{text} blackens no new square")),
				ALL => Err(format!("{text} blackens the last square, where `GAME` was due")),
				_ => Ok(Some(squares)),
			}
		}

	}
	pub mod evaluation {
		//! The value of a position for the player who has just moved: a weighted sum of features.

		use super::board::{free, Squares};
		use super::features::Grid;
		use super::weights::Weights;

		impl Weights {
			/// Returns the value of a position for the player who has just moved; only differences count.
			pub fn value(&self, black: Squares) -> f64 {
				let board = Grid::new(black);
				let closed = board.closed_up();
				let (whole, unlike) = (board.unlike(), closed.unlike());
				let lines = board.lines();
				let regions = board.regions();
				let free = free(black);
				// A move can take k free squares of a line in k (k + 1) / 2 ways; a single square belongs
				// to two lines.
				let moves: u32 = (1u32..).zip(&lines[1..]).map(|(k, count)| count * k * (k + 1) / 2).sum::<u32>() - free;

				let is = |condition: bool| f64::from(u8::from(condition));
				let odd = |count: u32| f64::from(count % 2);
				self.turn * is(whole.turn == 0)
					+ self.flip * is(whole.flip == 0)
					+ self.mirror * is(whole.mirror == 0)
					+ self.closed_turn * is(unlike.turn == 0)
					+ self.closed_flip * is(unlike.flip == 0)
					+ self.closed_mirror * is(unlike.mirror == 0)
					+ self.unlike_turn * f64::from(unlike.turn)
					+ self.unlike_flip * f64::from(unlike.flip)
					+ self.unlike_mirror * f64::from(unlike.mirror)
					+ self.middle * f64::from(closed.middle())
					+ self.free * f64::from(free)
					+ self.free_odd * odd(free)
					+ self.rows_odd * odd(closed.height as u32)
					+ self.columns_odd * odd(closed.width as u32)
					+ self.moves * f64::from(moves)
					+ self.moves_odd * odd(moves)
					+ self.line_1 * f64::from(lines[1])
					+ self.line_2 * f64::from(lines[2])
					+ self.line_3 * f64::from(lines[3])
					+ self.line_more * f64::from(lines[4] + lines[5] + lines[6])
					+ self.lone * f64::from(regions.lone)
					+ self.lone_odd * odd(regions.lone)
					+ self.regions * f64::from(regions.count)
					+ self.regions_odd * odd(regions.count)
					+ self.largest * f64::from(regions.largest)
					+ self.balance * is(regions.nim_sum == 0)
			}
		}

	}
	pub mod exact {
		//! Exact solution of the end of a game: depth-first search with a transposition table.

		use super::board::{Squares, ALL, SEGMENT, SEGMENTS};
		use crate::clock::Clock;

		/// Number of entries of the table, a power of 2.
		const ENTRIES: usize = 1 << 16;
		/// The key of an empty entry; no position has it.
		const EMPTY: u32 = u32::MAX;
		/// Positions searched between two checks of the clock, a power of 2.
		const PATIENCE: u32 = 1 << 10;

		/// A solver that remembers its results. Its answers do not depend on earlier queries: replacing an
		/// entry costs time, never correctness.
		#[derive(Clone, Debug)]
		pub struct Solver {
			/// Keys, indexed by a hash of the position: twice its set, plus 1 if it is lost. Newer
			/// positions replace older ones.
			table: Vec<u32>,
			visits: u32,
		}

		impl Default for Solver {
			fn default() -> Self {
				Self::new()
			}
		}

		impl Solver {
			/// Returns a solver with an empty table.
			pub fn new() -> Self {
				Solver { table: vec![EMPTY; ENTRIES], visits: 0 }
			}

			/// Returns whether the side to move loses against best play; `None` if the clock ran out first.
			/// The time about doubles with each free square.
			pub fn is_lost(&mut self, black: Squares, clock: &Clock) -> Option<bool> {
				let mut moves = [0; SEGMENTS];
				let mut count = 0;
				for (i, segment) in SEGMENT.iter().enumerate() {
					if black & segment.ends == 0 {
						moves[count] = i as u8;
						count += 1;
					}
				}
				self.search(black, &moves[..count], clock)
			}

			/// `before` holds the moves of an earlier position, which include those of this one.
			fn search(&mut self, black: Squares, before: &[u8], clock: &Clock) -> Option<bool> {
				if black == ALL {
					return Some(true);
				}
				let slot = (black.wrapping_mul(0x9e37_79b1) >> 16) as usize % ENTRIES;
				let known = self.table[slot];
				if known >> 1 == black {
					return Some(known & 1 == 1);
				}
				self.visits = self.visits.wrapping_add(1);
				if self.visits & (PATIENCE - 1) == 0 && clock.is_over() {
					return None;
				}
				let mut moves = [0; SEGMENTS];
				let mut count = 0;
				for &i in before {
					if black & SEGMENT[i as usize].ends == 0 {
						moves[count] = i;
						count += 1;
					}
				}
				let moves = &moves[..count];
				let mut is_lost = true;
				for &i in moves {
					if self.search(black | SEGMENT[i as usize].squares, moves, clock)? {
						is_lost = false;
						break;
					}
				}
				self.table[slot] = black << 1 | u32::from(is_lost);
				Some(is_lost)
			}
		}

	}
	pub mod features {
		//! Features of a position: symmetries, lines, regions.

		use super::board::{Squares, ALL, COLUMNS, ROWS};

		/// The free squares by rows, in the first `height` rows and `width` columns.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct Grid {
			/// The free squares of each row; the lowest bit is the first column.
			pub rows: [u8; ROWS],
			/// How many rows there are.
			pub height: usize,
			/// How many columns there are.
			pub width: usize,
		}

		/// The number of free squares without a free mirror image, for each symmetry.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct Unlike {
			/// Rotation by 180 degrees.
			pub turn: u32,
			/// Reflection of top and bottom.
			pub flip: u32,
			/// Reflection of left and right.
			pub mirror: u32,
		}

		/// Regions: free squares connected through rows and columns.
		#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
		pub struct Regions {
			/// Number of regions.
			pub count: u32,
			/// Number of regions of a single square.
			pub lone: u32,
			/// Number of squares of the largest region.
			pub largest: u32,
			/// The exclusive or of the sizes. A region in a single line is a heap of Nim: a move can take
			/// any of its consecutive free squares, whatever black squares lie between them.
			pub nim_sum: u32,
		}

		/// Returns the lowest six bits in reverse order.
		const REVERSED: [u8; 1 << COLUMNS] = {
			let mut table = [0; 1 << COLUMNS];
			let mut i = 0;
			while i < table.len() {
				table[i] = (i as u8).reverse_bits() >> (8 - COLUMNS);
				i += 1;
			}
			table
		};

		/// `PACKED[open][row]`: the bits of `row` at the places set in `open`, moved together.
		static PACKED: [[u8; 1 << COLUMNS]; 1 << COLUMNS] = {
			let mut table = [[0; 1 << COLUMNS]; 1 << COLUMNS];
			let mut open = 0;
			while open < table.len() {
				let mut row = 0;
				while row < table.len() {
					let (mut packed, mut place, mut column) = (0, 0, 0);
					while column < COLUMNS {
						if open >> column & 1 == 1 {
							packed |= ((row >> column & 1) << place) as u8;
							place += 1;
						}
						column += 1;
					}
					table[open][row] = packed;
					row += 1;
				}
				open += 1;
			}
			table
		};

		impl Grid {
			/// The whole board.
			pub fn new(black: Squares) -> Self {
				let free = !black & ALL;
				let rows = std::array::from_fn(|row| (free >> (row * COLUMNS)) as u8 & ((1 << COLUMNS) - 1));
				Grid { rows, height: ROWS, width: COLUMNS }
			}

			/// Returns the columns that have a free square.
			pub fn open_columns(&self) -> u8 {
				self.rows.iter().fold(0, |open, row| open | row)
			}

			/// Returns the position without the rows and columns that have no free square. It is the same
			/// game, because segments pass over them.
			pub fn closed_up(&self) -> Self {
				let open = self.open_columns();
				let mut closed = Grid { rows: [0; ROWS], height: 0, width: open.count_ones() as usize };
				for row in self.rows {
					if row != 0 {
						closed.rows[closed.height] = PACKED[open as usize][row as usize];
						closed.height += 1;
					}
				}
				closed
			}

			fn reversed(&self, row: u8) -> u8 {
				REVERSED[row as usize] >> (COLUMNS - self.width)
			}

			/// Returns the number of free squares without a free mirror image, for each symmetry.
			pub fn unlike(&self) -> Unlike {
				let mut unlike = Unlike { turn: 0, flip: 0, mirror: 0 };
				for i in 0..self.height {
					let (row, opposite) = (self.rows[i], self.rows[self.height - 1 - i]);
					unlike.turn += (row & !self.reversed(opposite)).count_ones();
					unlike.flip += (row & !opposite).count_ones();
					unlike.mirror += (row & !self.reversed(row)).count_ones();
				}
				unlike
			}

			/// Returns the free squares in a row or a column with equally many free squares on both sides.
			pub fn middle(&self) -> u32 {
				let column = if self.width % 2 == 1 { 1 << (self.width / 2) } else { 0 };
				let mut count = 0;
				for (i, row) in self.rows[..self.height].iter().enumerate() {
					let is_middle = 2 * i + 1 == self.height;
					count += if is_middle { *row } else { row & column }.count_ones();
				}
				count
			}

			/// Returns the number of rows and columns that have exactly `i` free squares, at index `i`.
			pub fn lines(&self) -> [u32; COLUMNS + 1] {
				let mut lines = [0; COLUMNS + 1];
				for row in self.rows {
					lines[row.count_ones() as usize] += 1;
				}
				for column in 0..COLUMNS {
					let free: u8 = self.rows.iter().map(|row| row >> column & 1).sum();
					lines[free as usize] += 1;
				}
				lines
			}

			/// Returns the regions.
			pub fn regions(&self) -> Regions {
				let mut regions = Regions::default();
				let mut rows = self.rows;
				for first in 0..ROWS {
					let mut columns = rows[first];
					if columns == 0 {
						continue;
					}
					let mut size = 0;
					// Repeat whenever a row of the region has added columns.
					loop {
						let before = columns;
						for row in &mut rows[first..] {
							if *row & columns != 0 {
								columns |= *row;
								size += row.count_ones();
								*row = 0;
							}
						}
						if columns == before && size > 0 {
							break;
						}
					}
					regions.count += 1;
					regions.lone += u32::from(size == 1);
					regions.largest = regions.largest.max(size);
					regions.nim_sum ^= size;
				}
				regions
			}
		}

	}
	pub mod player {
		//! The player: it makes the move with the largest evaluation until it can solve the rest of the
		//! game.

		use super::board::{free, moves, Squares, LONGEST, SEGMENT, SEGMENTS};
		use super::exact::Solver;
		use super::weights::Weights;
		use crate::clock::Clock;

		/// Settings of a player's search.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct Settings {
			/// The number of free squares at which the solver takes over.
			pub exact: u32,
		}

		/// A player for successive games.
		#[derive(Clone, Debug)]
		pub struct Player {
			weights: Weights,
			settings: Settings,
			solver: Solver,
		}

		impl Player {
			/// Returns a player with these weights.
			pub fn new(weights: Weights, settings: Settings) -> Self {
				Player { weights, settings, solver: Solver::new() }
			}

			/// Returns the move, as an index into [`SEGMENT`]; `None` if all squares are black. Among
			/// winning moves, or among all moves that the solver has not decided, it is the first one with
			/// the largest value. The same position gives the same move, unless `clock` runs short.
			pub fn choose(&mut self, black: Squares, clock: &Clock) -> Option<usize> {
				let mut ranked = [(0.0, 0); SEGMENTS];
				let mut count = 0;
				for i in moves(black) {
					ranked[count] = (self.weights.value(black | SEGMENT[i].squares), i);
					count += 1;
				}
				let ranked = &mut ranked[..count];
				if free(black) <= self.settings.exact {
					// The sort is stable: moves of equal value keep their order.
					ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
					let clock = clock.share(LONGEST / 2);
					for &(_, i) in ranked.iter() {
						match self.solver.is_lost(black | SEGMENT[i].squares, &clock) {
							Some(true) => return Some(i),
							Some(false) => {}
							None => break,
						}
					}
				}
				let mut best: Option<(f64, usize)> = None;
				for &(value, i) in ranked.iter() {
					if best.is_none_or(|(most, _)| value > most) {
						best = Some((value, i));
					}
				}
				best.map(|(_, i)| i)
			}
		}
	}
	pub mod weights {
		//! The weights of the evaluation, each declared once. A position is judged right after the player's
		//! own move, so "symmetric" is the position that the opponent gets; a larger value is better for
		//! the player. Only differences count.
		//!
		//! Rows and columns without a free square do not matter: segments pass over them. The remaining
		//! ones form the closed-up board.

		crate::weights! {
			/// The factors of the evaluation's features.
			pub struct Weights {
				turn: "the board is symmetric under a half-turn", -10.0..=10.0, 0.5, 0.0;
				flip: "the board is symmetric, top to bottom", -10.0..=10.0, 0.5, 0.0;
				mirror: "the board is symmetric, left to right", -10.0..=10.0, 0.5, 0.0;
				closed_turn: "the closed-up board is symmetric under a half-turn", -10.0..=10.0, 0.5, 0.0;
				closed_flip: "the closed-up board is symmetric, top to bottom", -10.0..=10.0, 0.5, 0.0;
				closed_mirror: "the closed-up board is symmetric, left to right", -10.0..=10.0, 0.5, 0.0;
				unlike_turn: "each free square of the closed-up board that a half-turn takes to a black one",
					-4.0..=4.0, 0.2, 0.0;
				unlike_flip: "each free square of the closed-up board whose image top to bottom is black",
					-4.0..=4.0, 0.2, 0.0;
				unlike_mirror: "each free square of the closed-up board whose image left to right is black",
					-4.0..=4.0, 0.2, 0.0;
				middle: "each free square in a middle row or column of the closed-up board", -4.0..=4.0, 0.2, 0.0;

				free: "each free square", -4.0..=4.0, 0.2, 0.0;
				free_odd: "the number of free squares is odd", -10.0..=10.0, 0.5, -1.0;
				rows_odd: "the number of rows with a free square is odd", -10.0..=10.0, 0.5, 0.0;
				columns_odd: "the number of columns with a free square is odd", -10.0..=10.0, 0.5, 0.0;
				moves: "each remaining move, counted by the squares that it blackens", -1.0..=1.0, 0.05, 0.0;
				moves_odd: "the number of such moves is odd", -10.0..=10.0, 0.5, 0.0;
				line_1: "each row or column with exactly one free square", -4.0..=4.0, 0.2, 0.0;
				line_2: "each row or column with exactly two free squares", -4.0..=4.0, 0.2, 0.0;
				line_3: "each row or column with exactly three free squares", -4.0..=4.0, 0.2, 0.0;
				line_more: "each row or column with four free squares or more", -4.0..=4.0, 0.2, 0.0;
				lone: "each free square alone in its row and its column", -4.0..=4.0, 0.2, 0.0;
				lone_odd: "the number of such lone squares is odd", -10.0..=10.0, 0.5, -2.0;
				regions: "each region: free squares joined through rows and columns", -4.0..=4.0, 0.2, 0.0;
				regions_odd: "the number of regions is odd", -10.0..=10.0, 0.5, -1.0;
				largest: "each square of the largest region", -4.0..=4.0, 0.2, 0.0;
				balance: "the sizes of the regions, as heaps of the game of Nim, sum to zero", -10.0..=10.0, 0.5, 3.0;
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
