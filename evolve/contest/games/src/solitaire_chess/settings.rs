//! The options of the game, and the players with their settings.

use policy::solitaire_chess::beam::Settings;
use policy::solitaire_chess::greedy::ANY;
use policy::solitaire_chess::search::{Rollouts, Search};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Options {
    /// group of the contest's tests, by types of pieces: 1 knights; 2 ones; 3 ones and twos; 4
    /// rooks, bishops and queens; 5 numbers; 6 all types
    #[schemars(range(min = 1, max = 6))]
    pub group: u32,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// makes the removal with the best evaluation
    Greedy(Greedy),
    /// beam search over the visible tiles
    Beam(Beam),
    /// beam search, then smaller beams after its best lines, for every type that the next unknown
    /// tile may show
    Expectimax(Expectimax),
    /// beam searches with randomly dealt hidden tiles
    Sampled(Sampled),
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Greedy {
    /// the three removals that are best by the quick evaluation get the full one, if they are
    /// within this many points of the best (1000: always)
    #[schemars(range(max = ANY))]
    margin: u32,
}

impl Default for Greedy {
    fn default() -> Self {
        Greedy { margin: ANY }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Beam {
    /// number of lines kept at each depth
    #[schemars(range(min = 1, max = 10_000))]
    width: usize,
    /// number of removals searched ahead
    #[schemars(range(min = 1, max = 108))]
    depth: usize,
}

impl Default for Beam {
    fn default() -> Self {
        Beam { width: 10, depth: 16 }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Expectimax {
    /// number of lines kept at each depth
    #[schemars(range(min = 1, max = 10_000))]
    width: usize,
    /// number of removals searched ahead
    #[schemars(range(min = 1, max = 108))]
    depth: usize,
    /// number of the beam's best lines that smaller beams continue, at most `width`
    #[schemars(range(min = 1, max = 10_000))]
    endings: usize,
    /// number of lines that a smaller beam keeps at each depth
    #[schemars(range(min = 1, max = 10_000))]
    inner_width: usize,
    /// depth of a smaller beam
    #[schemars(range(min = 1, max = 108))]
    inner_depth: usize,
    /// number of these lines that are continued beyond a second unknown tile, by beams half as
    /// large
    #[schemars(range(max = 10_000))]
    deeper: usize,
    /// number of these lines that are continued beyond a third unknown tile, by beams a quarter as
    /// large
    #[schemars(range(max = 10_000))]
    deepest: usize,
    /// maximum number of rollouts for a removal, if the best one is not clear without them
    #[schemars(range(max = 1_000_000))]
    rollouts: u32,
    /// number of removals in a rollout, after which a smaller beam estimates the rest
    #[schemars(range(min = 1, max = 108))]
    rollout_length: u32,
    /// number of lines that the beam of a rollout keeps at each depth
    #[schemars(range(min = 1, max = 10_000))]
    rollout_width: usize,
    /// depth of the beam of a rollout
    #[schemars(range(min = 1, max = 108))]
    rollout_depth: usize,
    /// plays exactly if each part of the board has at most this many possible boards left (0:
    /// never)
    #[schemars(range(max = 1_000_000))]
    exact: u32,
}

impl Default for Expectimax {
    fn default() -> Self {
        Expectimax {
            width: 10,
            depth: 16,
            endings: 10,
            inner_width: 4,
            inner_depth: 8,
            deeper: 0,
            deepest: 0,
            rollouts: 0,
            rollout_length: 20,
            rollout_width: 4,
            rollout_depth: 8,
            exact: 0,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Sampled {
    /// number of lines kept at each depth
    #[schemars(range(min = 1, max = 10_000))]
    width: usize,
    /// number of removals searched ahead
    #[schemars(range(min = 1, max = 108))]
    depth: usize,
    /// number of random deals for a removal
    #[schemars(range(min = 1, max = 100_000))]
    samples: u32,
    /// plays exactly if each part of the board has at most this many possible boards left (0:
    /// never)
    #[schemars(range(max = 1_000_000))]
    exact: u32,
}

impl Default for Sampled {
    fn default() -> Self {
        Sampled { width: 10, depth: 16, samples: 16, exact: 0 }
    }
}

impl Player {
    pub fn search(self) -> Search {
        match self {
            Player::Greedy(Greedy { margin }) => Search::Greedy { margin },
            Player::Beam(Beam { width, depth }) => Search::Beam(Settings { width, depth }),
            Player::Expectimax(own) => Search::Expectimax {
                beam: Settings { width: own.width, depth: own.depth },
                endings: own.endings,
                inner: Settings { width: own.inner_width, depth: own.inner_depth },
                deeper: [own.deeper, own.deepest],
                rollouts: (own.rollouts > 0).then_some(Rollouts {
                    most: own.rollouts,
                    length: own.rollout_length,
                    beam: Settings { width: own.rollout_width, depth: own.rollout_depth },
                }),
                exact: own.exact,
            },
            Player::Sampled(Sampled { width, depth, samples, exact }) => {
                Search::Sampled { beam: Settings { width, depth }, samples, exact }
            }
        }
    }
}
