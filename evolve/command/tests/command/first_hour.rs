//! A user's first hour: from `init` to a verdict, for four kinds of solvers, with real compilers.
//! Each needs the compiler of its language, and fails without it.

use crate::shared::Bench;
use assert_cmd::Command;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// A folder with files of `first_hour`, under the names that they get there.
struct Folder(Bench);

impl Folder {
    fn new(needs: &[&str], files: &[(&str, &str)]) -> Self {
        for tool in needs {
            let is_there = Command::new(tool).arg("--version").ok().is_ok();
            assert!(is_there, "this test needs {tool}; ./test installs what tests need where it may");
        }
        let folder = Folder(Bench::empty());
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/first_hour");
        for (from, to) in files {
            folder.0.write(to, fs::read_to_string(own.join(from)).unwrap());
        }
        folder
    }

    /// Generates inputs, the same on every machine.
    fn inputs(&self, pattern: &str, count: u64, input: impl Fn(&mut dyn FnMut(u64) -> u64) -> String) {
        for seed in 0..count {
            let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mut dice = |below: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % below
            };
            self.0.write(pattern.replace("SEED", &format!("{seed:04}")), input(&mut dice));
        }
    }

    /// The output of a command on both streams. Programs of the folder `bin` come first.
    fn evolve(&self, line: &str, status: i32) -> String {
        let mut command = self.0.evolve(&line.split(' ').collect::<Vec<_>>());
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", self.0.path().join("bin").display())).env_remove("RUSTFLAGS");
        let assert = command.assert().code(status);
        let output = assert.get_output();
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
    }

    /// Writes a shell script that can be executed.
    fn script(&self, name: &str, text: &str) {
        self.0.write(name, format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(self.0.path().join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Checks the job that `init` wrote, tunes it and gives the verdict.
    fn tune(&self) -> String {
        let checked = self.evolve("check job.toml --trials 4", 0);
        assert!(checked.contains("the job can run"), "{checked}");
        let small = "--set search.budget=260 --set search.validation=30 --set search.selection=24 --set search.test=30";
        self.evolve(&format!("run job.toml --name run {small}"), 0)
    }
}

fn points(dice: &mut dyn FnMut(u64) -> u64) -> String {
    let points: Vec<String> = (0..60).map(|_| format!("{} {}", dice(1000), dice(1000))).collect();
    format!("60\n{}\n", points.join("\n"))
}

#[test]
fn a_timed_annealer_in_cpp_with_markers() {
    let folder = Folder::new(&["g++"], &[("annealer.cpp", "annealer.cpp")]);
    folder.inputs("in/SEED.txt", 60, points);
    // Without a terminal and --yes, the changes are only shown.
    let shown = folder.evolve("init --suggest", 0);
    assert!(shown.contains("START_HEAT") && !shown.contains("TIME_LIMIT  "), "{shown}");
    assert!(shown.contains(
        "+const double START_HEAT = evolve_param<double>(\"EVOLVE_START_HEAT\", 3000.0); // \
        evolve: [300.0, 30000.0] log"
    ));
    assert!(!folder.0.path().join("job.toml").exists() && !folder.0.read("annealer.cpp").contains("evolve"));

    let printed = folder.evolve("init --suggest --yes", 0);
    assert!(printed.contains("parameters of annealer.cpp: START_HEAT, END_HEAT, REVERSES"), "{printed}");
    assert!(printed.contains("note: annealer.cpp: `constexpr` is now `const` for parameters"), "{printed}");
    assert!(printed.contains("different the second time, so the job says `deterministic = false`"), "{printed}");
    let job = folder.0.read("job.toml");
    folder.0.write("job.toml", job.replace("goal = \"maximize\"", "goal = \"minimize\""));
    let verdict = folder.tune();
    assert!(verdict.contains("improvement found: the finalist is better"), "{verdict}");
    let changed = folder.evolve("export results/run --into annealer.cpp", 0);
    let heat = "+const double END_HEAT = evolve_param<double>(\"EVOLVE_END_HEAT\", ";
    assert!(changed.contains(heat), "{changed}");
    // The source with the tuned values can be built, read and played again.
    folder.evolve("check job.toml --trials 4", 0);
}

#[test]
fn an_interactive_solver_in_rust_with_a_tester() {
    let folder = Folder::new(&["rustc", "python3"], &[("interactive.rs", "main.rs"), ("tester.py", "tools/tester.py")]);
    folder.inputs("tools/in/SEED.txt", 45, |dice| format!("{} {}\n", dice(1000), dice(1 << 30)));
    folder.0.write(
        "pahcer_config.toml",
        "[problem]\nobjective = \"Max\"\nscore_regex = '(?m)^\\s*Score\\s*=\\s*(?P<score>\\d+)\\s*$'\n\
         [test]\nstart_seed = 0\nend_seed = 40\n\
         compile_steps = [{ program = \"rustc\", args = [\"-O\", \"-o\", \"a.out\", \"main.rs\"] }]\n\
         [[test.test_steps]]\nprogram = \"python3\"\nargs = [\"tester.py\", \"../a.out\"]\ncurrent_dir = \"./tools\"\n\
         stdin = \"./tools/in/{SEED04}.txt\"\n",
    );
    let printed = folder.evolve("init --suggest --yes", 0);
    assert!(
        printed.contains("parameters of main.rs: STEP, TRUST, ROUNDS") && printed.contains("the same both times"),
        "{printed}"
    );
    let job = folder.0.read("job.toml");
    assert!(job.contains("seeds = \"0-39\"") && job.contains("stdin = \"./tools/in/{seed:04}.txt\""), "{job}");
    let verdict = folder.tune();
    assert!(verdict.contains("improvement found: the finalist is better"), "{verdict}");
    let changed = folder.evolve("export results/run --into main.rs", 0);
    assert!(changed.contains("+static STEP: Tuned<f64> = Tuned::new(|| evolve_param(\"EVOLVE_STEP\", "), "{changed}");
    folder.evolve("check job.toml --trials 4", 0);
}

#[test]
fn a_beam_search_with_arguments() {
    let folder = Folder::new(&["g++"], &[("beam.cpp", "beam.cpp"), ("tester.py", "view.py")]);
    folder.inputs("in/SEED.txt", 60, |dice| {
        let numbers: Vec<String> = (0..180).map(|_| dice(100).to_string()).collect();
        format!("20\n{}\n", numbers.join(" "))
    });
    // With two programs, the user must name one.
    let printed = folder.evolve("init", 2);
    assert!(printed.contains("several programs: beam.cpp, view.py. Name one: evolve init beam.cpp"), "{printed}");
    let printed = folder.evolve("init beam.cpp", 0);
    assert!(
        printed.contains("parameters of beam.cpp: width, future") && printed.contains("the same both times"),
        "{printed}"
    );
    let job = folder.0.read("job.toml");
    assert!(job.contains("command = \"./beam {width} {future}\""), "{job}");
    let verdict = folder.tune();
    assert!(verdict.contains("improvement found: the finalist is better"), "{verdict}");
    let args = folder.evolve("export results/run --format args", 0);
    assert_eq!(args.split_whitespace().count(), 2, "in the order of the command: {args}");
}

#[test]
fn a_script_in_python_that_is_not_called_main() {
    let folder = Folder::new(&["python3"], &[("pack.py", "pack.py")]);
    folder.inputs("in/SEED.txt", 60, |dice| {
        let things: Vec<String> = (0..40).map(|_| format!("{} {}", 1 + dice(100), 1 + dice(100))).collect();
        format!("500\n{}\n", things.join("\n"))
    });
    let printed = folder.evolve("init --suggest --yes", 0);
    assert!(
        printed.contains("parameters of pack.py: POWER, PACK_FLOOR") && printed.contains("the same both times"),
        "{printed}"
    );
    let job = folder.0.read("job.toml");
    assert!(job.contains("env = { PACK_FLOOR = \"{PACK_FLOOR}\" }"), "{job}");
    let verdict = folder.tune();
    assert!(verdict.contains("improvement found: the finalist is better"), "{verdict}");
    let changed = folder.evolve("export results/run --into pack.py", 0);
    assert!(changed.contains("-POWER = evolve_param(\"EVOLVE_POWER\", 3.0)  # evolve: [0.3, 30.0] log"), "{changed}");
    assert!(changed.lines().filter(|line| line.starts_with('+')).count() == 2, "{changed}");
}

/// A program whose first argument is a seed, and one without instances.
#[test]
fn instances_are_seeds_or_named_as_missing() {
    let folder = Folder::new(&["python3"], &[]);
    let text = "import random, sys\ns = int(sys.argv[1])\nrandom.seed(s)\ndepth = int(sys.argv[2])\nname = sys.argv[3:]\n\
        print('Score =', random.randrange(100) + depth)\n";
    folder.0.write("sol.py", text);
    let printed = folder.evolve("init", 0);
    assert!(printed.contains("parameters of sol.py: depth\n") && !printed.contains("note: "), "{printed}");
    let job = folder.0.read("job.toml");
    assert!(
        job.contains("command = \"python3 sol.py {seed} {depth}\"\n# `{seed}` is the seed of the instance"),
        "{job}"
    );
    let checked = folder.evolve("check job.toml --trials 4", 0);
    assert!(!checked.contains("names no instance"), "{checked}");

    folder.0.write(
        "fixed.py",
        "import sys\nk = int(sys.argv[1])\nmode = sys.argv[2]\nt = float(sys.argv[3])\nprint('Score =', k)\n",
    );
    let printed = folder.evolve("init fixed.py --output fixed.toml", 0);
    assert!(
        printed.contains(
            "note: fixed.py:3: `command` ends before argument 2, which is neither a known parameter nor a seed"
        ) && printed.contains("the program got neither input nor seed: set `stdin` or `files`, or add `{seed}`"),
        "{printed}"
    );
    assert!(printed.contains("write it there by hand, then {t} (and declare parameters in [parameters])"), "{printed}");
    folder.0.write("fixed.py", "import sys\nk = int(sys.argv[1])\nprint('Score =', k)\n");
    let missing = "the command names no instance, so every trial plays the same one and nothing is held out; to play \
        several, add `{seed}` to `command`, or set `stdin";
    let checked = folder.evolve("check fixed.toml --trials 4", 0);
    assert!(checked.contains(&format!("held-out test  none: {missing}")), "{checked}");
    let verdict = folder.evolve("run fixed.toml --set search.budget=30", 0);
    assert!(verdict.contains(&format!("no held-out test: {missing}")), "{verdict}");
}

/// The example parameters that `init` writes are rejected until they are replaced.
#[test]
fn examples_of_init_do_not_run() {
    let folder = Folder::new(&["python3"], &[]);
    folder.0.write("sol.py", "import sys\nprint('Score =', 5 + len(sys.stdin.read()))\n");
    folder.inputs("in/SEED.txt", 20, |dice| dice(1 << 30).to_string());
    let printed = folder.evolve("init", 0);
    assert!(printed.contains("no parameters found: declare them in [parameters]"), "{printed}");
    assert!(printed.contains("ran 4 trials twice") && printed.contains("the same both times"), "{printed}");
    let job = folder.0.read("job.toml");
    for command in ["check job.toml", "run job.toml"] {
        let printed = folder.evolve(command, 2);
        // The first one.
        assert_eq!(printed.lines().count(), 1, "{printed}");
        for (i, line) in job.lines().enumerate().filter(|(_, line)| line.starts_with("your_")).take(1) {
            let name = line.split(' ').next().unwrap();
            assert!(
                printed.contains(&format!("job.toml:{}:1: `{name}` is an example of `evolve init`", i + 1)),
                "{printed}"
            );
        }
    }
    // A job with unchanged examples is replaced.
    folder.0.write("sol.py", "import sys\nK = 5\nprint('Score =', K + len(sys.stdin.read()))\n");
    assert!(folder.evolve("init", 0).contains("but constants: K. `evolve init --suggest` turns them into parameters"));
    folder.evolve("init --suggest --yes", 0);
    folder.evolve("check job.toml --trials 4", 0);
    assert!(folder.evolve("init", 2).contains("job.toml exists"));
    folder.evolve("init --output tour.toml", 0);
    assert!(folder.0.read("tour.toml").contains("\nname = \"tour\"\n"));
    // A new constant is marked, and the job stays as it is; a parameter is dropped with its marker.
    let (job, source) = (folder.0.read("job.toml"), folder.0.read("sol.py"));
    let job = job.replacen("\ntimeout = ", "\non_failure = 0\ntimeout = ", 1);
    folder.0.write("job.toml", &job);
    folder.0.write("sol.py", source.replace("\nprint('Score =', K", "\nL = 2\nA, B = 3, 4\nprint('Score =', L * K"));
    let printed = folder.evolve("init --suggest --yes", 0);
    assert!(printed.contains("job.toml unchanged") && printed.contains("parameters of sol.py: K, L"), "{printed}");
    let left_out = "not offered: A (line 13), B (line 13): several values on a line: write each on a line of its own";
    assert!(printed.contains(left_out), "{printed}");
    assert_eq!(folder.0.read("job.toml"), job);
    let marked = folder.0.read("sol.py");
    folder.0.write("sol.py", marked.replace("  # evolve: [1, 10]", ""));
    assert!(folder.evolve("check job.toml --trials 4", 0).contains("1 of 1 change outcomes"));
}

/// Numbers of iterations and words are named, but not marked.
#[test]
fn constants_that_are_left_out_are_named() {
    for (tool, file, text, kept) in [
        (
            "python3",
            "sol.py",
            "STEPS = 3000\nK = 5\nMOVE = 'swap'\nfor i in range(STEPS):\n    K += 0\nprint('Score =', K)\n",
            "STEPS = 3000\n",
        ),
        (
            "g++",
            "sol.cpp",
            "#include <cstdio>\n// A solver.\nconst char* MOVE = \"swap\";\nconst int K = 5;\n\
             const int MAX_ITER = 100;\nint main() {\n    for (int i = 0; i < MAX_ITER; i++) {}\n    std::printf(\"Score = \
             %d\\n\", K);\n}\n",
            "const int MAX_ITER = 100;\n",
        ),
    ] {
        let folder = Folder::new(&[tool], &[]);
        folder.0.write(file, text);
        let printed = folder.evolve("init --suggest --yes", 0);
        let name = kept.trim_start_matches("const int ").split(' ').next().unwrap();
        assert!(printed.contains(&format!("{name} is skipped by default: more iterations")), "{printed}");
        assert!(
            printed.contains("not offered: MOVE (line 3): a string: declare it as a choice (docs/programs.md#markers)"),
            "{printed}"
        );
        assert!(printed.contains(&format!("parameters of {file}: K\n")), "{printed}");
        assert!(folder.0.read(file).contains(kept));
    }
}

/// `--only` names constants or lists of them.
#[test]
fn constants_are_chosen_by_name() {
    let folder = Folder::new(&["g++"], &[]);
    folder.inputs("in/SEED.txt", 20, |dice| dice(1 << 30).to_string());
    let text = "#include <cstdio>\nconstexpr int X[3] = {16, 5, 7};\nconst double HEAT = 2.5;\nconst int N = 5;\n\
                int main() {\n    int n;\n    std::scanf(\"%d\", &n);\n    double rate = 0.5;\n    std::printf(\"Score = %f\\n\", \
                n + N + X[0] * rate + X[1] + X[2] + HEAT);\n}\n";
    folder.0.write("sol.cpp", text);
    let printed = folder.evolve("init --suggest --only N", 2);
    assert!(printed.contains("--only N: it is left out (sol.cpp:4): by its name, a dimension"), "{printed}");
    let printed = folder.evolve("init --suggest --only HEAT,COLD", 2);
    assert!(
        printed
            .contains("--only COLD: the constants of sol.cpp that could be parameters are X_0, X_1, X_2, HEAT, rate"),
        "{printed}"
    );
    assert_eq!(folder.0.read("sol.cpp"), text);
    let printed = folder.evolve("init --suggest --only X,rate", 0);
    assert!(printed.contains("parameters of sol.cpp: X_0, X_1, X_2, rate\n"), "{printed}");
    folder.evolve("check job.toml --trials 4", 0);
    let job = folder.0.read("job.toml").replace("budget = 2000", "budget = 60");
    folder.0.write("job.toml", &job);
    folder.evolve("run job.toml --name run", 0);
    let changed = folder.evolve("export results/run --into sol.cpp", 0);
    assert!(changed.contains("+    evolve_param<int>(\"EVOLVE_X_0\", 1"), "{changed}");
}

/// An edit that the user saves while `init` builds is never overwritten.
#[test]
fn an_edit_during_the_build_is_kept() {
    let text = "#include <cstdio>\nconst int K = 5;\nint main() { std::printf(\"Score = %d\\n\", K); }\n";
    let folder = Folder::new(&["g++"], &[]);
    folder.0.write("sol.cpp", text);
    // The user saves a fault, so the build fails.
    folder.script("bin/g++", "echo '// saved' >> sol.cpp; echo fault >&2; exit 1");
    let printed = folder.evolve("init --suggest --yes", 0);
    assert!(printed.contains("sol.cpp changed during the first trials, so it was left as it is"), "{printed}");
    let own = folder.0.read("sol.cpp");
    assert!(own.contains("// evolve: [1, 20]") && own.ends_with("// saved\n"), "{own}");
}

/// A source that only its new parameters break is put back, in each of the ways in which it can
/// break.
#[test]
fn a_source_that_its_parameters_break_is_put_back() {
    let folder = Folder::new(&["g++", "python3"], &[]);
    let text = "#include <cstdio>\nconst int K = 5;\n\
                template <int> struct S {};\nint main() { S<K> s; (void)s; std::printf(\"Score = 1\\n\"); }\n";
    folder.0.write("sol.cpp", text);
    let printed = folder.evolve("init --suggest --yes", 1);
    assert!(printed.contains("sol.cpp does not build with its new parameters, so it was restored: "), "{printed}");
    assert_eq!(folder.0.read("sol.cpp"), text);
    let text = "K = 5\nassert 'evo' 'lve' not in open(__file__).read()\nprint('Score =', K)\n";
    folder.0.write("own.py", text);
    let printed = folder.evolve("init own.py --suggest --yes", 1);
    assert!(printed.contains("own.py fails with its new parameters, so it was restored: "), "{printed}");
    assert_eq!(folder.0.read("own.py"), text);
    assert!(!folder.0.path().join("job.toml").exists());
    // Without a compiler, the parameters are not to blame.
    folder.script("bin/g++", "exit 1");
    let text = "const int K = 5;\nint main() {}\n";
    folder.0.write("sol.cpp", text);
    let printed = folder.evolve("init sol.cpp --suggest --yes", 1);
    assert!(printed.contains("the program does not start even without its new parameters"), "{printed}");
    assert_eq!(folder.0.read("sol.cpp"), text);
}

/// A source in which new parameters change a score, with their former values, is put back.
#[test]
fn a_source_that_scores_otherwise_is_put_back() {
    let folder = Folder::new(&["python3"], &[]);
    let text = "K = 5\nprint('Score =', K + len(open(__file__).read()))\n";
    folder.0.write("own.py", text);
    let printed = folder.evolve("init --suggest --yes", 1);
    let said = format!(" with its new parameters and {} without them, so it was restored", 5 + text.len());
    assert!(printed.contains("own.py scores ") && printed.contains(&said), "{printed}");
    assert!(printed.contains("name fewer constants with --only NAME,NAME"), "{printed}");
    assert_eq!(folder.0.read("own.py"), text);
    assert!(!folder.0.path().join("job.toml").exists());
    // Scores that vary show nothing.
    folder.0.write("own.py", "import random\nK = 5\nprint('Score =', K + random.random())\n");
    folder.evolve("init --suggest --yes", 0);
    assert!(folder.0.read("own.py").contains("# evolve: [1, 20]"));
}

/// Variables that change through a reference keep their scores.
#[test]
fn variables_that_change_through_a_reference_start_anew_in_each_call() {
    let folder = Folder::new(&["g++"], &[]);
    let text = "#include <cstdio>\n#define BIG 10LL\nvoid cool(double& t) { t *= 0.5; }\ndouble run() {\n    double temp = 30.5;\n    \
                cool(temp);\n    return temp;\n}\nint main() {\n    double sum = 0;\n    for (int i = 0; i < 3; i++) sum += run();\n    \
                std::printf(\"Score = %f\\n\", sum + BIG * 1000000000);\n}\n";
    folder.0.write("sol.cpp", text);
    let printed = folder.evolve("init --suggest --yes", 0);
    assert!(
        printed.contains("parameters of sol.cpp: BIG, temp") && printed.contains("the same both times"),
        "{printed}"
    );
    // A value that is none is refused.
    folder.evolve("check job.toml --trials 4", 0);
    let built = std::process::Command::new("g++").args(["-o", "sol", "sol.cpp"]).current_dir(folder.0.path()).status();
    assert!(built.unwrap().success());
    for (value, stdout, stderr) in
        [("11", "Score = 11000000045.75\n", ""), ("many", "", "EVOLVE_BIG is many, which is not a value of its type\n")]
    {
        let mut command = std::process::Command::new(folder.0.path().join("sol"));
        let output = command.env("EVOLVE_BIG", value).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).replace("750000", "75"), stdout);
        assert_eq!(String::from_utf8_lossy(&output.stderr), stderr);
        assert_eq!(output.status.success(), stderr.is_empty());
    }
}

/// A source in another encoding is named, with a way out.
#[test]
fn a_source_that_is_not_utf_8_is_reported() {
    let folder = Folder::new(&["python3"], &[]);
    let text = b"# -*- coding: shift_jis -*-\n# \x83\x65\x83\x58\x83\x67\nK = 5\nprint('Score =', K)\n";
    folder.0.write("sol.py", text);
    let said = "sol.py: not UTF-8 text: save it as UTF-8, for example with `iconv -f SHIFT_JIS -t UTF-8`";
    for (line, status) in [("init --suggest --yes", 2), ("tune sol.py --yes", 2), ("init", 0)] {
        let printed = folder.evolve(line, status);
        assert!(printed.contains(said), "{line}: {printed}");
        assert_eq!(fs::read(folder.0.path().join("sol.py")).unwrap(), text);
    }
}

/// A contest's folder: the tools with their own Cargo.toml next to the solver, and their inputs.
#[test]
fn the_tester_of_a_contest_scores_the_solver() {
    let folder = Folder::new(&["g++"], &[]);
    folder.inputs("tools/in/SEED.txt", 20, |dice| dice(1 << 30).to_string());
    folder.0.write("tools/Cargo.toml", "[package]\nname = \"tools\"\n");
    folder.0.write("tools/src/bin/tester.rs", "");
    folder.0.write(
        "main.cpp",
        "#include <cstdio>\nconst int K = 5;\nint main() { int n; std::scanf(\"%d\", &n); std::printf(\"%d\\n\", n + K); }\n",
    );
    let printed = folder.evolve("init", 0);
    let advice = "note: tools/src/bin/tester.rs may score the program, but is not built: run `cargo build --release \
                  --manifest-path tools/Cargo.toml`";
    assert!(printed.contains(advice), "{printed}");
    folder.script("tools/target/release/tester", "echo Score = $(\"$@\") >&2");
    let printed = folder.evolve("init --suggest --yes", 0);
    assert!(printed.contains("job.toml written (found main.cpp and tools/target/release/tester)"), "{printed}");
    assert!(printed.contains("scale: \"relative\" counts every instance equally"), "{printed}");
    let job = folder.0.read("job.toml");
    assert!(job.contains("command = \"tools/target/release/tester ./main\""), "{job}");
    assert!(job.contains("stdin = \"tools/in/{seed:04}.txt\"\nseeds = \"0-19\"") && !job.contains("scorer"), "{job}");
    assert!(job.contains("# \"relative\" counts every instance equally"), "{job}");
    folder.evolve("check job.toml --trials 4", 0);
}

#[test]
fn a_program_that_fails_at_first_is_reported_with_its_output() {
    let folder = Folder::new(&["python3"], &[]);
    folder.0.write("sol.py", "K = 5\nprint('Score =', int(input()) + K)\n");
    let printed = folder.evolve("init --suggest --yes", 0);
    assert!(printed.contains("EOFError: EOF when reading a line") && !printed.contains("scale"), "{printed}");
    assert!(printed.contains("the program got neither input nor seed: set `stdin` or `files`, or add"), "{printed}");
    assert!(
        printed.contains("warning: the first trial failed: exit status: 1") && !printed.contains("instance"),
        "{printed}"
    );
    assert!(printed.contains("next: fix this, then run evolve check job.toml"), "{printed}");
    // A solver that prints only its answer.
    folder.0.write("sol.py", "print('1 2 3')\n");
    fs::remove_file(folder.0.path().join("job.toml")).unwrap();
    folder.inputs("in/SEED.txt", 20, |dice| dice(1 << 30).to_string());
    let printed = folder.evolve("init", 0);
    assert!(printed.contains(": 1 2 3\nprint `Score = 123`, set `score` to the pattern of the score"), "{printed}");
}

/// The folder of an Optuna study with pahcer, whose seeds and variables are imported.
#[test]
fn a_study_of_pahcer_is_imported() {
    let folder = Folder::new(&["python3"], &[]);
    folder.0.write(
        "pahcer_config.toml",
        "[problem]\nobjective = \"Min\"\nscore_regex = '^\\s*Score\\s*=\\s*(?P<score>\\d+)\\s*$'\n\
         [test]\nstart_seed = 0\nend_seed = 100\ncompile_steps = []\n\
         [[test.test_steps]]\nprogram = \"python\"\nargs = [\"solution.py\"]\nmeasure_time = true\n",
    );
    folder.0.write(
        "solution.py",
        "import os\nx = float(os.getenv(\"AHC_X\", \"3\"))\ny = float(os.getenv(\"AHC_Y\"))\n\
         print(f\"Score = {int((x * x + y * y) * 100000) + 1}\")\n",
    );
    folder.0.write("optimize.py", "import optuna\n");
    let printed = folder.evolve("init", 0);
    assert!(printed.contains("parameters of solution.py: AHC_X, AHC_Y"), "{printed}");
    assert!(printed.contains("no default found for AHC_Y: set start and range in the job"), "{printed}");
    let job = folder.0.read("job.toml");
    for line in [
        "seeds = \"0-99\"",
        "env = { AHC_X = \"{AHC_X}\", AHC_Y = \"{AHC_Y}\" }",
        "AHC_X = { float = [0.3, 30.0], log = true, start = 3.0 }",
        "goal = \"minimize\"",
    ] {
        assert!(job.contains(line), "{line}: {job}");
    }
    folder.evolve("check job.toml --trials 4", 0);
}

#[test]
fn only_the_broken_marker_is_reported() {
    let folder = Folder::new(&[], &[]);
    folder.0.write("main.c", "int K = 010; // evolve: [1, 20]\n");
    folder.0.write(
        "job.toml",
        "name = \"x\"\n[program]\ncommand = \"true {K}\"\nsource = [\"main.c\"]\n[search]\nbudget = 100\n",
    );
    let printed = folder.evolve("check job.toml", 2);
    assert!(printed.contains("job.toml:4:1: main.c:1: `K`: 010 is octal in C"), "{printed}");
    assert_eq!(printed.lines().count(), 1, "{printed}");
}
