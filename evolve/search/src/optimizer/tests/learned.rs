//! What earlier runs are worth, and what wrong ones cost.

use crate::model::learned::{Earlier, Learned, Lesson, MOST_LEARNED};
use crate::model::parameter::{Kind, Parameter};
use crate::model::seed::{Split, generator, seed};
use crate::optimizer::sampling::normal;
use crate::optimizer::*;
use crate::statistics::Estimate;
use crate::testing::{recommendations, settings};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A problem that is searched: parameters, and how far a candidate is from the best one.
struct Family {
    name: &'static str,
    parameters: fn() -> Vec<Parameter>,
    loss: fn(&[f64], f64) -> f64,
    /// Standard deviations of an instance's level, and of a trial.
    noise: [f64; 2],
}

const FAMILIES: [Family; 3] = [
    // Six numbers; some matter more.
    Family {
        name: "bowl",
        parameters: || (0..6).map(|i| Parameter::float(format!("x{i}"), 0.0, 1.0, 0.85)).collect(),
        loss: |values, moved| {
            let square = |(i, x): (usize, &f64)| {
                let best = if i % 2 == 0 { 0.3 } else { 0.55 };
                16.0 * (x - best - moved).powi(2) / (1.0 + i as f64 / 2.0)
            };
            values.iter().take(6).enumerate().map(square).sum()
        },
        noise: [1.0, 0.3],
    },
    // A curved valley along which the best one lies, in four numbers.
    Family {
        name: "valley",
        parameters: || (0..4).map(|i| Parameter::float(format!("x{i}"), -2.0, 2.0, -1.2)).collect(),
        loss: |values, moved| {
            let x: Vec<f64> = values.iter().take(4).map(|x| x + 3.0 * moved).collect();
            let pair = |x: &[f64]| 4.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2);
            libm::log1p(x.windows(2).map(pair).sum())
        },
        noise: [1.0, 0.3],
    },
    // Kinds of all sorts.
    Family {
        name: "mixed",
        parameters: || {
            vec![
                Parameter::choice("move", ["swap", "2opt", "insert", "shift"], 0),
                Parameter::int("k", 1, 30, 5),
                Parameter::switch("greedy", false),
                Parameter::float("temp", 1e-2, 1e2, 50.0).log(),
                Parameter::float("weight", -10.0, 10.0, -6.0),
            ]
        },
        loss: |values, moved| {
            let by_name = [1.0, if moved > 0.0 { 1.5 } else { 0.0 }, 0.7, if moved > 0.0 { 0.0 } else { 1.5 }];
            let temp = libm::log(values[3] / 0.5) - 8.0 * moved;
            by_name[values[0] as usize]
                + ((values[1] - 13.0 - 30.0 * moved) / 6.0).powi(2)
                + (1.0 - values[2])
                + 0.15 * temp * temp
                + ((values[4] - 2.0 + 20.0 * moved) / 4.0).powi(2)
        },
        noise: [1.0, 0.3],
    },
];

/// The problem of an earlier run.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    /// No earlier run.
    None,
    Same,
    /// The same without the last parameter, and the second one in a narrower range.
    Less,
    /// A problem whose best candidate is elsewhere.
    Other,
}

fn space(parameters: Vec<Parameter>) -> Space {
    let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    let all = (0..start.len()).collect();
    Space::new(parameters, start, all)
}

/// Plays a search, and returns the recommended values after each number of trials in `at`. `told`
/// receives every trial.
fn play(
    family: &Family,
    space: &Space,
    (run, moved): (u64, f64),
    at: &[usize],
    mut told: impl FnMut(&[f64], u64, f64),
) -> Vec<Vec<f64>> {
    let mut optimizer = start(&*settings(METHODS[0], ""), space, Cases::Many.into(), run);
    let mut random = generator(seed(run, Split::Test, 0, 0));
    let [level, noise] = family.noise;
    recommendations(&mut *optimizer, space, run, at, |optimizer, ask, cases| {
        let outcome = |(&(point, _), &case): (&(usize, usize), &u64)| {
            let values = space.candidate(&ask.points[point]);
            let luck = level * normal(&mut generator(case)) + noise * normal(&mut random);
            let objective = luck - (family.loss)(&whole(family, space, &values), moved);
            told(&values, case, objective);
            objective
        };
        let objectives: Vec<f64> = ask.trials.iter().zip(cases).map(outcome).collect();
        optimizer.tell(ask, &Told::of(&objectives));
    })
}

/// The values of all parameters of a family, where a space has fewer: the others start.
fn whole(family: &Family, space: &Space, values: &[f64]) -> Vec<f64> {
    let all = (family.parameters)();
    let known = values[..space.parameters().len()].iter().copied();
    known.chain(all[space.parameters().len()..].iter().map(|parameter| parameter.start)).collect()
}

/// The trials of an earlier run, 120 of them, for the space of a family.
fn learned(family: &Family, before: Before, run: u64) -> Learned {
    let mut parameters = (family.parameters)();
    match before {
        Before::None => return Learned::default(),
        Before::Less => {
            parameters.pop();
            match &mut parameters[1].kind {
                Kind::Float { min, max, .. } => *min += 0.25 * (*max - *min),
                Kind::Int { max, .. } => *max = 20,
                Kind::Choice(_) | Kind::Switch => unreachable!("the second one is a number"),
            }
        }
        Before::Same | Before::Other => {}
    }
    let moved = if before == Before::Other { 0.3 } else { 0.0 };
    let space = space(parameters);
    let (mut trials, mut cases) = (Vec::new(), BTreeMap::new());
    let best = play(family, &space, (1000 + run, moved), &[120], |values, case, objective| {
        let count = cases.len();
        let case = *cases.entry(case).or_insert(count);
        // The scores of an earlier run have another level.
        let objective = objective - 100.0;
        trials.push(Lesson { values: whole(family, &space, values), case, objective, is_bound: false });
    });
    let best = whole(family, &space, &best[0]);
    Learned { runs: vec![Earlier::new(Some(best), trials, MOST_LEARNED)] }
}

/// The losses of the recommendations after each number of trials, one line for each run.
fn losses(family: &Family, before: Before, at: &[usize], runs: u64) -> Vec<Vec<f64>> {
    let of = |run: u64| {
        let space = space((family.parameters)()).learning(Arc::new(learned(family, before, run)));
        let recommended = play(family, &space, (run, 0.0), at, |_, _, _| ());
        recommended.iter().map(|values| (family.loss)(values, 0.0)).collect()
    };
    (1..=runs).map(of).collect()
}

/// The mean loss after so many trials.
fn regret(family: &Family, before: Before, trials: usize, runs: u64) -> f64 {
    mean(&losses(family, before, &[trials], runs).concat())
}

#[test]
fn an_earlier_run_helps_at_once_even_of_fewer_parameters() {
    let [none, same, less] =
        [Before::None, Before::Same, Before::Less].map(|before| regret(&FAMILIES[0], before, 30, 4));
    assert!(same < 0.5 * none && less < 0.7 * none, "{none} {same} {less}");
}

#[test]
fn an_earlier_run_of_another_problem_is_forgotten() {
    let [none, other] = [Before::None, Before::Other].map(|before| regret(&FAMILIES[0], before, 200, 8));
    assert!(other < none + 0.05, "{none} {other}");
}

#[test]
fn a_state_with_what_was_learned_goes_on_as_the_same() {
    let family = &FAMILIES[2];
    let known = Arc::new(learned(family, Before::Other, 1));
    let space = space((family.parameters)()).learning(Arc::clone(&known));
    let settings = settings(METHODS[0], "");
    let mut whole = settings.start(&space, Cases::Many.into(), 5);
    // The start, and then the best candidate of the earlier run.
    let second = space.candidate(&whole.ask().points[1]);
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * b.abs();
    assert!(second.iter().zip(&known.runs[0].best).all(is_near), "{second:?}");
    let mut random = generator(3);
    for _ in 0..3 {
        let ask = whole.ask();
        let objectives: Vec<f64> = ask.trials.iter().map(|_| normal(&mut random)).collect();
        whole.tell(&ask, &Told::of(&objectives));
        let state = serde_json::from_str(&whole.state().to_string()).unwrap();
        let resumed = settings.resume(&space, Cases::Many.into(), 5, &state).unwrap();
        assert_eq!((resumed.ask(), resumed.mean()), (whole.ask(), whole.mean()));
        let without = space.clone().learning(Arc::default());
        assert!(settings.resume(&without, Cases::Many.into(), 5, &state).is_err(), "a model of another number of runs");
    }
}

/// Prints the table of docs/searching.md.
#[test]
#[ignore = "prints figures of 20 runs each, for some minutes"]
fn figures() {
    const AT: [usize; 4] = [30, 60, 120, 300];
    for family in &FAMILIES {
        for (name, before) in
            [("none", Before::None), ("same", Before::Same), ("less", Before::Less), ("other", Before::Other)]
        {
            let losses = losses(family, before, &AT, 20);
            let at = |place: usize| Estimate::of(&losses.iter().map(|run| run[place]).collect::<Vec<_>>());
            let cell = |place: usize| format!("{:.3} ± {:.3}", at(place).mean, at(place).standard_error);
            println!("| {} | {name} | {} |", family.name, [0, 1, 2, 3].map(cell).join(" | "));
        }
    }
}
