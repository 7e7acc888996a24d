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

#[cfg(test)]
mod tests;
