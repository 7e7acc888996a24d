//! How much of their time workers spend on games: the figures of docs/many-machines.md.

use crate::EVOLVE;
use crate::cluster::Cluster;
use crate::server::Server;

/// Trials of a fixed time, which take no processor.
const FIXED: &str = "[game]\nname = \"steps\"\nmicros = 20000\n";
/// Real games.
const REAL: &str = "[game]\nname = \"solitaire-chess\"\ngroup = 4\n[player]\nname = \"beam\"\nwidth = 60\n";

/// A job of so many generations of 2,000 trials.
fn job(problem: &str, generations: usize) -> String {
    format!(
        "name = \"first\"\nseed = 3\n{problem}[evolution]\noptimizer = \"genetic\"\npopulation = 40\ngames = 50\n\
         generations = {generations}\n[final]\ngames = 20\nverdict = 100\n"
    )
}

pub fn trials_of_fixed_cost() {
    measure(FIXED, |workers| workers);
}

pub fn real_games() {
    measure(REAL, |_| 2);
}

fn measure(problem: &str, generations: impl Fn(usize) -> usize) {
    for count in [1, 2, 4, 8] {
        let server = Server::start("");
        let cluster = Cluster::new(&job(problem, generations(count)), server.url());
        let worker = |i| cluster.worker_of(EVOLVE, &format!("worker-{i}"), &["--threads", "1"]);
        let workers: Vec<_> = (0..count).map(worker).collect();
        let mut run = cluster.run("run", &[]);
        run.succeeds();
        let said = run.said();
        for line in
            said.lines().filter(|line| line.contains("of their time on games") || line.starts_with("complete after"))
        {
            println!("{line}");
        }
        drop(workers);
    }
}
