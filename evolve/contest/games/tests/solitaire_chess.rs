//! Tests that the exported program of Solitaire chess, built by plain `rustc`, plays exactly like
//! the tuned player.

use evolve_core::job::policy_file::Policy;
use evolve_games_testing::{assert_answers, assert_exported, build, converse, export, referee, with_player};
use policy::clock::Clock;
use policy::solitaire_chess::beam::Settings;
use policy::solitaire_chess::dialogue;
use policy::solitaire_chess::search::{Rollouts, Search};
use policy::solitaire_chess::weights::Weights;
use std::time::Duration;
use tempfile::TempDir;

/// Returns the reference policies of all six groups.
fn references() -> Vec<Policy> {
    (1..=6).map(|group| evolve_games_testing::reference(&format!("solitaire-chess/group-{group}"))).collect()
}

#[test]
fn the_program_plays_like_the_built_in_player() {
    let small = Settings { width: 3, depth: 5 };
    let mut policies = references();
    let mut searches = Vec::new();
    for (policy, (name, settings, search)) in policies.iter_mut().zip([
        ("greedy", &[] as &[(&str, i64)], Search::Greedy { margin: 1000 }),
        ("beam", &[("width", 3), ("depth", 5)], Search::Beam(small)),
        ("greedy", &[("margin", 4)], Search::Greedy { margin: 4 }),
        (
            "sampled",
            &[("width", 3), ("depth", 5), ("samples", 4), ("exact", 3000)],
            Search::Sampled { beam: small, samples: 4, exact: 3000 },
        ),
        ("beam", &[("width", 3), ("depth", 5)], Search::Beam(small)),
        (
            "expectimax",
            &[
                ("width", 3),
                ("depth", 5),
                ("endings", 2),
                ("inner_width", 2),
                ("inner_depth", 3),
                ("deeper", 2),
                ("deepest", 2),
                ("rollouts", 24),
                ("rollout_length", 5),
                ("rollout_width", 1),
                ("rollout_depth", 2),
            ],
            Search::Expectimax {
                beam: small,
                endings: 2,
                inner: Settings { width: 2, depth: 3 },
                deeper: [2, 2],
                rollouts: Some(Rollouts { most: 24, length: 5, beam: Settings { width: 1, depth: 2 } }),
                exact: 0,
            },
        ),
    ]) {
        policy.submission = with_player(&*policy.problem, name, settings);
        searches.push(search);
    }
    let program = export(&policies.iter().collect::<Vec<_>>(), None).unwrap();
    // With all searches in one program, there is no room for the comments.
    let bare = "comments in the modules were omitted, because the source would otherwise be too large";
    assert_eq!(program.notes, [bare]);
    let folder = TempDir::new().unwrap();
    let program = build(&program.source, &folder);
    for (i, policy) in policies.iter().enumerate() {
        for deal in 0..10 {
            let (told, said) = converse(&program, referee(policy, deal));
            let mut expected = Vec::new();
            let player = |group: usize| {
                assert_eq!(group, i + 1, "the program tells the group from the board");
                searches[i].player(Weights::from_values(&policy.values).unwrap())
            };
            dialogue::play(told.as_bytes(), &mut expected, &Clock::UNLIMITED, player).unwrap();
            assert_eq!(said, String::from_utf8(expected).unwrap(), "group {}, deal {deal}", i + 1);
            assert!(said.lines().count() > 2 && said.ends_with("\n0 0\n"));
        }
    }

    // Invalid input is answered, and the end of the input is not an error.
    let (told, _) = converse(&program, referee(&policies[5], 0));
    let board: String = told.lines().take(6).map(|line| format!("{line}\n")).collect();
    let inputs = [
        (board.as_str(), 0, ""),
        ("", 1, "error: the board ends before row 1, column 1\n"),
        ("torn dam\n", 1, "error: the board ends before row 1, column 3\n"),
        (&board.replace("dam", "queen"), 1, "queen"),
        (&format!("{board}nothing\n"), 1, "nothing"),
    ];
    assert_answers(&program, &inputs);
}

#[test]
fn the_submission_in_results_is_up_to_date() {
    let groups: Vec<String> = (1..=6).map(|group| format!("solitaire-chess/group-{group}")).collect();
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    assert_exported(&groups, Some(Duration::from_secs(1)), "solitaire-chess/submission.rs");
}

#[test]
fn a_program_of_some_groups_names_the_missing_ones() {
    let policies = references();
    let program = export(&[&policies[0]], None).unwrap();
    let note = program.notes.last().unwrap();
    assert!(note.contains("groups 2, 3, 4, 5, 6"), "{note}");
    let error = export(&[&policies[0], &policies[0]], None).unwrap_err();
    assert!(error.to_string().contains("two policies are for group 1"), "{error}");
}
