//! The `evolve` command as a user meets it. All programs to judge are scripts of the system's own
//! `sh`.

use crate::shared::{evolve, wait_until};
use assert_cmd::cargo::CommandCargoExt;
use predicates::prelude::*;
use regex::Regex;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{self, Stdio};
use tempfile::TempDir;

/// Ends the game at once, which is correct and scores 0.
const WEAK: &str = "echo 0 0";

/// The subcommands that help lists.
const COMMANDS: [&str; 12] =
    ["init", "check", "run", "status", "watch", "report", "plot", "compare", "explain", "export", "judge", "prove"];

/// Those that it does not list.
const HIDDEN: [&str; 2] = ["worker", "completions"];

fn stdout(args: &[&str], status: i32) -> String {
    let output = evolve(args).assert().code(status).stderr("").get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

/// The message for wrong arguments.
fn refusal(args: &[&str]) -> String {
    let output = evolve(args).assert().code(2).stdout("").get_output().stderr.clone();
    let text = String::from_utf8(output).unwrap();
    assert!(text.starts_with("error: "), "{text}");
    text
}

/// The arguments that judge a script in Solitaire chess.
fn judge<'a>(options: &[&'a str], script: &'a str) -> Vec<&'a str> {
    let game = ["judge", "solitaire-chess", "--group", "3", "--time-limit", "1m"];
    [&game, options, &["--", "/bin/sh", "-c", script]].concat()
}

fn judge_json(options: &[&str], script: &str, status: i32) -> Value {
    let text = stdout(&judge(&[options, &["--json"]].concat(), script), status);
    serde_json::from_str(&text).unwrap()
}

/// docs/command-line.md has the help of the other commands.
#[test]
fn help() {
    for command in ["judge solitaire-chess"].iter().chain(&HIDDEN) {
        let args: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let name = format!("help {command}").trim_end().replace(' ', "-");
        insta::assert_snapshot!(name, stdout(&args, 0));
    }
}

#[test]
fn version() {
    let features = if cfg!(feature = "nats") { "feature nats" } else { "no features" };
    let (version, said) = (env!("CARGO_PKG_VERSION"), stdout(&["--version"], 0));
    // Only release builds name the commit.
    let commit = if cfg!(debug_assertions) { "" } else { "commit [0-9a-f]{10}, " };
    let expected = Regex::new(&format!(r"^evolve {version} \({commit}{features}\)\n$")).unwrap();
    assert!(expected.is_match(&said), "{said}");
}

#[test]
fn every_command_has_a_short_help() {
    for command in COMMANDS {
        assert!(stdout(&["-h"], 0).contains(&format!("\n  {command} ")));
    }
    for command in COMMANDS.iter().chain(&HIDDEN) {
        assert!(stdout(&[command, "-h"], 0).contains("Examples:\n"));
    }
}

#[cfg(not(feature = "nats"))]
#[test]
fn a_build_without_workers_names_the_feature() {
    let folder = TempDir::new().unwrap();
    let job = folder.path().join("job.toml");
    std::fs::write(&job, std::fs::read_to_string("../../configs/quickstart.toml").unwrap()).unwrap();
    for args in [&["worker", "--server", "nats://host"][..], &["run", job.to_str().unwrap(), "--server", "nats://host"]]
    {
        let printed = refusal(args);
        assert!(printed.contains("build it with the feature `nats`: cargo install"), "{printed}");
    }
}

#[test]
fn games_are_listed_and_described() {
    let folder = TempDir::new().unwrap();
    assert!(stdout(&["init", "--help"], 0).contains("- solitaire-chess: remove pieces from"));
    evolve(&["init", "--game", "king-rook"]).current_dir(&folder).assert().success();
    let text = fs::read_to_string(folder.path().join("job.toml")).unwrap();
    for said in [
        "\n# defender = \"mixed\"",
        "# \"mixed\", \"perfect\", \"random\", ",
        "\n[player]\nname = \"",
        "\n# include = [\"*\"]\n",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn the_protocol_of_a_game_is_printed() {
    for game in ["solitaire-chess", "chess-puzzle", "gomoku", "king-rook", "black-out"] {
        let page = stdout(&["judge", "--protocol", game], 0);
        assert!(page.contains("\n    < ") && page.contains("\n    > "), "{game}: {page}");
    }
    assert!(refusal(&["judge", "--protocol"]).contains("<GAME>"));
}

#[test]
fn unknown_games() {
    for args in [&["init", "--game", "chess"] as &[_], &["judge", "chess", "--", "./player"], &["judge", "chess"]] {
        let text = refusal(args);
        assert!(text.contains("chess") && text.contains("solitaire-chess"), "{text}");
    }
}

#[test]
fn wrong_arguments() {
    let game = ["judge", "solitaire-chess"];
    for (args, said) in [
        (&["--group", "7", "--", "true"] as &[_], "7 is not in 1..=6"),
        (&["--group", "-1", "--", "true"], "-1 is not in 1..=6"),
        (&["--group", "three", "--", "true"], "--group"),
        (&["--", "true"], "--group <NUMBER>"),
        (&["--group", "3"], "<PROGRAM>"),
        (&["--group", "3", "true"], "unexpected argument 'true'"),
        (&["--group", "3", "--board", "6", "--", "true"], "unexpected argument '--board'"),
        (&["--group", "3", "--games", "0", "--", "true"], "--games"),
        (&["--group", "3", "--parallel", "0", "--", "true"], "--parallel"),
        (&["--group", "3", "--time-limit", "0s", "--", "true"], "longer than zero"),
        (&["--group", "3", "--time-limit", "2", "--", "true"], "time unit needed"),
        (&["--group", "3", "--time-limit", "soon", "--", "true"], "--time-limit"),
    ] {
        let text = refusal(&[&game as &[_], args].concat());
        assert!(text.contains(said), "{said} in {text}");
    }
    let defender = refusal(&["judge", "king-rook", "--defender", "1", "--", "true"]);
    assert!(defender.contains("perfect, random"), "{defender}");
    assert!(refusal(&["chek"]).contains("'check'"));
    refusal(&["completions", "cmd"]);
}

#[test]
fn a_weak_program_is_correct() {
    let text = stdout(&judge(&["--games", "3", "--seed", "5"], WEAK), 0);
    let (head, _) = text.split_once("\nlowest score").unwrap();
    insta::assert_snapshot!(head, @r"
    command  /bin/sh -c 'echo 0 0'
    game     solitaire-chess --group 3
    seed     5
    limit    1m

    games                      3
    failed                     0

    mean score            0.0000
      standard error      0.0000
      standard deviation  0.0000
      tiles               0.0000 part
      runs                0.0000 part
      number_sets         0.0000 part
      chess_sets          0.0000 part
      alternation         0.0000 part
    ");

    let json = judge_json(&["--games", "3"], WEAK, 0);
    assert_eq!(json["command"][2], WEAK);
    assert_eq!(json["game"], "solitaire-chess");
    assert_eq!(json["options"]["group"], 3);
    assert_eq!((&json["seed"], &json["requested"], &json["games"]), (&1.into(), &3.into(), &3.into()));
    assert_eq!((&json["failed"], &json["interrupted"]), (&0.into(), &false.into()));
    assert_eq!(json["time_limit"], 60.0);
    assert_eq!(json["score"]["mean"], 0.0);
}

#[test]
fn correct_and_failed_games_count_together() {
    // Every other game removes one tile, which is a score of 1, and the others crash.
    let folder = TempDir::new().unwrap();
    let mark = folder.path().join("mark");
    let script = format!(
        "mark='{}'; if rm \"$mark\" 2>&-; then exit 1; else : >\"$mark\"; fi; echo 1 1; {WEAK}",
        mark.display()
    );
    let json = judge_json(&["--games", "4"], &script, 1);
    assert_eq!((&json["games"], &json["failed"]), (&4.into(), &2.into()));
    assert_eq!((&json["score"]["mean"], &json["mean_of_correct"]), (&0.5.into(), &1.0.into()));
    assert_eq!(json["failures"][1]["dialogue"], 3);
    assert_eq!(json["failures"][1]["message"], "crashed with status 1 before it printed line 1");
}

#[test]
fn a_failed_game_counts_as_lost() {
    let failed = ["judge", "king-rook", "--games", "2", "--json", "--", "/bin/sh", "-c", "exit 1"];
    let report: Value = serde_json::from_str(&stdout(&failed, 1)).unwrap();
    assert_eq!(report["score"]["mean"], 0.0);
}

#[test]
fn the_number_of_games_is_a_multiple_of_games_per_process() {
    let refused = ["judge", "black-out", "--rounds", "2", "--games", "3", "--", "/bin/sh", "-c", "exit 1"];
    let stderr = refusal(&refused);
    assert!(stderr.contains("3 is not a multiple"), "{stderr}");
}

#[test]
fn failed_games_are_reported() {
    let text = stdout(&judge(&["--games", "2"], "echo nonsense"), 1);
    let (head, _) = text.split_once("\nmean score").unwrap();
    insta::assert_snapshot!(head, @r#"
    game 0: malformed line 1: expected a row and a column; got "nonsense"
    game 1: malformed line 1: expected a row and a column; got "nonsense"

    command  /bin/sh -c 'echo nonsense'
    game     solitaire-chess --group 3
    seed     1
    limit    1m

    games                      2
    failed                     2 counted as score 0
      malformed                2
    "#);

    let json = judge_json(&["--games", "2"], "echo because >&2; echo nonsense", 1);
    assert_eq!(json["failed_by_kind"]["malformed"], 2);
    assert_eq!(json["failures"][1]["dialogue"], 1);
    assert_eq!(json["failures"][1]["stderr"], "because\n");
}

#[test]
fn games_depend_only_on_the_seed() {
    let boards = |options: &[&str]| -> Vec<String> {
        let json = judge_json(options, "head -n 6 >&2; exit 1", 1);
        let failures = json["failures"].as_array().unwrap();
        failures.iter().map(|failure| failure["stderr"].as_str().unwrap().to_string()).collect()
    };
    let six = boards(&["--games", "6", "--parallel", "3"]);
    assert!(six.iter().all(|board| board.lines().count() == 6), "{six:?}");
    assert_ne!(six[0], six[1]);
    assert_eq!(boards(&["--games", "2"]), six[..2]);
    assert_ne!(boards(&["--games", "2", "--seed", "2"]), six[..2]);
}

#[test]
fn a_program_that_cannot_be_started_is_a_usage_error() {
    let options = ["judge", "solitaire-chess", "--group", "1", "--", "./no-such-program"];
    assert!(refusal(&options).contains("cannot start ./no-such-program"));
}

#[test]
fn an_interruption_is_reported() {
    for (signal, json) in [(Signal::INT, false), (Signal::TERM, true)] {
        let folder = TempDir::new().unwrap();
        let mark = folder.path().join("second");
        // The first game ends, the second never does.
        let script = format!(
            "if [ -e first ]; then : >{mark}; exec sleep 100000; else : >first; {WEAK}; fi",
            mark = mark.file_name().unwrap().to_str().unwrap()
        );
        let mut command = process::Command::cargo_bin("evolve").unwrap();
        command.args(judge(if json { &["--json"] } else { &[] }, &script)).current_dir(folder.path());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until(|| mark.exists());
        // Some senders send each signal twice.
        kill_process(Pid::from_child(&child), signal).unwrap();
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert_eq!(output.stderr, b"");
        let text = String::from_utf8(output.stdout).unwrap();
        if json {
            let json: Value = serde_json::from_str(&text).unwrap();
            assert_eq!((&json["interrupted"], &json["games"]), (&true.into(), &1.into()));
        } else {
            assert!(text.ends_with("\nInterrupted: 1 of 100 games were played.\n"), "{text}");
        }
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    for args in [
        vec!["completions", "bash"],
        vec!["judge", "--protocol", "gomoku"],
        judge(&["--games", "100000"], "echo nonsense"),
    ] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = process::Command::cargo_bin("evolve").unwrap();
        let child = command.args(args).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(141));
        assert_eq!(output.stderr, b"");
    }
}

fn write_run(folder: &Path) {
    fs::create_dir(folder).unwrap();
    let table = "generation,trials_played,best,mean,sd,weight.hand,sd.hand,mean.hand\n1,120,9.5,8,0.5,1,0.25,1\n2,240,9.75,9,0.5,2,0.2,2\n";
    fs::write(folder.join("generations.csv"), table).unwrap();
}

#[test]
fn plots() {
    let root = TempDir::new().unwrap();
    let [a, b, both] = ["a", "b", "both"].map(|name| root.path().join(name));
    write_run(&a);
    write_run(&b);
    let [a, b, both] = [&a, &b, &both].map(|path| path.to_str().unwrap());

    let files = stdout(&["plot", a], 0);
    assert_eq!(files, format!("{a}/plots/scores.svg\n{a}/plots/weights.svg\n"));
    assert!(files.lines().all(|file| Path::new(file).is_file()));

    let text = refusal(&["plot", a, b]);
    assert!(text.contains("--output DIR"), "{text}");
    let files = stdout(&["plot", a, b, "--output", both], 0);
    assert_eq!(files, format!("{both}/scores.svg\n{both}/weights.svg\n"));
    assert!(files.lines().all(|file| Path::new(file).is_file()));
}

#[test]
fn plots_of_a_folder_without_a_run() {
    let root = TempDir::new().unwrap();
    let text = refusal(&["plot", root.path().to_str().unwrap()]);
    assert!(text.contains("generations.csv") && text.contains("folder of a run"), "{text}");
    fs::write(root.path().join("generations.csv"), "generation\n1\n").unwrap();
    evolve(&["plot", root.path().to_str().unwrap()])
        .assert()
        .code(1)
        .stderr(predicate::str::starts_with("error: ").and(predicate::str::contains("missing field `trials_played`")));
}

#[test]
fn the_contests_own_games_are_played() {
    let judge = |numbers: &str, script: &str, status| -> Value {
        let program = ["--json", "--time-limit", "1m", "--", "/bin/sh", "-c", script];
        let args = [&["judge", "chess-puzzle", "--cases", numbers] as &[_], &program].concat();
        serde_json::from_str(&stdout(&args, status)).unwrap()
    };
    let report = judge("1-10", "head -n 3 >&2; exit 1", 1);
    assert_eq!((&report["games"], &report["seeds"]), (&10.into(), &serde_json::json!([1, 10])));
    assert_eq!(report["failures"][0]["stderr"], "1\n6\nR3242RQB1\n");
    let stderr = refusal(&["judge", "solitaire-chess", "--group", "1", "--cases", "1-10", "--", "true"]);
    assert!(stderr.contains("known for chess-puzzle, but not for solitaire-chess"), "{stderr}");
}

#[test]
fn proofs() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let path = |name: &str| results.join(name).to_str().unwrap().to_string();
    let proven = evolve(&["prove", &path("gomoku"), "--json"]).assert().success().get_output().stdout.clone();
    let json: Value = serde_json::from_slice(&proven).unwrap();
    assert_eq!((&json["game"], &json["proven"]), (&"gomoku".into(), &true.into()));
    assert!(refusal(&["prove", &path("solitaire-chess/group-1")]).contains("`prove` works for "));
}

#[test]
fn exports() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/king-rook");
    let exported = stdout(&["export", results.to_str().unwrap(), "--output", "-"], 0);
    assert!(exported == fs::read_to_string(results.join("submission.rs")).unwrap());
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("submission.rs");
    let args = ["export", results.to_str().unwrap(), "--output", file.to_str().unwrap(), "--time-limit", "1s"];
    evolve(&args)
        .assert()
        .success()
        .stdout("")
        .stderr("note: king-rook plays without a clock: the time limit changes nothing\n");
    assert!(exported == fs::read_to_string(file).unwrap());
}

/// Returns what completes the last word.
fn offered(folder: &Path, words: &[&str]) -> Vec<String> {
    let mut command = evolve(&[&["--", "evolve"], words].concat());
    command.current_dir(folder).env("EVOLVE_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    let output = command.assert().success().stderr("").get_output().stdout.clone();
    String::from_utf8(output).unwrap().lines().map(String::from).collect()
}

#[test]
fn completions_know_games_and_runs() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(&["completions", shell], 0);
        assert!(script.contains("EVOLVE_COMPLETE") && script.contains("evolve"), "{shell}");
    }
    let folder = TempDir::new().unwrap();
    for run in ["first", "tour", "tour/rounds/1", "empty"] {
        let run = folder.path().join("results").join(run);
        fs::create_dir_all(&run).unwrap();
        if !run.ends_with("empty") {
            fs::write(run.join("checkpoint"), "").unwrap();
        }
    }
    let offered = |words: &[&str]| offered(folder.path(), words);
    assert_eq!(offered(&["status", ""])[..3], ["first", "tour", "tour/rounds/1"]);
    for command in ["best", "compare", "explain", "export", "log", "plot", "prove", "repeat", "report"] {
        assert_eq!(offered(&[command, "fi"]), ["first"], "{command}");
    }
    assert_eq!(offered(&["run", "--after", "to"]), ["tour", "tour/rounds/1"]);
    assert_eq!(offered(&["status", "res"]), ["results/"], "folders, too");
    assert_eq!(offered(&["init", "--game", "so"]), ["solitaire-chess"]);
    assert!(offered(&["judge", ""]).contains(&"gomoku".to_string()));
    assert_eq!(offered(&["sta"]), ["status"]);
}

/// As bash does it, with the script.
#[test]
#[cfg(unix)]
fn bash_completes_the_name_of_a_run() {
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("results/first");
    fs::create_dir_all(&run).unwrap();
    fs::write(run.join("checkpoint"), "").unwrap();
    let command = Path::new(env!("CARGO_BIN_EXE_evolve")).parent().unwrap();
    let lines = "source <(evolve completions bash)\n\
        COMP_WORDS=(evolve status f) COMP_CWORD=2 COMP_TYPE=9\n\
        $(complete -p evolve | sed 's/.*-F \\([^ ]*\\).*/\\1/') evolve f status\n\
        echo \"${COMPREPLY[@]}\"";
    let mut bash = process::Command::new("bash");
    bash.args(["-c", lines]).current_dir(folder.path());
    let path = format!("{}:{}", command.display(), std::env::var("PATH").unwrap());
    let output = bash.env("PATH", path).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "first\n", "{output:?}");
}
