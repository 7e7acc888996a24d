//! The documentation matches the files that it describes.

use evolve::core::job::Catalogue;
use evolve::core::job::policy_file::Policy;
use evolve::core::job::{Job, reference, schema};
use evolve::games::GAMES;
use evolve::search::document::Document;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// Every link of the documentation to a file of the repository leads somewhere.
#[test]
fn links_have_targets() {
    let mut links = 0;
    let folders = ["", "docs", "docs/games", "docs/internals"].map(|folder| root().join(folder));
    let pages = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let pages = pages.chain(["results/README.md", "results/solitaire-chess/notes.md"].map(|page| root().join(page)));
    for path in pages.filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        let text = fs::read_to_string(&path).unwrap();
        // Links in code do not count.
        let text = text.split("\n```").step_by(2).collect::<String>();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if !link.contains("://") {
                let target = path.parent().unwrap().join(link.split('#').next().unwrap());
                assert!(target.exists(), "{}: {link}", path.display());
                links += 1;
            }
        }
    }
    assert!(links > 5);
}

/// Every page is reachable from the index, or from the page of results.
#[test]
fn the_index_lists_every_page() {
    let index = fs::read_to_string(root().join("docs/README.md")).unwrap();
    for folder in ["", "games/", "internals/"] {
        for entry in fs::read_dir(root().join("docs").join(folder)).unwrap() {
            let name = format!("{folder}{}", entry.unwrap().file_name().to_str().unwrap());
            let is_page = name.ends_with(".md") && name != "README.md";
            assert!(!is_page || index.contains(&format!("({name})")), "{name}");
        }
    }
}

/// The page of the command line has the help of every subcommand, by `UPDATE_DOCS=1` like the keys.
#[test]
fn the_command_line_is_as_documented() {
    let help = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_evolve"));
        command.args(arguments).arg("--help").env_remove("COLUMNS");
        let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
        format!("\n```text\n{}\n```\n", text.trim_end())
    };
    let mut page = fs::read_to_string(root().join("evolve/command/tests/shared/command-line.md")).unwrap();
    let all = help(&[]);
    page += &all;
    let commands = all.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    for name in commands
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !["", "help"].contains(name))
    {
        page += &format!("\n## evolve {name}\n{}", help(&[name]));
    }
    let path = root().join("docs/command-line.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert!(fs::read_to_string(path).is_ok_and(|text| text == page), "docs/command-line.md is out of date");
}

/// The page on adding a game shows a program that is compiled and run.
#[test]
fn the_example_is_as_shown() {
    let example = root().join("examples/offers");
    let file = |name: &str| fs::read_to_string(example.join(name)).unwrap();
    let files = ["Cargo.toml", "src/main.rs", "job.toml"].map(file);
    let page = fs::read_to_string(root().join("docs/adding-a-game.md")).unwrap();
    let pieces: Vec<(&str, &str)> =
        page.split("\n```").skip(1).step_by(2).map(|piece| piece.split_once('\n').unwrap()).collect();
    assert!(pieces.len() >= 6);
    for (language, piece) in pieces {
        if ["rust", "toml"].contains(&language) {
            assert!(files.iter().any(|file| file.contains(piece)), "not in the example:\n{piece}");
        }
    }
    assert!(files[1].lines().count() < 60);
}

/// The page on jobs and the schema have every key as it is declared. If declarations have changed,
/// write them again with `UPDATE_DOCS=1 cargo test -p evolve-tuner --test command documents`.
#[test]
fn the_keys_are_as_documented() {
    let catalogue = catalogue();
    let schema = format!("{:#}\n", schema(&catalogue).as_value());
    for (page, declared) in [("docs/config.md", reference(&catalogue)), ("docs/job.schema.json", schema)] {
        let page = root().join(page);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&page, &declared).unwrap();
        }
        let is_same = fs::read_to_string(&page).is_ok_and(|text| text == declared);
        assert!(is_same, "{} is out of date; see this test's comment", page.display());
    }
}

fn catalogue() -> Catalogue {
    Catalogue::new(&GAMES).declaring(&evolve_program::PROGRAM)
}

fn jobs_below(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_job = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml");
    paths.flat_map(|path| if path.is_dir() { jobs_below(&path) } else { vec![path] }).filter(is_job).collect()
}

/// Editors accept and reject the same jobs as the command.
#[test]
fn the_schema_accepts_valid_jobs_and_rejects_invalid_ones() {
    let schema = schema(&catalogue());
    let validator = jsonschema::draft7::new(schema.as_value()).unwrap();
    let faults = |text: &str| -> Vec<String> {
        let job: serde_json::Value = toml::from_str(text).unwrap();
        validator.iter_errors(&job).map(|error| format!("{}: {error}", error.instance_path())).collect()
    };
    // Jobs that people write.
    let configs = jobs_below(&root().join("configs"));
    let examples = fs::read_dir(root().join("examples")).unwrap().map(|entry| entry.unwrap().path().join("job.toml"));
    // The job of `offers` names a game that only its own command has.
    let examples = examples.filter(|path| path.is_file() && !path.parent().unwrap().ends_with("offers"));
    let jobs: Vec<PathBuf> = configs.iter().cloned().chain(examples).collect();
    assert!(jobs.len() > 15, "{jobs:?}");
    for path in &jobs {
        assert_eq!(faults(&fs::read_to_string(path).unwrap()), [""; 0], "{}", path.display());
    }
    // Those that `evolve init` writes, and those that runs record.
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("solver.py"), "import os\nprint('Score =', os.environ.get('K', 5))\n").unwrap();
    let init = |arguments: &[&str]| {
        let output = folder.path().join(format!("{}.toml", arguments.last().unwrap_or(&"own")));
        let mut command = Command::new(env!("CARGO_BIN_EXE_evolve"));
        command.args(["init", "--output"]).arg(&output).args(arguments).current_dir(folder.path());
        assert!(command.output().unwrap().status.success(), "{arguments:?}");
        fs::read_to_string(output).unwrap()
    };
    let drafts = GAMES.iter().map(|game| init(&["--game", game.name()])).chain([init(&[])]);
    for draft in drafts {
        assert!(draft.starts_with("#:schema ./job.schema.json\n"), "{draft}");
        assert_eq!(faults(&draft), [""; 0], "{draft}");
        if let Ok(job) = Job::parse(&Document::new(Path::new("job.toml"), draft), &catalogue()) {
            assert_eq!(faults(&job.to_toml()), [""; 0]);
        }
    }
    let beside = fs::read_to_string(folder.path().join("job.schema.json")).unwrap();
    assert_eq!(beside, fs::read_to_string(root().join("docs/job.schema.json")).unwrap());
    // Errors are errors for both.
    let game = fs::read_to_string(root().join("configs/quickstart.toml")).unwrap();
    let program =
        "name = \"a\"\n[program]\ncommand = \"true {k}\"\n[parameters]\nk = { int = [1, 20] }\n[search]\nbudget = 20\n";
    for (job, old, new) in [
        (game.as_str(), "[search]", "[evolutoin]"),
        (&game, "[search]\n", "[search]\npopluation = 3\n"),
        (&game, "[search]\n", "[search]\ngenerations = \"ten\"\n"),
        (&game, "[search]\n", "[search]\ngenerations = 0\n"),
        (&game, "[game]\n", "[game]\ncolour = 3\n"),
        (&game, "[player]\n", "[player]\nwidht = 3\n"),
        (program, "command", "comand"),
        (program, "\"true {k}\"", "5"),
        (program, "\"true {k}\"", "[\"true\", 5]"),
        (program, "[parameters]", "goal = \"most\"\n[parameters]"),
        (program, "[parameters]", "scale = { bset = \"x\" }\n[parameters]"),
        (program, "[parameters]", "on_failure = { exitt = 1 }\n[parameters]"),
        (program, "[parameters]", "memory_limit = 0\n[parameters]"),
        (program, "[1, 20]", "[1, 20, 30]"),
        (program, "[1, 20]", "[1, 2.5]"),
        (program, "[1, 20] }", "[1, 20], strat = 5 }"),
        (program, "[1, 20] }", "[1, 20], unit = 0 }"),
    ] {
        let wrong = job.replacen(old, new, 1);
        assert_ne!(wrong, job);
        assert_ne!(faults(&wrong), [""; 0], "{wrong}");
        assert!(Job::parse(&Document::new(Path::new("job.toml"), wrong.clone()), &catalogue()).is_err(), "{wrong}");
    }
    assert_eq!(faults(program), [""; 0]);
}

/// All jobs of the project are valid, and the reference runs belong to their current version.
#[test]
fn reference_runs_are_of_these_jobs() {
    let catalogue = Catalogue::new(&GAMES);
    // Jobs name the weights that they start from relative to the current folder, which may be
    // another one here.
    let read = |path: &Path| {
        let from = |root: &str| format!("start = \"{root}results/");
        let text = fs::read_to_string(path).unwrap().replace(&from(""), &from(&format!("{}/", root().display())));
        Job::parse(&Document::new(path, text), &catalogue).unwrap_or_else(|fault| panic!("{fault}"))
    };
    let mut folders = vec![root().join("configs")];
    let mut jobs = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let job = read(&path);
            if job.name == "quickstart" {
                // Users run this job themselves.
                continue;
            }
            let results = root().join("results").join(&job.name);
            // The run may be of another version. If that had keys that no longer exist, compares
            // the committed job instead.
            let config = Job::read(&results.join("config.toml"), &catalogue)
                .unwrap_or_else(|_| read(&crate::committed::results().join(&job.name).join("config.toml")));
            let is_same = config.comparable() == job.comparable() && config.limits == job.limits;
            assert!(is_same, "{} is of another job", results.display());
            let weights = Policy::read(&results, &catalogue).unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!(weights.problem.to_toml(), job.problem.to_toml());
            assert_eq!(weights.submission.to_toml(), job.submission.to_toml());
            jobs += 1;
        }
    }
    assert!(jobs > 10);
}
