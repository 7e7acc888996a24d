//! A problem whose parameters have no effect, or none on average, with every kind of noise that
//! programs have.
//!
//! A score is the product of noise and a base that depends on the case. Scores use the scales and
//! the rules for failures of programs, so that a run equals the run of a program, except for the
//! processes.

use evolve_core::job::{Game, Nothing};
use evolve_program::scale::{Best, Scale};
use evolve_search::document::Table;
use evolve_search::model::behaviour::{Behaviour, Variation};
use evolve_search::model::constraint::Constraint;
use evolve_search::model::goal::{Direction, Goal};
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{Context, OpenError, Problem, Session, session, written};
use evolve_search::model::rating::Rating;
use evolve_search::model::seed::{Split, generator};
use evolve_search::model::trial::{Case, Failure, FailureKind, Metrics, Outcome};
use evolve_search::optimizer::sampling::normal;
use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Random = chacha20::ChaCha8Rng;

/// Kinds of noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Differs from run to run.
    Clock,
    /// Each setting of the parameters seeds another generator.
    Chaos,
    /// Student's t with three degrees of freedom, from run to run.
    Heavy,
    /// A lognormal tail of losses, from run to run.
    Losses,
    /// Fails at random in a share of trials.
    Fails,
    /// The first parameter buys gains with failures, nothing on average.
    Bought,
    /// No score is better than the base.
    Capped,
    /// Scores are 1, 2 or 3.
    Ties,
    /// The machine's load drifts, with a memory of 500 trials.
    Drift,
    /// The machine's load comes in bursts of ten trials.
    Bursts,
    /// The machine gets slower and slower.
    Ramp,
    /// The first play of an input is slower.
    Cold,
    /// The gain of the first parameter differs between instances, with mean zero.
    Instances,
    /// The first parameter gains.
    Gain,
    /// Each trial of any candidate exceeds the limit on each trial with a probability.
    Exceeds,
    /// The start is exactly at each limit on a mean. Moving the first parameter away from it lowers
    /// the limited quantities, and costs up to 5 % of the score.
    Pays,
    /// The first parameter gains on most cases, and loses as much in total on one of a number of
    /// them.
    Loses,
    /// A trial makes the next one worse, the farther the first parameter has moved.
    Carries,
}

impl Kind {
    /// Returns the name in jobs.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

#[derive(Clone, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
struct Options {
    /// kind of noise
    kind: Kind,
    /// direction of the score
    goal: Direction,
    /// thousandths
    #[schemars(range(max = 1000))]
    noise: u32,
    /// of the kind, thousandths
    #[schemars(range(max = 10_000))]
    size: u32,
    /// seed of noise
    roll: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { kind: Kind::Clock, goal: Direction::Maximize, noise: 100, size: 0, roll: 0 }
    }
}

pub const SCALES: [&str; 4] = ["raw", "log", "relative", "best"];

/// The number of instances in each split, where they are listed.
const LISTED: u64 = 20;

/// The score of a failure where scores are minimized; the largest base is 2,000.
const FAILED: f64 = 10_000.0;
/// The score of a failure on the logarithmic scale where scores are maximized.
const FAILED_LOG: f64 = 100.0;
/// The best known score of an instance, relative to its base.
const BEST: f64 = 1.2;

/// The problem on one scale. All its sessions share the state of the machine.
#[derive(Clone)]
pub struct Noise {
    name: &'static str,
    scale: Scale,
    shape: Shape,
    options: Options,
    state: Arc<Mutex<Option<State>>>,
}

/// The parts of a problem that its options cannot set.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Whether it has a list of instances.
    pub is_listed: bool,
    pub scenarios: u64,
    /// The limits on its quantities.
    pub limits: &'static [&'static str],
    /// The number of groups of its cases; 0 if they have none.
    pub groups: u64,
}

/// A problem without limits, with one scenario, on new cases.
pub const PLAIN: Shape = Shape { is_listed: false, scenarios: 1, limits: &[], groups: 0 };

/// The state of the machine; the trials depend on it.
struct State {
    random: Random,
    load: f64,
    trials: u64,
    seen: BTreeSet<(Split, u64)>,
    /// How much worse the last trial makes the next one.
    heat: f64,
    /// The start's scores on cases of the search.
    starts: BTreeMap<(Split, u64, u64), f64>,
}

impl State {
    /// Updates the load of the machine, which has variance 1 and a memory of this many trials.
    fn load(&mut self, memory: f64) -> f64 {
        let kept = 1.0 - 1.0 / memory;
        self.load = kept * self.load + (1.0 - kept * kept).sqrt() * normal(&mut self.random);
        self.load
    }
}

/// The settings of a job.
struct Told {
    kind: Kind,
    goal: Direction,
    noise: f64,
    size: f64,
}

impl Told {
    fn of(options: &Options) -> Self {
        let &Options { kind, goal, noise, size, .. } = options;
        Told { kind, goal, noise: f64::from(noise) / 1000.0, size: f64::from(size) / 1000.0 }
    }

    fn is_maximized(&self) -> bool {
        self.goal == Direction::Maximize
    }

    /// Draws the noise of a trial as a logarithm, where larger is better.
    fn deviate(&self, random: &mut Random) -> f64 {
        let deviate = normal(random);
        self.noise
            * match self.kind {
                Kind::Heavy => {
                    let squares: f64 = (0..3).map(|_| normal(random)).map(|x| x * x).sum();
                    deviate / (squares / 3.0).sqrt()
                }
                Kind::Losses => libm::exp(0.5) - libm::exp(deviate),
                Kind::Capped => deviate.min(0.0),
                _ => deviate,
            }
    }
}

/// The result of one trial.
struct Played {
    score: f64,
    has_failed: bool,
    base: f64,
}

fn uniform(random: &mut Random) -> f64 {
    random.random()
}

fn mixed(values: &[f64]) -> u64 {
    values.iter().fold(0, |state: u64, x| (state ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
}

impl Noise {
    /// Creates the problem with this name, scale and shape.
    pub fn new(name: &'static str, scale: Scale, shape: Shape) -> Self {
        Noise { name, scale, shape, options: Options::default(), state: Arc::default() }
    }

    /// Creates the problem on the scale with this name, for one run.
    pub fn on(scale: &str, shape: Shape) -> Self {
        let scale = match scale {
            "raw" => Scale::Raw,
            "log" => Scale::Log,
            "relative" => Scale::Relative,
            "best" => Scale::Best(Best::default()),
            other => panic!("no scale {other}"),
        };
        Noise::new("noise", scale, shape)
    }

    /// Returns the game for catalogues.
    pub fn game(self) -> Game {
        Game::new(move |options, _: Nothing| Noise { options, ..self.clone() })
    }

    fn state(&self) -> MutexGuard<'_, Option<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the input of a case, and its seed.
    fn input(&self, case: &Case) -> ((Split, u64), u64) {
        match self.shape.is_listed {
            true => {
                let number = case.number % LISTED;
                ((case.split, number), case.split.stream() << 32 | number)
            }
            false => ((case.split, case.number), case.seed),
        }
    }

    fn trial(&self, told: &Told, values: &[f64], case: &Case, scenario: u64, state: &mut State) -> Played {
        let (input, seed) = self.input(case);
        let seed = seed ^ scenario.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut fixed = generator(seed);
        let base = 1000.0 * (1.0 + uniform(&mut fixed));
        let slope = 2.0 * uniform(&mut fixed) - 1.0;
        state.trials += 1;
        // Not the stream of `fixed`, also where all values are 0.
        let mut own = generator(!seed ^ mixed(values));
        let mut noise = told.deviate(if told.kind == Kind::Chaos { &mut own } else { &mut state.random });
        let x = values[0].clamp(-1.0, 1.0);
        let (mut gain, mut has_failed) = (0.0, false);
        match told.kind {
            Kind::Fails => has_failed = uniform(&mut state.random) < told.size,
            Kind::Bought => {
                let share = told.size * x.abs();
                has_failed = uniform(&mut state.random) < share;
                gain = self.price(told, base) * share / (1.0 - share);
            }
            Kind::Drift => noise -= told.size * state.load(500.0),
            Kind::Bursts => noise -= told.size * state.load(10.0),
            Kind::Ramp => noise -= told.size * state.trials as f64 / 1000.0,
            Kind::Cold if state.seen.insert(input) => noise -= told.size,
            Kind::Instances => gain = told.size * slope * x,
            Kind::Gain => gain = told.size * x.abs(),
            Kind::Pays => gain = -0.05 * x.abs(),
            Kind::Loses => {
                let one_in = 1000.0 * told.size;
                // No loss is larger than half of the score.
                let won = 0.5 / one_in;
                gain = if uniform(&mut fixed) < 1.0 / one_in { -won * (one_in - 1.0) } else { won } * x.abs();
            }
            Kind::Carries => {
                noise -= state.heat;
                state.heat = told.size * x.abs();
            }
            _ => {}
        }
        let sign = if told.is_maximized() { 1.0 } else { -1.0 };
        let score = match (told.kind, &self.scale, told.goal) {
            (Kind::Ties, ..) => 1.0 + (3.0 * uniform(&mut state.random)).floor(),
            // The gain is in the unit of the scale.
            (_, Scale::Log | Scale::Relative, _) => base * libm::exp(sign * (noise + gain)),
            (_, Scale::Raw, _) | (_, _, Direction::Maximize) => base * libm::exp(sign * noise) * (1.0 + sign * gain),
            (_, Scale::Best { .. }, Direction::Minimize) => base * libm::exp(-noise) / (1.0 + gain),
        };
        let score = match (has_failed, told.goal, &self.scale) {
            (false, ..) => score,
            (true, Direction::Maximize, Scale::Log) => FAILED_LOG,
            (true, Direction::Maximize, _) => 0.0,
            (true, Direction::Minimize, _) => FAILED,
        };
        Played { score, has_failed, base }
    }

    /// Returns the cost of a failure in the unit of the scale, which candidates without failures
    /// gain for each failure.
    fn price(&self, told: &Told, base: f64) -> f64 {
        let square = told.noise * told.noise;
        match (&self.scale, told.goal) {
            (Scale::Raw, Direction::Maximize) | (Scale::Best { .. }, _) => 1.0,
            (Scale::Raw, Direction::Minimize) => FAILED / (base * libm::exp(0.5 * square)) - 1.0,
            (Scale::Log, Direction::Maximize) => libm::log(base / FAILED_LOG),
            (Scale::Log, Direction::Minimize) => libm::log(FAILED / base),
            // (x - s) / max(x, s) is 1 - exp(-|l|) of the difference l of logarithms; this is its
            // slope at 0 under the noise of both.
            (Scale::Relative, _) => 1.0 / (libm::exp(square) * libm::erfc(told.noise)),
        }
    }

    /// Returns the outcome of a trial, as for a program: the means over its scenarios.
    fn outcome(&self, told: &Told, values: &[f64], case: &Case) -> Result<Outcome, Failure> {
        let all = (0..self.shape.scenarios).map(|scenario| self.scenario(told, values, case, scenario));
        let all = all.collect::<Result<Vec<Outcome>, Failure>>()?;
        let mean = |of: fn(&Outcome) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
        let scenarios = if all.len() > 1 { all.iter().map(|one| one.objective).collect() } else { Vec::new() };
        let outcome = Outcome::of(mean(|one| one.score)).objective(mean(|one| one.objective));
        let failure = all.into_iter().find_map(|one| one.failure);
        let group = case.number.checked_rem(self.shape.groups);
        let groups = group.iter().map(ToString::to_string).collect();
        Ok(Outcome { failure, scenarios, groups, ..outcome.metrics(self.quantities(told, values)) })
    }

    fn groups(&self) -> Vec<String> {
        if self.shape.groups > 0 { vec!["group".to_string()] } else { Vec::new() }
    }

    /// Returns the quantities that have limits.
    fn quantities(&self, told: &Told, values: &[f64]) -> Vec<f64> {
        let mut state = self.state();
        let random = &mut state.as_mut().expect("it was prepared").random;
        let of = |_: &&str| match told.kind {
            Kind::Exceeds => {
                if uniform(random) < told.size {
                    2.0
                } else {
                    0.5
                }
            }
            _ => 1.0 - 0.1 * values[0].abs().min(1.0) + 0.1 * normal(random),
        };
        self.shape.limits.iter().map(of).collect()
    }

    fn scenario(&self, told: &Told, values: &[f64], case: &Case, scenario: u64) -> Result<Outcome, Failure> {
        let mut state = self.state();
        let state = state.as_mut().expect("it was prepared");
        let is_search = case.split == Split::Search;
        let reference = match &self.scale {
            Scale::Relative if is_search => {
                let ((split, number), _) = self.input(case);
                let input = (split, number, scenario);
                match state.starts.get(&input) {
                    Some(&score) => score,
                    None => {
                        let start = self.trial(told, &[0.0; WEIGHTS], case, scenario, state);
                        let score = if start.has_failed { start.base } else { start.score };
                        state.starts.insert(input, score);
                        score
                    }
                }
            }
            Scale::Best { .. } => {
                let base = 1000.0 * (1.0 + uniform(&mut generator(self.input(case).1)));
                if told.is_maximized() { BEST * base } else { base / BEST }
            }
            _ => 1.0,
        };
        let Played { score, has_failed, .. } = self.trial(told, values, case, scenario, state);
        let objective = match has_failed && self.scale.has_reference() {
            true => 0.0,
            false => self
                .scale
                .objective(told.goal, score, reference)
                .map_err(|what| Failure::new(FailureKind::Scale, what.to_string()))?,
        };
        let is_bounded = is_search && self.scale == Scale::Relative;
        let objective = if is_bounded { Rating::searched(objective) } else { objective };
        let failure = has_failed.then(|| Failure::new(FailureKind::Signal, "at random"));
        Ok(Outcome { failure, ..Outcome::of(score).objective(objective) })
    }
}

/// The number of parameters.
const WEIGHTS: usize = 3;

impl Problem for Noise {
    fn name(&self) -> &str {
        self.name
    }

    fn options(&self) -> Table {
        written(&self.options)
    }

    fn parameters(&self) -> Vec<Parameter> {
        (1..=WEIGHTS).map(|i| Parameter::float(format!("weight_{i}"), -10.0, 10.0, 0.0).unit(1.0)).collect()
    }

    fn instances(&self, split: Split) -> Option<Vec<String>> {
        self.shape.is_listed.then(|| (0..LISTED).map(|i| format!("{split:?}-{i}")).collect())
    }

    fn metrics(&self) -> Metrics {
        let names = (0..self.shape.limits.len()).map(|i| format!("m{i}")).collect();
        Metrics { names, groups: self.groups(), scenarios: 0 }
    }

    fn constraints(&self) -> Vec<Constraint> {
        let of = |(metric, limit): (usize, &&str)| {
            let limit = limit.parse().expect("the limits of this file are well-formed");
            Constraint { name: format!("m{metric}"), metric, unit: "", limit }
        };
        self.shape.limits.iter().enumerate().map(of).collect()
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        // A run that resumes in another process has other noise there.
        let process = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
        let roll = u64::from(self.options.roll) << 32 | u64::from(crc32fast::hash(process.as_bytes()));
        self.state().get_or_insert_with(|| State {
            random: generator(roll),
            load: 0.0,
            trials: 0,
            seen: BTreeSet::new(),
            heat: 0.0,
            starts: BTreeMap::new(),
        });
        let (noise, told) = (self.clone(), Arc::new(Told::of(&self.options)));
        Ok(session(move |candidate| {
            let (noise, told, values) = (noise.clone(), Arc::clone(&told), candidate.values().to_vec());
            move |case: &Case| Ok(noise.outcome(&told, &values, case)?)
        }))
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour { is_external: true, variation: Variation::Chance, ..Behaviour::default() }
    }

    fn goal(&self) -> Option<Goal> {
        Some(Goal::of_score(Direction::Maximize, self.scale.rating()))
    }
}

/// Noise as a program: `clock` differs from run to run, of `chaos` each setting seeds another
/// generator.
#[derive(Debug, clap::Args)]
pub struct Program {
    kind: String,
    seed: u64,
    k: f64,
    j: f64,
}

impl Program {
    /// Prints the score.
    pub fn run(&self) {
        let base = 1000.0 * (1.0 + 9.0 * uniform(&mut generator(self.seed)));
        let own = match self.kind.as_str() {
            "chaos" => self.seed ^ mixed(&[self.k, self.j]),
            _ => RandomState::new().build_hasher().finish(),
        };
        println!("Score = {:.0}", base * libm::exp(0.3 * normal(&mut generator(own))));
    }
}
