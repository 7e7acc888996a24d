//! Each program in results/ against its player: `programs GAMES [NAME..]` plays so many games with each, or with those named, by
//! its standard input and output. The player reads what the program was told, and has to say the same.

use evolve_core::contest::{Referee, Reply};
use evolve_core::policy_file::Policy;
use evolve_core::problem::Catalogue;
use evolve_games::GAMES;
use policy::clock::Clock;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program's player: what it prints to an input.
type Say = Box<dyn Fn(&[u8], &mut Vec<u8>) -> Result<(), String>>;

fn results(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../results").join(name)
}

fn policy(name: &str) -> Policy {
    Policy::read(&results(name), &Catalogue::new(&GAMES)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// Builds a program as a contest does, but without a clock: with one it plays by the time that it has.
fn build(game: &str, folder: &Path) -> PathBuf {
    let source = fs::read_to_string(results(game).join("submission.rs")).expect("the submission is there");
    let line = source.lines().find(|line| line.starts_with("const TIME: Option<Duration> ="));
    let source = match line {
        Some(line) => source.replace(line, "const TIME: Option<Duration> = None;"),
        None => source,
    };
    let (file, program) = (folder.join(format!("{game}.rs")), folder.join(game));
    fs::write(&file, source).expect("there is room");
    let built = Command::new("rustc").args(["-O", "--edition", "2021", "-o"]).arg(&program).arg(&file).status();
    assert!(built.expect("rustc runs").success());
    program
}

/// Plays a game with a program: what it was told, and what it said.
fn converse(program: &Path, mut referee: Box<dyn Referee>) -> (String, String) {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("it has an input");
    let mut lines = BufReader::new(child.stdout.take().expect("it has an output")).lines();
    let (mut told, mut said) = (referee.open(), String::new());
    input.write_all(told.as_bytes()).expect("it reads");
    loop {
        let line = lines.next().expect("a move").expect("text");
        said += &format!("{line}\n");
        match referee.answer(&line) {
            Reply::Send(text) => {
                input.write_all(text.as_bytes()).expect("it reads");
                told += &text;
            }
            Reply::Over(text) => {
                // The program may be gone already.
                let _ = input.write_all(text.as_bytes());
                told += &text;
                break;
            }
            wrong => panic!("{line}: {wrong:?}"),
        }
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
    (told, said)
}

fn check(game: &str, policies: &[Policy], games: u64, say: &dyn Fn(&Policy) -> Say) {
    let folder = tempfile::tempdir().expect("there is room");
    let program = build(game, folder.path());
    for deal in 0..games {
        let policy = &policies[deal as usize % policies.len()];
        let contest = policy.source.problem.contest().expect("it is a contest");
        let (told, said) = converse(&program, contest.referee(&policy.source.setup.options, deal));
        let mut expected = Vec::new();
        say(policy)(told.as_bytes(), &mut expected).unwrap_or_else(|message| panic!("{message}"));
        assert_eq!(said, String::from_utf8_lossy(&expected), "{game}, deal {deal}");
    }
    println!("{game}: {games} games, move for move");
}

fn king_rook(policy: &Policy) -> Say {
    use policy::king_rook::{dialogue, player::Player, weights::Weights};
    let weights = Weights::from_values(policy.values.as_slice().try_into().expect("its weights"));
    let depth = policy.submission.values.get("depth");
    Box::new(move |told, said| dialogue::play(told, said, &Clock::UNLIMITED, &mut Player::new(weights, depth)))
}

fn black_out(policy: &Policy) -> Say {
    use policy::black_out::{
        dialogue,
        player::{Player, Settings},
        weights::Weights,
    };
    let weights = Weights::from_values(policy.values.as_slice().try_into().expect("its weights"));
    let settings = Settings { exact: policy.submission.values.get("exact") };
    Box::new(move |told, said| dialogue::play(told, said, &Clock::UNLIMITED, &mut Player::new(weights, settings)))
}

fn gomoku(policy: &Policy) -> Say {
    use policy::gomoku::{dialogue, weights::Weights};
    let weights = Weights::from_values(policy.values.as_slice().try_into().expect("its weights"));
    let search = evolve_games::gomoku::search(&policy.submission);
    Box::new(move |told, said| dialogue::play(told, said, &Clock::UNLIMITED, &mut *search.player(weights)))
}

fn chess_puzzle(policy: &Policy) -> Say {
    use policy::chess_puzzle::{dialogue, weights::Weights};
    let weights = Weights::from_values(&policy.values).expect("its weights");
    let search = evolve_games::chess_puzzle::search(&policy.submission);
    Box::new(move |told, said| dialogue::play(told, said, &Clock::UNLIMITED, |start| search.player(&weights, start)))
}

fn solitaire_chess(policy: &Policy) -> Say {
    use policy::solitaire_chess::{dialogue, weights::Weights};
    let values = policy.values.clone();
    let search = evolve_games::solitaire_chess::search(&policy.submission);
    let player = move |_| search.player(Weights::from_values(&values).expect("its weights"));
    Box::new(move |told, said| dialogue::play(told, said, &Clock::UNLIMITED, &player))
}

fn main() {
    let games = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    let named: Vec<String> = std::env::args().skip(2).collect();
    let play = |game: &str, runs: &[&str], say: &dyn Fn(&Policy) -> Say| {
        if named.is_empty() || named.iter().any(|name| name == game) {
            let policies: Vec<Policy> = runs.iter().map(|run| policy(&format!("{game}{run}"))).collect();
            check(game, &policies, games, say);
        }
    };
    play("king-rook", &[""], &king_rook);
    play("black-out", &[""], &black_out);
    play("gomoku", &[""], &gomoku);
    play(
        "solitaire-chess",
        &["/group-1", "/group-2", "/group-3", "/group-4", "/group-5", "/group-6"],
        &solitaire_chess,
    );
    play("chess-puzzle", &["/greedy"], &chess_puzzle);
}
