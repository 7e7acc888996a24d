//! Reports games while they are played.

use super::Settings;
use crate::cli::progress::bar;
use evolve_judge::process::Dialogue;
use evolve_judge::verdict::Verdict;
use evolve_search::file::replace_plain;
use indicatif::ProgressBar;
use std::io::{self, Write};
use std::path::PathBuf;

/// Observes every game, in order.
pub struct Observer<'a> {
    /// Whether to report failures.
    prints: bool,
    transcripts: bool,
    keep_failed: Option<PathBuf>,
    /// The command that replays a game.
    again: &'a dyn Fn(u64) -> String,
    failed: u64,
    /// A progress bar on standard error, which is hidden if that is not a terminal.
    bar: ProgressBar,
    /// The first write error, after which nothing more is written.
    output: io::Result<()>,
}

impl<'a> Observer<'a> {
    /// Creates an observer that reports as the arguments request.
    pub fn new(args: &Settings, dialogues: u64, again: &'a dyn Fn(u64) -> String) -> Self {
        let Settings { json, transcript, keep_failed, .. } = args;
        Observer {
            prints: !json,
            transcripts: *transcript,
            keep_failed: keep_failed.clone(),
            again,
            ..Observer::silent(dialogues)
        }
    }

    /// Creates an observer that only counts.
    pub fn silent(dialogues: u64) -> Self {
        let bar = bar(dialogues as usize, "{pos} of {len} games played{msg}, about {eta} left");
        Observer {
            prints: false,
            transcripts: false,
            keep_failed: None,
            again: &|_| String::new(),
            failed: 0,
            bar,
            output: Ok(()),
        }
    }

    /// Records a game.
    pub fn record(&mut self, number: u64, dialogue: &Dialogue) {
        let is_first = self.bar.position() == 0;
        self.bar.inc(1);
        // If the first program does not start, the whole command fails instead.
        let hopeless = is_first && matches!(dialogue.verdict, Verdict::NotStarted { .. });
        if hopeless || self.output.is_err() {
            return;
        }
        let has_failed = !dialogue.verdict.is_correct();
        if has_failed {
            self.failed += 1;
            self.bar.set_message(format!(", {} failed", self.failed));
        }
        let verdict = &dialogue.verdict;
        if self.transcripts {
            let text = transcript(number, dialogue);
            self.output = self.bar.suspend(|| writeln!(io::stdout(), "{text}"));
        } else if has_failed && self.prints {
            self.output = self.bar.suspend(|| writeln!(io::stdout(), "game {number}: {verdict}"));
        }
        if let Some(folder) = self.keep_failed.as_ref().filter(|_| has_failed) {
            let path = folder.join(format!("game-{number}.txt"));
            let text = format!("{}\nreproduce it with: {}\n", transcript(number, dialogue), (self.again)(number));
            let kept = replace_plain(&path, text.as_bytes());
            let named = |error| io::Error::other(format!("{}: {error}", path.display()));
            self.output = std::mem::replace(&mut self.output, Ok(())).and(kept.map_err(named));
        }
    }

    /// Returns whether writing has failed.
    pub fn has_failed(&self) -> bool {
        self.output.is_err()
    }

    /// Removes the progress bar.
    pub fn finish(&mut self) -> io::Result<()> {
        self.bar.finish_and_clear();
        std::mem::replace(&mut self.output, Ok(()))
    }
}

/// Formats a complete game: its transcript, its end, and its score.
fn transcript(number: u64, dialogue: &Dialogue) -> String {
    let transcript = dialogue.transcript.as_ref().map(ToString::to_string).unwrap_or_default();
    let verdict = &dialogue.verdict;
    let scores: Vec<String> = dialogue.outcomes.iter().map(|outcome| outcome.score.to_string()).collect();
    let score = match (verdict.is_correct(), &scores[..]) {
        (true, [one]) => format!(", score {one}"),
        (true, _) => format!(", scores {}", scores.join(" ")),
        (false, _) => String::new(),
    };
    let seconds = dialogue.time.as_secs_f64();
    format!("game {number}\n{transcript}\nended: {verdict}{score}, {seconds:.3} s of the program's time\n")
}
