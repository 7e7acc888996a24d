//! Hostile jobs, files and programs: each is rejected with an error, or works.

use crate::shared::Bench;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process;

const JOB: &str = r#"name = "first"

[program]
command = "sh solver.sh {k} {seed}"
seeds = "0-39"

[parameters]
k = { int = [1, 20], start = 15 }

[search]
optimizer = "genetic"
population = 4
elites = 1
trials = 3
generations = 3

validation = 30

selection = 4
test = 30
"#;

/// A folder with a program, and a job in which a text is replaced.
fn folder(changes: &[(&str, &str)]) -> Bench {
    let folder = Bench::empty();
    folder.write("solver.sh", "echo Score = $((100 - (7 - $1) * (7 - $1) + $2))\n");
    write_job(&folder, "job.toml", changes);
    folder
}

fn write_job(folder: &Bench, name: &str, changes: &[(&str, &str)]) {
    let mut job = JOB.to_string();
    for (from, to) in changes {
        assert!(job.contains(from), "{from}");
        job = job.replacen(from, to, 1);
    }
    folder.write(name, job);
}

#[test]
fn names_that_need_quotes_in_toml() {
    let parameters = "\"a.b\" = { int = [1, 20], start = 15 }\n\"größe\" = { float = [0, 1], condition = \"a.b > 3\" \
        }\n\n\
                      [weights.ranges]\n\"größe\" = [0.25, 0.75]";
    let changes = [("{k}", "{a.b}"), ("k = { int = [1, 20], start = 15 }", parameters), ("{seed}", "{seed} {größe}")];
    let folder = folder(&changes);
    folder.does(&["run", "job.toml", "--quiet"]);
    let weights = folder.result("recommendation.toml");
    assert!(weights.contains("\n\"a.b\" = ") && weights.contains("\n\"größe\" = "), "{weights}");
    folder.does(&["run", "job.toml", "--resume", "--quiet"]);
    folder.does(&["run", "results/first/config.toml", "--resume", "--quiet"]);
    assert!(folder.does(&["export", "results/first", "--format", "json"]).contains("\"a.b\": "));
    folder.does(&["compare", "results/first", "defaults"]);
    folder.does(&["report", "results/first"]);
    folder.does(&["run", "job.toml", "--set", "name=other", "--set", "parameters.\"a.b\".start=7", "--quiet"]);
    let config = folder.read("results/other/config.toml");
    assert!(config.contains("\"a.b\" = { int = [1, 20], start = 7,"), "{config}");
}

#[test]
fn every_error_in_a_job_is_reported() {
    let long = "k".repeat(1 << 16);
    let k = "k = { int = [1, 20], start = 15 }";
    let parameter = |text: &'static str| [(k, text)];
    let folder = folder(&[]);
    let said = |changes: &[(&str, &str)]| {
        write_job(&folder, "job.toml", changes);
        let said = folder.refuses(&["check", "job.toml"]);
        assert_eq!(said.lines().count(), 1, "{said}");
        said
    };
    for (text, wrong) in [
        ("k = { int = [1, 20], start = 50 }", "`start` of `k` is 50, which is not a whole number from 1 to 20"),
        ("k = { float = [nan, 1] }", "`parameters.k.float` takes [smallest, largest], finite numbers, not [nan, 1]"),
        ("k = { float = [0, 1e300] }", "the range of `k` must lie within plus or minus 1e75"),
        ("k = { float = [-1.7e308, 1.7e308] }", "the range of `k` must lie within plus or minus 1e75"),
        ("k = { float = [0, 1], unit = 1e-300 }", "the unit of `k` must be from 1e-75 to 1e75"),
        ("k = { choice = [\"a\", \"b\\u0000\"] }", "`k`: a zero byte cannot be passed"),
        ("k = { float = [0, 1], count = 2001 }", "`parameters.k.count` takes a whole number from 1 to 2000, not 2001"),
    ] {
        let said = said(&parameter(text));
        assert!(said.contains(wrong) && said.contains("job.toml:8:"), "{said}");
    }
    for (changes, wrong) in [
        (
            vec![(k, "k = { int = [1, 20] }\na = { int = [1, 2], count = 2000 }"), ("{seed}", "{a}")],
            "more than 2000 parameters",
        ),
        (vec![("generations = 3", "budget = 1.5")], "`search.budget` takes a whole number"),
        (vec![("[search]", "[game]\nname = \"gomoku\"\n\n[search]")], "a job has both [game] and [program]"),
        (
            vec![("seeds = \"0-39\"", "seeds = \"0-39\"\nstdin = \"\"")],
            "`program.stdin` takes a string, not an empty one",
        ),
        (vec![("{seed}\"", "{seed} a\\u0000b\"")], "`program.command`: a zero byte cannot be passed"),
        (
            vec![("seeds = \"0-39\"", "seeds = \"0-39\"\nenv = { \"\" = \"x\" }")],
            "`env.`: names have letters, digits and `_`",
        ),
        (
            vec![("seeds = \"0-39\"", "seeds = \"0-39\"\non_failure = 1e300")],
            "`on_failure`: it must lie within plus or minus 1e150",
        ),
        (vec![("[search]", "[scenarios]\nside = [\"a\\u0000\"]\n\n[search]")], "`side`: a zero byte cannot be passed"),
        (
            vec![("population = 4", "population = 10000"), ("trials = 3", "trials = 101")],
            "the maximum is 1000000 trials a generation",
        ),
        (vec![("population = 4", "population = 10001")], "`search.population` takes a whole number from 4 to 10000"),
        (
            vec![("validation = 30", "validation = 10000000")],
            "`search.validation` takes a whole number from 0 to 1000000",
        ),
        (vec![("name = \"first\"", &format!("name = \"{}\"", &long[..256]))], "a part is longer than 255 letters"),
        (vec![("k = {", &format!("{long} = {{")), ("{k}", "{seed}")], "is longer than 100 letters"),
    ] {
        let said = said(&changes);
        assert!(said.contains(wrong), "{said}");
    }
    // The command would wait for it.
    assert!(process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    let said = said(&[("seeds = \"0-39\"", "seeds = \"0-39\"\nsource = [\"pipe\"]")]);
    assert!(said.contains("pipe is not a file"), "{said}");
}

/// A choice has a coordinate for each name.
#[test]
fn spaces_with_too_many_dimensions_are_rejected() {
    let names: Vec<String> = (0..2001).map(|i| format!("\"{i}\"")).collect();
    let choice = format!("k = {{ choice = [{}] }}", names.join(", "));
    let folder = folder(&[("k = { int = [1, 20], start = 15 }", &choice)]);
    let said = folder.refuses(&["check", "job.toml"]);
    assert!(said.contains("the search would have 2001 dimensions"), "{said}");
    let array = "k = { float = [0, 1], count = 2000 }";
    write_job(
        &folder,
        "job.toml",
        &[("k = { int = [1, 20], start = 15 }", array), ("population = 4", "population = 2001")],
    );
    let said = folder.refuses(&["check", "job.toml"]);
    assert!(said.contains("the maximum in this space of 2000 dimensions is 2000"), "{said}");
}

#[test]
fn a_missing_list_of_inputs_is_reported() {
    let folder = folder(&[]);
    folder.does(&["run", "job.toml", "--quiet"]);
    let list = folder.path().join("results/first/inputs.txt");
    let before = fs::read(&list).unwrap();
    for damage in [|list: &Path| fs::remove_file(list), |list: &Path| fs::write(list, "")] {
        damage(&list).unwrap();
        let said = folder.refuses(&["run", "job.toml", "--resume", "--quiet"]);
        assert!(said.contains("inputs.txt: missing or empty") && said.contains("--allow-mismatch"), "{said}");
    }
    folder.does(&["run", "job.toml", "--resume", "--allow-mismatch", "--quiet"]);
    assert_eq!(fs::read(&list).unwrap(), before);
}

#[test]
fn a_read_only_source_is_not_replaced_and_a_running_program_is_not_disturbed() {
    let folder = folder(&[]);
    folder.does(&["run", "job.toml", "--quiet"]);
    let source = folder.path().join("source.sh");
    let marked = "#!/bin/sh\nk=15 # evolve: [1, 20]\n";
    fs::write(&source, marked).unwrap();
    fs::set_permissions(&source, Permissions::from_mode(0o444)).unwrap();
    let said = folder.refuses(&["export", "results/first", "--into", "source.sh"]);
    assert!(said.contains("this file is read-only"), "{said}");
    assert!(process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    assert!(folder.refuses(&["export", "results/first", "--into", "pipe"]).contains("pipe: not a file"));
    let said = folder.refuses(&["compare", "job.toml", "--trials", "4000000000"]);
    assert!(said.contains("is not in 2..=1000000"), "{said}");
    assert_eq!(fs::read_to_string(&source).unwrap(), marked);
    // The weights are the start's if no better ones were found.
    fs::set_permissions(&source, Permissions::from_mode(0o755)).unwrap();
    fs::write(&source, marked.replace("15", "1")).unwrap();
    folder.does(&["export", "results/first", "--into", "source.sh"]);
    assert_ne!(fs::read_to_string(&source).unwrap(), marked.replace("15", "1"));
    assert_eq!(fs::metadata(&source).unwrap().permissions().mode() & 0o777, 0o755);
}

/// A version changes a key of the job, not a line of its text.
#[test]
fn versions_compare_with_special_characters_in_the_job() {
    let score = "seeds = \"0-39\"\nscore = '''(?x)\nenv\\ =\\ 0 | \n[S]core\\ =\\ \n[-]?(?<score>\\d+)'''";
    let folder = folder(&[("seeds = \"0-39\"", score)]);
    let said = folder.does(&["compare", "job.toml", "new: sh solver.sh 7 {seed}", "--trials", "20"]);
    assert!(said.contains("new against job.toml: better"), "{said}");
    write_job(&folder, "log.toml", &[("seeds = \"0-39\"", &format!("{score}\nscale = \"log\""))]);
    let said = folder.refuses(&["compare", "job.toml", "log.toml"]);
    assert!(said.contains("job.toml and log.toml differ in `scale`"), "{said}");
}

#[test]
fn names_of_instances_are_not_spreadsheet_formulas() {
    let folder = folder(&[("seeds = \"0-39\"", "files = \"in/*\"\nstdin = \"{input}\""), ("{seed}", "1")]);
    fs::create_dir(folder.path().join("in")).unwrap();
    for i in 0..40 {
        folder.write(format!("in/=cmd|calc!A{i}"), i.to_string());
    }
    folder.does(&["run", "job.toml", "--quiet"]);
    let table = folder.result("trials.csv");
    assert!(table.contains(",'=cmd|calc!A") && !table.contains(",=cmd"), "{table}");
    folder.does(&["report", "results/first"]);
    let page = folder.result("report.html");
    assert!(page.contains("\"instance\":\"=cmd|calc!A"));
}

/// A signal would end the process without a message.
#[test]
fn a_file_above_the_size_limit_is_an_error_and_the_run_resumes() {
    let folder = folder(&[]);
    let evolve_path = assert_cmd::cargo::cargo_bin("evolve");
    let limited = format!("ulimit -f 4; exec {} run job.toml --quiet", evolve_path.display());
    let output = process::Command::new("sh").args(["-c", &limited]).current_dir(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some() && said.contains("File too large"), "{:?}: {said}", output.status);
    folder.does(&["run", "job.toml", "--resume", "--quiet"]);
}
