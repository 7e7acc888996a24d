//! Runs every target for a few seconds, with its corpus and reproducible mutations of it.

use evolve_fuzz::mutate::mutate;
use evolve_fuzz::{TARGETS, Target};
use policy::random::SplitMix64;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The longest time for an input that belongs in a corpus, even on a busy machine.
const HANGS: Duration = Duration::from_secs(600);

fn corpus(target: &Target) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// Runs an input. If it fails, keeps it with the test's other files, to be inspected and added to
/// the corpus.
fn run(target: &Target, bytes: &[u8]) -> bool {
    let start = Instant::now();
    let taken = catch_unwind(|| target.run(bytes)).unwrap_or_else(|_| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("find-{}", target.name));
        fs::write(&path, bytes).unwrap();
        panic!("{}: the input is in {}", target.name, path.display());
    });
    assert!(start.elapsed() < HANGS, "{} hangs on {:?}", target.name, String::from_utf8_lossy(bytes));
    taken
}

fn check(part: usize, parts: usize) {
    for (number, target) in TARGETS.iter().enumerate().filter(|(number, _)| number % parts == part) {
        let inputs = corpus(target);
        let taken = inputs.iter().filter(|(_, bytes)| run(target, bytes)).count();
        assert!(taken > 0, "{}: nothing of its corpus is taken", target.name);
        let inputs: Vec<Vec<u8>> = inputs.into_iter().map(|(_, bytes)| bytes).collect();
        let mut random = SplitMix64::new(number as u64);
        for _ in 0..target.tries {
            run(target, &mutate(&inputs, &mut random));
        }
    }
}

#[test]
fn the_corpus_and_its_mutations_do_no_harm_1() {
    check(0, 2);
}

#[test]
fn the_corpus_and_its_mutations_do_no_harm_2() {
    check(1, 2);
}
