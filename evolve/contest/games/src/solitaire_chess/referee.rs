//! The judge of Solitaire chess.

use super::{Deal, outcome};
use crate::numbers::Numbers;
use evolve_contest::judge::{Referee, Reply};
use evolve_search::model::trial::Outcome;
use policy::solitaire_chess::board::{SIDE, row_column, tile};
use policy::solitaire_chess::position::Position;

/// A game with one program.
pub struct Match {
    deal: Deal,
    position: Position,
    numbers: Numbers<2>,
    over: bool,
}

impl Match {
    /// Starts the game of a deal.
    pub fn new(deal: Deal) -> Self {
        let position = deal.start();
        Match { deal, position, numbers: Numbers::default(), over: false }
    }

    fn rule(&mut self, row: i64, column: i64) -> Reply {
        if (row, column) == (0, 0) {
            self.over = true;
            return Reply::Over(String::new());
        }
        let side = 1..=SIDE as i64;
        if !side.contains(&row) || !side.contains(&column) {
            return Reply::Garbage("expected a row and a column from 1 to 6".to_string());
        }
        let tile = tile(row as usize - 1, column as usize - 1);
        if self.position.legal() >> tile & 1 == 0 {
            return Reply::Illegal(self.why_not(row, column, tile));
        }
        let revealed = self.deal.remove(&mut self.position, tile);
        Reply::Send(format!("{}\n", revealed.map_or("blank", |piece| piece.name())))
    }

    fn why_not(&self, row: i64, column: i64, tile: u8) -> String {
        if self.position.piece(tile).is_none() {
            return format!("`{row} {column}` is empty");
        }
        let Some((from, piece)) = self.position.last() else {
            return format!("`{row} {column}` cannot be removed");
        };
        let (r, c) = row_column(from);
        format!("`{row} {column}` is not a step of `{}` from `{} {}`", piece.name(), r + 1, c + 1)
    }
}

impl Referee for Match {
    fn open(&mut self) -> String {
        let mut board = String::new();
        for row in 0..SIDE {
            for column in 0..SIDE {
                let piece = self.position.piece(tile(row, column)).expect("every tile has a piece at the start");
                let separator = if column + 1 < SIDE { ' ' } else { '\n' };
                board += &format!("{}{separator}", piece.name());
            }
        }
        board
    }

    fn answer(&mut self, line: &str) -> Reply {
        match self.numbers.take(line, "a row and a column") {
            Ok([row, column]) => self.rule(row, column),
            Err(reply) => reply,
        }
    }

    fn outcomes(&self) -> Vec<Outcome> {
        if self.over { vec![outcome(self.position.score())] } else { Vec::new() }
    }
}
