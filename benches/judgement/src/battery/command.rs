//! Measures the claims of the command, in separate processes.

use super::process::{command, evolve, folder};
#[cfg(feature = "nats")]
use super::workers;
use super::{ALLOWED, ROW, named};
use crate::carried::spread;
use crate::share::Share;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// The problem of a job.
pub struct Plays {
    pub name: &'static str,
    /// The section that declares the problem, without the seed of the noise.
    pub section: &'static str,
}

const PROBLEMS: [Plays; 6] = [
    Plays { name: "noise 30 %, maximize", section: "[game]\nname = \"noise-relative\"\nnoise = 300\n" },
    Plays {
        name: "chaos 30 %, minimize",
        section: "[game]\nname = \"noise-relative\"\nkind = \"chaos\"\nnoise = 300\ngoal = \"minimize\"\n",
    },
    Plays {
        name: "load drifts by 10 %",
        section: "[game]\nname = \"noise-log\"\nkind = \"drift\"\nnoise = 30\nsize = 100\n",
    },
    Plays {
        name: "load in bursts of 10 %",
        section: "[game]\nname = \"noise-raw\"\nkind = \"bursts\"\nnoise = 30\nsize = 100\ngoal = \"minimize\"\n",
    },
    Plays {
        name: "a trial slows the next by 3 %",
        section: "[game]\nname = \"noise-log\"\nkind = \"carries\"\nnoise = 30\nsize = 30\n",
    },
    Plays {
        name: "first play 3 % slower",
        section: "[game]\nname = \"noise-relative\"\nkind = \"cold\"\nnoise = 30\nsize = 30\n",
    },
];

/// Returns the section of a real program, started for each trial: this executable.
fn program(kind: &str, goal: &str) -> String {
    let me = std::env::current_exe().expect("this program has a path");
    format!(
        "[program]\ncommand = [{:?}, \"play\", \"{kind}\", \"{{seed}}\", \"{{k}}\", \"{{j}}\"]\nseeds = \"0-3999\"\n\
         goal = \"{goal}\"\nscale = \"relative\"\n[parameters]\nk = {{ int = [1, 20], start = 5 }}\n\
         j = {{ float = [1, 20], start = 5 }}\n",
        me.display().to_string(),
    )
}

/// Start values of weights for this problem.
const MOVED: &str = "[weights.values]\nweight_1 = 0.5\nweight_2 = -0.5\nweight_3 = 0.25\n";

/// The rows of the table, and those above the allowed rate.
pub struct Rows {
    only: String,
    above: Vec<String>,
}

impl Rows {
    /// Returns whether a row is requested.
    fn has(&self, name: &str) -> bool {
        name.contains(&self.only)
    }

    /// Prints a row.
    pub fn row(&mut self, name: &str, played: &str, claims: Vec<bool>, allowed: f64) {
        let share = Share::of(claims);
        println!("| `{name}` | {played} | {} | {share} | {allowed} |", share.of);
        self.above.extend(named(&format!("`{name}`, {played}"), share, ROW, allowed));
    }

    /// Adds a row for runs, from their output. Only runs whose verdict is about a finalist other
    /// than the baseline count.
    pub fn runs(&mut self, name: &str, played: &str, said: &[String]) {
        let tried = said.iter().filter(|said| said.contains("  difference  "));
        let claims = tried.map(|said| said.lines().any(|line| line.starts_with("improvement found")));
        self.row(name, played, claims.collect(), ALLOWED);
    }
}

/// Starts a run and kills it.
fn kill(folder: &Path) {
    let run = command(folder, "run job.toml --parallel 1").stderr(Stdio::null()).stdout(Stdio::null()).spawn();
    let mut run = run.expect("this program can be started");
    sleep(Duration::from_millis(100));
    run.kill().and_then(|()| run.wait()).expect("a child can be killed");
}

pub fn run(count: u64, only: &str) {
    println!("\n| command | problem | verdicts | claimed, % | allowed |\n|---|---|---|---|---|");
    let mut rows = Rows { only: only.to_string(), above: Vec::new() };
    let start: &[(&str, &str)] = &[("job.toml", "")];
    let say = |plays: &str, count: u64, budget: u32, all: &[&str]| {
        spread(count, |seed| {
            let folder = folder(plays, seed, budget, start);
            all.iter().fold(String::new(), |_, args| evolve(folder.path(), args))
        })
    };
    let again = "run job.toml --parallel 1 --resume";
    for (kind, goal) in [("clock", "maximize"), ("clock", "minimize"), ("chaos", "maximize"), ("chaos", "minimize")] {
        if rows.has("run") {
            let said = say(&program(kind, goal), count / 4, 200, &["run job.toml --parallel 1"]);
            rows.runs("run", &format!("a program, {kind} 30 %, {goal}"), &said);
        }
    }
    for Plays { name, section } in PROBLEMS {
        if rows.has("run") {
            let said = say(section, count, 600, &["run job.toml --parallel 2"]);
            rows.runs("run", name, &said);
        }
        if rows.has("killed: run --resume --finish") {
            let said = spread(count, |seed| {
                let folder = folder(section, seed, 1_000_000, start);
                kill(folder.path());
                evolve(folder.path(), &format!("{again} --finish"))
            });
            rows.runs("killed: run --resume --finish", name, &said);
        }
        for order in ["start.toml moved.toml", "moved.toml start.toml"] {
            if !rows.has("compare") {
                continue;
            }
            let said = spread(2 * count, |seed| {
                let folder = folder(section, seed, 1, &[("start.toml", ""), ("moved.toml", MOVED)]);
                evolve(folder.path(), &format!("compare {order} --trials 500 --seed {seed} --parallel 2 --json"))
            });
            for answer in ["better", "worse"] {
                let is_told = |line: &str| line.contains("\"answer\"") && line.contains(answer);
                let told = said.iter().map(|said| said.lines().any(is_told)).collect();
                let order = order.replace(".toml", "");
                rows.row(&format!("compare {order}"), &format!("{name}: {answer}"), told, ALLOWED);
            }
        }
        #[cfg(feature = "nats")]
        if rows.has("run --server") {
            rows.runs("run --server", name, &workers::say(section, count / 4));
        }
    }
    println!("\nAbove the limit: {}.", if rows.above.is_empty() { "none".to_string() } else { rows.above.join("; ") });
}
