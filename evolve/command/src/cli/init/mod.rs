//! `evolve init`.

mod choose;
mod doubt;
mod game;
mod import;
mod report;
mod source;
mod trial;
mod write;

use super::progress::{say, show};
use super::{Failure, Outcome, catalogue, overrides};
use choose::{Choice, Chooser};
use clap::ArgGroup;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use doubt::{blame, compare};
use evolve_init::instances::{InstanceKind, Instances, InstancesError};
use evolve_init::job::{self, Draft, DraftError, Facts};
use evolve_init::scale::Scale;
use evolve_init::suggest::tuned;
use evolve_init::{FindError, FoundProgram, find};
use evolve_program::parameters::EXAMPLES;
use evolve_search::file::slashed;
use evolve_search::shell::shell_word;
use source::Source;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use toml_edit::DocumentMut;
use trial::TrialsError;
use write::write_new;

pub use choose::{agrees, can_ask};

/// The marks of parameters in a source.
pub struct Marks {
    /// Whether it declares parameters of `evolve`: markers, or values that it reads.
    pub own: bool,
    /// Whether it has comments of other tuners, such as `// @tune 10 200 log`.
    pub of_others: bool,
}

/// Returns the marks of a source file.
///
/// # Errors
/// If the file cannot be read.
pub fn marks(file: &Path) -> Result<Marks, Failure> {
    let source = Source::read(file)?;
    Ok(Marks { own: !source.known().is_nothing(), of_others: !tuned(&source.text, source.language()).0.is_empty() })
}

/// Returns whether a job still has the placeholder parameters, so that it may be replaced.
pub fn is_unfilled(job: &Path) -> bool {
    fs::read_to_string(job).is_ok_and(|text| job::is_unfilled(&text))
}

/// Write a first job for the program in this folder, or for a game
///
/// A job is a TOML file: what to run, which parameters to tune, and how many trials to play. `init`
/// looks for three things:
///
/// The program: the only source file or executable, or the one that Cargo.toml or
/// pahcer_config.toml names.
///
/// Its inputs: files such as in/0000.txt, or a seed among its arguments.
///
/// Its parameters: markers in the source, which are comments such as `// evolve: [1, 20]`; and
/// values with a default that the program reads from its environment or arguments.
///
/// Then it runs four trials twice, reports the results, and writes the job, with a comment at each
/// key. If it found no parameters, the job has placeholders for you to edit.
///
/// With --suggest, it lists constants of the source that could be parameters, and asks which to
/// tune. (In a terminal, it also does so if it finds no parameters.) It then changes the source
/// (C++, Rust or Python) so that the program reads the chosen constants from its environment.
/// Without a terminal, it only shows the changes; --yes or --only makes them.
///
/// With --from, it imports the parameters from a file of another tuner: an Optuna script with
/// suggest_ calls, irace's scenario.txt or parameters.txt, SMAC's .pcs, ConfigSpace's .json, or a
/// source with constants marked `// @tune 10 200 log`. It asks before it starts a command that this
/// file names; without a terminal, it starts it only with --yes.
///
/// With --game, it writes a job for a built-in game. The job lists the game's options, its players
/// with their settings, and its weights, with all defaults and ranges.
///
/// It also writes job.schema.json beside the job, so that editors can complete and check the keys.
///
/// Replaces only these existing files:
///
/// - job.schema.json;
///
/// - a job from `init` whose placeholder parameters you have not edited;
///
/// - the source, but only with --suggest, or if --from imports `@tune` comments.
///
/// With --suggest, a job that already names the source stays as it is.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("asks").args(["suggest", "from"]).multiple(true))]
#[command(after_help = "\
Examples:
  evolve init
  evolve init solver.cpp --suggest
  evolve init --output tour.toml && evolve check tour.toml
  evolve init --from optimize.py
  evolve init --example quickstart && evolve run quickstart.toml
  evolve init --worker cpp
  evolve init --game solitaire-chess")]
pub struct Args {
    /// Source file, executable, or program of a Cargo project [default: the only one in this
    /// folder]
    #[arg(value_name = "PROGRAM", conflicts_with = "game")]
    program: Option<PathBuf>,

    /// File to write; the run is named after it or, if it is job.toml, after its folder [default:
    /// job.toml]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Ask which constants of the source to turn into parameters
    #[arg(long, conflicts_with = "game")]
    suggest: bool,

    /// Do not ask: accept the constants that --suggest lists, except those skipped by default;
    /// start the commands that the file of --from names
    #[arg(long, requires = "asks")]
    yes: bool,

    /// Accept these constants or lists of constants, without asking
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "suggest", conflicts_with = "yes")]
    only: Vec<String>,

    /// Import the parameters from a file of another tuner
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "suggest"])]
    from: Option<PathBuf>,

    /// Write a job for this game
    #[arg(long, value_name = "GAME", value_parser = games())]
    game: Option<String>,

    /// Write an example job, quickstart.toml, whose run takes a few seconds
    #[arg(long, value_name = "NAME", value_parser = ["quickstart"], conflicts_with_all = ["game", "from", "suggest", "program"])]
    example: Option<String>,

    /// Write evolve.hpp, evolve.py or evolve.rs, with which a program stays alive between trials
    /// (worker mode)
    #[arg(long, value_name = "LANGUAGE", value_parser = languages(), exclusive = true)]
    worker: Option<String>,
}

/// The example `configs/quickstart.toml`, which is not part of the package.
const QUICKSTART: &str = include_str!("quickstart.toml");

/// Returns the name and content of the helper file for a worker in this language.
fn worker(language: &str) -> (&'static str, &'static str) {
    match language {
        "cpp" => ("evolve.hpp", evolve_program::workers::CPP),
        "python" | "py" => ("evolve.py", evolve_program::workers::PYTHON),
        _ => ("evolve.rs", evolve_program::workers::RUST),
    }
}

/// Parses the language of a worker. Its name may be the extension of its files, too.
fn languages() -> impl TypedValueParser<Value = String> {
    let languages =
        [PossibleValue::new("cpp"), PossibleValue::new("python").alias("py"), PossibleValue::new("rust").alias("rs")];
    PossibleValuesParser::new(languages)
}

/// Parses the name of a game. Help, completions and errors list the names.
fn games() -> impl TypedValueParser<Value = String> {
    let games = catalogue().games().iter();
    PossibleValuesParser::new(games.map(|game| PossibleValue::new(game.name()).help(game.sample.summary())))
}

impl Args {
    pub fn run(self) -> Outcome {
        if let Some(language) = &self.worker {
            let (name, text) = worker(language);
            write_new(Path::new(name), text)?;
            say(&format!(
                "{name} written: include it in the solver as its comments show, and set `worker = true` in [program]"
            ));
            return Ok(ExitCode::SUCCESS);
        }
        match (&self.example, &self.game) {
            (Some(_), _) => {
                self.write(QUICKSTART, "a first run of a few seconds")?;
                show(&format!("next: evolve run {}\n", self.output().display()))?;
                return Ok(ExitCode::SUCCESS);
            }
            (None, Some(name)) => {
                let text = game::job(catalogue().find(name).expect("clap has checked the name"));
                self.write(&text, &format!("for {name}"))?;
            }
            (None, None) => match self.for_program()? {
                (Next::Nothing, _) => return Ok(ExitCode::SUCCESS),
                (Next::Suggest, has_failed) => return finish(has_failed, &self.suggesting()),
                (Next::Check, has_failed) => return finish(has_failed, &self.checking()),
            },
        }
        finish(false, &self.checking())
    }

    /// Returns the command that checks the job.
    fn checking(&self) -> String {
        format!("evolve check {}", shell_word(&slashed(self.output())))
    }

    fn output(&self) -> &Path {
        let default = if self.example.is_some() { "quickstart.toml" } else { "job.toml" };
        self.output.as_deref().unwrap_or(Path::new(default))
    }

    /// Returns the command that turns constants into parameters.
    fn suggesting(&self) -> String {
        let program = self.program.iter().map(|program| format!(" {}", shell_word(&slashed(program))));
        let output = self.output.iter().map(|output| format!(" --output {}", shell_word(&slashed(output))));
        format!("evolve init{} --suggest{}", program.collect::<String>(), output.collect::<String>())
    }

    /// Writes a job for a program, unless constants were only shown. Also returns whether the first
    /// trials failed.
    fn for_program(&self) -> Result<(Next, bool), Failure> {
        let folder = Path::new(".");
        let (imported, found) = match &self.from {
            Some(file) => self.import(folder, file)?,
            None => (None, find(folder, self.program.as_deref())?),
        };
        let kept = self.kept(&found)?;
        let mut source = match found.source.as_deref().map(Source::read) {
            Some(Err(failure)) if self.suggest => return Err(failure),
            // A job can be written without the source.
            Some(Err(failure)) => {
                say(&format!("warning: {}", failure.message().unwrap_or_default()));
                None
            }
            Some(Ok(source)) => Some(source),
            None => None,
        };
        let is_imported = imported.is_some();
        let mut known = imported.unwrap_or_else(|| source.as_ref().map_or_else(Facts::default, Source::known));
        if !is_imported && (self.suggest || (known.is_nothing() && choose::can_ask())) {
            match &mut source {
                Some(source) => {
                    let chooser = match (self.yes, &self.only[..]) {
                        (true, _) => Chooser::Usual,
                        (false, []) => Chooser::User,
                        (false, names) => Chooser::Names(names),
                    };
                    match choose::offer(source, &chooser, &self.suggesting())? {
                        Choice::Shown => return Ok((Next::Nothing, false)),
                        Choice::Nothing => {}
                        Choice::Source(text) => {
                            source.write(text)?;
                            known = source.known();
                            say(&format!("{}: the constants are now parameters", source.file.display()));
                            source.report_constexpr();
                        }
                    }
                }
                None if self.suggest => return Err(Failure::Usage("no source file found".to_string())),
                None => {}
            }
        }
        let instances = Instances::of(&found, known.has_seed(), folder)?;
        let name = job::name(self.output(), folder);
        let draft = |known: &Facts, scale, reproduces| match &kept {
            Some(text) => Ok(text.clone()),
            None => Draft { name: &name, found: &found, known, instances: &instances, scale, reproduces }.text(),
        };
        let may_start = self.may_start(&found)?;
        let attempt = |known: &Facts| {
            // Scores that are not above 0 have no ratios.
            let played = draft(known, Scale::RawAlone, true);
            let mut played = played.map_err(|error: DraftError| TrialsError::Job(error.to_string()))?;
            if kept.is_none() && known.is_nothing() {
                // A job with the example parameters is refused.
                for (example, _) in EXAMPLES {
                    played = played.replace(example, &example.replace("your", "own"));
                }
            }
            trial::first(self.output(), counting_failures(played), may_start)
        };
        let tried = attempt(&known);
        if let Some(source) = source.as_mut().filter(|source| source.is_changed()) {
            let attempt = |source: &Source<'_>| attempt(&source.known());
            match &tried {
                Ok(tried) => compare(tried, source, attempt)?,
                Err(error) => blame(error, source, attempt)?,
            }
        }
        let (scale, reproduces) = match &tried {
            Ok(tried) => (Scale::of(&tried.scores, tried.is_one_case), tried.reproduces),
            Err(_) => (Scale::default(), true),
        };
        match &kept {
            Some(_) => say(&format!("{} unchanged: its `source` has the new markers", self.output().display())),
            None => self.write(&draft(&known, scale, reproduces)?, &found.because)?,
        }
        if let Some(advice) = &found.advice {
            say(&format!("note: {advice}"));
        }
        let next = report::parameters(&known, source.as_ref());
        if let (Err(TrialsError::Foreign), Some(file)) = (&tried, &found.foreign) {
            say(&format!(
                "not started, because {} names the command: {}\nread what it does; `{}` starts it, as does --yes of \
                 `evolve init`",
                file.display(),
                commands(&found).join("; "),
                self.checking()
            ));
            return Ok((next, false));
        }
        report::trials(&tried, found.stdin.is_some() || instances.kind != InstanceKind::Unknown);
        if kept.is_none() && tried.is_ok() {
            say(&format!("scale: {}", scale.reason()));
        }
        Ok((next, tried.is_err()))
    }

    /// Returns whether the first trials may start the commands, which may come from the file of
    /// another tool.
    fn may_start(&self, found: &FoundProgram) -> Result<bool, Failure> {
        match &found.foreign {
            None => Ok(true),
            Some(file) if !self.yes => choose::may_start(&commands(found), file),
            Some(file) => {
                say(&format!("starting what {} names: {}", file.display(), commands(found).join("; ")));
                Ok(true)
            }
        }
    }
}

impl From<DraftError> for Failure {
    fn from(error: DraftError) -> Self {
        Failure::Work(error.to_string())
    }
}

impl From<FindError> for Failure {
    fn from(error: FindError) -> Self {
        Failure::Usage(error.to_string())
    }
}

impl From<InstancesError> for Failure {
    fn from(error: InstancesError) -> Self {
        Failure::Usage(error.to_string())
    }
}

/// Returns the commands that the first trials start.
fn commands(found: &FoundProgram) -> Vec<&str> {
    found.build.iter().chain([&found.command]).chain(&found.scorer).map(String::as_str).collect()
}

/// Makes failed trials count, so that each can be reported.
fn counting_failures(text: String) -> String {
    let Ok(mut job) = text.parse::<DocumentMut>() else { return text };
    match overrides::set(&mut job, "program.on_failure", "0") {
        Ok(_) => job.to_string(),
        // Parsing the job reports the fault.
        Err(_) => text,
    }
}

/// The next command to recommend.
enum Next {
    Nothing,
    /// `evolve init --suggest`: the program has constants, but no parameters.
    Suggest,
    Check,
}

/// Shows the next command, and that a failure must be fixed before.
fn finish(has_failed: bool, next: &str) -> Outcome {
    let first = if has_failed { "fix this, then run " } else { "" };
    show(&format!("next: {first}{next}\n"))?;
    Ok(ExitCode::SUCCESS)
}
