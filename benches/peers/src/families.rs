//! Families of functions whose instances differ in kind, as in contests.
//!
//! All parameters range from 0 to 1, and smaller values of the function are better. An instance has
//! two features: a number `z` from -1 to 1, and one of four groups. It also has a level, a shift of
//! the optimum, and noise that differs by candidate. The search has 100 instances. 1,000 others,
//! without noise and levels, measure a recommendation: its mean is 1 at the start and 0 at the best
//! constant values.

use evolve_core::job::Game;
use evolve_search::model::features::{Feature, Features, Values};
use evolve_search::model::parameter::Parameter;
use evolve_search::model::parameter::follow;
use evolve_search::model::problem::{Candidate, Context, OpenError, Problem, Session, session};
use evolve_search::model::seed::{Split, generator, seed};
use evolve_search::model::trial::{Case, Outcome, PlayError};
use evolve_search::optimizer::sampling::normal;
use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// The instances of the search, and those that measure.
const SEARCHED: usize = 100;
const MEASURED: usize = 1000;
const GROUPS: usize = 4;
/// The seed of everything in a family.
const SEED: u64 = 57;

/// The names of the families.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Name {
    /// A curved valley of three parameters; instances differ by level and a small shift only.
    Hom3,
    /// A quadratic of six parameters that depend on each other; the same.
    Hom6,
    /// Twelve parameters, of which eight have no effect; the same.
    Hom12,
    /// Three of twelve parameters act in each group; scores differ 20 times.
    Ahc12,
    /// The same in logarithms.
    Ahc12l,
    /// Each group has an optimum of its own.
    Grp6,
    /// The same with more noise.
    Noi6,
    /// The same of three parameters.
    Noi3,
    /// The optimum of half of the parameters moves with the number.
    Mov6,
    /// The same; scores grow with the number as well.
    Sca6,
    /// Groups, number and scores together.
    Mv26,
    /// One in ten instances is steep, and has an optimum of its own.
    Rare6,
    /// Groups change the signs of interactions.
    Int12,
    /// Twenty parameters; groups and number.
    Het20,
    /// Every instance has an optimum of its own, of which no feature tells.
    Hid6,
}

impl Name {
    pub const ALL: [(&'static str, Name); 15] = [
        ("hom3", Name::Hom3),
        ("hom6", Name::Hom6),
        ("hom12", Name::Hom12),
        ("ahc12", Name::Ahc12),
        ("ahc12l", Name::Ahc12l),
        ("grp6", Name::Grp6),
        ("mov6", Name::Mov6),
        ("sca6", Name::Sca6),
        ("mv26", Name::Mv26),
        ("rare6", Name::Rare6),
        ("int12", Name::Int12),
        ("het20", Name::Het20),
        ("noi6", Name::Noi6),
        ("noi3", Name::Noi3),
        ("hid6", Name::Hid6),
    ];
}

/// How parameters act on a loss.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Valley,
    /// Neighbours depend on each other.
    Coupled,
    /// Only the first four parameters act.
    Sparse,
    /// Three parameters act in each group.
    Blocks,
    /// One in ten instances is steep.
    Rare,
    /// Groups decide the signs of interactions.
    Signs,
}

/// The declaration of a family.
struct Kind {
    shape: Shape,
    count: usize,
    /// Standard deviations of the shift of the optimum by instance and by group, and its move with
    /// the number, in half of the parameters.
    own: f64,
    group: f64,
    moves: f64,
    /// The exponents of scores in the number and the group.
    scale: (f64, f64),
    noise: f64,
    is_log: bool,
}

impl Kind {
    fn of(name: Name) -> Self {
        let plain = |shape, count| Kind {
            shape,
            count,
            own: 0.06,
            group: 0.0,
            moves: 0.0,
            scale: (0.0, 0.0),
            noise: 0.1,
            is_log: false,
        };
        let grouped = |count, noise| Kind { group: 0.22, noise, ..plain(Shape::Coupled, count) };
        let moving = |scale| Kind { moves: 0.25, scale: (scale, 0.0), ..plain(Shape::Coupled, 6) };
        let blocks = |is_log| Kind { scale: (1.0, 1.0 / 3.0), is_log, ..plain(Shape::Blocks, 12) };
        match name {
            Name::Hom3 => plain(Shape::Valley, 3),
            Name::Hom6 => plain(Shape::Coupled, 6),
            Name::Hom12 => plain(Shape::Sparse, 12),
            Name::Ahc12 => blocks(false),
            Name::Ahc12l => blocks(true),
            Name::Grp6 => grouped(6, 0.1),
            Name::Noi6 => grouped(6, 0.5),
            Name::Noi3 => grouped(3, 0.3),
            Name::Mov6 => moving(0.0),
            Name::Sca6 => moving(1.5),
            Name::Mv26 => Kind { group: 0.15, ..moving(1.0) },
            Name::Rare6 => plain(Shape::Rare, 6),
            Name::Int12 => plain(Shape::Signs, 12),
            Name::Het20 => Kind { group: 0.15, moves: 0.2, noise: 0.15, ..plain(Shape::Coupled, 20) },
            Name::Hid6 => Kind { own: 0.25, ..plain(Shape::Coupled, 6) },
        }
    }
}

struct Instance {
    group: usize,
    z: f64,
    level: f64,
    optimum: Vec<f64>,
    is_rare: bool,
}

pub struct Family {
    name: Name,
    kind: Kind,
    weights: Vec<f64>,
    /// The sign of the interaction of each parameter with the next one, by group.
    signs: Vec<Vec<f64>>,
    start: Vec<f64>,
    searched: Vec<Instance>,
    measured: Vec<Instance>,
    /// The factor of losses: the start's mean is 1.5 on the instances that measure.
    unit: f64,
    /// The means at the start and at the best values, as they are measured.
    ends: OnceLock<(f64, f64)>,
}

impl Family {
    fn new(name: Name, is_near: bool) -> Self {
        let kind = Kind::of(name);
        let mut random = generator(seed(SEED, Split::Variation, name as u64, 0));
        let count = kind.count;
        let base: Vec<f64> = (0..count).map(|_| 0.25 + 0.5 * random.random::<f64>()).collect();
        let weights: Vec<f64> = (0..count).map(|_| libm::exp(1.4 * (random.random::<f64>() - 0.5))).collect();
        let of_groups: Vec<Vec<f64>> =
            (0..GROUPS).map(|_| (0..count).map(|_| kind.group * normal(&mut random)).collect()).collect();
        let moves: Vec<f64> = (0..count)
            .map(|d| if d % 2 == 0 { kind.moves * if random.random() { 1.0 } else { -1.0 } } else { 0.0 })
            .collect();
        let signs =
            (0..GROUPS).map(|_| (0..count).map(|_| if random.random() { 1.0 } else { -1.0 }).collect()).collect();
        let rare: Vec<f64> = (0..count).map(|_| 0.2 * normal(&mut random)).collect();
        let mut instance = |i: usize| {
            let group = random.random_range(0..GROUPS as u32) as usize;
            let z = 2.0 * random.random::<f64>() - 1.0;
            let level = (1.2 + 0.5 * normal(&mut random)).max(0.3);
            let is_rare = kind.shape == Shape::Rare && i % 10 == 3;
            let optimum = (0..count).map(|d| {
                let own = kind.own * normal(&mut random) + if is_rare { rare[d] } else { 0.0 };
                base[d] + own + of_groups[group][d] + moves[d] * z
            });
            Instance { group, z, level, optimum: optimum.collect(), is_rare }
        };
        let searched = (0..SEARCHED).map(&mut instance).collect();
        let measured = (0..MEASURED).map(&mut instance).collect();
        let far = if is_near { 0.25 } else { 0.45 };
        let start = base.iter().map(|&x| if x < 0.5 { x + far } else { x - far }).collect();
        let mut family =
            Family { name, kind, weights, signs, start, searched, measured, unit: 1.0, ends: OnceLock::new() };
        let losses: f64 = family.measured.iter().map(|instance| family.loss(&family.start, instance)).sum();
        family.unit = 1.5 * MEASURED as f64 / losses;
        family
    }

    /// Returns the loss before its scale.
    fn loss(&self, x: &[f64], instance: &Instance) -> f64 {
        let u: Vec<f64> = x.iter().zip(&instance.optimum).map(|(x, optimum)| x - optimum).collect();
        let square = |d: usize| self.weights[d] * u[d] * u[d];
        let pair = |d: usize, by: f64| by * (self.weights[d] * self.weights[d + 1]).sqrt() * u[d] * u[d + 1];
        let count = self.kind.count;
        let sum = match self.kind.shape {
            Shape::Valley => {
                let (a, b, c) = (2.0 * u[0], 2.0 * u[1], 2.0 * u[2]);
                0.3 * a * a + 2.0 * (b - a * a).powi(2) + 0.5 * (c - b).powi(2)
            }
            Shape::Coupled => (0..count).map(square).sum::<f64>() + (0..count - 1).map(|d| pair(d, 0.8)).sum::<f64>(),
            Shape::Sparse => (0..4).map(square).sum::<f64>() + pair(0, 0.8) + pair(2, -0.8),
            Shape::Blocks => (3 * instance.group..3 * instance.group + 3).map(square).sum(),
            Shape::Rare => {
                let steep = if instance.is_rare { 32.0 } else { 1.0 };
                steep * (0..count).map(square).sum::<f64>()
            }
            Shape::Signs => {
                let signs = &self.signs[instance.group];
                (0..count).map(square).sum::<f64>() + (0..count - 1).map(|d| pair(d, 0.95 * signs[d])).sum::<f64>()
            }
        };
        self.unit * sum
    }

    fn outcome(&self, x: &[f64], instance: &Instance, level: f64, noise: f64) -> f64 {
        let (z, group) = self.kind.scale;
        let scale = libm::exp(z * instance.z + group * instance.group as f64);
        let value = scale * (level + self.loss(x, instance) + noise);
        if self.kind.is_log { libm::log(value.max(1e-3)) } else { value }
    }

    /// Returns the mean as it is measured, of values and, after them, their coefficients. In
    /// logarithms, the level counts.
    fn mean(&self, x: &[f64], by: By) -> f64 {
        let count = self.kind.count;
        let of = |instance: &Instance| {
            let factors = by.of(instance);
            let change = |d: usize| factors.iter().zip(1..).map(|(factor, i)| x[count * i + d] * factor).sum::<f64>();
            let values: Vec<f64> = (0..count).map(|d| (x[d] + change(d)).clamp(0.0, 1.0)).collect();
            self.truth(&values, instance)
        };
        self.measured.iter().map(of).sum::<f64>() / MEASURED as f64
    }

    fn truth(&self, x: &[f64], instance: &Instance) -> f64 {
        self.outcome(x, instance, if self.kind.is_log { instance.level } else { 0.0 }, 0.0)
    }

    /// Returns the least mean of values that follow features, or of constants: the best of several
    /// walks with steps that shrink when they fail (a (1+1) evolution strategy).
    fn least(&self, by: By) -> f64 {
        let (count, features) = (self.kind.count, by.numbers());
        let mut least = f64::INFINITY;
        for walk in 0..4 {
            let mut random = generator(seed(SEED, Split::Variation, self.name as u64, 1 + walk));
            let mut x: Vec<f64> = (0..count).map(|_| random.random::<f64>()).collect();
            x.resize(count * (1 + features), 0.0);
            let (mut best, mut step) = (self.mean(&x, by), 0.2);
            for _ in 0..250 * x.len() {
                // Coefficients have no bounds.
                let stepped = x.iter().map(|x| x + step * normal(&mut random));
                let other: Vec<f64> =
                    stepped.enumerate().map(|(i, x)| if i < count { x.clamp(0.0, 1.0) } else { x }).collect();
                let mean = self.mean(&other, by);
                step *= if mean < best { 1.5 } else { 0.9 };
                step = step.clamp(1e-5, 0.5);
                if mean < best {
                    (x, best) = (other, mean);
                }
            }
            least = least.min(best);
        }
        least
    }

    fn instance(&self, case: &Case) -> &Instance {
        match case.split {
            Split::Measurement => &self.measured[case.number as usize % MEASURED],
            _ => &self.searched[case.number as usize % SEARCHED],
        }
    }

    fn play(&self, x: &[f64], case: &Case) -> Outcome {
        let (is_measured, number) = (case.split == Split::Measurement, case.number as usize);
        if is_measured {
            let &(start, best) =
                self.ends.get_or_init(|| (self.mean(&self.start, By::Nothing), self.least(By::Nothing)));
            let score = (self.truth(x, &self.measured[number % MEASURED]) - best) / (start - best);
            return Outcome { score, objective: -score, ..Outcome::default() };
        }
        let number = number % SEARCHED;
        let instance = &self.searched[number];
        // The same candidate on the same instance has the same noise.
        let of_candidate = x.iter().fold(0, |hash, x| seed(hash, Split::Search, x.to_bits(), number as u64));
        let score = self.outcome(x, instance, instance.level, self.kind.noise * normal(&mut generator(of_candidate)));
        Outcome { score, objective: -score, ..Outcome::default() }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Options {
    kind: Name,
    /// The features that all parameters follow.
    #[serde(default)]
    by: By,
    /// Whether the start is nearer to the optimum. As its mean is the same, features then matter
    /// more beside the noise.
    #[serde(default)]
    near: bool,
}

/// The features that parameters follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum By {
    #[default]
    Nothing,
    Z,
    Group,
    Both,
}

impl By {
    /// Returns the number of coefficients of a parameter.
    fn numbers(self) -> usize {
        match self {
            By::Nothing => 0,
            By::Z => 1,
            By::Group => GROUPS,
            By::Both => 1 + GROUPS,
        }
    }

    /// Returns the factors of the coefficients on an instance.
    fn of(self, instance: &Instance) -> Vec<f64> {
        let z = matches!(self, By::Z | By::Both).then_some(instance.z);
        let groups = if matches!(self, By::Group | By::Both) { 0..GROUPS } else { 0..0 };
        let groups = groups.map(|group| f64::from(u8::from(group == instance.group)));
        z.into_iter().chain(groups).collect()
    }
}

/// Returns the mean of the best function of features, measured as recommendations are: 1 is the
/// start, and 0 are the best constant values.
pub fn best(Options { kind, by, near }: Options) -> f64 {
    let family = Family::new(kind, near);
    let [constant, function] = [By::Nothing, by].map(|by| family.least(by));
    (function - constant) / (family.mean(&family.start, By::Nothing) - constant)
}

/// A family that is shared by all trials.
struct Shared {
    family: Arc<Family>,
    options: Options,
    parameters: Arc<[Parameter]>,
}

impl Shared {
    fn new(options @ Options { kind, by, near }: Options) -> Self {
        let family = Family::new(kind, near);
        let plain = family.start.iter().zip(0..).map(|(&start, i)| Parameter::float(format!("x_{i}"), 0.0, 1.0, start));
        let mut parameters: Vec<Parameter> = plain.collect();
        for place in 0..parameters.len() {
            let of = |feature, by| Parameter::coefficient(&parameters[place], place, feature, by);
            let by_z = matches!(by, By::Z | By::Both).then(|| of("z", follow::By::Number { low: -1.0, high: 1.0 }));
            let groups = if matches!(by, By::Group | By::Both) { 0..GROUPS } else { 0..0 };
            let by_group = groups.map(|group| of("group", follow::By::Group(group.to_string())));
            let all: Vec<Parameter> = by_z.into_iter().chain(by_group).collect();
            parameters.extend(all);
        }
        Shared { family: Arc::new(family), options, parameters: parameters.into() }
    }
}

impl Problem for Shared {
    fn name(&self) -> &str {
        "family"
    }

    fn options(&self) -> evolve_search::document::Table {
        evolve_search::model::problem::written(&self.options)
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.parameters.to_vec()
    }

    fn instances(&self, split: Split) -> Option<Vec<String>> {
        let count = if split == Split::Measurement { MEASURED } else { SEARCHED };
        Some((0..count).map(|i| i.to_string()).collect())
    }

    fn features(&self) -> Arc<Features> {
        let of = |name: &str, values| Feature { name: name.to_string(), values };
        let searched = &self.family.searched;
        Arc::new(Features::new(vec![
            of("z", Values::Numbers(searched.iter().map(|instance| instance.z).collect())),
            of("group", Values::Words(searched.iter().map(|instance| instance.group.to_string()).collect())),
        ]))
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let (family, parameters) = (Arc::clone(&self.family), Arc::clone(&self.parameters));
        Ok(session(move |candidate: Candidate<'_>| {
            let (family, parameters) = (Arc::clone(&family), Arc::clone(&parameters));
            let values = candidate.values().to_vec();
            move |case: &Case| -> Result<Outcome, PlayError> {
                let instance = family.instance(case);
                let group = instance.group.to_string();
                let x = follow::on_instance(&parameters, &values, |name| match name {
                    "z" => Some(follow::Value::Number(instance.z)),
                    _ => Some(follow::Value::Word(&group)),
                });
                Ok(family.play(&x[..family.kind.count], case))
            }
        }))
    }
}

/// Returns the families as a game.
pub fn game() -> Game {
    Game::new(|options: Options, _: evolve_core::job::Nothing| Shared::new(options))
}
