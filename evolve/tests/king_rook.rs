//! King and rook: the exported program, built by a plain `rustc`, plays move for move like the player that was tuned;
//! the policy in results is what is proven and exported.

use assert_cmd::Command as Assert;
use evolve::export::LARGEST;
use evolve::game::Game;
use evolve::games;
use evolve::judge::referee::Reply;
use evolve::policy_file::Policy;
use policy::king_rook::dialogue;
use policy::king_rook::player::Player;
use policy::king_rook::weights::Weights;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/king-rook")
}

fn player(policy: &Policy) -> Player<10, 9> {
    let weights = Weights::from_values(policy.weights.as_slice().try_into().unwrap());
    Player::new(weights, policy.submission.values.get("depth"))
}

/// Builds a source file as a contest does, but takes no warnings.
fn build(source: &str, folder: &TempDir) -> PathBuf {
    let file = folder.path().join("submission.rs");
    fs::write(&file, source).unwrap();
    let program = folder.path().join("submission");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["-O", "--edition", "2021", "-D", "warnings", "-o"])
        .arg(&program)
        .arg(&file)
        .output()
        .expect("rustc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Plays a game with a program: all that it was told, and all that it said.
fn converse(program: &Path, game: &dyn Game, policy: &Policy, deal: u64) -> (String, String) {
    let mut referee = game.referee(&policy.options, deal);
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut told = referee.open();
    let mut said = String::new();
    input.write_all(told.as_bytes()).unwrap();
    loop {
        let line = lines.next().expect("a move").unwrap();
        said += &line;
        said.push('\n');
        match referee.answer(&line) {
            Reply::Send(text) => {
                input.write_all(text.as_bytes()).unwrap();
                told += &text;
            }
            Reply::Over(text) => {
                input.write_all(text.as_bytes()).unwrap();
                told += &text;
                break;
            }
            wrong => panic!("{line}: {wrong:?}"),
        }
    }
    assert!(lines.next().is_none());
    assert!(child.wait().unwrap().success());
    assert_eq!(referee.outcomes().len(), 1);
    (told, said)
}

#[test]
fn the_program_plays_like_the_built_in_player() {
    let policy = Policy::read(&results()).unwrap();
    let program = policy.game.export(&[&policy], None).unwrap();
    let folder = TempDir::new().unwrap();
    let program = build(&program.source, &folder);
    let mut built_in = player(&policy);
    for deal in 0..25 {
        let (told, said) = converse(&program, policy.game, &policy, deal);
        let mut expected = Vec::new();
        dialogue::play(told.as_bytes(), &mut expected, &mut built_in).unwrap();
        assert_eq!(said, String::from_utf8(expected).unwrap(), "deal {deal}");
        assert!(said.lines().count() <= 25, "deal {deal}");
    }

    // Broken input is answered, and a judge that leaves or ends the game is no error.
    for (input, status, message) in [
        ("Ge4 Ka5 Ri8\n", 0, ""),
        ("!\n", 0, ""),
        ("Ge4 Ka5 Ri8\n!\n", 0, ""),
        ("", 1, "error: the start position ends before piece 1 of 3\n"),
        ("Ge4 Kf5 Ri8\n", 1, "error: impossible start position: the kings are side by side\n"),
        ("Ge4 Ka5 Qi8\n", 1, "`Qi8`"),
        ("Ge4 Ka5 Ri8\nGa9\n", 1, "the black king cannot go to `Ga9`"),
        ("Ge4 Ka5 Ri8\nnothing\n", 1, "nothing"),
    ] {
        let assert = Assert::new(&program).write_stdin(input).assert().code(status);
        let stderr = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(if message.is_empty() { stderr.is_empty() } else { stderr.contains(message) }, "{stderr}");
    }
}

#[test]
fn the_submission_in_results_is_what_is_exported() {
    let mut command = Assert::new(env!("CARGO_BIN_EXE_evolve"));
    let assert = command.arg("export").arg(results()).args(["--output", "-"]).assert().success().stderr("");
    let exported = &assert.get_output().stdout;
    assert!(exported.len() <= LARGEST);
    assert!(
        fs::read(results().join("submission.rs")).unwrap() == *exported,
        "results/king-rook/submission.rs is out of date; write it anew with: evolve export results/king-rook \
         --output results/king-rook/submission.rs"
    );
}

#[test]
fn hand_set_weights_export_and_two_policies_do_not() {
    let policy = Policy::read(&results()).unwrap();
    let weights = Weights::DEFAULT.values().to_vec();
    let program = policy.game.export(&[&Policy { weights, ..policy.clone() }], None).unwrap();
    build(&program.source, &TempDir::new().unwrap());
    assert!(policy.game.export(&[&policy, &policy], None).is_err());
    let weights = vec![f64::NAN; Weights::COUNT];
    assert!(policy.game.export(&[&Policy { weights, ..policy.clone() }], None).is_err());
}

#[test]
fn the_policy_in_results_is_proven() {
    let policy = Policy::read(&results()).unwrap();
    let proof = games::find("king-rook").unwrap().prove(&policy).unwrap();
    assert_eq!(proof.refutation, None);
    let count = |name: &str| proof.counts.iter().find(|(other, _)| *other == name).unwrap().1;
    assert_eq!(count("positions"), 529_240.0);
    assert_eq!(count("mated from"), 529_240.0);
    assert!(count("longest line, moves") <= 25.0);
    assert!(count("ratio of the means") <= 1.15);
}
