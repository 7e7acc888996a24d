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
    let none = features(&bench, &["--command", "echo {seed}", "--set", "program.files=none/*"]);
    assert!(String::from_utf8_lossy(&none.stderr).contains("no file matches `none/*`"), "{none:?}");
}
