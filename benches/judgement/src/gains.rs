//! Measures how often the interval of the gain by the model contains the true gain, in searches of
//! functions whose true gain is known.

use crate::carried::spread;
use crate::share::Share;
use evolve_search::document::Document;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::seed::{Split, generator, seed};
use evolve_search::model::space::Space;
use evolve_search::optimizer::sampling::normal;
use evolve_search::optimizer::{self, Again, Cases, METHODS, Settings, Terms, Told};
use evolve_search::statistics::Interval;
use std::path::Path;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Searches of each row
    #[arg(long, default_value_t = 20)]
    runs: u64,

    /// Only rows whose names contain this text
    #[arg(long, default_value = "")]
    only: String,
}

/// A function of parameters and of the deviates of an instance, without noise.
struct Case {
    name: &'static str,
    parameters: fn() -> Vec<Parameter>,
    score: fn(&[f64], [f64; 2]) -> f64,
    /// The standard deviations of the instances' levels and of the noise.
    level: f64,
    noise: f64,
    cases: Cases,
}

const PLAIN: Case =
    Case { name: "", parameters: || numbers(3, 0.15), score: bowl, level: 3.0, noise: 1.0, cases: Cases::Many };

/// Functions whose gain is the same on all instances.
const EVEN: [Case; 11] = [
    Case {
        name: "a line, 3 k, without noise",
        parameters: || vec![Parameter::int("k", 1, 20, 5)],
        score: |x, _| 3.0 * x[0],
        level: 0.0,
        noise: 0.0,
        ..PLAIN
    },
    Case { name: "a bowl of three, without noise, one instance", noise: 0.0, cases: Cases::One, ..PLAIN },
    Case { name: "a bowl of three, without noise or levels", level: 0.0, noise: 0.0, ..PLAIN },
    Case { name: "a bowl of three, without noise", noise: 0.0, ..PLAIN },
    Case { name: "a bowl of three", ..PLAIN },
    Case { name: "a bowl of three, noise 10", noise: 10.0, ..PLAIN },
    Case { name: "a bowl of three, near the best", parameters: || numbers(3, 0.6), ..PLAIN },
    Case { name: "a curved valley of two", parameters: || numbers(2, 0.1), score: valley, ..PLAIN },
    Case { name: "six numbers", parameters: || numbers(6, 0.15), ..PLAIN },
    Case { name: "twelve numbers, of which four count", parameters: || numbers(12, 0.15), score: four, ..PLAIN },
    Case { name: "a bowl of three with a cliff", score: cliff, ..PLAIN },
];

/// Functions whose gain differs between instances.
const UNEVEN: [Case; 3] = [
    Case { name: "the best differs by instance", score: |x, [z, _]| shifted(x, 0.2 * z), ..PLAIN },
    Case { name: "scores differ e^z times", score: |x, [z, _]| libm::exp(z) * (100.0 + bowl(x, [z, z])), ..PLAIN },
    Case {
        name: "the best differs between halves of the instances",
        score: |x, [z, _]| shifted(x, if z > 0.0 { 0.15 } else { -0.15 }),
        ..PLAIN
    },
];

/// Numbers from 0 to 1 that start at `start`.
fn numbers(count: usize, start: f64) -> Vec<Parameter> {
    (0..count).map(|i| Parameter::float(format!("x_{i}"), 0.0, 1.0, start)).collect()
}

fn bowl(x: &[f64], _: [f64; 2]) -> f64 {
    shifted(x, 0.0)
}

/// A bowl of depth about 45 in three dimensions, whose best is moved.
fn shifted(x: &[f64], by: f64) -> f64 {
    -x.iter().map(|x| 50.0 * (x - 0.7 - by) * (x - 0.7 - by)).sum::<f64>()
}

fn valley(x: &[f64], _: [f64; 2]) -> f64 {
    let bent = x[1] - 4.0 * (x[0] - 0.5) * (x[0] - 0.5);
    -100.0 * bent * bent - 20.0 * (x[0] - 0.8) * (x[0] - 0.8)
}

fn four(x: &[f64], _: [f64; 2]) -> f64 {
    shifted(&x[..4], 0.0) - 30.0 * (x[0] - x[1]) * (x[2] - x[3])
}

/// A bowl. Outside it, scores are a hundred times as bad.
fn cliff(x: &[f64], _: [f64; 2]) -> f64 {
    if x[0] > 0.85 { -5000.0 } else { shifted(x, 0.0) }
}

/// The numbers of trials after which a gain is compared with the true one.
const STOPS: [usize; 2] = [100, 300];

impl Args {
    pub fn run(&self) {
        let stops = STOPS.map(|stop| format!("{stop} trials: in the interval, % | mean / true | half width / true"));
        println!("| gain by the model | {} |", stops.join(" | "));
        println!("|---|{}", "---|".repeat(3 * STOPS.len()));
        let mut all = [Share::default(); STOPS.len()];
        for case in EVEN.iter().chain(&UNEVEN).filter(|case| case.name.contains(&self.only)) {
            let runs = spread(self.runs, |run| case.gains(run));
            let cells = (0..STOPS.len()).map(|stop| {
                let known: Vec<(Interval, f64)> = runs.iter().filter_map(|run| run[stop]).collect();
                let holds = |(gain, truth): &(Interval, f64)| (gain.low..=gain.high).contains(truth);
                let share = Share::of(known.iter().map(holds));
                if EVEN.iter().any(|even| even.name == case.name) {
                    all[stop] = Share { count: all[stop].count + share.count, of: all[stop].of + share.of };
                }
                let middle = |of: fn(&(Interval, f64)) -> f64| {
                    let mut all: Vec<f64> = known.iter().map(of).collect();
                    all.sort_by(f64::total_cmp);
                    all.get(all.len() / 2).map_or("-".to_string(), |middle| format!("{middle:.2}"))
                };
                let mean = middle(|(gain, truth)| gain.mean / truth);
                format!(
                    "{} of {} | {mean} | {}",
                    share.count,
                    share.of,
                    middle(|(gain, truth)| gain.half_width() / truth)
                )
            });
            println!("| {} | {} |", case.name, cells.collect::<Vec<_>>().join(" | "));
        }
        println!("| all with the same gain on all instances | {} | | | {} | | |", all[0], all[1]);
    }
}

impl Case {
    /// Searches, and returns after each stop the gain by the model and the true one, unless the
    /// start is recommended.
    fn gains(&self, run: u64) -> [Option<(Interval, f64)>; STOPS.len()] {
        let parameters = (self.parameters)();
        let start = parameters.iter().map(|parameter| parameter.start).collect();
        let places = (0..parameters.len()).collect();
        let space = Space::new(parameters, start, places);
        let terms = Terms { cases: self.cases, trials: 450 };
        let mut optimizer = optimizer::start(settings().as_ref(), &space, terms, run);
        let (mut played, mut found) = (0, [None; STOPS.len()]);
        for (stop, found) in STOPS.into_iter().zip(&mut found) {
            while played < stop {
                let (ask, generation) = (optimizer.ask(), optimizer.generation());
                let cases: Vec<Again> = ask.all_cases(generation, 0).collect();
                let play = |(place, &(point, case)): (usize, &(usize, usize))| {
                    let Again { generation: of, place: number, .. } = cases[case];
                    let (level, score) = self.on(seed(run, Split::Search, of, number));
                    let noise = normal(&mut generator(seed(run, Split::Test, generation, place as u64)));
                    score(&space.candidate(&ask.points[point])) + self.level * level + self.noise * noise
                };
                let objectives: Vec<f64> = ask.trials.iter().enumerate().map(play).collect();
                played += objectives.len();
                optimizer.tell(&ask, &Told { objectives: &objectives, penalized: &objectives, ..Told::default() });
            }
            let best = space.candidate(optimizer.mean());
            *found = optimizer.gain().map(|gain| (gain, self.truth(&best, space.start())));
        }
        found
    }

    /// Returns the level of an instance, and the function on it.
    fn on(&self, seed: u64) -> (f64, impl Fn(&[f64]) -> f64) {
        let mut random = generator(seed);
        let level = normal(&mut random);
        let deviates = [normal(&mut random), normal(&mut random)];
        (level, move |values: &[f64]| (self.score)(values, deviates))
    }

    /// Returns how much better a candidate is than another on many new instances.
    fn truth(&self, best: &[f64], start: &[f64]) -> f64 {
        const INSTANCES: u64 = 4000;
        let on = |number| {
            let (_, score) = self.on(seed(0, Split::Measurement, 0, number));
            score(best) - score(start)
        };
        (0..INSTANCES).map(on).sum::<f64>() / INSTANCES as f64
    }
}

/// Returns the default optimizer.
fn settings() -> Box<dyn Settings> {
    let document = Document::new(Path::new("settings"), String::new());
    let top = document.top("settings").expect("it is empty");
    (METHODS[0].read)(&top).unwrap_or_else(|fault| panic!("{fault}"))
}
