//! The reference runs in `results/` belong to this version, and are small and reproducible.

use crate::shared::Bench;
use evolve::core::VERSION;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Megabytes that Git may track in all, and in `results/`.
const CHECKOUT: u64 = 16;
const RESULTS: u64 = 10;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// Files that Git tracks below a folder.
fn tracked(folder: &str) -> Vec<PathBuf> {
    let output = Command::new("git").args(["ls-files", "-z", "--", folder]).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8(output.stdout).unwrap();
    names.split_terminator('\0').map(|name| root().join(name)).collect()
}

#[test]
fn every_run_is_of_this_version() {
    let configs: Vec<_> = tracked("results").into_iter().filter(|file| file.ends_with("config.toml")).collect();
    assert!(configs.len() >= 15, "{configs:?}");
    for config in configs {
        let folder = config.parent().unwrap();
        let text = fs::read_to_string(&config).unwrap();
        let version = format!("version = {VERSION}");
        assert!(
            text.lines().any(|line| line == version),
            "{} is of another version: run results/make",
            folder.display()
        );
        for name in ["recommendation.toml", "generations.csv", "validation.csv", "made.txt"] {
            assert!(folder.join(name).is_file(), "{} lacks {name}", folder.display());
        }
    }
}

#[test]
fn runs_and_checkout_are_small() {
    for (folder, limit) in [(".", CHECKOUT), ("results", RESULTS)] {
        let bytes: u64 = tracked(folder).iter().map(|file| fs::metadata(file).map_or(0, |meta| meta.len())).sum();
        assert!(bytes < limit << 20, "{folder}: {bytes} bytes");
    }
}

#[test]
fn a_short_reference_run_is_reproduced_byte_for_byte() {
    const NAME: &str = "solitaire-chess/group-1";
    let bench = Bench::empty();
    let job = root().join("configs").join(NAME).with_extension("toml");
    bench.does(&["run", job.to_str().unwrap()]);
    let again = Path::new("results").join(NAME);
    let table = again.join("generations.csv");
    bench.write(&table, thinned(&bench.read(&table)));
    bench.does(&["plot", again.to_str().unwrap()]);
    for name in [
        "config.toml",
        "generations.csv",
        "validation.csv",
        "recommendation.toml",
        "plots/scores.svg",
        "plots/weights.svg",
    ] {
        let committed = fs::read_to_string(root().join(&again).join(name)).unwrap();
        assert!(committed == bench.read(again.join(name)), "results/{NAME}/{name} differs: run results/make {NAME}");
    }
}

/// Returns a table with about fifty of its rows, as `results/make` keeps it.
fn thinned(table: &str) -> String {
    let lines: Vec<&str> = table.lines().collect();
    let step = ((lines.len() + 48) / 50).max(1);
    let is_kept =
        |&(number, _): &(usize, &&str)| number == 0 || (number - 1).is_multiple_of(step) || number + 1 == lines.len();
    lines.iter().enumerate().filter(is_kept).map(|(_, line)| format!("{line}\n")).collect()
}
