//! The options of the game, and the players with their settings.

use policy::black_out::dialogue::MOST_GAMES;
use policy::black_out::player::Settings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Options {
    /// strategy of the opponent: perfect (first solves the game, which takes seconds and a file of
    /// 128 MiB), solving (random until it can solve the rest), erring (solving, with errors),
    /// greedy (takes the most squares), random, or mixed (a different one of these in each game,
    /// except perfect)
    pub opponent: Choice,
    /// number of games that a process plays
    #[schemars(range(min = 1, max = MOST_GAMES))]
    pub rounds: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { opponent: Choice::Mixed, rounds: 1 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    Mixed,
    Perfect,
    Solving,
    Erring,
    Greedy,
    Random,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// makes the move with the best evaluation, until it can solve the rest of the game
    Greedy {
        /// number of free squares at which it solves the rest of the game
        #[serde(default = "eight")]
        #[schemars(range(max = 20))]
        exact: u32,
    },
}

fn eight() -> u32 {
    8
}

impl From<Player> for Settings {
    fn from(Player::Greedy { exact }: Player) -> Self {
        Settings { exact }
    }
}
