//! The verdict of a run in plain words, its cost, and the next commands.

use crate::tables::Run;
use evolve_core::job::Job;
use evolve_core::job::policy_file::{Policy, RecordedVerdict};
use evolve_core::run::rows::{Stage, ValidationRow};
use evolve_core::statistics::{Interval, digits, grouped};
use serde::Serialize;

/// The text about a run.
#[derive(Serialize)]
pub struct Words {
    /// `better`, `same` or `open`.
    result: &'static str,
    /// The verdict in a few words.
    headline: String,
    /// The verdict with its numbers.
    detail: String,
    cost: String,
    /// The next commands, each with a description.
    next: Vec<(String, &'static str)>,
}

/// Returns the text about the run in a folder.
pub fn words(folder: &str, job: &Job, run: &Run, policy: Option<&Policy>) -> Words {
    let (result, headline, detail) = match run.verdict() {
        Some((start, chosen)) => verdict(job, start, chosen, policy.and_then(|policy| policy.verdict.as_ref())),
        None if policy.is_some_and(|policy| policy.values == job.space.start()) => {
            let why = "The search found nothing better than the baseline, so no test was played.".to_string();
            ("same", NOT_BETTER.to_string(), why)
        }
        None if policy.is_some() => ("open", "Not tested, as the job says".to_string(), so_far(run)),
        None => ("open", "No verdict yet".to_string(), so_far(run)),
    };
    let report = |what: &'static str| (format!("evolve report {folder}"), what);
    let resume = |what: &'static str| (format!("evolve run {folder}/config.toml --resume"), what);
    let next = match result {
        _ if policy.is_none() => vec![resume("resume the run, if it is not running"), report("refresh this page")],
        "better" => {
            let export = match job.source.is_declared() {
                true => (
                    format!("evolve export {folder} --format args"),
                    "print the tuned values (`--into FILE` writes them back into the source)",
                ),
                false => (
                    format!("evolve export {folder} --output submission.rs"),
                    "export a program with the recommended weights",
                ),
            };
            vec![export, (format!("evolve compare defaults {folder}"), "measure the result again")]
        }
        "open" => vec![(format!("evolve compare defaults {folder}"), "measure the result")],
        _ => vec![
            resume("search longer: raise `budget` in the file"),
            (format!("evolve compare {folder}"), "measure the baseline again"),
        ],
    };
    Words { result, headline, detail, cost: cost(run), next }
}

const NOT_BETTER: &str = "No improvement found: the baseline stays";

/// Returns the result, the verdict in a few words, and the verdict with its numbers.
fn verdict(
    job: &Job,
    start: &ValidationRow,
    chosen: &ValidationRow,
    found: Option<&RecordedVerdict>,
) -> (&'static str, String, String) {
    let unknown = Interval { mean: chosen.objective - start.objective, low: 0.0, high: 0.0 };
    let interval = chosen.difference().unwrap_or(unknown);
    let by_ratio = job.source.problem.is_rated_by_ratio();
    // Tables of early versions have objectives instead of scores.
    let has_scores = job.source.is_declared();
    let of = |row: &ValidationRow| if has_scores { row.score } else { row.objective };
    let (before, after) = (of(start), of(chosen));
    let is_apart = has_scores && [start, chosen].iter().any(|row| row.score != row.objective);
    let digits = digits(start.standard_error.max(chosen.standard_error), before);
    let plain = |value: f64| format!("{value:.digits$}");
    let Interval { mean, low, high } = interval;
    let of_interval = interval.digits();
    let signed = |value: f64| format!("{value:+.of_interval$}");
    let detail = format!(
        "In {} held-out trials the baseline scored {} on average and the finalist {}. The paired difference{} is {} (95 % \
            confidence interval {} to {}).",
        grouped(chosen.trials),
        plain(before),
        plain(after),
        if is_apart { " of the objective" } else { "" },
        signed(mean),
        signed(low),
        signed(high)
    );
    let constraints: &[String] = found.map_or(&[], |found| &found.constraints);
    let is_better = found.map_or(low > 0.0, |found| found.improvement);
    let (result, headline, detail) = if is_better && low <= 0.0 {
        let headline = format!("Better: the baseline breaks a constraint; the mean score is {}", plain(after));
        ("better", headline, detail)
    } else if is_better {
        // For a score below zero, a share is meaningless.
        let share = match by_ratio {
            true => Some(100.0 * mean),
            false => (before > 0.0).then(|| 100.0 * (after - before) / before),
        };
        let of_objective = if by_ratio { " of the objective" } else { "" };
        let share = share.map_or_else(String::new, |share| format!(" ({share:+.1} %{of_objective})"));
        let headline = format!("Better: the mean score went from {} to {}{share}", plain(before), plain(after));
        ("better", headline, detail)
    } else {
        let why = match high < 0.0 {
            _ if low > 0.0 => "The finalist does not hold the constraints.",
            true => "The finalist is worse than the baseline.",
            false => "The interval includes zero, so the finalist may be no better than the baseline.",
        };
        ("same", NOT_BETTER.to_string(), format!("{detail} {why}"))
    };
    let constraints: String = constraints.iter().map(|line| format!(" {line}.")).collect();
    (result, minus(&headline), minus(&detail) + &constraints)
}

/// Replaces hyphens by minus signs, except in words.
fn minus(text: &str) -> String {
    text.replace('-', "\u{2212}").replace("held\u{2212}out", "held-out")
}

/// Describes the last validation on held-out trials.
fn so_far(run: &Run) -> String {
    let last = run.stage(Stage::Validation).last().filter(|check| check.generation > 0);
    match last.and_then(|check| Some((check, check.difference()?))) {
        Some((check, interval)) => {
            let (Interval { mean, low, high }, digits) = (interval, interval.digits());
            minus(&format!(
                "So far, after {} generations: {mean:+.digits$} in {} held-out trials (95 % confidence interval \
                    {low:+.digits$} to {high:+.digits$}). Validation only shows progress; the held-out test at the end \
                    decides.",
                grouped(check.generation),
                grouped(check.trials)
            ))
        }
        None => "No validation so far.".to_string(),
    }
}

fn cost(run: &Run) -> String {
    // A long run does not record every generation; validations show how many there were.
    let checked = run.estimates.iter().map(|row| row.generation).max().unwrap_or(0);
    let generations = run.generations.last().map_or(0, |last| last.generation.saturating_add(1)).max(checked);
    let trials = run.trials_played();
    let all = if run.verdict().is_some() { "in all" } else { "so far" };
    let plural = if generations == 1 { "" } else { "s" };
    let time = run.times.last().map_or_else(String::new, |time| format!(" took {}", duration(time.seconds)));
    format!("{} trials {all}; {} generation{plural} of search{time}", grouped(trials), grouped(generations))
}

/// Formats a duration in its two largest units.
fn duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_readable() {
        assert_eq!(duration(59.4), "59 s");
        assert_eq!(duration(168.0), "2 min 48 s");
        assert_eq!(duration(28_925.0), "8 h 2 min");
    }
}
