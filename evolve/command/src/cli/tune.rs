//! `evolve tune`: `init`, `check`, `run` and `export` one after another.

use super::contestants::weights;
use super::init::{Marks, agrees, can_ask, is_unfilled, marks};
use super::overrides::Overrides;
use super::progress::{say, show};
use super::{Cli, Failure, Outcome, after, export};
use clap::Parser;
use evolve_core::job::Job;
use evolve_core::names::{RECOMMENDATION, RESULTS};
use evolve_program::Program;
use evolve_search::file::{is_same, slashed};
use evolve_search::shell::shell_word;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Tune the constants of a source file: write a job, check it, run it, and change the source
///
/// Runs `evolve init`, `evolve check`, `evolve run` and `evolve export --into`, and shows each
/// command, so that you can continue by hand at any point.
///
/// It asks which constants of the source to mark as parameters, unless the source has markers (`//
/// evolve: [1, 20]`) or comments of other tuners (`// @tune 10 200 log`). It asks again before it
/// writes the tuned values into the source, and only does so if the held-out test shows that they
/// are better. --yes answers both questions with yes: it marks the constants that `evolve init`
/// would mark by default, and writes the values. Without a terminal and without --yes, the source
/// does not change.
///
/// An existing job stays as it is. If its run was stopped, it resumes; if it is complete, a new run
/// starts from its values.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve tune main.cpp
  evolve tune main.cpp --time 30m
  evolve tune solver.py --only TEMP,RATE --yes --budget 300")]
pub struct Args {
    /// Source file of the program to tune
    #[arg(value_name = "SOURCE")]
    source: PathBuf,

    /// Job file; written if it does not exist
    #[arg(short, long, value_name = "FILE", default_value = "job.toml")]
    output: PathBuf,

    /// Do not ask: mark the constants, and write better values into the source
    #[arg(long)]
    yes: bool,

    /// Mark these constants or lists of constants, without asking
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,

    /// Number of trials, in place of the job's
    #[arg(long, value_name = "NUMBER")]
    budget: Option<u64>,

    /// Time limit of the run, in place of the job's
    #[arg(long, value_name = "TIME")]
    time: Option<String>,

    /// Number of parallel trials; 0: one for each core
    #[arg(short = 'j', long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    parallel: usize,
}

impl Args {
    pub fn run(self) -> Outcome {
        if !self.source.is_file() {
            return Err(Failure::Usage(format!("{}: no such file", self.source.display())));
        }
        if self.output.exists() && !is_unfilled(&self.output) {
            self.report_only(&format!("{} exists", self.output.display()));
        } else {
            let marked = marks(&self.source)?;
            if marked.own || marked.of_others {
                self.report_only(&format!("{} has marked parameters", self.source.display()));
            }
            carry_out(&self.init(&marked))?;
            if !self.output.exists() {
                let message = "the source is unchanged; --yes marks the constants above, --only NAME,NAME some of them";
                return Err(Failure::Usage(message.to_string()));
            }
        }
        let (folder, run) = self.next_run()?;
        carry_out(&self.with_parallel(["check", &slashed(&self.output), "--time", "15s"].map(String::from).to_vec()))?;
        carry_out(&self.with_parallel(run))?;
        self.write(&folder)
    }

    fn with_parallel(&self, mut words: Vec<String>) -> Vec<String> {
        if self.parallel > 0 {
            words.extend(["--parallel".to_string(), self.parallel.to_string()]);
        }
        words
    }

    /// Reports that --only has no effect, because nothing is to be marked.
    fn report_only(&self, because: &str) {
        if self.only.is_empty() {
            return;
        }
        let (source, output) = (shell_word(&slashed(&self.source)), shell_word(&slashed(&self.output)));
        say(&format!(
            "note: --only has no effect, because {because}; to mark more constants: evolve init {source} --suggest --only {} \
             --output {output}",
            shell_word(&self.only.join(","))
        ));
    }

    /// Returns the command that writes the job.
    fn init(&self, marked: &Marks) -> Vec<String> {
        let source = slashed(&self.source);
        let mut words: Vec<String> = ["init", "--output", &slashed(&self.output)].map(String::from).to_vec();
        match (marked.own, marked.of_others) {
            (true, _) => words.push(source),
            (false, true) => words.extend(["--from".to_string(), source]),
            (false, false) => words.extend([source, "--suggest".to_string()]),
        }
        if self.only.is_empty() || marked.own || marked.of_others {
            words.extend((self.yes && !marked.own).then(|| "--yes".to_string()));
        } else {
            words.extend(["--only".to_string(), self.only.join(",")]);
        }
        words
    }

    /// Returns the folder of the next run, and its command: the first run of the job, the rest of a
    /// stopped one, or one that starts where the last one ended.
    fn next_run(&self) -> Result<(PathBuf, Vec<String>), Failure> {
        let folder = |name: &str| Path::new(RESULTS).join(name);
        let is_complete = |name: &str| folder(name).join(RECOMMENDATION).exists();
        let job = Overrides::default().job(&self.output)?;
        self.check_source(&job)?;
        let (mut name, mut before) = (job.name, None);
        while is_complete(&name) {
            let next = after::next_name(&name);
            before = Some(std::mem::replace(&mut name, next));
        }
        let mut words = vec!["run".to_string(), slashed(&self.output)];
        if let Some(before) = before {
            words.extend(["--after".to_string(), slashed(&folder(&before))]);
        }
        if folder(&name).exists() {
            words.push("--resume".to_string());
        }
        let budget = self.budget.map(|budget| format!("search.budget={budget}"));
        let time = self.time.as_ref().map(|time| format!("search.time={time}"));
        words.extend(budget.into_iter().chain(time).flat_map(|set| ["--set".to_string(), set]));
        Ok((folder(&name), words))
    }

    /// Refuses a job of other sources: its values belong to other constants, even of the same name.
    fn check_source(&self, job: &Job) -> Result<(), Failure> {
        let sources = Program::of(&*job.problem).map_or(&[][..], Program::sources);
        let is_own = |file: &String| is_same(Path::new(file), &self.source);
        if sources.is_empty() || sources.iter().any(is_own) {
            return Ok(());
        }
        let (job, source) = (self.output.display(), self.source.display());
        let sources = sources.join(", ");
        Err(Failure::Usage(format!(
            "{job} tunes {sources}: name another job for {source}, as in `--output other.toml`"
        )))
    }

    /// Shows the changes of the source, and makes them if the user agrees.
    fn write(&self, folder: &Path) -> Outcome {
        let policy = weights(folder)?;
        let file = self.source.display();
        if policy.recommends_baseline() {
            say(&format!("{file} is unchanged: {}", policy.result()));
            return Ok(ExitCode::SUCCESS);
        }
        let by_hand =
            format!("evolve export {} --into {}", shell_word(&slashed(folder)), shell_word(&slashed(&self.source)));
        if policy.verdict.is_none() {
            say(&format!("{file} is unchanged, because the values were not tested; to write them: {by_hand}"));
            return Ok(ExitCode::SUCCESS);
        }
        let change = export::Change::of(&policy, &self.source)?;
        if change.is_none() {
            say(&format!("{file} already has the values"));
            return Ok(ExitCode::SUCCESS);
        }
        show(&change.difference())?;
        if self.yes || can_ask() && agrees(&format!("Write these values into {file}?"))? {
            change.make()?;
            say(&format!("{file} has the tuned values"));
        } else {
            say(&format!("{file} is unchanged; to write the values: {by_hand}"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Shows a command of `evolve`, and carries it out.
///
/// # Errors
/// If the command fails.
fn carry_out(words: &[String]) -> Result<(), Failure> {
    let shown: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
    say(&format!("\n$ evolve {}", shown.join(" ")));
    let all = std::iter::once("evolve").chain(words.iter().map(String::as_str));
    let cli = Cli::try_parse_from(all).map_err(|error| Failure::Usage(error.to_string()))?;
    cli.run().map(drop)
}
