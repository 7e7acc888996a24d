//! A browser, driven through the WebDriver protocol.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A browser without a network.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
}

/// Starts a driver; `None` if it found no port.
fn started() -> Option<(Child, u16)> {
    let mut driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let port = lines.map_while(Result::ok).find_map(|line| {
        line.strip_prefix("ChromeDriver was started successfully on port ")?.trim_end_matches('.').parse().ok()
    });
    if port.is_none() {
        let _ = driver.kill();
        driver.wait().unwrap();
    }
    Some((driver, port?))
}

impl Browser {
    pub fn start() -> Self {
        // The driver takes the same port in IPv4 and IPv6, which another one may just have taken in
        // one of them.
        let (driver, port) = (0..10).find_map(|_| started()).expect("chromedriver");
        let profile = TempDir::new().unwrap();
        let mut browser = Browser { driver, port, session: String::new(), _profile: profile };
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
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

    pub fn post(&self, path: &str, body: Value) -> Value {
        self.request("POST", &format!("/session/{}/{path}", self.session), &body)
    }

    pub fn open(&self, url: &str) {
        // Load another page first: a changed fragment would not reload this one.
        self.post("url", json!({"url": "about:blank"}));
        self.post("url", json!({ "url": url }));
    }

    /// The value of a function's body in the page.
    pub fn ask(&self, script: &str) -> Value {
        self.post("execute/sync", json!({"script": script, "args": []}))
    }

    pub fn text(&self, script: &str) -> String {
        self.ask(script).as_str().unwrap_or_default().to_string()
    }

    /// Waits until the body of a function returns true in the page.
    pub fn wait(&self, what: &str, script: &str) {
        self.wait_for(what, || self.ask(script) == true);
    }

    /// Waits until a condition holds.
    pub fn wait_for(&self, what: &str, holds: impl Fn() -> bool) {
        let start = Instant::now();
        while !holds() {
            assert!(
                start.elapsed() < Duration::from_secs(600),
                "{what}: {}",
                self.text("return document.body.innerText")
            );
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Presses a key `times` times.
    pub fn press(&self, key: &str, times: usize) {
        let stroke = |_| [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})];
        let strokes: Vec<Value> = (0..times).flat_map(stroke).collect();
        self.post("actions", json!({"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]}));
    }

    /// Drags the pointer from one place of the window to another; a click if they are the same.
    pub fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        let moved = |(x, y): (f64, f64)| json!({"type": "pointerMove", "duration": 0, "x": x.round(), "y": y.round()});
        let [down, up] = ["pointerDown", "pointerUp"].map(|kind| json!({"type": kind, "button": 0}));
        let actions = json!([moved(from), down, moved(to), up]);
        self.post("actions", json!({"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]}));
    }

    pub fn size(&self, width: usize, height: usize) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        self.post("goog/cdp/execute", json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics}));
    }

    pub fn scheme(&self, scheme: &str) {
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.post("goog/cdp/execute", json!({"cmd": "Emulation.setEmulatedMedia", "params": media}));
    }

    /// An element as a PNG file.
    pub fn picture(&self, selector: &str) -> Vec<u8> {
        let found = self.post("element", json!({"using": "css selector", "value": selector}));
        let element = found.as_object().unwrap().values().next().unwrap().as_str().unwrap().to_string();
        let path = format!("/session/{}/element/{element}/screenshot", self.session);
        let picture = self.request("GET", &path, &json!({}));
        BASE64_STANDARD.decode(picture.as_str().unwrap()).unwrap()
    }

    /// The whole page as a PNG file, with what lies below the window.
    pub fn whole_picture(&self) -> Vec<u8> {
        let wanted = json!({"format": "png", "captureBeyondViewport": true});
        let picture = self.post("goog/cdp/execute", json!({"cmd": "Page.captureScreenshot", "params": wanted}));
        BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap()
    }

    /// Saves downloads in a folder.
    pub fn download_to(&self, folder: &Path) {
        let wanted = json!({"behavior": "allow", "downloadPath": folder});
        self.post("goog/cdp/execute", json!({"cmd": "Browser.setDownloadBehavior", "params": wanted}));
    }

    /// The errors on the console.
    pub fn complaints(&self) -> Value {
        self.post("se/log", json!({"type": "browser"}))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Without its driver, a browser would run on. Nothing may panic here.
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
            let _ = write!(stream, "DELETE /session/{} HTTP/1.1\r\nHost: localhost\r\n\r\n", self.session);
            let _ = stream.read(&mut [0]);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
