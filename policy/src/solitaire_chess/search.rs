//! The searches by name: greedy, beam, expectimax, sampled.

use super::beam::expectimax::rollout::Rollout;
use super::beam::expectimax::Expectimax;
use super::beam::{Beam, Settings};
use super::endgame::Endgame;
use super::greedy::Greedy;
use super::player::{Player, Searcher};
use super::sampled::Sampled;
use super::weights::Weights;

/// A search with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Looks one removal ahead.
    Greedy {
        /// The largest quick deficit in points with which a removal is evaluated closely.
        margin: u32,
    },
    /// Searches the visible tiles with a beam.
    Beam(Settings),
    /// Searches with a beam whose best endings are valued by smaller beams, in expectation.
    Expectimax {
        /// The beam from the position.
        beam: Settings,
        /// The number of endings that are followed further.
        endings: usize,
        /// The beam from each of these endings.
        inner: Settings,
        /// The numbers of endings that are followed behind a second and a third unknown tile.
        deeper: [usize; 2],
        /// Rollouts, if any, for choices in doubt.
        rollouts: Option<Rollouts>,
        /// The largest number of possible boards for exact play.
        exact: u32,
    },
    /// Searches sampled completions of the hidden tiles with beams.
    Sampled {
        /// The beam that plays each completion.
        beam: Settings,
        /// The number of completions for each move.
        samples: u32,
        /// The largest number of possible boards for exact play.
        exact: u32,
    },
}

/// Rollouts that compare removals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rollouts {
    /// The largest number of rollouts for one choice.
    pub most: u32,
    /// The number of removals in each rollout.
    pub length: u32,
    /// The beam that plays the rollouts.
    pub beam: Settings,
}

impl Search {
    /// Creates a player with these weights and this search.
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

    /// Returns the largest number of possible boards for exact play; 0 for none.
    pub fn exact(self) -> u32 {
        match self {
            Search::Greedy { .. } | Search::Beam(_) => 0,
            Search::Expectimax { exact, .. } | Search::Sampled { exact, .. } => exact,
        }
    }
}
