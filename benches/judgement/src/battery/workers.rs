//! Plays runs on workers, through a NATS server (Debian's package `nats-server`).

use super::process::{command, evolve, folder};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A process that is killed when this value is dropped.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn begin(command: &mut Command) -> Killed {
    let begun = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    Killed(begun.unwrap_or_else(|error| panic!("{}: {error}", command.get_program().display())))
}

/// Returns the output of `count` runs, all played by the same two workers.
pub fn say(section: &str, count: u64) -> Vec<String> {
    let home = tempfile::tempdir().expect("a temporary folder can be made");
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port is free");
    let port = free.port().to_string();
    let _server =
        begin(Command::new("nats-server").args(["-a", "127.0.0.1", "-p", &port, "-js", "-sd"]).arg(home.path()));
    while TcpStream::connect(free).is_err() {
        sleep(Duration::from_millis(20));
    }
    let join = |number: u32| {
        // The noise of a process depends on its arguments, so they must differ.
        let args = format!("worker --server nats://127.0.0.1:{port} --parallel 1 --idle-timeout {}s", 600 + number);
        begin(&mut command(home.path(), &args))
    };
    let _workers = [join(1), join(2)];
    (1..=count)
        .map(|seed| {
            let folder = folder(section, seed, 200, &[("job.toml", "")]);
            evolve(folder.path(), &format!("run job.toml --server nats://127.0.0.1:{port}"))
        })
        .collect()
}
