//! How often the forecast of `evolve check` was right.

use crate::carried::{Carried, carry_out, job, spread};
use evolve_core::config::Job;
use evolve_core::evaluator::{Evaluator, Threads};
use evolve_core::outlook::{Forecast, Noise, play};
use evolve_core::problem::{Catalogue, Context};
use evolve_core::run::Verdict;
use evolve_core::seed::Purpose;
use evolve_core::statistics::Estimate;
use evolve_core::trial::Deal;
use evolve_games::GAMES;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Runs of each job
    #[arg(long, default_value_t = 20)]
    runs: u64,

    /// Games that a run's recommendation plays to know its worth
    #[arg(long, default_value_t = 2000)]
    games: usize,
}

/// A job's run against what was forecast.
struct Held {
    trials: f64,
    width: f64,
    /// The gain of the chosen one, known from many games, in units of what the verdict should find.
    gain: f64,
    is_found: bool,
}

const JOBS: [(&str, &str); 6] = [
    ("solitaire-chess", "group = 4\n[player]\nname = \"greedy\"\n"),
    ("solitaire-chess", "group = 5\n[player]\nname = \"greedy\"\n"),
    ("solitaire-chess", "group = 6\n[player]\nname = \"greedy\"\n"),
    ("chess-puzzle", "[player]\nname = \"greedy\"\n"),
    ("solitaire-chess", "group = 4\n[player]\nname = \"greedy\"\n[weights]\nevolve = [\"tile_gold\", \"moves_1\"]\n"),
    ("solitaire-chess", "group = 6\n[player]\nname = \"greedy\"\n[weights]\nevolve = [\"tile_*\"]\n"),
];

fn text(name: &str, rest: &str, budget: u64, seed: u64) -> String {
    format!(
        "name = \"run\"\nseed = {seed}\n[evolution]\nbudget = {budget}\n[final]\nverdict = 300\n[game]\nname = \"{name}\"\n{rest}"
    )
}

/// The true gain of a run's recommendation, or what is known of it.
fn gain(job: &Job, carried: &Carried, games: usize) -> f64 {
    let threads =
        Threads::open(&*job.source.problem, &job.source.setup, 1, Context::default()).expect("threads can be started");
    let candidates = [job.space.start().to_vec(), carried.values.clone()];
    let deals = Deal::first(job.seed, Purpose::Measurement, games);
    let mut round = threads.round(&candidates);
    let mut objectives = |candidate| -> Vec<f64> {
        let outcomes = play(round.as_mut(), candidate, &deals).unwrap_or_else(|failure| panic!("{failure}"));
        outcomes.iter().map(|outcome| outcome.objective).collect()
    };
    let (start, recommended) = (objectives(0), objectives(1));
    Estimate::paired(&recommended, &start).mean
}

fn held(name: &str, rest: &str, budget: u64, seed: u64, games: usize) -> Held {
    let job = job(&text(name, rest, budget, seed), &Catalogue::new(&GAMES));
    let threads =
        Threads::open(&*job.source.problem, &job.source.setup, 1, Context::default()).expect("threads can be started");
    let noise = Noise::measure(&job, &threads, 200).unwrap_or_else(|failure| panic!("{failure}"));
    let forecast = Forecast::of(&job, &noise, 0.001);
    let carried = carry_out(&job, 1);
    let Verdict { interval: (low, high), games: played, most, .. } = carried.verdict;
    // Where nothing is recommended, what the verdict saw is all that is known.
    let is_found = carried.verdict.is_improvement();
    let gain = if is_found { gain(&job, &carried, games) } else { carried.verdict.difference };
    Held {
        trials: carried.trials.1 as f64 / forecast.trials(),
        // The forecast is of all games. The boundary of a verdict that ended early is wider by as much as it played less.
        width: 0.5 * (high - low) * played as f64 / most as f64 / forecast.half_width,
        gain: gain / forecast.found,
        is_found,
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

impl Args {
    pub fn run(self) {
        println!(
            "| job | budget | trials played / forecast | width of the verdict's interval / forecast | within a factor of 1.5 \
             | gains above the forecast limit: found | below half of it: found |\n|---|---|---|---|---|---|---|"
        );
        for (name, rest) in JOBS {
            for budget in [600, 5000] {
                let all = spread(self.runs, |seed| held(name, rest, budget, seed, self.games));
                let near = all.iter().filter(|one| (1.0 / 1.5..=1.5).contains(&one.width)).count();
                let found = |is: &dyn Fn(f64) -> bool| {
                    let those: Vec<&Held> = all.iter().filter(|one| is(one.gain)).collect();
                    format!("{} of {}", those.iter().filter(|one| one.is_found).count(), those.len())
                };
                println!(
                    "| {name} {} | {budget} | {:.2} | {:.2} | {near} of {} | {} | {} |",
                    rest.replace("[player]", "").replace("name = \"greedy\"", "").replace(['\n', '"'], " ").trim(),
                    median(all.iter().map(|one| one.trials).collect()),
                    median(all.iter().map(|one| one.width).collect()),
                    all.len(),
                    found(&|gain| gain >= 1.0),
                    found(&|gain| gain < 0.5),
                );
            }
        }
    }
}
