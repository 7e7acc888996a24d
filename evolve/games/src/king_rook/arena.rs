//! Where candidates play: each candidate's moves in all positions are worked out once, and games just look them up.

use super::duel::Duel;
use super::graph::graph;
use super::opponents::Defender;
use super::plan::{Length, NEVER, Plan};
use evolve_core::problem::{Contender, Player};
use evolve_core::trial::{Deal, Failure, Outcome};
use policy::king_rook::weights::Weights;
use std::sync::OnceLock;

/// A candidate that looks so deep, against one choice of defenders.
pub struct Entrant {
    defender: u32,
    depth: u32,
    weights: Weights,
    plan: OnceLock<Plan>,
    lengths: OnceLock<Vec<Length>>,
}

impl Entrant {
    /// The candidate with these weights.
    pub fn new(defender: u32, weights: Weights, depth: u32) -> Self {
        Entrant { defender, depth, weights, plan: OnceLock::new(), lengths: OnceLock::new() }
    }
}

impl Contender for Entrant {
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(Play(self))
    }
}

struct Play<'a>(&'a Entrant);

impl Player for Play<'_> {
    fn play(&mut self, deal: &Deal) -> Result<Outcome, Failure> {
        let Entrant { defender, depth, weights, plan, lengths } = self.0;
        let mut duel = Duel::new(*defender, deal.seed);
        let graph = graph();
        let plan = plan.get_or_init(|| Plan::new(graph, weights, *depth));
        if duel.defender() == Defender::Every {
            let lengths = lengths.get_or_init(|| plan.lengths(graph));
            let length = lengths[graph.id(duel.position()) as usize];
            return Ok(duel.outcome_of((length != NEVER).then_some(length)));
        }
        while let Some(step) = plan.choose(graph, duel.position()) {
            if duel.play(step).is_err() {
                break;
            }
        }
        Ok(duel.outcome().expect("White always has a move, so the game came to its end"))
    }
}
