//! The position and its score.

#[rustfmt::skip] // Of another edition.
#[path = "../../../policy/tests/solitaire_chess/compare.rs"]
mod compare;
#[rustfmt::skip] // Of another edition.
#[path = "../../../policy/tests/solitaire_chess/twin.rs"]
#[allow(dead_code, missing_docs)]
mod twin;

use super::Choices;
use compare::{compare, to_twin};
use policy::random::SplitMix64;
use policy::solitaire_chess::board::{row_column, tiles};
use policy::solitaire_chess::groups::GROUPS;
use policy::solitaire_chess::position::Position;
use twin::{Game, LAYERS};

/// A group and a seed, then a byte for each removal.
pub fn run(bytes: &[u8]) -> bool {
    let mut choices = Choices::new(bytes);
    let Some(group) = choices.below(GROUPS.len()) else { return false };
    let (types, mut random) = (GROUPS[group], SplitMix64::new(choices.seed()));
    let mut layers = [[types[0]; 64]; LAYERS];
    layers.iter_mut().flatten().for_each(|piece| *piece = types[random.below(types.len() as u32) as usize]);
    let mut position = Position::new(|tile| layers[0][tile as usize]);
    let mut game = Game::new(&to_twin(&layers));
    loop {
        compare(&position, &game);
        let legal = position.legal();
        if legal == 0 {
            return true;
        }
        let Some(choice) = choices.below(legal.count_ones() as usize) else { return true };
        let tile = tiles(legal).nth(choice).expect("below the number of tiles");
        let below = layers.get(position.tier(tile) + 1).map(|layer| layer[tile as usize]);
        position.remove(tile, below);
        let (row, column) = row_column(tile);
        game.remove(row, column);
    }
}
