//! A submission for Black Out.

use super::settings;
use crate::export::{CLOCK, Module, WEIGHTS, WORDS, checked, inline, literal, time};
use crate::policy_module;
use evolve_core::export::Program;
use evolve_core::policy_file::Policy;
use policy::black_out::weights::Weights;
use std::time::Duration;

const BLACK_OUT: Module = Module {
    inside: &[
        policy_module!("board", "black_out/board.rs"),
        policy_module!("dialogue", "black_out/dialogue.rs"),
        policy_module!("evaluation", "black_out/evaluation.rs"),
        policy_module!("exact", "black_out/exact.rs"),
        policy_module!("features", "black_out/features.rs"),
        policy_module!("player", "black_out/player.rs"),
        policy_module!("weights", "black_out/weights.rs"),
    ],
    ..policy_module!("black_out", "black_out/mod.rs")
};

/// The program.
///
/// # Errors
/// If there is more than one policy, a weight is not finite, or the program would be too large.
pub fn program(policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String> {
    let [policy] = policies else {
        return Err(format!("a program for Black Out takes one policy, not {}", policies.len()));
    };
    let exact = settings(&policy.submission).exact;
    let default = Weights::DEFAULT.values();
    let weights = literal("Weights", Weights::DECLARED, &policy.values, (&default, "DEFAULT"), "")?;
    let source = format!(
        "{HEAD}{}\n/// Tuned in the player {}.\nconst WEIGHTS: Weights = {weights};\n\n\
         /// How it looks ahead.\nconst SETTINGS: Settings = Settings {{ exact: {exact} }};\n{MAIN}{}",
        time(time_limit),
        policy.source.setup.player,
        inline(&[BLACK_OUT, CLOCK, WEIGHTS, WORDS])
    );
    Ok(Program { source: checked(source)?, notes: Vec::new() })
}

const HEAD: &str = "\
//! A player of Black Out, exported by `evolve export`. It plays by the contest's dialogue.
//!
//! Build it with `rustc -O --edition 2021 submission.rs`.

#![allow(dead_code)]

use black_out::dialogue;
use black_out::player::{Player, Settings};
use black_out::weights::Weights;
use std::process::ExitCode;
";

const MAIN: &str = "
fn main() -> ExitCode {
    let mut player = Player::new(WEIGHTS, SETTINGS);
    match dialogue::play(std::io::stdin().lock(), std::io::stdout().lock(), TIME, &mut player) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!(\"error: {message}\");
            ExitCode::FAILURE
        }
    }
}
";
