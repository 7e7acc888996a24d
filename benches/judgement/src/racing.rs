//! What racing saves, at equal quality, on a problem like a program's: instances that are hard or easy for all, and a trial
//! whose own luck is small.

use crate::carried::spread;
use evolve_core::config::Job;
use evolve_core::document::Document;
use evolve_core::optimizer::racing::Racing;
use evolve_core::optimizer::sampling::normal;
use evolve_core::optimizer::{METHODS, Settings};
use evolve_core::parameter::Parameter;
use evolve_core::problem::{Candidate, Catalogue, Contender, Problem};
use evolve_core::seed::generator;
use evolve_core::setup::Setup;
use evolve_core::space::Coordinate;
use evolve_core::trial::{Deal, Outcome};
use std::path::Path;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Searches by each optimizer
    #[arg(long, default_value_t = 100)]
    runs: u64,
}

const WEIGHTS: usize = 8;
const GENERATIONS: u64 = 30;

/// Names the parameters; trials are played below.
struct Named;

impl Problem for Named {
    fn name(&self) -> &str {
        "named"
    }

    fn parameters(&self) -> Vec<Parameter> {
        (1..=WEIGHTS).map(|i| Parameter::float(format!("weight_{i}"), -10.0, 10.0, 3.0).scale(1.0)).collect()
    }

    fn contender<'a>(&'a self, _: &'a Setup, _: Candidate<'a>) -> Box<dyn Contender + 'a> {
        Box::new(|_: &Deal| Ok(Outcome::of(0.0)))
    }
}

/// The trials of a search, and how far its mean is from the optimum after them.
fn search(settings: &dyn Settings, space: &[Coordinate], seed: u64, most: usize) -> (usize, f64) {
    let mut optimizer = settings.start(space, seed);
    let mut trials = 0;
    while optimizer.generation() < GENERATIONS {
        let ask = optimizer.ask(0.0);
        if trials + ask.trials.len() > most {
            break;
        }
        let luck = |deal: usize, of: u64| {
            let place = optimizer.generation() * 1000 + (ask.first + deal) as u64;
            normal(&mut generator(seed << 40 | place << 8 | of))
        };
        let objective = |&(point, deal): &(usize, usize)| {
            let height: f64 = ask.points[point].iter().map(|x| x * x).sum();
            30.0 * luck(deal, 255) - height * (1.0 + 0.2 * luck(deal, 254)) + 4.0 * luck(deal, point as u64)
        };
        let objectives: Vec<f64> = ask.trials.iter().map(objective).collect();
        trials += objectives.len();
        optimizer.tell(&ask, &objectives);
    }
    (trials, optimizer.mean().iter().map(|x| x * x).sum::<f64>().sqrt())
}

fn settings(name: &str) -> Box<dyn Settings> {
    let method = METHODS.iter().find(|method| method.name == name).expect("it is a method");
    let text = "[evolution]\npopulation = 16\ngames = 12\n".to_string();
    Document::new(Path::new("settings"), text)
        .parse("settings", |top| Some((method.read)(&mut top.section("evolution"))))
        .unwrap_or_else(|faults| panic!("{faults}"))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

impl Args {
    pub fn run(self) {
        let text = "name = \"run\"\n[game]\nname = \"named\"\n[evolution]\nbudget = 1\n".to_string();
        let job = Job::parse(&Document::new(Path::new("job"), text), &Catalogue::new(&[&Named]));
        let job = job.unwrap_or_else(|faults| panic!("{faults}"));
        let space = job.space.coordinates();
        println!(
            "| optimizer | trials of {GENERATIONS} generations | raced | saved | distance left | raced | not raced, as many trials as raced |\n\
             |---|---|---|---|---|---|---|"
        );
        for name in ["genetic", "evolution-strategy", "cma-es"] {
            let run = |raced: bool, most: usize| {
                let of = |seed| {
                    let settings = settings(name);
                    let settings: Box<dyn Settings> = if raced { Box::new(Racing(settings)) } else { settings };
                    search(settings.as_ref(), space, seed, most)
                };
                let all: Vec<(usize, f64)> = spread(self.runs, of);
                let trials = median(all.iter().map(|one| one.0 as f64).collect());
                (trials, median(all.iter().map(|one| one.1).collect()))
            };
            let (whole, raced) = (run(false, usize::MAX), run(true, usize::MAX));
            let fewer = run(false, raced.0 as usize);
            println!(
                "| {name} | {:.0} | {:.0} | {:.0} % | {:.3} | {:.3} | {:.3} |",
                whole.0,
                raced.0,
                100.0 * (1.0 - raced.0 / whole.0),
                whole.1,
                raced.1,
                fewer.1
            );
        }
    }
}
