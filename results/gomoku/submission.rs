//! A player of Gomoku against a fixed strategy, exported by evolve 0.1.0.
//!
//! Player `greedy`, run `gomoku` (version 1): +113 against the baseline on 210 trials (95 %: +61 to +189).
//! Build it with `rustc -O --edition 2021`. Licence: MIT OR Apache-2.0.

// Each module below is complete, although this player uses only a part of it.
#![allow(dead_code, unused_imports)]

use clock::Clock;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use gomoku::lookahead::Settings;
use gomoku::search::Search;
use gomoku::weights::Weights;

/// The weights.
const WEIGHTS: Weights = Weights {
	own_1: 50.0,
	own_2: 100.0,
	their_1: 24.7739,
	their_2: 92.4,
	three: -99.87,
	four: -191.87,
	three_three: 396.22,
	stop_three: 49.71,
	stop_three_three: 216.42,
	..Weights::DEFAULT
};

/// The search.
const SEARCH: Search = Search::Lookahead(Settings { width: 16, depth: 1, playout: 20 });

/// Time limit of a game on the player's own clock; the judge allows 3s.
const TIME: Option<Duration> = Some(Duration::from_micros(2625000));

fn main() -> ExitCode {
	let start = Instant::now();
	let clock = TIME.map_or(Clock::UNLIMITED, |limit| Clock::start(&start, limit));
	let player = &mut *SEARCH.player(WEIGHTS);
	match gomoku::dialogue::play(std::io::stdin().lock(), std::io::stdout().lock(), &clock, player) {
		Ok(()) => ExitCode::SUCCESS,
		Err(message) => {
			eprintln!("error: {message}");
			ExitCode::FAILURE
		}
	}
}

pub mod gomoku {
	//! Gomoku on 19 x 19 cells as the second player, against a fixed strategy that looks one move
	//! ahead.
	//!
	//! [`board`], [`gains`] and [`position`] hold the rules; [`opponent`] is the strategy to beat,
	//! without its noise; [`weights`] and [`evaluation`] judge a move; [`threats`] finds wins by fours;
	//! [`player`] picks moves by both, and [`lookahead`] by a search through the opponent's replies;
	//! [`search`] selects a player by name; [`dialogue`] talks to the judge.

	pub mod board {
		//! The board's geometry: cells, and the lines of five that a win may fill.

		/// Cells along a side of the board.
		pub const SIDE: usize = 19;
		/// Cells on the board.
		pub const CELLS: usize = SIDE * SIDE;
		/// Cells in a line that wins.
		pub const FIVE: usize = 5;
		/// Lines of five consecutive cells: across, along and on both diagonals.
		pub const LINES: usize = 2 * SIDE * (SIDE - 4) + 2 * (SIDE - 4) * (SIDE - 4);
		/// Marks a line that would leave the board.
		pub const NO_LINE: u16 = LINES as u16;
		/// Directions of lines.
		pub const DIRECTIONS: usize = 4;

		/// A cell: 19 (x - 1) + (y - 1), so that cells are ordered by x, then by y.
		pub type Cell = u16;

		/// The centre, where the first player starts.
		pub const CENTRE: Cell = (CELLS / 2) as Cell;

		/// One of the two sides.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub enum Side {
			/// The first player, the fixed strategy.
			Black,
			/// The second player, this program.
			White,
		}

		/// Number of line states: `black + 6 * white`, from the number of stones of each side.
		pub const STATES: usize = 36;

		/// Returns the state of a line with these numbers of stones.
		pub const fn state(black: u8, white: u8) -> u8 {
			black + 6 * white
		}

		/// Returns the state of a line with this many stones of one side and none of the other.
		pub const fn alone(side: Side, stones: u8) -> u8 {
			match side {
				Side::Black => state(stones, 0),
				Side::White => state(0, stones),
			}
		}

		/// Returns the cell at these coordinates, which count from 1; `None` if it is not on the board.
		pub fn cell(x: i64, y: i64) -> Option<Cell> {
			let side = 1..=SIDE as i64;
			(side.contains(&x) && side.contains(&y)).then(|| ((x - 1) * SIDE as i64 + y - 1) as Cell)
		}

		/// Returns the coordinates x and y of a cell, counted from 1.
		pub fn coordinates(cell: Cell) -> (usize, usize) {
			(cell as usize / SIDE + 1, cell as usize % SIDE + 1)
		}

		/// The steps of the four directions.
		const STEPS: [(i32, i32); DIRECTIONS] = [(0, 1), (1, 0), (1, 1), (1, -1)];

		/// The tables, which depend on the geometry alone.
		struct Tables {
			cells: [[Cell; FIVE]; LINES],
			through: [[[u16; FIVE]; DIRECTIONS]; CELLS],
		}

		const fn on_board(x: i32, y: i32) -> bool {
			0 <= x && x < SIDE as i32 && 0 <= y && y < SIDE as i32
		}

		const fn tables() -> Tables {
			let mut cells = [[0; FIVE]; LINES];
			let mut through = [[[NO_LINE; FIVE]; DIRECTIONS]; CELLS];
			let mut line = 0;
			let mut direction = 0;
			// Constant evaluation has no `for` loop.
			while direction < DIRECTIONS {
				let (dx, dy) = STEPS[direction];
				let mut start = 0;
				while start < CELLS {
					let (x, y) = ((start / SIDE) as i32, (start % SIDE) as i32);
					if on_board(x + 4 * dx, y + 4 * dy) {
						let mut i = 0;
						while i < FIVE {
							let cell = (x + i as i32 * dx) * SIDE as i32 + y + i as i32 * dy;
							cells[line][i] = cell as Cell;
							through[cell as usize][direction][i] = line as u16;
							i += 1;
						}
						line += 1;
					}
					start += 1;
				}
				direction += 1;
			}
			assert!(line == LINES);
			Tables { cells, through }
		}

		static TABLES: Tables = tables();

		/// The cells of every line.
		pub static LINE_CELLS: &[[Cell; FIVE]; LINES] = &TABLES.cells;

		/// The lines through every cell by direction, [`NO_LINE`] where one would leave the board.
		pub static THROUGH: &[[[u16; FIVE]; DIRECTIONS]; CELLS] = &TABLES.through;

		/// Largest distance between a move and a stone, in both coordinates.
		const NEAR: i32 = 2;
		/// Largest number of cells within that distance.
		pub const NEIGHBOURS: usize = ((2 * NEAR + 1) * (2 * NEAR + 1)) as usize;

		const fn neighbours() -> [[Cell; NEIGHBOURS]; CELLS] {
			// The cell itself stands for every cell off the board.
			let mut all = [[0; NEIGHBOURS]; CELLS];
			let mut cell = 0;
			while cell < CELLS {
				let (x, y) = ((cell / SIDE) as i32, (cell % SIDE) as i32);
				let mut i = 0;
				while i < NEIGHBOURS as i32 {
					let (nx, ny) = (x + i / (2 * NEAR + 1) - NEAR, y + i % (2 * NEAR + 1) - NEAR);
					let neighbour = if on_board(nx, ny) { nx * SIDE as i32 + ny } else { cell as i32 };
					all[cell][i as usize] = neighbour as Cell;
					i += 1;
				}
				cell += 1;
			}
			all
		}

		/// The cells near every cell; the cell itself stands for those beyond the edge of the board.
		pub static NEIGHBOURHOOD: [[Cell; NEIGHBOURS]; CELLS] = neighbours();
	}
	pub mod dialogue {
		//! The contest's protocol: the program reads the opponent's move and prints its own in turn, until
		//! `-1 -1` ends the game.
		//!
		//! Any white space separates words. The opponent may play any legal move, even one that its
		//! strategy never plays.

		use super::board::{cell, coordinates, Cell, Side};
		use super::player::Player;
		use super::position::Position;
		use crate::clock::Clock;
		use crate::words::Words;
		use std::io::{self, BufRead, Write};

		/// The coordinates by which the judge ends the game.
		const OVER: &str = "-1";

		/// Plays one game, until `-1 -1` or until the judge closes its side before a move.
		///
		/// # Errors
		/// A message about a fault in the input, or about a failure to read or write.
		pub fn play(input: impl BufRead, mut output: impl Write, clock: &Clock, player: &mut dyn Player) -> Result<(), String> {
			let mut words = Words::new(input);
			let mut position = Position::new();
			while let Some(black) = read_move(&mut words, &position)? {
				position.put(black, Side::Black);
				if is_over(&position) {
					continue;
				}
				let Some(white) = player.choose(&position, clock) else { continue };
				position.put(white, Side::White);
				let (x, y) = coordinates(white);
				match writeln!(output, "{x} {y}").and_then(|()| output.flush()) {
					Ok(()) => {}
					Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
					Err(error) => return Err(format!("cannot print a move: {error}")),
				}
			}
			Ok(())
		}

		/// Reads the opponent's next move; `None` at the end of the game.
		fn read_move(words: &mut Words<impl BufRead>, position: &Position) -> Result<Option<Cell>, String> {
			let number = position.count() / 2 + 1;
			let place = format!("the opponent's move {number}");
			let Some(x) = words.next()? else {
				return if position.count() == 0 { Err(format!("the input ends before {place}")) } else { Ok(None) };
			};
			let Some(y) = words.next()? else { return Err(format!("the input ends within {place}")) };
			if x == OVER && y == OVER {
				return Ok(None);
			}
			let coordinate = |word: &str| word.parse().map_err(|_| format!("{place}: `{word}` is not a number"));
			let Some(cell) = cell(coordinate(&x)?, coordinate(&y)?) else {
				return Err(format!("{place}: `{x} {y}` is not on the board (x and y are 1 to 19)"));
			};
			if !position.is_empty(cell) {
				return Err(format!("{place}: `{x} {y}` is occupied"));
			}
			if is_over(position) {
				return Err(format!("{place}: the game was over before it"));
			}
			Ok(Some(cell))
		}

		fn is_over(position: &Position) -> bool {
			position.has_five(Side::Black) || position.has_five(Side::White) || position.is_full()
		}

	}
	pub mod evaluation {
		//! The value of a white move, from the states of the lines through its cell.
		//!
		//! Counts of lines reveal open threes and fours: three stones with room to become an open four
		//! share at least two lines, and so do the four stones of an open four.

		use super::board::{state, Cell, STATES, THROUGH};
		use super::position::Position;
		use super::weights::Weights;

		/// Bits of each count in a word of counts; a cell is on at most 20 lines.
		const BITS: u32 = 6;

		/// For each state of a line, a 1 in the field that counts such lines: own stones 0 to 4 without
		/// theirs in the fields 0 to 4, their stones 1 to 4 without own ones in the fields 5 to 8.
		const FIELDS: [u64; STATES] = fields();

		const fn fields() -> [u64; STATES] {
			let mut fields = [0; STATES];
			let mut stones = 0;
			while stones < 5 {
				fields[state(0, stones) as usize] = 1 << (BITS * stones as u32);
				if stones > 0 {
					fields[state(stones, 0) as usize] = 1 << (BITS * (4 + stones as u32));
				}
				stones += 1;
			}
			fields
		}

		fn field(counts: u64, index: u32) -> u64 {
			counts >> (BITS * index) & ((1 << BITS) - 1)
		}

		/// The threats of one side's stone on a cell, direction by direction.
		#[derive(Default)]
		struct Threats {
			threes: u32,
			fours: u32,
			open_fours: u32,
		}

		impl Threats {
			/// Adds the threats in one direction, from the numbers of lines that already hold two and three
			/// stones.
			fn add(&mut self, twos: u64, threes: u64) {
				if threes > 0 {
					self.fours += 1;
					self.open_fours += u32::from(threes > 1);
				} else if twos > 1 {
					self.threes += 1;
				}
			}

			/// Returns the value of the threats, where `worth` lists the values of an open three, a four,
			/// two threes, a four and a three, and two fours.
			fn value(&self, worth: &[f64; 5]) -> f64 {
				let [three, four, three_three, four_three, four_four] = *worth;
				if self.open_fours > 0 || self.fours > 1 {
					four_four
				} else if self.fours > 0 {
					four + if self.threes > 0 { four_three } else { 0.0 }
				} else {
					match self.threes {
						0 => 0.0,
						1 => three,
						_ => three + three_three,
					}
				}
			}
		}

		/// Returns the value of a white stone on an empty cell.
		pub fn value(position: &Position, cell: Cell, weights: &Weights) -> f64 {
			let (mut own, mut their) = (Threats::default(), Threats::default());
			let mut counts = 0;
			for lines in &THROUGH[cell as usize] {
				let direction: u64 = lines.iter().map(|&line| FIELDS[position.line(line) as usize]).sum();
				own.add(field(direction, 2), field(direction, 3));
				their.add(field(direction, 6), field(direction, 7));
				counts += direction;
			}
			let w = weights;
			let by_count =
				[(0, w.own_0), (1, w.own_1), (2, w.own_2), (3, w.own_3), (5, w.their_1), (6, w.their_2), (7, w.their_3)];
			let lines: f64 = by_count.iter().map(|&(index, weight)| field(counts, index) as f64 * weight).sum();
			lines
				+ own.value(&[w.three, w.four, w.three_three, w.four_three, w.four_four])
				+ their.value(&[w.stop_three, w.stop_four, w.stop_three_three, w.stop_four_three, w.stop_four_four])
		}

	}
	pub mod gains {
		//! The score that the opponent maximizes, and the gain of a stone of its own on each cell.
		//!
		//! The score is a sum over the lines of five in which only one side has stones. Each line's part
		//! depends only on the number of its stones, so the gain of a cell is a sum over the lines through
		//! it.

		use super::board::{Cell, CELLS, LINE_CELLS, STATES};

		/// Score of a line with this many black stones and no white one: 50^(2k - 1).
		pub const BLACK: [i64; 6] = [0, power(1), power(3), power(5), power(7), power(9)];

		/// Score, negated, of a line with this many white stones and no black one: 50^(2k).
		pub const WHITE: [i64; 6] = [0, power(2), power(4), power(6), power(8), power(10)];

		const fn power(exponent: u32) -> i64 {
			50i64.pow(exponent)
		}

		/// Gain in score from a black stone in an empty cell of a line, by the line's state.
		pub const GAIN: [i64; STATES] = gains();

		const fn gains() -> [i64; STATES] {
			let mut gains = [0; STATES];
			let mut stones = 0;
			while stones < 5 {
				gains[stones] = BLACK[stones + 1] - BLACK[stones];
				if stones > 0 {
					gains[6 * stones] = WHITE[stones];
				}
				stones += 1;
			}
			gains
		}

		/// Subtracted from the gain of an occupied cell, to keep it below that of every empty cell.
		const OCCUPIED: i64 = 1 << 62;

		/// Gain in score from a black stone on each cell. A position updates it line by line.
		#[derive(Clone, Debug, PartialEq, Eq)]
		pub struct Gains([i64; CELLS]);

		impl Default for Gains {
			fn default() -> Self {
				Self::new()
			}
		}

		impl Gains {
			/// Returns the gains on the empty board.
			pub fn new() -> Self {
				let mut gains = [0; CELLS];
				for &cell in LINE_CELLS.as_flattened() {
					gains[cell as usize] += GAIN[0];
				}
				Gains(gains)
			}

			/// Marks a cell as occupied.
			#[inline]
			pub fn occupy(&mut self, cell: Cell) {
				self.0[cell as usize] -= OCCUPIED;
			}

			/// Marks a cell as empty.
			#[inline]
			pub fn vacate(&mut self, cell: Cell) {
				self.0[cell as usize] += OCCUPIED;
			}

			/// Updates the gains after a line changes its state.
			#[inline]
			pub fn update(&mut self, line: u16, old: u8, new: u8) {
				let change = GAIN[new as usize] - GAIN[old as usize];
				if change != 0 {
					for &cell in &LINE_CELLS[line as usize] {
						self.0[cell as usize] += change;
					}
				}
			}

			/// Returns whether a cell is empty.
			#[inline]
			pub fn is_empty(&self, cell: usize) -> bool {
				self.0[cell] >= 0
			}

			/// Returns the gain of each cell; negative for occupied cells.
			pub fn by_cell(&self) -> &[i64; CELLS] {
				&self.0
			}
		}
	}
	pub mod lookahead {
		//! A search with a model of the opponent: after each own move it searches every reply that the
		//! noise allows, and assumes the worst of them. At its leaves greedy play against the opponent
		//! without noise continues to the end.

		use super::board::{Cell, Side};
		use super::evaluation;
		use super::opponent::{reply, Replies};
		use super::player::{greedy, must, Player};
		use super::position::Position;
		use super::threats::win_by_fours;
		use super::weights::Weights;
		use crate::clock::Clock;

		/// Width and depth of the search.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct Settings {
			/// Number of own moves searched in each position, the best ones by the evaluation.
			pub width: usize,
			/// Number of own moves looked ahead before greedy play takes over.
			pub depth: u32,
			/// Largest number of own moves of that greedy play.
			pub playout: u32,
		}

		/// The largest width.
		pub const WIDEST: usize = 64;

		/// Number of moves that share the remaining time equally.
		const PLANNED: u32 = 16;

		/// The value of a win, minus the number of own moves until then. An undecided game is worth 0.
		pub const WON: i32 = 1000;
		/// The value of a loss, plus the number of own moves until then.
		pub const LOST: i32 = -WON;

		/// The player that looks ahead.
		#[derive(Clone, Debug)]
		pub struct Lookahead {
			weights: Weights,
			settings: Settings,
		}

		impl Lookahead {
			/// Returns a player with these settings and with weights that order its moves.
			pub fn new(weights: Weights, settings: Settings) -> Self {
				Lookahead { weights, settings }
			}

			/// Returns the moves that the search considers if no move is forced, the best one by the
			/// evaluation first, each with its value at full depth.
			pub fn values(&self, position: &Position) -> Vec<(Cell, i32)> {
				let Lookahead { settings, weights } = self;
				let mut hunt = Hunt { settings: *settings, weights, clock: Clock::UNLIMITED, stopped: false };
				let mut position = position.clone();
				let candidates = Candidates::new(&position, settings.width, weights);
				let value = |&cell: &Cell| (cell, hunt.worst(&mut position, cell, 1, settings.depth, LOST - 1, WON));
				candidates.cells().iter().map(value).collect()
			}
		}

		impl Player for Lookahead {
			fn choose(&mut self, position: &Position, clock: &Clock) -> Option<Cell> {
				let clock = clock.share(PLANNED);
				Hunt { settings: self.settings, weights: &self.weights, clock, stopped: false }.choose(position)
			}
		}

		/// The search from one position.
		#[derive(Debug)]
		struct Hunt<'a> {
			settings: Settings,
			weights: &'a Weights,
			clock: Clock<'a>,
			stopped: bool,
		}

		impl Hunt<'_> {
			fn choose(&mut self, position: &Position) -> Option<Cell> {
				let mut position = position.clone();
				if let Some(cell) = must(&position) {
					return Some(cell);
				}
				if let Some(win) = win_by_fours(&mut position) {
					return Some(win.cell);
				}
				let mut candidates = Candidates::new(&position, self.settings.width, self.weights);
				let Some(first) = candidates.cells().first().copied() else { return position.first_empty() };
				let mut best = first;
				// Iterative deepening: each step starts with the best move so far, and a clock that runs
				// short costs only the deepest step.
				for depth in 1..=self.settings.depth {
					let mut most = LOST - 1;
					let mut at_this_depth = first;
					for &cell in candidates.cells() {
						let value = self.worst(&mut position, cell, 1, depth, most, WON);
						if self.stopped {
							return Some(best);
						}
						if value > most {
							(at_this_depth, most) = (cell, value);
						}
					}
					best = at_this_depth;
					candidates.move_to_front(best);
				}
				Some(best)
			}

			/// Returns the value of White's `ply`-th move from the root against Black's strongest possible
			/// reply. The value is exact if it lies between `low` and `high`, else a bound.
			fn worst(&mut self, position: &mut Position, cell: Cell, ply: i32, depth: u32, low: i32, high: i32) -> i32 {
				position.put(cell, Side::White);
				let mut worst = high;
				if position.is_full() {
					worst = 0;
				} else {
					for &reply in Replies::new(position).cells() {
						position.put(reply, Side::Black);
						let value = if position.has_five(Side::Black) {
							LOST + ply
						} else if position.is_full() {
							0
						} else {
							self.best(position, ply + 1, depth - 1, low, worst)
						};
						position.take(reply, Side::Black);
						worst = worst.min(value);
						if worst <= low || self.stopped {
							break;
						}
					}
				}
				position.take(cell, Side::White);
				worst
			}

			/// Returns the value of a position with White to make its `ply`-th move from the root. The
			/// value is exact if it lies between `low` and `high`, else a bound.
			fn best(&mut self, position: &mut Position, ply: i32, depth: u32, low: i32, high: i32) -> i32 {
				// Even an immediate win would come too late.
				if WON - ply <= low {
					return low;
				}
				if let Some(value) = forced(position, ply) {
					return value;
				}
				if depth == 0 {
					return self.playout(position.clone(), ply, low);
				}
				if self.clock.is_over() {
					self.stopped = true;
					return low;
				}
				if let Some(cell) = must(position) {
					return self.worst(position, cell, ply, depth, low, high);
				}
				let mut best = low;
				for &cell in Candidates::new(position, self.settings.width, self.weights).cells() {
					best = best.max(self.worst(position, cell, ply, depth, best, high));
					if best >= high || self.stopped {
						break;
					}
				}
				best
			}

			/// Returns the value of the position if White continues greedily and Black plays without noise.
			/// The value is exact if it is above `low`, else a bound.
			fn playout(&self, mut position: Position, ply: i32, low: i32) -> i32 {
				for ply in ply..ply + self.settings.playout as i32 {
					if WON - ply <= low {
						return low;
					}
					if let Some(value) = forced(&mut position, ply) {
						return value;
					}
					let Some(cell) = greedy(&position, self.weights) else { return 0 };
					position.put(cell, Side::White);
					let Some(reply) = reply(&position) else { return 0 };
					position.put(reply, Side::Black);
					if position.has_five(Side::Black) {
						return LOST + ply;
					}
				}
				0
			}
		}

		/// Returns the value of a decided position, with White to make its `ply`-th move from the root.
		fn forced(position: &mut Position, ply: i32) -> Option<i32> {
			if let Some(win) = win_by_fours(position) {
				return Some(WON - (ply + win.moves as i32 - 1));
			}
			match position.fives(Side::Black) {
				(_, Some(_)) => Some(LOST + ply),
				_ => None,
			}
		}

		/// Returns the best moves of a position by the evaluation, the best one first.
		#[derive(Debug)]
		struct Candidates {
			cells: [Cell; WIDEST],
			count: usize,
		}

		impl Candidates {
			fn new(position: &Position, width: usize, weights: &Weights) -> Self {
				let mut candidates = Candidates { cells: [0; WIDEST], count: 0 };
				let mut values = [0.0; WIDEST];
				let width = width.min(WIDEST);
				for cell in position.near() {
					let value = evaluation::value(position, cell, weights);
					// Insert from the end: among equal values the first cell stays in front.
					let mut place = candidates.count;
					if place == width {
						if values[place - 1] >= value {
							continue;
						}
						place -= 1;
					} else {
						candidates.count += 1;
					}
					while place > 0 && values[place - 1] < value {
						values[place] = values[place - 1];
						candidates.cells[place] = candidates.cells[place - 1];
						place -= 1;
					}
					values[place] = value;
					candidates.cells[place] = cell;
				}
				candidates
			}

			fn cells(&self) -> &[Cell] {
				&self.cells[..self.count]
			}

			fn move_to_front(&mut self, cell: Cell) {
				if let Some(place) = self.cells().iter().position(|&other| other == cell) {
					self.cells[..=place].rotate_right(1);
				}
			}
		}

	}
	pub mod opponent {
		//! The strategy to beat: it plays the move after which its score of the position is largest.
		//!
		//! The score is that of [`gains`](super::gains) plus random noise for each move.

		use super::board::{Cell, CELLS};
		use super::position::Position;

		/// The noise added to every move's score is uniform in `0..NOISE`.
		pub const NOISE: i64 = 50 * 50;

		/// The moves that the opponent may make in a position, in the order of cells.
		#[derive(Clone, Debug)]
		pub struct Replies {
			cells: [Cell; CELLS],
			count: usize,
		}

		impl Replies {
			/// Returns all empty cells whose gain is within the noise of the largest.
			pub fn new(position: &Position) -> Self {
				let least = largest(position) - (NOISE - 1);
				let mut replies = Replies { cells: [0; CELLS], count: 0 };
				for (cell, &gain) in position.gains().iter().enumerate() {
					// Only occupied cells have negative gains.
					if gain >= least.max(0) {
						replies.cells[replies.count] = cell as Cell;
						replies.count += 1;
					}
				}
				replies
			}

			/// Returns the cells; none if the board is full.
			pub fn cells(&self) -> &[Cell] {
				&self.cells[..self.count]
			}
		}

		/// Returns the move with the largest gain, the first of equals: the opponent without noise. `None`
		/// if the board is full.
		pub fn reply(position: &Position) -> Option<Cell> {
			let largest = largest(position);
			if largest < 0 {
				return None;
			}
			position.gains().iter().position(|&gain| gain == largest).map(|cell| cell as Cell)
		}

		/// Returns the move with the largest sum of gain and `noise(cell)`, the first of equals; `None` if
		/// the board is full. Calls `noise` only for cells where it can decide.
		pub fn noisy_reply(position: &Position, mut noise: impl FnMut(Cell) -> i64) -> Option<Cell> {
			let replies = Replies::new(position);
			let mut best = None;
			let mut most = i64::MIN;
			for &cell in replies.cells() {
				let gain = position.gains()[cell as usize] + noise(cell);
				if gain > most {
					(best, most) = (Some(cell), gain);
				}
			}
			best
		}

		fn largest(position: &Position) -> i64 {
			position.gains().iter().fold(i64::MIN, |most, &gain| most.max(gain))
		}
	}
	pub mod player {
		//! The interface of players, and a player that uses only the evaluation.

		use super::board::{Cell, Side};
		use super::evaluation;
		use super::position::Position;
		use super::weights::Weights;
		use crate::clock::Clock;
		use std::fmt::Debug;

		/// A player of White.
		pub trait Player: Debug + Send {
			/// Returns White's move; `None` if the board is full. The same position gives the same move,
			/// unless `clock`, which covers the whole game, runs short.
			fn choose(&mut self, position: &Position, clock: &Clock) -> Option<Cell>;
		}

		/// A player that makes the best move by the evaluation alone.
		#[derive(Clone, Debug)]
		pub struct Greedy(Weights);

		impl Greedy {
			/// Returns a player with these weights.
			pub fn new(weights: Weights) -> Self {
				Greedy(weights)
			}
		}

		impl Player for Greedy {
			fn choose(&mut self, position: &Position, _: &Clock) -> Option<Cell> {
				greedy(position, &self.0)
			}
		}

		/// Returns the cell that White must take, to win or else to stop Black from winning.
		pub fn must(position: &Position) -> Option<Cell> {
			position.fives(Side::White).0.or_else(|| position.fives(Side::Black).0)
		}

		/// Returns the best move by the evaluation alone, the first of equals; `None` if the board is full.
		pub fn greedy(position: &Position, weights: &Weights) -> Option<Cell> {
			if let Some(cell) = must(position) {
				return Some(cell);
			}
			let mut best = None;
			let mut most = f64::NEG_INFINITY;
			for cell in position.near() {
				let value = evaluation::value(position, cell, weights);
				if value > most {
					(best, most) = (Some(cell), value);
				}
			}
			best.or_else(|| position.first_empty())
		}
	}
	pub mod position {
		//! A position: the stones, and the number of stones of each side on every line of five.

		use super::board::{alone, state, Cell, Side, CELLS, LINES, LINE_CELLS, NEIGHBOURHOOD, NO_LINE, STATES, THROUGH};
		use super::gains::Gains;

		/// The state of a line that neither side can fill.
		const BLOCKED: u8 = state(1, 1);
		/// The number of lines, rounded up to words of eight states.
		const PADDED: usize = LINES.next_multiple_of(8);
		// At least one spare state stands for lines that would leave the board.
		const _: () = assert!(PADDED > LINES);

		/// A set of cells.
		pub type Cells = [u64; 6];

		/// A position, updated stone by stone, with all the data that the opponent and the evaluation read.
		#[derive(Clone, Debug, PartialEq, Eq)]
		pub struct Position {
			stones: [Cells; 2],
			count: u16,
			/// The state of each line, followed by spare states for lines that would leave the board.
			states: [u8; PADDED],
			/// The number of lines in each state.
			tally: [u16; STATES],
			/// The gains that the opponent maximizes.
			gains: Gains,
			/// The number of stones near each cell.
			near: [u8; CELLS],
		}

		impl Default for Position {
			fn default() -> Self {
				Self::new()
			}
		}

		impl Position {
			/// Returns the empty board.
			pub fn new() -> Self {
				let mut position = Position {
					stones: [[0; 6]; 2],
					count: 0,
					states: [0; PADDED],
					tally: [0; STATES],
					gains: Gains::new(),
					near: [0; CELLS],
				};
				position.states[LINES..].fill(BLOCKED);
				position.tally[0] = LINES as u16;
				position
			}

			/// Puts a stone on an empty cell.
			pub fn put(&mut self, cell: Cell, side: Side) {
				debug_assert!(self.is_empty(cell));
				self.count += 1;
				self.gains.occupy(cell);
				for &near in &NEIGHBOURHOOD[cell as usize] {
					self.near[near as usize] += 1;
				}
				self.flip::<true>(cell, side);
			}

			/// Removes a stone.
			pub fn take(&mut self, cell: Cell, side: Side) {
				debug_assert_eq!(self.stone(cell), Some(side));
				self.count -= 1;
				self.gains.vacate(cell);
				for &near in &NEIGHBOURHOOD[cell as usize] {
					self.near[near as usize] -= 1;
				}
				self.flip::<false>(cell, side);
			}

			fn flip<const PUT: bool>(&mut self, cell: Cell, side: Side) {
				self.stones[side as usize][cell as usize / 64] ^= 1 << (cell % 64);
				let step = if side == Side::Black { state(1, 0) } else { state(0, 1) };
				for &line in THROUGH[cell as usize].as_flattened() {
					if line == NO_LINE {
						continue;
					}
					let old = self.states[line as usize];
					let new = if PUT { old + step } else { old - step };
					self.states[line as usize] = new;
					self.tally[old as usize] -= 1;
					self.tally[new as usize] += 1;
					self.gains.update(line, old, new);
				}
			}

			/// Returns whether a cell is empty.
			pub fn is_empty(&self, cell: Cell) -> bool {
				self.stone(cell).is_none()
			}

			/// Returns the side whose stone is on a cell.
			pub fn stone(&self, cell: Cell) -> Option<Side> {
				let has = |side: Side| self.stones[side as usize][cell as usize / 64] >> (cell % 64) & 1 == 1;
				match (has(Side::Black), has(Side::White)) {
					(true, _) => Some(Side::Black),
					(_, true) => Some(Side::White),
					_ => None,
				}
			}

			/// Returns the stones of both sides, which identify a position.
			pub fn stones(&self) -> &[Cells; 2] {
				&self.stones
			}

			/// Returns the number of stones on the board.
			pub fn count(&self) -> u16 {
				self.count
			}

			/// Returns whether the board is full.
			pub fn is_full(&self) -> bool {
				self.count as usize == CELLS
			}

			/// Returns whether a side has five in a line.
			pub fn has_five(&self, side: Side) -> bool {
				self.tally(alone(side, 5)) > 0
			}

			/// Returns the number of lines in a state.
			#[inline]
			pub fn tally(&self, state: u8) -> u16 {
				self.tally[state as usize]
			}

			/// Returns the lines in a state other than [`state`]`(1, 1)`.
			pub fn lines(&self, state: u8) -> impl Iterator<Item = usize> + '_ {
				const ONES: u64 = u64::MAX / 0xff;
				let words = self.states.as_chunks::<8>().0.iter().enumerate();
				words.flat_map(move |(word, states)| {
					// States are below 128: a byte is zero if its highest bit is clear after the addition.
					let differs = (u64::from_le_bytes(*states) ^ (ONES * u64::from(state))) + ONES * 0x7f;
					let mut equal = !differs & (ONES * 0x80);
					std::iter::from_fn(move || {
						let bit = (equal != 0).then(|| equal.trailing_zeros())?;
						equal &= equal - 1;
						Some(word * 8 + bit as usize / 8)
					})
				})
			}

			/// Returns the state of a line, or of a line that leaves the board.
			#[inline]
			pub fn line(&self, line: u16) -> u8 {
				self.states[line as usize]
			}

			/// Returns the empty cells of a line.
			pub fn gaps(&self, line: usize) -> impl Iterator<Item = Cell> + '_ {
				LINE_CELLS[line].iter().copied().filter(|&cell| self.is_empty(cell))
			}

			/// Returns the gain in the opponent's score from a black stone on each cell; negative for
			/// occupied cells.
			pub fn gains(&self) -> &[i64; CELLS] {
				self.gains.by_cell()
			}

			/// Returns the empty cells near a stone, in order.
			pub fn near(&self) -> impl Iterator<Item = Cell> + '_ {
				(0..CELLS).filter(|&cell| self.near[cell] > 0 && self.gains.is_empty(cell)).map(|cell| cell as Cell)
			}

			/// Returns the first empty cell.
			pub fn first_empty(&self) -> Option<Cell> {
				(0..CELLS).find(|&cell| self.gains.is_empty(cell)).map(|cell| cell as Cell)
			}

			/// Returns the cells where a side completes five, at most two of them.
			pub fn fives(&self, side: Side) -> (Option<Cell>, Option<Cell>) {
				let four = alone(side, 4);
				if self.tally(four) == 0 {
					return (None, None);
				}
				let mut first = None;
				for cell in self.lines(four).filter_map(|line| self.gaps(line).next()) {
					match first {
						None => first = Some(cell),
						Some(other) if other != cell => return (first, Some(cell)),
						Some(_) => {}
					}
				}
				(first, None)
			}
		}
	}
	pub mod search {
		//! The players by name: greedy and lookahead.

		use super::lookahead::{Lookahead, Settings};
		use super::player::{Greedy, Player};
		use super::weights::Weights;

		/// The search by which a player finds its moves.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub enum Search {
			/// The best move by the evaluation alone.
			Greedy,
			/// A search through the replies of the opponent.
			Lookahead(Settings),
		}

		impl Search {
			/// Returns a player with these weights that uses this search.
			pub fn player(self, weights: Weights) -> Box<dyn Player> {
				match self {
					Search::Greedy => Box::new(Greedy::new(weights)),
					Search::Lookahead(settings) => Box::new(Lookahead::new(weights, settings)),
				}
			}
		}
	}
	pub mod threats {
		//! Wins by fours: every white move threatens five and so forces the reply, until a move threatens
		//! two fives at once. Such a win holds against every opponent.

		use super::board::{alone, Cell, Side};
		use super::position::Position;

		/// Largest number of successive fours.
		const DEPTH: u32 = 10;
		/// Maximum number of positions searched.
		const POSITIONS: u32 = 500;

		/// A forced win.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct Win {
			/// The first move.
			pub cell: Cell,
			/// Number of White's moves until five in a line.
			pub moves: u32,
		}

		/// Returns a win by fours for White, who is to move; `None` if there is none or the search hits its
		/// limits first.
		pub fn win_by_fours(position: &mut Position) -> Option<Win> {
			let mut limits = Limits { positions: POSITIONS, cut: false };
			// Iterative deepening: the first win found is the fastest.
			for moves in 1..=DEPTH {
				limits.cut = false;
				let win = search(position, moves, &mut limits);
				if win.is_some() || !limits.cut {
					return win;
				}
			}
			None
		}

		/// Limits of a search.
		struct Limits {
			/// Number of positions that may still be searched.
			positions: u32,
			/// Whether the depth limit left fours untried.
			cut: bool,
		}

		/// Returns a win within `moves` moves.
		fn search(position: &mut Position, moves: u32, limits: &mut Limits) -> Option<Win> {
			if let (Some(cell), _) = position.fives(Side::White) {
				return Some(Win { cell, moves: 1 });
			}
			if position.tally(alone(Side::White, 3)) == 0 || limits.positions == 0 {
				return None;
			}
			if moves < 2 {
				limits.cut = true;
				return None;
			}
			limits.positions -= 1;
			// If Black threatens five, only a four on that cell helps.
			let (must, other) = position.fives(Side::Black);
			if other.is_some() {
				return None;
			}
			let mut tried = [0; 6];
			// The loop makes and unmakes moves, so collect the lines by their states at this position
			// first. More than 32 never occur.
			let lines: [Option<usize>; 32] = {
				let mut lines = position.lines(alone(Side::White, 3));
				std::array::from_fn(|_| lines.next())
			};
			for line in lines.into_iter().flatten() {
				let gaps = {
					let mut gaps = position.gaps(line);
					[gaps.next(), gaps.next()]
				};
				for cell in gaps.into_iter().flatten() {
					let bit = 1u64 << (cell % 64);
					if must.is_some_and(|must| must != cell) || tried[cell as usize / 64] & bit != 0 {
						continue;
					}
					tried[cell as usize / 64] |= bit;
					position.put(cell, Side::White);
					let win = answer(position, moves, limits);
					position.take(cell, Side::White);
					if let Some(rest) = win {
						return Some(Win { cell, moves: rest + 1 });
					}
				}
			}
			None
		}

		/// Returns the number of White's moves until five after a four that was just made, if the four
		/// wins.
		fn answer(position: &mut Position, moves: u32, limits: &mut Limits) -> Option<u32> {
			let (first, second) = position.fives(Side::White);
			let forced = first?;
			if second.is_some() {
				return Some(1);
			}
			position.put(forced, Side::Black);
			let win = search(position, moves - 1, limits);
			position.take(forced, Side::Black);
			win.map(|win| win.moves)
		}
	}
	pub mod weights {
		//! The weights of the evaluation, each declared once. Only their proportions matter.

		crate::weights! {
			/// The factors of a white move's features.
			pub struct Weights {
				own_0: "each line through the cell with no stone in it", -20.0..=20.0, 0.3, 0.3;
				own_1: "each line through the cell with one own stone and none of theirs", -20.0..=50.0, 0.5, 1.5;
				own_2: "each line through the cell with two own stones and none of theirs", -20.0..=100.0, 2.0, 6.0;
				own_3: "each line through the cell with three own stones and none of theirs", -50.0..=200.0, 4.0, 10.0;
				their_1: "each line through the cell with one of their stones and no own one", -20.0..=50.0, 0.5, 1.0;
				their_2: "each line through the cell with two of their stones and no own one", -20.0..=100.0, 2.0, 5.0;
				their_3: "each line through the cell with three of their stones and no own one", -50.0..=300.0, 4.0, 20.0;

				three: "makes an open three: the next own stone makes an open four", -100.0..=500.0, 10.0, 40.0;
				four: "makes a four, which has to be answered", -200.0..=500.0, 10.0, 0.0;
				three_three: "makes two open threes", -200.0..=2000.0, 40.0, 200.0;
				four_three: "makes a four and an open three", -200.0..=4000.0, 80.0, 800.0;
				four_four: "makes an open four or two fours: wins unless they win first", 0.0..=8000.0, 160.0, 4000.0;

				stop_three: "takes a cell where they make an open three", -100.0..=500.0, 10.0, 20.0;
				stop_four: "takes a cell where they make a four", -200.0..=500.0, 10.0, 0.0;
				stop_three_three: "takes a cell where they make two open threes", -200.0..=2000.0, 40.0, 100.0;
				stop_four_three: "takes a cell where they make a four and an open three", -200.0..=4000.0, 80.0, 400.0;
				stop_four_four: "takes a cell where they make an open four or two fours", -200.0..=4000.0, 80.0, 600.0;
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
