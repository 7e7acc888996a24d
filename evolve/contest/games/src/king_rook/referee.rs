//! The judge of king and rook.

use super::duel::{Duel, End};
use evolve_contest::judge::{Referee, Reply};
use evolve_search::model::trial::Outcome;
use policy::king_rook::dialogue::{read_move, reply, start};

/// A game with one program.
pub struct Match {
    duel: Duel,
}

impl Match {
    /// Starts the game of a deal.
    pub fn new(duel: Duel) -> Self {
        Match { duel }
    }
}

impl Referee for Match {
    fn open(&mut self) -> String {
        start(self.duel.position()) + "\n"
    }

    fn answer(&mut self, line: &str) -> Reply {
        let word = line.trim();
        if word.is_empty() {
            return Reply::More;
        }
        let Some(step) = read_move(word) else {
            return Reply::Garbage("expected K or R and a cell".to_string());
        };
        if !self.duel.position().allows(step) {
            return Reply::Illegal(format!("`{word}` is illegal in `{}`", start(self.duel.position())));
        }
        match self.duel.make_move(step) {
            Ok(black) => Reply::Send(reply(black) + "\n"),
            Err(End::Mate | End::Stalemate | End::RookLost | End::TooLong) => Reply::Over("!\n".to_string()),
        }
    }

    fn outcomes(&self) -> Vec<Outcome> {
        self.duel.outcome().into_iter().collect()
    }
}
