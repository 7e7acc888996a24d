//! A run that is watched while it is in progress.

use super::axe;
use super::driver::Browser;
use crate::committed;
use crate::shared::Bench;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// A long search, so that a browser sees its progress.
const JOB: &str = r#"name = "live"
seed = 3

[game]
name = "solitaire-chess"
group = 4

[player]
name = "greedy"

[weights]
include = ["tile_gold", "moves_1", "stuck_soon"]

[search]
optimizer = "genetic"
population = 10
trials = 40
generations = 1000000

validation = 200

selection = 200
test = 400
"#;

/// A command that ends with the test.
pub struct Running(Child);

impl Running {
    /// Starts the command, and returns the first address that it prints on standard error.
    pub fn start(bench: &Bench, arguments: &[&str], is_served: bool) -> (Self, String) {
        let stderr = if is_served { Stdio::piped() } else { Stdio::null() };
        let mut child = bench.process(arguments).stdout(Stdio::null()).stderr(stderr).spawn().unwrap();
        let lines = child.stderr.take().map(|stderr| BufReader::new(stderr).lines());
        let address = lines.into_iter().flatten().map_while(Result::ok).find_map(|line| {
            let (_, from) = line.split_once("http://")?;
            Some(format!("http://{}", from.split_whitespace().next()?))
        });
        (Running(child), address.unwrap_or_default())
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    pub fn ends_well(&mut self) {
        assert!(self.0.wait().unwrap().success());
    }

    fn interrupt(mut self) {
        self.signal(Signal::INT);
        assert_eq!(self.0.wait().unwrap().code(), Some(130));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const STATUS: &str = "(document.querySelector('#status')?.textContent ?? '')";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_run_is_followed_through_a_stop_to_its_verdict() {
    let bench = Bench::new(JOB);
    let (_watching, address) = Running::start(&bench, &["watch", "--port", "0"], true);
    let browser = Browser::start();
    browser.open(&address);
    browser.wait("an empty list", "return document.body.textContent.includes('No runs yet')");

    let (run, _) = Running::start(&bench, &["run", "job.toml", "--parallel", "1"], false);
    browser.wait("the run is there", &format!("return {STATUS}.includes('Searching')"));
    browser.wait("a curve", "return document.querySelectorAll('#training .chart svg').length === 1");
    let generation =
        "const text = document.querySelector('#status').textContent.match(/generation ([\\d,]+)/)?.[1] ?? '0';
        return Number(text.replaceAll(',', ''))";
    let first = browser.ask(generation).as_u64().unwrap();
    browser.wait("it goes on", &format!("return (() => {{ {generation} }})() > {first}"));

    // The user's view stays the same while the page is redrawn.
    browser.ask("const search = document.querySelector('#weights input'); search.focus(); search.value = 'gold'; search.dispatchEvent(new Event('input'))");
    let later = browser.ask(generation).as_u64().unwrap();
    browser.wait("it goes on", &format!("return (() => {{ {generation} }})() > {later}"));
    assert_eq!(browser.text("return document.activeElement.value"), "gold");
    browser.ask("document.activeElement.blur()");

    run.interrupt();
    browser.wait("it was stopped", &format!("return {STATUS}.includes('Stopped')"));
    let (run, _) = Running::start(&bench, &["run", "job.toml", "--resume"], false);
    browser.wait("it goes on", &format!("return {STATUS}.includes('Searching')"));
    run.interrupt();
    let (mut finish, _) = Running::start(&bench, &["run", "job.toml", "--resume", "--finish"], false);
    finish.ends_well();
    browser.wait("it is complete", &format!("return {STATUS}.includes('Complete') && {STATUS}.includes('100 %')"));
    // Which verdict it is depends on the number of generations so far.
    let weights = bench.read("results/live/recommendation.toml");
    let verdict = if weights.contains("\nimprovement = true\n") { "Better" } else { "No improvement found" };
    browser.wait(
        "the verdict",
        &format!("return document.querySelector('.verdict h2').textContent.startsWith('{verdict}')"),
    );
    assert_eq!(browser.text("return document.querySelector('#weights input').value"), "gold");
    assert_eq!(browser.complaints(), json!([]));
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn all_runs_are_listed_and_names_are_texts() {
    let bench = Bench::empty();
    let hostile = "</script><script>document.title='owned'<";
    for (run, name) in [("gomoku", hostile), ("king-rook", "plain")] {
        committed::copied(run, &bench.path().join("results").join(name));
    }
    let (_watching, address) = Running::start(&bench, &["watch", "--port", "0"], true);
    let browser = Browser::start();
    browser.open(&address);
    browser.wait("both", "return document.querySelectorAll('.runs tbody tr').length === 2");
    assert_eq!(browser.text("return document.querySelector('.runs a').textContent"), hostile);
    // Runs are filtered, grouped, and picked for a page that compares them.
    let rows = "return document.querySelectorAll('.runs tbody tr').length";
    let filter = |words: &str| {
        browser.ask(&format!("const search = document.querySelector('#status input[type=search]'); search.value = '{words}'; search.dispatchEvent(new Event('input'))"));
    };
    filter("plain complete");
    assert_eq!(browser.ask(rows), 1);
    filter("");
    browser.ask("[...document.querySelectorAll('#status button')].find((of) => of.textContent === 'By job').click()");
    assert_eq!(browser.ask("return document.querySelectorAll('#status .runs').length"), 2);
    browser.ask("document.querySelectorAll('.runs input').forEach((of) => of.click())");
    browser.ask(
        "[...document.querySelectorAll('#status button')].find((of) => of.textContent === 'Compare picked').click()",
    );
    browser.wait("both", "return document.querySelectorAll('#values thead th').length === 4");
    assert!(browser.text("return document.querySelector('#comparison').textContent").contains("not comparable"));
    let both = browser.text("return location.href");
    axe::finds_nothing(&browser, &both, "return document.querySelectorAll('#values thead th').length === 4");
    let listed = "return document.querySelectorAll('.runs tbody tr').length === 2";
    axe::finds_nothing(&browser, &address, listed);
    browser.open(&address);
    browser.wait("the list", listed);
    browser.ask("document.querySelector('.runs a').click()");
    browser.wait("its page", "return document.querySelector('.verdict h2')?.textContent.startsWith('Better')");
    assert_ne!(browser.text("return document.title"), "owned");
    let state: Value = serde_json::from_str(&browser.text(
        "const request = new XMLHttpRequest(); request.open('GET', 'state.json', false); request.send(); return request.responseText",
    ))
    .unwrap();
    assert_eq!((state["runs"].as_array().unwrap().len(), &state["runs"][0]["state"]), (2, &json!("complete")));
    assert_eq!(browser.complaints(), json!([]));
}

/// Runs that follow each other, with a program that changed between them, are drawn below the list.
#[test]
#[ignore = "needs chromium and chromedriver"]
fn versions_are_drawn() {
    let solver = |bonus: u32| format!("echo Score = $(( 1000 + {bonus} - ($1 - 15) * ($1 - 15) + $2 % 17 * 10 ))\n");
    let bench = Bench::new(&PROGRAM.replace("goal = \"minimize\"\n", ""));
    bench.write("solver.sh", solver(0));
    bench.run(&["--no-report"]);
    bench.write("solver.sh", solver(25));
    bench.run(&["--after", "results/seen", "--no-report"]);
    let (_watching, address) = Running::start(&bench, &["watch", "--port", "0"], true);
    let browser = Browser::start();
    let is_drawn = "return document.querySelectorAll('section.versions svg').length === 1";
    browser.open(&address);
    browser.wait("the chart", is_drawn);
    assert_eq!(
        browser.text("return document.querySelector('.versions h2').textContent"),
        "Versions since results/seen"
    );
    let dots = "return document.querySelectorAll('.versions svg circle').length >= 3";
    browser.wait("the baseline and two versions", dots);
    axe::finds_nothing(&browser, &address, is_drawn);
    assert_eq!(browser.complaints(), json!([]));
}

/// A solver that waits after some trials until the test lets it go on.
const SOLVER: &str = r#"#!/bin/sh
echo x >> FOLDER/count
[ "$(wc -l < FOLDER/count)" -gt 60 ] && while [ ! -e FOLDER/go ]; do sleep 0.05; done
echo "Score = $((1000 + ($1 - 15) * ($1 - 15) + $2 % 17 * 10))"
"#;

const PROGRAM: &str = r#"name = "seen"

[program]
command = "sh solver.sh {k} {seed}"
seeds = "0-99"
goal = "minimize"

[parameters]
k = { int = [1, 20], start = 4 }

[search]
budget = 120
"#;

/// The page of `run --watch` gets the verdict before the command ends.
#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_page_of_a_run_has_its_end() {
    let bench = Bench::new(PROGRAM);
    bench.write("solver.sh", SOLVER.replace("FOLDER", bench.path().to_str().unwrap()));
    let browser = Browser::start();
    let arguments = ["run", "job.toml", "--watch", "--quiet", "--parallel", "1"];
    let (mut run, address) = Running::start(&bench, &arguments, true);
    browser.open(&address);
    browser.wait("the page", "return document.querySelector('.verdict h2')?.textContent === 'No verdict yet'");
    // Budget and trials are in the status alone, and there is nothing to run while it runs.
    assert!(browser.text(&format!("return {STATUS}")).contains(" of 120 trials"));
    assert_eq!(browser.ask("return document.querySelectorAll('.verdict .next').length"), 0);
    bench.write("go", "");
    run.ends_well();
    browser.wait("the end", &format!("return {STATUS}.includes('The run has ended')"));
    let status = browser.text(&format!("return {STATUS}"));
    assert!(status.contains("results/seen/report.html") && status.contains("100 %"), "{status}");
    let verdict = browser.text("return document.querySelector('.verdict h2').textContent");
    assert!(verdict.starts_with("Better") || verdict.starts_with("No improvement found"), "{verdict}");
    // It no longer asks the server, which has ended.
    assert_eq!(browser.ask("return document.querySelectorAll('.lost').length"), 0);
    assert_eq!(browser.complaints(), json!([]));
}
