//! King and rook against king: the dealer, the arena, the proof and the catalogue entry of the game
//! that `policy::king_rook` plays.

mod arena;
mod duel;
mod export;
mod graph;
mod opponents;
mod oracle;
mod plan;
mod proof;
mod referee;
mod replay;
mod settings;

#[cfg(test)]
mod tests;

use crate::parameters::parameters;
use duel::Duel;
use evolve_contest::Contest;
use evolve_contest::export::Exportable;
use evolve_contest::judge::{Judge, Referee, Referees};
use evolve_contest::proof::{Proof, Provable, Unprovable};
use evolve_contest::replay::Replayable;
use evolve_core::job::Game;
use evolve_search::document::Table;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{
    Candidate, Context, NoObjective, OpenError, Problem, Session, session, written, written_player,
};
use evolve_search::model::trial::Metrics;
use policy::king_rook::weights::Weights;

pub struct KingRook {
    options: settings::Options,
    player: settings::Player,
}

fn weights(values: &[f64]) -> Weights {
    Weights::from_values(values.try_into().expect("a candidate has every declared weight"))
}

pub fn game() -> Game {
    Game::new(|options, player| KingRook { options, player })
}

impl Problem for KingRook {
    fn name(&self) -> &str {
        "king-rook"
    }

    fn summary(&self) -> &str {
        "mate a bare king with king and rook on a 10 x 9 board, from any position, in few moves"
    }

    fn options(&self) -> Table {
        written(&self.options)
    }

    fn player(&self) -> Option<Table> {
        Some(written_player(&self.player))
    }

    fn metrics(&self) -> Metrics {
        Metrics::new(&["mates", "moves", "excess", "long"], &["defender"])
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameters(Weights::DECLARED)
    }

    fn objective(&self, _: f64) -> Result<f64, NoObjective> {
        Err(NoObjective("the objective is the number of moves".to_string()))
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let (defender, depth) = (self.options.defender.one(), self.player.depth());
        Ok(session(move |candidate| arena::contender(defender, weights(candidate.values()), depth)))
    }
}

impl Contest for KingRook {
    offers!(judge: Judge, provable: Provable, exportable: Exportable, replayable: Replayable);
}

impl Judge for KingRook {
    fn open(&self, _: Context) -> Result<Box<dyn Referees>, OpenError> {
        let defender = self.options.defender.one();
        let referee = move |deal| -> Box<dyn Referee> { Box::new(referee::Match::new(Duel::new(defender, deal))) };
        Ok(Box::new(referee))
    }

    fn protocol(&self) -> &'static str {
        include_str!("protocol.txt")
    }
}

impl Provable for KingRook {
    fn prove(&self, candidate: Candidate<'_>) -> Result<Proof, Unprovable> {
        Ok(proof::prove(&weights(candidate.values()), self.player.depth()))
    }
}
