//! A report as an aligned table.

use std::fmt;

use evolve_search::statistics::decimals;

use super::{Distribution, GroupScore, Part, Report, Scores};

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::default();
        self.counts(&mut table);
        self.scores.rows(&mut table, "games", (self.failed > 0).then_some(self.mean_of_correct));
        self.times(&mut table);
        table.fmt(f)
    }
}

impl Report {
    /// Returns the word for a dialogue, singular and plural: `process` if a dialogue has several
    /// games.
    pub fn dialogue_is(&self) -> (&'static str, &'static str) {
        match self.dialogues == self.scores.games {
            true => ("game", "games"),
            false => ("process", "processes"),
        }
    }

    fn counts(&self, table: &mut Table) {
        table.row("games", self.scores.games, "");
        if self.dialogues != self.scores.games {
            table.row("processes", self.dialogues, "");
        }
        let counted = format!("counted as score {}", self.failed_score);
        table.row("failed", self.failed, if self.failed > 0 { &counted } else { "" });
        for (group, count) in &self.failed_by_kind {
            table.row(&format!("  {group}"), count, "");
        }
    }

    fn times(&self, table: &mut Table) {
        let Some(time) = &self.time else { return };
        let (one, _) = self.dialogue_is();
        table.gap();
        table.row("mean time", format!("{:.3}", time.mean), "s");
        table.row("longest time", format!("{:.3}", time.slowest), &format!("s, {one} {}", time.slowest_dialogue));
    }
}

impl fmt::Display for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::default();
        table.row("trials", self.games, "");
        self.rows(&mut table, "trials", None);
        table.fmt(f)
    }
}

impl Scores {
    /// Adds the rows of the scores, including the mean of the correct games if some failed.
    fn rows(&self, table: &mut Table, unit: &str, of_correct: Option<Option<f64>>) {
        if let Some(score) = &self.score {
            scores(table, score, of_correct, &self.parts);
            groups(table, unit, score, &self.groups);
        }
    }
}

/// Adds the mean scores by group of game. `unit` is the plural of the counted items.
fn groups(table: &mut Table, unit: &str, score: &Distribution, groups: &[GroupScore]) {
    let digits = decimals(score.min.abs().max(score.max.abs()));
    let mut name = "";
    for group in groups {
        if group.name != name {
            table.gap();
            name = &group.name;
        }
        let error = group.standard_error.map_or("-".to_owned(), |error| format!("{error:.digits$}"));
        let games = format!("standard error {error}, {} {unit}", group.count);
        table.row(&format!("{} {}", group.name, group.value), format!("{:.digits$}", group.mean), &games);
    }
}

/// Adds the rows of a distribution, including the mean of the correct games if some failed.
fn scores(table: &mut Table, score: &Distribution, of_correct: Option<Option<f64>>, parts: &[Part]) {
    let digits = decimals(score.min.abs().max(score.max.abs()));
    let number = |value: f64| format!("{value:.digits$}");
    let optional = |value: Option<f64>| value.map_or("-".to_owned(), number);

    table.gap();
    table.row("mean score", number(score.mean), "");
    table.row("  standard error", optional(score.standard_error), "");
    table.row("  standard deviation", optional(score.standard_deviation), "");
    if let Some(mean) = of_correct {
        table.row("  of correct games", optional(mean), "without those failed");
    }
    for part in parts {
        table.row(&format!("  {}", part.name), number(part.mean), "part");
    }

    table.gap();
    table.row("lowest score", number(score.min), "");
    table.row("   5 %", number(score.q05), "");
    table.row("  25 %", number(score.q25), "");
    table.row("  median", number(score.median), "");
    table.row("  75 %", number(score.q75), "");
    table.row("  95 %", number(score.q95), "");
    table.row("highest score", number(score.max), "");
}

/// A table with rows of a name, a value and a note. A row without a name is a gap.
#[derive(Default)]
struct Table {
    rows: Vec<[String; 3]>,
}

impl Table {
    fn row(&mut self, name: &str, value: impl ToString, note: &str) {
        self.rows.push([name.to_owned(), value.to_string(), note.to_owned()]);
    }

    fn gap(&mut self) {
        self.rows.push(Default::default());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (names, values) = (width(0), width(1));
        for [name, value, note] in &self.rows {
            let line = format!("{name:<names$}  {value:>values$} {note}");
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
