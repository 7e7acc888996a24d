//! ChessPuzzle from weights to a program: built by a plain `rustc`, it plays click for click like the built-in player.

mod shared;

use assert_cmd::Command as Assert;
use evolve::export::LARGEST;
use evolve::games;
use evolve::policy_file::Policy;
use policy::chess_puzzle::beam::Settings;
use policy::chess_puzzle::dialogue;
use policy::chess_puzzle::search::Search;
use policy::chess_puzzle::weights::Weights;
use policy::clock::Clock;
use shared::{build, converse};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/chess-puzzle")
}

/// The greedy player's program, built once for all tests.
fn greedy() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let built = || {
        let mut policy = Policy::read(&results().join("greedy")).unwrap();
        policy.submission = policy.game.player("greedy", []).unwrap();
        let folder = TempDir::new().unwrap();
        let program = build(&policy.game.export(&[&policy], None).unwrap().source, &folder);
        (folder, program)
    };
    &PROGRAM.get_or_init(built).1
}

#[test]
fn the_program_plays_like_the_built_in_player() {
    let game = games::find("chess-puzzle").unwrap();
    let mut policy = Policy::read(&results().join("greedy")).unwrap();
    let beam = Settings { width: 3, depth: 4 };
    for (name, settings, search, deals) in [
        ("greedy", &[] as &[(&str, i64)], Search::Greedy, 1..11),
        ("beam", &[("width", 3), ("depth", 4)], Search::Beam(beam), 1..5),
        // The contest's first game is small.
        ("sampled", &[("width", 3), ("depth", 4), ("samples", 16)], Search::Sampled { beam, samples: 16 }, 1..3),
    ] {
        policy.submission = game.player(name, settings.iter().map(|&(name, value)| (name.to_string(), value))).unwrap();
        let folder = TempDir::new().unwrap();
        let built;
        let program = match search {
            Search::Greedy => greedy(),
            _ => {
                built = build(&game.export(&[&policy], None).unwrap().source, &folder);
                &built
            }
        };
        for number in deals {
            let (told, said) = converse(program, game.original(&policy.options, number).unwrap());
            let mut expected = Vec::new();
            let player = |position: &_| search.player(&Weights::from_values(&policy.weights).unwrap(), position);
            dialogue::play(told.as_bytes(), &mut expected, &Clock::UNLIMITED, player).unwrap();
            assert_eq!(said, String::from_utf8(expected).unwrap(), "{name}, game {number}");
            assert!(said.lines().count() > 20);
        }
    }
}

#[test]
fn broken_input_is_answered() {
    let game = games::find("chess-puzzle").unwrap();
    let policy = Policy::read(&results().join("greedy")).unwrap();
    let program = greedy();
    let board = game.original(&policy.options, 1).unwrap().open();
    for (input, status, message) in [
        (board.as_str(), 0, ""),
        ("", 1, "error: the input ends before the number of layers\n"),
        ("1\n6\n1234KB\n", 1, "error: the board ends before row 1 of 6 (counted from 0)\n"),
        (&board.replace('Q', "X"), 1, "there is no tile `X`"),
        (&format!("{board}Z\n"), 1, "was due"),
    ] {
        let assert = Assert::new(program).write_stdin(input).assert().code(status);
        let stderr = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(if message.is_empty() { stderr.is_empty() } else { stderr.contains(message) }, "{stderr}");
    }
}

#[test]
fn the_judge_plays_the_contests_own_games() {
    // No player with a budget: how far that comes within the judge's limit is up to the machine.
    let program = greedy();
    let judge = |numbers: &str| {
        let mut command = Assert::new(env!("CARGO_BIN_EXE_evolve"));
        command.args(["judge", "chess-puzzle", "--seeds", numbers, "--json", "--time-limit", "1m", "--"]).arg(program);
        let assert = command.assert().success();
        serde_json::from_slice::<serde_json::Value>(&assert.get_output().stdout).unwrap()
    };
    let report = judge("1-10");
    assert_eq!((&report["games"], &report["failed"]), (&10.into(), &0.into()));
    assert_eq!(report["seeds"], serde_json::json!([1, 10]));
    // Games 1 to 10 have these layers.
    let kinds = report["kinds"].as_array().unwrap();
    let games = |name: &str| -> u64 {
        kinds.iter().filter(|kind| kind["name"] == name).map(|kind| kind["games"].as_u64().unwrap()).sum()
    };
    assert_eq!((games("layers"), games("board")), (10, 10));
    let mut wrong = Assert::new(env!("CARGO_BIN_EXE_evolve"));
    wrong.args(["judge", "solitaire-chess", "--group", "1", "--seeds", "1-10", "--"]).arg(program);
    let assert = wrong.assert().code(2);
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(stderr.contains("own games of solitaire-chess are not known"), "{stderr}");
}

#[test]
fn the_submission_in_results_is_what_is_exported() {
    let results = results();
    let mut command = Assert::new(env!("CARGO_BIN_EXE_evolve"));
    command.arg("export").arg(results.join("greedy")).args(["--time-limit", "20s", "--output", "-"]);
    let assert = command.assert().success().stderr("");
    let exported = &assert.get_output().stdout;
    assert!(exported.len() <= LARGEST);
    assert!(
        fs::read(results.join("submission.rs")).unwrap() == *exported,
        "results/chess-puzzle/submission.rs is out of date; write it anew with: evolve export \
         results/chess-puzzle/greedy --time-limit 20s --output results/chess-puzzle/submission.rs"
    );
}
