//! The players and their settings.

use policy::chess_puzzle::beam::Settings;
use policy::chess_puzzle::search::Search;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// makes the click with the best evaluation
    Greedy,
    /// beam search over the visible tiles
    Beam(Beam),
    /// beam search, then playouts with randomly dealt hidden tiles
    Sampled(Sampled),
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Beam {
    /// number of lines kept at each depth
    #[schemars(range(min = 1, max = 10_000))]
    width: usize,
    /// number of clicks searched ahead
    #[schemars(range(min = 1, max = 2250))]
    depth: usize,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Sampled {
    /// number of lines kept at each depth
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 10_000))]
    width: usize,
    /// number of clicks searched ahead
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 2250))]
    depth: usize,
    /// number of random deals for a click, in rounds of 16; an exported program with a time limit
    /// uses its time instead
    #[serde(default = "sixty_four")]
    #[schemars(range(min = 1, max = 100_000))]
    samples: u32,
}

impl Default for Beam {
    fn default() -> Self {
        Beam { width: 10, depth: 10 }
    }
}

fn ten() -> usize {
    10
}

fn sixty_four() -> u32 {
    64
}

impl Player {
    pub fn search(self) -> Search {
        match self {
            Player::Greedy => Search::Greedy,
            Player::Beam(Beam { width, depth }) => Search::Beam(Settings { width, depth }),
            Player::Sampled(Sampled { width, depth, samples }) => {
                Search::Sampled { beam: Settings { width, depth }, samples }
            }
        }
    }
}
