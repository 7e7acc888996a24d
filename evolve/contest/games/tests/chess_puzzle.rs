//! Tests that the exported program of ChessPuzzle, built by plain `rustc`, plays exactly like the
//! built-in player.

use evolve_games_testing::{
    assert_answers, assert_exported, build, converse, export, problem, referees, reference, with_player,
};
use policy::chess_puzzle::beam::Settings;
use policy::chess_puzzle::dialogue;
use policy::chess_puzzle::search::Search;
use policy::chess_puzzle::weights::Weights;
use policy::clock::Clock;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;
use tempfile::TempDir;

/// Returns the greedy player's program, built once for all tests.
fn greedy() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let built = || {
        let mut policy = reference("chess-puzzle/refined");
        policy.submission = with_player(&*policy.problem, "greedy", &[]);
        let folder = TempDir::new().unwrap();
        let program = build(&export(&[&policy], None).unwrap().source, &folder);
        (folder, program)
    };
    &PROGRAM.get_or_init(built).1
}

#[test]
fn the_program_plays_like_the_built_in_player() {
    let contest = referees(&*problem("chess-puzzle", &[]));
    let mut policy = reference("chess-puzzle/refined");
    let beam = Settings { width: 3, depth: 4 };
    for (name, settings, search, deals) in [
        ("greedy", &[] as &[(&str, i64)], Search::Greedy, 1..11),
        ("beam", &[("width", 3), ("depth", 4)], Search::Beam(beam), 1..5),
        // The contest's first game is small.
        ("sampled", &[("width", 3), ("depth", 4), ("samples", 16)], Search::Sampled { beam, samples: 16 }, 1..3),
    ] {
        policy.submission = with_player(&*policy.problem, name, settings);
        let folder = TempDir::new().unwrap();
        let built;
        let program = match search {
            Search::Greedy => greedy(),
            _ => {
                built = build(&export(&[&policy], None).unwrap().source, &folder);
                &built
            }
        };
        for number in deals {
            let (told, said) = converse(program, contest.original(number).unwrap());
            let mut expected = Vec::new();
            let player = |position: &_| search.player(&Weights::from_values(&policy.values).unwrap(), position);
            dialogue::play(told.as_bytes(), &mut expected, &Clock::UNLIMITED, player).unwrap();
            assert_eq!(said, String::from_utf8(expected).unwrap(), "{name}, game {number}");
            assert!(said.lines().count() > 20);
        }
    }
}

#[test]
fn broken_input_is_answered() {
    let contest = referees(&*problem("chess-puzzle", &[]));
    let board = contest.original(1).unwrap().open();
    let inputs = [
        (board.as_str(), 0, ""),
        ("", 1, "error: the input ends before the number of layers\n"),
        ("1\n6\n1234KB\n", 1, "error: the board ends before row 1 of 6 (counted from 0)\n"),
        (&board.replace('Q', "X"), 1, "there is no tile `X`"),
        (&format!("{board}Z\n"), 1, "was due"),
    ];
    assert_answers(greedy(), &inputs);
}

#[test]
fn the_submission_in_results_is_up_to_date() {
    assert_exported(&["chess-puzzle/refined"], Some(Duration::from_secs(20)), "chess-puzzle/submission.rs");
}
