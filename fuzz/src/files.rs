//! Files that users write or share, jobs and weights, and helpers of the other targets.

use arbitrary::{Arbitrary, Result, Unstructured};
use evolve_core::job::Catalogue;
use evolve_core::job::Job;
use evolve_core::job::policy_file::Policy;
use evolve_games::GAMES;
use evolve_search::document::Document;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(&GAMES));

/// Creates a document from text.
pub fn document(bytes: Unstructured<'_>) -> Result<Document> {
    Ok(Document::new(Path::new("fuzz.toml"), String::arbitrary_take_rest(bytes)?))
}

/// Checks that a message about a file is short for any content.
pub fn assert_short(message: &str) {
    assert!(message.len() < 200_000, "a message of {} bytes", message.len());
}

/// Reads a job of a game. A valid job is written so that it reads as the same.
pub fn job(bytes: Unstructured<'_>) -> Result<bool> {
    let document = document(bytes)?;
    // A starting weights file would be a path, and no target opens paths from the input.
    Ok(!document.text().contains("start") && job_of(&document, &CATALOGUE))
}

/// Reads a job, writes it, and reads it again.
pub fn job_of(document: &Document, catalogue: &Catalogue) -> bool {
    let job = match Job::parse(document, catalogue) {
        Ok(job) => job,
        Err(fault) => {
            assert_short(&fault.to_string());
            return false;
        }
    };
    let written = job.to_toml();
    let again = Job::parse(&Document::new(Path::new("again.toml"), written.clone()), catalogue);
    let again = again.unwrap_or_else(|fault| panic!("{fault}\n{written}"));
    assert_eq!(again.to_toml(), written);
    assert_eq!(again.digest(), job.digest());
    true
}

/// Reads weights of a game. Every bit of valid values is written back.
pub fn weights(bytes: Unstructured<'_>) -> Result<bool> {
    let policy = match Policy::parse(&document(bytes)?, &CATALOGUE) {
        Ok(policy) => policy,
        Err(fault) => {
            assert_short(&fault.to_string());
            return Ok(false);
        }
    };
    let written = policy.to_toml();
    let again = Policy::parse(&Document::new(Path::new("again.toml"), written.clone()), &CATALOGUE);
    let again = again.unwrap_or_else(|fault| panic!("{fault}\n{written}"));
    let bits = |policy: &Policy| policy.values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&again), bits(&policy));
    assert_eq!(again.to_toml(), written);
    Ok(true)
}

/// Splits an input into files at the ASCII file separator; missing files are empty.
pub fn parts<const FILES: usize>(bytes: &[u8]) -> [&[u8]; FILES] {
    let mut parts = bytes.split(|&byte| byte == SEPARATOR);
    [(); FILES].map(|()| parts.next().unwrap_or_default())
}

/// The separator of the files in an input.
pub const SEPARATOR: u8 = 0x1c;

/// Creates an empty folder, in memory if possible, because the files in it are synced often.
pub fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("there is room for a folder")
}
