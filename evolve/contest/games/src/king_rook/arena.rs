//! The arena: computes the moves of a candidate in all positions once, and looks them up in games.

use super::duel::Duel;
use super::graph::graph;
use super::opponents::Defender;
use super::plan::{Length, NEVER, Plan};
use evolve_search::model::problem::Contender;
use evolve_search::model::trial::Case;
use policy::king_rook::weights::Weights;
use std::sync::OnceLock;

/// Prepares the candidate with these weights and this depth against one defender, or against
/// several.
pub fn contender(defender: Option<Defender>, weights: Weights, depth: u32) -> impl Contender {
    let plan: OnceLock<Plan> = OnceLock::new();
    let lengths: OnceLock<Vec<Length>> = OnceLock::new();
    move |deal: &Case| {
        let mut duel = Duel::new(defender, deal.seed);
        let graph = graph();
        let plan = plan.get_or_init(|| Plan::new(graph, &weights, depth));
        if duel.defender() == Defender::Every {
            let lengths = lengths.get_or_init(|| plan.lengths(graph));
            let length = lengths[graph.id(duel.position()) as usize];
            return Ok(duel.outcome_of((length != NEVER).then_some(length)));
        }
        while let Some(step) = plan.choose(graph, duel.position()) {
            if duel.make_move(step).is_err() {
                break;
            }
        }
        Ok(duel.outcome().expect("White always has a move, so the game came to its end"))
    }
}
