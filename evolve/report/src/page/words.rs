//! The verdict of a run in plain words, its cost, and the next commands.

use crate::tables::Run;
use evolve_core::job::policy_file::Policy;
use evolve_core::run::rows::Stage;
use evolve_core::statistics::{Interval, digits};
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
    /// Next commands, with a description each.
    next: Vec<(String, &'static str)>,
}

/// The text about the run in a folder.
pub fn words(folder: &str, run: &Run, policy: Option<&Policy>) -> Words {
    let (result, headline, detail) = match run.verdict() {
        Some((start, chosen)) => {
            let unknown = Interval { mean: chosen.objective - start.objective, low: 0.0, high: 0.0 };
            let interval = chosen.difference().unwrap_or(unknown);
            let Interval { mean: difference, low, high } = interval;
            let scale = digits(start.standard_error.max(chosen.standard_error), start.objective);
            let digits = interval.digits();
            let plain = |value: f64| format!("{value:.scale$}").replace('-', "\u{2212}");
            let signed = |value: f64| format!("{value:+.digits$}").replace('-', "\u{2212}");
            let detail = format!(
                "In {} held-out trials the baseline scored {} on average and the finalist {}. The paired difference \
                    is {}, with a 95 % confidence interval from {} to {}.",
                grouped(chosen.trials),
                plain(start.objective),
                plain(chosen.objective),
                signed(difference),
                signed(low),
                signed(high)
            );
            if low > 0.0 {
                // Of a score below zero a share says nothing.
                let gain = match start.objective > 0.0 {
                    true => format!(" ({:+.1} %)", 100.0 * difference / start.objective),
                    false => String::new(),
                };
                ("better", format!("Better: {} a trial{gain}", signed(difference)), detail)
            } else {
                let headline = "No improvement found: the baseline stays".to_string();
                let why = match high < 0.0 {
                    true => "The finalist is worse than the baseline.",
                    false => "The interval includes zero, so the finalist may be no better than the baseline.",
                };
                ("same", headline, format!("{detail} {why}"))
            }
        }
        None => ("open", "No verdict yet".to_string(), so_far(run)),
    };
    let next = match result {
        _ if policy.is_none() => vec![
            (format!("evolve run {folder}/config.toml --resume"), "resume the run, if it is not running"),
            (format!("evolve report {folder}"), "refresh this page"),
        ],
        "better" => vec![
            (format!("evolve export {folder} --output submission.rs"), "export a program with the recommended weights"),
            (format!("evolve compare {folder} --trials 1000"), "measure them in other trials"),
        ],
        _ => vec![
            (
                format!("evolve run {folder}/config.toml --resume"),
                "search longer, with more `generations` or `time` in the file",
            ),
            (format!("evolve compare {folder} --trials 1000"), "measure the baseline in other trials"),
        ],
    };
    Words { result, headline, detail, cost: cost(run), next }
}

/// The last check on held-out games.
fn so_far(run: &Run) -> String {
    let last = run.stage(Stage::Validation).last().filter(|check| check.generation > 0);
    match last.and_then(|check| Some((check, check.difference()?))) {
        Some((check, interval)) => {
            let (Interval { mean, low, high }, digits) = (interval, interval.digits());
            format!(
                "So far, after {} generations: {mean:+.digits$} in {} held-out trials, with a 95 % confidence \
                    interval from {low:+.digits$} to {high:+.digits$}. Validation does not select, but only the test \
                    at the end decides.",
                check.generation,
                grouped(check.trials)
            )
            .replace('-', "\u{2212}")
            .replace("held\u{2212}out", "held-out")
        }
        None => "No validation yet.".to_string(),
    }
}

fn cost(run: &Run) -> String {
    // Not every generation of a long run has a row; checks tell how many there were.
    let checked = run.checks.iter().map(|check| check.generation).max().unwrap_or(0);
    let generations = run.generations.last().map_or(0, |last| last.generation.saturating_add(1)).max(checked);
    let games = run.games();
    let time = match run.times.last() {
        Some(time) => format!(", {} for the search", duration(time.seconds)),
        None => String::new(),
    };
    let rest = if run.verdict().is_some() { ", the selection and the test" } else { " so far" };
    format!("{} trials in {} generations{rest}{time}", grouped(games), grouped(generations))
}

/// A time in its two largest units.
fn duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// A number with its thousands kept apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_told_to_people() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(duration(59.4), "59 s");
        assert_eq!(duration(168.0), "2 min 48 s");
        assert_eq!(duration(28_925.0), "8 h 2 min");
    }
}
