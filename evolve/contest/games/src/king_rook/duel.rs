//! A game of a player against a defender, and its score; the arena and the referee share it.

use super::opponents::Defender;
use super::oracle::contest;
use chacha20::ChaCha8Rng;
use evolve_search::model::seed::generator;
use evolve_search::model::trial::Outcome;
use policy::king_rook::board::Cell;
use policy::king_rook::position::{Contest, Move, State};
use rand::RngExt;

/// The number of White's moves within which a mate must come.
pub const MOST_MOVES: u32 = 60;

/// The number of White's moves from which a game counts as long.
const LONG: u32 = 21;

/// The extra cost of each move beyond [`LONG`].
const LONG_COST: f64 = 1.0;

/// A game in progress, with White to move.
pub struct Duel {
    position: Contest,
    defender: Defender,
    random: ChaCha8Rng,
    optimum: u32,
    moves: u32,
    end: Option<End>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// White mates.
    Mate,
    /// Black has no move and is not in check.
    Stalemate,
    /// Black takes the rook.
    RookLost,
    /// [`MOST_MOVES`] moves were played.
    TooLong,
}

impl Duel {
    /// Starts the game of a deal: a uniformly random position with White to move, and a random
    /// defender unless one is given.
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

    /// Returns the position, with White to move unless the game is over.
    pub fn position(&self) -> &Contest {
        &self.position
    }

    pub fn defender(&self) -> Defender {
        self.defender
    }

    /// Plays a legal move of White, and Black's answer if there is one.
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

    /// Returns the outcome of a game that is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.end.map(|end| self.outcome_of((end == End::Mate).then_some(self.moves)))
    }

    /// Returns the outcome if White mates in this many moves, or not at all. The objective is minus
    /// the number of moves beyond perfect play; long games cost more, and a game without mate costs
    /// far more.
    pub fn outcome_of(&self, moves: Option<u32>) -> Outcome {
        let counted = moves.unwrap_or(MOST_MOVES).min(MOST_MOVES);
        let excess = f64::from(counted) - f64::from(self.optimum);
        let long = f64::from(counted.saturating_sub(LONG));
        let mates = f64::from(u8::from(moves.is_some()));
        let metrics = [mates, f64::from(counted), excess, long];
        Outcome::of(mates).objective(-excess - LONG_COST * long).metrics(metrics).group(self.defender.name())
    }
}
