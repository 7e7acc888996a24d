//! Pages in a real browser, driven through the WebDriver protocol: `cargo test --test browser -- --ignored`.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A browser without network.
struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
}

impl Browser {
    fn start() -> Self {
        let mut driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            line.strip_prefix("ChromeDriver was started successfully on port ")?.trim_end_matches('.').parse().ok()
        });
        let profile = TempDir::new().unwrap();
        let mut browser = Browser { driver, port: port.unwrap(), session: String::new(), _profile: profile };
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            &format!("--user-data-dir={}", browser._profile.path().display()),
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}}});
        let session = browser.request("POST", "/session", &wanted);
        browser.session = session["sessionId"].as_str().unwrap().to_string();
        browser
    }

    fn request(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let body = body.to_string();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(reader.read_line(&mut line).unwrap() > 0, "the driver hung up");
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).unwrap();
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        assert!(answer["value"].get("error").is_none(), "{method} {path}: {answer}");
        answer["value"].clone()
    }

    fn post(&self, path: &str, body: Value) -> Value {
        self.request("POST", &format!("/session/{}/{path}", self.session), &body)
    }

    fn open(&self, url: &str) {
        // Away first: a change of the fragment alone would not load the page again.
        self.post("url", json!({"url": "about:blank"}));
        self.post("url", json!({ "url": url }));
    }

    /// The value of a function's body in the page.
    fn ask(&self, script: &str) -> Value {
        self.post("execute/sync", json!({"script": script, "args": []}))
    }

    fn text(&self, script: &str) -> String {
        self.ask(script).as_str().unwrap_or_default().to_string()
    }

    /// Presses a key so many times.
    fn press(&self, key: &str, times: usize) {
        let stroke = |_| [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})];
        let strokes: Vec<Value> = (0..times).flat_map(stroke).collect();
        self.post("actions", json!({"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]}));
    }

    fn size(&self, width: usize, height: usize) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        self.post("goog/cdp/execute", json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics}));
    }

    fn scheme(&self, scheme: &str) {
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.post("goog/cdp/execute", json!({"cmd": "Emulation.setEmulatedMedia", "params": media}));
    }

    /// What the console complains of.
    fn complaints(&self) -> Value {
        self.post("se/log", json!({"type": "browser"}))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

const RIGHT: &str = "\u{e014}";
const HOME: &str = "\u{e011}";

const MOVE: &str = "return document.querySelector('.controls output').textContent";

fn report(folder: &Path, run: &str, more: &[&str]) -> PathBuf {
    let file = folder.join("page.html");
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results").join(run);
    let status = Command::new(env!("CARGO_BIN_EXE_evolve"))
        .arg("report")
        .arg(results)
        .args(["--games", "20", "--output"])
        .arg(&file)
        .args(more)
        .status();
    assert!(status.unwrap().success(), "{run}");
    file
}

fn looks_right(browser: &Browser, run: &str) {
    let folder = TempDir::new().unwrap();
    let url = format!("file://{}", report(folder.path(), run, &[]).display());
    browser.size(1200, 900);
    browser.scheme("light");
    browser.open(&url);
    assert_eq!(browser.ask("return document.querySelectorAll('.chart svg .zero, .board').length > 2"), true, "{run}");
    assert_eq!(browser.ask("return performance.getEntriesByType('resource').length"), 0, "{run}: no requests");

    // A whole game by keys.
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

    // The bars of every move add up to the difference below them, as far as their digits go.
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

    // A phone, and the dark.
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
        looks_right(&browser, run);
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn names_from_elsewhere_are_texts() {
    let folder = TempDir::new().unwrap();
    let hostile = folder.path().join("</script><script>document.title='owned'");
    std::fs::create_dir_all(hostile.parent().unwrap()).unwrap();
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/gomoku/weights.toml");
    std::fs::copy(results, &hostile).unwrap();
    let file = report(folder.path(), "gomoku", &["--against", hostile.to_str().unwrap()]);
    let browser = Browser::start();
    browser.open(&format!("file://{}", file.display()));
    assert_eq!(browser.text("return document.title"), "gomoku");
    assert_eq!(browser.ask("return document.scripts.length"), 2);
    assert!(browser.text("return document.querySelector('#games').textContent").contains("<script>document.title"));
    assert_eq!(browser.complaints(), json!([]));
}
