//! A game against an opponent: the rules that the arena and the judge share.

use super::opponents::{HORIZON, Opponent, Opponents};
use evolve_search::model::trial::Outcome;
use policy::black_out::board::{ALL, SEGMENT, SQUARES, Squares, free};
use policy::black_out::exact::Solver;
use policy::clock::Clock;

/// The objective of a game lost as late as possible.
const CONSOLATION: f64 = 0.2;

/// A game in progress, with the program to move.
pub struct Duel {
    black: Squares,
    opponent: Opponent,
    /// The number of black squares after the program's first move that let the opponent win, as far
    /// as the end of the game is solved.
    given_away: Option<u32>,
}

/// The state after a move of the program.
pub enum Answer {
    /// The opponent's move, as an index of the list of segments.
    Move(usize),
    /// The game is over: the program has won, or the opponent would make the last move.
    Over(Outcome),
}

impl Duel {
    /// Starts the game dealt from `deal` against one of the opponents.
    pub fn new(opponents: &Opponents, deal: u64) -> Self {
        Duel { black: 0, opponent: opponents.deal(deal), given_away: None }
    }

    pub fn black(&self) -> Squares {
        self.black
    }

    /// Makes the program's move, an index of the list of segments, and the opponent's reply.
    /// `solver` plays the end of the game; its memory of earlier positions does not affect the
    /// result.
    ///
    /// # Panics
    /// If the move blackens no new square.
    pub fn make_move(&mut self, choice: usize, solver: &mut Solver) -> Answer {
        let next = self.black | SEGMENT[choice].squares;
        assert!(next != self.black, "a legal move");
        self.black = next;
        if next == ALL {
            return Answer::Over(self.outcome(true));
        }
        if self.given_away.is_none() && free(next) <= HORIZON {
            let is_lost = solver.is_lost(next, &Clock::UNLIMITED);
            self.given_away = (is_lost == Some(false)).then_some(next.count_ones());
        }
        let reply = self.opponent.choose(next, solver);
        self.black |= SEGMENT[reply].squares;
        match self.black {
            ALL => Answer::Over(self.outcome(false)),
            _ => Answer::Move(reply),
        }
    }

    fn outcome(&self, won: bool) -> Outcome {
        let share = f64::from(self.given_away.unwrap_or(0)) / f64::from(SQUARES);
        let (won, late) = if won { (1.0, 0.0) } else { (0.0, CONSOLATION * share) };
        Outcome::of(won).objective(won + late).metrics([won, late]).group(self.opponent.name())
    }
}
