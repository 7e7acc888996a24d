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

#[cfg(test)]
mod tests;
