//! The incremental position, and the opponent.

use super::Game;
use arbitrary::{Result, Unstructured};
use evolve_games::gomoku::Gomoku;
use policy::clock::Clock;
use policy::gomoku::board::{CELLS, CENTRE, Cell, Side};
use policy::gomoku::dialogue;
use policy::gomoku::opponent::reply;
use policy::gomoku::player::Greedy;
use policy::gomoku::weights::Weights;
use policy_twins::gomoku::pair::{Pair, xy};

/// The largest number of stones: longer games show nothing new, and the twin is slow.
const LONGEST: usize = 24;

impl Game for Gomoku {
    const NAME: &'static str = "gomoku";

    fn play(told: &[u8], said: &mut Vec<u8>) -> std::result::Result<(), String> {
        dialogue::play(told, said, &Clock::UNLIMITED, &mut Greedy::new(Weights::DEFAULT))
    }

    /// Reads a byte for a stone near others, or 255 and two bytes for one anywhere; 254 briefly
    /// takes the last stone back.
    fn twin(mut bytes: Unstructured<'_>) -> Result<bool> {
        let mut pair = Pair::new();
        pair.put(CENTRE, Side::Black);
        let mut side = Side::White;
        for _ in 0..LONGEST {
            if pair.is_over() || bytes.is_empty() {
                break;
            }
            let choice: u8 = bytes.arbitrary()?;
            if choice == 254 && pair.fast.count() > 1 {
                let before = pair.fast.clone();
                let (cell, side) = pair.take();
                pair.compare();
                pair.put(cell, side);
                assert!(pair.fast == before, "a stone taken back leaves traces");
                continue;
            }
            let near: Vec<Cell> = pair.fast.near().collect();
            let cell = match choice {
                255 => bytes.choose_index(CELLS)? as Cell,
                _ if near.is_empty() => continue,
                _ => near[usize::from(choice) % near.len()],
            };
            if !pair.fast.is_empty(cell) {
                continue;
            }
            pair.put(cell, side);
            side = if side == Side::Black { Side::White } else { Side::Black };
            pair.compare();
            if side == Side::Black && !pair.is_over() {
                assert_eq!(reply(&pair.fast).map(xy), pair.slow.reply(|_, _| 0));
            }
        }
        Ok(pair.fast.count() > 1)
    }
}
