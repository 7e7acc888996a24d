//! Runs whose trials stop at a multiple of the incumbent's score, as a user meets them.

use crate::shared::Bench;

/// Counts its work, up to the cap, and logs it. Instances differ by a factor of twenty.
const SOLVER: &str = "n=$(( ((7 - $1) * (7 - $1) * 8 + 20) * (1 + $2 * 7 % 20) ))\n[ $n -lt $3 ] || n=$3\n\
                      echo $n $3 >> log\necho conflicts: $n\n";

const JOB: &str = r#"name = "first"

[program]
command = "sh solver.sh {k} {seed} {cap}"
seeds   = "0-39"
score   = 'conflicts: (\d+)'
goal    = "minimize"
scale   = "log"

[parameters]
k = { int = [1, 20], start = 12 }

[search]
optimizer = "genetic"
population = 6
elites = 1
sigma0 = 4
trials = 3
generations = 5
validation = 30
selection = 4
test = 30
"#;

/// The work of the search.
fn searching(folder: &Bench) -> u64 {
    let trials = folder.cells(["stage", "score"]).into_iter().filter(|[stage, _]| stage == "search");
    trials.map(|[_, score]| score.parse::<u64>().unwrap()).sum()
}

#[test]
fn capped_trials_are_not_failures_and_held_out_trials_are_not_capped() {
    let (capped, plain) = (Bench::with_solver(JOB, SOLVER), Bench::with_solver(JOB, SOLVER));
    let texts = [capped.run(&["--parallel", "2"]), plain.run(&["--set", "program.capping=\"off\""])];
    for text in &texts {
        assert!(text.contains("improvement found"), "{text}");
    }
    let trials = capped.cells(["stage", "capped", "failure", "score"]);
    let [search, others]: [Vec<_>; 2] =
        [true, false].map(|is| trials.iter().filter(|t| (t[0] == "search") == is).collect());
    let count = search.iter().filter(|trial| trial[1] == "true").count();
    assert!(count > 3 && count < search.len() / 2, "{count} of {}", search.len());
    assert!(others.len() > 100 && others.iter().all(|trial| trial[1] == "false"), "{others:?}");
    assert!(trials.iter().all(|trial| trial[2].is_empty()));
    // The program was output so: it has no limit outside the search.
    let log = capped.read("log");
    let free = log.lines().filter(|line| line.ends_with(" 2147483647")).count();
    // Everything but the search, the best candidates on three instances in five generations, and
    // the baseline's trials before the run: four instances side by side, and again alone.
    assert_eq!(free, others.len() + 15 + 8);
    assert!(plain.cells(["capped"]).iter().all(|[capped]| capped == "false"));
    let (less, all) = (searching(&capped), searching(&plain));
    assert!(10 * less < 9 * all, "{less} of {all}");
    // Repeated, it is played to its end.
    let number = trials.iter().position(|trial| trial[1] == "true").unwrap();
    let again = capped.does(&["repeat", "first", &number.to_string()]);
    assert!(again.contains(&format!("recorded   {} or worse: capped\n", trials[number][3])), "{again}");
    let k = |folder: &Bench| {
        let weights = folder.result("recommendation.toml");
        let mut values = weights.lines().filter_map(|line| line.strip_prefix("k = ")?.trim().parse::<i64>().ok());
        values.next().unwrap_or_else(|| panic!("{weights}"))
    };
    assert!((k(&capped) - 7).abs() <= (k(&plain) - 7).abs(), "{} {}", k(&capped), k(&plain));
}
