//! The live page: a server on a loopback port, and its data.
//!
//! The server only reads the files of runs. It answers only GET and HEAD, and only requests whose
//! Host header is a loopback name, so that pages from elsewhere cannot read from it.

mod state;

use evolve_core::job::Catalogue;
use evolve_report::page;
use state::States;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use tiny_http::{Header, Method, Request, Response, Server};

/// The default port, if it is free, so that a page finds its run again after a stop.
pub const PORT: u16 = 8117;

/// A server that runs until it is dropped.
pub struct Watching {
    server: Arc<Server>,
    states: Arc<States>,
    port: u16,
}

/// The number of simultaneous answers, so that a slow reader does not block others.
const ANSWERS: usize = 4;

impl Watching {
    /// Serves the runs below a folder on a port of 127.0.0.1. Without a given port, uses [`PORT`],
    /// or any free one if that is taken.
    ///
    /// # Errors
    /// If the given port is taken, or no port is free.
    pub fn start(folder: PathBuf, port: Option<u16>, catalogue: &'static Catalogue) -> io::Result<Self> {
        let listen = |port| Server::http((Ipv4Addr::LOCALHOST, port)).map_err(io::Error::other);
        let server = match port {
            Some(port) => listen(port),
            None => listen(PORT).or_else(|_| listen(0)),
        }?;
        let port = server.server_addr().to_ip().as_ref().map_or(0, SocketAddr::port);
        let (server, states) = (Arc::new(server), Arc::new(States::new(folder, catalogue)));
        for _ in 0..ANSWERS {
            let (server, states) = (Arc::clone(&server), Arc::clone(&states));
            let serve = move || {
                while let Ok(request) = server.recv() {
                    // A client that has disconnected needs no answer.
                    let _ = answer(request, &states);
                }
            };
            thread::Builder::new().name("watch".to_string()).spawn(serve)?;
        }
        Ok(Watching { server, states, port })
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Waits until an open page has received the last state, at most a few seconds.
    pub fn wait_for_page(&self) {
        self.states.wait_for_page();
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        (0..ANSWERS).for_each(|_| self.server.unblock());
    }
}

fn answer(request: Request, states: &States) -> io::Result<()> {
    let host = request.headers().iter().find(|header| header.field.equiv("Host"));
    if !host.is_some_and(|header| is_here(header.value.as_str())) {
        return request.respond(text(403, "this server only answers for 127.0.0.1 and localhost\n"));
    }
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(text(405, "this server only answers GET and HEAD\n").with_header(header(
            "Allow",
            "GET, \
            HEAD",
        )));
    }
    let url = request.url().to_string();
    let (path, query) = url.split_once('?').unwrap_or((&url, ""));
    match path {
        "/" => request.respond(of_type(page::live(), "text/html; charset=utf-8")),
        "/state.json" => match states.json(&named_runs(query)) {
            Some(json) => request.respond(of_type(json, "application/json")),
            None => request.respond(text(404, "no such run\n")),
        },
        _ => request.respond(text(404, "only / and /state.json exist\n")),
    }
}

/// Returns whether a Host header is a name of this machine itself.
fn is_here(host: &str) -> bool {
    let (name, port) = host.rsplit_once(':').unwrap_or((host, "0"));
    ["127.0.0.1", "localhost"].contains(&name) && port.parse::<u16>().is_ok()
}

/// Returns the runs that a query names; a name that is no text is that of no run.
fn named_runs(query: &str) -> Vec<String> {
    let named = query.split('&').filter_map(|part| part.strip_prefix("run="));
    let decoded = |name: &str| {
        let name = name.replace('+', " ");
        percent_encoding::percent_decode_str(&name).decode_utf8().map_or("\0".to_string(), Into::into)
    };
    named.map(decoded).collect()
}

type Text = Response<io::Cursor<Vec<u8>>>;

fn text(status: u16, text: &str) -> Text {
    of_type(text.to_string(), "text/plain; charset=utf-8").with_status_code(status)
}

fn of_type(text: String, kind: &str) -> Text {
    let response = Response::from_data(text.into_bytes()).with_header(header("Content-Type", kind));
    [
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Referrer-Policy", "no-referrer"),
    ]
    .into_iter()
    .fold(response, |response, (name, value)| response.with_header(header(name, value)))
}

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("plain names and values")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_this_machine() {
        for here in ["127.0.0.1", "localhost", "127.0.0.1:8117", "localhost:9000"] {
            assert!(is_here(here), "{here}");
        }
        for elsewhere in ["", "example.org", "example.org:8117", "localhost.example.org", "127.0.0.1:x", "0.0.0.0:8117"]
        {
            assert!(!is_here(elsewhere), "{elsewhere}");
        }
    }

    #[test]
    fn runs_are_named_in_queries() {
        assert_eq!(named_runs("run=first/seed-1"), ["first/seed-1"]);
        assert_eq!(named_runs("a=b&run=a%20b%2F%3Cc&run=d+e"), ["a b/<c", "d e"]);
        assert_eq!(named_runs("run=%ff"), ["\0"]);
        assert!(named_runs("").is_empty());
    }
}
