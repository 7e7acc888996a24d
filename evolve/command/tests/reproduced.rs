//! The same job gives the same bytes on one thread and on four, after kills and after an
//! interruption. One row for each way in which trials or the search differ: a new one belongs here.

mod shared;

use libtest_mimic::{Arguments, Failed, Trial};
use shared::{Bench, wait_until};
use std::fs;
use std::process::ExitCode;

/// The score depends on `$1`, by a factor of twenty on the instance `$2`, a number or a file with
/// one, and on the cap `$3`, which is `-` if there is none.
const SOLVER: &str = r#"echo "$*" >> log
k=${1%.*} i=$2
[ -f "$i" ] && read i < "$i"
n=$(( ((7 - k) * (7 - k) * 8 + 20) * (1 + i * 7 % 20) ))
[ $3 = - ] || [ $n -lt $3 ] || n=$3
[ $4 = fails ] && [ $((i % 13)) = 5 ] && exit 3
echo "peak $((10 * k + i * 7 % 9 - 4)), group $((i % 3))"
echo Score = $n
"#;

const AUTO: &str = "budget = 100";
const GENETIC: &str = "optimizer = \"genetic\"\npopulation = 4\nelites = 1\ntrials = 3\ngenerations = 4\n\
                       validation = 20\nselection = 4\ntest = 20";
/// A search long enough for the incumbent to improve, so that later trials are capped.
const LONG: &str = "generations = 5\nvalidation = 30\nselection = 4\ntest = 30";
const LONG_GENETIC: &str = "optimizer = \"genetic\"\npopulation = 6\nelites = 1\nsigma0 = 4\ntrials = 3\n\
                            generations = 5\nvalidation = 30\nselection = 4\ntest = 30";
const SEEDS: &str = "seeds = \"0-99\"";
const LIMIT: &str = "[constraints]\nmemory = \"<= 62\"";
const FORBIDDEN: &str = "move = { choice = [\"swap\", \"2opt\", \"insert\"], start = \"2opt\" }\n\
                         greedy = { bool = true, condition = \"move == 'swap'\" }";

/// A job of a program.
struct Row {
    name: &'static str,
    /// Words of the command after the script.
    command: &'static str,
    /// Keys of `[program]`.
    program: &'static str,
    /// Further parameters and sections.
    more: &'static str,
    search: &'static str,
    /// A file of the run and a text in it, which shows that the run has what the row is about.
    shows: (&'static str, &'static str),
}

#[rustfmt::skip]
const ROWS: [Row; 18] = [
    Row { name: "plain", command: "{k} {seed} - -", program: SEEDS, more: "", search: AUTO,
          shows: ("trials.csv", ",search,") },
    Row { name: "genetic", command: "{k} {seed} - -", program: SEEDS, more: "", search: GENETIC,
          shows: ("config.toml", "optimizer = \"genetic\"") },
    Row { name: "ratios to the baseline", command: "{k} {seed} - -", program: "seeds = \"0-99\"\nscale = \"relative\"",
          more: "", search: AUTO, shows: ("config.toml", "scale = \"relative\"") },
    Row { name: "a new seed for each trial", command: "{k} {random} - -", program: "", more: "", search: AUTO,
          shows: ("trials.csv", ",search,") },
    Row { name: "the same instances in every stage", command: "{k} {seed} - -",
          program: "seeds = \"0-19\"\nsplit = false", more: "", search: AUTO, shows: ("config.toml", "split = false") },
    Row { name: "files in groups", command: "{k} {input} - -",
          program: "files = \"in/*.txt\"\nmetrics = { g = 'group (\\d)' }\ngroup_by = [\"g\"]", more: "", search: AUTO,
          shows: ("inputs.txt", "in/07.txt") },
    Row { name: "features of instances", command: "{k} {input} - -",
          program: "files = \"in/*.txt\"\nfeatures = { size = 1 }", more: "", search: AUTO,
          shows: ("config.toml", "features = { size = 1 }") },
    Row { name: "candidates to play first", command: "{k} {seed} - - {x}", program: SEEDS,
          more: "x = { float = [0.01, 100], log = true }", search: "budget = 100\nfirst = [{ k = 7, x = 0.3 }, { k = 3 }]",
          shows: ("trials.csv", ",7,0.3\n") },
    Row { name: "a parameter that follows a feature", command: "{w} {input} - - {k}",
          program: "files = \"in/*.txt\"\nfeatures = { size = 1 }",
          more: "w = { int = [1, 20], start = 15, by = [\"size\"] }", search: AUTO,
          shows: ("trials.csv", "value.w:size") },
    Row { name: "scenarios", command: "{k} {seed} - {side}", program: SEEDS,
          more: "[scenarios]\nside = [\"left\", \"right\"]", search: AUTO, shows: ("config.toml", "[scenarios]") },
    Row { name: "failures", command: "{k} {seed} - fails", program: "seeds = \"0-99\"\non_failure = 50000", more: "",
          search: AUTO, shows: ("trials.csv", "exit code") },
    Row { name: "many parameters", command: "{k} {seed} - - {table}", program: SEEDS,
          more: "table = { float = [0, 1], count = 45, start = 0.5 }", search: AUTO,
          shows: ("config.toml", "count = 45") },
    Row { name: "capped", command: "{k} {seed} {cap} -", program: "seeds = \"0-39\"\nscale = \"log\"", more: "",
          search: LONG, shows: ("trials.csv", ",true,") },
    Row { name: "capped, genetic", command: "{k} {seed} {cap} -", program: "seeds = \"0-39\"\nscale = \"log\"", more: "",
          search: LONG_GENETIC, shows: ("trials.csv", ",true,") },
    Row { name: "constraints", command: "{k} {seed} - -", program: "seeds = \"0-99\"\nmetrics = { memory = 'peak (\\d+)' }",
          more: LIMIT, search: AUTO, shows: ("recommendation.toml", "constraints = [\"memory: ") },
    Row { name: "constraints, genetic", command: "{k} {seed} - -",
          program: "seeds = \"0-99\"\nmetrics = { memory = 'peak (\\d+)' }", more: LIMIT, search: GENETIC,
          shows: ("recommendation.toml", "constraints = [\"memory: ") },
    Row { name: "forbidden combinations", command: "{k} {seed} - {move} {greedy}",
          program: "seeds = \"0-99\"\nforbid = [\"move == 'swap' && k > 10\", \"k in [7, 8] || move == 'insert'\"]",
          more: FORBIDDEN, search: AUTO, shows: ("config.toml", "forbid = [") },
    Row { name: "forbidden combinations, genetic", command: "{k} {seed} - {move} {greedy}",
          program: "seeds = \"0-99\"\nforbid = [\"move == 'swap' && k > 10\", \"k in [7, 8] || move == 'insert'\"]",
          more: FORBIDDEN, search: GENETIC, shows: ("config.toml", "forbid = [") },
];

/// The only row with a run before it.
const LEARNED: Row = Row {
    name: "learned from an earlier run",
    command: "{k} {seed} - -",
    program: SEEDS,
    more: "",
    search: "budget = 60\nlearn_from = [\"results/earlier\"]",
    shows: ("learned.csv", "\n1,"),
};

const ONE_FLOAT: Row = Row { name: "one float", ..ROWS[0] };

impl Row {
    fn job(&self) -> String {
        let k = if self.name == ONE_FLOAT.name { "float" } else { "int" };
        format!(
            "name = \"first\"\n[program]\ncommand = \"sh solver.sh {}\"\ngoal = \"minimize\"\n{}\n[parameters]\n\
             k = {{ {k} = [1, 20], start = 15 }}\n{}\n[search]\n{}\n",
            self.command, self.program, self.more, self.search
        )
    }

    fn bench(&self) -> Bench {
        let bench = Bench::with_solver(&self.job(), SOLVER);
        (0..60).for_each(|i| bench.write(format!("in/{i:02}.txt"), format!("{i}\n")));
        if self.name == LEARNED.name {
            bench.write("earlier.toml", self.job().replace("learn_from = [\"results/earlier\"]\n", ""));
            run(&bench, &["earlier.toml", "--name", "earlier"]);
            fs::remove_file(bench.path().join("log")).unwrap();
        }
        bench
    }

    fn check(&self) {
        let [one, four, killed, stopped] = [(); 4].map(|()| self.bench());
        run(&one, &["job.toml", "--parallel", "1"]);
        let (file, text) = self.shows;
        assert!(one.result(file).contains(text), "{file} has no {text:?}:\n{}", one.result(file));
        run(&four, &["job.toml", "--parallel", "4"]);
        same(&one, &four, "on four threads");

        let trials = one.begun();
        let resume = ["run", "job.toml", "--resume", "--parallel", "2"];
        for _ in 0..3 {
            killed.hold_after(trials / 5);
            let mut child = killed.spawn(&resume);
            killed.wait_until_held(&mut child);
            child.kill().unwrap();
            child.wait().unwrap();
            // What was learned is kept with the run.
            let _ = fs::remove_dir_all(killed.path().join("results/earlier"));
        }
        killed.release();
        run(&killed, &["job.toml", "--resume", "--parallel", "2"]);
        same(&one, &killed, "after kills");

        stopped.hold_after(trials / 2);
        let (status, said) = stopped.interrupt(stopped.spawn(&resume));
        assert_eq!(status.code(), Some(130), "{said}");
        run(&stopped, &["job.toml", "--resume", "--parallel", "3"]);
        same(&one, &stopped, "after an interruption");
    }
}

fn run(bench: &Bench, args: &[&str]) {
    bench.evolve(&[&["run", "--quiet"], args].concat()).assert().success();
}

/// All tables, values and lists of a run, but its times.
fn same(one: &Bench, other: &Bench, what: &str) {
    let files = |bench: &Bench| {
        let entries = fs::read_dir(bench.path().join("results/first")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names
            .filter(|name| {
                !["timing.csv", "trial-times.csv"].contains(&name.as_str())
                    && [".csv", ".toml", ".txt"].iter().any(|end| name.ends_with(end))
            })
            .collect();
        names.sort();
        names
    };
    let names = files(one);
    for name in ["generations.csv", "validation.csv", "recommendation.toml", "config.toml"] {
        assert!(names.iter().any(|there| there == name), "{name}: {names:?}");
    }
    assert_eq!(names, files(other), "{what}");
    for name in names {
        assert!(!one.result(&name).is_empty(), "{name}");
        assert!(one.result(&name) == other.result(&name), "{name} differs {what}");
    }
}

/// A game cannot be held: the run is killed after different numbers of checkpoints, so that the
/// moments depend on the run instead of a clock, and some kills happen during a write.
fn game(search: &str) {
    let job = format!(
        "name = \"first\"\nseed = 3\n[game]\nname = \"solitaire-chess\"\ngroup = 4\n[player]\nname = \"greedy\"\n\
         [weights]\ninclude = [\"tile_gold\", \"moves_1\", \"stuck_soon\"]\n[search]\n{search}\n"
    );
    let [one, four, killed] = [(); 3].map(|()| Bench::new(&job));
    run(&one, &["job.toml", "--parallel", "1"]);
    run(&four, &["job.toml", "--parallel", "4"]);
    same(&one, &four, "on four threads");
    let checkpoint = || fs::read(killed.path().join("results/first/checkpoint")).ok();
    let mut kills = 0;
    let output = loop {
        let mut seen = checkpoint();
        let mut child = killed.spawn(&["run", "job.toml", "--resume", "--quiet"]);
        for _ in 0..=kills % 3 {
            wait_until(|| checkpoint() != seen || child.try_wait().unwrap().is_some());
            seen = checkpoint();
        }
        if child.try_wait().unwrap().is_some() {
            break child.wait_with_output().unwrap();
        }
        kills += 1;
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(kills > 0);
    same(&one, &killed, "after kills");
}

fn main() -> ExitCode {
    let test = |name: &str, check: Box<dyn FnOnce() + Send>| {
        Trial::test(name, move || {
            check();
            Ok::<(), Failed>(())
        })
    };
    let rows = ROWS.into_iter().chain([LEARNED, ONE_FLOAT]);
    let mut tests: Vec<Trial> = rows.map(|row| test(row.name, Box::new(move || row.check()))).collect();
    tests.push(test("a game", Box::new(|| game("budget = 1200"))));
    let genetic = GENETIC.replace("generations = 4", "generations = 30");
    tests.push(test("a game, genetic", Box::new(move || game(&genetic))));
    let mut arguments = Arguments::from_args();
    // The tests mostly wait for kills and for programs.
    arguments.test_threads.get_or_insert(8);
    libtest_mimic::run(&arguments, tests).exit_code()
}
