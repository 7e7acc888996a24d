//! Tests of king and rook: the exported program, built by plain `rustc`, plays exactly like the
//! tuned player, and the policy in the results is proven and exported.

use evolve_core::job::policy_file::Policy;
use evolve_games_testing::{
    answers, assert_answers, assert_exported, build, converse, export, prove, referee, reference, setting,
    with_other_main,
};
use policy::clock::Clock;
use policy::king_rook::dialogue::{self, start, written};
use policy::king_rook::player::Player;
use policy::king_rook::position::Contest;
use policy::king_rook::weights::Weights;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

fn player(policy: &Policy) -> Player<10, 9> {
    let weights = Weights::from_values(policy.values.as_slice().try_into().unwrap());
    Player::new(weights, setting(&*policy.submission, "depth"))
}

/// Returns every position that a game can start from, with the pieces on these cells.
fn every_start() -> impl Iterator<Item = Contest> {
    (0..90)
        .flat_map(|king| (0..90).flat_map(move |rook| (0..90).map(move |black| (king, rook, black))))
        .filter_map(|(king, rook, black)| Contest::new(king, rook, black).ok().filter(|position| !position.is_check()))
}

/// The main function of a program that prints its move in each of these positions.
const EVERY_START: &str = r#"
    use king_rook::dialogue::written;
    use king_rook::position::Contest;
    use std::io::Write;
    let mut player = Player::new(WEIGHTS, DEPTH);
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for king in 0..90 {
        for rook in 0..90 {
            for black in 0..90 {
                let Ok(position) = Contest::new(king, rook, black) else { continue };
                let step = player.choose(&position).expect("White always has a move");
                writeln!(output, "{king} {rook} {black} {}", written(step)).expect("somebody reads");
            }
        }
    }
"#;

/// Returns the exported program of the results, built once for all tests.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let built = || {
        let source = export(&[&reference("king-rook")], None).unwrap().source;
        let folder = TempDir::new().unwrap();
        let program = build(&with_other_main(&source, EVERY_START), &folder);
        (folder, program)
    };
    &PROGRAM.get_or_init(built).1
}

#[test]
fn the_program_answers_the_proven_move_in_every_position() {
    let policy = reference("king-rook");
    let said: BTreeMap<String, String> = answers(program(), String::new())
        .iter()
        .map(|line| line.rsplit_once(' ').map(|(position, step)| (position.to_string(), step.to_string())).unwrap())
        .collect();
    // The proof uses this player.
    let positions: Vec<Contest> = every_start().collect();
    assert_eq!(positions.len(), 529_240);
    let share = positions.len().div_ceil(rayon::current_num_threads());
    positions.par_chunks(share).for_each(|positions| {
        let mut player = player(&policy);
        for position in positions {
            let Contest { king, rook, black } = position;
            let step = written(player.choose(position).unwrap());
            assert_eq!(said[&format!("{king} {rook} {black}")], step, "{}", start(position));
        }
    });
}

#[test]
fn the_program_plays_like_the_built_in_player() {
    let policy = reference("king-rook");
    let program = program();
    let mut built_in = player(&policy);
    for deal in 0..25 {
        let (told, said) = converse(program, referee(&policy, deal));
        let mut expected = Vec::new();
        dialogue::play(told.as_bytes(), &mut expected, &Clock::UNLIMITED, &mut built_in).unwrap();
        assert_eq!(said, String::from_utf8(expected).unwrap(), "deal {deal}");
        assert!(said.lines().count() <= 25, "deal {deal}");
    }

    // Invalid input is answered, and neither the end of the input nor the end of the game is an
    // error.
    let inputs = [
        ("Ge4 Ka5 Ri8\n", 0, ""),
        ("!\n", 0, ""),
        ("Ge4 Ka5 Ri8\n!\n", 0, ""),
        ("", 1, "error: the start position ends before piece 1 of 3\n"),
        ("Ge4 Kf5 Ri8\n", 1, "error: impossible start position: the kings are side by side\n"),
        ("Ge4 Ka5 Qi8\n", 1, "`Qi8`"),
        ("Ge4 Ka5 Ri8\nGa9\n", 1, "the black king cannot go to `Ga9`"),
        ("Ge4 Ka5 Ri8\nnothing\n", 1, "nothing"),
    ];
    assert_answers(program, &inputs);
}

#[test]
fn the_submission_in_results_is_up_to_date() {
    assert_exported(&["king-rook"], None, "king-rook/submission.rs");
}

#[test]
fn hand_set_weights_export_and_two_policies_do_not() {
    let policy = reference("king-rook");
    let values = Weights::DEFAULT.values().to_vec();
    let program = export(&[&Policy { values, ..policy.clone() }], None).unwrap();
    assert!(program.source.contains("\nconst WEIGHTS: Weights = Weights::DEFAULT;\n"));
    assert!(export(&[&policy, &policy], None).is_err());
    let values = vec![f64::NAN; Weights::COUNT];
    assert!(export(&[&Policy { values, ..policy.clone() }], None).is_err());
}

#[test]
fn the_policy_in_results_is_proven() {
    let policy = reference("king-rook");
    let proof = prove(&policy);
    assert_eq!(proof.refutation, None);
    let count = |name: &str| proof.counts.iter().find(|(other, _)| *other == name).unwrap().1;
    assert_eq!(count("positions"), 529_240.0);
    assert_eq!(count("mated from"), 529_240.0);
    assert!(count("longest line, moves") <= 25.0);
    assert!(count("ratio of the means") <= 1.15);
}
