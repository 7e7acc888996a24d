//! Tables of features that `evolve features` writes.

use crate::shared::Bench;
use std::process::Output;

const JOB: &str = r#"name = "first"

[program]
command  = "sh solver.sh {input} {k}"
files    = "in/*.txt"
metrics  = ["edges"]
features = "features.csv"
group_by = ["kind"]

[parameters]
k = { int = [1, 40], start = 35, by = ["density"] }

[search]
budget = 60
"#;

/// A job whose table is missing, and twenty inputs of one number.
fn bench() -> Bench {
    let bench = Bench::new(JOB);
    (1..=20).for_each(|i| bench.write(format!("in/{i:02}.txt"), format!("{}\n", 5 * i)));
    bench.write("solver.sh", "read n < $1\necho edges: $((3 * n))\necho Score = $((n - ($2 - 13) * ($2 - 13)))\n");
    bench.write(
        "density.sh",
        "read n\necho $n >> played\necho density = $n\n[ $n -gt 50 ] && echo kind: big || echo kind: small\n",
    );
    bench
}

fn features(bench: &Bench, words: &[&str]) -> Output {
    bench.evolve(&[&["features", "job.toml"], words].concat()).output().unwrap()
}

#[test]
fn a_command_or_metrics_make_the_table_that_the_job_names() {
    let bench = bench();
    let checked = bench.evolve(&["check", "job.toml"]).output().unwrap();
    assert!(String::from_utf8_lossy(&checked.stderr).contains("`features`: features.csv: "));
    let made = features(&bench, &["--command", "sh density.sh"]);
    assert!(made.status.success(), "{made:?}");
    assert!(String::from_utf8_lossy(&made.stdout).starts_with("features.csv: density, kind of 20 instances\n"));
    let table = bench.read("features.csv");
    assert_eq!(table.lines().take(3).collect::<Vec<_>>(), ["instance,density,kind", "01,5,small", "02,10,small"]);
    assert!(table.ends_with("\n20,100,big\n") && bench.read("played").lines().count() == 20);
    // Looking at the job starts nothing, and playing it reads the table.
    bench.evolve(&["run", "job.toml"]).assert().success();
    assert_eq!(bench.read("played").lines().count(), 20);
    let rows = bench.read("results/first/trials.csv");
    assert!(rows.contains("edges=15") && rows.contains("kind=small"), "{rows}");
    let made = features(&bench, &["--metrics", "edges", "--output", "edges.csv"]);
    assert!(made.status.success(), "{made:?}");
    assert!(bench.read("edges.csv").starts_with("instance,edges\n01,15\n02,30\n"));
}

#[test]
fn a_table_is_whole_or_not_written() {
    let bench = bench();
    bench.write("some.sh", "read n\n[ $n != 35 ] || exit 3\necho n = $n\n");
    bench.write("other.sh", "read n\n[ $n != 35 ] || echo k = 1\necho n = $n\n");
    for (words, status, said) in [
        (["--command", "sh some.sh"], 1, "instance 07: sh ended with exit status: 3"),
        (["--command", "sh other.sh"], 1, "instance 07 has the features k, n, but 01 has n"),
        (
            ["--command", "echo {instance}"],
            1,
            "instance 01: echo printed no feature, such as `density = 0.3`, but `01`",
        ),
        (["--command", "nothing-there {seed}"], 1, "instance 01: nothing-there cannot be started: "),
        (
            ["--command", "echo {k}"],
            2,
            "job.toml: `{k}` has no value before a trial; use {input}, {instance} or {seed}",
        ),
        (["--command", "echo a | cat"], 2, "job.toml: "),
        (["--metrics", "edges,n"], 2, "no metric `n`; the metrics are edges"),
    ] {
        let made = features(&bench, &words);
        let errors = String::from_utf8_lossy(&made.stderr).into_owned();
        assert!(made.status.code() == Some(status) && errors.contains(said), "{words:?}: {errors}");
        assert!(!bench.path().join("features.csv").exists(), "{words:?}");
    }
    // Not every instance prints the metric.
    bench.write("solver.sh", "read n < $1\n[ $n = 35 ] || echo edges: $n\necho Score = $2\n");
    let (_, errors) = bench.texts(&["features", "job.toml", "--metrics", "edges"], 1);
    assert!(errors.contains("instance 07: the output has no number `edges`"), "{errors}");
    let none = features(&bench, &["--command", "echo {seed}", "--set", "program.files=none/*"]);
    assert!(String::from_utf8_lossy(&none.stderr).contains("no file matches `none/*`"), "{none:?}");
}

/// Jobs whose features, or parameters that follow them, mean nothing are refused where they are
/// read.
#[test]
fn features_without_a_meaning_are_refused() {
    let bench = Bench::empty();
    let all: Vec<String> = (1..=20).map(|i| i.to_string()).collect();
    let numbers = all.join(", ");
    let words = format!("\"a\", {}", ["\"b\""; 19].join(", "));
    let table = |names: &str| format!("{names}\n{}", all.iter().map(|i| format!("{i},{i},1\n")).collect::<String>());
    bench.write("twice.csv", table("instance,n,n"));
    bench.write("nameless.csv", table("instance,n,"));
    bench.write("control.csv", table("instance,n,k").replace("\n7,7,", "\n7,\u{1b}[31mred,"));
    bench.write("huge.csv", table("instance,n,k").replace("\n7,7,", "\n7,1e200,"));
    let job = |program: &str, by: &str| {
        format!(
            "name = \"first\"\n[program]\ncommand = \"echo Score = {{k}}\"\n{program}\n[parameters]\n\
             k = {{ int = [1, 20], start = 5{by} }}\n[search]\nbudget = 60\n"
        )
    };
    let seeds = "seeds = \"1-20\"\n";
    let n = format!("{seeds}features = {{ n = [{numbers}] }}");
    for (program, by, said) in [
        (n.clone(), ", by = { n = [1, inf] }", "`n` takes [smallest, largest]"),
        (n.clone(), ", by = { n = [nan, 10] }", "`n` takes [smallest, largest]"),
        (n.clone(), ", by = { n = [\"1\", \"1\"] }", "groups, each once"),
        (n.clone(), ", by = { m = [1, 10] }", "there is no feature `m`"),
        (format!("{n}\nforbid = [\"k > 10\"]"), ", by = [\"n\"]", "`forbid`: `k` follows features"),
        (format!("{seeds}features = {{ n = [{words}] }}"), ", by = { n = [1, 10] }", "`n` is a word"),
        (format!("{seeds}features = \"twice.csv\""), "", "`n`: each feature needs a name of its own"),
        (format!("{seeds}features = \"nameless.csv\""), "", "``: each feature needs a name of its own"),
        (format!("{seeds}features = \"control.csv\""), "", "has a control character"),
        (format!("{seeds}features = \"huge.csv\""), "", "is too large"),
        (format!("{seeds}features = {{ instance = [{numbers}] }}"), "", "`instance`: each feature needs a name"),
        (format!("{seeds}metrics = [\"instance\"]"), "", "a metric named `instance`"),
        ("features = { n = [1, 2, 3] }".to_string(), "", "`features` describes listed instances"),
        ("seeds = \"18446744073709551590-18446744073709551610\"".to_string(), "", "below 2^63"),
    ] {
        bench.write("job.toml", job(&program, by));
        let (_, errors) = bench.texts(&["check", "job.toml"], 2);
        assert!(errors.contains(said), "{program} {by}: {errors}");
    }
    bench.write("solver.py", "n = 1\nk = 5  # evolve: [1, 20] by n=n m=m\nprint('Score =', k)\n");
    let marked =
        format!("name = \"first\"\n[program]\ncommand = \"python3 solver.py\"\nsource = [\"solver.py\"]\n{n}\n");
    bench.write("job.toml", marked + "[search]\nbudget = 60\n");
    let (_, errors) = bench.texts(&["check", "job.toml"], 2);
    assert!(errors.contains("solver.py:2:"), "{errors}");
}

/// A coefficient is a share of the feature's range, so a run after another one keeps the range.
#[test]
fn a_run_after_another_has_the_same_functions() {
    let bench = Bench::empty();
    let job = |last: u32, by: &str| {
        let numbers: Vec<String> = (1..=last).map(|i| (i * i).to_string()).collect();
        format!(
            "name = \"first\"\n[program]\ncommand = \"sh solver.sh {{k}} {{seed}}\"\nseeds = \"1-{last}\"\n\
             features = {{ n = [{}] }}\n[parameters]\nk = {{ float = [1, 20], start = 5, by = {by} }}\n[search]\nbudget = 60\n",
            numbers.join(", ")
        )
    };
    bench.write("solver.sh", "awk -v k=$1 -v s=$2 'BEGIN { print \"Score = \" 1000 - (k - s / 2) ^ 2 }'\n");
    bench.write("job.toml", job(20, "[\"n\"]"));
    bench.run(&[]);
    bench.write("job.toml", job(30, "[\"n\"]"));
    let (_, errors) = bench.texts(&["run", "job.toml", "--after", "results/first"], 2);
    assert!(errors.contains("write by = { n = [1.0, 400.0] }"), "{errors}");
    bench.write("job.toml", job(30, "{ n = [1.0, 400.0] }"));
    bench.run(&["--after", "results/first"]);
    // Another list has other instances in the search.
    let rows = bench.read("results/first/trials.csv");
    let row = rows.lines().skip(1).find(|row| row.contains(",search,")).unwrap();
    let number = row.split(',').next().unwrap();
    bench.does(&["repeat", "first", number]);
    let (_, errors) = bench.texts(&["repeat", "first", number, "--set", "program.seeds=101-120"], 2);
    assert!(errors.contains("the list of instances has changed: "), "{errors}");
}
