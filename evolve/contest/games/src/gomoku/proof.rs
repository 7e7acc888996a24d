//! The proof that a policy wins, by a search of every game that the opponent's noise allows.

use super::duel::{Ending, ending};
use evolve_contest::proof::{Proof, Refutation, Unprovable};
use policy::clock::Clock;
use policy::gomoku::board::{CENTRE, Cell, Side, coordinates};
use policy::gomoku::opponent::Replies;
use policy::gomoku::player::Player;
use policy::gomoku::position::{Cells, Position};
use std::collections::HashMap;

/// The largest number of positions to search.
const MOST: usize = 2_000_000;

/// Searches every game of this player.
///
/// # Errors
/// If there are too many positions.
pub fn prove(player: Box<dyn Player>) -> Result<Proof, Unprovable> {
    let mut walk = Walk { player, won: HashMap::new(), line: Vec::new(), replies: 0 };
    let mut position = Position::new();
    position.put(CENTRE, Side::Black);
    walk.line.push(CENTRE);
    let refutation = match walk.moves(&mut position) {
        Ok(_) => None,
        Err(Stop::Refuted(reason)) => {
            let line = walk.line.iter().map(|&cell| coordinates(cell)).map(|(x, y)| format!("{x} {y}")).collect();
            Some(Refutation { reason: reason.to_string(), line })
        }
        Err(Stop::TooMany) => {
            return Err(Unprovable(format!(
                "more than {MOST} positions are possible against this policy: too many to search"
            )));
        }
    };
    let longest = walk.won.get(position.stones()).map(|&moves| f64::from(moves));
    let mut counts = vec![("positions", walk.won.len() as f64), ("replies", walk.replies as f64)];
    counts.extend(longest.map(|moves| ("longest game, own moves", moves)));
    Ok(Proof { counts, refutation })
}

enum Stop {
    Refuted(&'static str),
    TooMany,
}

struct Walk {
    player: Box<dyn Player>,
    /// The positions with White to move that are always won, with the largest number of White's
    /// moves until the win. The map is never iterated, so its order does not matter.
    won: HashMap<[Cells; 2], u16>,
    /// The moves from the start of the game.
    line: Vec<Cell>,
    replies: u64,
}

impl Walk {
    /// Returns the largest number of White's moves until the win, from a position with White to
    /// move.
    fn moves(&mut self, position: &mut Position) -> Result<u16, Stop> {
        if let Some(&moves) = self.won.get(position.stones()) {
            return Ok(moves);
        }
        if self.won.len() >= MOST {
            return Err(Stop::TooMany);
        }
        let cell = self.player.choose(position, &Clock::UNLIMITED).expect("the board is not full");
        position.put(cell, Side::White);
        self.line.push(cell);
        let mut moves = 0;
        if !is_won(position)? {
            for &reply in Replies::new(position).cells() {
                self.replies += 1;
                position.put(reply, Side::Black);
                self.line.push(reply);
                is_won(position)?;
                moves = moves.max(self.moves(position)?);
                self.line.pop();
                position.take(reply, Side::Black);
            }
        }
        self.line.pop();
        position.take(cell, Side::White);
        self.won.insert(*position.stones(), moves + 1);
        Ok(moves + 1)
    }
}

/// Returns whether White has won; stops the search if White can no longer win.
fn is_won(position: &Position) -> Result<bool, Stop> {
    match ending(position) {
        None => Ok(false),
        Some(Ending::Won) => Ok(true),
        Some(Ending::Drawn) => Err(Stop::Refuted("the board is full without a winner")),
        Some(Ending::Lost) => Err(Stop::Refuted("the opponent has five in a line")),
    }
}
