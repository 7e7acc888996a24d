//! A player of king and rook against king, exported by evolve 0.1.0.
//!
//! Player `search` (depth 4), run `king-rook` (version 1): +1.152 against the baseline on 2,000 trials (95 %: +0.998 to +1.315).
//! Build it with `rustc -O --edition 2021`. Licence: MIT OR Apache-2.0.

// Each module below is complete, although this player uses only a part of it.
#![allow(dead_code, unused_imports)]

use clock::Clock;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use king_rook::player::Player;
use king_rook::weights::Weights;

/// The weights.
const WEIGHTS: Weights = Weights {
	strip_width: -1.3316,
	strip_one: 0.2885,
	on_rook_line: -1.4411,
	room_length: -0.3282,
	room_area: -0.00615,
	edge: 0.1049,
	gap: 0.5627,
	no_gap: -0.4195,
	end: -0.9628,
	at_end: -0.4508,
	kings_apart: -0.4782,
	kings_along: -0.7055,
	kings_across: -0.31,
	wide_apart: -0.06685,
	facing: -2.3708,
	knight: 0.1718,
	diagonal: -0.6167,
	inside: 0.4078,
	depth_inside: -0.5663,
	beside: -0.2267,
	blocked: -1.1552,
	beyond: -0.0796,
	king_ahead: 0.5937,
	rook_ahead: -0.8938,
	rook_opposite: -0.3993,
	rook_away: 0.3988,
	rook_guarded: 0.1683,
	rook_attacked: 0.3109,
	rook_near: -0.4321,
	replies: -0.2613,
	only_reply: 0.4479,
	haste: 0.02401,
	..Weights::DEFAULT
};

/// Moves of White looked ahead.
const DEPTH: u32 = 4;

/// No time limit.
const TIME: Option<Duration> = None;

fn main() -> ExitCode {
	let start = Instant::now();
	let clock = TIME.map_or(Clock::UNLIMITED, |limit| Clock::start(&start, limit));
	let player = &mut Player::new(WEIGHTS, DEPTH);
	match king_rook::dialogue::play(std::io::stdin().lock(), std::io::stdout().lock(), &clock, player) {
		Ok(()) => ExitCode::SUCCESS,
		Err(message) => {
			eprintln!("error: {message}");
			ExitCode::FAILURE
		}
	}
}

pub mod king_rook {
	//! King and rook against king: mate a bare king on a board of 10 files and 9 ranks.
	//!
	//! [`board`] and [`position`] hold the rules for boards of any size; [`symmetry`] brings mirrored
	//! positions into one form; [`weights`] and [`evaluation`] judge a position; [`player`] looks
	//! ahead; [`dialogue`] talks to the judge.

	pub mod board {
		//! Boards of up to 128 cells: cells and their names, the neighbours of a cell, and the lines of a
		//! rook.

		/// A cell: rank times the number of files, plus file; both count from 0.
		pub type Cell = u8;

		/// A set of cells, one bit each.
		pub type Cells = u128;

		/// A board with `FILES` files and `RANKS` ranks. It has no state, only tables.
		#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
		pub struct Board<const FILES: usize, const RANKS: usize>;

		impl<const FILES: usize, const RANKS: usize> Board<FILES, RANKS> {
			/// The number of cells.
			pub const CELLS: usize = {
				assert!(FILES >= 3 && RANKS >= 3 && FILES <= 16 && RANKS <= 16 && FILES * RANKS <= 128);
				FILES * RANKS
			};

			/// File and rank of each cell.
			pub const PLACES: [(i8, i8); 128] = {
				let mut table = [(0, 0); 128];
				let mut cell = 0;
				while cell < Self::CELLS {
					table[cell] = ((cell % FILES) as i8, (cell / FILES) as i8);
					cell += 1;
				}
				table
			};

			/// The cells a king's step away from each cell.
			pub const NEIGHBOURS: [Cells; 128] = {
				let mut table = [0; 128];
				let mut cell = 0;
				while cell < Self::CELLS {
					let mut other = 0;
					while other < Self::CELLS {
						let files = (cell % FILES).abs_diff(other % FILES);
						let ranks = (cell / FILES).abs_diff(other / FILES);
						if files <= 1 && ranks <= 1 && files + ranks > 0 {
							table[cell] |= 1 << other;
						}
						other += 1;
					}
					cell += 1;
				}
				table
			};

			/// The cells of each file.
			pub const FILE: [Cells; 16] = {
				let mut table = [0; 16];
				let mut cell = 0;
				while cell < Self::CELLS {
					table[cell % FILES] |= 1 << cell;
					cell += 1;
				}
				table
			};

			/// The cells of each rank.
			pub const RANK: [Cells; 16] = {
				let mut table = [0; 16];
				let mut cell = 0;
				while cell < Self::CELLS {
					table[cell / FILES] |= 1 << cell;
					cell += 1;
				}
				table
			};

			/// File and rank of a cell, counted from 0.
			#[inline]
			pub fn place(cell: Cell) -> (i8, i8) {
				Self::PLACES[usize::from(cell & 127)]
			}

			/// The cells a king's step away.
			#[inline]
			pub fn neighbours(cell: Cell) -> Cells {
				Self::NEIGHBOURS[usize::from(cell & 127)]
			}

			/// Returns the cells that a rook attacks on a board with `blockers`, including the first
			/// blocker on each line but not the rook's own cell.
			#[inline]
			pub fn rook_attacks(rook: Cell, blockers: Cells) -> Cells {
				let (file, rank) = Self::place(rook);
				let below = (1 << rook) - 1;
				let above = !below << 1;
				let mut attacks = 0;
				// Cell numbers increase along both lines, so the first blocker is the lowest bit above or
				// the highest bit below.
				for line in [Self::FILE[file as usize], Self::RANK[rank as usize]] {
					let (up, down) = (line & above, line & below);
					let first_up = up & blockers;
					attacks |= if first_up == 0 { up } else { up & (first_up ^ (first_up - 1)) };
					let first_down = down & blockers;
					attacks |= if first_down == 0 { down } else { down & !0 << (127 - first_down.leading_zeros()) };
				}
				attacks
			}

			/// Returns the name of a cell, such as `j9`.
			pub fn name(cell: Cell) -> String {
				let (file, rank) = Self::place(cell);
				format!("{}{}", char::from(b'a' + file as u8), rank + 1)
			}

			/// Returns the cell with a name; `None` if the board has none.
			pub fn cell(name: &str) -> Option<Cell> {
				let file = name.bytes().next()?.checked_sub(b'a')?;
				let number = name.get(1..).filter(|number| number.starts_with(|first: char| first.is_ascii_digit()))?;
				let rank = number.parse::<u8>().ok()?.checked_sub(1)?;
				let is_canonical = !number.starts_with('0');
				(usize::from(file) < FILES && usize::from(rank) < RANKS && is_canonical).then(|| rank * FILES as u8 + file)
			}
		}

		/// Returns the cells of a set in ascending order.
		pub fn cells(mut set: Cells) -> impl Iterator<Item = Cell> {
			std::iter::from_fn(move || {
				(set != 0).then(|| {
					let cell = set.trailing_zeros() as Cell;
					set &= set - 1;
					cell
				})
			})
		}

	}
	pub mod dialogue {
		//! The contest's dialogue: the program reads the position, then prints a move and reads Black's in
		//! turn, until the judge sends `!`.
		//!
		//! A position is three words such as `Ge4 Ka5 Ri8`: black king, white king and rook, each with its
		//! cell; a move is one such word. Words may be separated by any white space.

		use super::board::{Board, Cell};
		use super::player::Player;
		use super::position::{Contest, Move};
		use crate::clock::Clock;
		use crate::words::Words;
		use std::io::{self, BufRead, Write};

		/// The judge's word for the end of the game.
		const END: &str = "!";

		const BLACK: char = 'G';
		const KING: char = 'K';
		const ROOK: char = 'R';

		/// Plays one game, until the judge ends it or closes its side before a move. A move takes
		/// milliseconds, so the clock is not used.
		///
		/// # Errors
		/// A message about a fault in the input, or about a failure to read or write.
		pub fn play(input: impl BufRead, mut output: impl Write, _: &Clock, player: &mut Player<10, 9>) -> Result<(), String> {
			let mut words = Words::new(input);
			let Some(mut position) = read_position(&mut words)? else { return Ok(()) };
			loop {
				let step = player.choose(&position).ok_or("White has no move")?;
				match writeln!(output, "{}", written(step)).and_then(|()| output.flush()) {
					Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
					Err(error) => return Err(format!("cannot print a move: {error}")),
					Ok(()) => position = position.after(step),
				}
				let place = || format!("after the move {}", written(step));
				let word = match words.next()? {
					Some(word) if word != END => word,
					_ => return Ok(()),
				};
				let black = match read_piece(&word) {
					Some((BLACK, cell)) => cell,
					_ => return Err(format!("{}: `{word}` is no move of the black king", place())),
				};
				if position.black_moves() >> black & 1 == 0 {
					return Err(format!("{}: the black king cannot go to `{word}`", place()));
				}
				if black == position.rook {
					// The game is decided.
					return Ok(());
				}
				position = Contest { black, ..position };
			}
		}

		/// Returns a move of White as printed, such as `Ri4`.
		pub fn written(step: Move) -> String {
			let (piece, cell) = match step {
				Move::King(cell) => (KING, cell),
				Move::Rook(cell) => (ROOK, cell),
			};
			format!("{piece}{}", Board::<10, 9>::name(cell))
		}

		/// Parses a printed move of White; `None` if the text is not a move.
		pub fn read_move(word: &str) -> Option<Move> {
			match read_piece(word)? {
				(KING, cell) => Some(Move::King(cell)),
				(ROOK, cell) => Some(Move::Rook(cell)),
				_ => None,
			}
		}

		/// Returns a move of Black as sent, such as `Gf5`.
		pub fn reply(black: Cell) -> String {
			format!("{BLACK}{}", Board::<10, 9>::name(black))
		}

		/// Returns a position as sent, such as `Ge4 Ka5 Ri8`.
		pub fn start(position: &Contest) -> String {
			let [king, rook] = [Move::King(position.king), Move::Rook(position.rook)].map(written);
			format!("{} {king} {rook}", reply(position.black))
		}

		fn read_piece(word: &str) -> Option<(char, Cell)> {
			let piece = word.chars().next().filter(|piece| [BLACK, KING, ROOK].contains(piece))?;
			Some((piece, Board::<10, 9>::cell(&word[1..])?))
		}

		/// Reads the starting position; `None` if the judge ends the game first.
		fn read_position(words: &mut Words<impl BufRead>) -> Result<Option<Contest>, String> {
			let mut cells = [None; 3];
			let pieces = [(BLACK, "black king"), (KING, "white king"), (ROOK, "rook")];
			for number in 1..=3 {
				let Some(word) = words.next()? else {
					return Err(format!("the start position ends before piece {number} of 3"));
				};
				if word == END {
					return Ok(None);
				}
				let (piece, cell) = read_piece(&word)
					.ok_or_else(|| format!("piece {number} of the start position: `{word}` is no piece on a cell"))?;
				let place = pieces.iter().position(|&(letter, _)| letter == piece).unwrap_or(0);
				if cells[place].replace(cell).is_some() {
					return Err(format!("piece {number} of the start position: `{word}` is a second {}", pieces[place].1));
				}
			}
			let [Some(black), Some(king), Some(rook)] = cells else { return Err("a piece is missing".to_string()) };
			let position = Contest::new(king, rook, black).map_err(|reason| format!("impossible start position: {reason}"))?;
			Ok(Some(position))
		}

	}
	pub mod evaluation {
		//! The evaluation of a position with Black to move.
		//!
		//! White mates by driving the black king to an edge, with the rook's line as a fence and the white
		//! king to push. Each axis of the board offers such a plan, and the better one counts.

		use super::board::{Board, Cells};
		use super::position::Position;
		use super::weights::Weights;

		/// The coordinates of the three pieces on one axis.
		#[derive(Clone, Copy)]
		struct Axis {
			lines: i8,
			king: i8,
			rook: i8,
			black: i8,
		}

		impl Axis {
			/// Returns the number of lines that the rook's line leaves to the black king; all of them if
			/// the king is on that line.
			#[inline]
			fn width(&self) -> i8 {
				match self.black - self.rook {
					0 => self.lines,
					..0 => self.rook,
					_ => self.lines - 1 - self.rook,
				}
			}

			/// Returns the number of lines from the black king to the nearer end.
			#[inline]
			fn end(&self) -> i8 {
				self.black.min(self.lines - 1 - self.black)
			}

			/// Returns the number of lines from the black king to the end on its side of the rook's line.
			#[inline]
			fn edge(&self) -> i8 {
				match self.black - self.rook {
					0 => self.end(),
					..0 => self.black,
					_ => self.lines - 1 - self.black,
				}
			}

			/// Returns the number of lines by which the white king is past the rook's line, seen from the
			/// black king; negative on the same side.
			#[inline]
			fn beyond(&self) -> i8 {
				match self.black - self.rook {
					0 => -(self.king - self.rook).abs(),
					..0 => self.king - self.rook,
					_ => self.rook - self.king,
				}
			}

			/// Returns the direction of the far end from the black king; 0 from a middle line.
			#[inline]
			fn far(&self) -> i8 {
				(self.lines - 1 - 2 * self.black).signum()
			}
		}

		fn flag(is_so: bool) -> f64 {
			f64::from(u8::from(is_so))
		}

		impl Weights {
			/// Returns the value of a position with Black to move, where Black has these `replies` and none
			/// takes the rook.
			#[inline]
			pub fn value<const FILES: usize, const RANKS: usize>(&self, at: &Position<FILES, RANKS>, replies: Cells) -> f64 {
				let [king, rook, black] = [at.king, at.rook, at.black].map(Board::<FILES, RANKS>::place);
				let files = Axis { lines: FILES as i8, king: king.0, rook: rook.0, black: black.0 };
				let ranks = Axis { lines: RANKS as i8, king: king.1, rook: rook.1, black: black.1 };
				let replies = replies.count_ones();
				self.strip(&files, &ranks, replies).max(self.strip(&ranks, &files, replies))
			}

			/// Returns the value of a position for the plan to press the black king against an edge of one
			/// axis.
			#[inline]
			fn strip(&self, across: &Axis, along: &Axis, replies: u32) -> f64 {
				let lines = |axis: &Axis| ((axis.king - axis.black).abs(), (axis.rook - axis.black).abs());
				let ((kings_across, rook_across), (kings_along, rook_along)) = (lines(across), lines(along));
				let (width, length, edge, beyond) = (across.width(), along.width(), across.edge(), across.beyond());
				let apart = kings_across.max(kings_along);
				let guarded = (across.king - across.rook).abs().max((along.king - along.rook).abs()) == 1;
				let gap = width - 1 - edge;
				let facing = |steps: i8| kings_across == 2 && kings_along == steps;
				let on_rook_line = rook_across == 0;
				let (king_side, rook_side) = (along.king - along.black, along.rook - along.black);
				let is_between = (along.king - along.rook) * -rook_side > 0 && (along.king - along.rook).abs() < rook_along;
				let v = |number: i8| f64::from(number);

				self.strip_width * v(width)
					+ self.strip_one * flag(width == 1)
					+ self.on_rook_line * flag(on_rook_line)
					+ self.room_length * v(length)
					+ self.room_area * f64::from(i16::from(width) * i16::from(length))
					+ self.edge * v(edge)
					+ self.gap * v(gap)
					+ self.no_gap * flag(gap == 0)
					+ self.end * v(along.end())
					+ self.at_end * flag(along.end() == 0)
					+ self.kings_apart * v(apart)
					+ self.kings_along * v(kings_along)
					+ self.kings_across * v(kings_across)
					+ self.wide_apart * f64::from(i16::from(apart) * i16::from(width))
					+ self.facing * flag(facing(0))
					+ self.facing_check * flag(facing(0) && on_rook_line)
					+ self.knight * flag(facing(1))
					+ self.diagonal * flag(facing(2))
					+ self.inside * flag(beyond < 0)
					+ self.depth_inside * v((-beyond).max(0))
					+ self.beside * flag(beyond == 0)
					+ self.blocked * flag(beyond == 0 && is_between)
					+ self.beyond * v((beyond - 1).max(0))
					+ self.king_ahead * v((king_side * along.far()).clamp(-2, 2))
					+ self.rook_ahead * flag(rook_side * along.far() > 0)
					+ self.rook_opposite * flag(rook_side * king_side < 0)
					+ self.rook_away * v(rook_along.min(4))
					+ self.rook_guarded * flag(guarded)
					+ self.rook_attacked * flag(rook_across.max(rook_along) == 1)
					+ self.rook_near * flag(rook_across.max(rook_along) == 2 && !guarded)
					+ self.replies * f64::from(replies)
					+ self.only_reply * flag(replies == 1)
			}
		}
	}
	pub mod player {
		//! The player: a full-width search a few moves deep, over the evaluation.
		//!
		//! The move is the one of the largest minimax value; of equal ones the one that is better on the
		//! spot, then the first in the order of [`moves`]. Nothing else counts, neither the time nor the
		//! game so far: a player that mates from every position does so in every game.

		use super::board::{cells, Board, Cells};
		use super::position::{Move, Position, State};
		use super::symmetry::Mirror;
		use super::weights::Weights;

		/// The value of a mate on the board; each move of White until then takes 1 off.
		pub const MATE: i32 = 1_000_000_000;

		/// The value of a draw.
		pub const DRAW: i32 = -MATE;

		/// Values of the evaluation stay within this.
		const LIMIT: f64 = 50_000_000.0;

		/// The unit of the evaluation in values of the search.
		const UNIT: f64 = 1000.0;

		/// Returns the value of a position with Black to move and these replies, none of which takes the
		/// rook.
		#[inline]
		pub fn leaf<const FILES: usize, const RANKS: usize>(
			weights: &Weights,
			position: &Position<FILES, RANKS>,
			replies: Cells,
		) -> i32 {
			(weights.value(position, replies) * UNIT).clamp(-LIMIT, LIMIT) as i32
		}

		/// Returns a value one move of White earlier: a nearer mate is worth more.
		#[inline]
		pub fn later(value: i32) -> i32 {
			if value > MATE / 2 {
				value - 1
			} else {
				value
			}
		}

		/// Returns the value of a position with Black to move, from the value of the best line and the
		/// position's own evaluation. A present advantage counts more than one within reach; otherwise
		/// White could postpone it forever.
		#[inline]
		pub fn on_the_way(weights: &Weights, line: i32, on_the_spot: i32) -> i32 {
			if line.abs() > MATE / 2 {
				line
			} else {
				line + (weights.haste * f64::from(on_the_spot)) as i32
			}
		}

		/// Returns the legal moves of White in a fixed order: the rook's, then the king's, each by cell.
		pub fn moves<const FILES: usize, const RANKS: usize>(position: &Position<FILES, RANKS>) -> impl Iterator<Item = Move> {
			cells(position.rook_moves()).map(Move::Rook).chain(cells(position.king_moves()).map(Move::King))
		}

		/// A player for successive games. It remembers its results, because the same positions recur: a
		/// search costs only as much as its distinct positions.
		#[derive(Clone, Debug)]
		pub struct Player<const FILES: usize, const RANKS: usize> {
			weights: Weights,
			depth: usize,
			/// Values with Black to move, by the number of White's moves looked ahead, including the one
			/// just made.
			black: Vec<Values>,
			/// Values with White to move, by the number of White's moves looked ahead.
			white: Vec<Values>,
		}

		/// The values of all positions by number; [`UNKNOWN`] until computed.
		type Values = Vec<i32>;

		const UNKNOWN: i32 = i32::MIN;

		impl<const FILES: usize, const RANKS: usize> Player<FILES, RANKS> {
			/// Returns a player with these weights that looks `depth` moves of White ahead, at least one.
			pub fn new(weights: Weights, depth: u32) -> Self {
				let depth = depth.max(1) as usize;
				let values = || vec![UNKNOWN; Board::<FILES, RANKS>::CELLS.pow(3)];
				Player {
					weights,
					depth,
					black: (0..depth).map(|_| values()).collect(),
					white: (1..depth).map(|_| values()).collect(),
				}
			}

			/// Returns White's move; `None` if there is none. The same position always gives the same move,
			/// and mirrored positions give mirrored moves.
			pub fn choose(&mut self, position: &Position<FILES, RANKS>) -> Option<Move> {
				let mirror = Mirror::to_standard(position);
				let position = mirror.position(position);
				let mut chosen = None;
				for step in moves(&position) {
					let after = position.after(step);
					let value = (self.black(&after, self.depth), self.black(&after, 1));
					if chosen.is_none_or(|(best, _)| value > best) {
						chosen = Some((value, step));
					}
				}
				chosen.map(|(_, step)| mirror.step(step))
			}

			/// Returns the value of a position with White to move and `left` moves to look ahead.
			fn white(&mut self, position: &Position<FILES, RANKS>, left: usize) -> i32 {
				let number = position.number();
				let known = self.white[left - 1][number];
				if known != UNKNOWN {
					return known;
				}
				let mut best = DRAW;
				for step in moves(position) {
					best = best.max(self.black(&position.after(step), left));
				}
				self.white[left - 1][number] = best;
				best
			}

			/// Returns the value of a position with Black to move, after the first of `left` moves of
			/// White.
			fn black(&mut self, position: &Position<FILES, RANKS>, left: usize) -> i32 {
				let number = position.number();
				let known = self.black[left - 1][number];
				if known != UNKNOWN {
					return known;
				}
				let value = match position.state() {
					State::Checkmate => MATE,
					State::Stalemate | State::RookLost => DRAW,
					State::Open(replies) if left == 1 => leaf(&self.weights, position, replies),
					State::Open(replies) => {
						let mut worst = MATE;
						for black in cells(replies) {
							worst = worst.min(later(self.white(&Position { black, ..*position }, left - 1)));
						}
						let on_the_spot = self.black(position, 1);
						on_the_way(&self.weights, worst, on_the_spot)
					}
				};
				self.black[left - 1][number] = value;
				value
			}
		}
	}
	pub mod position {
		//! The rules: the moves of the three pieces and the end of the game.

		use super::board::{Board, Cell, Cells};

		/// The cells of white king, white rook and black king. The caller keeps track of whose move it is.
		#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
		pub struct Position<const FILES: usize, const RANKS: usize> {
			/// The white king.
			pub king: Cell,
			/// The white rook.
			pub rook: Cell,
			/// The black king.
			pub black: Cell,
		}

		/// A position of the contest's game.
		pub type Contest = Position<10, 9>;

		/// A move of White.
		#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
		pub enum Move {
			/// The king moves to this cell.
			King(Cell),
			/// The rook moves to this cell.
			Rook(Cell),
		}

		/// The state of Black, to move.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub enum State {
			/// The black king can move to these cells; it cannot take the rook.
			Open(Cells),
			/// The black king can take the rook: White can no longer win.
			RookLost,
			/// Black has no move and is not in check: a draw.
			Stalemate,
			/// White has won.
			Checkmate,
		}

		impl<const FILES: usize, const RANKS: usize> Position<FILES, RANKS> {
			/// Returns the position with the pieces on these cells. The error is the reason for which the
			/// position is illegal, whichever side is to move.
			pub fn new(king: Cell, rook: Cell, black: Cell) -> Result<Self, &'static str> {
				if king == rook || rook == black || black == king {
					Err("two pieces are on one cell")
				} else if Board::<FILES, RANKS>::neighbours(king) >> black & 1 == 1 {
					Err("the kings are side by side")
				} else {
					Ok(Position { king, rook, black })
				}
			}

			/// Returns the position's index into a table of all positions: below the cube of the number of
			/// cells.
			#[inline]
			pub fn number(&self) -> usize {
				let size = Board::<FILES, RANKS>::CELLS;
				(usize::from(self.king) * size + usize::from(self.rook)) * size + usize::from(self.black)
			}

			/// Returns whether the rook attacks the black king.
			#[inline]
			pub fn is_check(&self) -> bool {
				self.covered() >> self.black & 1 == 1
			}

			/// Returns the cells that the rook attacks through the black king: a king cannot hide behind
			/// itself.
			#[inline]
			pub fn covered(&self) -> Cells {
				Board::<FILES, RANKS>::rook_attacks(self.rook, 1 << self.king)
			}

			/// Returns the cells to which the black king can move; they include the rook's cell if it can
			/// be taken.
			#[inline]
			pub fn black_moves(&self) -> Cells {
				let beside = Board::<FILES, RANKS>::neighbours;
				beside(self.black) & !beside(self.king) & !self.covered()
			}

			/// Returns the cells to which the white king can move.
			#[inline]
			pub fn king_moves(&self) -> Cells {
				let beside = Board::<FILES, RANKS>::neighbours;
				beside(self.king) & !beside(self.black) & !(1 << self.rook)
			}

			/// Returns the cells to which the rook can move.
			#[inline]
			pub fn rook_moves(&self) -> Cells {
				let kings = 1 << self.king | 1 << self.black;
				Board::<FILES, RANKS>::rook_attacks(self.rook, kings) & !kings
			}

			/// Returns the position after a move of White.
			#[inline]
			pub fn after(&self, step: Move) -> Self {
				match step {
					Move::King(king) => Position { king, ..*self },
					Move::Rook(rook) => Position { rook, ..*self },
				}
			}

			/// Returns whether a move of White is legal.
			pub fn allows(&self, step: Move) -> bool {
				match step {
					Move::King(cell) => self.king_moves() >> cell & 1 == 1,
					Move::Rook(cell) => self.rook_moves() >> cell & 1 == 1,
				}
			}

			/// The state of Black, to move.
			#[inline]
			pub fn state(&self) -> State {
				let moves = self.black_moves();
				if moves >> self.rook & 1 == 1 {
					State::RookLost
				} else if moves != 0 {
					State::Open(moves)
				} else if self.is_check() {
					State::Checkmate
				} else {
					State::Stalemate
				}
			}
		}

	}
	pub mod symmetry {
		//! Mirrored positions: they have equal values, and the player makes mirrored moves in them.

		use super::board::{Board, Cell};
		use super::position::{Move, Position};

		/// The reflections to apply; applying them twice restores the position.
		#[derive(Clone, Copy, Debug, PartialEq, Eq)]
		pub struct Mirror<const FILES: usize, const RANKS: usize> {
			/// Swaps the first file with the last one, and so on.
			pub files: bool,
			/// Swaps the first rank with the last one, and so on.
			pub ranks: bool,
		}

		impl<const FILES: usize, const RANKS: usize> Mirror<FILES, RANKS> {
			/// Returns the reflections that bring a position into its standard form: the black king on the
			/// lower files and ranks. On a middle line the white king decides, or else the rook.
			pub fn to_standard(position: &Position<FILES, RANKS>) -> Self {
				let pieces = [position.black, position.king, position.rook].map(Board::<FILES, RANKS>::place);
				let is_upper = |line: i8, lines: usize| 2 * line > lines as i8 - 1;
				let is_middle = |line: i8, lines: usize| 2 * line == lines as i8 - 1;
				Mirror {
					files: pieces.iter().find(|at| !is_middle(at.0, FILES)).is_some_and(|at| is_upper(at.0, FILES)),
					ranks: pieces.iter().find(|at| !is_middle(at.1, RANKS)).is_some_and(|at| is_upper(at.1, RANKS)),
				}
			}

			/// Returns the mirrored cell.
			pub fn cell(self, cell: Cell) -> Cell {
				let (file, rank) = (usize::from(cell) % FILES, usize::from(cell) / FILES);
				let file = if self.files { FILES - 1 - file } else { file };
				let rank = if self.ranks { RANKS - 1 - rank } else { rank };
				(rank * FILES + file) as Cell
			}

			/// Returns the mirrored position.
			pub fn position(self, position: &Position<FILES, RANKS>) -> Position<FILES, RANKS> {
				Position { king: self.cell(position.king), rook: self.cell(position.rook), black: self.cell(position.black) }
			}

			/// Returns the mirrored move.
			pub fn step(self, step: Move) -> Move {
				match step {
					Move::King(cell) => Move::King(self.cell(cell)),
					Move::Rook(cell) => Move::Rook(self.cell(cell)),
				}
			}
		}

		/// Returns the standard form of a position, which all its mirror images share.
		pub fn standard<const FILES: usize, const RANKS: usize>(position: &Position<FILES, RANKS>) -> Position<FILES, RANKS> {
			Mirror::to_standard(position).position(position)
		}
	}
	pub mod weights {
		//! The weights of the evaluation, each declared once. The unit is one white move; larger is better
		//! for White.
		//!
		//! The rook's line leaves the black king a *strip* along an edge of the board; *across* it is the
		//! way from that edge to the rook's line, *along* it the other way. The rook's other line leaves a
		//! second strip, along the other axis.

		crate::weights! {
			/// The factors of the evaluation's features.
			pub struct Weights {
				strip_width: "each line of the strip that the rook leaves the black king", -10.0..=10.0, 0.2, -1.0;
				strip_one: "the strip is one line wide", -10.0..=10.0, 0.3, 1.0;
				on_rook_line: "the black king is on the rook's line: no strip, but check or a shield", -10.0..=10.0, 0.3, -1.0;
				room_length: "each line of the black king's room along the strip", -10.0..=10.0, 0.1, -0.2;
				room_area: "each cell of the black king's room", -2.0..=2.0, 0.02, 0.0;
				edge: "each line between the black king and the edge of its strip", -10.0..=10.0, 0.1, 0.0;
				gap: "each free line between the black king and the rook's line", -10.0..=10.0, 0.1, 0.5;
				no_gap: "the black king is beside the rook's line", -10.0..=10.0, 0.2, 0.0;
				end: "each step of the black king to the nearer end of the strip", -10.0..=10.0, 0.1, -1.0;
				at_end: "the black king is at an end of the strip", -10.0..=10.0, 0.2, -0.5;
				kings_apart: "each king's step between the kings", -10.0..=10.0, 0.1, -0.5;
				kings_along: "each line between the kings along the strip", -10.0..=10.0, 0.1, -0.5;
				kings_across: "each line between the kings across the strip", -10.0..=10.0, 0.1, -0.5;
				wide_apart: "each king's step between the kings, for each line of the strip", -2.0..=2.0, 0.03, 0.0;
				facing: "the kings face each other across the strip with one cell between", -10.0..=10.0, 0.3, -2.0;
				facing_check: "they do, and the black king is on the rook's line", -10.0..=10.0, 0.3, 1.0;
				knight: "the white king is a step along the strip from facing the black one", -10.0..=10.0, 0.3, -1.0;
				diagonal: "the white king is two steps along the strip from facing the black one", -10.0..=10.0, 0.2, -0.5;
				inside: "the white king is inside the strip", -10.0..=10.0, 0.3, 0.0;
				depth_inside: "each line that the white king is inside the strip", -10.0..=10.0, 0.1, -0.5;
				beside: "the white king is on the rook's line", -10.0..=10.0, 0.2, 0.0;
				blocked: "the white king stands on the rook's line between rook and black king", -10.0..=10.0, 0.3, -0.5;
				beyond: "each line of the white king past the one next to the rook's", -10.0..=10.0, 0.1, 0.0;
				king_ahead: "each line, at most 2, of the white king from the black one to the far end", -10.0..=10.0, 0.1, 0.5;
				rook_ahead: "the rook is nearer to the far end of the strip than the black king", -10.0..=10.0, 0.2, -1.0;
				rook_opposite: "along the strip the black king is between king and rook", -10.0..=10.0, 0.2, -0.5;
				rook_away: "each line, at most 4, between rook and black king along the strip", -10.0..=10.0, 0.1, 0.5;
				rook_guarded: "the white king protects the rook", -10.0..=10.0, 0.2, 0.2;
				rook_attacked: "the black king is beside the rook", -10.0..=10.0, 0.2, 0.0;
				rook_near: "the rook is two king's steps from the black king, and not protected", -10.0..=10.0, 0.2, 0.0;
				replies: "each move that Black has", -10.0..=10.0, 0.1, -0.5;
				only_reply: "Black has one move", -10.0..=10.0, 0.3, 0.5;
				haste: "share of its value that a position on the way adds to the value of the last one", 0.0..=1.0, 0.02, 0.05;
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
