//! A problem whose trials take a fixed time, but no processor time.

use chacha20::rand_core::Rng;
use evolve::search::document::Table;
use evolve::search::model::problem::written;
use evolve::search::model::seed::{Split, generator};
use evolve::{
    Case, Context, Failure, FailureKind, Game, Metrics, Nothing, OpenError, Parameter, Problem, Session, session,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs;
use std::thread;
use std::time::Duration;

/// The name of a file with a number, in the folder of the run: while it exists, cases of the search
/// from this number on wait. A run that is held cannot end before a test has done its part.
pub const HOLD: &str = "hold";

fn wait_while_held(case: &Case) {
    let is_held = || {
        let first = fs::read_to_string(HOLD).ok().and_then(|text| text.parse::<u64>().ok());
        case.split == Split::Search && first.is_some_and(|first| case.number >= first)
    };
    while is_held() {
        thread::sleep(Duration::from_millis(20));
    }
}

/// Moves towards a target, with noise.
pub struct Steps {
    /// Whether parameters have another range, as in another build.
    pub is_other: bool,
    /// Whether some trials fail at random.
    pub fails: bool,
    options: Options,
}

pub fn steps(is_other: bool, fails: bool) -> Game {
    Game::new(move |options, _: Nothing| Steps { is_other, fails, options })
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(default)]
struct Options {
    /// time of a trial in microseconds
    #[schemars(range(max = 10_000_000))]
    micros: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { micros: 1000 }
    }
}

impl Problem for Steps {
    fn name(&self) -> &str {
        "steps"
    }

    fn options(&self) -> Table {
        written(&self.options)
    }

    fn parameters(&self) -> Vec<Parameter> {
        let end = if self.is_other { 9.5 } else { 9.0 };
        vec![Parameter::float("x", -9.0, end, 4.0).unit(1.0), Parameter::float("y", -9.0, 9.0, -3.0).unit(1.0)]
    }

    fn metrics(&self) -> Metrics {
        Metrics::new(&["noise", "x"], &["size"])
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let (fails, time) = (self.fails, Duration::from_micros(self.options.micros));
        Ok(session(move |candidate| {
            let (x, y) = (candidate.float("x"), candidate.float("y"));
            move |case: &Case| {
                thread::sleep(time);
                wait_while_held(case);
                let noise = f64::from(generator(case.seed).next_u32()) / f64::from(u32::MAX);
                if fails && noise > 0.9 && x != 4.0 {
                    return Err(Failure::new(FailureKind::Memory, "there is none left on this machine").into());
                }
                let score = noise * (1.0 + 0.1 * x) - (x - 1.0) * (x - 1.0) - y * y;
                let outcome = evolve::search::model::trial::Outcome::of(score).metrics([noise, x / 3.0]);
                Ok(outcome.group(if noise < 0.5 { "small" } else { "large" }))
            }
        }))
    }
}
