//! A submission for Gomoku.

use super::search;
use crate::export::{CLOCK, Module, WEIGHTS, WORDS, checked, inline, literal, time};
use crate::policy_module;
use evolve_core::export::Program;
use evolve_core::policy_file::Policy;
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

/// The program.
///
/// # Errors
/// If there is more than one policy, a weight is not finite, or the program would be too large.
pub fn program(policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String> {
    let &[policy] = policies else {
        return Err(format!("a program for gomoku takes one policy, not {}", policies.len()));
    };
    let mut text = String::from(HEAD);
    text.push_str(&time(time_limit));
    text.push_str(&constants(policy)?);
    text.push_str(MAIN);
    text.push_str(&inline(&[CLOCK, WEIGHTS, WORDS, GOMOKU]));
    Ok(Program { source: checked(text)?, notes: Vec::new() })
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

fn constants(policy: &Policy) -> Result<String, String> {
    let default = Weights::DEFAULT.values();
    let weights = literal("Weights", Weights::DECLARED, &policy.values, (&default, "DEFAULT"), "")?;
    let search = match search(&policy.submission) {
        Search::Greedy => "Search::Greedy".to_string(),
        Search::Lookahead(Settings { width, depth, playout }) => {
            format!(
                "Search::Lookahead(gomoku::lookahead::Settings {{ width: {width}, depth: {depth}, playout: {playout} }})"
            )
        }
    };
    Ok(format!(
        "\n/// The weights, tuned in the player {}.\nconst WEIGHTS: Weights = {weights};\n\
         \n/// The search.\nconst SEARCH: Search = {search};\n",
        policy.source.setup.player
    ))
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
