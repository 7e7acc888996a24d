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

#[cfg(test)]
mod tests;
