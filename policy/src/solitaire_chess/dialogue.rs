//! The contest's protocol: reads the board, then repeatedly prints a tile and reads the piece below
//! it.
//!
//! Stopping early never pays, because no removal costs points. The player stops, with `0 0`, only
//! when no removal is possible. Words may be separated by any white space.

use super::board::{row_column, Piece, Tile, SIDE};
use super::groups::{alphabet, group_of};
use super::player::Player;
use super::position::{Position, TIERS};
use crate::clock::Clock;
use crate::words::Words;
use std::io::{self, BufRead, Write};

/// The judge's word for a tile that has become empty.
const EMPTIED: &str = "blank";

/// Plays one game. `player` creates the player for a group, 1 to 6.
///
/// The game is over when no removal is possible, or when the judge closes the input instead of
/// answering.
///
/// # Errors
/// A message about a fault in the input, or a failure to read or write.
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

/// Returns the index of a tile in the board as read.
fn index(tile: Tile) -> usize {
    let (row, column) = row_column(tile);
    row * SIDE + column
}

#[cfg(test)]
mod tests;
