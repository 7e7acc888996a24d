//! The answers of `evolve compare`.

use super::instances::ByInstance;
use crate::cli::table::{Align, Table};
use evolve_core::document::Table as Settings;
use evolve_core::statistics::{Interval, counted, digits};
use evolve_judge::report::Scores;
use serde::Serialize;

/// The measurement of one candidate.
#[derive(Serialize)]
pub struct Summary {
    pub problem: String,
    pub seed: u64,
    pub candidate: String,
    pub player: String,
    pub settings: Settings,
    pub trials: usize,
    #[serde(flatten)]
    pub scores: Scores,
    /// The number of trials that failed and were counted.
    pub failures: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
}

/// The comparison of several candidates.
#[derive(Serialize)]
pub struct Document {
    pub problem: String,
    pub seed: u64,
    pub trials: usize,
    /// The number of instances, if the problem lists them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<usize>,
    pub error: f64,
    pub margin: f64,
    pub candidates: Vec<Row>,
    /// Whether smaller scores are better.
    #[serde(skip)]
    pub is_minimized: bool,
    /// Whether no command names an instance, so that each candidate has one outcome.
    #[serde(skip)]
    pub is_exact: bool,
}

/// A candidate, and its comparison with the first.
#[derive(Serialize)]
pub struct Row {
    pub candidate: String,
    pub score: f64,
    pub standard_error: f64,
    /// The number of trials that failed and were counted.
    pub failures: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// The scores by group of instances, from those of the first candidate.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<Compared>,
}

#[derive(Serialize)]
pub struct Compared {
    pub answer: &'static str,
    /// The difference in score.
    pub difference: Interval,
    /// The difference in the objective, which decides, unless it is the difference in score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective_gain: Option<Interval>,
    pub wins: u64,
    pub losses: u64,
    /// Every instance, if the problem lists them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_instance: Option<ByInstance>,
}

/// Returns the number of trials of each candidate in words.
pub fn each(trials: usize) -> String {
    format!("{} each", counted(trials as u64, "trial"))
}

/// Returns a line if the objective, which decides, and the mean score do not show the same.
fn of_score(answer: &str, difference: &Interval, is_minimized: bool) -> Option<String> {
    let score = match difference {
        Interval { low, .. } if *low > 0.0 => Some(!is_minimized),
        Interval { high, .. } if *high < 0.0 => Some(is_minimized),
        _ => None,
    };
    let score = score.map(|is_better| if is_better { "better" } else { "worse" });
    match (answer, score) {
        ("better" | "worse", None) => {
            Some(format!("{answer} on the scale of the objective; the mean score is not shown to be {answer}"))
        }
        ("better" | "worse", Some(score)) if score != answer => {
            Some(format!("{answer} on the scale of the objective, but the mean score is {score}"))
        }
        ("not clear", Some(score)) => {
            Some(format!("not clear on the scale of the objective; the mean score is {score}"))
        }
        _ => None,
    }
}

impl Summary {
    /// Formats the scores for people.
    pub fn text(&self) -> String {
        let Summary { problem, candidate, player, settings, scores, failures, trials, constraints, .. } = self;
        let failed = (*failures > 0).then(|| format!("failures: {failures} of {}\n", counted(*trials as u64, "trial")));
        let constraints: String =
            failed.into_iter().chain(constraints.iter().map(|line| format!("{line}\n"))).collect();
        let player = if player.is_empty() { String::new() } else { format!(", player {player}") };
        let settings: String = settings.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        format!("{candidate}: {problem}{player}{settings}\n\n{scores}{constraints}")
    }
}

impl Document {
    /// Formats the answers for people.
    pub fn text(&self) -> String {
        let Document { problem, trials, instances, error, candidates, .. } = self;
        let digits = candidates.iter().map(|row| digits(row.standard_error, row.score)).max().unwrap_or(2);
        let mut scores = Table::new([Align::Left, Align::Right, Align::Right]);
        scores.row([&"candidate", &"score", &"standard error"]);
        for Row { candidate, score, standard_error, .. } in candidates {
            let error = if self.is_exact { "-".to_string() } else { format!("{standard_error:.digits$}") };
            scores.row([candidate, &format!("{score:.digits$}"), &error]);
        }
        let sure = 100.0 * (1.0 - error);
        let (of, unit, count) = match instances {
            Some(count) => (format!(" on {}", counted(*count as u64, "instance")), "instance", *count as u64),
            None => (String::new(), "trial", *trials as u64),
        };
        let mut text = format!("{problem}, {}{of}\n\n{scores}\n", each(*trials));
        for Row { candidate, failures, .. } in candidates.iter().filter(|row| row.failures > 0) {
            text += &format!("{candidate}: {failures} of {} failed\n", counted(*trials as u64, "trial"));
        }
        for row in candidates {
            text += &row.constraints.iter().map(|line| format!("{}: {line}\n", row.candidate)).collect::<String>();
        }
        for row in &candidates[1..] {
            let Some(Compared { answer, difference, objective_gain, wins, losses, by_instance }) = &row.compared else {
                continue;
            };
            text += &format!("{} against {}: {answer}\n", row.candidate, candidates[0].candidate);
            let first = ("difference", *difference);
            for (what, interval) in [first].into_iter().chain(objective_gain.map(|gain| ("objective gain", gain))) {
                let [mean, ends] = interval.texts();
                let interval = (!self.is_exact).then(|| format!("{sure} % confidence interval {ends}"));
                let sign = (what == first.0 && self.is_minimized).then(|| "negative is better".to_string());
                let notes: Vec<String> = interval.into_iter().chain(sign).collect();
                let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
                text += &format!("  {what} {mean}{notes}\n");
            }
            if self.is_exact {
                continue;
            }
            if objective_gain.is_some() {
                text += &of_score(answer, difference, self.is_minimized)
                    .map_or_else(String::new, |line| format!("  {line}\n"));
            }
            let equal = count.saturating_sub(wins + losses);
            text += &format!("  better on {}, worse on {losses}, equal on {equal}\n", counted(*wins, unit));
            text += &by_instance.as_ref().map_or_else(String::new, ByInstance::worse);
            text += &row.groups.iter().map(|line| format!("  {line}\n")).collect::<String>();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_that_say_something_else_than_the_objective_are_named() {
        let [above, open, below] = [(1.0, 2.0), (-1.0, 1.0), (-2.0, -1.0)].map(|(low, high)| Interval {
            mean: f64::midpoint(low, high),
            low,
            high,
        });
        let says = |answer, difference, is_minimized, said: &str| {
            assert_eq!(of_score(answer, difference, is_minimized).unwrap_or_default(), said);
        };
        says("better", &above, false, "");
        says("better", &below, true, "");
        says("better", &open, true, "better on the scale of the objective; the mean score is not shown to be better");
        says("better", &above, true, "better on the scale of the objective, but the mean score is worse");
        says("worse", &above, true, "");
        says("worse", &open, false, "worse on the scale of the objective; the mean score is not shown to be worse");
        says("not clear", &above, false, "not clear on the scale of the objective; the mean score is better");
        says("the same within the margin", &above, false, "");
    }
}
