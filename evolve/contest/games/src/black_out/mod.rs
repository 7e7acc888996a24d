//! Black Out: the opponents, the arena, the proof and the catalogue entry of the game that
//! `policy::black_out` plays.

mod cache;
mod duel;
mod export;
mod opponents;
pub mod oracle;
mod prove;
mod referee;
mod replay;
mod settings;

use self::duel::{Answer, Duel};
use self::opponents::Opponents;
use self::settings::Options;
use crate::parameters::parameters;
use evolve_contest::Contest;
use evolve_contest::export::Exportable;
use evolve_contest::judge::{Judge, Referee, Referees};
use evolve_contest::proof::{Proof, Provable, Unprovable};
use evolve_contest::replay::Replayable;
use evolve_core::job::Game;
use evolve_search::document::Table;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{
    Candidate, Context, NoObjective, OpenError, Problem, Remembering, Session, session, written, written_player,
};
use evolve_search::model::trial::{Case, Metrics, Outcome};
use policy::black_out::exact::Solver;
use policy::black_out::player::Player;
use policy::black_out::weights::Weights;
use policy::clock::Clock;

pub use cache::CacheError;

#[derive(Clone)]
pub struct BlackOut {
    options: Options,
    player: settings::Player,
}

impl BlackOut {
    fn player(&self, weights: &[f64]) -> Player {
        let weights = weights.try_into().expect("a candidate has every declared weight");
        Player::new(Weights::from_values(weights), self.player.into())
    }
}

/// Plays a game against one of the opponents.
fn play_game(opponents: &Opponents, player: &mut Player, solver: &mut Solver, case: &Case) -> Outcome {
    let mut duel = Duel::new(opponents, case.seed);
    loop {
        let choice = player.choose(duel.black(), &Clock::UNLIMITED).expect("the game is not over");
        match duel.make_move(choice, solver) {
            Answer::Move(_) => {}
            Answer::Over(outcome) => return outcome,
        }
    }
}

pub fn game() -> Game {
    Game::new(|options, player| BlackOut { options, player })
}

impl Problem for BlackOut {
    fn name(&self) -> &str {
        "black-out"
    }

    fn summary(&self) -> &str {
        "blacken segments of a 5 x 6 board in turn; the player who blackens the last square wins"
    }

    fn options(&self) -> Table {
        written(&self.options)
    }

    fn player(&self) -> Option<Table> {
        Some(written_player(&self.player))
    }

    fn metrics(&self) -> Metrics {
        Metrics::new(&["won", "lost late"], &["opponent"])
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameters(Weights::DECLARED)
    }

    fn objective(&self, _: f64) -> Result<f64, NoObjective> {
        Err(NoObjective("late defeats count, too".to_string()))
    }

    fn open(&self, context: Context) -> Result<Box<dyn Session>, OpenError> {
        let opponents = Opponents::open(self.options.opponent, &context);
        let game = self.clone();
        Ok(session(move |candidate| {
            let (opponents, player) = (opponents.clone(), game.player(candidate.values()));
            Remembering(move || {
                let (opponents, mut player, mut solver) = (opponents.clone(), player.clone(), Solver::new());
                move |case: &Case| Ok(play_game(&opponents, &mut player, &mut solver, case))
            })
        }))
    }
}

impl Contest for BlackOut {
    offers!(judge: Judge, provable: Provable, exportable: Exportable, replayable: Replayable);
}

impl Judge for BlackOut {
    fn open(&self, context: Context) -> Result<Box<dyn Referees>, OpenError> {
        let Options { opponent, rounds } = self.options;
        let opponents = Opponents::open(opponent, &context);
        let referee =
            move |deal| -> Box<dyn Referee> { Box::new(referee::Match::new(opponents.clone(), rounds, deal)) };
        Ok(Box::new(referee))
    }

    fn games_each(&self) -> usize {
        self.options.rounds as usize
    }

    fn protocol(&self) -> &'static str {
        include_str!("protocol.txt")
    }
}

impl Provable for BlackOut {
    fn prove(&self, candidate: Candidate<'_>) -> Result<Proof, Unprovable> {
        Ok(prove::prove(&self.player(candidate.values())))
    }
}
