//! What the documentation says of files holds.

use evolve::config::Job;
use evolve::policy_file::Policy;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Every link of the documentation to a file of the repository leads somewhere.
#[test]
fn links_lead_somewhere() {
    let mut links = 0;
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    for path in pages.chain(["README.md", "CHANGELOG.md"].map(|page| root().join(page))) {
        let text = fs::read_to_string(&path).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if !link.contains("://") {
                let target = path.parent().unwrap().join(link.split('#').next().unwrap());
                assert!(target.exists(), "{}: {link}", path.display());
                links += 1;
            }
        }
    }
    assert!(links > 5);
}

/// The page on adding a game shows pieces of a game that is compiled and run.
#[test]
fn the_example_game_is_as_shown() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/offers");
    let files = ["policy.rs", "game.rs", "main.rs"].map(|file| fs::read_to_string(example.join(file)).unwrap());
    let page = fs::read_to_string(root().join("docs/adding-a-game.md")).unwrap();
    let pieces: Vec<&str> =
        page.split("\n```").skip(1).step_by(2).map(|piece| piece.split_once('\n').unwrap().1).collect();
    assert_eq!(pieces.len(), 9);
    for piece in pieces {
        assert!(files.iter().any(|file| file.contains(piece)), "not in the example:\n{piece}");
    }
}

/// All jobs that come with the project can be carried out, and the reference runs are those of the jobs as they stand.
#[test]
fn reference_runs_are_of_these_jobs() {
    // Jobs name the weights that they start from relative to the current folder.
    std::env::set_current_dir(root()).unwrap();
    let mut folders = vec![PathBuf::from("configs")];
    let mut jobs = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let job = Job::read(&path).unwrap_or_else(|fault| panic!("{fault}"));
            if job.name == "quickstart" {
                // Everybody's own to run.
                continue;
            }
            let results = Path::new("results").join(&job.name);
            let config = fs::read_to_string(results.join("config.toml")).unwrap();
            assert!(config == job.to_toml(), "{} is of another job", results.display());
            let weights = Policy::read(&results).unwrap();
            assert_eq!((&weights.player, &weights.submission), (&job.player, &job.submission));
            jobs += 1;
        }
    }
    assert!(jobs > 10);
}
