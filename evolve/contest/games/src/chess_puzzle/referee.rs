//! The judge of ChessPuzzle, like the contest's offline tester.

use super::deal::Deal;
use super::outcome;
use crate::numbers::Numbers;
use evolve_contest::judge::{Referee, Reply};
use evolve_search::model::trial::Outcome;
use policy::chess_puzzle::board::Cell;
use policy::chess_puzzle::position::Position;

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
        let (rows, columns, _) = self.deal.size();
        if !(0..rows as i64).contains(&row) || !(0..columns as i64).contains(&column) {
            return Reply::Garbage(format!(
                "`{row} {column}` is not on the board (rows are 0 to {}, columns 0 to {})",
                rows - 1,
                columns - 1
            ));
        }
        let cell = (row as usize * columns + column as usize) as Cell;
        if !self.position.is_legal(cell) {
            return Reply::Illegal(self.why_not(row, column, cell));
        }
        let revealed = self.deal.click(&mut self.position, cell);
        if self.position.legal().is_empty() {
            // The tester sends nothing after the last click.
            self.over = true;
            return Reply::Over(String::new());
        }
        Reply::Send(format!("{}\n", revealed.map_or('-', |piece| piece.letter())))
    }

    fn why_not(&self, row: i64, column: i64, cell: Cell) -> String {
        match self.position.last() {
            Some((from, piece)) if self.position.height(cell) > 0 => {
                let (_, columns, _) = self.deal.size();
                let (r, c) = (from as usize / columns, from as usize % columns);
                format!("`{row} {column}` is not a step of `{}` from `{r} {c}`", piece.letter())
            }
            _ => format!("`{row} {column}` is empty"),
        }
    }
}

impl Referee for Match {
    fn open(&mut self) -> String {
        let (rows, columns, layers) = self.deal.size();
        let mut text = format!("{layers}\n{rows}\n");
        for row in 0..rows {
            let tile = |column| self.deal.tile((row * columns + column) as Cell, layers - 1).letter();
            text.extend((0..columns).map(tile));
            text.push('\n');
        }
        text
    }

    fn answer(&mut self, line: &str) -> Reply {
        match self.numbers.take(line, "a row and a column") {
            Ok([row, column]) => self.rule(row, column),
            Err(reply) => reply,
        }
    }

    fn outcomes(&self) -> Vec<Outcome> {
        if self.over { vec![outcome(&self.position)] } else { Vec::new() }
    }
}
