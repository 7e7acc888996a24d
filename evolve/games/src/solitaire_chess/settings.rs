//! The options of the game, and the players with their settings.

use evolve_core::model::setup::PlayerChoice;
use policy::solitaire_chess::beam::Settings;
use policy::solitaire_chess::greedy::ANY;
use policy::solitaire_chess::search::{Rollouts, Search};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
pub struct Options {
    /// which types of pieces appear
    #[schemars(range(min = 1, max = 6))]
    pub group: u32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "name", rename_all = "lowercase")]
pub enum Player {
    /// the best removal by the evaluation alone
    Greedy(Greedy),
    /// beam search over the visible tiles
    Beam(Beam),
    /// beam search, then a smaller beam behind its best endings for every type that may show there
    Expectimax(Expectimax),
    /// beam searches over sampled completions of the hidden tiles
    Sampled(Sampled),
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Greedy {
    /// points below the best at a glance within which the three best get a close look (1000: any)
    #[schemars(range(max = ANY))]
    margin: u32,
}

impl Default for Greedy {
    fn default() -> Self {
        Greedy { margin: ANY }
    }
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Beam {
    /// lines kept at each depth
    #[schemars(range(min = 1, max = 10_000))]
    width: usize,
    /// removals looked ahead
    #[schemars(range(min = 1, max = 108))]
    depth: usize,
}

impl Default for Beam {
    fn default() -> Self {
        Beam { width: 10, depth: 16 }
    }
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Expectimax {
    #[serde(flatten)]
    beam: Beam,
    /// endings followed further, as many as the beam is wide at most
    #[schemars(range(min = 1, max = 10_000))]
    endings: usize,
    /// lines of the smaller beam
    #[schemars(range(min = 1, max = 10_000))]
    inner_width: usize,
    /// its depth
    #[schemars(range(min = 1, max = 108))]
    inner_depth: usize,
    /// of these endings those followed behind a second unknown tile, by beams half as large
    #[schemars(range(max = 10_000))]
    deeper: usize,
    /// of these again those followed behind a third one, by beams a quarter as large
    #[schemars(range(max = 10_000))]
    deepest: usize,
    /// rollouts for one choice, at most, where that leaves a doubt
    #[schemars(range(max = 1_000_000))]
    rollouts: u32,
    /// removals of a rollout, before the inner beam says what may still come
    #[schemars(range(min = 1, max = 108))]
    rollout_length: u32,
    /// lines of the beam that plays them
    #[schemars(range(min = 1, max = 10_000))]
    rollout_width: usize,
    /// its depth
    #[schemars(range(min = 1, max = 108))]
    rollout_depth: usize,
    #[serde(flatten)]
    exact: Exact,
}

impl Default for Expectimax {
    fn default() -> Self {
        Expectimax {
            beam: Beam::default(),
            endings: 10,
            inner_width: 4,
            inner_depth: 8,
            deeper: 0,
            deepest: 0,
            rollouts: 0,
            rollout_length: 20,
            rollout_width: 4,
            rollout_depth: 8,
            exact: Exact::default(),
        }
    }
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Sampled {
    #[serde(flatten)]
    beam: Beam,
    /// completions a move
    #[schemars(range(min = 1, max = 100_000))]
    samples: u32,
    #[serde(flatten)]
    exact: Exact,
}

impl Default for Sampled {
    fn default() -> Self {
        Sampled { beam: Beam::default(), samples: 16, exact: Exact::default() }
    }
}

#[derive(Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Exact {
    /// exact play where at most so many boards may still come in each part of the board (0: never)
    #[schemars(range(max = 1_000_000))]
    exact: u32,
}

impl From<Beam> for Settings {
    fn from(Beam { width, depth }: Beam) -> Self {
        Settings { width, depth }
    }
}

/// Returns the search of a checked choice of player.
pub fn search(player: &PlayerChoice) -> Search {
    match player.read() {
        Player::Greedy(Greedy { margin }) => Search::Greedy { margin },
        Player::Beam(beam) => Search::Beam(beam.into()),
        Player::Expectimax(own) => Search::Expectimax {
            beam: own.beam.into(),
            endings: own.endings,
            inner: Settings { width: own.inner_width, depth: own.inner_depth },
            deeper: [own.deeper, own.deepest],
            rollouts: (own.rollouts > 0).then_some(Rollouts {
                most: own.rollouts,
                length: own.rollout_length,
                beam: Settings { width: own.rollout_width, depth: own.rollout_depth },
            }),
            exact: own.exact.exact,
        },
        Player::Sampled(own) => Search::Sampled { beam: own.beam.into(), samples: own.samples, exact: own.exact.exact },
    }
}
