//! The recommendation of a complete run: the selected finalist if it is better than the baseline,
//! otherwise the baseline.

use crate::job::Job;
use crate::job::policy_file::{Policy, Provenance};
use crate::job::recorded::Found;
use crate::run::course::Finalist;
use crate::run::course::state::{Evidence, Gain, State};
use crate::run::course::verdict::Verdict;
use evolve_search::statistics::counted;

/// Returns the weights file of a complete run: the recommended weights, the verdict on them, and
/// notes about the trials.
pub fn weights(job: &Job, chosen: &Finalist, verdict: &Verdict, notes: &[String], version: u64) -> String {
    let values = if verdict.recommends_finalist() { chosen.values.clone() } else { job.space.start().to_vec() };
    with_verdict(policy(job, values, version), verdict, notes)
}

/// Returns the weights file of the finalist of a complete run, if it was compared and is not
/// recommended.
pub fn rejected(job: &Job, chosen: &Finalist, verdict: &Verdict, notes: &[String], version: u64) -> Option<String> {
    let mut policy = policy(job, chosen.values.clone(), version);
    policy.run.iter_mut().for_each(|run| run.rejected = true);
    let is_rejected = verdict.found() == Found::NotBetter;
    is_rejected
        .then(|| format!("# The finalist, which the run does not recommend.\n{}", with_verdict(policy, verdict, notes)))
}

fn with_verdict(policy: Policy, verdict: &Verdict, notes: &[String]) -> String {
    let policy = Policy { verdict: verdict.recorded(), ..policy };
    let notes = notes.iter().map(|note| format!("\nnote: {note}"));
    let comment = format!("{verdict}{}", notes.collect::<String>());
    let comment: String = comment.lines().map(|line| format!("# {line}\n")).collect();
    format!("{comment}\n{}", policy.to_toml())
}

fn policy(job: &Job, values: Vec<f64>, version: u64) -> Policy {
    let run = Some(Provenance { name: job.name.clone(), version, rejected: false });
    Policy { problem: job.problem.clone(), submission: job.submission.clone(), values, run, verdict: None }
}

/// The incumbent of an unfinished run.
enum Incumbent<'s> {
    /// The mean of the search.
    Mean,
    /// With constraints: the latest mean that held them in a validation.
    Validated(&'s Finalist),
    /// Until there is one, the mean, if it holds them by the search's model.
    Modelled,
    /// Without a model, the baseline.
    Start,
}

impl<'s> Incumbent<'s> {
    fn of(job: &Job, state: &'s State) -> Self {
        let is_modelled = state.gain().is_some_and(|gain| gain.evidence == Evidence::Model);
        match &state.validation.incumbent {
            Some(validated) => Incumbent::Validated(validated),
            None if !job.problem.is_constrained() => Incumbent::Mean,
            None if is_modelled => Incumbent::Modelled,
            None => Incumbent::Start,
        }
    }
}

/// Returns the values of the incumbent. The mean of the search is at `point`.
pub fn incumbent_values(job: &Job, state: &State, point: &[f64]) -> Vec<f64> {
    match Incumbent::of(job, state) {
        Incumbent::Mean | Incumbent::Modelled => job.space.rounded(point),
        Incumbent::Validated(validated) => validated.values.clone(),
        Incumbent::Start => job.space.start().to_vec(),
    }
}

/// Returns the weights file of an unfinished run: its incumbent, not tested yet.
pub fn incumbent(job: &Job, state: &State, point: &[f64], version: u64) -> String {
    let policy = policy(job, incumbent_values(job, state, point), version);
    let trials = counted(state.trials(), "trial");
    let mut text = match Incumbent::of(job, state) {
        Incumbent::Mean => format!("# Not tested yet: the mean of the search after {trials}.\n"),
        Incumbent::Validated(Finalist { generation, .. }) => {
            let what = "the latest mean of the search that held the constraints in a validation";
            format!("# Not tested yet: {what}, after generation {generation}.\n")
        }
        Incumbent::Modelled => {
            format!(
                "# Not tested yet: the mean of the search after {trials}, which holds the constraints by its model.\n"
            )
        }
        Incumbent::Start => "# The baseline: no candidate is known to hold the constraints yet.\n".to_string(),
    };
    if let Some(Gain { interval, evidence }) = state.gain() {
        let by = if evidence == Evidence::Model { "By the search's model" } else { "In validation" };
        let gain = job.problem.rating().sentence(interval);
        text += &format!("# {by} it differs from the baseline by {gain}.\n");
    }
    text.push('\n');
    text.push_str(&policy.to_toml());
    text
}
