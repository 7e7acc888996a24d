//! A submission for ChessPuzzle.

use super::search;
use crate::export::{CLOCK, Module, PIECE, WEIGHTS, WORDS, checked, inline, literal, time};
use crate::policy_module;
use evolve_core::export::Program;
use evolve_core::policy_file::Policy;
use policy::chess_puzzle::beam::Settings;
use policy::chess_puzzle::player::Search;
use policy::chess_puzzle::weights::{Terms, Weights};
use std::time::Duration;

const CHESS_PUZZLE: Module = Module {
    inside: &[
        policy_module!("beam", "chess_puzzle/beam.rs"),
        policy_module!("board", "chess_puzzle/board.rs"),
        policy_module!("dialogue", "chess_puzzle/dialogue.rs"),
        policy_module!("evaluation", "chess_puzzle/evaluation.rs"),
        policy_module!("field", "chess_puzzle/field.rs"),
        policy_module!("player", "chess_puzzle/player.rs"),
        policy_module!("position", "chess_puzzle/position.rs"),
        policy_module!("sampled", "chess_puzzle/sampled.rs"),
        policy_module!("weights", "chess_puzzle/weights.rs"),
    ],
    ..policy_module!("chess_puzzle", "chess_puzzle/mod.rs")
};

/// The program.
///
/// # Errors
/// If there is more than one policy, a weight is not finite, or the program would be too large.
pub fn program(policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String> {
    let [policy] = policies else {
        return Err(format!("a program plays by one policy, not by {}", policies.len()));
    };
    let weights = Weights::from_values(&policy.values).expect("a policy has every declared weight");
    let terms = |terms: &Terms, default: &Terms, name| {
        literal("Terms", Terms::DECLARED, &terms.values(), (&default.values(), name), "    ")
    };
    let settings = |beam: Settings| format!("Settings {{ width: {}, depth: {} }}", beam.width, beam.depth);
    let search = match search(&policy.submission) {
        Search::Beam(beam) => format!("Search::Beam({})", settings(beam)),
        Search::Sampled { beam, samples } => {
            format!("Search::Sampled {{ beam: {}, samples: {samples} }}", settings(beam))
        }
    };
    let source = format!(
        "{HEAD}{}{MAIN}\n/// Tuned in the player {}.\nconst WEIGHTS: Weights = Weights {{\n    start: {},\n    \
         drift: {},\n    tight: {},\n    layers: {},\n}};\n\nconst SEARCH: Search = {search};\n{}",
        time(time_limit),
        policy.source.setup.player,
        terms(&weights.start, &Terms::DEFAULT, "DEFAULT")?,
        terms(&weights.drift, &Terms::ZERO, "ZERO")?,
        terms(&weights.tight, &Terms::ZERO, "ZERO")?,
        terms(&weights.layers, &Terms::ZERO, "ZERO")?,
        inline(&[CLOCK, PIECE, WEIGHTS, WORDS, CHESS_PUZZLE]),
    );
    Ok(Program { source: checked(source)?, notes: Vec::new() })
}

const HEAD: &str = "\
//! A player of ChessPuzzle, exported by `evolve export`. It reads a board and plays by the contest's dialogue.
//!
//! Build it with `rustc -O --edition 2021 submission.rs`.

#![allow(dead_code)]

use chess_puzzle::beam::Settings;
use chess_puzzle::dialogue;
use chess_puzzle::player::{Player, Search};
use chess_puzzle::weights::{Terms, Weights};
use clock::Clock;
use std::process::ExitCode;
";

const MAIN: &str = "
fn main() -> ExitCode {
    let clock = TIME.map_or(Clock::UNLIMITED, Clock::start);
    let player = |position: &_| Player::new(&WEIGHTS, SEARCH, position);
    match dialogue::play(std::io::stdin().lock(), std::io::stdout().lock(), &clock, player) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!(\"error: {message}\");
            ExitCode::FAILURE
        }
    }
}
";
