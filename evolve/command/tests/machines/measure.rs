//! Games per second, with threads of one process and with workers: the figures of
//! docs/many-machines.md.

use crate::EVOLVE;
use crate::cluster::{Cluster, Process, command};
use crate::server::Server;
use std::process::Stdio;
use std::time::Instant;

/// Games of a fixed time without work, and real ones, with their names and trials per generation.
const PROBLEMS: [(&str, &str, usize); 3] = [
    ("games of 20 ms", "[game]\nname = \"steps\"\nmicros = 20000\n", 10),
    ("games of 1 ms", "[game]\nname = \"steps\"\nmicros = 1000\n", 50),
    ("Solitaire chess", "[game]\nname = \"solitaire-chess\"\ngroup = 4\n[player]\nname = \"beam\"\nwidth = 20\n", 50),
];

/// A job of ten generations of 20 candidates.
fn job(problem: &str, games: usize) -> String {
    format!(
        "name = \"first\"\nseed = 3\n{problem}[search]\noptimizer = \"genetic\"\npopulation = 20\ntrials = {games}\n\
         generations = 10\nselection = 20\ntest = 100\n"
    )
}

/// Games per second since a start, from the number that a run prints.
fn speed(since: Instant, printed: &str) -> f64 {
    let games = printed.split(" generations and ").nth(1).and_then(|text| text.split(' ').next());
    games.and_then(|games| games.parse::<f64>().ok()).expect("it tells its games") / since.elapsed().as_secs_f64()
}

pub fn games_a_second() {
    for (name, problem, games) in PROBLEMS {
        for count in [1, 2] {
            let server = Server::start("");
            let cluster = Cluster::new(&job(problem, games), server.url());
            let workers: Vec<Process> =
                (0..count).map(|i| cluster.worker_of(EVOLVE, &format!("worker-{i}"), &["--parallel", "1"])).collect();
            let mut run = cluster.run("run", &[]);
            run.says(&format!("has joined: {count} worker"));
            let since = Instant::now();
            run.succeeds();
            let there = speed(since, &run.said());
            drop(workers);

            let cluster = Cluster::new(&job(problem, games), String::new());
            let since = Instant::now();
            let mut here = command(EVOLVE);
            here.args(["run", "job.toml", "--parallel", &count.to_string()]).current_dir(&cluster.folder);
            let output = here.stdin(Stdio::null()).output().unwrap();
            let here = speed(since, &String::from_utf8_lossy(&output.stderr));
            println!("{name}: {count} threads {here:.0} games/s, {count} workers {there:.0}, {:.2}", there / here);
        }
    }
}
