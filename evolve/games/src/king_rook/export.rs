//! A submission for king and rook.

use super::depth;
use crate::export::{Module, WEIGHTS, WORDS, checked, inline, literal};
use crate::policy_module;
use evolve_core::export::Program;
use evolve_core::policy_file::Policy;
use policy::king_rook::weights::Weights;

const KING_ROOK: Module = Module {
    inside: &[
        policy_module!("board", "king_rook/board.rs"),
        policy_module!("dialogue", "king_rook/dialogue.rs"),
        policy_module!("evaluation", "king_rook/evaluation.rs"),
        policy_module!("player", "king_rook/player.rs"),
        policy_module!("position", "king_rook/position.rs"),
        policy_module!("symmetry", "king_rook/symmetry.rs"),
        policy_module!("weights", "king_rook/weights.rs"),
    ],
    ..policy_module!("king_rook", "king_rook/mod.rs")
};

/// The program. It moves within milliseconds, whatever the time limit.
///
/// # Errors
/// If there are several policies, a weight is not finite, or the program would be too large.
pub fn program(policies: &[&Policy]) -> Result<Program, String> {
    let &[policy] = policies else {
        return Err(
            "a program plays one policy; king and rook has no options that could tell several apart".to_string()
        );
    };
    let default = Weights::DEFAULT.values();
    let weights = literal("Weights", Weights::DECLARED, &policy.values, (&default, "DEFAULT"), "")?;
    let source = format!(
        "{HEAD}\n/// Tuned in the player {}.\nconst WEIGHTS: Weights = {weights};\n\n\
         /// Moves of White looked ahead.\nconst DEPTH: u32 = {};\n{}",
        policy.source.setup.player,
        depth(&policy.submission),
        inline(&[WEIGHTS, WORDS, KING_ROOK])
    );
    Ok(Program { source: checked(source)?, notes: Vec::new() })
}

const HEAD: &str = "\
//! A player of king and rook against king, exported by `evolve export`. It plays by the contest's dialogue.
//!
//! Build it with `rustc -O --edition 2021 submission.rs`.

#![allow(dead_code)]

use king_rook::dialogue;
use king_rook::player::Player;
use king_rook::weights::Weights;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut player = Player::new(WEIGHTS, DEPTH);
    match dialogue::play(std::io::stdin().lock(), std::io::stdout().lock(), &mut player) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!(\"error: {message}\");
            ExitCode::FAILURE
        }
    }
}
";
