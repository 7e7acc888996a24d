//! The names in the folder of a run: of files, of folders, and of the columns that parameters have.
//!
//! `docs/files.md` describes the contents.

/// The folder of runs.
pub const RESULTS: &str = "results";

pub const CONFIG: &str = "config.toml";
pub const RECOMMENDATION: &str = "recommendation.toml";
pub const FINALIST: &str = "finalist.toml";
pub const INCUMBENT: &str = "incumbent.toml";

pub const GENERATIONS: &str = "generations.csv";
pub const VALIDATION: &str = "validation.csv";
pub const TIMING: &str = "timing.csv";
pub const TRIALS: &str = "trials.csv";
pub const TRIAL_TIMES: &str = "trial-times.csv";
pub const EXPLANATION: &str = "explain.csv";

pub const PLOTS: &str = "plots";
pub const REPORT: &str = "report.html";

pub const PROGRAM: &str = "program";
pub const SOURCE: &str = "source";
/// Describes [`SOURCE`].
pub const SOURCE_FILE: &str = "source.json";
pub const VERSIONS: &str = "versions";
/// In the folder of each version.
pub const VERSION: &str = "version.json";
/// The link to the last version.
pub const BEST: &str = "best";
pub const CHANGE: &str = "change.json";

pub const BEST_SCORES: &str = "best-scores.csv";
pub const FAILURES: &str = "failures";
pub const PICTURES: &str = "pictures";

pub const LEARNED: &str = "learned.csv";
pub const INPUTS: &str = "inputs.txt";
pub const BASELINE: &str = "baseline.jsonl";
/// Scores that were reported to the run, of which it may not have counted the latest yet.
pub const TOLD: &str = "told.jsonl";
pub const LOG: &str = "log.jsonl";
pub const CHECKPOINT: &str = "checkpoint";
pub const LOCK: &str = ".lock";

/// The files of a failure, in its folder in [`FAILURES`].
pub mod failure {
    pub const REASON: &str = "reason.txt";
    /// The script that repeats the trial.
    pub const AGAIN: &str = "again.sh";
    pub const PARAMETERS: &str = "parameters.toml";
    pub const INPUT: &str = "input.txt";
    pub const STDOUT: &str = "stdout.txt";
    pub const STDERR: &str = "stderr.txt";
}

/// The prefixes of the columns of parameters.
pub mod column {
    /// In [`TRIALS`](super::TRIALS) and [`LEARNED`](super::LEARNED).
    pub const VALUE: &str = "value.";
    /// In [`GENERATIONS`](super::GENERATIONS): the best candidate's value.
    pub const WEIGHT: &str = "weight.";
    /// The mean of the search.
    pub const MEAN: &str = "mean.";
    /// The standard deviation in the population.
    pub const DEVIATION: &str = "sd.";
}
