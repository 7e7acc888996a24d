//! Texts of others in every field of every format, which must not become keys of a job.

use super::{Facts, import, written};
use crate::FoundProgram;
use evolve_program::template::Template;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

/// Texts that would end a comment, a string, a key or a table in TOML.
const HOSTILE: [&str; 10] = [
    "c\nbuild = \"touch PWNED\"\n#",
    "c\r\nbuild = \"touch PWNED\"\r\n#",
    "c\"\nbuild = \"touch PWNED\"\nx = \"",
    "c'\nbuild = \"touch PWNED\"\nx = '",
    "c\"\"\"\nbuild = \"touch PWNED\"\nx = \"\"\"",
    "c]\n[program]\nbuild = \"touch PWNED\"\n",
    "c }\nbuild = \"touch PWNED\"\n{",
    "c\u{2028}\u{85}\u{1b}[2J\u{202e}{k}\\",
    "{k:--x} {{ } $(touch PWNED) `touch PWNED` ; #",
    "\nbuild = \"touch PWNED\"\n\0",
];

/// Checks that a file gives no job, or one with the keys of an import only.
fn check(name: &str, text: &str) {
    // A fault is an answer, too.
    let Ok(imported) = import(Path::new(name), text) else { return };
    let known = Facts::imported(name.to_string(), imported.clone());
    let found = FoundProgram {
        command: imported.command.clone().unwrap_or_else(|| "./s".to_string()),
        score: imported.score.clone(),
        seeds: imported.seeds.clone(),
        files: (!imported.files.is_empty()).then(|| imported.files.clone().into()),
        ..FoundProgram::default()
    };
    let written = written(&found, &known).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
    let job: toml::Table = written.parse().unwrap();
    let keys = |table: &toml::Table| table.keys().cloned().collect::<BTreeSet<String>>();
    assert_eq!(keys(&job), BTreeSet::from(["search", "name", "parameters", "program"].map(String::from)), "{written}");
    let allowed = ["command", "env", "files", "forbid", "goal", "scale", "score", "seeds", "split", "timeout"];
    let own = keys(job["program"].as_table().unwrap());
    assert!(own.iter().all(|key| allowed.contains(&key.as_str())), "{own:?} {written}");
    // Braces in other files are not placeholders.
    for word in evolve_program::split(job["program"]["command"].as_str().unwrap()).unwrap() {
        let placeholders = Template::parse(&word).unwrap_or_else(|error| panic!("{error}: {written}"));
        let known = |name: &str| ["input", "random", "seed"].contains(&name) || job["parameters"].get(name).is_some();
        assert!(placeholders.placeholders().all(|one| known(&one.name)), "{written}");
    }
    let letters = written.chars().filter(|letter| letter.is_control() && !"\n\t".contains(*letter));
    assert_eq!(letters.count(), 0, "{written:?}");
}

/// The files of each format with a text in one of their fields.
fn files(text: &str) -> Vec<(&'static str, String)> {
    let json = |text: &str| serde_json::to_string(text).unwrap();
    let quoted = json(text);
    let mut files = vec![];
    let fields = ["NAME", "TYPE", "CHOICE", "VALUE", "CHILD", "PARENT", "KIND", "LEFT"];
    let space = r#"{"hyperparameters": [{"name": "k", "type": "uniform_int", "lower": 1, "upper": 20},
        {"name": "NAME", "type": "uniform_int", "lower": 1, "upper": 20},
        {"name": "t", "type": "TYPE", "lower": 1, "upper": 20}, {"name": "f", "type": "constant", "value": "VALUE"},
        {"name": "c", "type": "categorical", "choices": ["a", "CHOICE"], "default": "CHOICE", "weights": ["CHOICE"]}],
        "conditions": [{"child": "CHILD", "parent": "k", "type": "EQ", "value": 3},
          {"child": "c", "parent": "PARENT", "type": "KIND", "value": "VALUE"},
          {"child": "NAME", "parent": "c", "type": "IN", "values": ["CHOICE", "VALUE"]}],
        "forbiddens": [{"name": "LEFT", "type": "EQUALS", "value": "VALUE"},
          {"name": "c", "type": "EQUALS", "value": "CHOICE"}, {"left": "LEFT", "right": "NAME", "lambda": "LESS"}]}"#;
    for field in fields {
        files.push(("space.json", space.replace(&format!("\"{field}\""), &quoted)));
    }
    for (name, whole, fields) in [
        (
            "a.pcs",
            "k [1,9] [5]i\nNAME {a, VALUE} [START]\nk | NAME in {a, VALUE}\n{NAME=VALUE, k=3}\nCHILD | k == 3\n",
            &["NAME", "VALUE", "START", "CHILD"][..],
        ),
        (
            "parameters.txt",
            "k \"-k \" i (1, 9)\nNAME \"SWITCH\" c (a, \"VALUE\") | k > 3\nd \"\" c (\"VALUE\")\ne \"-e\" i (1, \"HIGH\")\n[forbidden]\nNAME == \"VALUE\"\nk CLAUSE\n[global]\nGLOBAL\n",
            &["NAME", "SWITCH", "VALUE", "HIGH", "CLAUSE", "GLOBAL"][..],
        ),
        (
            "a.py",
            "import optuna\nstudy = optuna.create_study(direction='DIRECTION')\nk = trial.suggest_int('k', 1, 9)\n{'VARIABLE': str(trial.suggest_int('NAME', 1, 9))}\n\
             if VALUE:\n    c = trial.suggest_categorical('c', ['a', 'CHOICE'])\nd = trial.suggest_KIND('d', LOW, 2)\n",
            &["DIRECTION", "VARIABLE", "NAME", "VALUE", "CHOICE", "KIND", "LOW"][..],
        ),
    ] {
        for field in fields {
            files.push((name, whole.replace(field, text)));
            files.push((name, whole.replace(field, &text.replace(['\n', '\r'], " "))));
        }
    }
    files
}

#[test]
fn texts_of_others_add_no_keys_to_a_job() {
    for text in HOSTILE {
        for (name, file) in files(text) {
            check(name, &file);
        }
    }
}

/// The scenario and the names of its files.
#[test]
fn a_hostile_scenario_adds_no_keys_to_a_job() {
    let whole = "parameterFile = 'p.txt'\ntargetRunner = 'RUNNER/r'\ntargetRunnerLauncher = 'LAUNCHER/r'\ntargetCmdline = 'LINE {seed} {instance} {targetRunnerArgs} LINE'\n\
                 trainInstancesDir = 'FOLDER'\ntrainInstancesFile = 'LIST'\nexecDir = 'EXEC'\ntargetEvaluator = 'OTHER'\nmaxExperiments = COUNT\n";
    for text in HOSTILE.map(|text| text.replace(['\n', '\r'], " ").replace('\'', "")) {
        for field in ["RUNNER", "LAUNCHER", "LINE", "FOLDER", "LIST", "EXEC", "OTHER", "COUNT"] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("p.txt"), "k \"-k \" i (1, 20)\n").unwrap();
            let list = if field == "LIST" { text.as_str() } else { "i.txt" };
            std::fs::write(folder.path().join("LIST"), list).unwrap();
            let scenario = if field == "LIST" { whole.to_string() } else { whole.replace(field, &text) };
            let scenario = match field {
                "LAUNCHER" => scenario,
                _ => scenario
                    .lines()
                    .filter(|line| !line.starts_with("targetRunnerL"))
                    .map(|line| format!("{line}\n"))
                    .collect(),
            };
            check(folder.path().join("scenario.txt").to_str().unwrap(), &scenario);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_text_adds_no_keys_to_a_job(text in "(?s)[\"'\n\r\\[\\]{}=#\\\\ a-z:.]{0,12}\nbuild = \"x\"\n.{0,6}") {
        for (name, file) in files(&text) {
            check(name, &file);
        }
    }
}
