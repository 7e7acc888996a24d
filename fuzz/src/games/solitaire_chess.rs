//! The position and its score.

use super::Game;
use arbitrary::{Result, Unstructured};
use evolve_games::solitaire_chess::SolitaireChess;
use policy::clock::Clock;
use policy::random::SplitMix64;
use policy::solitaire_chess::board::{row_column, tiles};
use policy::solitaire_chess::dialogue;
use policy::solitaire_chess::groups::GROUPS;
use policy::solitaire_chess::position::Position;
use policy::solitaire_chess::search::Search;
use policy::solitaire_chess::weights::Weights;
use policy_twins::solitaire_chess::compare::{compare, to_twin};
use policy_twins::solitaire_chess::twin;
use policy_twins::solitaire_chess::twin::LAYERS;
use serde_json::{Value, json};

impl Game for SolitaireChess {
    const NAME: &'static str = "solitaire-chess";

    fn options(deal: u8) -> Value {
        json!({ "group": deal % 6 + 1 })
    }

    fn play(told: &[u8], said: &mut Vec<u8>) -> std::result::Result<(), String> {
        let player = |_| Search::Greedy { margin: 3 }.player(Weights::DEFAULT);
        dialogue::play(told, said, &Clock::UNLIMITED, player)
    }

    /// Reads a group and a seed, then a byte for each removal.
    fn twin(mut bytes: Unstructured<'_>) -> Result<bool> {
        let types = *bytes.choose(&GROUPS)?;
        let mut random = SplitMix64::new(bytes.arbitrary()?);
        let mut layers = [[types[0]; 64]; LAYERS];
        layers.iter_mut().flatten().for_each(|piece| *piece = types[random.below(types.len() as u32) as usize]);
        let mut position = Position::new(|tile| layers[0][tile as usize]);
        let mut game = twin::Game::new(&to_twin(&layers));
        loop {
            compare(&position, &game);
            let legal: Vec<_> = tiles(position.legal()).collect();
            if legal.is_empty() || bytes.is_empty() {
                return Ok(true);
            }
            let tile = *bytes.choose(&legal)?;
            let below = layers.get(position.tier(tile) + 1).map(|layer| layer[tile as usize]);
            position.remove(tile, below);
            let (row, column) = row_column(tile);
            game.remove(row, column);
        }
    }
}
