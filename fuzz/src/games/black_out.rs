//! The board as a mask, and the exact search at the end of a game.

use super::Game;
use arbitrary::{Result, Unstructured};
use evolve_games::black_out::BlackOut;
use policy::black_out::board::{Squares, segment};
use policy::black_out::dialogue;
use policy::black_out::exact::Solver;
use policy::black_out::player::{Player, Settings};
use policy::black_out::weights::Weights;
use policy::clock::Clock;
use policy_twins::black_out::compare::compare;
use policy_twins::black_out::twin;
use policy_twins::black_out::twin::Board;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The number of free squares from which the twin solves the game.
const END: usize = 7;

impl Game for BlackOut {
    const NAME: &'static str = "black-out";

    /// Chooses the random opponent, because the others solve ends of games, which is slow.
    fn options(_: u8) -> Value {
        json!({ "opponent": "random", "rounds": 2 })
    }

    fn play(told: &[u8], said: &mut Vec<u8>) -> std::result::Result<(), String> {
        let mut player = Player::new(Weights::DEFAULT, Settings { exact: 6 });
        dialogue::play(told, said, &Clock::UNLIMITED, &mut player)
    }

    /// Reads one byte for each move, or two if there are many moves.
    fn twin(mut bytes: Unstructured<'_>) -> Result<bool> {
        let (mut board, mut black): (Board, Squares) = Default::default();
        let mut solver = Solver::new();
        loop {
            let legal = compare(&board, black);
            let free = board.iter().flatten().filter(|&&is_black| !is_black).count();
            if free <= END {
                let expected = twin::is_lost(&board, &mut BTreeMap::new());
                assert_eq!(solver.is_lost(black, &Clock::UNLIMITED), Some(expected), "{board:?}");
                return Ok(true);
            }
            if bytes.is_empty() {
                return Ok(false);
            }
            let choice = *bytes.choose(&legal)?;
            board = twin::play(&board, choice);
            let [r1, c1, r2, c2] = choice.map(|number| number as u8);
            black |= segment((r1, c1), (r2, c2)).expect("a row or a column").squares;
        }
    }
}
