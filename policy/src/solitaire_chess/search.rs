//! The searches by name: greedy, beam, expectimax, sampled.

use super::beam::expectimax::rollout::Rollout;
use super::beam::expectimax::Expectimax;
use super::beam::{Beam, Settings};
use super::endgame::Endgame;
use super::greedy::Greedy;
use super::player::{Player, Searcher};
use super::sampled::Sampled;
use super::weights::Weights;

/// Which search looks ahead, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// One removal ahead.
    Greedy {
        /// How many points a removal may look worse than the best one, at a glance, and still get a close look.
        margin: u32,
    },
    /// Beam search over the visible tiles.
    Beam(Settings),
    /// Beam search whose best endings count by what a smaller beam finds behind them, in expectation.
    Expectimax {
        /// The beam from the position.
        beam: Settings,
        /// How many endings are followed further.
        endings: usize,
        /// The beam from each of them.
        inner: Settings,
        /// How many of them are followed behind a second unknown tile, and of these behind a third one.
        deeper: [usize; 2],
        /// Rollouts, if any, where that leaves a doubt.
        rollouts: Option<Rollouts>,
        /// Exact play where at most so many boards may come.
        exact: u32,
    },
    /// Beam searches over sampled completions of the hidden tiles.
    Sampled {
        /// The beam that plays each completion.
        beam: Settings,
        /// Completions a move.
        samples: u32,
        /// Exact play where at most so many boards may come.
        exact: u32,
    },
}

/// Rollouts that compare removals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rollouts {
    /// How many for one choice at most.
    pub most: u32,
    /// Removals of each.
    pub length: u32,
    /// The beam that plays them.
    pub beam: Settings,
}

impl Search {
    /// A player with these weights that looks ahead by this search.
    pub fn player(self, weights: Weights) -> Player {
        let searcher: Box<dyn Searcher> = match self {
            Search::Greedy { margin } => Greedy::new(margin),
            Search::Beam(settings) => Box::new(Beam::new(settings)),
            Search::Expectimax { beam, endings, inner, deeper, rollouts, .. } => {
                let search = Expectimax::new(beam, endings, inner, deeper);
                match rollouts {
                    None => Box::new(search),
                    Some(Rollouts { most, length, beam }) => Box::new(Rollout::new(search, most, length, beam)),
                }
            }
            Search::Sampled { beam, samples, .. } => Box::new(Sampled::new(beam, samples)),
        };
        let searcher = match self.exact() {
            0 => searcher,
            most => Box::new(Endgame::new(most, searcher)),
        };
        Player::new(weights, searcher)
    }

    /// How many boards may come at most for exact play; 0 for none.
    pub fn exact(self) -> u32 {
        match self {
            Search::Greedy { .. } | Search::Beam(_) => 0,
            Search::Expectimax { exact, .. } | Search::Sampled { exact, .. } => exact,
        }
    }
}
