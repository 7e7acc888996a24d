//! Toy problems whose truth is known.

use evolve_core::optimizer::sampling::normal;
use evolve_core::parameter::Parameter;
use evolve_core::problem::{Context, OpenError, Problem, Session, session};
use evolve_core::seed::{Purpose, generator};
use evolve_core::setup::{Setting, Setup, Takes};
use evolve_core::trial::{Deal, Outcome};

/// A toy: five weights, luck that all share, and luck that follows from the weights.
#[derive(Clone, Copy)]
pub struct Toy {
    /// Its name in jobs.
    pub name: &'static str,
    /// By how much the expected score falls at a distance of one from the start.
    pub fall: f64,
    /// Whether it has instances on which what a change gains differs, though not on average.
    pub instances: bool,
}

/// Weights change play, but not the expected score.
pub static EQUAL: Toy = Toy { name: "equal", fall: 0.0, instances: false };
/// The start is the optimum.
pub static OPTIMUM: Toy = Toy { name: "optimum", fall: 0.05, instances: false };
/// Weights gain on some instances and lose on others, nothing on average over all that there could be.
pub static INSTANCES: Toy = Toy { name: "instances", fall: 0.0, instances: true };

static OPTIONS: [Setting; 1] = [Setting {
    name: "draw",
    meaning: "which instances there are",
    takes: Takes::Number(0, u32::MAX),
    default: Some(0),
}];

const WEIGHTS: usize = 5;
/// Instances of each purpose.
const INSTANCES_EACH: u64 = 20;

impl Toy {
    /// The expected score of values less that of the start.
    pub fn truth(&self, values: &[f64]) -> f64 {
        -self.fall * values.iter().map(|x| x * x).sum::<f64>()
    }
}

fn mixed(values: &[f64]) -> u64 {
    values.iter().fold(0, |state: u64, x| (state ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
}

impl Problem for Toy {
    fn name(&self) -> &str {
        self.name
    }

    fn options(&self) -> &[Setting] {
        &OPTIONS
    }

    fn parameters(&self) -> Vec<Parameter> {
        (1..=WEIGHTS).map(|i| Parameter::float(format!("weight_{i}"), -10.0, 10.0, 0.0).scale(1.0)).collect()
    }

    fn instances(&self, purpose: Purpose) -> Option<Vec<String>> {
        self.instances.then(|| (0..INSTANCES_EACH).map(|i| format!("{purpose:?}-{i}")).collect())
    }

    fn open(&self, setup: &Setup, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let (toy, draw) = (*self, u64::from(setup.options.get("draw")));
        Ok(session(move |candidate| {
            let values = candidate.values().to_vec();
            let (height, own) = (toy.truth(&values), mixed(&values));
            move |deal: &Deal| {
                let common = normal(&mut generator(deal.seed));
                // Half of the games go the same way for all.
                let mut random = generator(deal.seed ^ own);
                let luck = normal(&mut random);
                let luck = if normal(&mut random) > 0.0 { luck } else { 0.0 };
                let mut gain = 0.0;
                if toy.instances {
                    let instance = (deal.purpose as u64) << 40 | draw << 8 | (deal.number % INSTANCES_EACH);
                    let mut slopes = generator(instance);
                    gain = values.iter().map(|x| x * normal(&mut slopes)).sum::<f64>();
                }
                Ok(Outcome::of(10.0 + 2.0 * common + luck + height + 0.3 * gain))
            }
        }))
    }
}
