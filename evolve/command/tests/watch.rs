//! The answers of `evolve watch`, and who may request them. `browser/live.rs` tests its page.

mod committed;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

struct Watching {
    child: Child,
    port: u16,
}

impl Watching {
    fn start(folder: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_evolve"));
        let mut child = command.arg("watch").arg(folder).args(["--port", "0"]).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.split_once("127.0.0.1:").unwrap().1.split_once('/').unwrap().0.parse().unwrap();
        Watching { child, port }
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
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_serves_only_this_machine() {
    let watching = Watching::start(committed::results());
    let (status, page) = watching.get("/");
    assert!(status == 200 && page.contains("state.json") && !page.contains("http://127"));
    let (_, all) = watching.get("/state.json");
    let all: serde_json::Value = serde_json::from_str(&all).unwrap();
    let runs = all["runs"].as_array().unwrap();
    assert!(runs.len() > 10 && runs.iter().all(|run| run["state"] == "complete" && run["share"] == 1.0));
    // `evolve status` prints the same entries by other names.
    let listed =
        Command::new(env!("CARGO_BIN_EXE_evolve")).arg("status").arg(committed::results()).arg("--json").output();
    let listed: Vec<serde_json::Value> = serde_json::from_slice(&listed.unwrap().stdout).unwrap();
    assert_eq!(listed.len(), runs.len());
    for run in runs {
        let name = committed::results().join(run["run"].as_str().unwrap());
        let mut same = run.clone();
        let fields = same.as_object_mut().unwrap();
        for more in ["job", "saved", "seed", "scores", "values"] {
            assert!(fields.remove(more).is_some_and(|value| !value.is_null()), "{more}: {run}");
        }
        same["run"] = name.to_str().unwrap().into();
        assert!(listed.contains(&same), "{same}");
    }
    let (_, one) = watching.get("/state.json?run=solitaire-chess%2Fgroup-1");
    let one: serde_json::Value = serde_json::from_str(&one).unwrap();
    assert_eq!(one["page"]["runs"][0]["name"], "solitaire-chess/group-1");

    let (_, two) = watching.get("/state.json?run=solitaire-chess%2Fgroup-1&run=gomoku");
    let two: serde_json::Value = serde_json::from_str(&two).unwrap();
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
    let folder = tempfile::tempdir().unwrap();
    for name in ["one/results/gomoku", "two/results/gomoku", "two/.hidden/results/gomoku"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
        for file in ["config.toml", "generations.csv", "validation.csv", "recommendation.toml"] {
            std::fs::copy(committed::results().join("gomoku").join(file), folder.path().join(name).join(file)).unwrap();
        }
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_evolve"));
    let command = command.args(["watch", "--port", "0", "--host", "0.0.0.0"]).current_dir(folder.path());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let (address, token) = line.split_once("/?token=").unwrap();
    let port = address.rsplit_once(':').unwrap().1.parse().unwrap();
    let token = token.split(' ').next().unwrap();
    let watching = Watching { child, port };
    for path in ["/", "/state.json", "/?token=0", "/state.json?run=gomoku"] {
        let (status, text) = watching.ask("GET", path, "machine");
        assert!(status == 403 && text.contains("token") && !text.contains("gomoku"), "{path}: {text}");
    }
    assert_eq!(watching.ask("GET", &format!("/?token={token}"), "machine").0, 200);
    let (_, all) = watching.ask("GET", &format!("/state.json?token={token}"), "machine");
    let all: serde_json::Value = serde_json::from_str(&all).unwrap();
    let runs: Vec<&str> = all["runs"].as_array().unwrap().iter().map(|run| run["run"].as_str().unwrap()).collect();
    assert_eq!(runs, ["one/results/gomoku", "two/results/gomoku"]);
}

#[test]
fn a_run_that_cannot_be_read_is_listed_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("broken");
    std::fs::create_dir(&run).unwrap();
    std::fs::write(run.join("config.toml"), "name = \"broken\"\n[search]\nbudgett = 60\n").unwrap();
    std::fs::write(run.join("recommendation.toml"), "").unwrap();
    let watching = Watching::start(folder.path());
    for path in ["/state.json?run=broken", "/state.json"] {
        let answer: serde_json::Value = serde_json::from_str(&watching.get(path).1).unwrap();
        // A single run is served as itself.
        assert_eq!(answer["state"], "unreadable", "{answer}");
        let reason = answer["reason"].as_str().unwrap();
        assert!(reason.contains("config.toml"), "{reason}");
    }
}
