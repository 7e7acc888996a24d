//! Tests of replays: they show the games that were played, and the explanations of moves add up.

use evolve_contest::replay::{Replay, Step, Why};
use evolve_core::job::Catalogue;
use evolve_core::job::policy_file::Policy;
use evolve_games::GAMES;
use evolve_games_testing::{contest, with_player};
use evolve_search::model::problem::{Candidate, Context, Problem, Session};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::Case;
use std::path::Path;
use std::sync::Arc;

fn policy(results: &str) -> Policy {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../results").join(results);
    Policy::read(&folder, &Catalogue::new(&GAMES)).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Replays deals, and checks properties of all replays.
fn replays(policy: &Policy, problem: &dyn Problem, deals: usize) -> Vec<Replay> {
    replays_of(policy, problem, &Case::first(7, Split::Measurement, deals))
}

/// Returns the deal with the smallest board among `deals` deals.
fn smallest(policy: &Policy, deals: usize) -> Case {
    let parameters = policy.problem.parameters();
    let candidate = Candidate::new(&parameters, &policy.values);
    let deals = Case::first(7, Split::Measurement, deals);
    let replayable = contest(&*policy.problem).replayable().unwrap();
    let replays = replayable.replay(candidate, &deals, &Context::default()).unwrap();
    let (_, deal) = replays.iter().zip(deals).min_by_key(|(replay, _)| replay.steps.len()).unwrap();
    deal
}

fn replays_of(policy: &Policy, problem: &dyn Problem, deals: &[Case]) -> Vec<Replay> {
    let parameters = problem.parameters();
    let candidate = Candidate::new(&parameters, &policy.values);
    let replayable = contest(problem).replayable().expect("games have replays");
    let replays = replayable.replay(candidate, deals, &Context::default()).unwrap();
    assert_eq!(replays.len(), deals.len());
    let session: Arc<dyn Session> = problem.open(Context::default()).unwrap().into();
    let contender = session.contender(candidate);
    for (replay, deal) in replays.iter().zip(deals) {
        let outcome = contender.player().play(deal, None).unwrap();
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

/// Checks that the chosen move comes first, and that the parts of its lead over the second move add
/// up.
fn adds_up(step: &Step, parameters: usize) {
    let why = step.why.as_ref().expect("every move has a reason");
    assert!(why.note.is_some() || why.considered.len() > 1, "{step:?}");
    let is_alone = why.note.as_ref().is_some_and(|note| note.starts_with("all other"));
    assert!(!is_alone || why.considered.len() == 1, "{step:?}");
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

fn whys(replays: &[Replay]) -> impl Iterator<Item = &Why> {
    replays.iter().flat_map(|replay| &replay.steps).filter_map(|step| step.why.as_ref())
}

/// Returns whether replays show lines after the chosen moves.
fn draws_lines(replays: &[Replay]) -> bool {
    whys(replays).filter_map(|why| why.considered.first()).any(|chosen| chosen.line.len() > 1)
}

/// Returns whether weights explain the moves that an evaluation decided.
fn names_weights(replays: &[Replay]) -> bool {
    whys(replays).filter_map(|why| why.split.as_ref()).any(|split| !split.weights.is_empty())
}

/// Returns by how much a move is better than the best of the others.
fn lead(why: &Why) -> Option<f64> {
    let [chosen, other, ..] = &why.considered[..] else { return None };
    Some(chosen.value - other.value)
}

/// Returns whether each move that was decided by values has the largest value.
fn best_by_value(replays: &[Replay]) -> bool {
    let mut leads = whys(replays).filter_map(lead).peekable();
    assert!(leads.peek().is_some(), "values decided some move");
    leads.all(|lead| lead >= -1e-9)
}

#[test]
fn black_out() {
    let policy = policy("black-out");
    for problem in [&policy.problem, &policy.submission] {
        let replays = replays(&policy, &**problem, 8);
        assert!(best_by_value(&replays) && names_weights(&replays));
    }
}

#[test]
fn king_rook() {
    let policy = policy("king-rook");
    let replays = replays(&policy, &*policy.submission, 4);
    assert!(best_by_value(&replays) && names_weights(&replays) && draws_lines(&replays));
}

#[test]
fn gomoku() {
    let policy = policy("gomoku");
    let greedy = replays(&policy, &*policy.problem, 4);
    assert!(best_by_value(&greedy) && names_weights(&greedy));
    assert!(best_by_value(&replays(&policy, &*policy.submission, 3)));
}

#[test]
fn chess_puzzle() {
    let policy = policy("chess-puzzle/greedy");
    let greedy = replays(&policy, &*policy.problem, 3);
    assert!(best_by_value(&greedy) && names_weights(&greedy));
    let beam = with_player(&*policy.problem, "beam", &[("width", 5), ("depth", 6)]);
    let searched = replays(&policy, &*beam, 2);
    assert!(best_by_value(&searched) && draws_lines(&searched) && !names_weights(&searched));
    // Simulated games may overrule the values, and the replay then says so.
    let small = smallest(&policy, 40);
    let replays = replays_of(&policy, &*policy.submission, &[small]);
    let mut against = whys(&replays).filter(|why| lead(why).is_some_and(|lead| lead < -1e-9));
    assert!(against.all(|why| why.note.as_ref().unwrap().contains("decided; the values")));
}

#[test]
fn solitaire_chess() {
    for results in ["group-1", "group-3-greedy", "group-4-greedy", "group-5-greedy", "group-6-greedy"] {
        let policy = policy(&format!("solitaire-chess/{results}"));
        let greedy = replays(&policy, &*policy.problem, 4);
        assert!(best_by_value(&greedy) && names_weights(&greedy), "{results}");
    }
    let policy = policy("solitaire-chess/group-6");
    let searched = replays(&policy, &*policy.problem, 2);
    assert!(best_by_value(&searched) && draws_lines(&searched) && !names_weights(&searched));
}

#[test]
fn solitaire_chess_as_submitted() {
    for (results, draws) in [("group-3", true), ("group-4", false), ("group-5", true), ("group-6", true)] {
        let policy = policy(&format!("solitaire-chess/{results}"));
        let replays = replays(&policy, &*policy.submission, 1);
        assert!(best_by_value(&replays), "{results}");
        assert_eq!(draws_lines(&replays), draws, "{results}");
    }
}

#[test]
fn solitaire_chess_over_completions_and_then_exactly() {
    let policy = policy("solitaire-chess/group-4");
    let sampled =
        with_player(&*policy.problem, "sampled", &[("width", 3), ("depth", 12), ("samples", 4), ("exact", 2000)]);
    let replays = replays(&policy, &*sampled, 1);
    assert!(best_by_value(&replays));
    let notes: Vec<&str> = whys(&replays).filter_map(|why| why.note.as_deref()).collect();
    for said in ["over 4 completions", "play is exact"] {
        assert!(notes.iter().any(|note| note.contains(said)), "{said}: {notes:?}");
    }
}
