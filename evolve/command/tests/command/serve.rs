//! `evolve serve` with another process that plays the trials: killed, interrupted and resumed.

use crate::shared::{Bench, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Stdio};

/// A process that is served.
struct Client {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Client {
    fn start(folder: &Bench) -> Self {
        let mut command = folder.process(&["serve"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Client { child, answers }
    }

    fn send(&mut self, request: &Value) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{request}").unwrap();
    }

    fn request(&mut self, request: &Value) -> Value {
        self.send(request);
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{request}: {line:?}"))
    }

    /// Asks until the trials are those that are needed: an answer has those that are ready, at
    /// least one.
    fn ask(&mut self, is_enough: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let mut trials = Vec::new();
        wait_until(|| {
            let asked = self.request(&json!({ "ask": 1 }));
            assert!(asked.get("error").is_none() && asked.get("result").is_none(), "{asked}");
            trials.extend(asked["trials"].as_array().unwrap().iter().cloned());
            is_enough(&trials)
        });
        trials
    }

    fn open(folder: &Bench, job: &Value) -> Self {
        let mut client = Client::start(folder);
        let opened = client.request(&json!({ "open": { "job": job, "parallel": 4, "resume": true } }));
        assert!(opened.get("opened").is_some(), "{opened}");
        client
    }

    /// Ends the process by a signal, and returns its exit status.
    fn end(mut self, signal: Signal) -> Option<i32> {
        // It stays open: its end would be another reason to end.
        let _input = self.child.stdin.take();
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Numbers that look random, the same in every run of the test.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn job(program: Value) -> Value {
    json!({
        "name": "night",
        "program": program,
        "parameters": {
            "x": { "float": [-5.0, 5.0], "start": 4.0 },
            "k": { "int": [1, 20], "start": 15 },
        },
        "search": { "budget": 240 },
    })
}

fn score(trial: &Value) -> f64 {
    let number = |value: &Value| value.as_f64().unwrap();
    let (x, k) = (number(&trial["params"]["x"]), number(&trial["params"]["k"]));
    let noise = (trial["random"].as_u64().unwrap() * 7919 + trial["seed"].as_u64().unwrap() * 104_729) % 1000;
    100.0 + x * x + 0.1 * (k - 4.0) * (k - 4.0) + noise as f64 / 500.0
}

fn told(trial: &Value) -> Value {
    json!({ "id": trial["id"], "score": score(trial) })
}

/// How often each trial was reported; its number differs after an interruption.
type Counts = BTreeMap<String, i32>;

fn count(counts: &mut Counts, trial: &Value) {
    let fields: Map<String, Value> = trial
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| *name != "id")
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    *counts.entry(Value::Object(fields).to_string()).or_default() += 1;
}

fn tables(folder: &Bench) -> Vec<(&'static str, Vec<u8>)> {
    let read = |name| fs::read(folder.path().join("results/night").join(name)).unwrap();
    ["config.toml", "generations.csv", "validation.csv", "trials.csv", "recommendation.toml"]
        .map(|name| (name, read(name)))
        .into()
}

/// Plays to the end, and returns how often each trial was reported.
fn play_to_the_end(mut client: Client) -> Counts {
    let mut counts = Counts::new();
    loop {
        let asked = client.request(&json!({ "ask": 4 }));
        for trial in asked["trials"].as_array().unwrap() {
            assert_eq!(client.request(&json!({ "tell": [told(trial)] })), json!({ "told": 1 }));
            count(&mut counts, trial);
        }
        if asked.get("result").is_some() {
            return counts;
        }
        assert!(asked.get("error").is_none(), "{asked}");
    }
}

#[test]
fn no_told_score_is_lost_or_asked_for_again() {
    for scale in ["raw", "relative"] {
        let job = job(json!({ "goal": "minimize", "seeds": "0-39", "scale": scale }));
        let [whole, ended] = [(); 2].map(|()| Bench::new(""));
        let expected = play_to_the_end(Client::open(&whole, &job));

        // Trials are reported in any order. The process ends after any request, and even before its
        // answer.
        let (mut dice, mut answered, mut unanswered, mut ends) = (Dice(7), Counts::new(), Counts::new(), [0; 3]);
        'run: loop {
            let (mut client, mut open) = (Client::open(&ended, &job), Vec::new());
            for _ in 0..=dice.below(30) {
                if open.is_empty() || dice.below(3) == 0 {
                    let asked = client.request(&json!({ "ask": 1 + dice.below(4) }));
                    open.extend(asked["trials"].as_array().unwrap().iter().cloned());
                    if asked.get("result").is_some() {
                        break 'run;
                    }
                    assert!(asked.get("error").is_none(), "{asked}");
                } else {
                    let trial = open.swap_remove(dice.below(open.len() as u64) as usize);
                    assert_eq!(client.request(&json!({ "tell": [told(&trial)] })), json!({ "told": 1 }));
                    count(&mut answered, &trial);
                }
            }
            let how = dice.below(3) as usize;
            ends[how] += 1;
            match (how, open.pop()) {
                (0, _) => assert_eq!(client.end(Signal::TERM), Some(130)),
                (1, Some(trial)) => {
                    client.send(&json!({ "tell": [told(&trial)] }));
                    count(&mut unanswered, &trial);
                    assert_eq!(client.end(Signal::KILL), None);
                }
                _ => assert_eq!(client.end(Signal::KILL), None),
            }
            assert!(ends.iter().sum::<usize>() < 1000, "the run makes no progress");
        }
        assert!(ends.iter().all(|&count| count >= 3), "{ends:?}");
        for (trial, &count) in &answered {
            let needed = expected.get(trial).copied().unwrap_or_default();
            assert!(count <= needed, "{scale}: {trial} was told {count} times, and is needed {needed} times");
        }
        for (trial, &needed) in &expected {
            let [answered, unanswered] = [&answered, &unanswered].map(|counts| counts.get(trial).copied().unwrap_or(0));
            assert!(answered + unanswered >= needed, "{scale}: {trial} is missing");
        }
        for (whole, ended) in tables(&whole).iter().zip(tables(&ended)) {
            assert!(*whole == ended, "{scale}: {} differs", ended.0);
        }
        assert!(!ended.path().join("results/night/told.jsonl").exists());
        // Like any complete run, it has a page.
        assert!(ended.read("results/night/report.html").contains("</html>"), "{scale}");
    }
}

#[test]
fn a_line_that_was_cut_off_is_asked_for_again() {
    let job = job(json!({ "goal": "minimize", "seeds": "0-39" }));
    let [whole, cut] = [(); 2].map(|()| Bench::new(""));
    play_to_the_end(Client::open(&whole, &job));
    let mut client = Client::open(&cut, &job);
    // Before the search, the baseline plays four instances side by side, and again one by one.
    let mut asked = Vec::new();
    for count in [4, 1, 1, 1, 1, 4] {
        asked = client.ask(|trials| trials.len() == count);
        let tell: Vec<Value> = asked.iter().map(told).collect();
        assert_eq!(client.request(&json!({ "tell": tell })), json!({ "told": count }));
    }
    client.end(Signal::KILL);
    let path = cut.path().join("results/night/told.jsonl");
    let text = fs::read(&path).unwrap();
    fs::write(&path, &text[..text.len() - 9]).unwrap();
    let mut client = Client::open(&cut, &job);
    // Others that were not reported may come before it.
    let is_again =
        |trial: &Value, then: &Value| ["params", "random", "seed"].iter().all(|name| trial[name] == then[name]);
    let again = client.ask(|trials| trials.iter().any(|trial| is_again(trial, &asked[3])));
    for then in &asked[..3] {
        assert!(!again.iter().any(|trial| is_again(trial, then)), "{then} was told, and is in {again:?}");
    }
    client.end(Signal::KILL);
    play_to_the_end(Client::open(&cut, &job));
    assert!(tables(&whole) == tables(&cut));
}

/// The function is mended, and the run resumes with the trial that ended it.
#[test]
fn a_result_that_ends_the_run_is_asked_for_again() {
    let program = json!({ "goal": "minimize", "seeds": "0-39", "scale": "log" });
    for bad in [json!({ "failure": "too many" }), json!({ "score": -1.0 }), json!({ "score": 1e200 })] {
        let (folder, job) = (Bench::new(""), job(program.clone()));
        let mut client = Client::open(&folder, &job);
        let mut counts = Counts::new();
        for _ in 0..20 {
            let trial = client.request(&json!({ "ask": 1 }))["trials"][0].clone();
            client.request(&json!({ "tell": [told(&trial)] }));
            count(&mut counts, &trial);
        }
        let trial = client.request(&json!({ "ask": 1 }))["trials"][0].clone();
        let mut entry = bad.clone();
        entry["id"] = trial["id"].clone();
        client.request(&json!({ "tell": [entry] }));
        let mut asked = client.request(&json!({ "ask": 1 }));
        while asked.get("error").is_none() {
            // Trials that were asked for earlier.
            for trial in asked["trials"].as_array().unwrap() {
                client.request(&json!({ "tell": [told(trial)] }));
                count(&mut counts, trial);
            }
            asked = client.request(&json!({ "ask": 1 }));
        }
        drop(client);
        let again = play_to_the_end(Client::open(&folder, &job));
        assert!(again.keys().all(|trial| !counts.contains_key(trial)), "{bad}");
        let mut ended = Counts::new();
        count(&mut ended, &trial);
        assert!(ended.keys().all(|trial| again.contains_key(trial)), "{bad}");
    }
}
