//! Jobs imported from files of other tuners, and the examples that `evolve init` writes.

use crate::shared::Bench;
use std::fs;
use std::path::Path;

fn folder(files: &[(&str, &str)]) -> Bench {
    let folder = Bench::empty();
    for (name, text) in files {
        folder.write(name, text);
    }
    folder
}

/// The sample of pahcer for tuning with Optuna (`optuna-sample` in terry-u16/pahcer, MIT), without
/// its second of sleep: the function of an integer and a float is found within 60 trials.
const OPTIMIZE: &str = r#"import optuna
def generate_params(trial):
    return {"AHC_X": str(trial.suggest_int("x", -10, 10)), "AHC_Y": str(trial.suggest_float("y", -10.0, 10.0))}
direction = "minimize"
"#;
const PAHCER: &str = r#"[problem]
objective = "Min"
score_regex = '^\s*Score\s*=\s*(?P<score>\d+)\s*$'
[test]
start_seed = 0
end_seed = 100
compile_steps = []
[[test.test_steps]]
program = "python"
args = ["solution.py"]
"#;
const SOLUTION: &str = r#"import os
x = int(os.getenv("AHC_X") or 7)
y = float(os.getenv("AHC_Y") or 8.0)
print(f"Score = {int((x * x + y * y) * 1000000)}")
"#;

#[test]
fn pahcers_sample_for_optuna_is_imported() {
    let folder = folder(&[("optimize.py", OPTIMIZE), ("pahcer_config.toml", PAHCER), ("solution.py", SOLUTION)]);
    folder.evolve(&["init", "--from", "optimize.py"]).assert().success();
    let job = folder.read("job.toml");
    for line in [
        "env = { AHC_X = \"{x}\", AHC_Y = \"{y}\" }",
        "goal = \"minimize\"",
        "scale = \"raw\"",
        "# From optimize.py.",
        "x = { int = [-10, 10], start = 7 }",
        "y = { float = [-10.0, 10.0], start = 8.0 }",
    ] {
        assert!(job.lines().any(|one| one == line), "{line}: {job}");
    }
    let run = ["run", "job.toml", "--set", "search.budget=60", "--set", "name=\"found\""];
    let output = folder.evolve(&run).assert().success();
    let printed = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(
        printed.contains("nothing was held out") && printed.contains("improvement found: the finalist is better"),
        "{printed}"
    );
    assert!(printed.contains("  (negative is better)\n"), "{printed}");
    let weights = folder.read("results/found/recommendation.toml");
    let value = |name: &str| -> f64 {
        let line = weights.lines().rfind(|line| line.starts_with(&format!("{name} = "))).unwrap();
        line.split_once("= ").unwrap().1.parse().unwrap()
    };
    assert!(value("x") == 0.0 && value("y").abs() < 0.05, "{weights}");
    let trials = folder.read("results/found/trials.csv").lines().count() - 1;
    assert!(trials <= 60, "{trials}");
}

#[test]
fn a_configuration_of_pahcer_is_imported_by_name() {
    let jobs = [&["init"][..], &["init", "--from", "pahcer_config.toml", "--yes"]].map(|command| {
        let folder = folder(&[("pahcer_config.toml", PAHCER), ("solution.py", SOLUTION)]);
        folder.evolve(command).assert().success();
        let job = folder.read("job.toml");
        job.lines().filter(|line| !line.starts_with("name = ")).collect::<Vec<_>>().join("\n")
    });
    assert_eq!(jobs[0], jobs[1]);
    assert!(jobs[1].contains("AHC_X = { int = ") && jobs[1].contains("seeds = \"0-99\""), "{}", jobs[1]);
    let folder = folder(&[("pahcer_config.toml", "[test]\n")]);
    fs::create_dir(folder.path().join("below")).unwrap();
    let path = "../pahcer_config.toml";
    for (at, path, message) in [("", "pahcer_config.toml", "no `test.test_steps`"), ("below", path, "start there")] {
        let mut command = folder.evolve(&["init", "--from", path]);
        let stderr = command.current_dir(folder.path().join(at)).assert().code(2);
        let stderr = String::from_utf8_lossy(&stderr.get_output().stderr).into_owned();
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn a_scenario_of_irace_is_tuned() {
    let runner = "#!/bin/sh\n# configuration, instance, seed, file, parameters\nshift 3\nread base < $1\nk=${3#--k=}\n\
                  echo starting\necho $((base + (k - 4) * (k - 4))) 0.5\n";
    let folder = folder(&[
        (
            "scenario.txt",
            "targetRunner = \"target-runner\"\ntrainInstancesDir = \"\"\ntrainInstancesFile = \"list.txt\"\n\
             maxExperiments = 60\n",
        ),
        ("parameters.txt", "k \"--fast  --k=\" i (1, 20)\n[forbidden]\nk == 4 | k > 15 & k < 18\nk * 2 == 6\n"),
        ("target-runner", runner),
    ]);
    fs::create_dir(folder.path().join("Instances")).unwrap();
    let list: String = (0..16).map(|i| format!("Instances/i{i}.txt\n")).collect();
    folder.write("list.txt", list);
    for i in 0..20 {
        folder.write(format!("Instances/i{i}.txt"), format!("{}\n", 100 + i));
    }
    let made = std::process::Command::new("chmod").args(["+x", "target-runner"]).current_dir(&folder).status();
    assert!(made.unwrap().success());
    // The runner comes with the scenario, so it is not started unasked.
    let runs = "#!/bin/sh\ntouch started\n";
    folder.write("target-runner", runs);
    let (_, printed) = folder.texts(&["init", "--from", "scenario.txt", "--output", "first.toml"], 0);
    assert!(
        printed.contains("not started, because scenario.txt names the command: ./target-runner 1 1 {random} {input}")
            && printed.contains("`evolve check first.toml` starts it, as does --yes"),
        "{printed}"
    );
    assert!(
        !folder.path().join("started").exists() && folder.read("first.toml").contains("command = \"./target-runner")
    );
    folder.write("target-runner", runner);
    let (_, printed) = folder.texts(&["init", "--from", "scenario.txt", "--yes"], 0);
    for line in [
        "starting what scenario.txt names: ./target-runner",
        "not imported: forbidden: k * 2 == 6",
        "ran 4 trials twice",
    ] {
        assert!(printed.contains(line), "{printed}");
    }
    folder.evolve(&["run", "job.toml", "--quiet", "--set", "name=\"found\""]).assert().success();
    let job = folder.read("job.toml");
    assert!(job.contains("\n    \"Instances/i15.txt\",\n]") && !job.contains("i16"), "{job}");
    assert!(job.contains("\nbudget = 60 ") && !job.contains("split = false"), "{job}");
    assert!(folder.read("job.toml").contains("\nforbid = [\"k == 4 || k > 15 && k < 18\"]\n"));
    let weights = folder.read("results/found/recommendation.toml");
    assert!(weights.contains("\nk = 3\n") || weights.contains("\nk = 5\n"), "{weights}");
}

#[test]
fn constants_marked_for_ahc_plaza_are_imported() {
    let source = "#include <cstdio>\nconst int BEAM = 50; // @tune 10 200 log\nconst int OTHER = 4;\n\
                  int main() { std::printf(\"Score = %d\\n\", BEAM + OTHER); }\n";
    let folder = folder(&[("main.cpp", source)]);
    folder.evolve(&["init", "--from", "main.cpp"]).assert().success();
    let marked = folder.read("main.cpp");
    assert!(marked.contains("(\"EVOLVE_BEAM\", 50); // evolve: [10, 200] log"), "{marked}");
    assert!(marked.contains("\nconst int OTHER = 4;\n"), "{marked}");

    let source = "const int SIZE = 8; // @tune 4 16\nint table[SIZE];\nconst long long MAX_N = 5LL; /* @tune 1LL 9LL */\n\
                  int main() { int k = 3; /* @tune 1 5 */ k++; return MAX_N + k; }\nconst int FAR = 50; // @tune 1 5\nint f() { int wide = 3; /* @tune 1 5 */ return wide; }\n";
    folder.write("main.cpp", source);
    let (_, stderr) = folder.texts(&["init", "--from", "main.cpp"], 2);
    assert!(stderr.contains("job.toml exists") && folder.read("main.cpp") == source, "{stderr}");
    fs::remove_file(folder.path().join("job.toml")).unwrap();
    let (_, stderr) = folder.texts(&["init", "--from", "main.cpp"], 0);
    for (line, is_lost) in [(1, true), (3, false), (4, true), (5, true), (6, false)] {
        assert_eq!(stderr.contains(&format!("not imported: main.cpp: line {line}: ")), is_lost, "{stderr}");
    }
    fs::remove_file(folder.path().join("job.toml")).unwrap();
    folder.write("other.cpp", "int main() { int k = 3; /* @tune 1 5 */ return ++k; }\n");
    let (_, stderr) = folder.texts(&["init", "--from", "other.cpp"], 2);
    assert!(stderr.contains("other.cpp: no line with @tune can be imported"), "{stderr}");
}

/// The study of `examples/coming-from` in the files of each tool becomes the same study, which a
/// small budget improves.
#[test]
fn the_same_study_is_imported_from_each_tool() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/coming-from");
    let page = fs::read_to_string(example.join("README.md")).unwrap();
    let commands: Vec<&str> = page.lines().filter(|line| line.starts_with("evolve init")).collect();
    let parameters = |middle: bool| {
        let start = |start, guess| if middle { guess } else { start };
        [
            format!("k = {{ int = [1, 20], start = {} }}", start("15", "11")),
            format!("temp = {{ float = [0.01, 100.0], log = true, start = {} }}", start("30.0", "1.0")),
            "move = { choice = [\"swap\", \"2opt\"], start = \"swap\" }".to_string(),
        ]
    };
    assert_eq!(commands.len(), 6);
    for command in commands {
        let folder = folder(&[]);
        for (from, to) in
            [(example.clone(), folder.path().to_path_buf()), (example.join("in"), folder.path().join("in"))]
        {
            fs::create_dir_all(&to).unwrap();
            for file in fs::read_dir(from).unwrap().map(|file| file.unwrap().path()).filter(|file| file.is_file()) {
                fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
            }
        }
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let (_, stderr) = folder.texts(&words, 0);
        assert!(stderr.contains("ran 4 trials twice") && !stderr.contains("not imported"), "{command}: {stderr}");
        let job = folder.read("job.toml");
        match words.iter().copied().rfind(|word| *word != "--yes").unwrap() {
            "main.cpp" => {
                let source = folder.read("main.cpp");
                for marker in ["// evolve: [1, 20]\n", "// evolve: [0.01, 100.0] log\n", "// evolve: bool\n"] {
                    assert!(source.contains(marker), "{source}");
                }
            }
            "pahcer_config.toml" => assert!(job.contains("AHC_K = { int = ") && job.contains("AHC_TEMP = "), "{job}"),
            file => {
                let expected = parameters(file == "optimize.py");
                assert!(expected.iter().all(|line| job.lines().any(|own| own == line)), "{job}");
            }
        }
        assert!(job.contains("goal = \"minimize\"") || words.contains(&"main.cpp"), "{job}");
        // The other jobs differ in their commands, which the first trials have shown to work.
        if !["main.cpp", "optimize.py"].contains(words.last().unwrap()) {
            continue;
        }
        let run = ["run", "job.toml", "--quiet", "--set", "search.budget=60", "--set", "program.goal=\"minimize\""];
        folder.evolve(&run).assert().success();
        let results = fs::read_dir(folder.path().join("results")).unwrap().next().unwrap().unwrap().path();
        let weights = fs::read_to_string(results.join("recommendation.toml")).unwrap();
        assert!(weights.contains("\nimprovement = true\n"), "{command}: {weights}");
    }
}

/// A data file adds no keys to the job, whose trials `init` plays.
#[test]
fn a_data_file_starts_no_commands() {
    let space = r#"{"hyperparameters":[{"name":"k","type":"uniform_int","lower":1,"upper":20},
        {"name":"c\nbuild = \"touch PWNED\"\n#","type":"constant","value":1},
        {"name":"d","type":"t\nbuild = \"touch PWNED\"\n#"}],"conditions":[],"forbiddens":[]}"#;
    let folder = folder(&[("solver.py", "print('Score = 5')\n"), ("space.json", space)]);
    let hostile = "a\nbuild = \"touch PWNED\"\n#.json";
    folder.write(hostile, space);
    for (file, job) in [("space.json", "job.toml"), (hostile, "other.toml")] {
        let (_, stderr) = folder.texts(&["init", "solver.py", "--from", file, "--output", job], 0);
        assert!(stderr.contains("ran 4 trials twice") && !folder.path().join("PWNED").exists(), "{stderr}");
        let job: toml::Table = folder.read(job).parse().unwrap();
        assert!(!job["program"].as_table().unwrap().contains_key("build"), "{job}");
    }
}

#[test]
fn the_direction_of_a_study_is_not_guessed() {
    let script = "k = trial.suggest_int('k', 1, 9)\nstudy = optuna.create_study(direction=args.direction)\n";
    let folder = folder(&[("solver.py", "print('Score = 5')\n"), ("optimize.py", script)]);
    let init = ["init", "solver.py", "--from", "optimize.py", "--output"];
    let (_, stderr) = folder.texts(&[&init[..], &["first.toml"]].concat(), 0);
    assert!(
        stderr.contains("not imported: direction: args.direction\n") && stderr.contains("set `goal` in the job"),
        "{stderr}"
    );
    let job = folder.read("first.toml");
    assert!(!job.lines().any(|line| line.starts_with("goal")) && job.contains("\n# goal = "), "{job}");
    // The configuration of pahcer decides.
    folder.write("pahcer_config.toml", PAHCER.replace("\"Min\"", "\"Max\""));
    for (direction, says) in
        [("args.direction", ""), ("'minimize'", "direction: minimize, because pahcer_config.toml says")]
    {
        folder.write("optimize.py", script.replace("args.direction", direction));
        let job = format!("of_{}.toml", says.len());
        let (_, stderr) = folder.texts(&[&init[..], &[&job]].concat(), 0);
        assert!(stderr.contains(says) && folder.read(&job).contains("\ngoal = \"maximize\"\n"), "{stderr}");
    }
}

#[test]
fn a_script_of_another_tuner_is_not_the_program() {
    let script = "k = trial.suggest_int('k', 1, 9)\nopen('started', 'w')\n";
    let folder = folder(&[("optimize.py", script)]);
    let (_, stderr) = folder.texts(&["init", "--from", "optimize.py"], 2);
    assert!(stderr.contains("name the program to tune: evolve init PROGRAM --from optimize.py"), "{stderr}");
    assert!(!folder.path().join("started").exists() && !folder.path().join("job.toml").exists());
}

#[test]
fn unsupported_files_are_reported() {
    let folder = folder(&[("main.py", "print('Score = 1')\n"), ("empty.pcs", "\n"), ("bad.pcs", "k [1,2]\n")]);
    for (file, message) in [
        ("none.pcs", "none.pcs: "),
        ("empty.pcs", "empty.pcs declares no parameters"),
        ("bad.pcs", "bad.pcs: line 1: `k [1,2]` does not declare a parameter"),
        ("main.py", "main.py declares no parameters"),
    ] {
        let refused = folder.evolve(&["init", "--from", file]).assert().code(2);
        let printed = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(printed.contains(message), "{printed}");
    }
    assert!(!folder.path().join("job.toml").exists());
}

#[test]
fn an_example_and_the_files_of_workers() {
    let folder = folder(&[]);
    folder.evolve(&["init", "--example", "quickstart"]).assert().success();
    let committed = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/quickstart.toml"));
    assert!(folder.read("quickstart.toml").ends_with(&committed.unwrap()), "the example is the job of this name");
    folder.evolve(&["check", "quickstart.toml", "--trials", "2"]).assert().success();
    for (languages, file) in
        [(&["cpp"][..], "evolve.hpp"), (&["python", "py"], "evolve.py"), (&["rust", "rs"], "evolve.rs")]
    {
        for language in languages {
            folder.evolve(&["init", "--worker", language]).assert().success();
            assert!(folder.read(file).contains("evolve"));
            folder.evolve(&["init", "--worker", language]).assert().code(2);
            fs::remove_file(folder.path().join(file)).unwrap();
        }
    }
    folder.evolve(&["manual", "man"]).assert().success();
    assert!(folder.read("man/evolve-run.1").contains("evolve\\-run"));
}
