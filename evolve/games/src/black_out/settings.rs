//! The options of the game, and the players with their settings.

use evolve_core::model::setup::PlayerChoice;
use policy::black_out::dialogue::MOST_GAMES;
use policy::black_out::player::Settings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Options {
    /// mixed: another one a game, perfect apart; perfect (takes seconds and 128 MiB to solve the game, then kept on disk);
    /// solving: random until it can solve the rest; erring: the same, but errs; greedy: takes most squares; random
    pub opponent: Choice,
    /// games in one dialogue
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

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "name", rename_all = "lowercase")]
pub enum Player {
    /// the best move by the evaluation alone, until the rest can be solved
    Greedy {
        /// free squares from which the rest of the game is solved
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

/// Returns the settings of a checked choice of player.
pub fn settings(player: &PlayerChoice) -> Settings {
    player.read::<Player>().into()
}
