//! How a run tells where it stands, on standard error: a bar on a terminal, else a line now and then.

use evolve_core::run::state::Phase;
use evolve_core::run::{Progress, Watch};
use evolve_core::statistics::decimals;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

/// How long nothing is told at most, as far as batches of games allow.
const SILENCE: Duration = Duration::from_secs(10);
/// How long to wait between two lines at least, however short the generations.
const REST: Duration = Duration::from_secs(3);

/// Tells people.
pub struct Teller {
    /// On standard error; it hides itself where that is no terminal.
    bar: ProgressBar,
    /// The time of the last line, and the phase and generation that it told of.
    told: Option<(Instant, Phase, u64)>,
    quiet: bool,
}

/// The bar's length: per mille of a phase.
const WHOLE: f64 = 1000.0;

impl Teller {
    /// A teller, or one that says nothing.
    pub fn new(quiet: bool) -> Self {
        let style = ProgressStyle::with_template("{bar:20} {percent:>3} %  {wide_msg}");
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(WHOLE as u64) };
        Teller { bar: bar.with_style(style.expect("the template is well-formed")), told: None, quiet }
    }

    /// The bar, to write between its updates.
    pub fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }

    /// Says a last word, in the place of the bar.
    pub fn end(self, last: &str) {
        self.bar.finish_and_clear();
        if !self.quiet {
            say(last);
        }
    }
}

impl Watch for Teller {
    fn note(&mut self, message: &str) {
        self.bar.suspend(|| say(&format!("note: {message}")));
    }

    fn progress(&mut self, progress: &Progress) {
        if self.quiet {
            return;
        }
        if !self.bar.is_hidden() {
            self.bar.set_position((WHOLE * progress.share) as u64);
            self.bar.set_message(line(progress));
            return;
        }
        let Progress { phase, generation, share, .. } = *progress;
        let is_due = self.told.is_none_or(|(at, old_phase, old)| {
            let rest = if (old_phase, old) == (phase, generation) { SILENCE } else { REST };
            at.elapsed() >= rest
        });
        if is_due {
            self.told = Some((Instant::now(), phase, generation));
            say(&format!("{:3.0} %  {}", 100.0 * share, line(progress)));
        }
    }
}

/// Writes lines to standard error, if anybody takes them.
pub fn say(text: &str) {
    // It may name what files or programs called themselves.
    let lines: Vec<String> = text.lines().map(evolve_process::plain).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}

/// Where a run stands, in a line.
fn line(progress: &Progress) -> String {
    let Progress { phase, generation, generations, games, games_per_second, latest, left, .. } = *progress;
    let mut text = match phase {
        Phase::Baseline => "starting weights on held-out games".to_string(),
        Phase::Search => match generations {
            Some(all) => format!("generation {generation} of {all}"),
            None => format!("generation {generation}"),
        },
        Phase::Check => format!("validation before generation {generation}"),
        Phase::Finalists => "final round".to_string(),
        Phase::Verdict | Phase::Done => "verdict".to_string(),
    };
    // Writing to a string cannot fail.
    let _ = write!(text, ", {games} games");
    if games_per_second > 0.0 {
        let digits = if games_per_second < 10.0 { 1 } else { 0 };
        let _ = write!(text, ", {games_per_second:.digits$} games/s");
    }
    if let Some((best, mean)) = latest {
        let digits = decimals(best.abs().max(mean.abs()));
        let _ = write!(text, ", best {best:.digits$}, mean {mean:.digits$}");
    }
    if let Some(left) = left {
        let _ = write!(text, ", about {} left", rounded(left));
    }
    text
}

/// A length of time, to as much as matters.
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

    #[test]
    fn lines() {
        let first = Progress {
            phase: Phase::Baseline,
            generation: 0,
            generations: Some(40),
            games: 0,
            games_per_second: 0.0,
            latest: None,
            difference: None,
            failures: 0,
            left: None,
            share: 0.0,
        };
        assert_eq!(line(&first), "starting weights on held-out games, 0 games");
        let later = Progress {
            phase: Phase::Search,
            generation: 12,
            games: 12_000,
            games_per_second: 7.25,
            latest: Some((101.5, 98.125)),
            left: Some(Duration::from_secs(5025)),
            ..first
        };
        insta::assert_snapshot!(
            line(&later),
            @"generation 12 of 40, 12000 games, 7.2 games/s, best 101.50, mean 98.12, about 1h 23m left"
        );
    }
}
