//! Workers that join, and those that cannot.

use crate::cluster::{Cluster, job, wait_until};
use crate::server::Server;
use crate::{BROKEN, EVOLVE, OTHER};
use rustix::process::Signal;
use serde_json::Value;
use std::fs;

pub fn one_two_and_three_workers_give_the_same_bytes() {
    let server = Server::start("");
    for count in 1..=3 {
        let cluster = Cluster::new(&job(6, 1000), server.url());
        let mut workers: Vec<_> = (0..count).map(|i| cluster.worker(&format!("worker-{i}"))).collect();
        workers[0].says("no run to play for");
        let mut run = cluster.run("run", &[]);
        run.succeeds();
        let said = run.said();
        assert!(said.contains("has joined: 1 worker, 2 threads\n"), "{said}");
        cluster.assert_same_as_one_thread();
        for worker in &mut workers {
            worker.says("the run first has ended");
            worker.signal(Signal::TERM);
            worker.succeeds();
        }
    }
    // Nothing is left at the server: a worker finds no run there.
    let cluster = Cluster::new("", server.url());
    let mut idle = cluster.worker_of(EVOLVE, "idle", &["--idle", "1s"]);
    idle.succeeds();
    assert!(idle.said().contains("no run came; leaving"), "{}", idle.said());
}

pub fn the_coordinator_can_play_as_well() {
    let server = Server::start("");
    let cluster = Cluster::new(&job(20, 3000), server.url());
    let mut run = cluster.run("run", &["--threads", "2"]);
    let _worker = cluster.worker("worker");
    let mut listed = Value::Null;
    wait_until("both are listed, with their speed", || {
        listed = serde_json::from_slice(&cluster.output(&["status", "--json"]).stdout).unwrap_or_default();
        let workers = listed[0]["workers"].as_array().cloned().unwrap_or_default();
        workers.len() == 2 && workers.iter().all(|worker| worker["games_per_second"].as_f64().unwrap() > 0.0)
    });
    assert!(listed[0]["workers"].as_array().unwrap().iter().all(|worker| worker["state"] == "playing"), "{listed}");
    let text = String::from_utf8(cluster.output(&["status"]).stdout).unwrap();
    assert!(text.contains("workers of results/first\n") && text.contains(" playing "), "{text}");
    run.succeeds();
    assert!(run.said().contains("2 workers with 4 threads spent "), "{}", run.said());
    cluster.assert_same_as_one_thread();
}

pub fn it_is_said_what_is_awaited() {
    let mut server = Server::start("");
    let cluster = Cluster::new(&job(2, 0), server.url());
    let mut run = cluster.run("run", &[]);
    run.says(&format!(
        "no worker has joined yet, and 50 games wait; start one by: evolve worker --join {}\n",
        server.url()
    ));
    run.signal(Signal::INT);
    assert_eq!(run.status(), 130);
    assert!(
        run.said().contains(&format!("go on with: evolve run job.toml --workers {} --resume", server.url())),
        "{}",
        run.said()
    );

    server.kill();
    let mut run = cluster.run("run", &["--resume"]);
    assert_eq!(run.status(), 1);
    assert!(run.said().contains("error: cannot connect to nats://127.0.0.1"), "{}", run.said());
    // Workers may come before the server does.
    let mut worker = cluster.worker("worker");
    worker.says("; trying again");
    server.again();
    worker.says("no run to play for");
    let mut run = cluster.run("run", &["--resume"]);
    run.succeeds();
    cluster.assert_same_as_one_thread();

    let wrong = cluster.output(&["run", "job.toml", "--workers", "http://me:secret@host"]);
    let told = String::from_utf8(wrong.stderr).unwrap();
    assert!(told.contains("is no address of a server") && !told.contains("secret"), "{told}");
    assert_eq!(wrong.status.code(), Some(2));
}

pub fn another_build_is_refused() {
    let server = Server::start("");
    let cluster = Cluster::new(&job(6, 2000), server.url());
    let mut run = cluster.run("run", &[]);
    let mut other = cluster.worker_of(OTHER, "other", &[]);
    other
        .says("the run first refuses this worker: it plays otherwise: trials that both have played had other outcomes");
    run.says("is refused: it plays otherwise");
    let _worker = cluster.worker("worker");
    run.succeeds();
    cluster.assert_same_as_one_thread();
}

/// No single machine ends a run: its failure is believed if it happens where the run is as well.
pub fn a_machine_on_which_games_fail_is_refused() {
    let server = Server::start("");
    let cluster = Cluster::new(&job(6, 2000), server.url());
    let mut broken = cluster.worker_of(BROKEN, "broken", &["--threads", "2"]);
    let mut run = cluster.run("run", &[]);
    run.says("is refused: ");
    broken.says("the run first refuses this worker: ");
    let _worker = cluster.worker("worker");
    run.succeeds();
    cluster.assert_same_as_one_thread();
}

/// A job whose program is a script beside it, which reads another file.
const PROGRAM: &str = r#"name = "first"
seed = 3
[program]
command = "sh score.sh {x} {seed}"
[parameters]
x = { int = [1, 99], start = 20 }
[evolution]
optimizer = "genetic"
population = 4
elites = 1
games = 3
generations = 2
[validation]
games = 30
[final]
games = 4
verdict = 30
"#;

pub fn programs_are_sent_and_executed_where_allowed() {
    let server = Server::start("");
    let cluster = Cluster::new(PROGRAM, server.url());
    fs::write(cluster.folder.path().join("score.sh"), ". ./more.sh\necho Score = $(( $1 * 2 + $2 % 7 + more ))\n")
        .unwrap();
    fs::write(cluster.folder.path().join("more.sh"), "more=5\n").unwrap();
    let elsewhere = Cluster::new("", server.url());
    let mut run = cluster.run("run", &["--send", "more.sh"]);
    let mut careful = elsewhere.worker_of(EVOLVE, "careful", &[]);
    careful.says("not joining the run first: its job brings a program along, and this worker executes none");
    run.says("does not join: its job brings a program along");
    let mut worker = elsewhere.worker_of(EVOLVE, "worker", &["--allow-programs", "--threads", "2"]);
    worker.says("playing for the run first");
    run.succeeds();
    cluster.assert_same_as_one_thread();

    fs::remove_dir_all(cluster.folder.path().join("results")).unwrap();
    let parent = format!("../{}/more.sh", cluster.folder.path().file_name().unwrap().to_string_lossy());
    let outside = cluster.output(&["run", "job.toml", "--workers", &server.url(), "--send", &parent]);
    let told = String::from_utf8(outside.stderr).unwrap();
    assert!(told.contains("outside of this folder"), "{told}");
}

pub fn credentials_are_taken() {
    let server = Server::start("authorization {\n token: \"s3cret\"\n}");
    let cluster = Cluster::new(&job(2, 0), format!("nats://s3cret@{}", server.host()));
    let mut worker = cluster.worker("worker");
    let mut run = cluster.run("run", &[]);
    run.succeeds();
    cluster.assert_same_as_one_thread();
    worker.says("has ended");
    assert!(!run.said().contains("s3cret") && !worker.said().contains("s3cret"));
    let stranger = Cluster::new(&job(2, 0), server.url());
    let mut run = stranger.run("run", &[]);
    assert_eq!(run.status(), 1);
    assert!(run.said().contains("authorization"), "{}", run.said());
    let mut worker = stranger.worker("worker");
    assert_eq!(worker.status(), 1);
    assert!(worker.said().contains("authorization"), "{}", worker.said());
    let mut run = stranger.run("run", &["--creds", "missing.creds"]);
    assert_eq!(run.status(), 2);
    assert!(run.said().contains("missing.creds cannot be read"), "{}", run.said());
}

/// A file in the folder of keys.
fn key(name: &str) -> String {
    format!("{}/tests/machines/keys/{name}", env!("CARGO_MANIFEST_DIR"))
}

pub fn credentials_files_are_taken() {
    // An operator with an account, and a user of it who may do no more than docs/many-machines.md says.
    let server = Server::start(&fs::read_to_string(key("operator.conf")).unwrap());
    let cluster = Cluster::new(&job(2, 0), server.url());
    let creds = key("worker.creds");
    let mut worker = cluster.worker_of(EVOLVE, "worker", &["--creds", &creds]);
    let mut run = cluster.run("run", &["--creds", &creds]);
    run.succeeds();
    cluster.assert_same_as_one_thread();
    worker.says("has ended");
    let stranger = Cluster::new(&job(2, 0), server.url());
    let mut run = stranger.run("run", &[]);
    assert_eq!(run.status(), 1);
    assert!(run.said().contains("authorization"), "{}", run.said());
    let mut run = stranger.run("run", &["--creds", &key("ca.pem")]);
    assert_eq!(run.status(), 1, "{}", run.said());
    assert!(run.said().contains("ca.pem holds no credentials"), "{}", run.said());
}

pub fn encrypted_connections_are_checked() {
    let file = |name: &str| format!("\"{}\"", key(name));
    let server = Server::start(&format!(
        "tls {{\n cert_file: {}\n key_file: {}\n ca_file: {}\n verify: true\n}}",
        file("server.pem"),
        file("server.key"),
        file("ca.pem")
    ));
    let cluster = Cluster::new(&job(2, 0), format!("tls://{}", server.host()));
    let (authority, own, secret) = (key("ca.pem"), key("worker.pem"), key("worker.key"));
    let all = ["--tls-ca", &authority, "--tls-cert", &own, "--tls-key", &secret];
    let mut worker = cluster.worker_of(EVOLVE, "worker", &all);
    let mut run = cluster.run("run", &all);
    run.succeeds();
    cluster.assert_same_as_one_thread();
    worker.says("has ended");
    // A server that nobody vouches for, and a server that asks who this is.
    for known in [&all[2..], &all[..2]] {
        let stranger = Cluster::new(&job(2, 0), cluster.url.clone());
        let mut run = stranger.run("run", known);
        assert_eq!(run.status(), 1, "{}", run.said());
        assert!(run.said().to_lowercase().contains("certificate"), "{}", run.said());
    }
}
