//! The players by name: greedy, beam, expectimax, sampled.

use super::beam::{Beam, Settings};
use super::board::{tiles, Tile};
use super::evaluation::Evaluation;
use super::greedy::Greedy;
use super::position::{Position, REMOVALS};
use super::prospects::Alphabet;
use super::sampled::Sampled;
use super::weights::{Terms, Weights};
use crate::clock::Clock;

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
    },
    /// Beam searches over sampled completions of the hidden tiles.
    Sampled {
        /// The beam that plays each completion.
        beam: Settings,
        /// Completions a move.
        samples: u32,
    },
}

/// A player of one game after another.
#[derive(Debug)]
pub struct Player {
    weights: Weights,
    drifts: bool,
    evaluation: Evaluation,
    search: Searcher,
}

#[derive(Debug)]
enum Searcher {
    Greedy(Box<Greedy>),
    Beam(Beam),
    Expectimax(Beam, usize, Beam),
    Sampled(Sampled),
}

impl Player {
    /// A player with these weights that looks ahead by this search.
    pub fn new(weights: Weights, search: Search) -> Self {
        let search = match search {
            Search::Greedy { margin } => Searcher::Greedy(Greedy::new(margin)),
            Search::Beam(settings) => Searcher::Beam(Beam::new(settings)),
            Search::Expectimax { beam, endings, inner } => {
                Searcher::Expectimax(Beam::new(beam), endings, Beam::new(inner))
            }
            Search::Sampled { beam, samples } => Searcher::Sampled(Sampled::new(beam, samples)),
        };
        let drifts = weights.drift != Terms::ZERO;
        Player { weights, drifts, evaluation: Evaluation::new(weights.start, Alphabet::of(&[])), search }
    }

    /// The tile to remove, `None` if nothing can be removed. The same position gives the same tile, unless `clock`
    /// runs short.
    pub fn choose(&mut self, position: &Position, alphabet: Alphabet, clock: &Clock) -> Option<Tile> {
        let legal = position.legal();
        if legal & legal.wrapping_sub(1) == 0 {
            // No choice, or no game any more.
            return tiles(legal).next();
        }
        if self.drifts || self.evaluation.alphabet() != alphabet {
            let progress = f64::from(position.removals()) / f64::from(REMOVALS);
            self.evaluation = Evaluation::new(self.weights.at(progress), alphabet);
        }
        let evaluation = &self.evaluation;
        let clock = clock.share(REMOVALS - position.removals());
        match &mut self.search {
            Searcher::Greedy(greedy) => greedy.choose(position, evaluation),
            Searcher::Beam(beam) => beam.choose(position, evaluation, &clock),
            Searcher::Expectimax(beam, endings, inner) => beam.expect(inner, *endings, position, evaluation, &clock),
            Searcher::Sampled(sampled) => sampled.choose(position, evaluation, &clock),
        }
    }
}

#[cfg(test)]
mod tests;
