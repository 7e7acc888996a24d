//! Files that people write or pass on: jobs and weights.

use evolve_core::config::Job;
use evolve_core::document::Document;
use evolve_core::policy_file::Policy;
use evolve_core::problem::Catalogue;
use evolve_games::GAMES;
use std::path::Path;
use std::sync::LazyLock;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(&GAMES));

/// A document of these bytes, if they are text.
pub fn document(bytes: &[u8]) -> Option<Document> {
    Some(Document::new(Path::new("fuzz.toml"), std::str::from_utf8(bytes).ok()?.to_string()))
}

/// What is wrong with a file comes to a few lines, whatever stands in it.
pub fn assert_short(message: &str) {
    assert!(message.len() < 200_000, "a message of {} bytes", message.len());
}

/// A job of a game. What was read is written so that it reads as the same.
pub fn job(bytes: &[u8]) -> bool {
    let Some(document) = document(bytes) else { return false };
    // Weights that a job starts from are a path: no target opens what bytes name.
    if document.text().contains("start") {
        return false;
    }
    job_of(&document, &CATALOGUE)
}

/// Reads a job, writes it, and reads it again.
pub fn job_of(document: &Document, catalogue: &Catalogue) -> bool {
    match Job::parse(document, catalogue) {
        Err(faults) => {
            assert_short(&faults.to_string());
            false
        }
        Ok(job) => {
            let written = job.to_toml();
            let again = Job::parse(&Document::new(Path::new("again.toml"), written.clone()), catalogue);
            let again = again.unwrap_or_else(|faults| panic!("{faults}\n{written}"));
            assert_eq!(again.to_toml(), written);
            assert_eq!(again.digest(), job.digest());
            true
        }
    }
}

/// Weights of a game. Every bit of what was read is written.
pub fn weights(bytes: &[u8]) -> bool {
    let Some(document) = document(bytes) else { return false };
    match Policy::parse(&document, &CATALOGUE) {
        Err(faults) => {
            assert_short(&faults.to_string());
            false
        }
        Ok(policy) => {
            let written = policy.to_toml();
            let again = Policy::parse(&Document::new(Path::new("again.toml"), written.clone()), &CATALOGUE);
            let again = again.unwrap_or_else(|faults| panic!("{faults}\n{written}"));
            let bits = |policy: &Policy| policy.values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&again), bits(&policy));
            assert_eq!(again.to_toml(), written);
            true
        }
    }
}
