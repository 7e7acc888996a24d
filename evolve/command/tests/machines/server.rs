//! A server on a loopback port, with its own folder.

use crate::cluster::PATIENCE;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A running server.
pub struct Server {
    child: Child,
    port: u16,
    folder: TempDir,
}

impl Server {
    /// Starts a server with more lines in its configuration.
    pub fn start(more: &str) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = TempDir::new().unwrap();
        let store = folder.path().join("store");
        let limit = if more.contains("max_file_store") { "" } else { "max_file_store: 1G\n" };
        let config = format!(
            "listen: \"127.0.0.1:{port}\"\njetstream {{\n store_dir: \"{}\"\n {limit}{}}}\n{}\n",
            store.display(),
            more.lines()
                .find(|line| line.contains("max_file_store"))
                .map(|line| format!("{line}\n"))
                .unwrap_or_default(),
            more.lines().filter(|line| !line.contains("max_file_store")).collect::<Vec<_>>().join("\n")
        );
        fs::write(folder.path().join("server.conf"), config).unwrap();
        let child = launch(&folder, port);
        Server { child, port, folder }
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The host and port, to put credentials before.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again on the same port and folder.
    pub fn again(&mut self) {
        self.child = launch(&self.folder, self.port);
    }

    /// Deletes its files.
    pub fn lose_files(&self) {
        fs::remove_dir_all(self.folder.path().join("store")).unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn launch(folder: &TempDir, port: u16) -> Child {
    let log = fs::File::options().create(true).append(true).open(folder.path().join("log")).unwrap();
    let mut command = Command::new("nats-server");
    command.arg("--config").arg(folder.path().join("server.conf")).stdout(Stdio::null()).stderr(log);
    let child = command.spawn().expect("these tests need nats-server (Debian's package of that name)");
    let start = Instant::now();
    // The server first describes itself.
    while !TcpStream::connect(("127.0.0.1", port)).is_ok_and(|mut stream| {
        stream.set_read_timeout(Some(Duration::from_secs(1))).is_ok()
            && stream.read(&mut [0; 16]).is_ok_and(|read| read > 0)
    }) {
        let log = || fs::read_to_string(folder.path().join("log")).unwrap_or_default();
        assert!(start.elapsed() < PATIENCE, "the server does not start:\n{}", log());
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

/// Another client, which uses the server's space. Implements only this part of the protocol.
pub struct Other(BufReader<TcpStream>);

impl Other {
    pub fn connect(host: &str) -> Self {
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut other = Other(BufReader::new(stream));
        other.send(b"CONNECT {\"verbose\":false}\r\nSUB answers 1\r\n");
        other
    }

    fn send(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).unwrap();
    }

    /// Sends a message; the answer to it.
    fn ask(&mut self, subject: &str, message: &[u8]) -> String {
        self.send(format!("PUB {subject} answers {}\r\n", message.len()).as_bytes());
        self.send(message);
        self.send(b"\r\n");
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "the server hung up");
            if line.starts_with("PING") {
                self.send(b"PONG\r\n");
            }
            if line.starts_with("MSG") {
                line.clear();
                self.0.read_line(&mut line).unwrap();
                return line;
            }
        }
    }

    /// Uses all free space.
    pub fn fill(&mut self) {
        let made =
            self.ask("$JS.API.STREAM.CREATE.other", br#"{"name":"other","subjects":["other"],"storage":"file"}"#);
        assert!(!made.contains("error"), "{made}");
        for size in [100_000, 1000] {
            while !self.ask("other", &vec![b'x'; size]).contains("error") {}
        }
    }

    /// Frees the space.
    pub fn leave(&mut self) {
        let left = self.ask("$JS.API.STREAM.DELETE.other", b"");
        assert!(left.contains("\"success\":true"), "{left}");
    }
}
