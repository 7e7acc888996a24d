//! A submission for Black Out.

use super::settings;
use crate::export::{CLOCK, LARGEST, Module, WEIGHTS, WORDS, fields, inline};
use crate::game::Program;
use crate::policy_file::Policy;
use crate::policy_module;
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

/// The share of the time limit that the player plans with, in percent: judges count their own pipes and a loaded
/// machine as well.
const PLANNED: u32 = 75;

/// The program.
///
/// # Errors
/// If there is more than one policy, a weight is not finite, or the program would be too large.
pub fn program(policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String> {
    let [policy] = policies else {
        return Err(format!("a program for Black Out takes one policy, not {}", policies.len()));
    };
    if policy.weights.iter().any(|weight| !weight.is_finite()) {
        return Err("a weight of the policy is not a finite number".to_string());
    }
    let time = match time_limit {
        Some(limit) => format!(
            "/// The time that a game may take by the player's own clock, of {} allowed by the judge.\n\
             const TIME: Option<std::time::Duration> = Some(std::time::Duration::from_micros({}));\n",
            humantime::format_duration(limit),
            (limit * PLANNED / 100).as_micros()
        ),
        None => "/// No time limit.\nconst TIME: Option<std::time::Duration> = None;\n".to_string(),
    };
    let exact = settings(&policy.submission).exact;
    let fields = fields(Weights::DECLARED, &policy.weights, &Weights::DEFAULT.values(), "    ");
    let weights = match fields.as_str() {
        "" => "Weights::DEFAULT".to_string(),
        fields => format!("Weights {{\n{fields}    ..Weights::DEFAULT\n}}"),
    };
    let source = format!(
        "{HEAD}\n{time}\n/// Tuned in the player {}.\nconst WEIGHTS: Weights = {weights};\n\n\
         /// How it looks ahead.\nconst SETTINGS: Settings = Settings {{ exact: {exact} }};\n{MAIN}{}",
        policy.player,
        inline(&[BLACK_OUT, CLOCK, WEIGHTS, WORDS])
    );
    if source.len() > LARGEST {
        return Err(format!("the program has {} bytes; contests accept {LARGEST}", source.len()));
    }
    Ok(Program { source, notes: Vec::new() })
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
