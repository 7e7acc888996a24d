//! The games that are played: one player over many deals, without anything around it.

use evolve_core::seed::generator;
use policy::chess_puzzle as puzzle;
use policy::clock::Clock;
use policy::solitaire_chess as solitaire;
use policy::weights::Weight;
use rand::RngExt;

/// A game and its player.
#[derive(Clone, Copy)]
pub enum Game {
    /// Solitaire chess: the group and the search.
    Solitaire(u32, solitaire::player::Search),
    /// ChessPuzzle with the greedy player.
    Puzzle,
}

impl Game {
    /// The game of a job.
    pub fn read(job: &toml::Table) -> Self {
        let number = |section: &str, key: &str| job[section].get(key).and_then(|value| value.as_integer());
        match job["game"]["name"].as_str() {
            Some("solitaire-chess") => {
                let search = match job["player"]["name"].as_str() {
                    Some("greedy") => {
                        let margin = number("player", "margin").map_or(solitaire::greedy::ANY, |margin| margin as u32);
                        solitaire::player::Search::Greedy { margin }
                    }
                    _ => {
                        let width = number("player", "width").unwrap_or(10) as usize;
                        let depth = number("player", "depth").unwrap_or(16) as usize;
                        solitaire::player::Search::Beam(solitaire::beam::Settings { width, depth })
                    }
                };
                Game::Solitaire(number("game", "group").unwrap_or(1) as u32, search)
            }
            _ => Game::Puzzle,
        }
    }

    /// What can be tuned.
    pub fn weights(&self) -> Vec<Weight> {
        match self {
            Game::Solitaire(..) => [solitaire::weights::Terms::DECLARED, solitaire::weights::Terms::DRIFTS].concat(),
            Game::Puzzle => {
                use puzzle::weights::Terms;
                [Terms::DECLARED, Terms::DRIFTS, Terms::TIGHT, Terms::LAYERS].concat()
            }
        }
    }

    /// The scores of a candidate on deals by their seeds.
    pub fn play(&self, candidate: &[f64], deals: impl Iterator<Item = u64>, scores: &mut Vec<f64>) {
        match *self {
            Game::Solitaire(group, search) => {
                let weights = solitaire::weights::Weights::from_values(candidate).expect("a value for every weight");
                let mut player = solitaire::player::Player::new(weights, search);
                scores.extend(deals.map(|deal| solitaire_chess(group, &mut player, deal)));
            }
            Game::Puzzle => {
                let weights = puzzle::weights::Weights::from_values(candidate).expect("a value for every weight");
                scores.extend(deals.map(|deal| chess_puzzle(&weights, deal)));
            }
        }
    }
}

fn solitaire_chess(group: u32, player: &mut solitaire::player::Player, deal: u64) -> f64 {
    use solitaire::board::{ALL, Piece, tiles};
    use solitaire::position::{Position, TIERS};
    let types = solitaire::groups::GROUPS[group as usize - 1];
    let mut random = generator(deal);
    let mut layers: [[Piece; 64]; TIERS] = [[types[0]; 64]; TIERS];
    for layer in &mut layers {
        for tile in tiles(ALL) {
            layer[tile as usize] = types[random.random_range(0..types.len() as u32) as usize];
        }
    }
    let mut position = Position::new(|tile| layers[0][tile as usize]);
    let alphabet = solitaire::groups::alphabet(group as usize);
    while let Some(tile) = player.choose(&position, alphabet, &Clock::UNLIMITED) {
        let revealed = layers.get(position.tier(tile) + 1).map(|layer| layer[tile as usize]);
        position.remove(tile, revealed);
    }
    f64::from(position.score().total())
}

fn chess_puzzle(weights: &puzzle::weights::Weights, deal: u64) -> f64 {
    use puzzle::board::{CELLS, LARGEST, MOST_LAYERS, Piece, SMALLEST, TYPES};
    const ORDER: [Piece; TYPES] =
        [Piece::One, Piece::Two, Piece::Three, Piece::Four, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    let mut random = generator(deal);
    let mut below = |below: usize| random.random_range(0..below as u32) as usize;
    let sizes = LARGEST - SMALLEST + 1;
    let (rows, columns, layers) = (below(sizes) + SMALLEST, below(sizes) + SMALLEST, below(MOST_LAYERS) + 1);
    let mut tiles = [[Piece::One; MOST_LAYERS]; CELLS];
    for stack in tiles.iter_mut().take(rows * columns) {
        for tile in stack.iter_mut().take(layers) {
            *tile = ORDER[below(TYPES)];
        }
    }
    let mut position = puzzle::position::Position::new(rows, columns, layers, |cell| tiles[cell as usize][layers - 1]);
    let mut player = puzzle::player::Player::new(weights, puzzle::player::GREEDY, &position);
    while let Some(cell) = player.choose(&Clock::UNLIMITED) {
        let revealed = position.height(cell).checked_sub(2).map(|under| tiles[cell as usize][under]);
        position.click(cell, revealed);
        player.click(cell, revealed.map_or(puzzle::field::HIDDEN, |piece| piece as u8));
    }
    position.score()
}
