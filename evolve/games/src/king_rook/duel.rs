//! A game of a player against a defender, and its score; arena and referee both play it.

use super::opponents::Defender;
use super::oracle::contest;
use chacha20::ChaCha8Rng;
use evolve_core::model::seed::generator;
use evolve_core::model::trial::Outcome;
use policy::king_rook::board::Cell;
use policy::king_rook::position::{Contest, Move, State};
use rand::RngExt;

/// No mate in so many moves of White is none at all.
pub const MOST_MOVES: u32 = 60;

/// Moves of White from which on a game counts as long.
const LONG: u32 = 21;

/// Extra cost of each move beyond [`LONG`].
const LONG_COST: f64 = 1.0;

/// A game in progress, White to move.
pub struct Duel {
    position: Contest,
    defender: Defender,
    random: ChaCha8Rng,
    optimum: u32,
    moves: u32,
    end: Option<End>,
}

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// White mates.
    Mate,
    /// Black has no move and is not in check.
    Stalemate,
    /// Black takes the rook.
    RookLost,
    /// [`MOST_MOVES`] are played.
    TooLong,
}

impl Duel {
    /// The game of a deal: a position of White to move, each as likely as any other, and a defender where none is given.
    pub fn new(defender: Option<Defender>, deal: u64) -> Self {
        let mut random = generator(deal);
        let position = loop {
            let mut cell = || random.random_range(0..90u32) as Cell;
            match Contest::new(cell(), cell(), cell()) {
                Ok(position) if !position.is_check() => break position,
                _ => (),
            }
        };
        let defender = defender.unwrap_or_else(|| Defender::mixed(&mut random));
        let optimum = u32::from(contest().white_to_move(&position).expect("every position is won"));
        Duel { position, defender, random, optimum, moves: 0, end: None }
    }

    /// The position, White to move unless the game is over.
    pub fn position(&self) -> &Contest {
        &self.position
    }

    pub fn defender(&self) -> Defender {
        self.defender
    }

    /// Plays a legal move of White, and Black's answer, if there is one.
    pub fn make_move(&mut self, step: Move) -> Result<Cell, End> {
        self.position = self.position.after(step);
        self.moves += 1;
        let end = match self.position.state() {
            State::Checkmate => End::Mate,
            State::Stalemate => End::Stalemate,
            State::RookLost => End::RookLost,
            State::Open(_) if self.moves == MOST_MOVES => End::TooLong,
            State::Open(replies) => {
                let black = self.defender.reply(&self.position, replies, &mut self.random);
                self.position = Contest { black, ..self.position };
                return Ok(black);
            }
        };
        self.end = Some(end);
        Err(end)
    }

    /// The outcome of a game that is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.end.map(|end| self.outcome_of((end == End::Mate).then_some(self.moves)))
    }

    /// The outcome if White mates in this many moves, or not at all. The objective is minus the moves beyond perfect
    /// play; long games count more, and a game without mate far more.
    pub fn outcome_of(&self, moves: Option<u32>) -> Outcome {
        let counted = moves.unwrap_or(MOST_MOVES).min(MOST_MOVES);
        let excess = f64::from(counted) - f64::from(self.optimum);
        let long = f64::from(counted.saturating_sub(LONG));
        let mates = f64::from(u8::from(moves.is_some()));
        let parts = [mates, f64::from(counted), excess, long];
        Outcome::of(mates).objective(-excess - LONG_COST * long).parts(parts).kind(self.defender.name())
    }
}
