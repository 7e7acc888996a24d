//! Workers that join a run, and workers that cannot.

use crate::cluster::{Cluster, Process, job};
use crate::server::Server;
use crate::{BROKEN, EVOLVE, OTHER};
use rustix::process::Signal;
use std::fs;

/// Two workers that wait for a run.
fn two_workers(cluster: &Cluster) -> [Process; 2] {
    let with = |i: u32| cluster.worker_of(EVOLVE, &format!("worker-{i}"), &["--allow-programs", "--parallel", "1"]);
    let mut workers = [with(1), with(2)];
    workers.iter_mut().for_each(|worker| worker.says("no run at"));
    workers
}

pub fn one_two_and_three_workers_give_the_same_bytes() {
    let server = Server::start("");
    for count in 1..=3 {
        let cluster = Cluster::new(&job(6, 1000), server.url());
        let mut workers: Vec<_> = (0..count).map(|i| cluster.worker(&format!("worker-{i}"))).collect();
        workers[0].says("no run at");
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
    // The server has no run left for a worker.
    let cluster = Cluster::new("", server.url());
    let mut idle = cluster.worker_of(EVOLVE, "idle", &["--idle-timeout", "1s"]);
    idle.succeeds();
    assert!(idle.said().contains("no run started; leaving"), "{}", idle.said());
}

pub fn a_run_reports_that_it_waits_for_workers() {
    let mut server = Server::start("");
    let cluster = Cluster::new(&job(2, 0), server.url());
    let mut run = cluster.run("run", &[]);
    run.says(&format!(
        "no worker has joined yet, and 50 trials wait; start one with: evolve worker --server {}\n",
        server.url()
    ));
    run.signal(Signal::INT);
    assert_eq!(run.status(), 130);
    assert!(
        run.said().contains(&format!("resume with: evolve run job.toml --server {} --resume", server.url())),
        "{}",
        run.said()
    );

    server.kill();
    let mut run = cluster.run("run", &["--resume"]);
    assert_eq!(run.status(), 1);
    assert!(run.said().contains("error: cannot connect to nats://127.0.0.1"), "{}", run.said());
    // Workers may start before the server.
    let mut worker = cluster.worker("worker");
    worker.says("; trying again");
    server.again();
    worker.says("no run at");
    let mut run = cluster.run("run", &["--resume"]);
    run.succeeds();
    cluster.assert_same_as_one_thread();

    let wrong = |more: &[&str]| {
        let output = cluster.output(&[&["run", "job.toml", "--name", "other"], more].concat());
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let printed = wrong(&["--server", "http://me:secret@host"]);
    assert!(printed.contains("is not a server address") && !printed.contains("secret"), "{printed}");
    let url = server.url();
    let printed = wrong(&["--server", &url, "--parallel", "2"]);
    assert!(printed.contains("start a worker here as well"), "{printed}");
}

pub fn another_build_is_refused() {
    let server = Server::start("");
    let cluster = Cluster::new(&job(6, 2000), server.url());
    let mut run = cluster.run("run", &[]);
    let mut other = cluster.worker_of(OTHER, "other", &[]);
    other.says("not playing for the run first: steps has other parameters or settings in this build");
    run.says("does not join: steps has other parameters");
    let _worker = cluster.worker("worker");
    run.succeeds();
    cluster.assert_same_as_one_thread();
}

/// A failure on a worker ends the run only if the run can repeat it.
pub fn a_machine_on_which_games_fail_leaves() {
    let server = Server::start("");
    let cluster = Cluster::new(&job(6, 2000), server.url());
    let mut broken = cluster.worker_of(BROKEN, "broken", &["--parallel", "2"]);
    let mut run = cluster.run("run", &[]);
    broken.says("not playing for the run first: a trial failed here: memory limit: there is none left on this machine");
    run.says("leaves: a trial failed here");
    run.says("that does not fail here");
    let _worker = cluster.worker("worker");
    run.succeeds();
    cluster.assert_same_as_one_thread();
}

/// A job whose program is a script next to it, which reads another file.
const PROGRAM: &str = r#"name = "first"
seed = 3
[program]
command = "sh score.sh {x} {seed}"
[parameters]
x = { int = [1, 99], start = 20 }
[search]
optimizer = "genetic"
population = 4
elites = 1
trials = 3
generations = 2
validation = 30
selection = 4
test = 30
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
    careful.says("not playing for the run first: its job contains a program");
    run.says("does not join: its job contains a program");
    let mut worker = elsewhere.worker_of(EVOLVE, "worker", &["--allow-programs", "--parallel", "2"]);
    worker.says("playing for the run first");
    run.succeeds();
    cluster.assert_same_as_one_thread();

    // A run has its own copy of its program, but not of the files that a script names.
    assert!(cluster.result("inputs.txt").contains("score.sh"), "{}", cluster.result("inputs.txt"));
    fs::write(cluster.folder.path().join("more.sh"), "more=6\n").unwrap();
    let changed = cluster.output(&["run", "job.toml", "--server", &server.url(), "--send", "more.sh", "--resume"]);
    let printed = String::from_utf8(changed.stderr).unwrap();
    assert!(!changed.status.success() && printed.contains("more.sh has changed"), "{printed}");

    fs::remove_dir_all(cluster.folder.path().join("results")).unwrap();
    let parent = format!("../{}/more.sh", cluster.folder.path().file_name().unwrap().to_string_lossy());
    let outside = cluster.output(&["run", "job.toml", "--server", &server.url(), "--send", &parent]);
    let printed = String::from_utf8(outside.stderr).unwrap();
    assert!(printed.contains("outside of this folder"), "{printed}");
}

/// The start and the finalist play a game of the verdict on one machine, one right after the other,
/// in the order of its seed.
pub fn who_is_compared_on_a_game_plays_it_on_one_machine() {
    let server = Server::start("");
    // Larger values are always better, so that there is a verdict.
    let cluster = Cluster::new(PROGRAM, server.url());
    let log = cluster.folder.path().join("played");
    let script = format!("echo $PPID $2 $1 >> {}\necho Score = $(( $1 * 20 + $2 % 7 ))\n", log.display());
    fs::write(cluster.folder.path().join("score.sh"), script).unwrap();
    let _workers = two_workers(&cluster);
    cluster.run("run", &[]).succeeds();

    let trials = cluster.result("trials.csv");
    let verdict: Vec<(String, String)> = trials
        .lines()
        .map(|row| row.split(',').collect::<Vec<_>>())
        .filter(|row| row[1] == "test")
        // A program gets the first 31 bits of a seed.
        .map(|row| {
            ((row[5].trim_start_matches('s').parse::<u64>().unwrap() >> 33).to_string(), row[row.len() - 1].to_string())
        })
        .collect();
    assert_eq!(verdict.len(), 60);
    let played = fs::read_to_string(&log).unwrap();
    let played: Vec<Vec<&str>> = played.lines().map(|line| line.split(' ').collect()).collect();
    let mut machines: Vec<&str> = played.iter().map(|play| play[0]).collect();
    machines.sort_unstable();
    machines.dedup();
    assert_eq!(machines.len(), 2, "{machines:?}");
    let of_machine = |machine: &str| -> Vec<(String, String)> {
        let plays = played.iter().filter(|play| play[0] == machine);
        plays.map(|play| (play[1].to_string(), play[2].to_string())).collect()
    };
    let of_machines: Vec<_> = machines.iter().map(|machine| of_machine(machine)).collect();
    for pair in verdict.chunks(2) {
        assert_eq!(pair[0].0, pair[1].0, "two of a game follow each other");
        let is_in_a_row = of_machines.iter().any(|plays| plays.windows(2).any(|two| two == pair));
        assert!(is_in_a_row, "{pair:?} in {played:?}");
    }
}

/// The metrics of trials travel with their scores: the best value that holds the limit is
/// recommended.
pub fn constraints_hold_on_workers() {
    let server = Server::start("");
    let limited = PROGRAM
        .replace("[parameters]", "metrics = { load = 'load (\\d+)' }\n[constraints]\nload = \"<= 60\"\n[parameters]")
        .replace("generations = 2", "generations = 8");
    let cluster = Cluster::new(&limited, server.url());
    fs::write(cluster.folder.path().join("score.sh"), "echo Score = $(( $1 * 20 + $2 % 7 ))\necho load $1\n").unwrap();
    let _workers = two_workers(&cluster);
    cluster.run("run", &[]).succeeds();
    cluster.assert_same_as_one_thread();
    let weights = cluster.result("recommendation.toml");
    let x = weights.lines().find_map(|line| line.strip_prefix("x = ")?.parse::<i64>().ok()).unwrap();
    assert!((21..=60).contains(&x) && weights.contains("load"), "{weights}");
}

/// The split of a trial travels with it, and decides which time limit it has.
pub fn time_limits_hold_on_workers() {
    let server = Server::start("");
    let limited = PROGRAM
        .replace("{seed}\"", "{seed} {limit_ms}\"\nlimit = { full = \"200ms\", search = \"50ms\" }")
        .replace("[parameters]", "metrics = { limit = 'limit (\\d+)' }\n[parameters]");
    let cluster = Cluster::new(&limited, server.url());
    let solver = "echo Score = $(( $1 * 20 + $3 + $2 % 7 ))\necho limit $3\n";
    fs::write(cluster.folder.path().join("score.sh"), solver).unwrap();
    let _workers = two_workers(&cluster);
    cluster.run("run", &[]).succeeds();
    cluster.assert_same_as_one_thread();
    let trials = cluster.result("trials.csv");
    let mut rows = trials.lines().skip(1);
    assert!(rows.all(|row| row.contains(",limit=200,") == row.contains(",test,")), "{trials}");
    assert!(trials.contains(",limit=200,") && trials.contains(",limit=50,"), "{trials}");
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
    // An operator with an account, and a user with only the permissions in docs/many-machines.md.
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
    let mut run = stranger.run("run", &["--creds", &key("server.pem")]);
    assert_eq!(run.status(), 1, "{}", run.said());
    assert!(run.said().contains("server.pem has no credentials"), "{}", run.said());
}

pub fn encrypted_connections_are_checked() {
    let server = Server::start(&format!(
        "tls {{\n cert_file: \"{}\"\n key_file: \"{}\"\n}}",
        key("server.pem"),
        key("server.key")
    ));
    let mut cluster = Cluster::new(&job(2, 0), format!("tls://{}", server.host()));
    cluster.certificates = Some(key("ca.pem"));
    let mut worker = cluster.worker("worker");
    let mut run = cluster.run("run", &[]);
    run.succeeds();
    cluster.assert_same_as_one_thread();
    worker.says("has ended");
    // A server with an untrusted certificate.
    let stranger = Cluster::new(&job(2, 0), cluster.url.clone());
    let mut run = stranger.run("run", &[]);
    assert_eq!(run.status(), 1, "{}", run.said());
    assert!(run.said().to_lowercase().contains("certificate"), "{}", run.said());
}
