//! The result of a session, for people and as JSON.

use super::{Numbers, Settings};
use evolve_judge::games::Pairs;
use evolve_judge::report::Report;
use evolve_search::document::Table;
use evolve_search::model::problem::Problem;
use evolve_search::shell::shell_word;
use evolve_search::statistics::decimals;
use serde::Serialize;

/// The JSON report of a session.
#[derive(Serialize)]
pub struct JudgeJson<'a> {
    pub command: Vec<String>,
    pub game: &'a str,
    pub options: Table,
    /// The seed of the games, unless the contest has published them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The first and last number of the published games, if these were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<[u64; 2]>,
    /// The number of the single requested game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The number of requested games; the report has the number of played games.
    pub requested: u64,
    /// The time limit in seconds.
    pub time_limit: f64,
    pub interrupted: bool,
    #[serde(flatten)]
    pub report: &'a Report,
    /// The other program, and its comparison with the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<Against<'a>>,
}

/// Another program on the same games.
#[derive(Serialize)]
pub struct Against<'a> {
    pub command: &'a [String],
    #[serde(flatten)]
    pub pairs: Pairs,
}

/// Formats the report for people: games played, results, and the reason if some are missing.
pub fn text(game: &dyn Problem, args: &Settings, document: &JudgeJson) -> String {
    let command: Vec<_> = document.command.iter().map(|word| shell_word(word)).collect();
    let limit = humantime::format_duration(args.time_limit);
    let JudgeJson { report, requested, against, .. } = document;
    let mut text = String::new();
    if report.failed > 0 {
        // The failures are printed above.
        text += "\n";
    }
    text += &format!("command  {}\n", command.join(" "));
    text += &format!("game     {}\n", game.title());
    match args.cases {
        Some(Numbers { first, last }) => text += &format!("seeds    {first}-{last} of the contest\n"),
        None => text += &format!("seed     {}\n", args.seed),
    }
    text += &format!("limit    {limit}\n\n");
    text += &report.to_string();
    if let Some(Against { command, pairs }) = against {
        text += &compared(command, pairs);
    }
    let played = report.dialogues;
    let (_, ones) = report.dialogue_is();
    if document.interrupted {
        text += &format!("\nInterrupted: {played} of {requested} {ones} were played.\n");
    } else if (played as u64) < *requested {
        let starts = report.failures.last().is_none_or(|failure| failure.kind != "not started");
        let reason = if starts { "" } else { "; the program no longer starts" };
        text += &format!("\nGiven up: {played} of {requested} {ones} were played{reason}.\n");
    }
    text
}

/// Describes the comparison with another program.
fn compared(command: &[String], pairs: &Pairs) -> String {
    let command: Vec<String> = command.iter().map(|word| shell_word(word)).collect();
    let Pairs { games, score, failed, difference, low, high, more, less } = pairs;
    let digits = decimals(score.abs().max(difference.abs()));
    let failures = if *failed > 0 { format!(", {failed} failed") } else { String::new() };
    let same = games - more - less;
    format!(
        "\nagainst     {}\n  its mean score  {score:.digits$} over the same {games} games{failures}\n  difference      \
         {difference:+.digits$}, 95 % interval {low:+.digits$} to {high:+.digits$} by pairs: {}\n  game by game    \
         {more} better, {less} worse, {same} the same\n",
        command.join(" "),
        pairs.answer()
    )
}
