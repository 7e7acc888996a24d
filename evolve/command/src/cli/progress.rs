//! The progress of a run on standard error: on a terminal, one line that is redrawn, otherwise one
//! line a minute.

use chrono::Local;
use console::Term;
use evolve_core::job::Stage;
use evolve_core::run::state::Evidence;
use evolve_core::run::{Figures, Progress, Watch};
use evolve_search::lock;
use evolve_search::statistics::{counted, decimals};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The shortest interval between two lines of a log.
const REST: Duration = Duration::from_secs(60);

/// Creates a bar of `length` steps, drawn by a template of `indicatif`.
///
/// # Panics
/// If the template is malformed.
pub fn bar(length: usize, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    ProgressBar::new(length as u64).with_style(style)
}

pub struct Reporter {
    screen: Screen,
    /// The time of the last line in a log.
    last: Option<Instant>,
    /// The method of the search in the last line.
    method: Option<&'static str>,
    quiet: bool,
}

impl Reporter {
    /// Creates a reporter; if `quiet`, it prints nothing.
    pub fn new(quiet: bool) -> Self {
        Reporter { screen: Screen::new(quiet), last: None, method: None, quiet }
    }

    /// Returns the screen, on which others can write between two lines of progress.
    pub fn screen(&self) -> Screen {
        self.screen.clone()
    }

    /// Replaces the line of progress by a last message.
    pub fn end(self, last: &str) {
        self.screen.clear();
        if !self.quiet {
            say(last);
        }
    }
}

impl Drop for Reporter {
    /// Clears the line, whatever ended the run.
    fn drop(&mut self) {
        self.screen.clear();
    }
}

impl Watch for Reporter {
    fn progress(&mut self, progress: &Progress) {
        if self.quiet {
            return;
        }
        // A search that has ended does not use its next method.
        if progress.stage == Stage::Search
            && let Some(before) = self.method.replace(progress.method).filter(|&before| before != progress.method)
        {
            let (method, trials) = (progress.method, counted(progress.figures.trials.unwrap_or_default(), "trial"));
            self.screen.say(&format!("after {trials} the search switches from {before} to {method}"));
        }
        if self.screen.is_terminal {
            return self.screen.draw(&line(progress, columns()));
        }
        let now = Instant::now();
        if is_due(self.last, now) {
            self.last = Some(now);
            say(&format!("{}  {}", Local::now().format("%H:%M:%S"), line(progress, usize::MAX)));
        }
    }

    fn warning(&mut self, text: &str) {
        if !self.quiet {
            self.screen.say(&format!("warning: {text}"));
        }
    }
}

/// Returns whether the next line of a log is due.
fn is_due(last: Option<Instant>, now: Instant) -> bool {
    last.is_none_or(|last| now.duration_since(last) >= REST)
}

/// Returns the number of columns of the terminal; 80 if unknown.
fn columns() -> usize {
    Term::stderr().size_checked().map(|(_, columns)| usize::from(columns)).filter(|&columns| columns > 0).unwrap_or(80)
}

/// A line at the bottom of a terminal, which is redrawn in place.
///
/// The cursor stays at the start of the line. When the terminal becomes narrower, the rest of the
/// line moves behind the cursor and is cleared before the next line, so the former size need not be
/// known.
#[derive(Clone)]
pub struct Screen {
    is_terminal: bool,
    /// Whether a line is shown; locked during writes.
    line: Arc<Mutex<bool>>,
}

/// Clears from the start of the line to the end of the screen.
const CLEAR: &str = "\r\x1b[J";

impl Screen {
    fn new(quiet: bool) -> Self {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_terminal = !quiet && !is_dumb && io::stderr().is_terminal();
        // Windows consoles must be switched to interpret escapes, which old ones cannot.
        let obeys = is_terminal && anstyle_query::windows::enable_ansi_colors().unwrap_or(true);
        Screen { is_terminal: obeys, line: Arc::default() }
    }

    fn draw(&self, text: &str) {
        *lock(&self.line) = true;
        let _ = write!(io::stderr(), "{CLEAR}{text}\r");
    }

    pub fn clear(&self) {
        if std::mem::take(&mut *lock(&self.line)) {
            let _ = write!(io::stderr(), "{CLEAR}");
        }
    }

    /// Writes lines in place of the line of progress, which then returns below them.
    pub fn say(&self, text: &str) {
        self.clear();
        say(text);
    }
}

/// Writes a text for people to standard output. It may contain names from files or programs.
///
/// # Errors
/// If standard output is closed.
pub fn show(text: &str) -> io::Result<()> {
    let lines: String = text.split_inclusive('\n').map(plain_line).collect();
    io::stdout().write_all(lines.as_bytes())
}

/// Writes a text for programs: unchanged, unless standard output is a terminal.
///
/// # Errors
/// If standard output is closed.
pub fn hand_out(text: &str) -> io::Result<()> {
    if io::stdout().is_terminal() { show(text) } else { io::stdout().write_all(text.as_bytes()) }
}

/// Writes a value as JSON, for programs.
///
/// # Errors
/// If standard output is closed.
pub fn hand_out_json(value: &impl Serialize) -> io::Result<()> {
    hand_out(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

fn plain_line(line: &str) -> String {
    match line.strip_suffix('\n') {
        Some(line) => evolve_process::plain(line) + "\n",
        None => evolve_process::plain(line),
    }
}

/// Writes lines to standard error. Ignores errors.
pub fn say(text: &str) {
    // The text may contain names from files or programs.
    let lines: Vec<String> = text.lines().map(evolve_process::plain).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}

/// Formats the progress in a line of fewer than `columns` columns. The most important parts come
/// first, and the others are omitted if there is no room.
fn line(progress: &Progress, columns: usize) -> String {
    let mut line = format!("{:.0} %", 100.0 * progress.figures.share);
    // A cursor in the last column may already belong to the next line.
    let room = columns.saturating_sub(1);
    for part in parts(progress) {
        if line.chars().count() + 2 + part.chars().count() > room {
            break;
        }
        line += "  ";
        line += &part;
    }
    line.truncate(line.char_indices().nth(room).map_or(line.len(), |(end, _)| end));
    line
}

/// Returns the parts of the line, most important first.
fn parts(progress: &Progress) -> impl Iterator<Item = String> {
    let Progress { stage, ref figures, trials_per_second, latest, method, .. } = *progress;
    let Figures { generations, trials, ref ends, seconds_left, ref gain, evidence, .. } = *figures;
    let generation = figures.generation.unwrap_or_default();
    let left = left(seconds_left).map(|left| format!("{left} left"));
    let by = if evidence == Some(Evidence::Model) { "model" } else { "held-out" };
    let gain = gain.as_ref().map(|gain| format!("{by} {gain}"));
    let [failed, bounded] = ends.in_words();
    let stage = match stage {
        Stage::Baseline => "measuring the baseline".to_string(),
        Stage::Search => match generations {
            Some(all) => format!("generation {generation} of {all} ({method})"),
            None => format!("generation {generation} ({method})"),
        },
        Stage::Validation => format!("validation before generation {generation}"),
        Stage::Selection => "selection".to_string(),
        Stage::Effects => "finding parameters without effect".to_string(),
        Stage::Test => "held-out test".to_string(),
    };
    let speed = (trials_per_second > 0.0).then(|| {
        let digits = if trials_per_second < 10.0 { 1 } else { 0 };
        format!("{trials_per_second:.digits$} trials/s")
    });
    let latest = latest.map(|(best, mean)| {
        let digits = decimals(best.abs().max(mean.abs()));
        format!("best {best:.digits$}, mean {mean:.digits$}")
    });
    let rest =
        [left, gain, failed, Some(stage), Some(counted(trials.unwrap_or_default(), "trial")), speed, bounded, latest];
    rest.into_iter().flatten()
}

/// Returns the estimated time left, rounded.
pub fn left(seconds: Option<f64>) -> Option<humantime::FormattedDuration> {
    Duration::try_from_secs_f64(seconds?).ok().map(rounded)
}

/// Rounds a duration to the precision that matters.
pub fn rounded(time: Duration) -> humantime::FormattedDuration {
    let seconds = time.as_secs_f64().round() as u64;
    let unit = match seconds {
        0..600 => 1,
        600..86_400 => 60,
        _ => 3600,
    };
    humantime::format_duration(Duration::from_secs(seconds / unit * unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_core::run::Ends;
    use evolve_search::statistics::Interval;

    fn first() -> Progress {
        Progress {
            stage: Stage::Baseline,
            figures: Figures { generations: Some(40), ..Figures::default() },
            trials_per_second: 0.0,
            latest: None,
            incumbent: Vec::new(),
            method: "CMA-ES",
        }
    }

    fn later() -> Progress {
        Progress {
            stage: Stage::Search,
            figures: Figures {
                share: 0.431,
                generation: Some(12),
                trials: Some(12_000),
                ends: Ends { failures: Some(3), ..Ends::default() },
                seconds_left: Some(5025.0),
                difference: Some(Interval { mean: 12.25, low: 8.5, high: 16.0 }),
                evidence: Some(Evidence::Validation),
                gain: Some("+12.2 (+8.5 to +16.0)".to_string()),
                ..first().figures
            },
            trials_per_second: 7.25,
            latest: Some((101.5, 98.125)),
            ..first()
        }
    }

    #[test]
    fn the_most_important_parts_fit_every_terminal() {
        assert_eq!(line(&first(), 80), "0 %  measuring the baseline  0 trials");
        let lines = [12, 40, 55, 80, 100, 200, usize::MAX].map(|columns| line(&later(), columns));
        insta::assert_snapshot!(lines.join("\n"), @r"
        43 %
        43 %  1h 23m left
        43 %  1h 23m left  held-out +12.2 (+8.5 to +16.0)
        43 %  1h 23m left  held-out +12.2 (+8.5 to +16.0)  3 failed
        43 %  1h 23m left  held-out +12.2 (+8.5 to +16.0)  3 failed  generation 12 of 40 (CMA-ES)
        43 %  1h 23m left  held-out +12.2 (+8.5 to +16.0)  3 failed  generation 12 of 40 (CMA-ES)  12,000 trials  7.2 trials/s  best 101.50, mean 98.12
        43 %  1h 23m left  held-out +12.2 (+8.5 to +16.0)  3 failed  generation 12 of 40 (CMA-ES)  12,000 trials  7.2 trials/s  best 101.50, mean 98.12
        ");
        for columns in 0..250 {
            assert!(line(&later(), columns).chars().count() < columns.max(1), "{columns}");
        }
    }

    #[test]
    fn a_log_has_at_most_one_line_a_minute() {
        let start = Instant::now();
        assert!(is_due(None, start));
        assert!(!is_due(Some(start), start + Duration::from_secs(59)));
        assert!(is_due(Some(start), start + REST));
    }
}
