//! `evolve judge`.

mod by_game;
mod observer;
mod text;

use super::failure::INTERRUPTED;
use super::progress::hand_out_json;
use super::{Failure, Outcome, catalogue, context, interrupt};
use by_game::{ByGame, judged};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use evolve_contest::Contest;
use evolve_contest::judge::{Judge, Referees};
use evolve_core::job::Game;
use evolve_judge::games::{Pairs, games, write_csv};
use evolve_judge::process::{Dialogue, DialogueLimits};
use evolve_judge::report::Report;
use evolve_judge::session::{Dialogues, Played};
use evolve_judge::verdict::Verdict;
use evolve_program::CommandError;
use evolve_search::file::{make_folder, replace};
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::{Split, seed};
use evolve_search::shell::{shell_line, shell_word};
use observer::Observer;
use std::ffi::OsString;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use text::{Against, JudgeJson, text};

/// Play games with a program in the contest's protocol
///
/// Starts the program once for every game, talks to it over its standard input and output as the
/// contest does, and reports scores, failures and times.
///
/// A game fails if the program makes an illegal move, prints something other than a move, crashes,
/// ends too early, exceeds a limit, or continues to print or run after the game. A failed game gets
/// the worst possible score, which is 0 in games without negative scores. To see a failed game,
/// play it again with --game and --transcript, or record all failed games with --keep-failed.
///
/// The same seed always gives the same games, for every program. If the contest has published its
/// cases, --cases plays exactly these.
///
/// `evolve judge GAME --help` lists the options of that game and of the judge.
///
/// The exit status is 0 if all games were played correctly; 1 if some failed; 2 if the arguments
/// are wrong or the program cannot be started; and 130 after an interruption. It is also 1 if this
/// machine runs out of file descriptors, processes or memory, and the error message says so. After
/// an interruption or such a shortage, the finished games are still reported.
#[derive(clap::Args)]
#[command(
    arg_required_else_help = true,
    override_usage = "evolve judge <GAME> [OPTIONS] -- <PROGRAM>...\n       evolve judge --protocol <GAME>",
    after_help = "\
Examples:
  evolve judge --protocol solitaire-chess
  evolve judge solitaire-chess --help
  evolve judge solitaire-chess --group 3 -- ./player
  evolve judge solitaire-chess --group 3 --game 17 --transcript -- ./player
  evolve judge gomoku --games 500 --against ./old-player -- ./player
  evolve judge gomoku --games 1000 --time-limit 500ms -- python3 player.py"
)]
pub struct Args {
    /// Print the protocol of this game, with a sample
    #[arg(long, value_name = "GAME", value_parser = game_name(), exclusive = true)]
    protocol: Option<String>,

    #[command(subcommand)]
    choice: Option<ByGame>,
}

/// Parses the name of a game that has a judge.
fn game_name() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(judged().map(Game::name))
}

/// The arguments that are the same for all games.
#[derive(Debug, clap::Args)]
struct Settings {
    /// Number of games
    #[arg(short = 'n', long, value_name = "NUMBER", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Seed of the games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Play only the game with this number, from 0; if a process plays several games, all games of
    /// the process with this number
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["games", "cases"])]
    game: Option<u64>,

    /// Play these of the games that the contest has published, as in 1-100
    #[arg(long, value_name = "FIRST-LAST", value_parser = numbers, conflicts_with_all = ["games", "seed"])]
    cases: Option<Numbers>,

    /// Number of parallel games; if there are more than idle cores, the program has less time to
    /// think
    #[arg(short = 'j', long, value_name = "NUMBER", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    parallel: u16,

    /// Time limit of the program for all its moves of a game, such as 2s or 500ms
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = time_limit)]
    time_limit: Duration,

    /// Print the result as JSON, with all failures
    #[arg(long)]
    json: bool,

    /// Print the transcript of each game, with the program's standard error and times
    #[arg(long, conflicts_with = "json")]
    transcript: bool,

    /// Write a CSV table with a row for each game
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the transcript of each failed game to a file in this folder
    #[arg(long, value_name = "FOLDER")]
    keep_failed: Option<PathBuf>,

    /// Play the same games with this other program, and compare
    #[arg(long, value_name = "COMMAND", value_parser = command)]
    against: Option<Words>,

    /// The program and its arguments, as in -- python3 player.py --fast
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    command: Vec<OsString>,
}

/// A range of numbers of the games that the contest has published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    first: u64,
    last: u64,
}

/// The largest number of a contest's game, because the contests' generators take signed seeds.
const MOST_NUMBER: u64 = i64::MAX as u64;

fn numbers(text: &str) -> Result<Numbers, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is not a number or a range such as 1-100"));
    match (number(first)?, number(last)?) {
        (first, last) if first > last => Err(format!("the range from {first} to {last} is empty")),
        (_, last) if last > MOST_NUMBER => Err(format!("{last} is too large; the last number is {MOST_NUMBER}")),
        (first, last) => Ok(Numbers { first, last }),
    }
}

/// A command given as one argument.
#[derive(Clone, Debug)]
struct Words(Vec<String>);

/// Splits a command into words, as in a job.
fn command(text: &str) -> Result<Words, CommandError> {
    match evolve_program::split(text)? {
        words if words.is_empty() => Err(CommandError::NoProgram),
        words => Ok(Words(words)),
    }
}

/// The longest time limit, which clocks and exported programs can represent.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

pub(super) fn time_limit(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(Duration::ZERO) => Err("the limit must be longer than zero".to_string()),
        Ok(limit) if limit > LONGEST => Err("the limit must be at most a year".to_string()),
        Ok(limit) => Ok(limit),
        Err(error) => Err(error.to_string()),
    }
}

/// Refuses `--cases` for a game whose original cases are unknown.
fn check_originals(game: &dyn Problem, judge: &dyn Judge) -> Result<(), Failure> {
    if judge.has_originals() {
        return Ok(());
    }
    let with = judged().filter(|game| find(&*game.sample).is_some_and(Judge::has_originals));
    let with: Vec<_> = with.map(Game::name).collect();
    let which = if with.is_empty() { "no game".to_string() } else { with.join(", ") };
    Err(Failure::Usage(format!(
        "the games that the contest has published are known for {which}, but not for {}: use --games and --seed",
        game.name()
    )))
}

impl Args {
    /// Plays the games, and reports them.
    pub fn run(self) -> Outcome {
        if let Some(name) = &self.protocol {
            let game = catalogue().find(name).map_err(Failure::Usage)?;
            writeln!(io::stdout(), "{}", required(&*game.sample)?.protocol().trim_end())?;
            return Ok(ExitCode::SUCCESS);
        }
        let Some(choice) = &self.choice else {
            return Err(Failure::Usage("name a game, as in evolve judge solitaire-chess --help".to_string()));
        };
        let judging = Judging::open(choice)?;
        let session = judging.play()?;
        judging.report(session)
    }
}

/// A game, open for a session.
struct Judging<'a> {
    choice: &'a ByGame,
    judge: &'a dyn Judge,
    referees: Box<dyn Referees>,
    stop: Arc<AtomicBool>,
    /// The number of the first dialogue.
    first: u64,
    /// The number of dialogues.
    requested: u64,
}

struct Session {
    dialogues: Vec<Dialogue>,
    /// The dialogues of the program to compare with.
    against: Option<Vec<Dialogue>>,
    /// The reason why the machine could not play all.
    shortage: Option<Failure>,
    interrupted: bool,
}

impl<'a> Judging<'a> {
    /// Opens the game, and tries the numbers of the published games.
    fn open(choice: &'a ByGame) -> Result<Self, Failure> {
        let ByGame { game, args } = choice;
        let judge = required(&**game)?;
        if let Some(folder) = &args.keep_failed {
            make_folder(folder).map_err(Failure::at(folder))?;
        }
        let stop = interrupt::flag()?;
        let referees = judge.open(context())?;
        let (first, requested) = args.dialogues(judge.games_each())?;
        if let Some(Numbers { first, last }) = args.cases {
            check_originals(&**game, judge)?;
            for number in [first, last] {
                referees.original(number).map_err(|error| Failure::Usage(error.to_string()))?;
            }
        }
        Ok(Judging { choice, judge, referees, stop, first, requested })
    }

    /// Plays the games with the program and then, unless some are missing, with the program to
    /// compare with.
    fn play(&self) -> Result<Session, Failure> {
        let ByGame { game, args } = self.choice;
        let again = |number| again(&**game, args, number);
        let mut observer = Observer::new(args, self.requested, &again);
        let transcripts = args.transcript || args.keep_failed.is_some();
        let (dialogues, shortage) = self.play_program(&args.command, transcripts, &mut observer)?;
        let missing = self.requested > dialogues.len() as u64;
        let other: Option<Vec<OsString>> =
            args.against.as_ref().map(|words| words.0.iter().map(OsString::from).collect());
        let against = match &other {
            Some(command) if !missing => {
                Some(self.play_program(command, false, &mut Observer::silent(self.requested))?.0)
            }
            _ => None,
        };
        let interrupted = (missing || against.is_some()) && self.stop.load(Ordering::Relaxed);
        Ok(Session { dialogues, against, shortage, interrupted })
    }

    /// Plays the games of a program and shows them to an observer. A program that cannot be started
    /// at all is a usage error.
    fn play_program(
        &self,
        command: &[OsString],
        transcripts: bool,
        observer: &mut Observer,
    ) -> Result<(Vec<Dialogue>, Option<Failure>), Failure> {
        let args = &self.choice.args;
        let case = |index| match args.cases {
            Some(_) => self.referees.original(index).expect("tried before"),
            None => self.referees.referee(seed(args.seed, Split::Measurement, 0, index)),
        };
        let session = Dialogues {
            command,
            limits: DialogueLimits::new(args.time_limit),
            first: self.first,
            dialogues: self.requested,
            jobs: NonZeroUsize::new(args.parallel.into()).unwrap_or(NonZeroUsize::MIN),
            transcripts,
        };
        let Played { dialogues, shortage } = session.play_dialogues(&case, &self.stop, &mut |number, dialogue| {
            observer.record(number, dialogue);
            if observer.has_failed() {
                // The output is broken, so further games could not be reported.
                self.stop.store(true, Ordering::Relaxed);
            }
        });
        observer.finish()?;
        if let [Dialogue { verdict: verdict @ Verdict::NotStarted { .. }, .. }] = &dialogues[..] {
            return Err(Failure::Usage(verdict.to_string()));
        }
        match shortage.map(|shortage| Failure::Work(format!("no more games can be played: {shortage}"))) {
            Some(shortage) if dialogues.is_empty() => Err(shortage),
            shortage => Ok((dialogues, shortage)),
        }
    }

    /// Writes the table, and prints the report.
    fn report(&self, session: Session) -> Outcome {
        let Session { dialogues, against, shortage, interrupted } = session;
        let ByGame { game, args } = self.choice;
        let (games_each, failed) = (self.judge.games_each(), self.judge.failed());
        let metrics = game.metrics();
        let report = Report::new(&dialogues, &metrics, self.first, games_each, failed);
        let rows = games(&dialogues, self.first, games_each, failed);
        let rows_against = against.as_ref().map(|dialogues| games(dialogues, self.first, games_each, failed));
        if let Some(path) = &args.csv {
            let mut table = Vec::new();
            write_csv(&mut table, &metrics, &rows, rows_against.as_deref())?;
            replace(path, &table).map_err(Failure::at(path))?;
        }
        let pairs = against.as_ref().zip(rows_against.as_ref()).map(|(dialogues, against)| {
            let failed = dialogues.iter().filter(|dialogue| !dialogue.verdict.is_correct()).count();
            Pairs::new(&rows, against, failed)
        });
        let document = JudgeJson {
            command: args.command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            game: game.name(),
            options: game.options(),
            seed: args.cases.is_none().then_some(args.seed),
            seeds: args.cases.map(|Numbers { first, last }| [first, last]),
            number: args.game,
            requested: self.requested,
            time_limit: args.time_limit.as_secs_f64(),
            interrupted,
            report: &report,
            against: args.against.as_ref().zip(pairs).map(|(words, pairs)| Against { command: &words.0, pairs }),
        };
        let mut stdout = io::stdout().lock();
        if args.json {
            hand_out_json(&document)?;
        } else {
            write!(stdout, "{}", text(&**game, args, &document))?;
        }
        if let Some(shortage) = shortage {
            stdout.flush()?;
            return Err(shortage);
        }
        Ok(match interrupted {
            true => ExitCode::from(INTERRUPTED),
            false => ExitCode::from(u8::from(report.failed > 0)),
        })
    }
}

impl Settings {
    /// Returns the number of the first dialogue, and the number of dialogues.
    fn dialogues(&self, games_each: usize) -> Result<(u64, u64), Failure> {
        match (self.cases, self.game) {
            (Some(Numbers { first, last }), _) => Ok((first, last - first + 1)),
            (_, Some(number)) => Ok((number, 1)),
            _ if !self.games.is_multiple_of(games_each as u64) => Err(Failure::Usage(format!(
                "each process plays {games_each} games, and {} is not a multiple of that",
                self.games
            ))),
            _ => Ok((0, self.games / games_each as u64)),
        }
    }
}

/// Returns the command that replays a game.
fn again(game: &dyn Problem, args: &Settings, number: u64) -> String {
    let which = match args.cases {
        Some(_) => format!("--cases {number}"),
        None => format!("--seed {} --game {number}", args.seed),
    };
    let limit = humantime::format_duration(args.time_limit).to_string();
    let words: Vec<_> = args.command.iter().map(|word| word.to_string_lossy()).collect();
    format!(
        "evolve judge {} {which} --time-limit {} --transcript -- {}",
        game.title(),
        shell_word(&limit),
        shell_line(words.iter().map(|word| &**word))
    )
}

fn find(game: &dyn Problem) -> Option<&dyn Judge> {
    super::contest(game).and_then(Contest::judge)
}

fn required(game: &dyn Problem) -> Result<&dyn Judge, Failure> {
    find(game).ok_or_else(|| Failure::Usage(format!("{} has no judge", game.name())))
}

#[cfg(test)]
mod tests {
    use super::*;

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
