//! The judge of Black Out.

use super::duel::{Answer, Duel};
use super::opponents::Opponents;
use crate::numbers::Numbers;
use evolve_contest::judge::{Referee, Reply};
use evolve_search::model::trial::Outcome;
use policy::black_out::board::{COLUMNS, ROWS, SEGMENT, Segment, segment};
use policy::black_out::exact::Solver;

/// Several consecutive games with one program.
pub struct Match {
    opponents: Opponents,
    deal: u64,
    games: u32,
    duel: Duel,
    solver: Solver,
    outcomes: Vec<Outcome>,
    numbers: Numbers<4>,
}

impl Match {
    /// Starts `games` consecutive games against the opponents, the first one dealt from `deal`.
    pub fn new(opponents: Opponents, games: u32, deal: u64) -> Self {
        let duel = Duel::new(&opponents, deal);
        Match { opponents, deal, games, duel, solver: Solver::new(), outcomes: Vec::new(), numbers: Numbers::default() }
    }

    fn rule(&mut self, numbers: [i64; 4]) -> Reply {
        let [r1, c1, r2, c2] = numbers;
        let text = format!("`{r1} {c1} {r2} {c2}`");
        let is_on_board =
            |row: i64, column: i64| (1..=ROWS as i64).contains(&row) && (1..=COLUMNS as i64).contains(&column);
        if !is_on_board(r1, c1) || !is_on_board(r2, c2) {
            return Reply::Garbage(format!(
                "{text} is not on the board (rows are 1 to {ROWS}, columns 1 to {COLUMNS})"
            ));
        }
        let [r1, c1, r2, c2] = numbers.map(|number| (number - 1) as u8);
        let Some(Segment { squares, .. }) = segment((r1, c1), (r2, c2)) else {
            return Reply::Illegal(format!("{text} is not one row or column of squares, first one first"));
        };
        if self.duel.black() | squares == self.duel.black() {
            return Reply::Illegal(format!("{text} blackens no new square"));
        }
        let choice = SEGMENT.iter().position(|s| s.squares == squares).expect("every segment is listed");
        match self.duel.make_move(choice, &mut self.solver) {
            Answer::Move(reply) => {
                let ((r1, c1), (r2, c2)) = (SEGMENT[reply].from, SEGMENT[reply].to);
                Reply::Send(format!("MOVE {} {} {} {}\n", r1 + 1, c1 + 1, r2 + 1, c2 + 1))
            }
            Answer::Over(outcome) => {
                self.outcomes.push(outcome);
                let played = self.outcomes.len() as u32;
                if played == self.games {
                    return Reply::Over("GAME\n".to_string());
                }
                self.duel = Duel::new(&self.opponents, self.deal.wrapping_add(played.into()));
                Reply::Send("GAME\n".to_string())
            }
        }
    }
}

impl Referee for Match {
    fn open(&mut self) -> String {
        format!("{}\n", self.games)
    }

    fn answer(&mut self, line: &str) -> Reply {
        match self.numbers.take(line, "four numbers") {
            Ok(numbers) => self.rule(numbers),
            Err(reply) => reply,
        }
    }

    fn outcomes(&self) -> Vec<Outcome> {
        self.outcomes.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::Choice;
    use super::*;
    use evolve_search::model::problem::Context;

    fn opponents(choice: Choice) -> Opponents {
        Opponents::open(choice, &Context::default())
    }

    #[test]
    fn moves_are_ruled_upon() {
        let rule = |line: &str| Match::new(opponents(Choice::Random), 1, 1).answer(line);
        assert_eq!(Match::new(opponents(Choice::Random), 7, 1).open(), "7\n");
        assert!(matches!(rule("1 1 1 6"), Reply::Send(text) if text.starts_with("MOVE ")));
        assert_eq!(rule("1 1 1"), Reply::More);
        for line in ["MOVE 1 1 1 1", "1 1 1 1 1", "0 1 1 1", "1 1 6 1", "1 1 1 7", "1 1 1 -1", "x"] {
            assert!(matches!(rule(line), Reply::Garbage(_)), "{line}");
        }
        for line in ["1 1 2 2", "1 2 1 1", "2 1 1 1"] {
            assert!(matches!(rule(line), Reply::Illegal(_)), "{line}");
        }
        let mut games = Match::new(opponents(Choice::Random), 1, 1);
        assert_eq!(games.answer("1 1"), Reply::More);
        assert_eq!(games.answer(""), Reply::More);
        assert!(matches!(games.answer("1 6"), Reply::Send(_)));
        assert!(matches!(games.answer("1 1 1 6"), Reply::Illegal(text) if text.contains("no new square")));
    }

    #[test]
    fn games_follow_each_other() {
        // Always play the first free square.
        let mut games = Match::new(opponents(Choice::Mixed), 3, 9);
        let mut ended = 0;
        loop {
            let black = games.duel.black();
            let single = SEGMENT.iter().find(|s| s.squares.count_ones() == 1 && black & s.squares == 0).unwrap();
            let (row, column) = (single.from.0 + 1, single.from.1 + 1);
            match games.answer(&format!("{row} {column} {row} {column}")) {
                Reply::Send(text) if text == "GAME\n" => ended += 1,
                Reply::Send(text) => assert!(text.starts_with("MOVE ")),
                Reply::Over(text) => {
                    assert_eq!((text.as_str(), ended), ("GAME\n", 2));
                    break;
                }
                wrong => panic!("{wrong:?}"),
            }
        }
        assert_eq!(games.outcomes().len(), 3);
        for outcome in games.outcomes() {
            assert_eq!(outcome.objective, outcome.metrics.iter().sum::<f64>());
            assert!(outcome.score == 1.0 || (outcome.score == 0.0 && outcome.objective <= 0.2));
        }
    }
}
