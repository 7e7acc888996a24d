//! Parameters that follow features of instances, from a job to code in a source.

use crate::shared::Bench;
use std::fs;
use std::process::Command;

/// The best `k` is a fifth of the input's first number, and `w` the best in each kind.
const SOLVER: &str = "#!/bin/sh\nread n kind id\ncase $kind in a) b=5;; b) b=10;; *) b=15;; esac\nd=$(( $1 * 5 - n ))\n\
                      e=$(( $2 - b ))\necho Score = $(( 20000 - d * d - 40 * e * e ))\n";

const JOB: &str = r#"name = "followed"
[program]
command = "sh solver.sh {k} {w}"
stdin = "in/{seed}.txt"
seeds = "0-59"
features = { n = 1, kind = 2 }
[parameters]
k = { int = [1, 20], start = 3, by = ["n"] }
w = { int = [1, 20], start = 3, by = ["kind"] }
[search]
budget = 240
"#;

fn folder() -> Bench {
    let folder = Bench::with_solver(JOB, SOLVER);
    for seed in 0..60_u64 {
        folder.write(
            format!("in/{seed}.txt"),
            format!("{} {} {seed}\n", 10 + seed * 37 % 91, ["a", "b", "c"][seed as usize % 3]),
        );
    }
    folder
}

#[test]
fn a_function_of_features_is_found_tested_and_written_as_code() {
    let folder = folder();
    folder.run(&[]);
    let values = folder.read("results/followed/recommendation.toml");
    let value = |name: &str| -> f64 {
        let line = values.lines().find(|line| line.starts_with(&format!("{name} = ")));
        line.unwrap_or_else(|| panic!("{values}")).split(" = ").nth(1).unwrap().parse().unwrap()
    };
    // The best is 18 more over the range of 19.
    assert!(value("\"k:n\"") > 0.4, "{values}");
    assert!(value("\"w:kind=a\"") < value("\"w:kind=c\""), "{values}");
    assert!(values.contains("improvement = true"), "{values}");
    let job = folder.read("results/followed/config.toml");
    assert!(job.contains("by = { n = [10.0, ") && job.contains("by = { kind = [\"a\", \"b\", \"c\"] }"), "{job}");

    // What reads a run to look knows the features as well, once it plays.
    let worth = folder.does(&["explain", "results/followed", "--trials", "20"]);
    let of_n = worth.lines().find(|line| line.contains("k by n")).unwrap_or_else(|| panic!("{worth}"));
    let number = of_n.split_whitespace().nth(4).and_then(|text| text.replace(',', "").parse::<f64>().ok());
    assert!(number.is_some_and(|worth| worth > 100.0), "{worth}");
    let code = folder.does(&["export", "results/followed", "--format", "c"]);
    assert!(code.contains("static inline int k(double n) { return (int) fmin(fmax(floor("), "{code}");
    assert!(code.contains("static inline int w(const char *kind) { return (strcmp(kind, \"a\") == 0 ? "), "{code}");
    let refused = folder.refuses(&["export", "results/followed", "--format", "args"]);
    assert!(refused.contains("`k` follows n: use --format c, rust or python, or --into"), "{refused}");

    let source = |head: &str, inside: &str| {
        format!(
            "#include <bits/stdc++.h>\nusing namespace std;\n{head}int main() {{\n    int n; string kind;\n    cin >> n >> kind;\n{inside}    \
             cout << k << ' ' << w << endl;\n}}\n"
        )
    };
    let k = "    int k = 3; // evolve: [1, 20] by n=n\n";
    let w = "    int w = 3; // evolve: [1, 20] by kind=kind\n";
    folder.write("main.cpp", source("", &format!("{k}{w}")));
    folder.does(&["export", "results/followed", "--into", "main.cpp"]);
    let written = folder.read("main.cpp");
    let built = Command::new("g++").args(["-o", "main", "main.cpp"]).current_dir(folder.path()).output().unwrap();
    assert!(built.status.success(), "{written}\n{}", String::from_utf8_lossy(&built.stderr));
    // The source has the values of the trials in the test.
    let table = folder.read("results/followed/trials.csv");
    let names: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let cell = |row: &str, name: &str| -> String {
        row.split(',').nth(names.iter().position(|own| *own == name).unwrap()).unwrap().to_string()
    };
    let is_tuned = |row: &&str| cell(row, "stage") == "test" && cell(row, "value.k:n") != "0.0";
    let mut compared = 0;
    for row in table.lines().skip(1).filter(is_tuned) {
        let input = folder.read(format!("in/{}.txt", cell(row, "instance")));
        let run = format!("echo '{}' | ./main", input.trim());
        let output = Command::new("sh").args(["-c", &run]).current_dir(folder.path()).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let numbers: Vec<i64> = printed.split_whitespace().map(|number| number.parse().unwrap()).collect();
        let (n, kind) = input.split_once(' ').unwrap();
        let best = 5 * (1 + i64::from(kind.as_bytes()[0] - b'a'));
        let (d, e) = (numbers[0] * 5 - n.parse::<i64>().unwrap(), numbers[1] - best);
        assert_eq!(cell(row, "score"), (20_000 - d * d - 40 * e * e).to_string(), "{row}: {printed}");
        compared += 1;
    }
    assert!(compared >= 6, "{table}");

    // Where the feature is not known, or has no name, the source says so.
    folder.write("main.cpp", source("const int k = 3; // evolve: [1, 20] by n=n\n", w));
    let refused = folder.refuses(&["export", "results/followed", "--into", "main.cpp"]);
    assert!(
        refused.contains("`k` follows features, which are not known here: move its line into a function"),
        "{refused}"
    );
    folder.write("main.cpp", source("", &format!("    int k = 3; // evolve: [1, 20]\n{w}")));
    let refused = folder.refuses(&["export", "results/followed", "--into", "main.cpp"]);
    assert!(refused.contains("`k`: it follows n: say where the source has it"), "{refused}");
}

/// A run that is interrupted in its search, with the functions of features that the whole one
/// finds.
#[cfg(unix)]
#[test]
fn a_resumed_run_finds_the_same_functions() {
    let folder = || {
        let folder = folder();
        folder.write("solver.sh", format!("echo x >> log\n{SOLVER}{}", crate::shared::HOLD));
        // Of many different numbers, ranges are the groups, whose names have blanks.
        let job =
            JOB.replace("budget = 240", "budget = 120").replace("[parameters]", "group_by = [\"n\"]\n[parameters]");
        folder.write("job.toml", job);
        folder
    };
    let (whole, parts) = (folder(), folder());
    whole.run(&["--parallel", "2", "--no-report"]);
    for trials in [20, 30] {
        parts.hold_after(trials);
        let more: &[&str] = if trials == 20 { &[] } else { &["--resume"] };
        parts.interrupt(parts.spawn(&[&["run", "job.toml", "--no-report"], more].concat()));
    }
    parts.run(&["--resume", "--no-report"]);
    let read = |folder: &Bench| {
        ["trials.csv", "recommendation.toml"].map(|name| folder.read(format!("results/followed/{name}")))
    };
    assert!(read(&whole)[0].contains("value.k:n"), "{}", read(&whole)[0]);
    assert!(read(&whole)[0].contains(r"n=10\ to\ "), "{}", read(&whole)[0]);
    assert!(read(&whole)[1].contains("n = 10 to "), "{}", read(&whole)[1]);
    assert_eq!(read(&parts), read(&whole));
}

#[test]
fn features_that_cannot_be_followed_are_named() {
    let folder = folder();
    for (old, new, message) in [
        ("by = [\"n\"]", "by = [\"m\"]", "job.toml:8:33: `k.by`: there is no feature `m`; the features are n, kind"),
        (
            "features = { n = 1, kind = 2 }",
            "",
            "`k.by`: there is no feature `n`: declare it in `features` of [program]",
        ),
        (
            "int = [1, 20], start = 3, by = [\"n\"]",
            "choice = [\"1\", \"2\"], by = [\"n\"]",
            "choices, switches and arrays follow no features",
        ),
        ("by = [\"n\"]", "by = { n = [5, 5] }", "`k.by`: `n` takes [smallest, largest], or up to 50 groups"),
        (
            "by = [\"kind\"]",
            "condition = \"k > 5\"",
            "`w.condition`: `k` follows features, so its value differs between instances",
        ),
    ] {
        let job = JOB.replace(old, new);
        fs::write(folder.path().join("job.toml"), job).unwrap();
        let refused = folder.refuses(&["check", "job.toml"]);
        assert!(refused.contains(message), "{refused}");
    }
}

/// A table by groups in C++, as it is written for a contest, with values of its own at the start.
#[test]
fn a_list_indexed_by_a_feature_is_tuned_and_written_back() {
    let source = "#include <bits/stdc++.h>\nusing namespace std;\nconstexpr int X[4] = {4, 12, 12, 12}; // evolve: [1, 20] by \
                  k=K-2\nint param(const char* name, int value) {\n    const char* set = getenv(name);\n    return set ? atoi(set) : \
                  value;\n}\nint main() {\n    int K, n;\n    cin >> K >> n;\n    int x = param(\"EVOLVE_X\", X[K - 2]);\n    int best \
                  = K == 2 ? 15 : K == 3 ? 6 : 10;\n    cout << \"Score = \" << 1000 - 5 * (x - best) * (x - best) + n << endl;\n}\n";
    let job = "name = \"first\"\n[program]\nbuild = \"g++ -O1 -o main main.cpp\"\nsource = [\"main.cpp\"]\ncommand = \
               \"./main\"\nstdin = \"in/{seed}.txt\"\nseeds = \"0-59\"\nfeatures = { k = 1 }\n[search]\nbudget = 200\n";
    let folder = Bench::empty();
    folder.write("job.toml", job);
    folder.write("main.cpp", source);
    (0..60_u64).for_each(|seed| folder.write(format!("in/{seed}.txt"), format!("{} {seed}\n", 2 + seed % 3)));
    let scores = |folder: &Bench| -> Vec<i64> {
        let run = |seed: u64| {
            let output = folder.shell("", &format!("./main < in/{seed}.txt"));
            let printed = String::from_utf8(output.stdout).unwrap();
            printed.trim().strip_prefix("Score = ").unwrap().parse::<i64>().unwrap()
        };
        (0..3).map(run).collect()
    };
    folder.run(&["--no-report"]);
    let config = folder.read("results/first/config.toml");
    assert!(config.contains("by = { k = { 2 = 4, 3 = 12, 4 = 12 } }"), "{config}");
    // The baseline plays the values in the source.
    let built = || {
        let built = Command::new("g++").args(["-o", "main", "main.cpp"]).current_dir(folder.path()).output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    };
    built();
    assert_eq!(scores(&folder), [1000 - 5 * 121, 1001 - 5 * 36, 1002 - 5 * 4]);
    let rows = folder.cells(["stage", "instance", "score", "value.X", "value.X:k=2"]).into_iter();
    let of_start = rows.filter(|[stage, .., x, of_two]| stage == "test" && x == "12" && of_two.starts_with("-0.4210"));
    let number = |text: &str| text.parse::<i64>().unwrap();
    let losses: Vec<i64> = of_start.map(|[_, n, score, ..]| 1000 + number(&n) - number(&score)).collect();
    assert!(!losses.is_empty() && losses.iter().all(|loss| [5 * 121, 5 * 36, 5 * 4].contains(loss)), "{losses:?}");

    folder.does(&["export", "results/first", "--into", "main.cpp"]);
    let written = folder.read("main.cpp");
    let line = written.lines().find(|line| line.contains("evolve:")).unwrap();
    assert!(
        line.starts_with("constexpr int X[4] = {") && line.ends_with(", 12}; // evolve: [1, 20] by k=K-2"),
        "{line}"
    );
    built();
    let tuned = scores(&folder);
    assert!(tuned.iter().zip([1000, 1001, 1002]).all(|(score, best)| best - score <= 5 * 4), "{tuned:?} {line}");

    // Every group of an instance needs an element.
    folder.write("in/7.txt", "9 7\n");
    let refused = folder.refuses(&["check", "job.toml"]);
    assert!(refused.contains("`X.by`: `k` is 9 on an instance, and there are values for 2, 3, 4, 5"), "{refused}");
}
