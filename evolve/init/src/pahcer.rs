//! Reads the configuration of pahcer for building, testing and scoring.

use crate::cargo;
use crate::found::{FindError, FoundProgram, in_folder, template_word};
use evolve_program::find_program;
use evolve_search::document::MARK;
use std::path::{Component, Path, PathBuf};

/// The name of the configuration.
pub const FILE: &str = "pahcer_config.toml";

/// A command of pahcer.
struct Step {
    words: Vec<String>,
    /// The folder in which the command runs.
    folder: Option<String>,
    stdin: Option<String>,
    stdout: Option<String>,
}

/// Reads the text of `pahcer_config.toml` in a folder.
///
/// # Errors
/// If it names no program.
pub fn read(text: &str, folder: &Path) -> Result<FoundProgram, FindError> {
    found(text, folder).ok_or(FindError::NoSteps)
}

/// Returns whether the objective of a configuration is minimized, if it has one.
pub fn minimizes(text: &str) -> Option<bool> {
    let table: toml::Table = text.trim_start_matches(MARK).parse().ok()?;
    Some(table.get("problem")?.get("objective")?.as_str()?.eq_ignore_ascii_case("min"))
}

fn found(text: &str, folder: &Path) -> Option<FoundProgram> {
    let table: toml::Table = text.trim_start_matches(MARK).parse().ok()?;
    let test = table.get("test")?;
    let (compile, run) = (steps(test, "compile_steps"), steps(test, "test_steps"));
    let first = run.first()?;
    let lines: Vec<String> = compile.iter().map(|step| step.command(None)).collect();
    let build = match &lines[..] {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("sh -c {}", template_word(&several.join(" && ")))),
    };
    // The steps after the first one read its input and output; the last one prints the score.
    let scorer = run.get(1..).and_then(<[_]>::last).map(|step| step.command(Some(first)));
    let seed = |name: &str| test.get(name).and_then(toml::Value::as_integer);
    let seeds = match (seed("start_seed").unwrap_or(0), seed("end_seed")) {
        (start, Some(end)) if start >= 0 && end > start => Some(format!("{start}-{}", end - 1)),
        _ => None,
    };
    let problem = table.get("problem");
    let of_problem = |name: &str| problem.and_then(|problem| problem.get(name)).and_then(|value| value.as_str());
    Some(FoundProgram {
        because: format!("found {FILE}"),
        build,
        command: first.command(None),
        scorer,
        minimizes: minimizes(text),
        score: of_problem("score_regex").map(String::from),
        stdin: first.stdin.as_deref().map(seeded),
        seeds,
        source: source(&compile, first, folder),
        ..FoundProgram::default()
    })
}

/// Returns the source of the solver: a file that is compiled or run, or the program that cargo
/// builds.
fn source(compile: &[Step], first: &Step, folder: &Path) -> Option<PathBuf> {
    const ENDINGS: [&str; 9] = ["cpp", "cc", "cxx", "c", "rs", "py", "go", "java", "js"];
    let steps = || compile.iter().chain([first]);
    let is_source =
        |path: &PathBuf| path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known));
    let mut words = steps().flat_map(|step| step.words.iter().map(|word| step.path(word)));
    let builds = || steps().any(|step| step.folder.is_none() && step.words.first().is_some_and(|word| word == "cargo"));
    words.find(is_source).or_else(|| cargo::source(folder).filter(|_| builds()))
}

fn steps(test: &toml::Value, name: &str) -> Vec<Step> {
    fn step(step: &toml::Value) -> Option<Step> {
        let text = |name: &str| step.get(name).and_then(|value| value.as_str()).map(String::from);
        let program = text("program")?;
        // Many systems have Python under only one of its names.
        let is_gone = program == "python" && find_program("python").is_none();
        let program = if is_gone { "python3".to_string() } else { program };
        let args = step.get("args").and_then(|args| args.as_array()).into_iter().flatten();
        let words = [program].into_iter().chain(args.filter_map(|word| word.as_str().map(String::from)));
        Some(Step {
            words: words.collect(),
            folder: text("current_dir").filter(|folder| !path_of(folder).as_os_str().is_empty()),
            stdin: text("stdin"),
            stdout: text("stdout"),
        })
    }
    test.get(name).and_then(|steps| steps.as_array()).into_iter().flatten().filter_map(step).collect()
}

impl Step {
    /// Returns the path that a word names, relative to the folder of the configuration.
    fn path(&self, word: &str) -> PathBuf {
        path_of(&format!("{}/{word}", self.folder.as_deref().unwrap_or(".")))
    }

    /// Formats the command for a job; `of` is the step whose input and output it reads.
    fn command(&self, of: Option<&Step>) -> String {
        let names =
            |file: &Option<String>, word: &str| file.as_ref().is_some_and(|file| path_of(file) == self.path(word));
        // Relative inputs refer to the folder of the configuration.
        let up = self.folder.as_deref().map_or(0, |folder| path_of(folder).components().count());
        let word = |word: &String| match of {
            Some(of) if names(&of.stdin, word) => format!("{}{{input}}", "../".repeat(up)),
            Some(of) if names(&of.stdout, word) => "{output}".to_string(),
            _ => template_word(&seeded(word)),
        };
        let words: Vec<String> = self.words.iter().map(word).collect();
        match &self.folder {
            None => words.join(" "),
            Some(folder) => in_folder(folder, &words),
        }
    }
}

/// Removes `.` and, as far as possible, `..` from a path.
fn path_of(text: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for component in Path::new(text).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if path.file_name().is_some() => drop(path.pop()),
            other => path.push(other),
        }
    }
    path
}

/// Converts placeholders of pahcer to placeholders of jobs.
fn seeded(text: &str) -> String {
    let text = text.replace('{', "{{").replace('}', "}}");
    text.replace("{{SEED04}}", "{seed:04}").replace("{{SEED}}", "{seed}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_of_pahcer_becomes_commands() {
        let config = r#"
            [problem]
            objective = "Min"
            score_regex = '(?P<score>\d+) points'
            [test]
            start_seed = 5
            end_seed = 100
            compile_steps = [
                { program = "g++", args = ["-O2", "-o", "my sol", "main.cpp"] },
                { program = "mv", args = ["my sol", "bin"] },
            ]
            test_steps = [
                { program = "bin/sol", args = [], stdin = "./tools/in/{SEED04}.txt", stdout = "./tools/out/{SEED04}.txt" },
                { program = "cargo", args = ["run", "./in/{SEED04}.txt", "./out/{SEED04}.txt", "--fast"], current_dir = "./tools" },
            ]
        "#;
        let found = read(config, Path::new("nowhere")).unwrap();
        let words = |command: &str| evolve_program::split(command).unwrap();
        let build = words(&found.build.unwrap());
        assert_eq!(build[2], "g++ -O2 -o 'my sol' main.cpp && mv 'my sol' bin");
        assert_eq!(found.command, "bin/sol");
        assert_eq!(found.stdin.as_deref(), Some("./tools/in/{seed:04}.txt"));
        assert_eq!(found.seeds.as_deref(), Some("5-99"));
        let scorer = words(&found.scorer.unwrap());
        assert_eq!(
            scorer,
            ["sh", "-c", "cd ./tools && exec \"$@\"", "sh", "cargo", "run", "../{input}", "{output}", "--fast"]
        );
        assert_eq!(found.minimizes, Some(true));
        assert_eq!(found.source.as_deref(), Some(Path::new("main.cpp")));
    }

    #[test]
    fn an_interactive_tester_runs_in_its_folder() {
        let config = r#"
            [test]
            start_seed = 0
            end_seed = 50
            compile_steps = [{ program = "g++", args = ["-O2", "main.cpp"] }]
            [[test.test_steps]]
            program = "cargo"
            args = ["run", "--bin", "tester", "../a.out"]
            current_dir = "./tools"
            stdin = "./tools/in/{SEED04}.txt"
            stderr = "./tools/err/{SEED04}.txt"
        "#;
        let found = read(config, Path::new("nowhere")).unwrap();
        let words = evolve_program::split(&found.command).unwrap();
        assert_eq!(words[2..], ["cd ./tools && exec \"$@\"", "sh", "cargo", "run", "--bin", "tester", "../a.out"]);
        assert_eq!((found.scorer, found.stdin.as_deref()), (None, Some("./tools/in/{seed:04}.txt")));
    }
}
