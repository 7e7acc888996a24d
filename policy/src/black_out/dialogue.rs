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

#[cfg(test)]
mod tests;
