//! Parameters and worker mode for a solver in Rust: copy this file beside it. Needs only the
//! standard library.
//!
//! ```ignore
//! mod evolve;
//!
//! fn solve() -> f64 {                          // plays one trial and returns its score
//!     let k: usize = evolve::param("k", 5);    // the parameter, or 5 outside of tuning
//!     let seed = evolve::random();             // another seed in every replicate
//!     let text = evolve::input();              // the instance
//!     ...
//! }
//!
//! fn main() {
//!     evolve::serve(solve);
//! }
//! ```
//!
//! With `worker = true` in the job the program stays alive and answers one line to each trial.
//! Otherwise it plays one trial, with parameters from the environment (`env = { EVOLVE_K = "{k}"
//! }`) and the instance on standard input, and prints `Score = 123`.
#![allow(dead_code)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead, Read, Write};
use std::iter::Peekable;
use std::str::{Chars, FromStr};

/// The leaves of a trial's JSON object by their paths, such as `seed`, `params.k` and
/// `params.table.0`, and the metrics of the trial.
#[derive(Default)]
struct Trial {
    leaves: BTreeMap<String, String>,
    metrics: BTreeMap<String, f64>,
}

thread_local!(static TRIAL: RefCell<Trial> = RefCell::default());

fn find(path: &str) -> Option<String> {
    TRIAL.with(|trial| trial.borrow().leaves.get(path).cloned())
}

fn is_worker() -> bool {
    std::env::var_os("EVOLVE_WORKER").is_some()
}

/// Returns a parameter, with the type of its default.
pub fn param<T: FromStr>(name: &str, otherwise: T) -> T {
    let capital = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let variable: String = "EVOLVE_".chars().chain(name.chars().map(capital)).collect();
    let found = find(&format!("params.{name}")).or_else(|| std::env::var(variable).ok());
    match found {
        None => otherwise,
        Some(text) => text.parse().unwrap_or_else(|_| panic!("`{name}` is {text}")),
    }
}

/// Returns the value of a scenario variable, in worker mode.
pub fn scenario(name: &str) -> Option<String> {
    find(&format!("scenario.{name}"))
}

/// Returns the seed of the instance in worker mode, otherwise 0.
pub fn seed() -> u64 {
    find("seed").and_then(|seed| seed.parse().ok()).unwrap_or(0)
}

/// Returns the seed for the solver's random numbers in worker mode, otherwise 0.
pub fn random() -> u64 {
    find("random").and_then(|seed| seed.parse().ok()).unwrap_or(0)
}

/// Returns the time limit of the trial in milliseconds, in worker mode.
pub fn limit_ms(otherwise: u64) -> u64 {
    find("limit_ms").and_then(|limit| limit.parse().ok()).unwrap_or(otherwise)
}

/// Returns the time limit of the trial in seconds, in worker mode.
pub fn limit_s(otherwise: f64) -> f64 {
    find("limit_s").and_then(|limit| limit.parse().ok()).unwrap_or(otherwise)
}

/// Reads the instance's input: its file in worker mode, otherwise standard input.
pub fn input() -> String {
    if !is_worker() {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).expect("standard input is text");
        return text;
    }
    let path = find("input").expect("this trial has an input");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {path}: {error}"))
}

/// Records a further number for the tables, whose name must be in `metrics` of the job.
pub fn metric(name: &str, value: f64) {
    TRIAL.with(|trial| trial.borrow_mut().metrics.insert(name.to_string(), value));
}

/// Plays trials with a function that returns a score: all trials in worker mode, otherwise one.
pub fn serve(mut solve: impl FnMut() -> f64) {
    if !is_worker() {
        println!("Score = {}", solve());
        return;
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("trials are text");
        let mut leaves = BTreeMap::new();
        value(&mut line.chars().peekable(), String::new(), &mut leaves);
        TRIAL.with(|trial| *trial.borrow_mut() = Trial { leaves, metrics: BTreeMap::new() });
        let score = solve();
        let metrics: String = TRIAL.with(|trial| {
            let trial = trial.borrow();
            trial.metrics.iter().map(|(name, value)| format!(", \"{name}\": {value}")).collect()
        });
        println!("{{\"score\": {score}{metrics}}}");
        std::io::stdout().flush().expect("the answer is read");
    }
}

/// Reads a JSON value without white space.
fn value(text: &mut Peekable<Chars<'_>>, path: String, leaves: &mut BTreeMap<String, String>) {
    match text.peek() {
        Some(&open @ ('{' | '[')) => {
            text.next();
            for place in 0.. {
                if matches!(text.peek(), Some('}' | ']') | None) {
                    break;
                }
                let mut name = place.to_string();
                if open == '{' {
                    name = quoted(text);
                    text.next();
                }
                value(text, if path.is_empty() { name } else { format!("{path}.{name}") }, leaves);
                text.next_if_eq(&',');
            }
            text.next();
        }
        Some('"') => {
            let quoted = quoted(text);
            leaves.insert(path, quoted);
        }
        _ => {
            let mut word = String::new();
            while let Some(c) = text.next_if(|c| !",]}".contains(*c)) {
                word.push(c);
            }
            leaves.insert(path, word);
        }
    }
}

fn quoted(text: &mut Peekable<Chars<'_>>) -> String {
    let mut result = String::new();
    text.next();
    while let Some(c) = text.next() {
        match c {
            '"' => break,
            '\\' => match text.next() {
                Some('n') => result.push('\n'),
                Some('t') => result.push('\t'),
                Some('r') => result.push('\r'),
                Some('b') => result.push('\u{8}'),
                Some('f') => result.push('\u{c}'),
                Some('u') => {
                    let digits: String = text.by_ref().take(4).collect();
                    result.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
                }
                Some(other) => result.push(other),
                None => break,
            },
            other => result.push(other),
        }
    }
    result
}
