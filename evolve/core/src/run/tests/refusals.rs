//! Tests that runs are not resumed by other jobs, and never overwritten.

use super::*;
use serde_json::json;

#[test]
fn no_run_is_overwritten() {
    let (job, results) = (tiny(), folder());
    complete(&job, results.path());
    let mut before = every_file(results.path());
    // The run is kept even if some of its files are lost.
    for lost in ["", "checkpoint", "config.toml", "recommendation.toml"] {
        if !lost.is_empty() {
            fs::remove_file(file(results.path(), lost)).unwrap();
            before.remove(lost);
        }
        let refused = Run::start(&job, &threads(&job, 1), results.path()).map(|_| ());
        assert!(matches!(refused, Err(RunError::Exists(_))), "without {lost}: {refused:?}");
        assert_same(&before, &every_file(results.path()), lost);
    }
}

#[test]
fn two_processes_cannot_execute_one_run() {
    let (job, results) = (tiny(), folder());
    let evaluator = threads(&job, 1);
    let run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(refusal(&job, results.path()), RunError::Busy(_)));
    drop(run);
    assert!(Run::resume(&job, &evaluator, results.path()).is_ok());
}

/// Changes of a job that make it a different job.
const OTHERS: [(&str, &str); 6] = [
    ("seed = 5", "seed = 6"),
    ("noise = 4", "noise = 5"),
    ("depth = 3", "depth = 4"),
    ("population = 5", "population = 6"),
    ("\"move\", ", ""),
    ("slope_x = 5", "slope_x = 4"),
];

#[test]
fn another_job_cannot_resume_a_run() {
    let results = folder();
    let first = tiny();
    play(Run::start, &first, &threads(&first, 1), results.path(), 12);
    let before = every_file(results.path());
    for change in OTHERS {
        let job = job(&[change]);
        let refused = refusal(&job, results.path());
        assert!(matches!(refused, RunError::OtherJob(..)), "{change:?}: {refused:?}");
        assert_same(&before, &every_file(results.path()), change.1);
    }
    let refused = refusal(&job(&[OTHERS[0]]), results.path()).to_string();
    assert!(refused.contains("there `seed = 5`, here `seed = 6`"), "{refused}");
}

#[test]
fn a_run_keeps_its_initial_sizes() {
    let results = folder();
    complete(&tiny(), results.path());
    let before = every_file(results.path());
    for (change, said) in [
        (("validation = 30", "validation = 31"), "search.validation = 30, and this job has 31"),
        (("selection = 8", "selection = 6"), "search.selection = 8, and this job has 6"),
        (("test = 30", "test = 40"), "search.test = 30, and this job has 40"),
    ] {
        let refused = refusal(&job(&[change]), results.path());
        assert!(matches!(refused, RunError::OtherSize(..)), "{change:?}: {refused:?}");
        let refused = refused.to_string();
        assert!(refused.contains(said) && refused.contains("evolve compare"), "{refused}");
        assert_same(&before, &every_file(results.path()), change.1);
    }
}

/// The checkpoint also identifies its job, in case a user edits both the job and the config.
#[test]
fn a_config_that_does_not_match_the_checkpoint_is_refused() {
    let results = folder();
    let first = tiny();
    play(Run::start, &first, &threads(&first, 1), results.path(), 12);
    let config = fs::read_to_string(file(results.path(), "config.toml")).unwrap();
    for change in OTHERS {
        let job = job(&[change]);
        fs::write(file(results.path(), "config.toml"), job.to_toml()).unwrap();
        let before = every_file(results.path());
        assert_eq!(damage(&job, results.path()), "the checkpoint belongs to another job than config.toml beside it");
        assert_same(&before, &every_file(results.path()), change.1);
    }
    fs::write(file(results.path(), "config.toml"), config).unwrap();
    resume(&first, results.path());
    assert_same(&whole(&first), &files(results.path()), "restored");
}

#[test]
fn a_broken_config_is_reported_with_its_line() {
    let (job, results) = (tiny(), folder());
    play(Run::start, &job, &threads(&job, 1), results.path(), 3);
    let path = file(results.path(), "config.toml");
    let config = fs::read_to_string(&path).unwrap();
    fs::write(&path, config.replace("seed = 5", "sed = 5")).unwrap();
    let refused = refusal(&job, results.path());
    assert!(matches!(refused, RunError::Fault(_)), "{refused:?}");
    assert!(refused.to_string().contains("config.toml:2:1: a job has no key `sed`"), "{refused}");
}

/// Another version plays or searches differently.
#[test]
fn a_run_of_another_version_resumes_only_on_request() {
    let (job, results) = (tiny(), folder());
    play(Run::start, &job, &threads(&job, 1), results.path(), 12);
    let (config, checkpoint) = (file(results.path(), "config.toml"), file(results.path(), "checkpoint"));
    let text = fs::read_to_string(&config).unwrap();
    let other = crate::VERSION + 98;
    let then = text.replace(&format!("version = {}\n", crate::VERSION), &format!("version = {other}\n"));
    assert_ne!(then, text);
    fs::write(&config, &then).unwrap();
    let evaluator = threads(&job, 1);

    // The checkpoint also records its version.
    let refused = Run::resume_other_version(&job, &evaluator, results.path()).map(|_| ());
    assert!(matches!(refused, Err(RunError::OtherVersion { .. })), "{refused:?}");
    let forged = forge(&fs::read_to_string(&checkpoint).unwrap(), "/version", json!(other));
    fs::write(&checkpoint, forged).unwrap();

    let before = every_file(results.path());
    for _ in 0..2 {
        let refused = refusal(&job, results.path());
        assert!(matches!(refused, RunError::OtherVersion { then: Some(then), .. } if then == other), "{refused:?}");
        assert!(refused.to_string().contains(&format!("version {other}")), "{refused}");
        assert_same(&before, &every_file(results.path()), "refused");
    }
    // The run keeps its version, so every resume needs the request.
    for batches in [3, 3, usize::MAX] {
        play(Run::resume_other_version, &job, &evaluator, results.path(), batches);
        assert!(matches!(refusal(&job, results.path()), RunError::OtherVersion { .. }));
        assert_eq!(fs::read_to_string(&config).unwrap(), then);
    }
    assert!(file(results.path(), "recommendation.toml").exists());
}

#[test]
fn a_config_without_a_version_counts_as_another_version() {
    let (job, results) = (tiny(), folder());
    play(Run::start, &job, &threads(&job, 1), results.path(), 3);
    let config = file(results.path(), "config.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace(&format!("version = {}\n", crate::VERSION), "")).unwrap();
    assert!(matches!(refusal(&job, results.path()), RunError::OtherVersion { then: None, .. }));
}
