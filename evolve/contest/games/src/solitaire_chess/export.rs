//! The exported program of Solitaire chess, for all six groups.

use super::SolitaireChess;
use evolve_bundle::{Entry, POLICY, literal};
use evolve_contest::export::{ExportError, Exportable, ExportedProgram, Tuned};
use policy::solitaire_chess::greedy::ANY;
use policy::solitaire_chess::groups::GROUPS;
use policy::solitaire_chess::search::Search;
use policy::solitaire_chess::weights::{Terms, Weights};
use std::time::Duration;

impl Exportable for SolitaireChess {
    fn export(&self, policies: &[Tuned<'_>], time_limit: Option<Duration>) -> Result<ExportedProgram, ExportError> {
        let mut by_group: [Option<(&Tuned<'_>, Search)>; GROUPS.len()] = [None; GROUPS.len()];
        for policy in policies {
            let Some(game) = policy.problem.downcast_ref::<SolitaireChess>() else {
                return Err(ExportError::Policies("the policies are for several games".to_string()));
            };
            let group = game.options.group as usize;
            if by_group[group - 1].replace((policy, game.player.search())).is_some() {
                let message = format!("two policies are for group {group}; a program has one for each group");
                return Err(ExportError::Policies(message));
            }
        }
        let mut about = Vec::new();
        let mut constants = String::new();
        let mut players = String::new();
        let mut untuned = Vec::new();
        for (group, policy) in (1..).zip(by_group) {
            let (weights, search) = match policy {
                Some((policy, search)) => {
                    about.push(format!("Group {group}: {}", policy.about));
                    let weights = Weights::from_values(policy.values).expect("a policy has every declared weight");
                    (weights, search)
                }
                None => {
                    untuned.push(group.to_string());
                    about.push(format!("Group {group}: not tuned."));
                    (Weights::DEFAULT, Search::Greedy { margin: ANY })
                }
            };
            constants += &of_group(group, &weights, search)?;
            players += &format!("\t(SEARCH_{group}, Weights {{ start: START_{group}, drift: DRIFT_{group} }}),\n");
        }
        let items = format!(
            "\
use solitaire_chess::beam::Settings;
use solitaire_chess::search::{{Rollouts, Search}};
use solitaire_chess::weights::{{Terms, Weights}};
{constants}
/// By group how it plays.
const PLAYERS: [(Search, Weights); {}] = [
{players}];
",
            GROUPS.len()
        );
        let entry = Entry {
            title: "Solitaire chess",
            about,
            sources: &POLICY,
            module: "solitaire_chess",
            player: "|group: usize| PLAYERS[group - 1].0.player(PLAYERS[group - 1].1)",
            items,
            time_limit,
        };
        let mut program = entry.program()?;
        if !untuned.is_empty() {
            let groups = untuned.join(", ");
            let plural = if untuned.len() == 1 { "" } else { "s" };
            let note = format!(
                "no weights for group{plural} {groups}: the program plays greedily there, with default weights"
            );
            program.notes.push(note);
        }
        Ok(program)
    }
}

fn of_group(group: usize, weights: &Weights, search: Search) -> Result<String, ExportError> {
    let pieces: Vec<_> = GROUPS[group - 1].iter().map(|piece| piece.name()).collect();
    let pieces = pieces.join(" ");
    let terms = |terms: &Terms, default: &Terms, name| {
        literal("Terms", Terms::DECLARED, &terms.values(), (&default.values(), name), "")
    };
    let start = terms(&weights.start, &Terms::DEFAULT, "DEFAULT")?;
    let drift = terms(&weights.drift, &Terms::ZERO, "ZERO")?;
    Ok(format!(
        "
/// Group {group} ({pieces}) at the start of a game.
const START_{group}: Terms = {start};
/// Added to it linearly until the end of the game.
const DRIFT_{group}: Terms = {drift};
/// Settings of the search.
const SEARCH_{group}: Search = Search::{search:?};
"
    ))
}
