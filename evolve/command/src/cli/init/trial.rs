//! The first trials of a program.

use super::super::{catalogue, context, interrupt};
use evolve_core::job::Job;
use evolve_core::judgement::effect::changed;
use evolve_search::document::Document;
use evolve_search::evaluator::{Evaluator, Threads, play_candidate};
use evolve_search::model::problem::{Context, OpenError, StopFlags};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, Failure, FailureKind, Outcome, PlayError};
use evolve_search::statistics::mean;
use std::path::Path;

/// The results of the first trials.
pub struct Tried {
    /// Whether the same trials gave the same scores in separate processes.
    pub reproduces: bool,
    pub scores: Vec<f64>,
    /// Whether all trials have the same instance.
    pub is_one_case: bool,
    /// The mean duration of a trial in seconds.
    pub seconds: f64,
}

/// The reason why there are no results.
pub enum TrialsError {
    /// The job cannot be read.
    Job(String),
    /// The command comes from the file of another tool, and the user did not allow to start it.
    Foreign,
    /// The program cannot be built or started.
    Start(String),
    Trial(Failure),
    Stopped,
}

/// The number of trials, each of which is played twice.
const TRIALS: usize = 4;

/// Plays some trials of a job's baseline twice, if `may_start`.
pub fn first(path: &Path, text: String, may_start: bool) -> Result<Tried, TrialsError> {
    let job =
        Job::parse(&Document::new(path, text), catalogue()).map_err(|fault| TrialsError::Job(fault.to_string()))?;
    if !may_start {
        return Err(TrialsError::Foreign);
    }
    let stop = interrupt::flag().map_err(|failure| TrialsError::Start(failure.message().unwrap_or_default()))?;
    let context = Context { stop: StopFlags::all(&stop), ..context() };
    let threads = Threads::open(&*job.problem, 0, context).map_err(|error| match error {
        OpenError::Stopped(_) => TrialsError::Stopped,
        OpenError::Failed(message) => TrialsError::Start(message),
    })?;
    let (mut queue, start) = (threads.queue(), job.space.start().into());
    let cases = Case::first(job.seed, Split::Validation, TRIALS);
    let mut once = || -> Result<Vec<Outcome>, TrialsError> {
        let outcomes = play_candidate(queue.as_mut(), &start, &cases).map_err(|error| match error {
            PlayError::Stopped => TrialsError::Stopped,
            PlayError::Fatal(failure) => TrialsError::Trial(failure),
        })?;
        match outcomes.iter().find_map(|outcome| outcome.failure.clone()) {
            Some(failure) => Err(TrialsError::Trial(failure)),
            None => Ok(outcomes),
        }
    };
    let (outcomes, again) = (once()?, once()?);
    let times: Vec<f64> = outcomes.iter().filter_map(|outcome| Some(outcome.time?.as_secs_f64())).collect();
    Ok(Tried {
        reproduces: changed(&outcomes, &again) == 0,
        scores: outcomes.iter().map(|outcome| outcome.score).collect(),
        is_one_case: job.problem.behaviour().is_one_case(),
        seconds: mean(&times),
    })
}

/// Returns the reason of a failure. Names the instance only if the program gets one: otherwise, its
/// name is a random seed.
pub fn reason(failure: &Failure, has_instances: bool) -> String {
    let at = if has_instances { failure.at() } else { String::new() };
    format!("{at}: {}", failure.message)
}

pub fn advice(failure: &Failure, has_instances: bool) -> &'static str {
    use FailureKind::{Exit, Score, Scorer, Signal, Time};
    match failure.kind {
        Exit | Signal | Time | Score if !has_instances => {
            "the program got neither input nor seed: set `stdin` or `files`, or add `{seed}` to `command`"
        }
        Exit | Signal => "run the program by hand on this input, and fix the program or `command`",
        Time => "if the program does not wait for input, raise `timeout`",
        Score => "print `Score = 123`, set `score` to the pattern of the score, or name a tester with `scorer`",
        Scorer => "run the scorer by hand, and fix the scorer or the key `scorer`",
        _ => "fix the program or the job",
    }
}
