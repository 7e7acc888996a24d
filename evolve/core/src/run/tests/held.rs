//! Searches within limits.

use crate::judgement::feasibility::{Penalty, quantities};
use crate::judgement::measured::{Measured, objectives};
use evolve_search::model::constraint::Constraint;
use evolve_search::model::limit::Limit;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::seed::{Split, generator, seed};
use evolve_search::model::space::Space;
use evolve_search::optimizer::sampling::normal;
use evolve_search::optimizer::{Cases, METHODS, Terms, Told};
use evolve_search::statistics::{Estimate, below, mean, quantile, standard_deviation};
use evolve_search::testing::{recommendations, settings};
use rayon::prelude::*;

/// A problem with a limit on one quantity.
struct Family {
    name: &'static str,
    limit: &'static str,
    /// The quantity of a candidate on an instance, from its mean and a standard normal deviate of
    /// the instance.
    value: fn(f64, f64) -> f64,
}

const FAMILIES: [Family; 4] = [
    Family { name: "even", limit: "<= 2", value: |mean, _| mean },
    Family { name: "levels", limit: "<= 2", value: |mean, instance| mean + instance },
    Family { name: "sizes", limit: "<= 2", value: |mean, instance| mean * libm::exp(0.7 * instance - 0.245) },
    Family { name: "each", limit: "each <= 4", value: |mean, instance| mean * (1.0 + 0.5 * libm::tanh(instance)) },
];

/// Six numbers from 0 to 1.
fn space(start: f64) -> Space {
    let parameters: Vec<Parameter> = (0..6).map(|i| Parameter::float(format!("x{i}"), 0.0, 1.0, start)).collect();
    Space::new(parameters, vec![start; 6], (0..6).collect())
}

/// The mean objective; the best one, 0, is at 0.8.
fn objective(values: &[f64]) -> f64 {
    -values.iter().enumerate().map(|(i, x)| 4.0 * (x - 0.8) * (x - 0.8) / (1.0 + i as f64 / 2.0)).sum::<f64>()
}

/// The mean of the quantity: 2 at 0.5 in all parameters, more beyond.
fn quantity(values: &[f64]) -> f64 {
    4.0 * mean(&values.iter().map(|x| x * x + 0.25).collect::<Vec<_>>())
}

/// Returns the expected loss after a test of 60 instances. A candidate that does not pass has the
/// loss of a start at 0.2.
fn expected(family: &Family, limit: &Limit, values: &[f64]) -> f64 {
    const TEST: f64 = 60.0;
    let loss = -objective(values);
    let of = |place: u32| limit.slack((family.value)(quantity(values), quantile((f64::from(place) + 0.5) / 1000.0)));
    let slacks: Vec<f64> = (0..1000).map(of).collect();
    let passes = if limit.each {
        if slacks.iter().all(|&slack| slack >= 0.0) { 1.0 } else { 0.0 }
    } else {
        let error = (standard_deviation(&slacks) / TEST.sqrt()).max(1e-3);
        below(mean(&slacks) / error - 1.67)
    };
    passes * loss + (1.0 - passes) * -objective(&[0.2; 6])
}

/// Searches from a start, with models of constraints or with penalties alone. Returns the expected
/// losses of the recommendations after these numbers of trials.
fn losses(family: &Family, (start, models): (f64, bool), run: u64, at: &[usize]) -> Vec<f64> {
    let space = space(start);
    let constraints = [Constraint { name: "memory".into(), metric: 0, unit: "", limit: family.limit.parse().unwrap() }];
    let mut optimizer = settings(METHODS[0], "").start(&space, Terms::from(Cases::Many), run);
    let mut penalty = Penalty::default();
    let mut random = generator(seed(run, Split::Test, 0, 0));
    let recommended = recommendations(&mut *optimizer, &space, run, at, |optimizer, ask, cases| {
        let outcome = |(&(point, _), &case): (&(usize, usize), &u64)| {
            let mut case = generator(case);
            let values = space.candidate(&ask.points[point]);
            let (level, instance) = (normal(&mut case), normal(&mut case));
            let objective = objective(&values) + level + 0.3 * normal(&mut random);
            let value = (family.value)(quantity(&values) * (1.0 + 0.03 * normal(&mut random)), instance);
            Measured { objective, quantities: vec![value], ..Measured::default() }
        };
        let outcomes: Vec<Measured> = ask.trials.iter().zip(cases).map(outcome).collect();
        let told = Told {
            penalized: &penalty.penalized(&constraints, 60, ask, &outcomes),
            objectives: &objectives(&outcomes),
            bounds: &[],
            quantities: &quantities(&constraints, 60, &outcomes, &[]),
        };
        let told = if models { told } else { Told::of(told.penalized) };
        optimizer.tell(ask, &told);
    });
    recommended.iter().map(|values| expected(family, &constraints[0].limit, values)).collect()
}

#[test]
fn limits_are_held_on_uneven_instances() {
    let loss = |family: &Family, start: f64| {
        let all: Vec<f64> = (1..=12).map(|run| losses(family, (start, true), run, &[60])[0]).collect();
        mean(&all)
    };
    let start = -objective(&[0.2; 6]);
    let losses = [(0, 0.2), (0, 0.7), (2, 0.2), (3, 0.2)].map(|(place, start)| loss(&FAMILIES[place], start));
    assert!(losses[0] < 0.45 * start && losses[1] < 0.5 * start, "{start} {losses:?}");
    assert!(losses[2] < 0.95 * start && losses[3] < 0.35 * start, "{start} {losses:?}");
}

/// Prints the table of docs/searching.md.
#[test]
#[ignore = "prints figures of 20 runs each, for a quarter of an hour"]
fn figures() {
    const AT: [usize; 4] = [30, 60, 120, 300];
    for family in &FAMILIES {
        for (start, models) in [(0.2, true), (0.7, true), (0.2, false), (0.7, false)] {
            let all: Vec<_> =
                (1..=20u64).into_par_iter().map(|run| losses(family, (start, models), run, &AT)).collect();
            let cell = |place: usize| {
                let estimate = Estimate::of(&all.iter().map(|run| run[place]).collect::<Vec<_>>());
                format!("{:.2} ± {:.2}", estimate.mean, estimate.standard_error)
            };
            println!(
                "| {} | {start} | {} | {} |",
                family.name,
                if models { "models" } else { "penalties" },
                [0, 1, 2, 3].map(cell).join(" | ")
            );
        }
    }
}
