//! `evolve judge`.

use super::by_game::{ByGame, GameArgs};
use super::{Failure, Outcome, catalogue, interrupt};
use crate::judge::process::{Dialogue, Limits};
use crate::judge::report::Report;
use crate::judge::session::{Played, Session};
use crate::judge::verdict::Verdict;
use evolve_core::contest::Contest;
use evolve_core::problem::Problem;
use evolve_core::seed::{Purpose, seed};
use evolve_core::setup::Values;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::ffi::OsString;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Plays games with a program in the contest's dialogue
///
/// Starts the program once for every game, talks to it over its standard input and output as the contest does, and
/// reports scores, failures and times. A game fails by a move that the rules forbid, a crash, output that is no move, or
/// too much time, and counts as the worst there is: score 0, where no score is below that.
///
/// Game number i depends on the seed and on i alone: the same games for every program, however many are played. Of
/// games whose own ones are known, --seeds plays the contest's.
///
/// The exit status is 0 if all games were played correctly, 1 if some failed, 2 if the arguments are wrong or the
/// program cannot be started, and 130 after an interruption. It is 1 as well if this machine runs out of descriptors,
/// processes or memory for more games: that is no failure of the program, and the error says so. In the last two cases
/// the games played so far are reported all the same.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve judge solitaire-chess --help
  evolve judge solitaire-chess --group 3 -- ./player
  evolve judge solitaire-chess --group 6 --games 1000 --time-limit 500ms -- python3 player.py --fast")]
pub struct Args {
    #[command(subcommand)]
    choice: ByGame<Settings>,
}

/// The arguments that are the same for all games.
#[derive(Debug, clap::Args)]
struct Settings {
    /// Games to play
    #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Seed of the games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// The contest's own games of these numbers, as in 1-100
    #[arg(long, value_name = "FIRST-LAST", value_parser = numbers, conflicts_with_all = ["games", "seed"])]
    seeds: Option<Numbers>,

    /// Games to play at a time; more than there are idle cores punishes the program, as it waits on its own time
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,

    /// Time for all moves of a game together, with a unit, such as 2s or 500ms
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = time_limit)]
    time_limit: Duration,

    /// Print one JSON document, failures included, and nothing else
    #[arg(long)]
    json: bool,

    /// The program and its arguments, as in -- python3 player.py --fast
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    command: Vec<OsString>,
}

/// A range of numbers of the contest's own games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    first: u64,
    last: u64,
}

/// The largest number of a game of a contest: they are seeds of generators that take signed ones.
const MOST_NUMBER: u64 = i64::MAX as u64;

fn numbers(text: &str) -> Result<Numbers, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number; give 7, or 1-100"));
    match (number(first)?, number(last)?) {
        (first, last) if first > last => Err(format!("there is nothing from {first} to {last}")),
        (_, last) if last > MOST_NUMBER => Err(format!("{last} is too large; the last number is {MOST_NUMBER}")),
        (first, last) => Ok(Numbers { first, last }),
    }
}

/// The longest time limit: clocks and exported programs can count to that and further.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

pub(super) fn time_limit(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(Duration::ZERO) => Err("no program moves in no time; the limit must be longer than zero".to_string()),
        Ok(limit) if limit > LONGEST => Err("no contest waits that long; the limit may be a year".to_string()),
        Ok(limit) => Ok(limit),
        Err(error) => Err(error.to_string()),
    }
}

impl GameArgs for Settings {
    /// Without the contest's own games where these are not known.
    fn fit(command: clap::Command, game: &dyn Problem) -> clap::Command {
        match game.contest().is_some_and(Contest::has_originals) {
            true => command.about(format!("{}; has --seeds", game.summary())),
            false => command.mut_arg("seeds", |seeds| seeds.hide(true)),
        }
    }
}

/// Refuses the contest's own games of a game whose own ones are not known.
fn check_originals(game: &dyn Problem, contest: &dyn Contest) -> Result<(), Failure> {
    if contest.has_originals() {
        return Ok(());
    }
    let with = catalogue().iter().filter(|game| game.contest().is_some_and(Contest::has_originals));
    let with: Vec<_> = with.map(Problem::name).collect();
    let which = if with.is_empty() { "no game".to_string() } else { with.join(", ") };
    Err(Failure::Usage(format!(
        "--seeds plays the contest's own games, which are not known of {} but of {which}; --games and --seed play others",
        game.name()
    )))
}

impl Args {
    /// Plays and reports.
    pub fn run(self) -> Outcome {
        let ByGame { game, options, args } = &self.choice;
        let contest = contest(*game)?;
        let stop = interrupt::flag()?;
        let games_each = contest.games_each(options);
        let dialogues = match args.seeds {
            Some(Numbers { first, last }) => {
                check_originals(*game, contest)?;
                for number in [first, last] {
                    contest.original(options, number).map_err(Failure::Usage)?;
                }
                last - first + 1
            }
            None if args.games % games_each as u64 != 0 => {
                return Err(Failure::Usage(format!(
                    "each process plays {games_each} games, and {} games are no multiple of that",
                    args.games
                )));
            }
            None => args.games / games_each as u64,
        };
        let session = Session {
            command: &args.command,
            limits: Limits::new(args.time_limit),
            dialogues,
            jobs: NonZeroUsize::new(args.jobs.into()).unwrap_or(NonZeroUsize::MIN),
        };
        let deal = |index| match args.seeds {
            Some(Numbers { first, .. }) => contest.original(options, first + index).expect("tried before"),
            None => contest.referee(options, seed(args.seed, Purpose::Measurement, 0, index)),
        };
        let mut witness = Witness::new(args.json, dialogues);
        let Played { dialogues, shortage } = session.play(&deal, &stop, &mut |index, dialogue| {
            witness.see(index, dialogue);
            if witness.output.is_err() {
                // Nobody would read about the other games either.
                stop.store(true, Ordering::Relaxed);
            }
        });
        witness.leave()?;
        if let [Dialogue { verdict: verdict @ Verdict::NotStarted { .. }, .. }] = &dialogues[..] {
            return Err(Failure::Usage(verdict.to_string()));
        }
        let shortage = shortage.map(|shortage| Failure::Work(format!("no more games can be played: {shortage}")));
        let shortage = match shortage {
            Some(shortage) if dialogues.is_empty() => return Err(shortage),
            shortage => shortage,
        };

        let missing = session.dialogues > dialogues.len() as u64;
        let report = Report::new(&dialogues, games_each, contest.failed(options));
        let document = Document {
            command: args.command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            game: game.name(),
            options,
            seed: args.seeds.is_none().then_some(args.seed),
            seeds: args.seeds.map(|Numbers { first, last }| [first, last]),
            requested: session.dialogues,
            time_limit: args.time_limit.as_secs_f64(),
            interrupted: missing && stop.load(Ordering::Relaxed),
            report: &report,
        };
        let mut stdout = io::stdout().lock();
        if args.json {
            serde_json::to_writer_pretty(&mut stdout, &document).map_err(io::Error::from)?;
            writeln!(stdout)?;
        } else {
            write!(stdout, "{}", text(*game, options, args, &document))?;
        }
        if let Some(shortage) = shortage {
            stdout.flush()?;
            return Err(shortage);
        }
        Ok(match document.interrupted {
            true => ExitCode::from(interrupt::STATUS),
            false => ExitCode::from(u8::from(report.failed > 0)),
        })
    }
}

/// The contest's side of a game.
fn contest(game: &'static dyn Problem) -> Result<&'static dyn Contest, Failure> {
    game.contest().ok_or_else(|| Failure::Usage(format!("{} has no judge", game.name())))
}

/// Tells of the games as they are played.
struct Witness {
    json: bool,
    failed: u64,
    /// On standard error; it hides itself where that is no terminal.
    bar: ProgressBar,
    /// The first error of writing, if nobody reads this any more.
    output: io::Result<()>,
}

impl Witness {
    fn new(json: bool, dialogues: u64) -> Self {
        let style = ProgressStyle::with_template("{pos} of {len} games played{msg}, about {eta} left");
        let bar = ProgressBar::new(dialogues).with_style(style.expect("the template is well-formed"));
        Witness { json, failed: 0, bar, output: Ok(()) }
    }

    fn see(&mut self, index: u64, dialogue: &Dialogue) {
        self.bar.inc(1);
        // That is an error of the whole command, unless games were played before.
        let hopeless = index == 0 && matches!(dialogue.verdict, Verdict::NotStarted { .. });
        if !dialogue.verdict.is_correct() && !hopeless {
            self.failed += 1;
            self.bar.set_message(format!(", {} failed", self.failed));
            if !self.json && self.output.is_ok() {
                let verdict = &dialogue.verdict;
                self.output = self.bar.suspend(|| writeln!(io::stdout(), "game {index}: {verdict}"));
            }
        }
    }

    fn leave(self) -> io::Result<()> {
        self.bar.finish_and_clear();
        self.output
    }
}

/// All that JSON tells of a session.
#[derive(Serialize)]
struct Document<'a> {
    command: Vec<String>,
    game: &'a str,
    options: &'a Values,
    /// The seed of the games, if these are not the contest's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// The first and the last number of the contest's own games, if these were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    seeds: Option<[u64; 2]>,
    /// The number of dialogues asked for; the report has that of those played.
    requested: u64,
    /// Seconds.
    time_limit: f64,
    interrupted: bool,
    #[serde(flatten)]
    report: &'a Report,
}

/// The report for a person: what was played, how it went, and why it is not all.
fn text(game: &dyn Problem, options: &Values, args: &Settings, document: &Document) -> String {
    let command: Vec<_> = document.command.iter().map(|word| quoted(word)).collect();
    let options: String = options.iter().map(|(name, value)| format!(" --{name} {value}")).collect();
    let limit = humantime::format_duration(args.time_limit);
    let Document { report, requested, .. } = document;
    let mut text = String::new();
    if report.failed > 0 {
        // The failures stand above.
        text += "\n";
    }
    text += &format!("command  {}\n", command.join(" "));
    text += &format!("game     {}{options}\n", game.name());
    match args.seeds {
        Some(Numbers { first, last }) => text += &format!("seeds    {first}-{last} of the contest\n"),
        None => text += &format!("seed     {}\n", args.seed),
    }
    text += &format!("limit    {limit}\n\n");
    text += &report.to_string();
    let played = report.dialogues;
    let (_, ones) = report.dialogue_is();
    if document.interrupted {
        text += &format!("\nInterrupted: {played} of {requested} {ones} were played.\n");
    } else if (played as u64) < *requested {
        let starts = report.failures.last().is_none_or(|failure| failure.kind != "not started");
        let reason = if starts { "" } else { "; the program starts no more" };
        text += &format!("\nGiven up: {played} of {requested} {ones} were played{reason}.\n");
    }
    text
}

/// A word as it would be typed in a shell.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        for (word, typed) in
            [("./player", "./player"), ("--width=3", "--width=3"), ("a b", "'a b'"), ("", "''"), ("it's", r"'it'\''s'")]
        {
            assert_eq!(quoted(word), typed);
        }
    }

    #[test]
    fn numbers_of_games() {
        assert_eq!(numbers("1-100"), Ok(Numbers { first: 1, last: 100 }));
        assert_eq!(numbers("7"), Ok(Numbers { first: 7, last: 7 }));
        for wrong in ["", "-", "1-", "2-1", "a-b", "1-2-3", "-1"] {
            assert!(numbers(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn time_limits() {
        assert_eq!(time_limit("1s 500ms"), Ok(Duration::from_millis(1500)));
        for wrong in ["0s", "-1s", "2", "fast", "", "2years"] {
            assert!(time_limit(wrong).is_err(), "{wrong}");
        }
    }
}
