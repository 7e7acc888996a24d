//! `evolve init`.

use super::progress::say;
use super::{Failure, Outcome, catalogue};
use evolve_core::config::Job;
use evolve_core::document::Document;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Writes a first job for the program in this folder
///
/// Looks for Cargo.toml, main.cpp, solver.cpp, main.py and the like, for inputs such as in/0000.txt, and for a
/// configuration of pahcer, and writes a commented job that says what was found and what is still to be filled in. A file
/// that is there already is never replaced.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve init
  evolve init --output tour.toml && evolve check tour.toml")]
pub struct Args {
    /// File to write
    #[arg(short, long, value_name = "FILE", default_value = "job.toml")]
    output: PathBuf,
}

/// How to build and start what is in a folder.
struct Found {
    /// What told.
    because: String,
    build: Option<String>,
    command: String,
    /// The file whose comments may declare parameters.
    source: PathBuf,
}

impl Args {
    /// Writes the job.
    pub fn run(self) -> Outcome {
        let folder = Path::new(".");
        let found = find(folder).ok_or_else(|| {
            Failure::Usage(
                "there is no Cargo.toml, main.cpp, main.py or the like in this folder; start in the folder of your \
                 program, or write a job by hand (`evolve keys` explains [program])"
                    .to_string(),
            )
        })?;
        let name =
            fs::canonicalize(folder).ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let text = job(&name.unwrap_or_default(), &found, folder);
        let file = OpenOptions::new().write(true).create_new(true).open(&self.output);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                Failure::Usage(format!("{} is there already; give another --output", self.output.display()))
            }
            _ => Failure::Work(format!("{}: {error}", self.output.display())),
        })?;
        say(&format!("{} written ({})", self.output.display(), found.because));
        // A person reads what is still wrong with it before a run does.
        if let Err(faults) = Job::parse(&Document::new(&self.output, text), catalogue()) {
            say(&format!("still to be filled in:\n{faults}"));
        }
        writeln!(io::stdout(), "next: evolve check {}", self.output.display())?;
        Ok(ExitCode::SUCCESS)
    }
}

fn find(folder: &Path) -> Option<Found> {
    let pahcer = fs::read_to_string(folder.join("pahcer_config.toml")).ok().and_then(|text| pahcer(&text));
    if pahcer.is_some() {
        return pahcer;
    }
    if let Ok(text) = fs::read_to_string(folder.join("Cargo.toml")) {
        let table: toml::Table = text.parse().ok()?;
        let name = table.get("package")?.get("name")?.as_str()?.to_string();
        return Some(Found {
            because: "found Cargo.toml".to_string(),
            build: Some("cargo build --release".to_string()),
            command: format!("target/release/{name}"),
            source: PathBuf::from("src/main.rs"),
        });
    }
    for name in ["solver", "main", "a", "solution"] {
        for (ending, compiler) in [("cpp", "g++ -O2"), ("cc", "g++ -O2"), ("c", "gcc -O2"), ("rs", "rustc -O")] {
            let file = format!("{name}.{ending}");
            if folder.join(&file).is_file() {
                return Some(Found {
                    because: format!("found {file}"),
                    build: Some(format!("{compiler} -o {name} {file}")),
                    command: format!("./{name}"),
                    source: PathBuf::from(file),
                });
            }
        }
        let file = format!("{name}.py");
        if folder.join(&file).is_file() {
            let command = format!("python3 {file}");
            let because = format!("found {file}");
            return Some(Found { because, build: None, command, source: PathBuf::from(file) });
        }
    }
    None
}

/// What a configuration of pahcer says of building and testing.
fn pahcer(text: &str) -> Option<Found> {
    let table: toml::Table = text.parse().ok()?;
    let test = table.get("test")?;
    let step = |steps: &toml::Value| {
        let step = steps.as_array()?.first()?;
        let args = step.get("args").and_then(|args| args.as_array());
        let args: Vec<&str> = args.into_iter().flatten().filter_map(toml::Value::as_str).collect();
        Some(std::iter::once(step.get("program")?.as_str()?).chain(args).collect::<Vec<_>>().join(" "))
    };
    let command = step(test.get("test_steps")?)?;
    let build = test.get("compile_steps").and_then(step);
    Some(Found {
        because: "found pahcer_config.toml".to_string(),
        build,
        command,
        source: PathBuf::from("src/main.rs"),
    })
}

/// The input files of a folder by a pattern of seeds or of names.
fn inputs(folder: &Path) -> Option<String> {
    for below in ["in", "input", "inputs", "tools/in"] {
        let entries = fs::read_dir(folder.join(below)).into_iter().flatten().flatten();
        let names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        let texts: Vec<&String> = names.iter().filter(|name| name.ends_with(".txt")).collect();
        let Some(first) = texts.iter().min() else { continue };
        let stem = first.trim_end_matches(".txt");
        let numbers: Option<Vec<u64>> = texts.iter().map(|name| name.trim_end_matches(".txt").parse().ok()).collect();
        return Some(match numbers {
            Some(numbers) => {
                let (first, last) = (numbers.iter().min()?, numbers.iter().max()?);
                let width = stem.len();
                format!("stdin = \"{below}/{{seed:0{width}}}.txt\"\nseeds = \"{first}-{last}\"\n")
            }
            None => format!("files = \"{below}/*.txt\"\n"),
        });
    }
    None
}

fn job(name: &str, found: &Found, folder: &Path) -> String {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' }).collect();
    let name = name.trim_matches('-');
    let quoted = |text: &str| toml::Value::String(text.to_string()).to_string();
    let source = fs::read_to_string(folder.join(&found.source)).unwrap_or_default();
    let has_markers = source.contains("evolve: [");
    let mut text = format!(
        "# A first job, written by `evolve init`. `evolve keys` explains every key.\n\
         # Next: evolve check, then evolve run.\nname = {}\n\n[program]\n",
        quoted(if name.is_empty() { "program" } else { name })
    );
    if let Some(build) = &found.build {
        text += &format!("build = {}\n", quoted(build));
    }
    text += "# How it is started. {NAME} stands for a parameter, {args} for all of them as --NAME VALUE.\n";
    let reach = if has_markers || source.is_empty() || !source.contains("EVOLVE_") { " {args}" } else { "" };
    text += &format!("command = {}\n", quoted(&format!("{}{reach}", found.command)));
    if reach.is_empty() {
        text += "env = true\n";
    }
    text += &inputs(folder).unwrap_or_else(|| {
        "# No inputs were found. `stdin = \"in/{seed:04}.txt\"` with `seeds = \"0-99\"`, or `files = \"in/*.txt\"`, are \
         instances.\n"
            .to_string()
    });
    text += "# Where the score is: left out, the last `Score = 123` that it prints.\n# score = 'Score = (\\d+)'\n";
    text += "goal = \"maximize\"        # or \"minimize\"\n";
    text +=
        "# What is optimized: \"raw\" scores, their \"log\", or \"relative\" to the start's on the same instance.\n";
    text += "scale = \"relative\"\ntimeout = \"10s\"\n";
    if has_markers {
        text += &format!(
            "# Parameters are declared by comments such as `// evolve: [1, 20]`.\nsource = [{}]\n",
            quoted(&found.source.to_string_lossy())
        );
    } else {
        text += "\n# What may change, and how it starts. Kinds: int, float, choice, bool; `log = true` where ratios count.\n\
                 [parameters]\n\
                 # k    = { int = [1, 20], start = 5 }\n\
                 # temp = { float = [1e-3, 1e3], log = true, start = 10 }\n\
                 # move = { choice = [\"swap\", \"2opt\"], start = \"2opt\" }\n";
    }
    text += "\n[evolution]\nbudget = 2000             # trials of the search; checks and the verdict come on top\n";
    text
}
