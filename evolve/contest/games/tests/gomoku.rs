//! Tests of Gomoku as users see it: the exported program plays like the built-in player, and the
//! proof holds.

use evolve_contest::judge::Reply;
use evolve_core::job::policy_file::Policy;
use evolve_games_testing::{
    Arena, answers, assert_answers, assert_exported, build, converse, export, prove, referee, reference, setting,
    with_other_main, with_player,
};
use policy::clock::Clock;
use policy::gomoku::board::{CELLS, CENTRE, Cell, Side};
use policy::gomoku::dialogue;
use policy::gomoku::lookahead::Settings;
use policy::gomoku::opponent::Replies;
use policy::gomoku::position::{Cells, Position};
use policy::gomoku::search::Search;
use policy::gomoku::weights::Weights;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;
use tempfile::TempDir;

/// Returns the reference policy with another player for the exported program.
fn policy_of(name: &str, settings: &[(&str, i64)]) -> Policy {
    let mut policy = reference("gomoku");
    policy.submission = with_player(&*policy.problem, name, settings);
    policy
}

/// Returns the search of the exported program of a policy.
fn search(policy: &Policy) -> Search {
    let get = |name| setting(&*policy.submission, name);
    match policy.submission.player().unwrap()["name"].as_str().unwrap() {
        "greedy" => Search::Greedy,
        _ => Search::Lookahead(Settings { width: get("width") as usize, depth: get("depth"), playout: get("playout") }),
    }
}

fn weights(policy: &Policy) -> Weights {
    Weights::from_values(policy.values.as_slice().try_into().unwrap())
}

/// The main function of a program that answers positions, given as cells, those of Black first.
const CHOICES: &str = r#"
    use gomoku::board::Side;
    use gomoku::player::Player;
    use gomoku::position::Position;
    let mut player = SEARCH.player(WEIGHTS);
    for line in std::io::stdin().lines() {
        let line = line.expect("input is text");
        let mut position = Position::new();
        for (cells, side) in line.split('/').zip([Side::Black, Side::White]) {
            for cell in cells.split_whitespace() {
                position.put(cell.parse().expect("input is numbers"), side);
            }
        }
        println!("{:?}", player.choose(&position, &Clock::UNLIMITED));
    }
"#;

/// Returns the exported program of the results, built once for all tests.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let built = || {
        let program = export(&[&reference("gomoku")], Some(Duration::from_secs(3600))).unwrap();
        assert_eq!(program.notes, [] as [String; 0]);
        let folder = TempDir::new().unwrap();
        let program = build(&with_other_main(&program.source, CHOICES), &folder);
        (folder, program)
    };
    &PROGRAM.get_or_init(built).1
}

#[test]
fn the_program_answers_the_proven_move_in_every_position() {
    let policy = reference("gomoku");
    let mut player = search(&policy).player(weights(&policy));
    let mut start = Position::new();
    start.put(CENTRE, Side::Black);
    let mut asked: BTreeMap<[Cells; 2], Option<Cell>> = BTreeMap::new();
    let mut open = vec![start];
    while let Some(mut position) = open.pop() {
        let choice = player.choose(&position, &Clock::UNLIMITED);
        if asked.insert(*position.stones(), choice).is_some() {
            continue;
        }
        position.put(choice.unwrap(), Side::White);
        if !position.has_five(Side::White) {
            for &reply in Replies::new(&position).cells() {
                let mut next = position.clone();
                next.put(reply, Side::Black);
                assert!(!next.has_five(Side::Black));
                open.push(next);
            }
        }
    }
    let proof = prove(&policy);
    assert_eq!(proof.counts[0], ("positions", asked.len() as f64));
    assert_eq!(asked.len(), 101);
    let list = |cells: &Cells| {
        let has = |cell: &usize| cells[cell / 64] >> (cell % 64) & 1 == 1;
        (0..CELLS).filter(has).map(|cell| cell.to_string()).collect::<Vec<_>>().join(" ")
    };
    let input = asked.keys().map(|[black, white]| format!("{}/{}\n", list(black), list(white))).collect();
    let expected: Vec<String> = asked.values().map(|choice| format!("{choice:?}")).collect();
    assert_eq!(answers(program(), input), expected);
}

#[test]
fn the_program_plays_like_the_built_in_player() {
    let greedy = policy_of("greedy", &[]);
    let folder = TempDir::new().unwrap();
    let built = build(&export(&[&greedy], None).unwrap().source, &folder);
    for (program, policy) in [(&built as &Path, greedy), (program(), reference("gomoku"))] {
        for deal in 0..10 {
            let (told, said) = converse(program, referee(&policy, deal));
            assert!(told.ends_with("\n-1 -1\n"));
            let mut expected = Vec::new();
            let mut player = search(&policy).player(weights(&policy));
            dialogue::play(told.as_bytes(), &mut expected, &Clock::UNLIMITED, &mut *player).unwrap();
            assert_eq!(said, String::from_utf8(expected).unwrap(), "deal {deal}");
        }

        // Invalid input is answered, and the end of the input is not an error.
        let inputs = [
            ("10 10\n", 0, ""),
            ("-1 -1\n", 0, ""),
            ("", 1, "error: the input ends before the opponent's move 1\n"),
            ("10 10 7", 1, "error: the input ends within the opponent's move 2\n"),
            ("10 20\n", 1, "not on the board"),
            ("10 10\n10 10\n", 1, "`10 10` is occupied"),
            ("nothing to play\n", 1, "`nothing` is not a number"),
        ];
        assert_answers(program, &inputs);
    }
}

#[test]
fn two_policies_make_no_program() {
    let error = export(&[&reference("gomoku"), &reference("gomoku")], None).unwrap_err();
    assert!(error.to_string().contains("one policy, not 2"), "{error}");
}

#[test]
fn the_submission_in_results_is_up_to_date() {
    assert_exported(&["gomoku"], Some(Duration::from_secs(3)), "gomoku/submission.rs");
}

#[test]
fn the_arena_plays_the_games_of_the_referee() {
    let policy = policy_of("greedy", &[]);
    let arena = Arena::new(&*policy.submission);
    let contender = arena.contender(&policy.values);
    let mut contestant = contender.player();
    for deal in 0..20 {
        // The contestant remembers moves of earlier games; a new one does not.
        let outcome = evolve_games_testing::play_deal(&mut *contestant, deal);
        assert_eq!(arena.play_deals(&policy.values, [deal]), std::slice::from_ref(&outcome));
        let mut referee = referee(&policy, deal);
        let mut player = Search::Greedy.player(weights(&policy));
        let mut told = referee.open();
        loop {
            let mut said = Vec::new();
            dialogue::play(told.as_bytes(), &mut said, &Clock::UNLIMITED, &mut *player).unwrap();
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
fn every_game_of_the_submission_is_won_and_a_blind_player_is_beaten() {
    let policy = reference("gomoku");
    let proof = prove(&policy);
    assert_eq!(proof.refutation, None);
    let count = |name| proof.counts.iter().find(|(other, _)| *other == name).unwrap().1;
    assert!(count("positions") > 20.0 && count("replies") >= count("positions") - 1.0, "{:?}", proof.counts);
    assert!(count("longest game, own moves") < 40.0);

    let mut blind = policy_of("greedy", &[]);
    blind.values.fill(0.0);
    let refutation = prove(&blind).refutation.unwrap();
    assert_eq!(refutation.reason, "the opponent has five in a line");
    assert_eq!(refutation.line[0], "10 10");
    assert!(refutation.line.len() % 2 == 1, "the opponent makes the first and the last move");
}
