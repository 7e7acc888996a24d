//! Grids: every value that is played, written, exported and put back is `low + k * step`.

use crate::shared::Bench;
use std::collections::BTreeSet;

/// The best candidate is 0.7 and 51. The program logs what it plays.
const SOLVER: &str = "X=0.3 # evolve: [0.1, 0.95] step 0.1\nX=$1\necho \"$1 $2 $4\" >> log\n\
                      echo $1 $2 $3 $4 | awk '{ print \"Score = \" 10 * ($1 > 0.68 ? 0.68 - $1 : $1 - 0.68) - ($2 > 51 ? $2 - 51 : 51 - $2) / 25 \\\n\
                      + 3 * ($4 > 0.2 ? 0 : 1) + $3 * 37 % 50 / 20 }'\n";

const JOB: &str = r#"name = "first"

[program]
command = "sh solver.sh {X} {k} {seed} {deep}"
source = ["solver.sh"]
seeds = "0-199"

[parameters]
k    = { int = [1, 100], step = 25, start = 26 }
deep = { float = [-0.3, 0.3], step = 0.1, start = 0.3, condition = "k > 1", unit = 0.05 }

[search]
budget = 250
"#;

const METHODS: [&str; 2] = ["optimizer = \"auto\"", "optimizer = \"genetic\"\npopulation = 8\ntrials = 2\nelites = 2"];

fn job(method: &str) -> String {
    JOB.replace("budget", &format!("{method}\nbudget"))
}

/// Checks a row of values.
fn assert_on_grid(x: &str, k: &str, deep: &str) {
    let tenths: Vec<String> = (1..=9).map(|tenth| format!("0.{tenth}")).collect();
    assert!(tenths.iter().any(|tenth| tenth == x), "{x}");
    assert!(["1", "26", "51", "76"].contains(&k), "{k}");
    assert!(["-0.3", "-0.2", "-0.1", "0", "0.0", "0.1", "0.2", "0.3"].contains(&deep), "{deep}");
}

/// Checks the cells below the headers that begin with `prefix` in a table, and returns their
/// number.
fn assert_table(text: &str, prefix: &str) -> usize {
    let mut rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let place = |name: &str| header.iter().position(|column| *column == format!("{prefix}{name}")).unwrap();
    let [x, k, deep] = ["X", "k", "deep"].map(place);
    // An inactive parameter has an empty cell.
    let shown = |cell: &str| if cell.is_empty() { "0.3".to_string() } else { cell.to_string() };
    rows.map(|row| assert_on_grid(row[x], row[k], &shown(row[deep]))).count()
}

#[test]
fn every_value_of_a_run_is_on_its_grid() {
    for method in METHODS {
        let bench = Bench::with_solver(&job(method), SOLVER);
        bench.run(&["--quiet"]);
        for line in bench.read("log").lines() {
            let values: Vec<&str> = line.split(' ').collect();
            assert_on_grid(values[0], values[1], values[2]);
        }
        assert!(assert_table(&bench.result("trials.csv"), "value.") > 100);
        for prefix in ["weight.", "mean."] {
            assert!(assert_table(&bench.result("generations.csv"), prefix) > 2);
        }
        let recommended = bench.result("recommendation.toml");
        let value = |name: &str| {
            let values = recommended.split_once("\n[weights]\n").unwrap().1;
            let found = values.lines().find_map(|line| line.strip_prefix(&format!("{name} = ")));
            found.unwrap_or_else(|| panic!("no {name}: {recommended}")).to_string()
        };
        let [x, k, deep] = ["X", "k", "deep"].map(value);
        assert_on_grid(&x, &k, &deep);
        assert!((&x[..], &k[..]) == ("0.7", "51") || method.contains("genetic"), "{recommended}");
        let exported = bench.does(&["export", "results/first", "--format", "args"]);
        assert!(exported.contains(&format!("{x} {k}")), "{exported}");
        bench.does(&["export", "results/first", "--into", "solver.sh"]);
        let marked = format!("X={x} # evolve: [0.1, 0.95] step 0.1\n");
        assert!(bench.read("solver.sh").starts_with(&marked), "{}", bench.read("solver.sh"));
        // The job of the run has the same grid.
        let config = bench.result("config.toml");
        assert!(config.contains("float = [0.1, 0.9]") && config.contains("step = 0.1"), "{config}");
        bench.does(&["explain", "results/first", "--trials", "20"]);
        bench.does(&["check", "job.toml", "--trials", "5"]);
        for line in bench.read("log").lines() {
            let values: Vec<&str> = line.split(' ').collect();
            assert_on_grid(values[0], values[1], values[2]);
        }
    }
}

#[test]
#[cfg(unix)]
fn a_run_on_a_grid_resumes_with_the_same_bytes() {
    for method in METHODS {
        let [whole, stopped] = [(); 2].map(|()| Bench::with_solver(&job(method), SOLVER));
        whole.run(&["--quiet"]);
        stopped.hold_after(60);
        let run = stopped.spawn(&["run", "job.toml", "--parallel", "2"]);
        let (status, said) = stopped.interrupt(run);
        assert_eq!(status.code(), Some(130), "{said}");
        stopped.run(&["--quiet", "--resume"]);
        stopped.assert_same(&whole, &["generations.csv", "recommendation.toml", "validation.csv"]);
    }
}

/// Trials of an earlier search without a grid count at the nearest value.
#[test]
fn a_run_on_a_grid_learns_from_one_without() {
    let plain = job(METHODS[0]).replace("step = 25, ", "").replace("step = 0.1, ", "");
    let bench = Bench::with_solver(&plain, &SOLVER.replace(" step 0.1", ""));
    bench.run(&["--quiet"]);
    let is_free = |line: &str| !["1", "26", "51", "76"].contains(&line.split(' ').nth(1).unwrap());
    assert!(bench.read("log").lines().any(is_free), "nothing to round");
    std::fs::remove_file(bench.path().join("log")).unwrap();
    bench.write("solver.sh", format!("{SOLVER}{}", crate::shared::HOLD));
    bench.write("job.toml", job(METHODS[0]).replace("\"first\"", "\"second\"") + "learn_from = [\"results/first\"]\n");
    let said = bench.texts(&["run", "job.toml"], 0).1;
    assert!(said.contains("learned: "), "{said}");
    assert!(assert_table(&bench.read("results/second/learned.csv"), "value.") > 50);
    assert!(!bench.read("log").lines().any(is_free));
}

#[test]
fn values_beside_a_grid_are_errors() {
    let bench = Bench::with_solver(&job(METHODS[0]), SOLVER);
    let refuses = |args: &[&str], said: &str| {
        let printed = bench.texts(args, 2).1;
        assert!(printed.contains(said), "{args:?}: {printed}");
    };
    let k = "a whole number from 1 to 76 in steps of 25";
    let near = format!("{k}; the nearest are 26 and 51");
    refuses(
        &["check", "job.toml", "--set", "parameters.k.start=30"],
        &format!("`start` of `k` is 30, which is not {near}"),
    );
    refuses(
        &["check", "job.toml", "--set", "weights.values.k=30"],
        &format!("`weights.values.k` takes {near}, not 30"),
    );
    refuses(&["check", "job.toml", "--set", "weights.ranges.k=[1, 50]"], &format!("[smallest, largest], each {k}"));
    let sources = [("X=0.3", "X=0.35", "the nearest are 0.3 and 0.4"), ("step 0.1", "step 1", "leaves a single value")];
    for (old, new, said) in sources {
        bench.write("solver.sh", SOLVER.replace(old, new));
        refuses(&["check", "job.toml"], said);
    }
    bench.write("solver.sh", SOLVER);
    // A narrower range keeps the grid.
    bench.run(&["--quiet", "--set", "weights.ranges.X=[0.2, 0.4]", "--set", "search.test=0"]);
    let played: BTreeSet<String> =
        bench.read("log").lines().map(|line| line.split(' ').next().unwrap().to_string()).collect();
    assert_eq!(played.iter().map(String::as_str).collect::<Vec<_>>(), ["0.2", "0.3", "0.4"]);
}
