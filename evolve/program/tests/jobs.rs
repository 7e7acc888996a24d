//! Tests of jobs that declare programs: their meaning, and their faults.

mod common;

use common::Place;
use evolve_core::job::{Catalogue, Job, ProblemKind};
use evolve_program::format::Format;
use evolve_program::{PROGRAM, Program};
use evolve_search::document::Document;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::Split;
use std::path::Path;
use std::sync::{Arc, Weak};

/// A job with all keys.
const FULL: &str = r#"
[program]
build   = "sh $DIR/build.sh"
command = "./solver --k {k} --temp {temp:.3} --move {move} {greedy:--greedy} --table {table} {opponent} {random}"
stdin   = "$DIR/in/{seed:04}.txt"
seeds   = "0-99"
score   = 'Score = (\d+) n=(?<n>\d+)'
goal    = "minimize"
scale   = "relative"
timeout = "5s"
on_failure = { default = "worst", wrong = "stop" }
env     = { MODE = "tune" }
group_by = ["n"]

[parameters]
k      = { int = [1, 20], start = 5 }
temp   = { float = [1e-3, 1e3], log = true, start = 10, prior = { normal = [30, 1.5] }, description = "the \"first\" temperature" }
move   = { choice = ["swap", "2opt", "insert"], start = "2opt" }
greedy = { bool = true, start = false }
table  = { float = [0, 1], count = 3, start = [0.0, 0.5, 1.0], condition = "move != 'swap'" }

[scenarios]
opponent  = ["./old", "it's \"new\""]
side      = [0, 1]
"#;

fn full() -> Place {
    let place = Place::new();
    for seed in 0..100 {
        place.file(&format!("in/{seed:04}.txt"), "1\n");
    }
    place
}

#[test]
fn a_written_job_is_read_as_the_same() {
    let place = full();
    let problem = place.read(FULL).unwrap_or_else(|fault| panic!("{fault}"));
    let parameters = problem.parameters();
    assert_eq!(parameters[0], Parameter::int("k", 1, 20, 5));
    let temp = Parameter::float("temp", 1e-3, 1e3, 10.0).log().prior(30.0, 1.5).meaning("the \"first\" temperature");
    assert_eq!(parameters[1], temp);
    assert_eq!(parameters[2], Parameter::choice("move", ["swap", "2opt", "insert"], 1));
    assert_eq!(parameters[3], Parameter::switch("greedy", false));
    let names: Vec<_> = parameters[4..].iter().map(|parameter| parameter.name.as_str()).collect();
    assert_eq!(names, ["table_0", "table_1", "table_2"]);
    assert_eq!(parameters[6].start, 1.0);
    assert_eq!(parameters[5].condition.as_ref().unwrap().text(), "move != 'swap'");
    assert_eq!(problem.name(), "solver");
    let sizes = [Split::Search, Split::Validation, Split::Selection, Split::Test];
    assert_eq!(sizes.map(|split| problem.instances(split).unwrap().len()), [50, 10, 10, 30]);

    let text = problem.to_toml();
    let again = place.read(&text).unwrap_or_else(|fault| panic!("{text}\n{fault}"));
    assert_eq!(again.to_toml(), text, "the written job is read as the same");
    assert_eq!(again.parameters(), parameters);
    assert!(again.is_same(&*problem));
}

/// `evolve watch` reads the jobs of all runs repeatedly.
#[test]
fn reading_a_job_starts_nothing_and_keeps_nothing() {
    let place = full();
    place.file("build.sh", "touch $DIR/built");
    let read = || Arc::downgrade(&place.read(FULL).unwrap());
    let read: Vec<Weak<dyn Problem>> = (0..1000).map(|_| read()).collect();
    assert!(read.iter().all(|problem| problem.strong_count() == 0));
    assert!(!place.path().join("built").exists());
}

#[test]
fn values_are_written_in_all_formats() {
    let place = full();
    let problem = place.read(FULL).unwrap();
    let program = Program::of(&*problem).unwrap();
    let values = [12.0, 13.9, 0.0, 1.0, 0.25, 0.5, 1.0];
    for (format, text) in [
        (Format::Args, "--k 12 --temp 13.900 --move swap --greedy --table 0.25,0.5,1.0\n"),
        (
            Format::C,
            "const int k = 12;\nconst double temp = 13.9;\nconst char *const move = \"swap\";\nconst bool greedy = \
                true;\n\
             const double table[3] = {0.25, 0.5, 1.0};\n",
        ),
        (
            Format::Rust,
            "pub const K: i64 = 12;\npub const TEMP: f64 = 13.9;\npub const MOVE: &str = \"swap\";\n\
             pub const GREEDY: bool = true;\npub const TABLE: [f64; 3] = [0.25, 0.5, 1.0];\n",
        ),
        (Format::Python, "k = 12\ntemp = 13.9\nmove = \"swap\"\ngreedy = True\ntable = [0.25, 0.5, 1.0]\n"),
    ] {
        assert_eq!(program.format(format, &values).unwrap(), text, "{format:?}");
    }
    let json = |values: &[f64]| -> serde_json::Value {
        serde_json::from_str(&program.format(Format::Json, values).unwrap()).unwrap()
    };
    assert_eq!(json(&values)["greedy"], true);
    assert!(json(&values).get("table").is_none(), "it is inactive");
    let [k, temp, _, rest @ ..] = values;
    assert_eq!(json(&[&[k, temp, 1.0][..], &rest].concat())["table"][0], 0.25);
}

#[test]
fn every_fault_is_reported_at_its_place() {
    let place = Place::new();
    place.file("solver.sh", "echo Score = 1");
    let right = r#"[program]
command = "sh $DIR/solver.sh {args}"
seeds = "0-99"
[parameters]
k = { int = [1, 20] }
"#;
    assert!(place.read(right).is_ok());
    for (old, new, said) in [
        (
            "seeds",
            "goal = \"small\"\nseeds",
            "job.toml:3:1: `program.goal` takes \"maximize\" or \"minimize\", not \"small\"",
        ),
        ("seeds", "timeoot = 5\nseeds", "job.toml:3:1: [program] has no key `timeoot`; did you mean `timeout`?"),
        ("command", "comand", "job.toml:2:1: [program] has no key `comand`; did you mean `command`?"),
        (
            "[1, 20]",
            "[1, nan]",
            "job.toml:5:7: `parameters.k.int` takes [smallest, largest], whole numbers within plus or minus 2^53, not \
             [1, nan]",
        ),
        (
            "[1, 20]",
            "[1, 9007199254740994]",
            "job.toml:5:7: `parameters.k.int` takes [smallest, largest], whole numbers within plus or minus 2^53, not \
             [1, 9007199254740994]",
        ),
        ("0-99", "9-0", "job.toml:3:1: write seeds as"),
        ("seeds", "score = 'Score = \\d+'\nseeds", "job.toml:3:1: `score`: the regular expression needs a group"),
        ("seeds", "on_failure = \"worst\"\nseeds", "job.toml:3:1: `on_failure`: this scale has no worst score"),
        (
            "seeds",
            "on_failure = { exit = 1, time = \"worst\" }\nseeds",
            "job.toml:3:26: `on_failure.time`: this scale has no worst",
        ),
        ("seeds", "on_failure = { exitt = 1 }\nseeds", "[program.on_failure] has no key `exitt`; did you mean `exit`?"),
        ("seeds", "on_failure = 1e200\nseeds", "it must lie within plus or minus 1e150"),
        ("seeds", "scale = { bset = \"x\" }\nseeds", "[program.scale] has no key `bset`; did you mean `best`?"),
        (
            "seeds",
            "scorer = \"'unbalanced\"\nseeds",
            "job.toml:3:1: `program.scorer`: the quotation mark ' has no partner",
        ),
        (
            "sh $DIR/solver.sh {args}",
            "sh $DIR/solver.sh {args} < in/{seed:04}.txt",
            "job.toml:2:1: `program.command`: `<` needs a shell, and commands run without one: for the input of `command`, set \
             `stdin = \"in/{seed:04}.txt\"` instead; otherwise write [\"sh\", \"-c\", ",
        ),
        (
            "seeds",
            "build = \"a && b\"\nseeds",
            "job.toml:3:1: `program.build`: `&&` needs a shell, and commands run without one: write [\"sh\", \"-c\", \"a && b\"]",
        ),
        ("seeds", "scorer = \"./s {output} | tail -1\"\nseeds", "job.toml:3:1: `program.scorer`: `|` needs a shell"),
        (
            "sh $DIR",
            "K=1 sh $DIR",
            "job.toml:2:1: `command`: no program `K=1`; set variables with `env = { K = \"1\" }`",
        ),
        ("seeds", "stdin = \"in/{seed\"\nseeds", "job.toml:3:1: `program.stdin`: unmatched brace in `in/{seed`"),
        ("seeds", "env = { K = \"{k\" }\nseeds", "job.toml:3:9: `program.env.K`: unmatched brace in `{k`"),
        ("seeds", "env = { \"A B\" = \"{k}\" }\nseeds", "job.toml:3:9: `env.A B`: names have letters"),
        ("seeds", "timeout = \"soon\"\nseeds", "job.toml:3:1: `program.timeout`: must be a duration such as"),
        ("[1, 20]", "[20, 1]", "job.toml:5:7: `k`: its range is empty: 20 is not below 1"),
        (
            "int = [1, 20]",
            "float = [1, 2], start = 3",
            "job.toml:5:23: `start` of `k` is 3, which is not a number from 1 to 2",
        ),
        ("int = [1, 20]", "float = [0, 2], log = true", "job.toml:5:7: `k`: the range of a logarithmic parameter"),
        (
            "int = [1, 20]",
            "choice = [\"a\", \"b\"], start = \"c\"",
            "`start` of `k` is \"c\", which is not one of \"a\", \"b\"",
        ),
        ("int = [1, 20]", "int = [1, 2], float = [1, 2]", "job.toml:5:1: `k` takes one of int, float, choice and bool"),
        (
            "int = [1, 20]",
            "int = [1, 2], condition = \"later == 1\"",
            "job.toml:5:21: `k.condition`: no parameter `later`",
        ),
        (
            "int = [1, 20]",
            "int = [1, 2], prior = { normal = [3, 1] }",
            "job.toml:5:21: `k.prior`: its mean is a number from 1 to 2, not 3",
        ),
        (
            "int = [1, 20]",
            "int = [1, 2], prior = { normal = [1, 0] }",
            "job.toml:5:21: `k.prior`: its standard deviation must be from",
        ),
        ("int = [1, 20]", "bool = true, prior = { normal = [0, 1] }", "`k.prior`: choices and switches have no prior"),
        ("int = [1, 20]", "int = [1, 2], prior = { normal = [1, 1], beta = 1 }", "has no key `beta`"),
        (
            "int = [1, 20]",
            "int = [1, 2], step = 0",
            "`parameters.k.step` takes a number above 0, for `int` a whole one, not 0",
        ),
        ("int = [1, 20]", "int = [1, 2], unit = 0", "`parameters.k.unit` takes a number above 0, not 0"),
        (
            "int = [1, 20]",
            "int = [1, 20], step = 2.5",
            "job.toml:5:22: `k.step`: a whole number has a whole step, not 2.5",
        ),
        (
            "int = [1, 20]",
            "int = [1, 20], step = 30",
            "`k.step`: a step of 30 leaves a single value from 1 to 20: it is at most 19",
        ),
        ("int = [1, 20]", "int = [1, 20], log = true, step = 2", "`k.step`: a logarithmic parameter has no step"),
        ("int = [1, 20]", "choice = [\"a\", \"b\"], step = 2", "`k.step`: choices and switches have no step"),
        ("int = [1, 20]", "bool = true, unit = 2", "`k.unit`: choices and switches have no unit"),
        (
            "int = [1, 20]",
            "float = [0.1, 0.95], step = 0.1, start = 0.35",
            "`start` of `k` is 0.35, which is not a number from 0.1 to 0.9 in steps of 0.1; the nearest are 0.3 and 0.4",
        ),
        (
            "int = [1, 20]",
            "float = [0.1, 0.95], step = 0.1, start = 0.95",
            "`start` of `k` is 0.95, which is not a number from 0.1 to 0.9 in steps of 0.1",
        ),
        (
            "int = [1, 20]",
            "int = [1, 20], step = 5, count = 2, start = [6, 8]",
            "`start` of `k` is [6,8], which is not a whole number from 1 to 16 in steps of 5; the nearest are 6 and 11",
        ),
        ("int = [1, 20]", "choice = []", "`parameters.k.choice` takes a list of two names or more, such as"),
        ("int = [1, 20]", "choice = [\"a\"]", "`parameters.k.choice` takes a list of two names or more, such as"),
        ("int = [1, 20]", "bool = false", "`parameters.k.bool` takes true, not false"),
        ("int = [1, 20]", "int = [1, 2], strat = 1", "[parameters.k] has no key `strat`; did you mean `start`?"),
        ("k = { int = [1, 20] }", "k = 5", "`parameters.k` takes a table, such as { int = [1, 20], start = 5 }, not 5"),
        (
            "k = { int = [1, 20] }",
            "k = 1979-05-27",
            "`parameters.k` takes a table, such as { int = [1, 20], start = 5 }, not 1979-05-27",
        ),
        ("k = {", "seed = {", "job.toml:5:1: `seed` is reserved"),
    ] {
        let job = right.replacen(old, new, 1);
        assert_ne!(job, right);
        let fault = place.read(&job).err().unwrap_or_else(|| panic!("{new} reads")).to_string();
        assert!(fault.contains(said), "{said}\n---\n{fault}");
        assert_eq!(fault.lines().count(), 1, "only one fault: {fault}");
    }
}

#[test]
fn inconsistencies_are_reported() {
    let place = Place::new();
    place.file("solver.sh", "echo Score = 1");
    let parameters =
        "[parameters]\nk = { int = [1, 20] }\ntemp = { float = [0, 1] }\ntable = { int = [0, 9], count = 2 }\n";
    for (program, said) in [
        ("command = \"sh $DIR/solver.sh {k} {tmep} {table}\"", "did you mean `{temp}`?"),
        (
            "command = \"sh $DIR/solver.sh {k} {table}\"",
            "job.toml:5:1: the parameter `temp` does not reach the program",
        ),
        ("command = \"sh $DIR/solver.sh {k} {temp} {table_0}\"", "the parameter `table` does not reach"),
        ("command = \"sh $DIR/solver.sh {args} {input}\"", "`{input}` needs instances that are files"),
        ("command = \"sh $DIR/solver.sh {args} {k:d}\"", "cannot be written in this format"),
        ("command = \"solver-that-is-not-there {args}\"", "no program `solver-that-is-not-there`"),
        ("command = \"sh $DIR/solver.sh {args} {seed}\"\nfiles = \"$DIR/*.sh\"\nsplit = false", "have a `{seed}`"),
        (
            "command = \"sh $DIR/solver.sh {args}\"\nseeds = \"0-9\"",
            "10 instances are too few to hold any out for the test: list at least 16",
        ),
        ("command = \"sh $DIR/solver.sh {args}\"\nfiles = \"$DIR/none/*.txt\"", "no file matches"),
        ("command = \"sh $DIR/solver.sh {args}\"\nfiles = [\"$DIR/*.sh\", \"$DIR/none/*.txt\"]", "none/*.txt`"),
        ("command = \"sh $DIR/solver.sh {args}\"\nfiles = []", "takes a string or a list of strings, not []"),
        ("command = \"sh $DIR/solver.sh {k}\"\nworker = true", "`{k}` is not allowed here"),
        ("command = \"sh $DIR/solver.sh {args}\"\nscale = { best = \"$DIR/none.csv\" }", "none.csv"),
        ("command = \"sh $DIR/solver.sh {args}\"\nseeds = \"1\"\nfiles = \"x\"", "either `seeds` or `files`"),
        ("command = \"sh $DIR/solver.sh {args}\"\nseeds = [1, 2]", "takes a string such as \"0-99\""),
        ("command = \"sh $DIR/solver.sh {args}\"\nseeds = \"0-3, 2\"", "the seed 2 is listed twice"),
        (
            "command = \"sh $DIR/solver.sh {args}\"\nenv = true",
            "`program.env` takes a table of strings with placeholders, not true",
        ),
        ("command = \"sh $DIR/solver.sh {args}\"\ngroup_by = [\"n\"]", "`group_by` is a list of metrics"),
        ("build = \"true\"", "[program] needs `command`"),
    ] {
        let fault = place.read(&format!("[program]\n{program}\n{parameters}")).err();
        let fault = fault.unwrap_or_else(|| panic!("{program} reads")).to_string();
        assert!(fault.contains(said), "{program}: {fault}");
    }
    let message = place.read("[program]\ncommand = \"sh $DIR/solver.sh\"\n").err().unwrap().to_string();
    assert!(message.contains("no parameters"), "{message}");
}

#[test]
fn a_test_without_instances_is_reported_at_its_key() {
    let place = Place::new();
    place.file("solver.sh", "echo Score = 1");
    let job = |skipped: usize| {
        place.job(&format!(
            "name = \"a\"\n[program]\ncommand = \"sh $DIR/solver.sh {{args}} {{seed}}\"\nseeds = \"0-99\"\nsplit = false\n\
             [parameters]\nk = {{ int = [1, 20] }}\n[search]\nbudget = 100\ntest_skips = {skipped}\n"
        ))
    };
    assert!(job(94).is_ok());
    let fault = job(95).err().unwrap().to_string();
    assert!(fault.starts_with("job.toml:10:1: `test_skips` leaves fewer than 6 instances"), "{fault}");
}

#[test]
fn byte_order_marks_are_skipped() {
    let place = Place::new();
    place.file("solver.sh", "\u{feff}K=5 # evolve: [1, 20]\n");
    place.file("best.csv", "\u{feff}0,3\n1,4\n");
    let job = "\u{feff}[program]\ncommand = \"sh $DIR/solver.sh {K} {seed}\"\nsource = \"$DIR/solver.sh\"\nseeds = \"0-1\"\n\
               split = false\nscale = { best = \"$DIR/best.csv\" }\n";
    let path = place.file("job.toml", &job.replace("\"$DIR/solver.sh\"", "[\"$DIR/solver.sh\"]"));
    let document = Document::read(&path).unwrap();
    let problem = Catalogue::new(&[]).declaring(&PROGRAM).problem(&document);
    let problem = problem.unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(problem.parameters()[0].name, "K");
}

#[test]
fn scores_of_a_table_are_whole_numbers_of_their_lines() {
    let place = Place::new();
    place.file("solver.sh", "");
    let job = "[program]\ncommand = \"sh $DIR/solver.sh {k} {seed}\"\nseeds = \"0-1\"\nsplit = false\n\
               scale = { best = \"$DIR/best.csv\" }\n[parameters]\nk = { int = [1, 20] }\n";
    for (table, said) in [
        ("0,3\n1,4\n", ""),
        ("instance,score\n0,3\n1,1e3\n", ""),
        ("0,1,234\n1,2,345\n", "best.csv: line 1 is not `instance,score`"),
        ("0,3\n1,4k\n", "best.csv: line 2 is not `instance,score`"),
        ("0,3\n1,\"1,234\"\n", "best.csv: line 2 is not `instance,score`"),
        ("0,3\n1,nan\n", "best.csv: line 2 is not `instance,score`"),
    ] {
        place.file("best.csv", table);
        let fault = place.read(job).err().map_or_else(String::new, |fault| fault.to_string());
        assert!(fault.contains(said) && fault.is_empty() == said.is_empty(), "{table}: {fault}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_files_that_are_not_utf_8_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    place.file("solver.sh", "");
    for number in 0..16 {
        place.file(&format!("in/{number}.txt"), &number.to_string());
    }
    let job = "[program]\ncommand = \"sh $DIR/solver.sh {k} {input}\"\nfiles = \"$DIR/in/*.txt\"\n\
               [parameters]\nk = { int = [1, 20] }\n";
    assert!(place.read(job).is_ok());
    std::fs::write(place.path().join(std::ffi::OsStr::from_bytes(b"in/caf\xe9.txt")), "").unwrap();
    let fault = place.read(job).err().unwrap().to_string();
    assert!(fault.starts_with("job.toml:3:1: `") && fault.contains("/in/*.txt` matches"), "{fault}");
    assert!(fault.contains(r#"caf\xe9.txt", whose name is not UTF-8"#), "{fault}");
}

#[test]
fn markers_in_the_source_declare_parameters() {
    let place = Place::new();
    place.file("solver.sh", "K=5 # evolve: [1, 20]\nMOVE='swap' # evolve: [\"swap\", \"2opt\"]\n");
    let job = "[program]\ncommand = \"sh $DIR/solver.sh {K} {MOVE} {extra}\"\nsource = [\"$DIR/solver.sh\"]\n\
               [parameters]\nextra = { float = [0, 1] }\n";
    let problem = place.read(job).unwrap_or_else(|fault| panic!("{fault}"));
    let names: Vec<_> = problem.parameters().into_iter().map(|parameter| parameter.name).collect();
    assert_eq!(names, ["K", "MOVE", "extra"]);
    assert_eq!(place.read(&problem.to_toml()).unwrap().parameters(), problem.parameters());

    place.file("solver.sh", "K=5\nL=50 # evolve: [1, 20]\nM=x # evolve: [1, 20]\n");
    let fault = place.read(job).err().unwrap().to_string();
    assert!(fault.contains("solver.sh:3"), "{fault}");
}

#[test]
fn every_key_has_a_meaning() {
    let schema = PROGRAM.schema();
    for place in ["/properties/program", "/properties/parameters/additionalProperties"] {
        let keys = schema.pointer(place).unwrap()["properties"].as_object().unwrap();
        assert!(keys.len() > 10);
        for (name, key) in keys {
            assert!(key["description"].as_str().is_some_and(|meaning| meaning.len() > 5), "{name}");
        }
    }
}

#[test]
fn the_sections_of_the_kind_are_those_of_its_schema() {
    let schema = PROGRAM.schema();
    let sections = schema.pointer("/properties").unwrap().as_object().unwrap();
    assert!(sections.len() == PROGRAM.sections().len());
    assert!(PROGRAM.sections().iter().all(|section| sections.contains_key(*section)), "{sections:?}");
}

#[test]
fn forbidden_combinations_are_checked_at_their_place() {
    let place = Place::new();
    place.file("solver.sh", "echo Score = 1");
    let job = |forbid: &str| {
        let text = format!(
            "name = \"a\"\n[program]\ncommand = \"sh $DIR/solver.sh {{args}} {{seed}}\"\nforbid = [\n  \"k == 3\",\n  \
             {forbid},\n]\n[parameters]\nk = {{ int = [1, 20], start = 5 }}\nmove = {{ choice = [\"swap\", \"2opt\"] }}\n\
             [search]\nbudget = 100\n"
        );
        place.job(&text)
    };
    let right = job("\"move == 'swap' && (k > 10 || k in [7, 8])\"").unwrap_or_else(|fault| panic!("{fault}"));
    assert!([[3.0, 1.0], [7.0, 0.0]].iter().all(|values| right.problem.check_values(values).is_err()));
    // The config of a run is read as the same job.
    let document = Document::new(Path::new("config.toml"), right.to_toml());
    let again = Job::parse(&document, &right.catalogue).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(again.space, right.space);
    for (forbid, said) in [
        ("\"K > 10\"", "job.toml:6:3: `forbid`: no parameter `K` is declared before"),
        ("\"k > 50\"", "job.toml:6:3: `forbid`: `k` takes a whole number from 1 to 20, not `50`"),
        ("\"move == 'or'\"", "job.toml:6:3: `forbid`: `move` takes one of \"swap\", \"2opt\", not `or`"),
        ("\"move == 'swap' && k\"", "job.toml:6:3: `forbid`: `k` is not a comparison"),
        ("\"k >= 5\"", "job.toml:4:1: the baseline is forbidden by \"k >= 5\": `k` is 5"),
        (
            "\"k != 5\", \"move == '2opt'\"",
            "job.toml:4:1: besides the baseline, none of 10000 candidates drawn from the whole space is allowed",
        ),
        ("5", "`program.forbid"),
    ] {
        let fault = job(forbid).err().unwrap_or_else(|| panic!("{forbid} reads")).to_string();
        assert!(fault.contains(said), "{said}\n---\n{fault}");
        assert_eq!(fault.lines().count(), 1, "only one fault: {fault}");
    }
}
