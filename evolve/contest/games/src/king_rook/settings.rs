//! The options of the game, and the players with their settings.

use super::opponents::Defender;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Options {
    /// strategy of Black: perfect, random, centre (stays in the centre), hunter (attacks the rook),
    /// mixed (mostly perfect), or every (the worst of all defences; perfect when it plays against a
    /// program)
    pub defender: Defenders,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Defenders {
    #[default]
    Mixed,
    Perfect,
    Random,
    Centre,
    Hunter,
    Every,
}

impl Defenders {
    /// Returns the defender of all games; `None` if it varies between games.
    pub fn one(self) -> Option<Defender> {
        match self {
            Defenders::Mixed => None,
            Defenders::Perfect => Some(Defender::Perfect),
            Defenders::Random => Some(Defender::Random),
            Defenders::Centre => Some(Defender::Centre),
            Defenders::Hunter => Some(Defender::Hunter),
            Defenders::Every => Some(Defender::Every),
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// full-width search with the evaluation
    Search {
        /// number of White's moves searched ahead
        #[serde(default = "four")]
        #[schemars(range(min = 1, max = 6))]
        depth: u32,
    },
}

fn four() -> u32 {
    4
}

impl Player {
    pub fn depth(self) -> u32 {
        let Player::Search { depth } = self;
        depth
    }
}
