//! Tests of Black Out in the contest: the exported program, and facts about the whole board.

use evolve_contest::judge::Reply;
use evolve_core::job::policy_file::Policy;
use evolve_games::black_out::oracle::Oracle;
use evolve_games_testing::{
    Arena, answers, assert_answers, assert_exported, build, catalogue, converse, export, play_deal, problem, prove,
    referees, reference, results, setting, with_other_main, with_player,
};
use evolve_search::document::Document;
use policy::black_out::board::{ALL, COLUMNS, ROWS, SEGMENT, SEGMENTS, Squares, moves};
use policy::black_out::dialogue;
use policy::black_out::player::{Player, Settings};
use policy::black_out::weights::Weights;
use policy::clock::Clock;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

#[test]
fn the_program_plays_like_the_built_in_player() {
    let mut policy = reference("black-out");
    // Weights that sometimes lose reach all kinds of positions.
    let weights = Weights { middle: 0.5, closed_turn: 1.0, moves: 0.1, ..Weights::DEFAULT };
    policy.values = weights.values().to_vec();
    policy.submission = with_player(&*policy.problem, "greedy", &[("exact", 7)]);
    let program = export(&[&policy], None).unwrap();
    assert_eq!(program.notes, [] as [String; 0]);
    let folder = TempDir::new().unwrap();
    let program = build(&program.source, &folder);
    for (opponent, games) in
        [("mixed", "1"), ("mixed", "20"), ("solving", "10"), ("erring", "10"), ("greedy", "3"), ("random", "100")]
    {
        let referees = referees(&*problem("black-out", &[("opponent", opponent), ("rounds", games)]));
        for deal in 0..3 {
            let (told, said) = converse(&program, referees.referee(deal));
            for told in [told.clone(), told.replace('\n', "\r\n")] {
                let mut expected = Vec::new();
                let mut player = Player::new(weights, Settings { exact: 7 });
                dialogue::play(told.as_bytes(), &mut expected, &Clock::UNLIMITED, &mut player).unwrap();
                assert_eq!(said, String::from_utf8(expected).unwrap(), "opponent {opponent}, deal {deal}");
            }
        }
    }

    // Invalid input is answered, and the end of the input is not an error.
    let inputs = [
        ("1\r\n", 0, ""),
        ("", 1, "error: the input ends before the number of games\n"),
        ("1000\n", 1, "error: the number of games: `1000`"),
        ("1\nMOVE 1 1 5 6\n", 1, "error: game 1: reply 1: `MOVE 1 1 5 6`"),
        ("1\nBLACK\n", 1, "`BLACK`"),
    ];
    assert_answers(&program, &inputs);
    let error = export(&[&policy, &policy], None).unwrap_err();
    assert!(error.to_string().contains("one policy, not 2"), "{error}");
}

/// The main function of a program that answers positions, given as numbers.
const CHOICES: &str = r#"
    let mut player = Player::new(WEIGHTS, SETTINGS);
    for line in std::io::stdin().lines() {
        let black = line.expect("input is text").parse().expect("input is numbers");
        println!("{:?}", player.choose(black, &Clock::UNLIMITED));
    }
"#;

#[test]
fn the_program_answers_the_proven_move_in_every_position() {
    let policy = reference("black-out");
    let source = export(&[&policy], None).unwrap().source;
    let folder = TempDir::new().unwrap();
    let program = build(&with_other_main(&source, CHOICES), &folder);
    let weights = Weights::from_values(policy.values.as_slice().try_into().unwrap());
    let mut player = Player::new(weights, Settings { exact: setting(&*policy.submission, "exact") });
    // Collect all positions that can occur: those that the player leaves, and the opponent's
    // replies to them.
    let mut asked: BTreeMap<Squares, Option<usize>> = BTreeMap::new();
    let mut left: BTreeSet<Squares> = BTreeSet::new();
    let mut open = vec![0];
    while let Some(black) = open.pop() {
        let choice = player.choose(black, &Clock::UNLIMITED);
        if asked.insert(black, choice).is_some() || choice.is_none() {
            continue;
        }
        let after = black | SEGMENT[choice.unwrap()].squares;
        if after != ALL && left.insert(after) {
            open.extend(moves(after).map(|reply| after | SEGMENT[reply].squares));
        }
    }
    let proof = prove(&policy);
    assert_eq!(proof.counts[0], ("positions", left.len() as f64));
    assert_eq!(left.len(), 6_391);
    assert!(!asked.contains_key(&ALL), "the opponent never blackens the last square");
    let input = asked.keys().map(|black| format!("{black}\n")).collect();
    let expected: Vec<String> = asked.values().map(|choice| format!("{choice:?}")).collect();
    assert_eq!(answers(&program, input), expected);
}

#[test]
fn the_submission_in_results_is_up_to_date() {
    assert_exported(&["black-out"], Some(Duration::from_millis(100)), "black-out/submission.rs");
}

#[test]
fn the_evolved_policy_is_proven_and_the_hand_set_one_is_not() {
    let policy = reference("black-out");
    let proof = prove(&policy);
    assert_eq!(proof.refutation, None);
    assert!(proof.counts.iter().all(|&(_, count)| count > 1.0), "{:?}", proof.counts);
    let hand_set = Policy { values: Weights::DEFAULT.values().to_vec(), ..policy };
    assert!(prove(&hand_set).refutation.is_some());
}

#[test]
fn arena_and_judge_play_the_same_games() {
    let game = problem("black-out", &[]);
    let arena = Arena::new(&*game);
    let weights = Weights::DEFAULT.values();
    let contender = arena.contender(&weights);
    let mut contestant = contender.player();
    let mut won = 0.0;
    for deal in 0..40 {
        let outcome = play_deal(&mut *contestant, deal);
        let mut referee = referees(&*game).referee(deal);
        let mut player = Player::new(Weights::DEFAULT, Settings { exact: 8 });
        let mut black = 0;
        loop {
            let choice = player.choose(black, &Clock::UNLIMITED).unwrap();
            let ((r1, c1), (r2, c2)) = (SEGMENT[choice].from, SEGMENT[choice].to);
            black |= SEGMENT[choice].squares;
            match referee.answer(&format!("{} {} {} {}", r1 + 1, c1 + 1, r2 + 1, c2 + 1)) {
                Reply::Send(text) => {
                    let numbers: Vec<u8> =
                        text.split_whitespace().skip(1).map(|word| word.parse::<u8>().unwrap() - 1).collect();
                    let from_to = ((numbers[0], numbers[1]), (numbers[2], numbers[3]));
                    black |= policy::black_out::board::segment(from_to.0, from_to.1).unwrap().squares;
                }
                Reply::Over(_) => break,
                wrong => panic!("{wrong:?}"),
            }
        }
        assert_eq!(referee.outcomes(), std::slice::from_ref(&outcome));
        won += outcome.metrics[0];
    }
    assert!((1.0..40.0).contains(&won), "the hand-set weights win some games and lose some: {won}");
}

#[test]
fn documents_with_other_settings_are_refused() {
    let text = fs::read_to_string(results("black-out/recommendation.toml")).unwrap();
    let wrong = text.replace("opponent = \"mixed\"", "opponent = \"weak\"");
    assert_ne!(wrong, text);
    assert!(Policy::parse(&Document::new(Path::new("recommendation.toml"), wrong), &catalogue()).is_err());
}

/// Takes about ten seconds on one core in a release build, and 128 MiB: `cargo test --release -p
/// evolve-tuner-games --test black_out -- --ignored --nocapture`.
#[test]
#[ignore = "solves all 2^30 positions"]
fn facts_of_the_whole_board() {
    let start = std::time::Instant::now();
    let oracle = Oracle::solve(ROWS, COLUMNS);
    println!("solved in {:.1} s", start.elapsed().as_secs_f64());
    assert_eq!(oracle.words().map(|word| u64::from(word.count_ones())).sum::<u64>(), 55_442_222);
    assert!(!oracle.is_lost(0) && oracle.is_lost(ALL));
    let winning: Vec<usize> = (0..SEGMENTS).filter(|&i| oracle.is_lost(SEGMENT[i].squares)).collect();
    assert_eq!(winning.len(), 5);
    assert!(winning.iter().all(|&i| SEGMENT[i].from.1 == 0 && SEGMENT[i].to.1 == 5));
    // The evolved policy always leaves a lost position to the opponent.
    let policy = reference("black-out");
    assert_eq!(prove(&policy).refutation, None);
}
