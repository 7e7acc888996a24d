//! Games to be looked at: they are the games that were played, and what is said of their moves adds up.

use evolve_core::policy_file::Policy;
use evolve_core::problem::{Candidate, Catalogue};
use evolve_core::replay::{Replay, Step};
use evolve_core::seed::Purpose;
use evolve_core::setup::Setup;
use evolve_core::trial::Deal;
use evolve_games::GAMES;
use std::path::Path;

fn policy(results: &str) -> Policy {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results").join(results);
    Policy::read(&folder, &Catalogue::new(&GAMES)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// Plays deals, and checks what holds of replays of any game.
fn replays(policy: &Policy, setup: &Setup, deals: usize) -> Vec<Replay> {
    let problem = policy.source.problem;
    let parameters = problem.parameters();
    let candidate = Candidate::new(&parameters, &policy.values);
    let deals = Deal::first(7, Purpose::Measurement, deals);
    let replays = problem.replayable().expect("games can be looked at").replay(setup, candidate, &deals).unwrap();
    assert_eq!(replays.len(), deals.len());
    problem.prepare(setup).unwrap();
    let contender = problem.contender(setup, candidate);
    for (replay, deal) in replays.iter().zip(&deals) {
        let outcome = contender.player().play(deal).unwrap();
        assert_eq!(replay.score, outcome.score, "the game that was played");
        check(replay, parameters.len());
    }
    replays
}

fn check(replay: &Replay, parameters: usize) {
    let cells = replay.rows * replay.columns;
    let is_face = |face: u16| usize::from(face) < replay.faces.len();
    assert_eq!(replay.start.len(), cells);
    assert!(replay.start.iter().all(|&face| is_face(face)));
    assert!(!replay.steps.is_empty());
    for step in &replay.steps {
        let replied = step.reply.iter().flat_map(|reply| &reply.changes);
        for &(place, face) in step.changes.iter().chain(replied) {
            assert!(usize::from(place) < cells && is_face(face));
        }
        assert!(step.legal.is_empty() || step.legal.contains(&step.cells[step.cells.len() - 1]), "{step:?}");
        assert_eq!(step.totals.len(), replay.parts.len());
        adds_up(step, parameters);
    }
}

/// The chosen move comes first, and the bars add up to its value less that of the second.
fn adds_up(step: &Step, parameters: usize) {
    let why = step.why.as_ref().expect("every move has a reason");
    assert!(why.note.is_some() || why.considered.len() > 1, "{step:?}");
    if let Some(chosen) = why.considered.first() {
        assert_eq!((&chosen.name, &chosen.cells), (&step.name, &step.cells));
    }
    let Some(split) = &why.split else { return };
    let [chosen, other] = &why.considered[..2] else { panic!("two moves are compared") };
    let size = chosen.value.abs().max(other.value.abs()).max(1.0);
    assert!((split.difference - (chosen.value - other.value)).abs() < 1e-9 * size, "{step:?}");
    assert!((split.sum() - split.difference).abs() < 1e-9 * size, "{step:?}");
    assert!(split.weights.iter().all(|&(place, _)| place < parameters));
}

/// Whether each move that values decided has the largest of them.
fn best_by_value(replays: &[Replay]) -> bool {
    let whys = replays.iter().flat_map(|replay| &replay.steps).filter_map(|step| step.why.as_ref());
    let mut compared = whys.filter_map(|why| why.split.as_ref()).peekable();
    assert!(compared.peek().is_some(), "some move was a matter of values");
    compared.all(|split| split.difference >= -1e-9)
}

#[test]
fn black_out() {
    let policy = policy("black-out");
    for setup in [&policy.source.setup, &policy.submission_setup()] {
        assert!(best_by_value(&replays(&policy, setup, 8)));
    }
}

#[test]
fn king_rook() {
    let policy = policy("king-rook");
    assert!(best_by_value(&replays(&policy, &policy.submission_setup(), 4)));
}

#[test]
fn gomoku() {
    let policy = policy("gomoku");
    assert!(best_by_value(&replays(&policy, &policy.source.setup, 4)));
    // The search may prefer what the evaluation does not.
    replays(&policy, &policy.submission_setup(), 2);
}

#[test]
fn chess_puzzle() {
    let policy = policy("chess-puzzle/greedy");
    assert!(best_by_value(&replays(&policy, &policy.source.setup, 3)));
}

#[test]
fn solitaire_chess() {
    for results in ["group-1", "group-3-greedy", "group-4-greedy", "group-5-greedy", "group-6-greedy"] {
        let policy = policy(&format!("solitaire-chess/{results}"));
        assert!(best_by_value(&replays(&policy, &policy.source.setup, 4)), "{results}");
    }
    let policy = policy("solitaire-chess/group-6");
    replays(&policy, &policy.source.setup, 1);
}
