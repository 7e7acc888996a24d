//! The answers of `evolve compare`.

use super::instances::ByInstance;
use crate::cli::table::{Align, Table};
use evolve_core::judgement::comparison::Answer;
use evolve_core::judgement::paired::Paired;
use evolve_judge::report::Scores;
use evolve_search::document::Table as Settings;
use evolve_search::statistics::{counted, digits};
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
    /// The result for each constraint of its job, as a verdict prints it.
    #[serde(rename = "constraints", skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
}

/// The comparison of several candidates.
#[derive(Serialize)]
pub struct CompareJson {
    pub problem: String,
    pub seed: u64,
    pub trials: usize,
    /// The number of instances, if the problem lists them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<usize>,
    pub error: f64,
    pub margin: f64,
    pub candidates: Vec<Row>,
    /// Whether no other outcomes exist, so that differences have no error.
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
    /// The result for each constraint of its job, as a verdict prints it.
    #[serde(rename = "constraints", skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// The scores by group of instances, from those of the first candidate.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<Compared>,
}

#[derive(Serialize)]
pub struct Compared {
    pub answer: Answer,
    #[serde(flatten)]
    pub paired: Paired,
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

impl Summary {
    /// Formats the scores for people.
    pub fn text(&self) -> String {
        let Summary { problem, candidate, player, settings, scores, failures, trials, findings, .. } = self;
        let failed = (*failures > 0).then(|| format!("failures: {failures} of {}\n", counted(*trials as u64, "trial")));
        let findings: String = failed.into_iter().chain(findings.iter().map(|line| format!("{line}\n"))).collect();
        let player = if player.is_empty() { String::new() } else { format!(", player {player}") };
        let settings: String = settings.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        format!("{candidate}: {problem}{player}{settings}\n\n{scores}{findings}")
    }
}

impl CompareJson {
    /// Formats the answers for people.
    pub fn text(&self) -> String {
        let CompareJson { problem, trials, instances, candidates, .. } = self;
        let error = |row: &Row| if self.is_exact { 0.0 } else { row.standard_error };
        let digits = candidates.iter().map(|row| digits(error(row), row.score)).max().unwrap_or(2);
        let mut scores = Table::new([Align::Left, Align::Right, Align::Right]);
        scores.row([&"candidate", &"score", &"standard error"]);
        for Row { candidate, score, standard_error, .. } in candidates {
            let error = if self.is_exact { "-".to_string() } else { format!("{standard_error:.digits$}") };
            scores.row([candidate, &format!("{score:.digits$}"), &error]);
        }
        let (of, unit, count) = match instances {
            Some(count) => (format!(" on {}", counted(*count as u64, "instance")), "instance", *count as u64),
            None => (String::new(), "trial", *trials as u64),
        };
        let mut text = format!("{problem}, {}{of}\n\n{scores}\n", each(*trials));
        for Row { candidate, failures, .. } in candidates.iter().filter(|row| row.failures > 0) {
            text += &format!("{candidate}: {failures} of {} failed\n", counted(*trials as u64, "trial"));
        }
        for row in candidates {
            text += &row.findings.iter().map(|line| format!("{}: {line}\n", row.candidate)).collect::<String>();
        }
        for row in &candidates[1..] {
            let Some(Compared { answer, paired, wins, losses, by_instance }) = &row.compared else {
                continue;
            };
            text += &format!("{} against {}: {}\n", row.candidate, candidates[0].candidate, paired.words(*answer));
            text += &paired.lines(digits).iter().map(|line| format!("{line}\n")).collect::<String>();
            if self.is_exact && count == 1 {
                continue;
            }
            let equal = count.saturating_sub(wins + losses);
            text += &format!("  better on {}, worse on {losses}, equal on {equal}\n", counted(*wins, unit));
            text += &by_instance.as_ref().map_or_else(String::new, ByInstance::worse);
            text += &row.groups.iter().map(|line| format!("  {line}\n")).collect::<String>();
        }
        text
    }
}
