//! Black Out: opponents, arena, proof and listing of the game that `policy::black_out` plays.

mod cache;
mod duel;
mod export;
mod opponents;
pub mod oracle;
mod prove;
mod referee;

use self::duel::{Answer, Duel};
use self::opponents::PERFECT;
use self::oracle::Oracle;
use crate::game::{Arena, Contestant, Game, PlayerChoice, PlayerKind, Program, Proof, Setting, Values};
use crate::judge::referee::{Outcome, Referee};
use crate::policy_file::Policy;
use policy::black_out::dialogue::MOST_GAMES;
use policy::black_out::exact::Solver;
use policy::black_out::player::{Player, Settings};
use policy::black_out::weights::Weights;
use policy::clock::Clock;
use policy::weights::Weight;
use std::time::Duration;

pub use cache::CacheError;

/// The game.
pub struct BlackOut;

static PLAYERS: [PlayerKind; 1] = [PlayerKind {
    name: "greedy",
    meaning: "the best move by the evaluation alone, until the rest can be solved",
    settings: &[Setting {
        name: "exact",
        meaning: "free squares from which the rest of the game is solved",
        min: 0,
        max: 20,
        default: Some(8),
    }],
}];

static OPTIONS: [Setting; 2] = [
    Setting {
        name: "opponent",
        meaning: "0: one of 2 to 5 a game; 1: perfect (takes seconds and 128 MiB to solve the game, then kept on disk); \
                  2: random until it can solve the rest; 3: the same, but errs; 4: takes most squares; 5: random",
        min: 0,
        max: 5,
        default: Some(0),
    },
    Setting { name: "rounds", meaning: "games in one dialogue", min: 1, max: MOST_GAMES, default: Some(1) },
];

/// How a checked choice of player looks ahead.
fn settings(player: &PlayerChoice) -> Settings {
    Settings { exact: player.values.get("exact") }
}

/// The player of a policy or candidate.
fn player(weights: &[f64], choice: &PlayerChoice) -> Player {
    let weights = weights.try_into().expect("a candidate has every declared weight");
    Player::new(Weights::from_values(weights), settings(choice))
}

struct Table {
    opponent: u32,
    player: PlayerChoice,
}

struct Seat {
    opponent: u32,
    player: Player,
    solver: Solver,
}

impl Arena for Table {
    fn contestant(&self, weights: &[f64]) -> Box<dyn Contestant + '_> {
        Box::new(Seat { opponent: self.opponent, player: player(weights, &self.player), solver: Solver::new() })
    }
}

impl Contestant for Seat {
    fn play(&mut self, deal: u64) -> Outcome {
        let mut duel = Duel::new(self.opponent, deal);
        loop {
            let choice = self.player.choose(duel.black(), &Clock::UNLIMITED).expect("the game is not over");
            match duel.play(choice, &mut self.solver) {
                Answer::Move(_) => {}
                Answer::Over(outcome) => return outcome,
            }
        }
    }
}

impl Game for BlackOut {
    fn name(&self) -> &'static str {
        "black-out"
    }

    fn summary(&self) -> &'static str {
        "blacken segments of a 5 x 6 board by turns; who blackens the last square wins"
    }

    fn options(&self) -> &'static [Setting] {
        &OPTIONS
    }

    fn players(&self) -> &'static [PlayerKind] {
        &PLAYERS
    }

    fn weights(&self) -> Vec<Weight> {
        Weights::DECLARED.to_vec()
    }

    fn arena(&self, options: &Values, player: &PlayerChoice) -> Box<dyn Arena> {
        let opponent = options.get("opponent");
        if opponent == PERFECT {
            // Here, and not by the first game that needs it: it is solved on the threads that play the games.
            Oracle::of_the_game();
        }
        Box::new(Table { opponent, player: player.clone() })
    }

    fn referee(&self, options: &Values, deal: u64) -> Box<dyn Referee> {
        Box::new(referee::Games::new(options.get("opponent"), options.get("rounds"), deal))
    }

    fn games_each(&self, options: &Values) -> usize {
        options.get("rounds") as usize
    }

    fn prove(&self, policy: &Policy) -> Result<Proof, String> {
        Ok(prove::prove(&player(&policy.weights, &policy.submission)))
    }

    fn export(&self, policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String> {
        export::program(policies, time_limit)
    }
}
