//! The position and its score.

use super::Game;
use arbitrary::{Result, Unstructured};
use evolve_games::chess_puzzle::ChessPuzzle;
use policy::chess_puzzle::board::{Cell, LARGEST, MOST_LAYERS, Piece, SMALLEST, TYPES};
use policy::chess_puzzle::dialogue;
use policy::chess_puzzle::position::Position;
use policy::chess_puzzle::search::Search;
use policy::chess_puzzle::weights::Weights;
use policy::clock::Clock;
use policy::random::SplitMix64;
use policy_twins::chess_puzzle::compare::{click, compare, letter};
use policy_twins::chess_puzzle::twin::Twin;

impl Game for ChessPuzzle {
    const NAME: &'static str = "chess-puzzle";

    fn play(told: &[u8], said: &mut Vec<u8>) -> std::result::Result<(), String> {
        let player = |position: &_| Search::Greedy.player(&Weights::DEFAULT, position);
        dialogue::play(told, said, &Clock::UNLIMITED, player)
    }

    /// Reads a size and a seed, then one or two bytes for each click.
    fn twin(mut bytes: Unstructured<'_>) -> Result<bool> {
        let [rows, columns] = [bytes.int_in_range(SMALLEST..=LARGEST)?, bytes.int_in_range(SMALLEST..=LARGEST)?];
        let layers = bytes.int_in_range(1..=MOST_LAYERS)?;
        let mut random = SplitMix64::new(bytes.arbitrary()?);
        let mut stack = |_| (0..layers).map(|_| Piece::ALL[random.below(TYPES as u32) as usize].letter()).collect();
        let mut twin = Twin::new((0..rows).map(|_| (0..columns).map(&mut stack).collect()).collect());
        let top = |cell: Cell| letter(&twin, cell as usize / columns, cell as usize % columns).expect("a tile");
        let mut position = Position::new(rows, columns, layers, top);
        loop {
            let legal = compare(&twin, &position);
            if legal.is_empty() || bytes.is_empty() {
                return Ok(true);
            }
            click(&mut twin, &mut position, *bytes.choose(&legal)?);
        }
    }
}
