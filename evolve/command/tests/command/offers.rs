//! The example of a custom problem, built and run outside the workspace, as its readers do.

use crate::shared::{Bench, texts};
use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use tempfile::TempDir;

/// Builds the example from a copy, so that nothing is written to the repository. The copy uses the
/// versions, the profiles and the target folder of the workspace, so nothing is downloaded, and
/// most crates are already built.
fn build() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let copy = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let example = root.join("examples/offers");
    let manifest = fs::read_to_string(example.join("Cargo.toml")).unwrap();
    let crates =
        manifest.replace("\"../../evolve/command\"", &format!("\"{}\"", root.join("evolve/command").display()));
    assert_ne!(crates, manifest);
    let workspace = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let profiles = &workspace[workspace.find("[profile.release]").unwrap()..];
    fs::write(copy.path().join("Cargo.toml"), crates + "\n" + profiles).unwrap();
    fs::copy(root.join("Cargo.lock"), copy.path().join("Cargo.lock")).unwrap();
    fs::create_dir(copy.path().join("src")).unwrap();
    fs::copy(example.join("src/main.rs"), copy.path().join("src/main.rs")).unwrap();
    let output = process::Command::new(env!("CARGO"))
        .args(["build", "--release", "--offline", "--quiet", "--target-dir"])
        .arg(target)
        .current_dir(copy.path())
        // Build flags of the workspace do not apply to the example.
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target.join("release/offers")
}

#[test]
fn a_custom_problem_has_the_whole_command_line() {
    let program = build();
    let bench = Bench::new(include_str!("../../../../examples/offers/job.toml"));
    let run = |args: &[&str], status| texts(Command::new(&program).args(args).current_dir(bench.path()), status);

    let (listing, _) = run(&["init", "--help"], 0);
    assert!(listing.contains("- offers: keep one of twelve consecutive offers\n"), "{listing}");
    run(&["init", "--game", "offers", "--output", "first.toml"], 0);
    let described = bench.read("first.toml");
    assert!(
        described.contains("# wanted = 50 ") && described.contains("added to that for each offer to come"),
        "{described}"
    );

    let (printed, stderr) = run(&["run", "job.toml"], 0);
    assert!(stderr.starts_with("offers: tuning 2 of 2 parameters"), "{stderr}");
    assert!(
        printed.contains("improvement found") && printed.contains("\n  evolve compare defaults results/offers  "),
        "{printed}"
    );
    assert!(bench.path().join("results/offers/plots/weights.svg").exists());
    assert!(
        printed.contains("results/offers/report.html ") && bench.path().join("results/offers/report.html").exists()
    );
    let (again, _) = run(&["run", "job.toml", "--resume"], 0);
    assert_eq!(again, printed);

    let (measured, _) = run(&["compare", "results/offers", "--trials", "1000", "--json"], 0);
    let measured: Value = serde_json::from_str(&measured).unwrap();
    // Perfect play keeps 86 on average; the start keeps the first offer of 50 and more, 74.5 on
    // average.
    let mean = measured["score"]["mean"].as_f64().unwrap();
    assert!((80.0..88.0).contains(&mean), "{mean}");

    // Commands that need a contest game say so.
    for (args, said) in [
        (&["judge", "offers", "--", "./player"] as &[_], "error: offers has no judge"),
        (&["export", "results/offers", "--output", "-"], "error: offers does not export programs"),
        (&["prove", "results/offers"], "error: cannot prove offers"),
        (&["judge", "--protocol", "offers"], "invalid value 'offers'"),
        (&["run", "king-rook.toml"], "king-rook.toml: no such file"),
    ] {
        let (_, stderr) = run(args, 2);
        assert!(stderr.contains(said), "{stderr}");
    }
}
