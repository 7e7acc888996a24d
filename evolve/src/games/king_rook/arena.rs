//! Where candidates play: each candidate's moves in all positions are worked out once, and games just look them up.

use super::duel::Duel;
use super::graph::graph;
use super::opponents::Defender;
use super::plan::{Length, NEVER, Plan};
use crate::game::{Arena, Contestant};
use crate::judge::referee::Outcome;
use policy::king_rook::weights::Weights;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Plans kept: more than threads that are at work on different candidates.
const KEPT: usize = 32;

/// An arena for one depth of search against one choice of defenders.
pub struct Table {
    defender: u32,
    depth: u32,
    /// The plans made last. A candidate's games come in several tasks; what is kept changes no outcome.
    plans: Mutex<Vec<Arc<Entry>>>,
}

struct Entry {
    weights: Weights,
    plan: OnceLock<Plan>,
    lengths: OnceLock<Vec<Length>>,
}

impl Table {
    /// An arena with these options.
    pub fn new(defender: u32, depth: u32) -> Self {
        Table { defender, depth, plans: Mutex::default() }
    }
}

impl Arena for Table {
    fn contestant(&self, weights: &[f64]) -> Box<dyn Contestant + '_> {
        let weights = Weights::from_values(weights.try_into().expect("a candidate has every declared weight"));
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = match plans.iter().position(|entry| entry.weights == weights) {
            Some(place) => plans.remove(place),
            None => Arc::new(Entry { weights, plan: OnceLock::new(), lengths: OnceLock::new() }),
        };
        plans.push(Arc::clone(&entry));
        if plans.len() > KEPT {
            plans.remove(0);
        }
        Box::new(Seat { defender: self.defender, depth: self.depth, entry })
    }
}

struct Seat {
    defender: u32,
    depth: u32,
    entry: Arc<Entry>,
}

impl Contestant for Seat {
    fn play(&mut self, deal: u64) -> Outcome {
        let mut duel = Duel::new(self.defender, deal);
        let graph = graph();
        let plan = self.entry.plan.get_or_init(|| Plan::new(graph, &self.entry.weights, self.depth));
        if duel.defender() == Defender::Every {
            let lengths = self.entry.lengths.get_or_init(|| plan.lengths(graph));
            let length = lengths[graph.id(duel.position()) as usize];
            return duel.outcome_of((length != NEVER).then_some(length));
        }
        while let Some(step) = plan.choose(graph, duel.position()) {
            if duel.play(step).is_err() {
                break;
            }
        }
        duel.outcome().expect("White always has a move, so the game came to its end")
    }
}
