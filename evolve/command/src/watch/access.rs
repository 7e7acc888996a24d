//! Who may read the live page.

use std::fs;
use std::io;
use std::net::IpAddr;
use tiny_http::Request;

/// The requests that a server answers.
#[derive(Clone)]
pub enum Access {
    /// Those to a loopback name of this machine.
    Here(IpAddr),
    /// Those that know the token.
    Token(IpAddr, String),
}

const COOKIE: &str = "evolve-token";

impl Access {
    /// Creates the access to an address of this machine, with a token of its own unless only this
    /// machine reaches it.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn new(host: IpAddr) -> io::Result<Self> {
        if host.is_loopback() {
            return Ok(Access::Here(host));
        }
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Access::Token(host, bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Returns the address of the page.
    pub fn address(&self, port: u16) -> String {
        let shown = |host: &IpAddr| match host {
            _ if host.is_unspecified() => {
                let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
                if name.trim().is_empty() { "localhost".to_string() } else { name.trim().to_string() }
            }
            IpAddr::V4(host) => host.to_string(),
            IpAddr::V6(host) => format!("[{host}]"),
        };
        match self {
            Access::Here(host) => format!("http://{}:{port}/", shown(host)),
            Access::Token(host, token) => format!("http://{}:{port}/?token={token}", shown(host)),
        }
    }

    /// Checks a request.
    ///
    /// # Errors
    /// The reason why it gets no answer.
    pub fn check(&self, request: &Request) -> Result<(), &'static str> {
        let header = |name: &'static str| {
            let found = request.headers().iter().find(|header| header.field.equiv(name));
            found.map(|header| header.value.as_str())
        };
        match self {
            Access::Here(_) if header("Host").is_some_and(is_here) => Ok(()),
            Access::Here(_) => Err("this server only answers for 127.0.0.1 and localhost\n"),
            Access::Token(_, token) => match knows(token, request.url(), header("Cookie").unwrap_or_default()) {
                true => Ok(()),
                false => Err("open the address that `evolve watch` prints: it ends with a token\n"),
            },
        }
    }

    /// Returns the cookie by which a page knows the token in later requests.
    pub fn cookie(&self) -> Option<String> {
        match self {
            Access::Here(_) => None,
            Access::Token(_, token) => Some(format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/")),
        }
    }
}

/// Returns whether a request has the token in its query or its cookie.
fn knows(token: &str, url: &str, cookies: &str) -> bool {
    let (_, query) = url.split_once('?').unwrap_or((url, ""));
    let in_query = query.split('&').filter_map(|part| part.strip_prefix("token="));
    let in_cookie = cookies.split(';').filter_map(|part| part.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    in_query.chain(in_cookie).any(|given| is_equal(given, token))
}

/// Compares in a time that does not depend on where two texts differ.
fn is_equal(given: &str, token: &str) -> bool {
    let differing = given.bytes().zip(token.bytes()).fold(0, |differing, (a, b)| differing | (a ^ b));
    given.len() == token.len() && differing == 0
}

/// Returns whether a Host header is a loopback name of this machine.
fn is_here(host: &str) -> bool {
    let (name, port) = host.rsplit_once(':').filter(|(name, _)| !name.ends_with(':')).unwrap_or((host, "0"));
    ["127.0.0.1", "localhost", "[::1]"].contains(&name) && port.parse::<u16>().is_ok()
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
    fn a_token_is_known_from_the_address_or_a_cookie() {
        assert!(knows("abc", "/?token=abc", "") && knows("abc", "/state.json?run=a&token=abc", ""));
        assert!(knows("abc", "/state.json", "other=1; evolve-token=abc"));
        for (url, cookies) in
            [("/", ""), ("/?token=ab", ""), ("/?token=abcd", "evolve-token=abd"), ("/?xtoken=abc", "")]
        {
            assert!(!knows("abc", url, cookies), "{url} {cookies}");
        }
        let access = Access::new([0, 0, 0, 0].into()).unwrap();
        let (one, other) = (access.address(1), Access::new([0, 0, 0, 0].into()).unwrap().address(1));
        assert_ne!(one, other, "each start has a token of its own");
        assert!(one.split_once("token=").unwrap().1.len() == 32 && access.cookie().is_some());
        assert_eq!(Access::new([127, 0, 0, 1].into()).unwrap().address(8117), "http://127.0.0.1:8117/");
    }
}
