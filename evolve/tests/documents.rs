//! What the documentation says of files holds.

mod committed;

use evolve::core::config::{Job, reference};
use evolve::core::document::Document;
use evolve::core::policy_file::Policy;
use evolve::core::problem::Catalogue;
use evolve::games::GAMES;
use std::fs;
use std::path::Path;

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

/// The page on adding a game shows a program that is compiled and run.
#[test]
fn the_example_is_as_shown() {
    let example = root().join("examples/offers");
    let file = |name: &str| fs::read_to_string(example.join(name)).unwrap();
    let files = ["Cargo.toml", "src/main.rs", "job.toml"].map(file);
    let page = fs::read_to_string(root().join("docs/adding-a-game.md")).unwrap();
    let pieces: Vec<(&str, &str)> =
        page.split("\n```").skip(1).step_by(2).map(|piece| piece.split_once('\n').unwrap()).collect();
    assert!(pieces.len() >= 6);
    for (language, piece) in pieces {
        if ["rust", "toml"].contains(&language) {
            assert!(files.iter().any(|file| file.contains(piece)), "not in the example:\n{piece}");
        }
    }
    assert!(files[1].lines().count() < 60);
}

/// The page on jobs has every key as it is declared. If declarations have changed, write it anew with
/// `UPDATE_DOCS=1 cargo test -p evolve --test documents`.
#[test]
fn the_keys_are_as_documented() {
    let page = root().join("docs/config.md");
    let declared = reference(&Catalogue::new(&GAMES).declaring(&evolve_program::PROGRAM));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&page, &declared).unwrap();
    }
    assert!(fs::read_to_string(&page).unwrap() == declared, "docs/config.md is out of date; see this test's comment");
}

/// All jobs that come with the project can be carried out, and the reference runs are those of the jobs as they stand.
#[test]
fn reference_runs_are_of_these_jobs() {
    let catalogue = Catalogue::new(&GAMES);
    // Jobs name the weights that they start from relative to the current folder, which may be another one here.
    let read = |path: &Path| {
        let from = |root: &str| format!("start = \"{root}results/");
        let text = fs::read_to_string(path).unwrap().replace(&from(""), &from(&format!("{}/", root().display())));
        Job::parse(&Document::new(path, text), &catalogue).unwrap_or_else(|faults| panic!("{faults}"))
    };
    let mut folders = vec![root().join("configs")];
    let mut jobs = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let job = read(&path);
            if job.name == "quickstart" {
                // Everybody's own to run.
                continue;
            }
            let results = root().join("results").join(&job.name);
            // As it is written now, whatever version of the program made the run. A run that was made before keys of its
            // search went is of this job as far as the rest goes, until it is made again.
            let config = Job::read(&results.join("config.toml"), &catalogue)
                .unwrap_or_else(|_| read(&committed::results().join(&job.name).join("config.toml")));
            assert!(config.to_toml() == job.to_toml(), "{} is of another job", results.display());
            let weights = Policy::read(&results, &catalogue).unwrap_or_else(|faults| panic!("{faults}"));
            assert_eq!(weights.source.setup, job.source.setup);
            assert_eq!(weights.submission, job.submission);
            jobs += 1;
        }
    }
    assert!(jobs > 10);
}
