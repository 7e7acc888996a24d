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
use evolve_core::document::schema;
use evolve_core::model::contest::{Contest, Referee, Referees};
use evolve_core::model::export::Exportable;
use evolve_core::model::parameter::Parameter;
use evolve_core::model::problem::{Candidate, Context, OpenError, Problem, Remembering, Session, session};
use evolve_core::model::proof::{Proof, Provable, Unprovable};
use evolve_core::model::replay::Replayable;
use evolve_core::model::setup::{self, PlayerChoice, PlayerKind, Setup, Values};
use evolve_core::model::trial::{Deal as Trial, Metrics, Outcome};
use policy::black_out::exact::Solver;
use policy::black_out::player::Player;
use policy::black_out::weights::Weights;
use policy::clock::Clock;
use schemars::Schema;

pub use cache::CacheError;

pub struct BlackOut;

/// Creates the player of a policy or candidate.
fn player(weights: &[f64], choice: &PlayerChoice) -> Player {
    let weights = weights.try_into().expect("a candidate has every declared weight");
    Player::new(Weights::from_values(weights), settings::settings(choice))
}

/// Plays a game against one of the opponents.
fn play_game(opponents: &Opponents, player: &mut Player, solver: &mut Solver, trial: &Trial) -> Outcome {
    let mut duel = Duel::new(opponents, trial.seed);
    loop {
        let choice = player.choose(duel.black(), &Clock::UNLIMITED).expect("the game is not over");
        match duel.make_move(choice, solver) {
            Answer::Move(_) => {}
            Answer::Over(outcome) => return outcome,
        }
    }
}

impl Problem for BlackOut {
    fn name(&self) -> &str {
        "black-out"
    }

    fn summary(&self) -> &str {
        "blacken segments of a 5 x 6 board in turn; the player who blackens the last square wins"
    }

    fn options(&self) -> Schema {
        schema::of::<Options>()
    }

    fn players(&self) -> Vec<PlayerKind> {
        setup::players::<settings::Player>()
    }

    fn metrics(&self) -> Metrics {
        Metrics::new(&["won", "lost late"], &["opponent"])
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameters(Weights::DECLARED)
    }

    fn open(&self, setup: &Setup, context: Context) -> Result<Box<dyn Session>, OpenError> {
        let opponents = Opponents::open(setup.options.read::<Options>().opponent, &context);
        let choice = setup.player.clone();
        Ok(session(move |candidate| {
            let (opponents, player) = (opponents.clone(), player(candidate.values(), &choice));
            Remembering(move || {
                let (opponents, mut player, mut solver) = (opponents.clone(), player.clone(), Solver::new());
                move |trial: &Trial| Ok(play_game(&opponents, &mut player, &mut solver, trial))
            })
        }))
    }

    offers!(contest: Contest, provable: Provable, exportable: Exportable, replayable: Replayable);
}

impl Contest for BlackOut {
    fn open(&self, options: &Values, context: Context) -> Result<Box<dyn Referees>, OpenError> {
        let Options { opponent, rounds } = options.read();
        let opponents = Opponents::open(opponent, &context);
        let referee =
            move |deal| -> Box<dyn Referee> { Box::new(referee::Match::new(opponents.clone(), rounds, deal)) };
        Ok(Box::new(referee))
    }

    fn games_each(&self, options: &Values) -> usize {
        options.read::<Options>().rounds as usize
    }

    fn protocol(&self) -> &'static str {
        include_str!("protocol.txt")
    }
}

impl Provable for BlackOut {
    fn prove(&self, setup: &Setup, candidate: Candidate<'_>) -> Result<Proof, Unprovable> {
        Ok(prove::prove(&player(candidate.values(), &setup.player)))
    }
}
