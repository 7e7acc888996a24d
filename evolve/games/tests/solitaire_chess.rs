//! The exported program of Solitaire chess: built by a plain `rustc`, it plays move for move like the player that was tuned.

mod shared;

use assert_cmd::Command as Assert;
use evolve::export::LARGEST;
use evolve::games;
use evolve::policy_file::Policy;
use policy::clock::Clock;
use policy::solitaire_chess::beam::Settings;
use policy::solitaire_chess::dialogue;
use policy::solitaire_chess::search::Search;
use policy::solitaire_chess::weights::Weights;
use shared::{build, converse};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/solitaire-chess")
}

/// The reference policies of all six groups.
fn references() -> Vec<Policy> {
    (1..=6).map(|group| Policy::read(&results().join(format!("group-{group}"))).unwrap()).collect()
}

#[test]
fn the_program_plays_like_the_built_in_player() {
    let game = games::find("solitaire-chess").unwrap();
    let small = Settings { width: 3, depth: 5 };
    let mut policies = references();
    let mut searches = Vec::new();
    for (policy, (name, settings, search)) in policies.iter_mut().zip([
        ("greedy", &[] as &[(&str, i64)], Search::Greedy { margin: 1000 }),
        ("beam", &[("width", 3), ("depth", 5)], Search::Beam(small)),
        ("greedy", &[("margin", 4)], Search::Greedy { margin: 4 }),
        ("sampled", &[("width", 3), ("depth", 5), ("samples", 4)], Search::Sampled { beam: small, samples: 4 }),
        ("beam", &[("width", 3), ("depth", 5)], Search::Beam(small)),
        (
            "expectimax",
            &[("width", 3), ("depth", 5), ("endings", 2), ("inner_width", 2), ("inner_depth", 3)],
            Search::Expectimax { beam: small, endings: 2, inner: Settings { width: 2, depth: 3 } },
        ),
    ]) {
        let settings = settings.iter().map(|&(name, value)| (name.to_string(), value));
        policy.submission = game.player(name, settings).unwrap();
        searches.push(search);
    }
    let program = game.export(&policies.iter().collect::<Vec<_>>(), None).unwrap();
    assert_eq!(program.notes, [] as [String; 0]);
    let folder = TempDir::new().unwrap();
    let program = build(&program.source, &folder);
    for (i, policy) in policies.iter().enumerate() {
        for deal in 0..10 {
            let (told, said) = converse(&program, game.referee(&policy.options, deal));
            let mut expected = Vec::new();
            let player = |group: usize| {
                assert_eq!(group, i + 1, "the program tells the group from the board");
                searches[i].player(Weights::from_values(&policy.weights).unwrap())
            };
            dialogue::play(told.as_bytes(), &mut expected, &Clock::UNLIMITED, player).unwrap();
            assert_eq!(said, String::from_utf8(expected).unwrap(), "group {}, deal {deal}", i + 1);
            assert!(said.lines().count() > 2 && said.ends_with("\n0 0\n"));
        }
    }

    // Broken input is answered, and a judge that leaves is no error.
    let (told, _) = converse(&program, game.referee(&policies[5].options, 0));
    let board: String = told.lines().take(6).map(|line| format!("{line}\n")).collect();
    for (input, status, message) in [
        (board.as_str(), 0, ""),
        ("", 1, "error: the board ends before row 1, column 1\n"),
        ("torn dam\n", 1, "error: the board ends before row 1, column 3\n"),
        (&board.replace("dam", "queen"), 1, "queen"),
        (&format!("{board}nothing\n"), 1, "nothing"),
    ] {
        let assert = Assert::new(&program).write_stdin(input).assert().code(status);
        let stderr = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(if message.is_empty() { stderr.is_empty() } else { stderr.contains(message) }, "{stderr}");
    }
}

#[test]
fn the_submission_in_results_is_what_is_exported() {
    let results = results();
    let mut command = Assert::new(env!("CARGO_BIN_EXE_evolve"));
    command.arg("export");
    for group in 1..=6 {
        command.arg(results.join(format!("group-{group}")));
    }
    let assert = command.args(["--time-limit", "1s", "--output", "-"]).assert().success().stderr("");
    let exported = &assert.get_output().stdout;
    assert!(exported.len() <= LARGEST);
    assert!(
        fs::read(results.join("submission.rs")).unwrap() == *exported,
        "results/solitaire-chess/submission.rs is out of date; write it anew with: evolve export \
         results/solitaire-chess/group-[1-6] --time-limit 1s --output results/solitaire-chess/submission.rs"
    );
}

#[test]
fn a_program_of_some_groups_says_what_it_lacks() {
    let policies = references();
    let program = policies[0].game.export(&[&policies[2]], None).unwrap();
    assert_eq!(program.notes.len(), 1);
    assert!(program.notes[0].contains("group 1, 2, 4, 5, 6"), "{}", program.notes[0]);
    let error = policies[0].game.export(&[&policies[2], &policies[2]], None).unwrap_err();
    assert!(error.contains("two policies are for group 3"), "{error}");
}
