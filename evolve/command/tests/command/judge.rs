//! Games with a program, checked one by one: transcripts, tables, and another program on the same
//! games. All programs are scripts of the system's own `sh`.

use crate::shared::evolve;
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

/// Ends the game at once, which is correct and scores 0.
const WEAK: &str = "echo 0 0";
/// Removes one tile first: a score of 1.
const ONE: &str = "echo 1 1; echo 0 0";

/// Standard output of games of Solitaire chess.
fn judge(options: &[&str], script: &str, status: i32) -> String {
    let mut command = evolve(&["judge", "solitaire-chess", "--group", "3", "--time-limit", "1m"]);
    command.args(options);
    let output = command.args(["--", "/bin/sh", "-c", script]).assert().code(status).get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

/// Lines of a transcript: sender and text.
fn lines(text: &str) -> Vec<(String, String)> {
    let line = |line: &str| {
        let (who, text) = line.split_at_checked(22)?.1.trim_start().split_once(' ')?;
        ["judge", "program", "stderr"].contains(&who).then(|| (who.to_string(), text.trim().to_string()))
    };
    text.lines().filter_map(line).collect()
}

#[test]
fn a_game_is_played_again() {
    let script = "read first; echo \"got $first\" >&2; echo 1 1; read piece; printf '\\033[2Jodd' >&2; echo 0 0";
    let text = judge(&["--game", "17", "--transcript"], script, 0);
    assert!(text.starts_with("game 17\n") && text.contains("ended: correct, score 1, "), "{text}");
    let lines = lines(&text);
    let of = |who: &str| -> Vec<&str> {
        lines.iter().filter(|(other, _)| other == who).map(|(_, text)| text.as_str()).collect()
    };
    assert_eq!(of("program"), ["1 1", "0 0"]);
    let sent = of("judge");
    assert_eq!(of("stderr"), [&format!("got {}", sent[0]), r"\u{1b}[2Jodd"], "{text}");
    assert!(!text.contains('\u{1b}'));

    // It is the same game as in a run of all games.
    let all = judge(&["--games", "18", "--transcript"], ONE, 0);
    let (_, last) = all.split_once("game 17\n").unwrap();
    let board = |text: &str| -> Vec<String> {
        self::lines(text).into_iter().take_while(|(who, _)| who == "judge").map(|(_, text)| text).collect()
    };
    assert_eq!(board(&text), board(last));
}

#[test]
fn the_table_has_a_row_for_each_game() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games.csv");
    let options = ["--game", "5", "--csv", file.to_str().unwrap()];
    judge(&options, ONE, 0);
    let table = fs::read_to_string(&file).unwrap();
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[0].starts_with("game,place,result,score,seconds,tiles,runs,"), "{table}");
    assert!(rows[1].starts_with("5,0,correct,1,") && rows.len() == 2, "{table}");
    judge(&["--games", "3", "--csv", file.to_str().unwrap()], "exit 7", 1);
    let table = fs::read_to_string(&file).unwrap();
    assert_eq!(table.lines().skip(1).filter(|row| row.contains(",crash,0,")).count(), 3, "{table}");
}

#[test]
fn failed_games_are_kept_with_the_command_that_replays_them() {
    let folder = TempDir::new().unwrap();
    let (kept, mark) = (folder.path().join("kept"), folder.path().join("mark"));
    // Every other game fails.
    let script = format!(
        "mark='{}'; if rm \"$mark\" 2>&-; then echo oops >&2; exit 3; else : >\"$mark\"; fi; {ONE}",
        mark.display()
    );
    let text = judge(&["--games", "4", "--seed", "9", "--keep-failed", kept.to_str().unwrap()], &script, 1);
    assert!(text.contains("game 1: crashed with status 3"), "{text}");
    let mut names: Vec<_> = fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["game-1.txt", "game-3.txt"]);
    let kept = fs::read_to_string(kept.join("game-3.txt")).unwrap();
    assert!(kept.contains("stderr   oops\n") && kept.contains("ended: crashed with status 3"), "{kept}");
    let again =
        "reproduce it with: evolve judge solitaire-chess --group 3 --seed 9 --game 3 --time-limit 1m --transcript";
    assert!(kept.contains(again), "{kept}");
}

#[test]
fn two_programs_play_the_same_games() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games.csv");
    let options = ["--games", "40", "--parallel", "2", "--csv", file.to_str().unwrap(), "--against"];
    let against = format!("/bin/sh -c '{WEAK}'");
    let text = judge(&[&options[..], &[&against]].concat(), ONE, 0);
    let (_, compared) = text.split_once("\nagainst").unwrap();
    insta::assert_snapshot!(format!("against{compared}"), @r"
    against     /bin/sh -c 'echo 0 0'
      its mean score  0.0000 over the same 40 games
      difference      +1.0000, 95 % interval +1.0000 to +1.0000 by pairs: better
      game by game    40 better, 0 worse, 0 the same
    ");
    let table = fs::read_to_string(&file).unwrap();
    assert!(table.lines().nth(1).unwrap().starts_with("0,0,correct,1,") && table.contains(",correct,0,"), "{table}");

    let json = judge(&[&options[..], &["exit"], &["--json"]].concat(), WEAK, 2);
    assert_eq!(json, "", "a program that cannot be started is wrong usage");
    let json: Value = serde_json::from_str(&judge(&["--games", "2", "--json", "--against", &against], ONE, 0)).unwrap();
    assert_eq!(json["against"]["difference"], 1.0);
}

#[test]
fn a_shortage_of_resources_is_not_a_failed_game() {
    let judge = |descriptors: u32| {
        let script = format!("ulimit -n {descriptors}; exec \"$@\"");
        let options = "judge solitaire-chess --group 3 --games 12 --parallel 8 --time-limit 1m --";
        std::process::Command::new("/bin/sh")
            .args(["-c", &script, "sh", env!("CARGO_BIN_EXE_evolve")])
            .args(options.split(' '))
            .args(["/bin/sh", "-c", "echo 0 0"])
            .output()
            .unwrap()
    };
    let none = judge(10);
    let text = String::from_utf8_lossy(&none.stderr);
    assert_eq!(none.status.code(), Some(1), "{none:?}");
    assert!(text.starts_with("error: no more games can be played: ") && text.contains("ulimit -n"), "{text}");
    assert!(none.stdout.is_empty());
}
