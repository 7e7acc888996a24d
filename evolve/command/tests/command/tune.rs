//! `evolve tune`: from a source with constants to one with tuned values, by one command.

use crate::shared::Bench;
use std::fs;

/// A solver of the inputs in the folder `in`. Its score is highest at K = 17.
const SOLVER: &str = "\
import sys
K = 30
RATE = 0.5
size = int(sys.stdin.readline())
print('Score =', 9000 - (K - 17) ** 2 - 100 * (RATE - 0.25) ** 2 - size)
";

fn place(solver: &str) -> Bench {
    let bench = Bench::empty();
    bench.write("main.py", solver);
    (0..60).for_each(|i| bench.write(format!("in/{i:04}.txt"), format!("{}\n", 100 + i)));
    bench
}

/// Returns the number behind a name in the source.
fn value(source: &str, name: &str) -> f64 {
    let line = source.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {source}"));
    let numbers = line.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-');
    numbers.filter_map(|word| word.parse().ok()).next().unwrap_or_else(|| panic!("{line}"))
}

#[test]
fn one_command_tunes_the_constants_of_a_source() {
    let bench = place(SOLVER);
    // Without a terminal and without a yes, nothing changes.
    let (shown, said) = bench.texts(&["tune", "main.py"], 2);
    assert!(shown.contains("K") && said.contains("--yes marks the constants above"), "{shown}{said}");
    assert_eq!(bench.read("main.py"), SOLVER);
    assert!(!bench.path().join("job.toml").exists());
    let (shown, said) = bench.texts(&["tune", "main.py", "--yes", "--budget", "120"], 0);
    for command in
        ["$ evolve init --output job.toml main.py --suggest --yes", "$ evolve check job.toml", "$ evolve run job.toml"]
    {
        assert!(said.contains(command), "{command}: {said}");
    }
    let tuned = bench.read("main.py");
    assert!(said.contains("main.py has the tuned values") && shown.contains("\n+"), "{shown}{said}");
    assert!((value(&tuned, "K") - 17.0).abs() <= 1.0, "{tuned}");
    // Again: from the tuned values. What is not better is not written.
    let (_, said) = bench.texts(&["tune", "main.py", "--yes", "--budget", "40"], 0);
    assert!(said.contains("$ evolve run job.toml --after results/"), "{said}");
    let runs = fs::read_dir(bench.path().join("results")).unwrap().count();
    assert_eq!(runs, 2, "{said}");
    let again = bench.read("main.py");
    assert!((value(&again, "K") - 17.0).abs() <= (value(&tuned, "K") - 17.0).abs(), "{again}");
}

#[test]
fn comments_of_another_tuner_are_read_and_a_source_without_a_yes_stays() {
    let solver = SOLVER.replace("K = 30", "K = 30 # @tune 1 60").replace("RATE = 0.5\n", "RATE = 0.25\n");
    let bench = place(&solver);
    let (_, said) = bench.texts(&["tune", "main.py", "--budget", "60"], 0);
    assert!(said.contains("$ evolve init --output job.toml --from main.py"), "{said}");
    assert!(said.contains("main.py is unchanged; to write the values: evolve export results/"), "{said}");
    assert_eq!(value(&bench.read("main.py"), "K"), 30.0);
    // Names that have no effect are not passed over in silence.
    let note = |because: &str| {
        format!(
            "note: --only has no effect, because {because}; to mark more constants: evolve init main.py --suggest --only \
             RATE,K --output job.toml"
        )
    };
    let only = ["tune", "main.py", "--budget", "20", "--only", "RATE,K"];
    let (_, said) = bench.texts(&only, 0);
    assert!(said.contains(&note("job.toml exists")), "{said}");
    fs::remove_file(bench.path().join("job.toml")).unwrap();
    let (_, said) = bench.texts(&only, 0);
    assert!(said.contains(&note("main.py has marked parameters")), "{said}");
}

/// Constants of the same name in two sources are two parameters.
#[test]
fn a_job_of_another_source_is_refused() {
    let bench = place(SOLVER);
    let marked = "import os\nK = int(os.environ.get('EVOLVE_K', 5))  # evolve: [1, 20]\nprint('Score =', K)\n";
    bench.write("main.py", marked);
    bench.write("other.py", marked);
    bench.texts(&["init", "main.py"], 0);
    let (_, said) = bench.texts(&["tune", "other.py", "--yes", "--budget", "40"], 2);
    assert!(said.contains("job.toml tunes main.py") && said.contains("--output other.toml"), "{said}");
    assert_eq!(bench.read("other.py"), marked);
}

#[test]
fn errors_of_each_step_end_the_command() {
    let bench = place(SOLVER);
    assert!(bench.texts(&["tune", "other.py"], 2).1.contains("other.py: no such file"));
    let said = bench.texts(&["tune", "main.py", "--only", "SPEED"], 2).1;
    assert!(said.contains("--only SPEED"), "{said}");
    bench.write("job.toml", "name = \"own\"\nbudget = 3\n");
    let said = bench.texts(&["tune", "main.py", "--yes"], 2).1;
    assert!(said.contains("job.toml:"), "{said}");
    assert_eq!(bench.read("main.py"), SOLVER);
}
