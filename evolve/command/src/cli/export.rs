//! `evolve export`.

use super::contestants::{finalist_of, weights};
use super::progress::{hand_out, say};
use super::{Failure, Outcome, contest};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use evolve_contest::Contest;
use evolve_contest::export::Tuned;
use evolve_core::job::policy_file::Policy;
use evolve_program::Program;
use evolve_program::format::Format;
use evolve_program::put_back::{difference, put_back};
use evolve_program::source::Language;
use evolve_search::document::read_exact;
use evolve_search::file::replace;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Export a contest program, or write tuned values back into a program
///
/// For a game, writes a source file that plays in the contest's protocol and needs no other file.
/// Its player is the one that [submission] names in the job. Several runs of one game with
/// different options become one program: at the start of each game, it recognizes the options, and
/// uses the weights of the run with these options.
///
/// For a program, --format prints the values of its parameters; --into writes them at the markers
/// of a source file, and shows the changes.
///
/// A run that found no improvement recommends the baseline; --finalist exports the finalist of its
/// test instead, and prints the verdict to standard error.
///
/// An existing output file is overwritten.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve export results/first --output submission.rs
  evolve export results/group-1 results/group-2 --output submission.rs
  evolve export results/first --time-limit 900ms --output submission.rs
  evolve export results/tour --format args
  evolve export results/tour --finalist --format args
  evolve export results/tour --into main.cpp
  evolve export recommendation.toml --output - | less")]
pub struct Args {
    /// Runs, by name or folder, or weights files
    #[arg(required = true, value_name = "RESULTS", add = super::completions::runs())]
    results: Vec<PathBuf>,

    /// File to write, or - for standard output; required for a game [default with --format: -]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Time limit of the exported program for all its moves of a game, such as 1s or 900ms
    /// [default: none]
    #[arg(long, value_name = "TIME", value_parser = super::judge::time_limit, conflicts_with_all = ["format", "into"])]
    time_limit: Option<Duration>,

    /// Export the finalist of a run's test, even if the run does not recommend it
    #[arg(long)]
    finalist: bool,

    /// Print the values of a program in this format
    #[arg(long, value_parser = self::format(), conflicts_with = "into")]
    format: Option<Format>,

    /// Write the values at the markers of this source file, and show the changes
    #[arg(long, value_name = "SOURCE", conflicts_with = "output")]
    into: Option<PathBuf>,
}

/// Parses the name of a format.
pub fn format() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(|(_, name, meaning)| PossibleValue::new(name).help(meaning));
    PossibleValuesParser::new(names).map(|name| Format::find(&name).expect("one of these names"))
}

impl Args {
    /// Writes the program or the values.
    pub fn run(self) -> Outcome {
        if self.output.is_none() && self.format.is_none() && self.into.is_none() {
            let message = "name the file to write with --output submission.rs, or use --output - to print it; for the \
                values of a program, use --format or --into";
            return Err(Failure::Usage(message.to_string()));
        }
        let named = |path: &PathBuf| if self.finalist { finalist_of(path) } else { path.clone() };
        let policies = self.results.iter().map(|path| weights(&named(path))).collect::<Result<Vec<_>, _>>()?;
        for (policy, path) in policies.iter().zip(&self.results) {
            let path = path.display();
            if policy.verdict.is_none() {
                say(&format!("note: {path} was not tested, and may be no better than the baseline"));
            } else if policy.is_rejected() || policy.recommends_baseline() {
                say(&format!("note: {path}: {}", policy.result()));
            }
        }
        match (&self.into, self.format) {
            (Some(file), _) => into(one(&policies)?, file),
            (None, Some(format)) => self.write(&formatted(one(&policies)?, format)?),
            (None, None) => self.program(&policies),
        }
    }

    fn program(&self, policies: &[Policy]) -> Outcome {
        let problem = &policies[0].submission;
        if let Some(other) = policies.iter().position(|policy| policy.problem.name() != problem.name()) {
            return Err(Failure::Usage(format!(
                "a program plays one game, but {} has weights for {} and {} for {}",
                self.results[0].display(),
                problem.name(),
                self.results[other].display(),
                policies[other].problem.name()
            )));
        }
        let Some(exportable) = contest(&**problem).and_then(Contest::exportable) else {
            return Err(Failure::Usage(format!(
                "{} does not export programs; --format writes the values, and --into writes them into a source file",
                problem.name()
            )));
        };
        let policies: Vec<Tuned<'_>> = policies.iter().map(Tuned::of).collect();
        let program =
            exportable.export(&policies, self.time_limit).map_err(|error| Failure::Work(error.to_string()))?;
        let status = self.write(&program.source)?;
        for note in program.notes {
            say(&format!("note: {note}"));
        }
        Ok(status)
    }

    fn write(&self, text: &str) -> Outcome {
        match &self.output {
            Some(output) if output != Path::new("-") => {
                let written = replace(output, text.as_bytes());
                written.map_err(Failure::at(output))?;
            }
            _ => hand_out(text)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn one(policies: &[Policy]) -> Result<&Policy, Failure> {
    match policies {
        [policy] => Ok(policy),
        _ => Err(Failure::Usage("give exactly one run".to_string())),
    }
}

/// Returns the program that a job declares.
fn program(policy: &Policy) -> Result<&Program, Failure> {
    Program::of(&*policy.problem).ok_or_else(|| {
        let name = policy.problem.name();
        Failure::Usage(format!("{name} is a game, not a [program]; use --output to export a program with its weights"))
    })
}

pub fn formatted(policy: &Policy, format: Format) -> Result<String, Failure> {
    program(policy)?.format(format, &policy.values).map_err(|error| Failure::Usage(error.to_string()))
}

/// Writes values at the markers of a source file.
fn into(policy: &Policy, file: &Path) -> Outcome {
    let change = Change::of(policy, file)?;
    if change.is_none() {
        say(&format!("{} already has the values of its markers: it is unchanged", file.display()));
        return Ok(ExitCode::SUCCESS);
    }
    change.make()?;
    hand_out(&change.difference())?;
    Ok(ExitCode::SUCCESS)
}

/// The change of a source file that puts values at its markers.
pub struct Change<'f> {
    file: &'f Path,
    old: String,
    new: String,
}

impl<'f> Change<'f> {
    /// Finds the change, and names markers and values that do not fit.
    ///
    /// # Errors
    /// If the values belong to a game, the file cannot be read, or a value cannot be written.
    pub fn of(policy: &Policy, file: &'f Path) -> Result<Self, Failure> {
        program(policy)?;
        if file.exists() && !file.is_file() {
            // Reading from a pipe would block.
            return Err(Failure::Usage(format!("{}: not a file", file.display())));
        }
        let old = read_exact(file).map_err(|error| failure(file, &error))?;
        let new = put_back(&old, Language::of(file), &policy.problem.parameters(), &policy.values);
        let new = new.map_err(|message| Failure::Usage(format!("{}: {message}", file.display())))?;
        for name in &new.unknown {
            say(&format!(
                "note: {}: the marker `{name}` is unchanged, because the run has no such parameter",
                file.display()
            ));
        }
        for (name, value) in &new.missing {
            say(&format!("note: {name} = {value} is not written: {} has no marker for it", file.display()));
        }
        Ok(Change { file, old, new: new.text })
    }

    /// Returns whether the file has the values already.
    pub fn is_none(&self) -> bool {
        self.old == self.new
    }

    pub fn difference(&self) -> String {
        difference(&self.file.display().to_string(), &self.old, &self.new)
    }

    pub fn make(&self) -> Result<(), Failure> {
        replace(self.file, self.new.as_bytes()).map_err(|error| failure(self.file, &error))
    }
}

fn failure(file: &Path, error: &io::Error) -> Failure {
    Failure::Usage(format!("{}: {error}", file.display()))
}
