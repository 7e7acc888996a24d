//! Pages of committed runs.

use super::driver::Browser;
use crate::committed;
use crate::shared::Bench;
use serde_json::json;
use std::fs;

const RIGHT: &str = "\u{e014}";
const HOME: &str = "\u{e011}";

const MOVE: &str = "return document.querySelector('.controls output').textContent";

/// Writes the page of a committed run, and returns its address.
fn report(bench: &Bench, run: &str, more: &[&str]) -> String {
    let run = committed::results().join(run);
    bench.does(&[&["report", run.to_str().unwrap(), "--trials", "20", "--output", "page.html"], more].concat());
    address(bench, "page.html")
}

fn address(bench: &Bench, page: &str) -> String {
    format!("file://{}", bench.path().join(page).display())
}

fn has_the_expected_content(browser: &Browser, run: &str) {
    let bench = Bench::empty();
    let url = report(&bench, run, &[]);
    browser.size(1200, 900);
    browser.scheme("light");
    browser.open(&url);
    assert_eq!(browser.ask("return document.querySelectorAll('.chart svg .zero, .board').length > 2"), true, "{run}");
    assert_eq!(browser.ask("return performance.getEntriesByType('resource').length"), 0, "{run}: no requests");

    // Replays a whole game with the keyboard.
    let start = browser.text(MOVE);
    let moves: usize = start.strip_prefix("Move 0 of ").unwrap_or_else(|| panic!("{start}")).parse().unwrap();
    let board = "return [...document.querySelectorAll('.board')].map((board) => board.innerHTML).join()";
    let (before, _) = (browser.text(board), browser.press(RIGHT, 1));
    assert_eq!(browser.text(MOVE), format!("Move 1 of {moves}"));
    assert_ne!(browser.text(board), before, "{run}: the move is on the board");
    browser.press(RIGHT, moves + 2);
    assert_eq!(browser.text(MOVE), format!("Move {moves} of {moves}"), "{run}");
    let ended = "return [...document.querySelectorAll('.player')].every((p) => !p.querySelector('.why'))";
    assert_eq!(browser.ask(ended), true, "{run}: both games are at their ends");

    // A link to a deal and move.
    let deal = browser.ask("return data.contests.shown[data.contests.shown.length - 1].deal + 1");
    browser.open(&format!("{url}#deal={deal}&move=2"));
    assert!(browser.text(MOVE).starts_with("Move 2 of "), "{run}");
    let chosen =
        browser.text("return document.querySelector('select[aria-label=Deal]').selectedOptions[0].textContent");
    assert!(chosen.starts_with(&format!("Deal {deal}:")), "{run}: {chosen}");

    // The bars of every move add up to the difference below them, except for rounding.
    browser.post("element", json!({"using": "css selector", "value": "#games"}));
    let sums = "return [...document.querySelectorAll('.split')].every((table) => {
        const parts = [...table.querySelectorAll('[data-part]')].map((row) => Number(row.dataset.part));
        const difference = Number(table.querySelector('[data-difference]').dataset.difference);
        const size = parts.reduce((size, part) => Math.max(size, Math.abs(part)), 1e-9);
        return Math.abs(parts.reduce((a, b) => a + b, 0) - difference) < 1e-3 * size;
    })";
    browser.press(HOME, 1);
    let mut bars = 0;
    for _ in 0..moves.min(40) {
        assert_eq!(browser.ask(sums), true, "{run}: {}", browser.text(MOVE));
        bars += browser.ask("return document.querySelectorAll('.split').length").as_u64().unwrap();
        browser.press(RIGHT, 1);
    }
    assert!(bars > 0, "{run}: some move is explained");

    // A small screen, and the dark colour scheme.
    let back = "return getComputedStyle(document.body).backgroundColor";
    let light = browser.text(back);
    browser.size(375, 800);
    browser.scheme("dark");
    browser.open(&url);
    let wide = browser.ask("return document.documentElement.scrollWidth");
    assert!(wide.as_u64().unwrap() <= 375, "{run}: {wide} pixels on a screen of 375");
    assert_ne!(browser.text(back), light, "{run}");
    assert_eq!(browser.complaints(), json!([]), "{run}");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn reports_of_all_games() {
    let browser = Browser::start();
    for run in ["solitaire-chess/group-6-greedy", "chess-puzzle/greedy", "gomoku", "king-rook", "black-out"] {
        has_the_expected_content(&browser, run);
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn names_from_elsewhere_are_texts() {
    let (bench, hostile) = (Bench::empty(), "</script><script>document.title='owned'");
    bench.write(hostile, fs::read(committed::results().join("gomoku/recommendation.toml")).unwrap());
    let url = report(&bench, "gomoku", &["--against", bench.path().join(hostile).to_str().unwrap()]);
    let browser = Browser::start();
    browser.open(&url);
    assert_eq!(browser.text("return document.title"), "gomoku");
    assert_eq!(browser.ask("return document.scripts.length"), 2);
    assert!(browser.text("return document.querySelector('#games').textContent").contains("<script>document.title"));
    assert_eq!(browser.complaints(), json!([]));
}

/// Sorted by the worth in `explain.csv`, or without that by the change.
#[test]
#[ignore = "needs chromium and chromedriver"]
fn weights_are_sorted_by_what_they_are_worth() {
    let bench = Bench::empty();
    committed::copied("gomoku", &bench.path().join("gomoku"));
    // A run as it started.
    let weights = bench.read("gomoku/recommendation.toml").replace("\nthree = -99.87", "\nthree = 40.0");
    bench.write("gomoku/recommendation.toml", weights);
    let browser = Browser::start();
    let shown = || {
        bench.does(&["report", "--trials", "5", "gomoku"]);
        browser.open(&address(&bench, "gomoku/report.html"));
        let names = browser.text(
            "return [...document.querySelectorAll('#weights tbody tr')].map((row) => row.firstChild.firstChild.textContent).join()",
        );
        let text = browser.text("return document.querySelector('#weights').textContent");
        assert!(text.contains("9 of 17 keep their start."), "{text}");
        assert_eq!(browser.complaints(), json!([]));
        names.split(',').map(String::from).collect::<Vec<_>>()
    };
    let place = shown().iter().position(|name| name == "three").unwrap();
    assert!(place >= 17 - 9, "weights that moved come first");
    bench.write("gomoku/explain.csv", "name,worth,low,high\nstop_four,0.4,0.1,0.7\nfour,2.5,2.0,3.0\n");
    assert_eq!(shown()[..2], ["four", "stop_four"]);
}

/// A solver that draws a picture, and fails on some instances.
const SOLVER: &str = r#"#!/bin/sh
[ $(($2 % 9)) = 4 ] && { echo "no <b>luck</b>" >&2; exit 3; }
score=$((100 + $2 - ($1 - 7) * ($1 - 7)))
echo "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 200 100'><rect width='$score' height='60'/></svg>" > "$3/a.svg"
echo "Score = $score"
"#;

const PROGRAM: &str = r#"name = "drawn"

[program]
command = "sh solver.sh {k} {seed} {dir}"
seeds = "0-99"
on_failure = 0

[parameters]
k = { int = [1, 20], start = 2 }

[scenarios]
mode = ["a", "b"]

[search]
budget = 260

validation = 30

selection = 30
test = 40
"#;

#[test]
#[ignore = "needs chromium and chromedriver"]
fn trials_of_a_program() {
    let bench = Bench::new(PROGRAM);
    bench.write("solver.sh", SOLVER);
    bench.run(&["--quiet"]);
    bench.does(&["report", "results/drawn"]);
    let browser = Browser::start();
    browser.open(&address(&bench, "results/drawn/report.html"));
    let section = "const section = document.querySelector('#trials-0');";
    assert!(browser.text(&format!("{section} return section.textContent")).contains("trials of the held-out test"));
    assert!(browser.ask(&format!("{section} return section.querySelectorAll('tbody tr').length")).as_u64() > Some(10));
    let shown =
        "return [...section.querySelectorAll('img')].filter((img) => img.complete && img.naturalWidth > 0).length";
    browser.ask(&format!("{section} section.querySelectorAll('img').forEach((img) => {{ img.loading = 'eager'; }})"));
    browser.wait("pictures", &format!("{section} return ({{ count: (() => {{ {shown} }})() }}).count >= 4"));
    let again = browser.text(&format!("{section} return section.querySelector('.next code').textContent"));
    assert_eq!(bench.shell(".", &again).status.code(), Some(3), "{again}");
    assert!(browser.text(&format!("{section} return section.textContent")).contains("no <b>luck</b>"));
    browser.size(375, 800);
    let wide = browser.ask("return document.documentElement.scrollWidth");
    assert!(wide.as_u64().unwrap() <= 375, "{wide} pixels on a screen of 375");
    assert_eq!(browser.complaints(), json!([]));
}
