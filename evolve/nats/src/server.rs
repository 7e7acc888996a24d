//! The server: its address, its credentials, and the connection.

use crate::error::NatsError;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use evolve_search::model::problem::Notes;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A server, and the credentials for it.
#[derive(Clone, Debug, Default)]
pub struct Server {
    /// The address, or several addresses of a cluster separated by commas: `nats://host:4222`,
    /// `tls://host:4222`. A user and password, or a token, may precede the host.
    pub url: String,
    /// The path of a credentials file, as written by `nsc`.
    pub creds: Option<PathBuf>,
}

/// A connection, which reconnects after a break.
#[derive(Clone)]
pub struct Connection {
    pub client: Client,
    /// The JetStream context.
    pub jetstream: Context,
}

/// The longest wait for an answer of the server.
const ANSWER: Duration = Duration::from_secs(5);

impl Server {
    /// Returns the addresses without credentials, for display.
    pub fn shown(&self) -> String {
        self.with_credentials("")
    }

    /// Returns the addresses with these words in place of all credentials.
    pub fn with_credentials(&self, words: &str) -> String {
        let shown = self.url.split(',').map(|one| match (one.find("://"), one.rfind('@')) {
            (Some(scheme), Some(at)) if at > scheme => format!("{}://{words}{}", &one[..scheme], &one[at + 1..]),
            (None, Some(at)) => format!("{words}{}", &one[at + 1..]),
            _ => one.to_string(),
        });
        shown.collect::<Vec<_>>().join(",")
    }

    fn addresses(&self) -> Result<Vec<ServerAddr>, NatsError> {
        let one = |text: &str| {
            let address = text.trim().parse::<ServerAddr>();
            // Omit the error, which may contain the credentials.
            address.map_err(|_| {
                let shown = self.shown();
                NatsError::Usage(format!(
                    "`{shown}` is not a server address such as nats://host:4222 or tls://host:4222"
                ))
            })
        };
        self.url.split(',').map(one).collect()
    }

    /// Checks that the address is well-formed, and that the credentials file can be read.
    ///
    /// # Errors
    /// If the address is malformed, or the file cannot be read.
    pub fn check(&self) -> Result<(), NatsError> {
        self.addresses()?;
        let Some(file) = &self.creds else { return Ok(()) };
        std::fs::File::open(file)
            .map(drop)
            .map_err(|error| NatsError::Usage(format!("{} cannot be read: {error}", file.display())))
    }

    /// Connects to the server.
    ///
    /// # Errors
    /// If there is no server, or it refuses the credentials or has no JetStream.
    pub async fn connect(&self, name: &str, notes: &Notes) -> Result<Connection, NatsError> {
        let addresses = self.addresses()?;
        let shown = self.shown();
        let notes = notes.clone();
        let is_lost = AtomicBool::new(false);
        let tell = move |event: &Event| match event {
            Event::Disconnected if !is_lost.swap(true, Ordering::Relaxed) => {
                notes.tell(&format!("the connection to {shown} is lost; trying again"));
            }
            Event::Connected if is_lost.swap(false, Ordering::Relaxed) => {
                notes.tell(&format!("connected to {shown} again"))
            }
            Event::ServerError(error) => notes.tell(&format!("{shown}: {error}")),
            _ => {}
        };
        let tell = Arc::new(tell);
        let mut options = ConnectOptions::new()
            .name(name)
            .request_timeout(Some(ANSWER))
            .ping_interval(Duration::from_secs(10))
            .reconnect_delay_callback(|attempts| Duration::from_millis(100 << attempts.min(5)))
            .event_callback(move |event| {
                let tell = Arc::clone(&tell);
                async move { tell(&event) }
            });
        if let Some(first) = addresses.iter().find(|address| address.has_user_pass()) {
            let user = first.username().unwrap_or_default().to_string();
            options = match first.password() {
                Some(password) => options.user_and_password(user, password.to_string()),
                None => options.token(user),
            };
        }
        if let Some(file) = &self.creds {
            let read = options.credentials_file(file).await;
            options =
                read.map_err(|error| NatsError::Usage(format!("{} has no credentials: {error}", file.display())))?;
        }
        let shown = self.shown();
        let client = options.connect(addresses).await;
        let client = client.map_err(|error| {
            let message = format!("cannot connect to {shown}: {}", chain(&error));
            match error.kind() {
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                    NatsError::Credentials(message)
                }
                _ => NatsError::Server(message),
            }
        })?;
        let mut jetstream = jetstream::new(client.clone());
        jetstream.set_timeout(ANSWER);
        // Request the information directly, because the fields of the answer differ between
        // versions of the server.
        let answer = client.request("$JS.API.INFO", "".into()).await;
        let refusal = answer.map_or_else(|error| Some(chain(&error)), |answer| refusal(&answer.payload));
        if let Some(why) = refusal {
            return Err(NatsError::Server(format!(
                "{shown} has no usable JetStream ({why}); start it as nats-server -js -sd FOLDER"
            )));
        }
        Ok(Connection { client, jetstream })
    }
}

/// Returns why the answer shows no usable JetStream, if so.
fn refusal(answer: &[u8]) -> Option<String> {
    let read = serde_json::from_slice::<serde_json::Value>(answer);
    let error = read.map_or_else(
        |error| Some(error.to_string().into()),
        |mut info| info.get_mut("error").map(|error| error["description"].take()),
    );
    error.map(|error| error.as_str().unwrap_or_default().to_string())
}

impl Connection {
    pub fn is_up(&self) -> bool {
        self.client.connection_state() == async_nats::connection::State::Connected
    }
}

/// Formats an error with its causes.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let more = cause.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_not_shown() {
        for (url, shown) in [
            ("nats://host:4222", "nats://host:4222"),
            ("nats://me:secret@host:4222", "nats://host:4222"),
            ("token@host", "host"),
            ("tls://a:b@c:1,nats://d:e@f:2", "tls://c:1,nats://f:2"),
        ] {
            let server = Server { url: url.to_string(), ..Server::default() };
            assert_eq!(server.shown(), shown);
            server.check().unwrap();
        }
        let wrong = Server { url: "http://me:secret@host".to_string(), ..Server::default() };
        let error = wrong.check().unwrap_err().to_string();
        assert!(error.contains("http://host") && !error.contains("secret"), "{error}");
    }
}
