//! King and rook against king: dealer, arena, proof and listing of the game that `policy::king_rook` plays.

mod arena;
mod duel;
mod export;
mod graph;
mod opponents;
mod oracle;
mod plan;
mod proof;
mod referee;

#[cfg(test)]
mod tests;

use crate::game::{Arena, Game, PlayerChoice, PlayerKind, Program, Proof, Setting, Values};
use crate::judge::referee::Referee;
use crate::policy_file::Policy;
use duel::Duel;
use policy::king_rook::weights::Weights;
use policy::weights::Weight;
use std::time::Duration;

/// The game.
pub struct KingRook;

static PLAYERS: [PlayerKind; 1] = [PlayerKind {
    name: "search",
    meaning: "full-width search over the evaluation",
    settings: &[Setting { name: "depth", meaning: "moves of White looked ahead", min: 1, max: 6, default: Some(4) }],
}];

static OPTIONS: [Setting; 1] = [Setting {
    name: "defender",
    meaning: "who plays Black: 0 mixed, mostly perfect; 1 perfect, 2 random, 3 to the centre, 4 after the rook, \
              5 every defence (against a program: perfect)",
    min: 0,
    max: 5,
    default: Some(0),
}];

/// The depth of a checked choice of player.
fn depth(player: &PlayerChoice) -> u32 {
    player.values.get("depth")
}

/// The weights of a policy.
fn weights(policy: &Policy) -> Result<Weights, String> {
    let values = policy.weights.as_slice().try_into().map_err(|_| "a policy has every declared weight")?;
    match policy.weights.iter().all(|weight| weight.is_finite()) {
        true => Ok(Weights::from_values(values)),
        false => Err("a weight of the policy is not a finite number".to_string()),
    }
}

impl Game for KingRook {
    fn name(&self) -> &'static str {
        "king-rook"
    }

    fn summary(&self) -> &'static str {
        "mate a bare king with king and rook on a 10 x 9 board, from any position, in few moves"
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
        Box::new(arena::Table::new(options.get("defender"), depth(player)))
    }

    fn referee(&self, options: &Values, deal: u64) -> Box<dyn Referee> {
        Box::new(referee::Judge::new(Duel::new(options.get("defender"), deal)))
    }

    fn failed(&self, _options: &Values) -> f64 {
        duel::WORST
    }

    fn prove(&self, policy: &Policy) -> Result<Proof, String> {
        Ok(proof::prove(&weights(policy)?, depth(&policy.submission)))
    }

    fn export(&self, policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String> {
        let mut program = export::program(policies)?;
        if time_limit.is_some() {
            program.notes.push("king-rook plays without a clock: the time limit changes nothing".to_string());
        }
        Ok(program)
    }
}
