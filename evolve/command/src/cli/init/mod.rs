//! `evolve init`.

mod choose;
mod game;
mod report;
mod source;
mod trial;

use super::progress::{say, show};
use super::{Failure, Outcome, catalogue, overrides};
use choose::{Choice, Chooser};
use clap::ArgGroup;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use evolve_core::job::schema;
use evolve_init::import::import;
use evolve_init::instances::{InstanceKind, Instances, InstancesError};
use evolve_init::job::{self, Draft, DraftError, Facts};
use evolve_init::scale::Scale;
use evolve_init::suggest::{insert, reads, tuned};
use evolve_init::{FindError, Found, find, pahcer};
use evolve_program::parameters::EXAMPLES;
use evolve_program::source::Language;
use evolve_search::document::{read_exact, read_text};
use evolve_search::file::{is_same, replace, slashed};
use evolve_search::shell::shell_word;
use serde_json::Value;
use source::Source;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use toml_edit::DocumentMut;
use trial::{TrialsError, Tried};

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
    fn may_start(&self, found: &Found) -> Result<bool, Failure> {
        match &found.foreign {
            None => Ok(true),
            Some(file) if !self.yes => choose::may_start(&commands(found), file),
            Some(file) => {
                say(&format!("starting what {} names: {}", file.display(), commands(found).join("; ")));
                Ok(true)
            }
        }
    }

    /// Reads the parameters of another tuner's file and finds their program. Replaces `@tune`
    /// comments in a source by markers.
    fn import(&self, folder: &Path, file: &Path) -> Result<(Option<Facts>, Found), Failure> {
        let usage = |message: String| Failure::Usage(message);
        let text = read_exact(file).map_err(|error| usage(format!("{}: {error}", file.display())))?;
        // Before a source is changed.
        if self.output().exists() && !self.may_replace() {
            return Err(self.is_there());
        }
        if file.file_name().is_some_and(|name| name == pahcer::FILE) {
            if file.parent().is_some_and(|parent| !parent.as_os_str().is_empty() && parent != Path::new(".")) {
                return Err(usage(format!("{}: its commands are relative to its folder: start there", file.display())));
            }
            let found = pahcer::read(&text, folder)?;
            let source = self.program.clone().or(found.source);
            return Ok((None, Found { source, foreign: Some(file.to_path_buf()), ..found }));
        }
        let language = Language::of(file);
        let (marked, others) = tuned(&text, language);
        for line in &others {
            say(&format!("not imported: {}: {line}", file.display()));
        }
        if !others.is_empty() {
            say(
                "@tune takes a constant or a variable that never changes: a number within the range after @tune, or true or false",
            );
        }
        if marked.is_empty() && !others.is_empty() {
            return Err(usage(format!("{}: no line with @tune can be imported", file.display())));
        }
        if !marked.is_empty() {
            let found = find(folder, Some(self.program.as_deref().unwrap_or(file)))?;
            let mut source = Source::of(file, text);
            source.write(insert(&source.text, language, &marked))?;
            say(&match marked.len() {
                1 => format!("{}: 1 constant is now a parameter", file.display()),
                count => format!("{}: {count} constants are now parameters", file.display()),
            });
            source.report_constexpr();
            return Ok((None, Found { because: format!("found @tune in {}", file.display()), ..found }));
        }
        let mut imported = import(file, &text).map_err(|error| usage(error.to_string()))?;
        let mut found = match &imported.command {
            Some(command) => Found { command: command.clone(), foreign: Some(file.to_path_buf()), ..Found::default() },
            None => find(folder, self.program.as_deref())?,
        };
        // Only the user can know that the script itself is the program to tune.
        let is_script = found.source.as_ref().is_some_and(|source| is_same(source, file));
        if is_script && self.program.is_none() {
            let file = file.display();
            return Err(usage(format!(
                "no program beside {file}: name the program to tune: evolve init PROGRAM --from {file}"
            )));
        }
        if imported.command.is_none() {
            let beside = read_text(&file.with_file_name(pahcer::FILE)).ok();
            found.minimizes = beside.and_then(|text| pahcer::minimizes(&text)).or(found.minimizes);
        }
        if let (Some(found), Some(own)) = (found.minimizes, imported.minimizes)
            && found != own
        {
            let name = |minimizes| if minimizes { "minimize" } else { "maximize" };
            let (own, known) = (name(own), name(found));
            imported.notes.push(format!("direction: {own}, because {} says {known}", pahcer::FILE));
        }
        for note in &imported.notes {
            say(&format!("not imported: {note}"));
        }
        // The program's own defaults are better start values than the middle of a range.
        let source = found.source.as_deref().and_then(|source| Some((read_text(source).ok()?, Language::of(source))));
        let own = source.map_or_else(Vec::new, |(text, language)| reads(&text, language));
        for read in &mut imported.reads {
            let start = own.iter().find(|own| own.has_default && own.way == read.way).map(|own| own.parameter.start);
            let start = start.filter(|&start| read.parameter.is_number() && read.parameter.allows(start));
            read.parameter.start = start.unwrap_or(read.parameter.start);
        }
        found.because = format!("parameters from {}", file.display());
        found.minimizes = found.minimizes.or(imported.minimizes);
        if found.minimizes.is_none() {
            say("set `goal` in the job: it is not certain whether smaller scores are better");
        }
        found.score = found.score.or_else(|| imported.score.clone());
        found.files = (!imported.files.is_empty()).then(|| imported.files.clone().into());
        found.seeds = found.seeds.or_else(|| imported.seeds.clone());
        found.budget = imported.budget;
        let origin = file.display().to_string();
        Ok((Some(Facts::imported(origin, imported)), found))
    }

    /// Returns the text of the existing job that reads the markers of this source, if more
    /// constants are to be marked.
    ///
    /// # Errors
    /// If there is another job.
    fn kept(&self, found: &Found) -> Result<Option<String>, Failure> {
        if !self.output().exists() || self.may_replace() {
            return Ok(None);
        }
        let text = fs::read_to_string(self.output()).unwrap_or_default();
        let sources = || text.parse::<toml::Table>().ok()?.get("program")?.get("source")?.as_array().cloned();
        let source = found.source.as_deref().filter(|_| self.suggest);
        let is_read = source.is_some_and(|source| {
            sources().iter().flatten().any(|file| file.as_str().is_some_and(|file| Path::new(file) == source))
        });
        if is_read { Ok(Some(text)) } else { Err(self.is_there()) }
    }

    /// Returns whether the existing job may be replaced.
    fn may_replace(&self) -> bool {
        is_unfilled(self.output())
    }

    fn is_there(&self) -> Failure {
        Failure::Usage(format!("{} exists; name another file with --output", self.output().display()))
    }

    fn write(&self, text: &str, because: &str) -> Result<(), Failure> {
        let text = format!("#:schema ./{SCHEMA}\n{text}");
        let written = match self.may_replace() {
            true => replace(self.output(), text.as_bytes()),
            false => create(self.output(), &text),
        };
        written.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => self.is_there(),
            _ => Failure::Work(format!("{}: {error}", self.output().display())),
        })?;
        say(&format!("{} written ({because})", self.output().display()));
        self.write_schema()
    }

    /// Writes the schema with which editors complete and check the job, next to the job, so that it
    /// works offline and fits this version. Keeps an existing file with other content.
    fn write_schema(&self) -> Result<(), Failure> {
        let path = self.output().with_file_name(SCHEMA);
        let schema = schema(catalogue());
        let is_own = match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str::<Value>(&text).is_ok_and(|old| old.get("title") == schema.get("title")),
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        if !is_own {
            return Ok(());
        }
        let written = replace(&path, format!("{:#}\n", schema.as_value()).as_bytes());
        written.map_err(|error| Failure::Work(format!("{}: {error}", path.display())))
    }
}

/// Creates a file that must not exist.
fn create(path: &Path, text: &str) -> io::Result<()> {
    File::create_new(path)?.write_all(text.as_bytes())
}

/// Writes a file that must not exist, or says that it does.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    create(path, text).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::Usage(format!("{} exists already", path.display())),
        _ => Failure::Work(format!("{}: {error}", path.display())),
    })
}

/// The name of the schema, which the first line of a job refers to.
const SCHEMA: &str = "job.schema.json";

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

/// Finds out whether new parameters are to blame for a failure of the first trials, by playing them
/// with the old source.
///
/// # Errors
/// If the parameters are to blame, or the program does not even start without them; the old source
/// is then restored, unless someone else has changed it.
fn blame(
    error: &TrialsError,
    source: &mut Source<'_>,
    attempt: impl FnOnce(&Source<'_>) -> Result<Tried, TrialsError>,
) -> Result<(), Failure> {
    let message = match error {
        TrialsError::Start(message) => message.clone(),
        TrialsError::Trial(failure) => failure.message.clone(),
        TrialsError::Job(_) | TrialsError::Foreign | TrialsError::Stopped => return Ok(()),
    };
    let file = slashed(source.file);
    let Some(changed) = source.restore()? else {
        say(&format!("{file} changed during the first trials, so it was left as it is"));
        return Ok(());
    };
    Err(Failure::Work(match (attempt(source), error) {
        (Err(TrialsError::Start(message)), _) => {
            format!(
                "{file} was restored, because the program does not start even without its new parameters: {message}"
            )
        }
        // The failure has another cause.
        (Err(_), TrialsError::Trial(_)) => return source.write(changed),
        (_, TrialsError::Trial(_)) => {
            format!("{file} fails with its new parameters, so it was restored: {message}")
        }
        _ => format!("{file} does not build with its new parameters, so it was restored: {message}"),
    }))
}

/// Checks that new parameters change no score as long as they have their former values, by playing
/// the first trials with the old source. A program whose scores vary shows nothing.
///
/// # Errors
/// If scores differ; the old source is then restored, unless someone else has changed it.
fn compare(
    tried: &Tried,
    source: &mut Source<'_>,
    attempt: impl FnOnce(&Source<'_>) -> Result<Tried, TrialsError>,
) -> Result<(), Failure> {
    /// The largest relative difference that another order of rounding may make.
    const ROUNDING: f64 = 1e-9;
    if !tried.reproduces {
        return Ok(());
    }
    let file = slashed(source.file);
    let Some(changed) = source.restore()? else {
        say(&format!("{file} changed during the first trials, so it was left as it is"));
        return Ok(());
    };
    let old = attempt(source).ok().filter(|old| old.reproduces);
    let differs = |(new, old): &(&f64, &f64)| (*new - *old).abs() > ROUNDING * new.abs().max(old.abs());
    let pairs = old.iter().flat_map(|old| tried.scores.iter().zip(&old.scores));
    match pairs.into_iter().find(differs) {
        None => source.write(changed),
        Some((new, old)) => Err(Failure::Work(format!(
            "{file} scores {new} with its new parameters and {old} without them, so it was restored; name fewer constants \
             with --only NAME,NAME"
        ))),
    }
}

/// Returns the commands that the first trials start.
fn commands(found: &Found) -> Vec<&str> {
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
