//! The verdict of a run in plain words, its cost, and the next commands.

use super::commands::{Command, next};
use super::input::Input;
use crate::tables::Run;
use evolve_contest::Games;
use evolve_core::job::recorded::{Found, RecordedVerdict};
use evolve_core::job::{Job, Stage};
use evolve_core::judgement::comparison::Answer;
use evolve_core::names::CONFIG;
use evolve_core::run::rows::ValidationRow;
use evolve_core::run::{Compared, Sample, Verdict};
use evolve_search::shell::shell_word;
use evolve_search::statistics::{digits, grouped};
use serde::Serialize;

/// The text about a run.
#[derive(Serialize)]
pub struct Words {
    /// The result of a complete run.
    found: Option<Found>,
    /// The verdict in a few words.
    headline: String,
    /// The verdict with its numbers.
    detail: String,
    cost: String,
    /// The reason why fewer trials were played than the budget allows.
    fewer: Option<&'static str>,
    /// The meaning of a gain.
    gain: String,
    /// The meaning of the interval in the detail.
    interval: Option<&'static str>,
    /// The folder of the run, as it is and as a word of the next commands.
    folder: String,
    quoted: String,
    next: Vec<Command>,
}

/// Returns the text about the run in a folder.
pub fn words(input: &Input, games: &Games) -> Words {
    let Input { folder, job, run, policy, modelled, .. } = input;
    let modelled = modelled.as_deref();
    let recorded = policy.as_ref().map(|policy| policy.verdict.as_ref());
    let (headline, detail) = match recorded {
        Some(Some(recorded)) => {
            let compared = input.verdict.as_ref().and_then(Verdict::compared);
            let (headline, detail) =
                verdict(job, run, recorded, compared.and_then(|compared| compared.paired.by_score()));
            let unseen = input.verdict.as_ref().and_then(Verdict::unseen);
            (headline, detail + &unseen.map(|unseen| format!(" Unseen: {}.", minus(&unseen))).unwrap_or_default())
        }
        Some(None) => ("Not tested, as the job says".to_string(), so_far(job, run, modelled)),
        None => ("No verdict yet".to_string(), so_far(job, run, modelled)),
    };
    let found = recorded.map(|verdict| verdict.map_or(Found::Untested, RecordedVerdict::found));
    let next = match found {
        Some(found) => next(folder, &*job.problem, found, games),
        None => vec![
            (
                format!("evolve run {} --resume", shell_word(&format!("{folder}/{CONFIG}"))),
                "resume the run, if it is not running",
            ),
            (format!("evolve report {}", shell_word(folder)), "refresh this page"),
        ],
    };
    let sized = match &input.verdict {
        Some(Verdict::Tested(Compared { trials, .. }, Sample { most, .. })) => Some((*trials, *most)),
        _ => None,
    };
    Words {
        found,
        headline,
        detail,
        cost: cost(input, sized),
        fewer: policy.as_ref().and_then(|_| fewer(played(input), job.limits.budget, sized, run.tested().is_some())),
        gain: gain(job),
        interval: sized.map(|_| INTERVAL),
        folder: folder.clone(),
        quoted: shell_word(folder),
        next,
    }
}

/// Returns the verdict in a few words, and with its numbers. `by_score` is the answer of the mean
/// score, where that is not what decides.
fn verdict(job: &Job, run: &Run, recorded: &RecordedVerdict, by_score: Option<Answer>) -> (String, String) {
    let not_better = "No improvement found: the baseline stays".to_string();
    let lines = recorded.constraints.iter().chain(&recorded.groups);
    let constraints: String = lines.map(|line| format!(" {line}.")).collect();
    let Some(interval) = recorded.interval() else {
        let why = "The search found nothing better than the baseline, so no test was played.";
        return (not_better, minus(&format!("{why}{constraints}")));
    };
    let &RecordedVerdict { trials, start, mean, confidence, .. } = recorded;
    let is_exact = interval.low == interval.high && job.problem.is_exact(trials as usize);
    let rating = job.problem.rating();
    let is_ratio = rating.is_ratio();
    let rows: Vec<&ValidationRow> = run.stage(Stage::Test).collect();
    let is_apart = is_ratio || rows.iter().any(|row| row.score != row.objective);
    let digits = digits(rows.iter().map(|row| row.standard_error).fold(0.0, f64::max), start);
    let [before, after] = [start, mean].map(|score| thousands(&format!("{score:.digits$}")));
    let difference = if is_apart { "gain" } else { "difference" };
    let detail = match is_exact {
        true if trials > 1 => format!(
            "On all {} instances, which the search used as well, the baseline scored {before} on average, and the \
                tuned values {after}. The {difference} is {}.",
            grouped(trials),
            rating.mean(interval)
        ),
        true => format!(
            "In the only trial of each candidate, the baseline scored {before}, and the tuned values {after}; nothing was \
                held out. The {difference} is {}.",
            rating.mean(interval)
        ),
        false => format!(
            "In {} {}, the baseline scored {before} on average, and the tuned values {after}. The \
                paired {difference} is {}.",
            grouped(trials),
            of_test(job),
            rating.sentence_at(confidence, interval)
        ),
    };
    let (headline, detail) = match recorded.found() {
        Found::Better if interval.low <= 0.0 => {
            (format!("Better: the baseline breaks a constraint; the mean score is {after}"), detail)
        }
        Found::Better if by_score == Some(Answer::Worse) => {
            (format!("Better: gain {}, but the mean score is worse: {after}", rating.mean(interval)), detail)
        }
        // The objective decides, even if the score is the same.
        Found::Better if is_apart && !is_ratio && mean <= start => {
            let [gain, _] = interval.texts();
            (format!("Better: gain {gain}; the mean score is {after}"), detail)
        }
        Found::Better => {
            // For a score below zero, a share is meaningless.
            let share = match is_ratio {
                true => Some(format!(" (gain {:+.1} %)", 100.0 * interval.mean)),
                false => (start > 0.0).then(|| format!(" ({:+.1} %)", 100.0 * (mean - start) / start)),
            };
            let share = share.unwrap_or_default();
            let doubt = match by_score {
                Some(Answer::Open) => " The mean score is not shown to be better.",
                _ => "",
            };
            (format!("Better: the mean score went from {before} to {after}{share}"), format!("{detail}{doubt}"))
        }
        Found::Holds => {
            let headline = "Within the limits, which the baseline breaks; the score is worse";
            (headline.to_string(), detail)
        }
        Found::Kept | Found::Untested | Found::NotBetter => {
            let why = match () {
                () if interval.low.is_infinite() => "Without an interval, nothing is known about the tuned values.",
                () if interval.low > 0.0 => "The tuned values do not hold the constraints.",
                () if interval.high < 0.0 => "The tuned values are worse than the baseline.",
                () if is_exact => "The tuned values are not better than the baseline.",
                () => "The interval includes zero, so the tuned values may be no better than the baseline.",
            };
            (not_better, format!("{detail} {why}"))
        }
    };
    (minus(&headline), minus(&format!("{detail}{constraints}")))
}

/// Separates the thousands of a number, as tables do.
fn thousands(number: &str) -> String {
    let (sign, rest) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let whole = rest.split('.').next().unwrap_or(rest);
    match whole.parse() {
        Ok(value) => format!("{sign}{}{}", grouped(value), &rest[whole.len()..]),
        Err(_) => number.to_string(),
    }
}

/// Replaces hyphens by minus signs, except in words.
fn minus(text: &str) -> String {
    text.replace('-', "\u{2212}").replace("held\u{2212}out", "held-out")
}

/// Returns the trials of validation and test.
fn of_test(job: &Job) -> &'static str {
    if job.problem.is_tested_on_searched() { "trials on the instances of the search" } else { "held-out trials" }
}

/// Describes the last validation or, in a run without one, the gain by the model.
fn so_far(job: &Job, run: &Run, modelled: Option<&str>) -> String {
    let last = run.stage(Stage::Validation).last().filter(|check| check.generation > 0);
    match last.and_then(|check| Some((check, check.difference()?))) {
        Some((check, interval)) => minus(&format!(
            "So far, after {} generations, the gain of the incumbent in {} {} is {}. Validation \
                only shows progress; the held-out test at the end decides.",
            grouped(check.generation),
            grouped(check.trials),
            of_test(job),
            job.problem.rating().sentence(interval)
        )),
        None => match modelled {
            Some(gain) => minus(&format!(
                "So far, the model of the search estimates a gain of the incumbent of {}. The test at the end decides.",
                gain.trim_end_matches(" in the objective")
            )),
            None => "No validation so far.".to_string(),
        },
    }
}

/// The interval of a test.
const INTERVAL: &str = "The interval is Student's t, corrected for skewed differences, so that its ends need not be equally far \
    from the mean, and for several looks at the test, so that it is wider if the test stopped early.";

/// Returns the meaning of a gain.
fn gain(job: &Job) -> String {
    match job.problem.goal().filter(|goal| goal.rating.is_ratio()) {
        Some(goal) => format!(
            "A gain is the difference in {} from the baseline on the same instance, divided by the larger of the two \
                scores; above zero is better.",
            goal.of
        ),
        None => "A gain is the difference of the objective from the baseline's; above zero is better.".to_string(),
    }
}

/// Returns why a complete run played fewer trials than its budget. `sized` are the trials of each
/// candidate in its test, and their largest number.
fn fewer(played: u64, budget: Option<u64>, sized: Option<(usize, usize)>, is_tested: bool) -> Option<&'static str> {
    budget.filter(|budget| played < *budget)?;
    Some(match sized {
        Some((trials, most)) if trials < most => "The test stopped early, because its result was clear.",
        _ if !is_tested => "No test was played.",
        _ => "The rest of the budget was less than a generation, or reserved for a stage that needed fewer trials.",
    })
}

/// Returns the trials so far: the checkpoint also counts those of a generation in play.
fn played(input: &Input) -> u64 {
    input.trials.unwrap_or_else(|| input.run.trials_played())
}

fn cost(input: &Input, sized: Option<(usize, usize)>) -> String {
    let run = &input.run;
    // A long run does not record every generation; validations show how many there were.
    let checked = run.estimates.iter().map(|row| row.generation).max().unwrap_or(0);
    let generations = run.generations.last().map_or(0, |last| last.generation.saturating_add(1)).max(checked);
    let trials = played(input);
    let all = match (input.job.limits.budget, input.policy.is_some()) {
        (Some(budget), _) if budget >= trials => format!("{} of {} trials", grouped(trials), grouped(budget)),
        (_, true) => format!("{} trials", grouped(trials)),
        (_, false) => format!("{} trials so far", grouped(trials)),
    };
    let tested = sized.map(|(trials, most)| {
        let of = if trials < most { format!(" of at most {}", grouped(most as u64)) } else { String::new() };
        format!("; the test, {}{of} of each candidate", grouped(trials as u64))
    });
    let plural = if generations == 1 { "" } else { "s" };
    let time = run.times.last().map_or_else(String::new, |time| format!(" took {}", duration(time.seconds)));
    let tested = tested.unwrap_or_default();
    format!("{all}; {} generation{plural} of search{time}{tested}", grouped(generations))
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
    fn thousands_are_separated() {
        let of = ["6832.0", "-1234567.25", "0.895", "12", "1e300"].map(thousands);
        assert_eq!(of, ["6,832.0", "-1,234,567.25", "0.895", "12", "1e300"]);
    }

    #[test]
    fn a_rest_of_the_budget_has_a_reason() {
        assert_eq!(fewer(300, Some(300), Some((30, 50)), true), None);
        assert_eq!(fewer(259, None, Some((30, 50)), true), None);
        assert!(fewer(259, Some(300), Some((30, 50)), true).unwrap().contains("stopped early"));
        assert!(fewer(299, Some(300), Some((50, 50)), true).unwrap().contains("less than a generation"));
        assert!(fewer(200, Some(300), None, false).unwrap().contains("No test"));
    }

    #[test]
    fn durations_are_readable() {
        assert_eq!(duration(59.4), "59 s");
        assert_eq!(duration(168.0), "2 min 48 s");
        assert_eq!(duration(28_925.0), "8 h 2 min");
    }
}
