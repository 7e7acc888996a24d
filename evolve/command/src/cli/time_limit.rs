//! The time limits of a job in words: what a run plays at which limit, and how long it takes.

use super::progress::rounded;
use evolve_core::job::Job;
use evolve_core::job::time_limit::TimeLimits;
use evolve_core::judgement::outlook::Extent;
use evolve_program::Program;
use evolve_search::statistics::counted;
use std::sync::Arc;
use std::time::Duration;

/// Returns the job with the full limit throughout; `None` if the search has no shorter one.
pub fn at_full_limit(job: &Job) -> Option<Job> {
    let problem = Program::of(&*job.problem)?.at_full_limit()?;
    Some(Job { problem: Arc::new(problem), ..job.clone() })
}

/// Returns the seconds from one trial of the search to the next, if each takes its limit.
pub fn pace(job: &Job, at_a_time: usize) -> Option<f64> {
    let limits = TimeLimits::of(&*job.problem)?;
    Some(limits.search.as_secs_f64() / at_a_time.max(1) as f64)
}

/// Returns the number of trials and their time in words, if one of the search starts every `pace`
/// seconds.
fn cost(job: &Job, pace: f64) -> String {
    let trials = Extent::of(job, Some(pace)).trials;
    let time = Duration::try_from_secs_f64(job.work(trials) * pace).unwrap_or(Duration::MAX);
    format!("{} take about {}", counted(trials.total().round() as u64, "trial"), rounded(time))
}

/// Returns the limits, and the number of trials and their time with these limits and with the full
/// limit throughout, each in a line, if a trial of the search starts every `pace` seconds; `None`
/// without limits.
pub fn plan(job: &Job, pace: f64) -> Option<Vec<String>> {
    let limits = TimeLimits::of(&*job.problem)?;
    let mut lines = vec![limits.to_string(), cost(job, pace)];
    if let Some(full) = at_full_limit(job) {
        lines.push(format!("at the full limit throughout, {}", cost(&full, limits.ratio() * pace)));
    }
    Some(lines)
}
