//! A submission for Solitaire chess: one program for all six groups.

use super::search;
use crate::export::{CLOCK, Module, PIECE, RANDOM, WEIGHTS, WORDS, checked, inline, literal, time};
use crate::policy_module;
use evolve_core::export::Program;
use evolve_core::policy_file::Policy;
use policy::solitaire_chess::beam::Settings;
use policy::solitaire_chess::greedy::ANY;
use policy::solitaire_chess::groups::GROUPS;
use policy::solitaire_chess::player::Search;
use policy::solitaire_chess::weights::{Terms, Weights};
use std::fmt::Write;
use std::time::Duration;

const SOLITAIRE_CHESS: Module = Module {
    inside: &[
        policy_module!("beam", "solitaire_chess/beam.rs"),
        policy_module!("board", "solitaire_chess/board.rs"),
        policy_module!("bonus", "solitaire_chess/bonus.rs"),
        policy_module!("dialogue", "solitaire_chess/dialogue.rs"),
        policy_module!("evaluation", "solitaire_chess/evaluation.rs"),
        policy_module!("greedy", "solitaire_chess/greedy.rs"),
        policy_module!("groups", "solitaire_chess/groups.rs"),
        policy_module!("player", "solitaire_chess/player.rs"),
        policy_module!("position", "solitaire_chess/position.rs"),
        policy_module!("prospects", "solitaire_chess/prospects.rs"),
        policy_module!("sampled", "solitaire_chess/sampled.rs"),
        policy_module!("sources", "solitaire_chess/sources.rs"),
        policy_module!("weights", "solitaire_chess/weights.rs"),
    ],
    ..policy_module!("solitaire_chess", "solitaire_chess/mod.rs")
};

/// The program.
///
/// # Errors
/// If two policies are for the same group, a weight is not finite, or the program would be too large.
pub fn program(policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String> {
    let mut by_group: [Option<&Policy>; GROUPS.len()] = [None; GROUPS.len()];
    for policy in policies {
        let group = policy.source.setup.options.get("group") as usize;
        if by_group[group - 1].replace(policy).is_some() {
            return Err(format!("two policies are for group {group}; a program takes one for each group"));
        }
    }
    let mut text = String::from(HEAD);
    text.push_str(&time(time_limit));
    text.push_str(MAIN);
    for (group, policy) in by_group.iter().enumerate() {
        text.push_str(&constants(group + 1, *policy)?);
    }
    text.push_str(&inline(&[CLOCK, PIECE, RANDOM, WEIGHTS, WORDS, SOLITAIRE_CHESS]));
    let untuned: Vec<String> =
        (1..=GROUPS.len()).filter(|&group| by_group[group - 1].is_none()).map(|g| g.to_string()).collect();
    let mut notes = Vec::new();
    if !untuned.is_empty() {
        let groups = untuned.join(", ");
        notes.push(format!("without weights for group {groups}: there it plays greedily by the hand-set weights"));
    }
    Ok(Program { source: checked(text)?, notes })
}

const HEAD: &str = "\
//! A player of Solitaire chess, exported by `evolve export`. It reads a board and plays by the contest's dialogue.
//!
//! Build it with `rustc -O --edition 2021 submission.rs`.

#![allow(dead_code)]

use clock::Clock;
use solitaire_chess::beam::Settings;
use solitaire_chess::dialogue;
use solitaire_chess::player::{Player, Search};
use solitaire_chess::weights::{Terms, Weights};
use std::process::ExitCode;
";

const MAIN: &str = "
fn main() -> ExitCode {
    let clock = TIME.map_or(Clock::UNLIMITED, Clock::start);
    let player = |group: usize| {
        let (weights, search) = [GROUP_1, GROUP_2, GROUP_3, GROUP_4, GROUP_5, GROUP_6][group - 1];
        Player::new(weights, search)
    };
    match dialogue::play(std::io::stdin().lock(), std::io::stdout().lock(), &clock, player) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!(\"error: {message}\");
            ExitCode::FAILURE
        }
    }
}
";

/// The constant of a group. A group without a policy plays greedily by the hand-set weights.
fn constants(group: usize, policy: Option<&Policy>) -> Result<String, String> {
    let mut text = String::new();
    let names: Vec<_> = GROUPS[group - 1].iter().map(|piece| piece.name()).collect();
    write!(text, "\n/// Group {group} ({}): ", names.join(" ")).expect("writing to a string does not fail");
    let Some(policy) = policy else {
        writeln!(text, "not tuned.").expect("writing to a string does not fail");
        writeln!(
            text,
            "const GROUP_{group}: (Weights, Search) =\n    (Weights::DEFAULT, Search::Greedy {{ margin: {ANY} }});"
        )
        .expect("writing to a string does not fail");
        return Ok(text);
    };
    writeln!(text, "tuned in the player {}.", policy.source.setup.player).expect("writing to a string does not fail");
    let weights = Weights::from_values(&policy.values).expect("a policy has every declared weight");
    let terms = |terms: &Terms, default: &Terms, name| {
        literal("Terms", Terms::DECLARED, &terms.values(), (&default.values(), name), "")
    };
    let start = terms(&weights.start, &Terms::DEFAULT, "DEFAULT")?;
    let drift = terms(&weights.drift, &Terms::ZERO, "ZERO")?;
    let settings = |beam: Settings| format!("Settings {{ width: {}, depth: {} }}", beam.width, beam.depth);
    let search = match search(&policy.submission) {
        Search::Greedy { margin } => format!("Search::Greedy {{ margin: {margin} }}"),
        Search::Beam(beam) => format!("Search::Beam({})", settings(beam)),
        Search::Expectimax { beam, endings, inner } => {
            let (beam, inner) = (settings(beam), settings(inner));
            format!("Search::Expectimax {{ beam: {beam}, endings: {endings}, inner: {inner} }}")
        }
        Search::Sampled { beam, samples } => {
            format!("Search::Sampled {{ beam: {}, samples: {samples} }}", settings(beam))
        }
    };
    // The terms stand by themselves, with little to indent, because contests count bytes.
    write!(
        text,
        "const GROUP_{group}: (Weights, Search) =\n    (Weights {{ start: START_{group}, drift: DRIFT_{group} }}, {search});\n\
         const START_{group}: Terms = {start};\nconst DRIFT_{group}: Terms = {drift};\n"
    )
    .expect("writing to a string does not fail");
    Ok(text)
}
