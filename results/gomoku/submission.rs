//! A player of Gomoku against a fixed strategy, exported by evolve 0.1.0.
//!
//! Player `greedy`, run `gomoku` (version 5): +113 against the baseline on 210 trials (95 %: +61 to +189).
//! Build it with `rustc -O --edition 2021`. Licence: MIT OR Apache-2.0.

// The modules below stand here whole, whatever this player uses of them.
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
	//! Gomoku on 19 x 19 cells as the second player, against a fixed strategy that looks one move ahead.
	//!
	//! [`board`], [`gains`] and [`position`] are the rules; [`opponent`] is the strategy to be beaten, without its noise;
	//! [`weights`] and [`evaluation`] judge a move, [`threats`] finds wins by fours; [`player`] picks moves by that, and
	//! [`lookahead`] does through the opponent's own replies; [`search`] knows both by name; [`dialogue`] talks to the judge.

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
		/// Stands for a line that would leave the board.
		pub const NO_LINE: u16 = LINES as u16;
		/// Directions of lines.
		pub const DIRECTIONS: usize = 4;

		/// A cell: 19 (x - 1) + (y - 1), so that cells are in order by x, then by y.
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

		/// States that a line may be in: `black + 6 * white`, for so many stones of each side.
		pub const STATES: usize = 36;

		/// The state of a line with these stones.
		pub const fn state(black: u8, white: u8) -> u8 {
			black + 6 * white
		}

		/// The state of a line with so many stones of one side and none of the other.
		pub const fn alone(side: Side, stones: u8) -> u8 {
			match side {
				Side::Black => state(stones, 0),
				Side::White => state(0, stones),
			}
		}

		/// The cell at these coordinates, which count from 1; `None` if it is not on the board.
		pub fn cell(x: i64, y: i64) -> Option<Cell> {
			let side = 1..=SIDE as i64;
			(side.contains(&x) && side.contains(&y)).then(|| ((x - 1) * SIDE as i64 + y - 1) as Cell)
		}

		/// The coordinates x and y of a cell, counted from 1.
		pub fn coordinates(cell: Cell) -> (usize, usize) {
			(cell as usize / SIDE + 1, cell as usize % SIDE + 1)
		}

		/// The steps of the four directions.
		const STEPS: [(i32, i32); DIRECTIONS] = [(0, 1), (1, 0), (1, 1), (1, -1)];

		/// The tables, all from the geometry alone.
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
			// `for` does not exist at compile time.
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

		/// Largest distance of a move from a stone, in both coordinates.
		const NEAR: i32 = 2;
		/// Cells within that distance, at most.
		pub const NEIGHBOURS: usize = ((2 * NEAR + 1) * (2 * NEAR + 1)) as usize;

		const fn neighbours() -> [[Cell; NEIGHBOURS]; CELLS] {
			// What would be off the board is the cell itself, several times.
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

		/// The cells near every cell; beyond the edge of the board stands the cell itself.
		pub static NEIGHBOURHOOD: [[Cell; NEIGHBOURS]; CELLS] = neighbours();
	}
	pub mod dialogue {
		//! The contest's protocol: read the opponent's move, print the own one, until `-1 -1` ends the game.
		//!
		//! Any white space separates words. The opponent may play any legal move, not only those of its strategy.

		use super::board::{cell, coordinates, Cell, Side};
		use super::player::Player;
		use super::position::Position;
		use crate::clock::Clock;
		use crate::words::Words;
		use std::io::{self, BufRead, Write};

		/// The judge's x and y at the end of the game.
		const OVER: &str = "-1";

		/// Plays one game. It is over at `-1 -1`, and also when the judge closes its side where a move was due.
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

		/// The opponent's next move, `None` at the end of the game.
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
		//! Lines identify open threes and fours: three stones with room to become an open four share two lines or more, and so
		//! do the four stones of an open four.

		use super::board::{state, Cell, STATES, THROUGH};
		use super::position::Position;
		use super::weights::Weights;

		/// Bits of each count in a word of counts; a cell is on at most 20 lines.
		const BITS: u32 = 6;

		/// For each state of a line, a 1 in the field that counts such lines: own stones 0 to 4 without theirs in the fields
		/// 0 to 4, their stones 1 to 4 without own ones in the fields 5 to 8.
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

		/// The threats that one side's stone on a cell makes, direction by direction.
		#[derive(Default)]
		struct Threats {
			threes: u32,
			fours: u32,
			open_fours: u32,
		}

		impl Threats {
			/// Adds the threats in one direction, from the numbers of lines with two and with three stones already.
			fn add(&mut self, twos: u64, threes: u64) {
				if threes > 0 {
					self.fours += 1;
					self.open_fours += u32::from(threes > 1);
				} else if twos > 1 {
					self.threes += 1;
				}
			}

			/// Their value, given `worth` of an open three, a four, two threes, a four and a three, two fours.
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

		/// The value of a white stone on an empty cell.
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
		//! The score that the opponent plays for, and what a stone of its own on each cell would add to it.
		//!
		//! The score is a sum over the lines of five that one side alone has stones in. A line's part depends on the numbers of
		//! stones in it alone, so the gain of a cell is a sum over the lines through it.

		use super::board::{Cell, CELLS, LINE_CELLS, STATES};

		/// Score of a line with this many black stones and no white one: 50^(2k - 1).
		pub const BLACK: [i64; 6] = [0, power(1), power(3), power(5), power(7), power(9)];

		/// Negative score of a line with this many white stones and no black one: 50^(2k).
		pub const WHITE: [i64; 6] = [0, power(2), power(4), power(6), power(8), power(10)];

		const fn power(exponent: u32) -> i64 {
			50i64.pow(exponent)
		}

		/// Gain in score by a black stone in an empty cell of a line, by the line's state.
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

		/// Subtracted from the gain of an occupied cell, so that it is below that of every empty one.
		const OCCUPIED: i64 = 1 << 62;

		/// Gain in score by a black stone on each cell. A position keeps it up to date line by line.
		#[derive(Clone, Debug, PartialEq, Eq)]
		pub struct Gains([i64; CELLS]);

		impl Default for Gains {
			fn default() -> Self {
				Self::new()
			}
		}

		impl Gains {
			/// Those of the empty board.
			pub fn new() -> Self {
				let mut gains = [0; CELLS];
				for &cell in LINE_CELLS.as_flattened() {
					gains[cell as usize] += GAIN[0];
				}
				Gains(gains)
			}

			/// A stone comes to a cell.
			#[inline]
			pub fn occupy(&mut self, cell: Cell) {
				self.0[cell as usize] -= OCCUPIED;
			}

			/// A stone goes from a cell.
			#[inline]
			pub fn vacate(&mut self, cell: Cell) {
				self.0[cell as usize] += OCCUPIED;
			}

			/// A line comes from one state to another.
			#[inline]
			pub fn update(&mut self, line: u16, old: u8, new: u8) {
				let change = GAIN[new as usize] - GAIN[old as usize];
				if change != 0 {
					for &cell in &LINE_CELLS[line as usize] {
						self.0[cell as usize] += change;
					}
				}
			}

			/// Whether a cell has no stone.
			#[inline]
			pub fn is_empty(&self, cell: usize) -> bool {
				self.0[cell] >= 0
			}

			/// The gain of each cell; negative for occupied ones.
			pub fn by_cell(&self) -> &[i64; CELLS] {
				&self.0
			}
		}
	}
	pub mod lookahead {
		//! A search with a model of the opponent: after each own move it searches every reply that the noise allows, and
		//! assumes the worst of them. At its leaves greedy play against the opponent without noise continues to the end.

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
			/// Own moves searched in each position, the best ones by the evaluation.
			pub width: usize,
			/// Own moves looked ahead before greedy play takes over.
			pub depth: u32,
			/// Own moves of that greedy play, at most.
			pub playout: u32,
		}

		/// The largest width.
		pub const WIDEST: usize = 64;

		/// Number of moves that share the remaining time; each gets one part.
		const PLANNED: u32 = 16;

		/// A game won, less the own moves it took. An undecided one is worth 0.
		pub const WON: i32 = 1000;
		/// A game lost, plus the own moves it took.
		pub const LOST: i32 = -WON;

		/// The player that looks ahead.
		#[derive(Clone, Debug)]
		pub struct Lookahead {
			weights: Weights,
			settings: Settings,
		}

		impl Lookahead {
			/// A player with these weights, which moves are ordered by, and settings.
			pub fn new(weights: Weights, settings: Settings) -> Self {
				Lookahead { weights, settings }
			}

			/// The moves that the search considers where nothing is forced, the best one by the evaluation first, each with its
			/// value at full depth.
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
				// Deeper step by step: each step starts with the best move so far, and a clock that runs short costs only the
				// deepest step.
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

			/// The value of a move, White's `ply`-th from the root, if Black answers it in the worst of the possible ways.
			/// Exact if it is between `low` and `high`, else a bound.
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

			/// The value of a position with White to make its `ply`-th move from the root. Exact if it is between `low` and
			/// `high`, else a bound.
			fn best(&mut self, position: &mut Position, ply: i32, depth: u32, low: i32, high: i32) -> i32 {
				// Not even a win at once would be soon enough.
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

			/// The value of the position if White continues greedily and Black without noise. Exact if it is above `low`, else
			/// a bound.
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

		/// The value of a position that is decided, with White to make its `ply`-th move from the root.
		fn forced(position: &mut Position, ply: i32) -> Option<i32> {
			if let Some(win) = win_by_fours(position) {
				return Some(WON - (ply + win.moves as i32 - 1));
			}
			match position.fives(Side::Black) {
				(_, Some(_)) => Some(LOST + ply),
				_ => None,
			}
		}

		/// The best moves of a position by the evaluation, the best one first.
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
					// Insertion from the end; of equal values the first cell stays in front.
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
		//! The strategy to beat: it makes the move after which its score of the position is largest.
		//!
		//! The score is that of [`gains`](super::gains), plus noise for every move.

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
			/// All empty cells whose gain is within the noise of the largest.
			pub fn new(position: &Position) -> Self {
				let least = largest(position) - (NOISE - 1);
				let mut replies = Replies { cells: [0; CELLS], count: 0 };
				for (cell, &gain) in position.gains().iter().enumerate() {
					// Gains are never negative, except of occupied cells.
					if gain >= least.max(0) {
						replies.cells[replies.count] = cell as Cell;
						replies.count += 1;
					}
				}
				replies
			}

			/// The cells, empty if the board is full.
			pub fn cells(&self) -> &[Cell] {
				&self.cells[..self.count]
			}
		}

		/// The move with the largest gain, the first of equals: the opponent without noise. `None` if the board is full.
		pub fn reply(position: &Position) -> Option<Cell> {
			let largest = largest(position);
			if largest < 0 {
				return None;
			}
			position.gains().iter().position(|&gain| gain == largest).map(|cell| cell as Cell)
		}

		/// The move with the largest sum of gain and `noise(cell)`, the first of equals; `None` if the board is full. Noise
		/// is only asked for where it may matter.
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
		//! The player, and a player that uses only the evaluation.

		use super::board::{Cell, Side};
		use super::evaluation;
		use super::position::Position;
		use super::weights::Weights;
		use crate::clock::Clock;
		use std::fmt::Debug;

		/// White's player.
		pub trait Player: Debug + Send {
			/// White's move, `None` if the board is full. The same position gives the same move, unless `clock`, which is for
			/// the whole game, runs short.
			fn choose(&mut self, position: &Position, clock: &Clock) -> Option<Cell>;
		}

		/// The player that takes the best move by the evaluation alone.
		#[derive(Clone, Debug)]
		pub struct Greedy(Weights);

		impl Greedy {
			/// A player with these weights.
			pub fn new(weights: Weights) -> Self {
				Greedy(weights)
			}
		}

		impl Player for Greedy {
			fn choose(&mut self, position: &Position, _: &Clock) -> Option<Cell> {
				greedy(position, &self.0)
			}
		}

		/// The cell that White has to take: to win, or else to keep Black from winning.
		pub fn must(position: &Position) -> Option<Cell> {
			position.fives(Side::White).0.or_else(|| position.fives(Side::Black).0)
		}

		/// The best move by the evaluation alone, the first of equals; `None` if the board is full.
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
		//! A position: the stones, and for every line of five how many of each side it holds.

		use super::board::{alone, state, Cell, Side, CELLS, LINES, LINE_CELLS, NEIGHBOURHOOD, NO_LINE, STATES, THROUGH};
		use super::gains::Gains;

		/// The state of a line that neither side can fill.
		const BLOCKED: u8 = state(1, 1);
		/// The lines, rounded up to words of eight states.
		const PADDED: usize = LINES.next_multiple_of(8);
		// One at least has to stand for what is no line.
		const _: () = assert!(PADDED > LINES);

		/// A set of cells.
		pub type Cells = [u64; 6];

		/// A position, kept up to date stone by stone, with everything that the opponent and the evaluation ask for.
		#[derive(Clone, Debug, PartialEq, Eq)]
		pub struct Position {
			stones: [Cells; 2],
			count: u16,
			/// The state of each line; more for the lines that would leave the board.
			states: [u8; PADDED],
			/// How many lines are in each state.
			tally: [u16; STATES],
			/// The gains that the opponent maximizes.
			gains: Gains,
			/// How many stones are near.
			near: [u8; CELLS],
		}

		impl Default for Position {
			fn default() -> Self {
				Self::new()
			}
		}

		impl Position {
			/// The empty board.
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

			/// Takes a stone back.
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

			/// Whether a cell is empty.
			pub fn is_empty(&self, cell: Cell) -> bool {
				self.stone(cell).is_none()
			}

			/// Whose stone is on a cell.
			pub fn stone(&self, cell: Cell) -> Option<Side> {
				let has = |side: Side| self.stones[side as usize][cell as usize / 64] >> (cell % 64) & 1 == 1;
				match (has(Side::Black), has(Side::White)) {
					(true, _) => Some(Side::Black),
					(_, true) => Some(Side::White),
					_ => None,
				}
			}

			/// The stones of both sides, which identify a position.
			pub fn stones(&self) -> &[Cells; 2] {
				&self.stones
			}

			/// How many stones are on the board.
			pub fn count(&self) -> u16 {
				self.count
			}

			/// Whether nothing is empty any more.
			pub fn is_full(&self) -> bool {
				self.count as usize == CELLS
			}

			/// Whether a side has five in a line.
			pub fn has_five(&self, side: Side) -> bool {
				self.tally(alone(side, 5)) > 0
			}

			/// How many lines are in a state.
			#[inline]
			pub fn tally(&self, state: u8) -> u16 {
				self.tally[state as usize]
			}

			/// The lines in a state that is not [`state`]`(1, 1)`.
			pub fn lines(&self, state: u8) -> impl Iterator<Item = usize> + '_ {
				const ONES: u64 = u64::MAX / 0xff;
				let words = self.states.as_chunks::<8>().0.iter().enumerate();
				words.flat_map(move |(word, states)| {
					// States are below 128, so that a byte without its highest bit set after the addition was zero.
					let differs = (u64::from_le_bytes(*states) ^ (ONES * u64::from(state))) + ONES * 0x7f;
					let mut equal = !differs & (ONES * 0x80);
					std::iter::from_fn(move || {
						let bit = (equal != 0).then(|| equal.trailing_zeros())?;
						equal &= equal - 1;
						Some(word * 8 + bit as usize / 8)
					})
				})
			}

			/// The state of a line, or of a line that leaves the board.
			#[inline]
			pub fn line(&self, line: u16) -> u8 {
				self.states[line as usize]
			}

			/// The empty cells of a line.
			pub fn gaps(&self, line: usize) -> impl Iterator<Item = Cell> + '_ {
				LINE_CELLS[line].iter().copied().filter(|&cell| self.is_empty(cell))
			}

			/// Gain in the opponent's score by a black stone on each cell; negative for occupied cells.
			pub fn gains(&self) -> &[i64; CELLS] {
				self.gains.by_cell()
			}

			/// The empty cells near a stone, in order.
			pub fn near(&self) -> impl Iterator<Item = Cell> + '_ {
				(0..CELLS).filter(|&cell| self.near[cell] > 0 && self.gains.is_empty(cell)).map(|cell| cell as Cell)
			}

			/// The first empty cell.
			pub fn first_empty(&self) -> Option<Cell> {
				(0..CELLS).find(|&cell| self.gains.is_empty(cell)).map(|cell| cell as Cell)
			}

			/// The cells where a side completes five, at most two of them.
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

		/// How a move is found.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub enum Search {
			/// The best move by the evaluation alone.
			Greedy,
			/// A search through the replies of the opponent.
			Lookahead(Settings),
		}

		impl Search {
			/// A player with these weights that looks ahead by this search.
			pub fn player(self, weights: Weights) -> Box<dyn Player> {
				match self {
					Search::Greedy => Box::new(Greedy::new(weights)),
					Search::Lookahead(settings) => Box::new(Lookahead::new(weights, settings)),
				}
			}
		}
	}
	pub mod threats {
		//! Wins by fours: every white move threatens five, so that the reply is forced, until two fives threaten at once.
		//! Such a win holds against every opponent.

		use super::board::{alone, Cell, Side};
		use super::position::Position;

		/// The most fours in a row that are tried.
		const DEPTH: u32 = 10;
		/// Maximum number of positions searched.
		const POSITIONS: u32 = 500;

		/// A forced win.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct Win {
			/// The first move.
			pub cell: Cell,
			/// White moves until five.
			pub moves: u32,
		}

		/// A win by fours for White, who is to move; `None` if there is none, or none was found within the limits.
		pub fn win_by_fours(position: &mut Position) -> Option<Win> {
			let mut limits = Limits { positions: POSITIONS, cut: false };
			// Deeper step by step: the first win found is the soonest.
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
			/// Positions that may still be searched.
			positions: u32,
			/// Whether there were fours that the depth left untried.
			cut: bool,
		}

		/// A win within `moves` moves.
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
			// If Black threatens five, the only four that helps is made on that cell.
			let (must, other) = position.fives(Side::Black);
			if other.is_some() {
				return None;
			}
			let mut tried = [0; 6];
			// Lines change under way, and come back: only their states at this position count. More than 32 are never seen.
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

		/// White moves until five after a four that was just made, if it wins.
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

	/// Where time comes from. A program has the machine's; tests have one of their own, so that a clock can run out at any
	/// point of a search.
	pub trait Time: Debug {
		/// The time since some moment in the past, always the same one.
		fn passed(&self) -> Duration;
	}

	impl Time for Instant {
		fn passed(&self) -> Duration {
			self.elapsed()
		}
	}

	/// How much of a game's time is left. Without a limit a player's choices depend on its settings alone; with one,
	/// they stay the same until the clock runs short, and then the player searches less.
	#[derive(Clone, Copy, Debug)]
	pub struct Clock<'a>(Option<Limited<'a>>);

	#[derive(Clone, Copy, Debug)]
	struct Limited<'a> {
		time: &'a dyn Time,
		limit: Duration,
		/// When the time is up.
		end: Duration,
	}

	impl<'a> Clock<'a> {
		/// A clock that never runs out.
		pub const UNLIMITED: Self = Clock(None);

		/// A clock that starts now and runs out after `limit`.
		pub fn start(time: &'a dyn Time, limit: Duration) -> Self {
			Clock(Some(Limited { time, limit, end: time.passed() + limit }))
		}

		/// A clock with the same limit that starts now: for the next game.
		pub fn again(&self) -> Self {
			self.0.map_or(Clock::UNLIMITED, |Limited { time, limit, .. }| Clock::start(time, limit))
		}

		/// The time left, zero once it ran out; `None` without a limit.
		pub fn left(&self) -> Option<Duration> {
			self.0.map(|Limited { time, end, .. }| end.saturating_sub(time.passed()))
		}

		/// A clock for one move when `moves` more are to be made: an even share of the remaining time.
		pub fn share(&self, moves: u32) -> Self {
			match (self.0, self.left()) {
				(Some(Limited { time, .. }), Some(left)) => Clock::start(time, left / moves.max(1)),
				_ => *self,
			}
		}

		/// Whether the time is up.
		pub fn is_over(&self) -> bool {
			self.0.is_some_and(|Limited { time, end, .. }| time.passed() >= end)
		}
	}
}

pub mod weights {
	//! Tunable weights. Each game declares its weights once, with [`weights!`](crate::weights!); configuration checks,
	//! listings, CSV headers and exported constants all read that declaration.

	/// One declared weight of an evaluation.
	#[derive(Clone, Copy, Debug, PartialEq)]
	pub struct Weight {
		/// Name in configurations, CSV headers and exported sources: letters, digits and `_`.
		pub name: &'static str,
		/// Its meaning, for people.
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

	/// Declares a struct of weights (every field an `f64`), and beside it the constant `DECLARED` that lists them in the
	/// same order, with `from_values` and `values` between the two.
	///
	/// Each line reads `name: "meaning", min..=max, scale, default;`.
	///
	/// After the struct may stand variations of all its weights, to be declared as weights of their own: constants of the
	/// same length as `DECLARED`, each with its suffix for names and its prefix for meanings.
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
	//! A judge's messages, read as words: the protocols ignore the kind and amount of white space between them.

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

		/// The next word, `None` at the end of the input. Text that is not UTF-8 is escaped, fit to be shown.
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
