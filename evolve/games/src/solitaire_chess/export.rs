//! A submission for Solitaire chess: one program for all six groups.

use super::search;
use crate::export::{Entry, Sources, literal};
use evolve_core::export::{Program, Tuned};
use policy::solitaire_chess::beam::Settings;
use policy::solitaire_chess::greedy::ANY;
use policy::solitaire_chess::groups::GROUPS;
use policy::solitaire_chess::search::{Rollouts, Search};
use policy::solitaire_chess::weights::{Terms, Weights};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

/// The program.
///
/// # Errors
/// If two policies are for the same group, a weight is not finite, or the program would be too large.
pub fn program(policies: &[Tuned<'_>], time_limit: Option<Duration>) -> Result<Program, String> {
    let mut by_group: [Option<&Tuned<'_>>; GROUPS.len()] = [None; GROUPS.len()];
    for policy in policies {
        let group = policy.setup.options.get("group") as usize;
        if by_group[group - 1].replace(policy).is_some() {
            return Err(format!("two policies are for group {group}; a program takes one for each group"));
        }
    }
    let mut about = Vec::new();
    let mut uses = BTreeSet::from(["player::Player", "weights::{Terms, Weights}"]);
    let mut players = String::new();
    let mut constants = String::new();
    let mut untuned = Vec::new();
    for (group, policy) in (1..).zip(by_group) {
        let (weights, search) = match policy {
            Some(policy) => {
                about.push(format!("Group {group}: {}", policy.about));
                let weights = Weights::from_values(policy.values).expect("a policy has every declared weight");
                (weights, search(&policy.setup.player))
            }
            None => {
                untuned.push(group.to_string());
                about.push(format!("Group {group}: not tuned."));
                (Weights::DEFAULT, Search::Greedy { margin: ANY })
            }
        };
        let search = written(search, &mut uses);
        writeln!(
            players,
            "        {group} => Player::new(Weights {{ start: START_{group}, drift: DRIFT_{group} }}, {search}),"
        )
        .expect("writing to a string does not fail");
        constants += &terms(group, &weights)?;
    }
    let uses: String = uses.iter().map(|name| format!("use solitaire_chess::{name};\n")).collect();
    let items = format!(
        "\
{uses}
fn player(group: usize) -> Player {{
    match group {{
{players}        _ => unreachable!(\"there are {} groups\"),
    }}
}}
{constants}",
        GROUPS.len()
    );
    let entry = Entry {
        game: "Solitaire chess",
        about,
        play: "solitaire_chess::dialogue::play",
        player: "player",
        items,
        time_limit,
    };
    let mut program = entry.program(&[Sources::policy()])?;
    if !untuned.is_empty() {
        let groups = untuned.join(", ");
        program
            .notes
            .push(format!("without weights for group {groups}: there it plays greedily by the hand-set weights"));
    }
    Ok(program)
}

/// The expression that makes a search.
fn written(search: Search, uses: &mut BTreeSet<&'static str>) -> String {
    let settings = |beam: Settings| format!("Settings {{ width: {}, depth: {} }}", beam.width, beam.depth);
    let searcher = match search {
        Search::Greedy { margin } => {
            uses.insert("greedy::Greedy");
            format!("Greedy::new({margin})")
        }
        Search::Beam(beam) => {
            uses.extend(["beam::Beam", "beam::Settings"]);
            format!("Box::new(Beam::new({}))", settings(beam))
        }
        Search::Expectimax { beam, endings, inner, deeper, rollouts, .. } => {
            uses.extend(["beam::expectimax::Expectimax", "beam::Settings"]);
            let search = format!("Expectimax::new({}, {endings}, {}, {deeper:?})", settings(beam), settings(inner));
            match rollouts {
                None => format!("Box::new({search})"),
                Some(Rollouts { most, length, beam }) => {
                    uses.insert("beam::expectimax::rollout::Rollout");
                    format!("Box::new(Rollout::new({search}, {most}, {length}, {}))", settings(beam))
                }
            }
        }
        Search::Sampled { beam, samples, .. } => {
            uses.extend(["sampled::Sampled", "beam::Settings"]);
            format!("Box::new(Sampled::new({}, {samples}))", settings(beam))
        }
    };
    match search.exact() {
        0 => searcher,
        most => {
            uses.insert("endgame::Endgame");
            format!("Box::new(Endgame::new({most}, {searcher}))")
        }
    }
}

/// The constants of a group.
fn terms(group: usize, weights: &Weights) -> Result<String, String> {
    let pieces: Vec<_> = GROUPS[group - 1].iter().map(|piece| piece.name()).collect();
    let terms = |terms: &Terms, default: &Terms, name| {
        literal("Terms", Terms::DECLARED, &terms.values(), (&default.values(), name), "")
    };
    let start = terms(&weights.start, &Terms::DEFAULT, "DEFAULT")?;
    let drift = terms(&weights.drift, &Terms::ZERO, "ZERO")?;
    let pieces = pieces.join(" ");
    Ok(format!(
        "\n/// Group {group} ({pieces}) at the start of a game.\nconst START_{group}: Terms = {start};\n\
         /// What is added to it until the end of the game.\nconst DRIFT_{group}: Terms = {drift};\n"
    ))
}
