//! Gomoku as a user meets it: the exported program plays like the built-in player, and the proof holds.

mod shared;

use evolve_core::contest::Reply;
use evolve_core::policy_file::Policy;
use policy::clock::Clock;
use policy::gomoku::dialogue;
use policy::gomoku::lookahead::Settings;
use policy::gomoku::player::{Player, Search};
use policy::gomoku::weights::Weights;
use shared::{Arena, assert_answers, assert_exported, build, converse, export, player, referee, reference};
use std::time::Duration;
use tempfile::TempDir;

/// The reference policy with this player for the submission.
fn with_player(name: &str, settings: &[(&str, i64)]) -> Policy {
    let mut policy = reference("gomoku");
    policy.submission = player(policy.source.problem, name, settings);
    policy
}

fn weights(policy: &Policy) -> Weights {
    Weights::from_values(policy.values.as_slice().try_into().unwrap())
}

#[test]
fn the_program_plays_like_the_built_in_player() {
    let small = Settings { width: 4, depth: 1, playout: 10 };
    for (policy, search, limit) in [
        (with_player("greedy", &[]), Search::Greedy, None),
        (
            with_player("lookahead", &[("width", 4), ("depth", 1), ("playout", 10)]),
            Search::Lookahead(small),
            Some(Duration::from_secs(60)),
        ),
    ] {
        let program = export(&[&policy], limit).unwrap();
        assert_eq!(program.notes, [] as [String; 0]);
        let folder = TempDir::new().unwrap();
        let program = build(&program.source, &folder);
        for deal in 0..10 {
            let (told, said) = converse(&program, referee(&policy, deal));
            assert!(told.ends_with("\n-1 -1\n"));
            let mut expected = Vec::new();
            let mut player = Player::new(weights(&policy), search);
            dialogue::play(told.as_bytes(), &mut expected, &Clock::UNLIMITED, &mut player).unwrap();
            assert_eq!(said, String::from_utf8(expected).unwrap(), "deal {deal}");
        }

        // Broken input is answered, and a judge that leaves is no error.
        let inputs = [
            ("10 10\n", 0, ""),
            ("-1 -1\n", 0, ""),
            ("", 1, "error: the input ends before the opponent's move 1\n"),
            ("10 10 7", 1, "error: the input ends within the opponent's move 2\n"),
            ("10 20\n", 1, "not on the board"),
            ("10 10\n10 10\n", 1, "`10 10` is occupied"),
            ("nothing to play\n", 1, "`nothing` is not a number"),
        ];
        assert_answers(&program, &inputs);
    }
}

#[test]
fn two_policies_make_no_program() {
    let error = export(&[&reference("gomoku"), &reference("gomoku")], None).unwrap_err();
    assert!(error.contains("one policy, not 2"), "{error}");
}

#[test]
fn the_submission_in_results_is_what_is_exported() {
    assert_exported(&["gomoku"], Some(Duration::from_secs(3)), "gomoku/submission.rs");
}

#[test]
fn the_arena_plays_the_games_of_the_referee() {
    let policy = with_player("greedy", &[]);
    let arena = Arena::of(&policy, policy.submission.clone());
    let contender = arena.contender(&policy.values);
    let mut contestant = contender.player();
    for deal in 0..20 {
        // The contestant remembers moves of earlier games; a fresh one does not.
        let outcome = shared::play(&mut *contestant, deal);
        assert_eq!(arena.play(&policy.values, [deal]), std::slice::from_ref(&outcome));
        let mut referee = referee(&policy, deal);
        let mut player = Player::new(weights(&policy), Search::Greedy);
        let mut told = referee.open();
        loop {
            let mut said = Vec::new();
            dialogue::play(told.as_bytes(), &mut said, &Clock::UNLIMITED, &mut player).unwrap();
            let line = String::from_utf8(said).unwrap().lines().last().unwrap().to_string();
            match referee.answer(&line) {
                Reply::Send(text) => told += &text,
                Reply::Over(_) => break,
                wrong => panic!("{wrong:?}"),
            }
        }
        assert_eq!(referee.outcomes(), [outcome]);
    }
}

#[test]
fn every_game_of_the_submission_is_won_and_a_player_that_cares_for_nothing_is_beaten() {
    let policy = reference("gomoku");
    let provable = policy.source.problem.provable().unwrap();
    let proof = provable.prove(&policy).unwrap();
    assert_eq!(proof.refutation, None);
    let count = |name| proof.counts.iter().find(|(other, _)| *other == name).unwrap().1;
    assert!(count("positions") > 20.0 && count("replies") >= count("positions") - 1.0, "{:?}", proof.counts);
    assert!(count("longest game, own moves") < 40.0);

    let mut blind = with_player("greedy", &[]);
    blind.values.fill(0.0);
    let refutation = provable.prove(&blind).unwrap().refutation.unwrap();
    assert_eq!(refutation.reason, "the opponent has five in a line");
    assert_eq!(refutation.line[0], "10 10");
    assert!(refutation.line.len() % 2 == 1, "the opponent makes the first and the last move");
}
