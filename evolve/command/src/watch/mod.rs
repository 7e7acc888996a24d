//! The live page: a server, and its data.
//!
//! The server only reads the files of runs, and answers only GET and HEAD. On a loopback address,
//! it answers only requests whose Host header is a loopback name, so that pages from elsewhere
//! cannot read from it. On another address, it answers only requests that know its token.

mod access;
mod pages;
mod state;

use access::Access;
use evolve_contest::Games;
use evolve_core::job::Catalogue;
use evolve_report::page;
use pages::Pages;
use state::States;
use std::io;
use std::net::{IpAddr, SocketAddr};
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
    pages: Arc<Pages>,
    address: String,
}

/// Where and by which command runs are served.
pub struct Place {
    /// The folder of a run or of runs; `None`: the folders below the current one.
    pub folder: Option<PathBuf>,
    /// The command as users write it.
    pub command: &'static str,
    /// The address that answers; any but the loopback address needs a token.
    pub host: IpAddr,
    /// The port; `None` for the first free one.
    pub port: Option<u16>,
}

/// The number of simultaneous answers, so that a slow reader does not block others.
const ANSWERS: usize = 4;

impl Watching {
    /// Serves runs. Without a given port, uses [`PORT`], or any free one if that is taken.
    ///
    /// # Errors
    /// If the given port is taken, or no port is free.
    pub fn start(
        Place { folder, command, host, port }: Place,
        catalogue: &'static Catalogue,
        games: &'static Games,
    ) -> io::Result<Self> {
        let listen = |port| Server::http((host, port)).map_err(io::Error::other);
        let server = match port {
            Some(port) => listen(port),
            None => listen(PORT).or_else(|_| listen(0)),
        }?;
        let port = server.server_addr().to_ip().as_ref().map_or(0, SocketAddr::port);
        let access = Access::new(host)?;
        let address = access.address(port);
        let (server, states) = (Arc::new(server), Arc::new(States::new(folder, command, catalogue, games)));
        let pages = Arc::new(Pages::default());
        for _ in 0..ANSWERS {
            let (server, states, access) = (Arc::clone(&server), Arc::clone(&states), access.clone());
            let pages = Arc::clone(&pages);
            let serve = move || {
                while let Ok(request) = server.recv() {
                    // A client that has disconnected needs no answer.
                    let _ = answer(request, &states, &pages, &access);
                }
            };
            thread::Builder::new().name("watch".to_string()).spawn(serve)?;
        }
        Ok(Watching { server, states, pages, address })
    }

    /// The address to open in a browser, with the token if it needs one.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Says that the run has ended, and waits until every open page has received that, at most a
    /// few seconds.
    pub fn end(&self) {
        self.states.end();
        self.pages.wait();
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        (0..ANSWERS).for_each(|_| self.server.unblock());
    }
}

fn answer(request: Request, states: &States, pages: &Pages, access: &Access) -> io::Result<()> {
    if let Err(refusal) = access.check(&request) {
        return request.respond(text(403, refusal));
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
        "/" => {
            let page = of_type(page::live(), "text/html; charset=utf-8");
            let cookie = access.cookie().map(|cookie| header("Set-Cookie", &cookie));
            request.respond(cookie.into_iter().fold(page, Text::with_header))
        }
        "/state.json" => {
            let page = query.split('&').find_map(|part| part.strip_prefix("page="));
            page.into_iter().for_each(|page| pages.ask(page));
            let (response, is_last) = match states.json(&named_runs(query)) {
                Some((json, is_last)) => (of_type(json, "application/json"), is_last),
                None => (text(404, "no such run\n"), false),
            };
            let sent = request.respond(response);
            page.into_iter().for_each(|page| pages.answer(page, is_last));
            sent
        }
        _ => request.respond(text(404, "only / and /state.json exist\n")),
    }
}

/// Returns the names of runs in a query. A name that is not UTF-8 becomes the name of no run.
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
    fn runs_are_named_in_queries() {
        assert_eq!(named_runs("run=first/seed-1"), ["first/seed-1"]);
        assert_eq!(named_runs("a=b&run=a%20b%2F%3Cc&run=d+e"), ["a b/<c", "d e"]);
        assert_eq!(named_runs("run=%ff"), ["\0"]);
        assert!(named_runs("").is_empty());
    }
}
