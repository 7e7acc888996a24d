//! The recommendation of a complete run: the selected finalist if it is better than the baseline,
//! otherwise the baseline.

use crate::job::Job;
use crate::job::policy_file::{Found, Policy, Provenance};
use crate::run::course::Finalist;
use crate::run::course::state::{Evidence, Gain, State};
use crate::run::course::verdict::Verdict;
use evolve_search::statistics::counted;

/// Returns the weights file of a complete run: the recommended weights, the verdict on them, and
/// notes about the trials.
pub fn weights(job: &Job, chosen: &Finalist, verdict: &Verdict, notes: &[String], version: u64) -> String {
    let values = if verdict.recommends_finalist() { chosen.weights.clone() } else { job.space.start().to_vec() };
    with_verdict(policy(job, values, version), verdict, notes)
}

/// Returns the weights file of the finalist of a complete run, if it was compared and is not
/// recommended.
pub fn rejected(job: &Job, chosen: &Finalist, verdict: &Verdict, notes: &[String], version: u64) -> Option<String> {
    let mut policy = policy(job, chosen.weights.clone(), version);
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

/// Returns the values of the incumbent: the mean of the search, at `point`. With constraints, it is
/// the latest mean that held them in a validation; until there is one, it is the mean if it holds
/// them by the search's model, or else the baseline.
pub fn incumbent_values(job: &Job, state: &State, point: &[f64]) -> Vec<f64> {
    match &state.validation.incumbent {
        Some(incumbent) => incumbent.weights.clone(),
        None if may_break(job, state) => job.space.start().to_vec(),
        None => job.space.rounded(point),
    }
}

/// Returns whether the mean of the search, without a validation, may break constraints.
fn may_break(job: &Job, state: &State) -> bool {
    let is_modelled = state.gain().is_some_and(|gain| gain.evidence == Evidence::Model);
    job.problem.is_constrained() && !is_modelled
}

/// Returns the weights file of an unfinished run: its incumbent, not tested yet.
pub fn incumbent(job: &Job, state: &State, point: &[f64], version: u64) -> String {
    let policy = policy(job, incumbent_values(job, state, point), version);
    let mut text = match &state.validation.incumbent {
        Some(Finalist { generation, .. }) => {
            let what = "the latest mean of the search that held the constraints in a validation";
            format!("# Not tested yet: {what}, after generation {generation}.\n")
        }
        None if may_break(job, state) => {
            "# The baseline: no candidate is known to hold the constraints yet.\n".to_string()
        }
        None if job.problem.is_constrained() => {
            let trials = counted(state.trials(), "trial");
            format!(
                "# Not tested yet: the mean of the search after {trials}, which holds the constraints by its model.\n"
            )
        }
        None => format!("# Not tested yet: the mean of the search after {}.\n", counted(state.trials(), "trial")),
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
