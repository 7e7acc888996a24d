//! The players and their settings.

use policy::gomoku::lookahead::{Settings, WIDEST};
use policy::gomoku::search::Search;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// makes the move with the best evaluation
    Greedy,
    /// searches the replies that the opponent's noise allows, and assumes the worst one
    Lookahead(Lookahead),
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Lookahead {
    /// number of own moves searched in each position
    #[schemars(range(min = 1, max = WIDEST))]
    pub width: usize,
    /// number of own moves searched ahead
    #[schemars(range(min = 1, max = 20))]
    pub depth: u32,
    /// maximum number of greedy own moves after these
    #[schemars(range(max = 180))]
    pub playout: u32,
}

impl Default for Lookahead {
    fn default() -> Self {
        Lookahead { width: 8, depth: 1, playout: 20 }
    }
}

impl Player {
    pub fn search(self) -> Search {
        match self {
            Player::Greedy => Search::Greedy,
            Player::Lookahead(Lookahead { width, depth, playout }) => {
                Search::Lookahead(Settings { width, depth, playout })
            }
        }
    }
}
