//! A submission for Gomoku.

use super::{read, search};
use crate::export::{CLOCK, LARGEST, Module, WEIGHTS, WORDS, fields, inline};
use crate::game::Program;
use crate::policy_file::Policy;
use crate::policy_module;
use policy::gomoku::lookahead::Settings;
use policy::gomoku::player::Search;
use policy::gomoku::weights::Weights;
use std::time::Duration;

const GOMOKU: Module = Module {
    inside: &[
        policy_module!("board", "gomoku/board.rs"),
        policy_module!("dialogue", "gomoku/dialogue.rs"),
        policy_module!("evaluation", "gomoku/evaluation.rs"),
        policy_module!("lookahead", "gomoku/lookahead.rs"),
        policy_module!("opponent", "gomoku/opponent.rs"),
        policy_module!("player", "gomoku/player.rs"),
        policy_module!("position", "gomoku/position.rs"),
        policy_module!("threats", "gomoku/threats.rs"),
        policy_module!("weights", "gomoku/weights.rs"),
    ],
    ..policy_module!("gomoku", "gomoku/mod.rs")
};

/// The share of the time limit that the player plans with, in percent: judges count the start of the process, their
/// own pipes and a loaded machine as well.
const PLANNED: u32 = 60;

/// The program.
///
/// # Errors
/// If there is more than one policy, a weight is not finite, or the program would be too large.
pub fn program(policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String> {
    let &[policy] = policies else {
        return Err(format!("a program for gomoku takes one policy, not {}", policies.len()));
    };
    if policy.weights.iter().any(|weight| !weight.is_finite()) {
        return Err("a weight of the policy is not a finite number".to_string());
    }
    let mut text = String::from(HEAD);
    text.push_str(&time(time_limit));
    text.push_str(&constants(policy));
    text.push_str(MAIN);
    text.push_str(&inline(&[CLOCK, WEIGHTS, WORDS, GOMOKU]));
    if text.len() > LARGEST {
        return Err(format!("the program has {} bytes; contests accept {LARGEST}", text.len()));
    }
    Ok(Program { source: text, notes: Vec::new() })
}

const HEAD: &str = "\
//! A player of Gomoku against a fixed strategy, exported by `evolve export`. It reads the opponent's moves and prints its
//! own, by the contest's dialogue.
//!
//! Build it with `rustc -O --edition 2021 submission.rs`.

#![allow(dead_code)]

use clock::Clock;
use gomoku::dialogue;
use gomoku::player::{Player, Search};
use gomoku::weights::Weights;
use std::process::ExitCode;
";

fn time(limit: Option<Duration>) -> String {
    match limit {
        Some(limit) => format!(
            "\n/// The time that a game may take by the player's own clock, of {} allowed by the judge.\n\
             const TIME: Option<std::time::Duration> = Some(std::time::Duration::from_micros({}));\n",
            humantime::format_duration(limit),
            (limit * PLANNED / 100).as_micros()
        ),
        None => "\n/// No time limit.\nconst TIME: Option<std::time::Duration> = None;\n".to_string(),
    }
}

fn constants(policy: &Policy) -> String {
    let weights = read(&policy.weights);
    let weights = if weights == Weights::DEFAULT {
        "Weights::DEFAULT".to_string()
    } else {
        let fields = fields(Weights::DECLARED, &weights.values(), &Weights::DEFAULT.values(), "    ");
        format!("Weights {{\n{fields}    ..Weights::DEFAULT\n}}")
    };
    let search = match search(&policy.submission) {
        Search::Greedy => "Search::Greedy".to_string(),
        Search::Lookahead(Settings { width, depth, playout }) => {
            format!(
                "Search::Lookahead(gomoku::lookahead::Settings {{ width: {width}, depth: {depth}, playout: {playout} }})"
            )
        }
    };
    format!(
        "\n/// The weights, tuned in the player {}.\nconst WEIGHTS: Weights = {weights};\n\
         \n/// The search.\nconst SEARCH: Search = {search};\n",
        policy.player
    )
}

const MAIN: &str = "
fn main() -> ExitCode {
    let clock = TIME.map_or(Clock::UNLIMITED, Clock::start);
    let mut player = Player::new(WEIGHTS, SEARCH);
    match dialogue::play(std::io::stdin().lock(), std::io::stdout().lock(), &clock, &mut player) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!(\"error: {message}\");
            ExitCode::FAILURE
        }
    }
}
";
