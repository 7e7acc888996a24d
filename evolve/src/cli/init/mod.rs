//! `evolve init`.

mod game;

use super::progress::{say, show};
use super::{Failure, Outcome, catalogue};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use evolve_core::config::Job;
use evolve_core::document::Document;
use evolve_program::parameters::marker;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write a first job for the program in this folder, or for a game
///
/// Looks for Cargo.toml, main.cpp, solver.cpp, main.py and the like, for inputs such as in/0000.txt, and for a
/// configuration of pahcer, and writes a commented job that says what was found and what is still to be filled in.
///
/// With --game, writes a job for a game that comes with evolve: its options, its players with their settings, and its
/// weights, all with defaults and ranges. A file that is there already is never replaced.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve init
  evolve init --output tour.toml && evolve check tour.toml
  evolve init --game solitaire-chess")]
pub struct Args {
    /// File to write
    #[arg(short, long, value_name = "FILE", default_value = "job.toml")]
    output: PathBuf,

    /// Write a job for this game
    #[arg(long, value_name = "GAME", value_parser = games())]
    game: Option<String>,
}

/// Knows the names of games, so that help, completions and errors list them.
fn games() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(catalogue().iter().map(|game| PossibleValue::new(game.name()).help(game.summary())))
}

/// How to build and start what is in a folder.
struct Found {
    /// What told.
    because: String,
    build: Option<String>,
    command: String,
    scorer: Option<String>,
    /// Whether small scores are good.
    minimizes: bool,
    /// Where the score is, if something says so.
    score: Option<String>,
    /// The file whose comments may declare parameters.
    source: PathBuf,
}

impl Found {
    /// A program by the file that it was found by.
    fn program(file: &str, build: Option<String>, command: String, source: &str) -> Self {
        let because = format!("found {file}");
        Found { because, build, command, scorer: None, minimizes: false, score: None, source: PathBuf::from(source) }
    }
}

impl Args {
    pub fn run(self) -> Outcome {
        let (text, because) = match &self.game {
            Some(name) => {
                (game::job(&**catalogue().find(name).expect("clap has checked the name")), format!("for {name}"))
            }
            None => of_program()?,
        };
        let file = OpenOptions::new().write(true).create_new(true).open(&self.output);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                Failure::Usage(format!("{} is there already; give another --output", self.output.display()))
            }
            _ => Failure::Work(format!("{}: {error}", self.output.display())),
        })?;
        say(&format!("{} written ({because})", self.output.display()));
        // A person reads what is still wrong with it before a run does.
        if let Err(faults) = Job::parse(&Document::new(&self.output, text), catalogue()) {
            say(&format!("still to be mended:\n{faults}"));
        }
        show(&format!("next: evolve check {}\n", self.output.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A job for the program in this folder, and what told.
fn of_program() -> Result<(String, String), Failure> {
    let folder = Path::new(".");
    let found = find(folder).ok_or_else(|| {
        Failure::Usage(
            "there is no Cargo.toml, main.cpp, main.py or the like in this folder; start in the folder of your program, \
             or name a game: evolve init --game NAME"
                .to_string(),
        )
    })?;
    let name = fs::canonicalize(folder).ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    Ok((job(&name.unwrap_or_default(), &found, folder), found.because))
}

fn find(folder: &Path) -> Option<Found> {
    let pahcer = fs::read_to_string(folder.join("pahcer_config.toml")).ok().and_then(|text| pahcer(&text, folder));
    if pahcer.is_some() {
        return pahcer;
    }
    if let Ok(text) = fs::read_to_string(folder.join("Cargo.toml")) {
        let table: toml::Table = text.parse().ok()?;
        let name = table.get("package")?.get("name")?.as_str()?.to_string();
        let build = Some("cargo build --release".to_string());
        return Some(Found::program("Cargo.toml", build, format!("target/release/{name}"), "src/main.rs"));
    }
    for name in ["solver", "main", "a", "solution"] {
        for (ending, compiler) in [("cpp", "g++ -O2"), ("cc", "g++ -O2"), ("c", "gcc -O2"), ("rs", "rustc -O")] {
            let file = format!("{name}.{ending}");
            if folder.join(&file).is_file() {
                let build = Some(format!("{compiler} -o {name} {file}"));
                return Some(Found::program(&file, build, format!("./{name}"), &file));
            }
        }
        let file = format!("{name}.py");
        if folder.join(&file).is_file() {
            return Some(Found::program(&file, None, format!("python3 {file}"), &file));
        }
    }
    None
}

/// What a configuration of pahcer says of building, testing and scoring.
fn pahcer(text: &str, folder: &Path) -> Option<Found> {
    let table: toml::Table = text.parse().ok()?;
    let test = table.get("test")?;
    let (compile, run) = (steps(test, "compile_steps"), steps(test, "test_steps"));
    let command = run.first()?;
    // The steps after the first one read what it was given and what it printed; the last one has the score.
    let files = |name: &str| test.get("test_steps")?.as_array()?.first()?.get(name)?.as_str();
    let (input, output) = (files("stdin"), files("stdout"));
    let placed = |word: &&str| match Some(*word) {
        word if word.is_some() && word == input => "{input}".to_string(),
        word if word.is_some() && word == output => "{output}".to_string(),
        _ => shell_word(word),
    };
    let scorer = run.get(1..).and_then(<[_]>::last).map(|step| step.iter().map(placed).collect::<Vec<_>>().join(" "));
    let line = |words: &Vec<&str>| words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ");
    let build = match &compile[..] {
        [] => None,
        [one] => Some(line(one)),
        several => Some(format!("sh -c {}", shell_word(&several.iter().map(line).collect::<Vec<_>>().join(" && ")))),
    };
    let is_source = |word: &&&str| [".cpp", ".cc", ".c", ".rs", ".py"].iter().any(|ending| word.ends_with(ending));
    let source = compile.iter().flatten().chain(command).find(is_source).copied().unwrap_or("src/main.rs");
    let problem = table.get("problem");
    let of_problem = |name: &str| problem.and_then(|problem| problem.get(name)).and_then(|value| value.as_str());
    Some(Found {
        because: "found pahcer_config.toml".to_string(),
        build,
        command: line(command),
        scorer,
        minimizes: of_problem("objective").is_some_and(|objective| objective.eq_ignore_ascii_case("min")),
        score: of_problem("score_regex").map(String::from),
        source: folder.join(source),
    })
}

/// The commands of some steps, by their words.
fn steps<'t>(test: &'t toml::Value, name: &str) -> Vec<Vec<&'t str>> {
    fn words(step: &toml::Value) -> Option<Vec<&str>> {
        let args = step.get("args").and_then(|args| args.as_array()).into_iter().flatten();
        Some([step.get("program")?].into_iter().chain(args).filter_map(|word| word.as_str()).collect())
    }
    test.get(name).and_then(|steps| steps.as_array()).into_iter().flatten().filter_map(words).collect()
}

/// A word of a command, so that it stays one.
fn shell_word(word: &str) -> String {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c));
    // Braces would be placeholders.
    let word = word.replace('{', "{{").replace('}', "}}");
    if plain && !word.is_empty() { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
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

/// Parameters to begin with, where the source has no markers.
const EXAMPLES: [(&str, &str); 3] = [
    ("k", "{ int = [1, 20], start = 5 }"),
    ("temp", "{ float = [1e-3, 1e3], log = true, start = 10 }"),
    ("move", "{ choice = [\"swap\", \"2opt\"], start = \"2opt\" }"),
];

/// The variable of the environment for a parameter, as `evolve.hpp` and its like look for it.
fn variable(name: &str) -> String {
    let capital = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    "EVOLVE_".chars().chain(name.chars().map(capital)).collect()
}

fn job(name: &str, found: &Found, folder: &Path) -> String {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' }).collect();
    let name = name.trim_matches('-');
    let quoted = |text: &str| toml::Value::String(text.to_string()).to_string();
    let source = fs::read_to_string(folder.join(&found.source)).unwrap_or_default();
    let markers = marker::find(&source);
    // Where a marker is wrong, the job says so when it is read.
    let has_markers = markers.as_ref().map_or(true, |markers| !markers.is_empty());
    let marked: Vec<String> = markers.into_iter().flatten().map(|marker| marker.parameter.name).collect();
    let names: Vec<&str> = match has_markers {
        true => marked.iter().map(String::as_str).collect(),
        false => EXAMPLES.map(|(name, _)| name).to_vec(),
    };
    let mut text = format!(
        "# A first job, written by `evolve init`. docs/config.md has every key.\n\
         # Next: evolve check, then evolve run.\nname = {}\n\n[program]\n",
        quoted(if name.is_empty() { "program" } else { name })
    );
    if let Some(build) = &found.build {
        text += &format!("build = {}\n", quoted(build));
    }
    text += "# How it is started. Parameters are in its environment; in the command, {k} would stand for one of them, and\n\
             # {args} for all as --NAME VALUE.\n";
    text += &format!("command = {}\n", quoted(&found.command));
    let variables = names.iter().map(|name| format!("{} = \"{{{name}}}\"", variable(name)));
    text += &format!("env = {{ {} }}\n", variables.collect::<Vec<_>>().join(", "));
    if let Some(scorer) = &found.scorer {
        text += &format!("scorer = {}\n", quoted(scorer));
    }
    text += &inputs(folder).unwrap_or_else(|| {
        "# No inputs were found. `stdin = \"in/{seed:04}.txt\"` with `seeds = \"0-99\"`, or `files = \"in/*.txt\"`, are \
         instances.\n"
            .to_string()
    });
    text += "# Where the score is: left out, the last `Score = 123` that it prints.\n";
    text += &match &found.score {
        Some(score) => format!("score = {}\n", quoted(score)),
        None => "# score = 'Score = (\\d+)'\n".to_string(),
    };
    text += if found.minimizes { "goal = \"minimize\"\n" } else { "goal = \"maximize\"        # or \"minimize\"\n" };
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
                 # These are examples: put your program's own in their place, and have it look at them.\n\
                 [parameters]\n";
        for (name, declaration) in EXAMPLES {
            text += &format!("{name:4} = {declaration}\n");
        }
    }
    text += "\n[evolution]\nbudget = 2000             # trials of the search; checks and the verdict come on top\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_of_pahcer_becomes_a_job() {
        let config = r#"
            [problem]
            objective = "Min"
            score_regex = '(?P<score>\d+) points'
            [test]
            compile_steps = [
                { program = "g++", args = ["-O2", "-o", "my sol", "main.cpp"] },
                { program = "mv", args = ["my sol", "bin"] },
            ]
            test_steps = [
                { program = "bin/sol", args = [], stdin = "./in/{SEED04}.txt", stdout = "./out/{SEED04}.txt" },
                { program = "./vis", args = ["./in/{SEED04}.txt", "./out/{SEED04}.txt", "--fast"] },
            ]
        "#;
        let found = pahcer(config, Path::new("nowhere")).unwrap();
        let text = job("my contest", &found, Path::new("nowhere"));
        let job: toml::Table = text.parse().unwrap();
        let program = &job["program"];
        assert_eq!(job["name"].as_str(), Some("my-contest"));
        assert_eq!(
            program["build"].as_str(),
            Some(r"sh -c 'g++ -O2 -o '\''my sol'\'' main.cpp && mv '\''my sol'\'' bin'")
        );
        assert_eq!(program["command"].as_str(), Some("bin/sol"));
        assert_eq!(program["env"]["EVOLVE_TEMP"].as_str(), Some("{temp}"));
        assert_eq!(program["scorer"].as_str(), Some("./vis {input} {output} --fast"));
        assert_eq!(program["score"].as_str(), Some(r"(?P<score>\d+) points"));
        assert_eq!(program["goal"].as_str(), Some("minimize"));
        assert_eq!(found.source, Path::new("nowhere/main.cpp"));
    }
}
