//! The answers of `evolve watch`, and who may request them. `browser/live.rs` tests its page.

use crate::shared::Bench;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

struct Watching {
    child: Child,
    port: u16,
}

impl Watching {
    /// Also returns the line with the address.
    fn start(bench: &Bench, args: &[&str]) -> (Self, String) {
        let mut child = bench.spawn(&[&["watch", "--port", "0"], args].concat());
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let host = line.split_once("://").unwrap().1.split('/').next().unwrap();
        let port = host.rsplit_once(':').unwrap().1.parse().unwrap();
        (Watching { child, port }, line)
    }

    /// The status and the body of an answer.
    fn ask(&self, method: &str, path: &str, host: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "{method} {path} HTTP/1.0\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_string())
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.ask("GET", path, &format!("localhost:{}", self.port))
    }

    fn state(&self, query: &str) -> Value {
        serde_json::from_str(&self.get(&format!("/state.json{query}")).1).unwrap()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_serves_only_this_machine() {
    let (bench, results) = (Bench::empty(), crate::committed::results().to_str().unwrap());
    let (watching, _) = Watching::start(&bench, &[results]);
    let (status, page) = watching.get("/");
    assert!(status == 200 && page.contains("state.json") && !page.contains("http://127"));
    let all = watching.state("");
    let runs = all["runs"].as_array().unwrap();
    assert!(runs.len() > 10 && runs.iter().all(|run| run["state"] == "complete" && run["share"] == 1.0));
    // `evolve status` prints the same entries by other names.
    let listed: Vec<Value> = serde_json::from_str(&bench.does(&["status", results, "--json"])).unwrap();
    assert_eq!(listed.len(), runs.len());
    for run in runs {
        let name = crate::committed::results().join(run["run"].as_str().unwrap());
        let mut same = run.clone();
        let fields = same.as_object_mut().unwrap();
        for more in ["job", "saved", "seed", "scores", "values"] {
            assert!(fields.remove(more).is_some_and(|value| !value.is_null()), "{more}: {run}");
        }
        same["run"] = name.to_str().unwrap().into();
        assert!(listed.contains(&same), "{same}");
    }
    let one = watching.state("?run=solitaire-chess%2Fgroup-1");
    assert_eq!(one["page"]["runs"][0]["name"], "solitaire-chess/group-1");

    let two = watching.state("?run=solitaire-chess%2Fgroup-1&run=gomoku");
    assert_eq!(
        (two["page"]["runs"].as_array().unwrap().len(), two["page"]["comparisons"].as_array().unwrap().len()),
        (2, 1)
    );
    assert_eq!(watching.get("/state.json?run=gomoku&run=..").0, 404);

    for missing in
        ["/state.json?run=..", "/state.json?run=/", "/state.json?run=nothing", "/config.toml", "/../Cargo.toml"]
    {
        assert_eq!(watching.get(missing).0, 404, "{missing}");
    }
    for host in ["example.org", "example.org:8117", "127.0.0.1.example.org", ""] {
        let (status, text) = watching.ask("GET", "/state.json", host);
        assert!(status == 403 && !text.contains("runs"), "{host}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        assert_eq!(watching.ask(method, "/state.json", "127.0.0.1").0, 405, "{method}");
    }
    assert_eq!(watching.ask("HEAD", "/", "127.0.0.1"), (200, String::new()));
}

/// Runs in several folders below the current one, from another machine.
#[test]
fn other_machines_need_the_token() {
    let bench = Bench::empty();
    for name in ["one/results/gomoku", "two/results/gomoku", "two/.hidden/results/gomoku"] {
        crate::committed::copied("gomoku", &bench.path().join(name));
    }
    let (watching, line) = Watching::start(&bench, &["--host", "0.0.0.0"]);
    let (_, token) = line.split_once("/?token=").unwrap();
    let token = token.split(' ').next().unwrap();
    for path in ["/", "/state.json", "/?token=0", "/state.json?run=gomoku"] {
        let (status, text) = watching.ask("GET", path, "machine");
        assert!(status == 403 && text.contains("token") && !text.contains("gomoku"), "{path}: {text}");
    }
    assert_eq!(watching.ask("GET", &format!("/?token={token}"), "machine").0, 200);
    let (_, all) = watching.ask("GET", &format!("/state.json?token={token}"), "machine");
    let all: Value = serde_json::from_str(&all).unwrap();
    let runs: Vec<&str> = all["runs"].as_array().unwrap().iter().map(|run| run["run"].as_str().unwrap()).collect();
    assert_eq!(runs, ["one/results/gomoku", "two/results/gomoku"]);
}

#[test]
fn a_run_that_cannot_be_read_is_listed_with_the_reason() {
    let bench = Bench::empty();
    bench.write("broken/config.toml", "name = \"broken\"\n[search]\nbudgett = 60\n");
    bench.write("broken/recommendation.toml", "");
    let (watching, _) = Watching::start(&bench, &["."]);
    for query in ["?run=broken", ""] {
        let answer = watching.state(query);
        // A single run is served as itself.
        assert_eq!(answer["state"], "unreadable", "{answer}");
        let reason = answer["reason"].as_str().unwrap();
        assert!(reason.contains("config.toml"), "{reason}");
    }
}
