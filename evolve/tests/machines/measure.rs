//! How much of their time workers spend on games: the figures of docs/many-machines.md.

use crate::EVOLVE;
use crate::cluster::Cluster;
use crate::server::Server;

/// Trials of a fixed time, which take no processor.
const FIXED: &str = "[game]\nname = \"steps\"\nmicros = 20000\n";
/// Real games.
const REAL: &str = "[game]\nname = \"solitaire-chess\"\ngroup = 4\n[player]\nname = \"beam\"\nwidth = 4\n";

/// A job of so many generations of 2,000 trials.
fn job(problem: &str, generations: usize) -> String {
    format!(
        "name = \"first\"\nseed = 3\n{problem}[evolution]\npopulation = 40\ngames = 50\ngenerations = {generations}\n\
         [validation]\nevery = 0\n[final]\ngames = 20\nverdict = 100\nleaders = 2\n"
    )
}

pub fn measure() {
    for (what, problem) in [("trials of 20 ms", FIXED), ("real games", REAL)] {
        for count in [1, 2, 4, 8] {
            let server = Server::start("");
            let generations = if problem == FIXED { count } else { 2 };
            let cluster = Cluster::new(&job(problem, generations), server.url());
            let worker = |i| cluster.worker_of(EVOLVE, &format!("worker-{i}"), &["--threads", "1"]);
            let workers: Vec<_> = (0..count).map(worker).collect();
            let mut run = cluster.run("run", &[]);
            run.succeeds();
            let said = run.said();
            let figures = said.lines().find(|line| line.contains("of their time on games"));
            let speed = said.lines().find(|line| line.starts_with("complete after"));
            println!("{what}, {count} workers: {}; {}", figures.unwrap(), speed.unwrap());
            drop(workers);
        }
    }
}
