//! How often an improvement is claimed where there is none.

use crate::carried::{carry_out, job, spread};
use crate::toy::{EQUAL, INSTANCES, OPTIMUM, Toy};
use evolve_core::optimizer::FinalistKind;
use evolve_core::problem::Catalogue;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Runs of each problem by each optimizer
    #[arg(long, default_value_t = 2000)]
    runs: u64,

    /// Optimizers
    #[arg(long, value_delimiter = ',', default_value = "auto,genetic")]
    optimizers: Vec<String>,
}

/// What one run came to.
struct Found {
    /// Whether another than the start came to the verdict.
    is_tried: bool,
    is_claimed: bool,
    is_worse: bool,
    is_missed: bool,
    games: usize,
}

fn found(toy: &'static Toy, optimizer: &str, seed: u64) -> Found {
    let limits = match optimizer {
        "auto" => String::new(),
        _ => "population = 8\ngames = 8\n".to_string(),
    };
    // As many instances in the final round and in the verdict as there are, each several times.
    let (games, verdict) = if toy.instances { (60, 100) } else { (60, 300) };
    let text = format!(
        "name = \"run\"\nseed = {seed}\n[game]\nname = \"{}\"\ndraw = {}\n[evolution]\noptimizer = \"{optimizer}\"\n{limits}\
         budget = 2000\n[final]\ngames = {games}\nverdict = {verdict}\n",
        toy.name,
        seed & 0xffff,
    );
    let job = job(&text, &Catalogue::new(&[Arc::new(*toy)]));
    let carried = carry_out(&job, 1);
    let verdict = &carried.verdict;
    // What the verdict is about: known of recommendations, and zero where nothing changes the expected score.
    let truth = toy.truth(&carried.values);
    let (low, high) = verdict.interval;
    let knows = verdict.is_improvement() || toy.fall == 0.0;
    Found {
        is_tried: verdict.finalist != FinalistKind::Start,
        is_claimed: verdict.is_improvement(),
        is_worse: truth < 0.0,
        is_missed: knows && !(low <= truth && truth <= high),
        games: verdict.games,
    }
}

/// A share of runs with Wilson's 95 % interval, in hundredths; of no runs there is none.
fn share(count: usize, runs: usize) -> String {
    if runs == 0 {
        return "-".to_string();
    }
    let (n, p, z) = (runs as f64, count as f64 / runs as f64, 1.96_f64);
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    format!("{:.2} % ({:.2} to {:.2})", 100.0 * p, 100.0 * (middle - half).max(0.0), 100.0 * (middle + half))
}

impl Args {
    pub fn run(self) {
        println!(
            "| problem | optimizer | runs | improvement claimed | of those with another finalist than the start | worse recommended | interval misses the truth | games of \
             the verdict |\n|---|---|---|---|---|---|---|---|"
        );
        for toy in [&EQUAL, &OPTIMUM, &INSTANCES] {
            for optimizer in &self.optimizers {
                let all: Vec<Found> = spread(self.runs, |seed| found(toy, optimizer, seed));
                let count = |is: fn(&Found) -> bool| share(all.iter().filter(|one| is(one)).count(), all.len());
                let tried = all.iter().filter(|one| one.is_tried).count();
                let of_tried = share(all.iter().filter(|one| one.is_claimed).count(), tried);
                let games = all.iter().map(|one| one.games).sum::<usize>() as f64 / all.len() as f64;
                println!(
                    "| {} | {optimizer} | {} | {} | {of_tried} | {} | {} | {games:.0} |",
                    toy.name,
                    self.runs,
                    count(|one| one.is_claimed),
                    count(|one| one.is_worse),
                    count(|one| one.is_missed),
                );
            }
        }
    }
}
