//! Twelve offers from 0 to 99 arrive one after another. The kept offer is the score. A rejected
//! offer is gone, and the last one must be kept.

use evolve::search::model::seed::generator;
use evolve::{Case, Context, Game, Metrics, OpenError, Outcome, Parameter, Problem, Session, session};
use rand::RngExt;
use std::process::ExitCode;
use std::sync::Arc;

/// How many offers there are.
const OFFERS: usize = 12;

struct Offers;

impl Problem for Offers {
    fn name(&self) -> &str {
        "offers"
    }

    fn summary(&self) -> &str {
        "keep one of twelve consecutive offers"
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::int("wanted", 0, 99, 50).meaning("least value of the last but one offer to keep it"),
            Parameter::float("patience", -10.0, 10.0, 0.0).meaning("added to that for each offer to come"),
        ]
    }

    fn metrics(&self) -> Metrics {
        Metrics::new(&["passed"], &[])
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        Ok(session(|candidate| {
            let (wanted, patience) = (candidate.int("wanted") as f64, candidate.float("patience"));
            let keeps = move |offer: u32, left: usize| match left {
                0 => true,
                _ => f64::from(offer) >= wanted + patience * (left - 1) as f64,
            };
            move |case: &Case| {
                let mut random = generator(case.seed);
                let offers: [u32; OFFERS] = std::array::from_fn(|_| random.random_range(0..100));
                let kept = (0..OFFERS).find(|&i| keeps(offers[i], OFFERS - 1 - i)).expect("the last one is kept");
                Ok(Outcome::of(offers[kept].into()).metrics([kept as f64]))
            }
        }))
    }
}

fn main() -> ExitCode {
    evolve::cli::main([Game::plain(Arc::new(Offers))])
}
