//! King and rook: the exported program, built by a plain `rustc`, plays move for move like the player that was tuned;
//! the policy in results is what is proven and exported.

mod shared;

use evolve_core::policy_file::Policy;
use policy::king_rook::dialogue;
use policy::king_rook::player::Player;
use policy::king_rook::weights::Weights;
use shared::{assert_answers, assert_exported, build, converse, export, referee, reference};
use tempfile::TempDir;

fn player(policy: &Policy) -> Player<10, 9> {
    let weights = Weights::from_values(policy.values.as_slice().try_into().unwrap());
    Player::new(weights, policy.submission.values.get("depth"))
}

#[test]
fn the_program_plays_like_the_built_in_player() {
    let policy = reference("king-rook");
    let program = export(&[&policy], None).unwrap();
    let folder = TempDir::new().unwrap();
    let program = build(&program.source, &folder);
    let mut built_in = player(&policy);
    for deal in 0..25 {
        let (told, said) = converse(&program, referee(&policy, deal));
        let mut expected = Vec::new();
        dialogue::play(told.as_bytes(), &mut expected, &mut built_in).unwrap();
        assert_eq!(said, String::from_utf8(expected).unwrap(), "deal {deal}");
        assert!(said.lines().count() <= 25, "deal {deal}");
    }

    // Broken input is answered, and a judge that leaves or ends the game is no error.
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
    assert_answers(&program, &inputs);
}

#[test]
fn the_submission_in_results_is_what_is_exported() {
    assert_exported(&["king-rook"], None, "king-rook/submission.rs");
}

#[test]
fn hand_set_weights_export_and_two_policies_do_not() {
    let policy = reference("king-rook");
    let values = Weights::DEFAULT.values().to_vec();
    let program = export(&[&Policy { values, ..policy.clone() }], None).unwrap();
    build(&program.source, &TempDir::new().unwrap());
    assert!(export(&[&policy, &policy], None).is_err());
    let values = vec![f64::NAN; Weights::COUNT];
    assert!(export(&[&Policy { values, ..policy.clone() }], None).is_err());
}

#[test]
fn the_policy_in_results_is_proven() {
    let policy = reference("king-rook");
    let proof = policy.source.problem.provable().unwrap().prove(&policy).unwrap();
    assert_eq!(proof.refutation, None);
    let count = |name: &str| proof.counts.iter().find(|(other, _)| *other == name).unwrap().1;
    assert_eq!(count("positions"), 529_240.0);
    assert_eq!(count("mated from"), 529_240.0);
    assert!(count("longest line, moves") <= 25.0);
    assert!(count("ratio of the means") <= 1.15);
}
