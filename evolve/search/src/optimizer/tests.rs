//! Properties of every optimizer.

mod forbidden;
mod grid;
mod instances;
mod learned;
mod priors;

use super::sampling::normal;
use super::*;
use crate::model::parameter::Parameter;
use crate::model::parameter::condition::Condition;
use crate::model::seed::{Split, generator, seed};
use crate::model::space::Space;
use crate::testing::settings;

/// Returns keys to test with a method. The first variant has the defaults.
fn variants(method: &Method) -> &'static [&'static str] {
    match method.name {
        "genetic" => &[
            "",
            "crossover = 'sbx'\nparent_selection = 'tournament'\nelites = 0",
            "crossover = 'uniform'\ntrials = 1",
            "sigma0 = 1e5\npopulation = 4\nelites = 3",
        ],
        _ => &[""],
    }
}

/// Plays a search until it has spent `trials`. `play` receives the point, the seed of the case and
/// the seed of the trial.
fn search(
    optimizer: &mut dyn Optimizer,
    run: u64,
    trials: usize,
    mut play: impl FnMut(&[f64], u64, u64) -> f64,
) -> Vec<f64> {
    let mut spent = 0;
    while spent < trials {
        let ask = optimizer.ask();
        let generation = optimizer.generation();
        let cases: Vec<Again> = ask.all_cases(generation, 0).collect();
        let objectives: Vec<f64> = ask
            .trials
            .iter()
            .enumerate()
            .map(|(i, &(point, case))| {
                let Again { generation: of, place, .. } = cases[case];
                let seed = |split, generation, number| seed(run, split, generation, number);
                play(&ask.points[point], seed(Split::Search, of, place), seed(Split::Test, generation, i as u64))
            })
            .collect();
        spent += objectives.len();
        optimizer.tell(&ask, &Told::of(&objectives));
    }
    optimizer.recommended()[0].1.clone()
}

/// A choice of three, a whole number, a switch, a number that matters only while the switch is on,
/// and one that always does.
fn mixed(names: [&str; 3], start: usize) -> Space {
    let mut parameters = vec![
        Parameter::choice("move", names, start),
        Parameter::int("k", 1, 30, 5),
        Parameter::switch("greedy", false),
    ];
    let condition = Condition::parse("greedy == true", &parameters).unwrap();
    parameters.push(Parameter::float("share", 0.0, 1.0, 0.2).when(condition));
    parameters.push(Parameter::float("weight", -10.0, 10.0, -4.0));
    let start = parameters.iter().map(|parameter| parameter.start).collect();
    Space::new(parameters, start, vec![0, 1, 2, 3, 4])
}

/// Returns the distance from the optimum of the mixed space: "2opt", 13, on, 0.7 and 2.
fn loss(space: &Space, values: &[f64]) -> f64 {
    let name = space.parameters()[0].show(values[0]);
    let squared = |x: f64| x * x;
    let by_switch = if values[2] == 0.0 { 1.0 } else { squared(2.0 * (values[3] - 0.7)) };
    let by_name = if name == "2opt" { 0.0 } else { 1.0 };
    by_name + squared((values[1] - 13.0) / 6.0) + by_switch + squared((values[4] - 2.0) / 4.0)
}

/// Counts the seeds out of ten with which a method finds the right name and switch, and nearly the
/// right numbers.
fn solved(method: &Method, names: [&str; 3], start: usize) -> usize {
    let space = mixed(names, start);
    let settings = settings(method, "");
    (1..=10)
        .filter(|&run| {
            let mut optimizer = settings.start(&space, Cases::Many.into(), run);
            let point = search(optimizer.as_mut(), run, 12_000, |point, case, trial| {
                // The case has a difficulty common to all candidates; each trial has noise.
                let noise = 0.5 * normal(&mut generator(case)) + 0.3 * normal(&mut generator(trial));
                noise - loss(&space, &space.candidate(point))
            });
            let values = space.candidate(&point);
            space.parameters()[0].show(values[0]) == "2opt"
                && values[2] == 1.0
                && (values[1] - 13.0).abs() <= 1.0
                && (values[3] - 0.7).abs() < 0.2
                && (values[4] - 2.0).abs() < 1.0
        })
        .count()
}

#[test]
fn every_method_solves_a_mixed_space_whatever_the_order_of_names() {
    for method in METHODS {
        for (names, start) in
            [(["swap", "2opt", "insert"], 0), (["insert", "swap", "2opt"], 1), (["2opt", "swap", "insert"], 2)]
        {
            let solved = solved(method, names, start);
            assert!(solved >= 9, "{} with {names:?}: {solved} of 10", method.name);
        }
    }
}

fn wide(n: usize) -> Space {
    let kinds = [
        Parameter::float("wide", -100.0, 100.0, 20.0).unit(1.0),
        Parameter::int("whole", 1, 20, 3).unit(0.6),
        Parameter::switch("switch", false),
        Parameter::float("tiny", -1e-3, 1e3, 0.0).unit(1e-6),
    ];
    let parameters: Vec<Parameter> = (0..n).map(|i| kinds[i % kinds.len()].clone()).collect();
    let start = parameters.iter().map(|parameter| parameter.start).collect();
    Space::new(parameters, start, (0..n).collect())
}

/// Plays flat, steep, tiny, huge and random objectives in spaces of all sizes with all variants of
/// settings. Every point stays in range, and every state can be resumed.
#[test]
fn points_and_states_stay_valid() {
    type Play = fn(&[f64], u64) -> f64;
    let plays: [Play; 5] = [
        |_, _| 0.0,
        |point, _| -point.iter().map(|x| x * x).sum::<f64>(),
        |point, _| 1e-300 * point[0],
        |point, case| if case % 3 == 0 { 1e150 } else { -1e150 * point[0].signum() },
        |_, case| normal(&mut generator(case)),
    ];
    for method in METHODS {
        for (keys, n) in variants(method).iter().flat_map(|keys| [1, 3, 30].map(|n| (keys, n))) {
            let (settings, space) = (settings(method, keys), wide(n));
            for (kind, play) in plays.iter().enumerate() {
                let mut optimizer = settings.start(&space, Cases::Many.into(), n as u64);
                let trials = if n < 30 { 20_000 } else { 6_000 };
                search(optimizer.as_mut(), 3, trials, |point, _, trial| {
                    for (value, coordinate) in point.iter().zip(space.coordinates()) {
                        let inside = (coordinate.min..=coordinate.max).contains(value);
                        assert!(inside, "{} {keys:?} {n} {kind}: {value}", method.name);
                    }
                    play(point, trial)
                });
                let state: Value = serde_json::from_str(&optimizer.state().to_string()).unwrap();
                let resumed = settings.resume(&space, Cases::Many.into(), 3, &state);
                assert!(resumed.is_ok(), "{} {keys:?} {n} {kind}: {:?} {state}", method.name, resumed.err());
                for (deviation, coordinate) in optimizer.deviations().iter().zip(space.coordinates()) {
                    let moves = deviation.is_finite() && *deviation >= coordinate.least * (1.0 - 1e-9);
                    assert!(moves, "{} {keys:?} {n} {kind}: {deviation}", method.name);
                }
            }
        }
    }
}

#[test]
fn a_resumed_search_continues_identically() {
    for method in METHODS {
        // A small space and one of medium size, each during the model and after it.
        let stops = [(6, 100), (6, 3000), (20, 100), (20, 400)];
        for (keys, (n, trials)) in variants(method).iter().flat_map(|keys| stops.map(|stop| (keys, stop))) {
            let (settings, space) = (settings(method, keys), wide(n));
            let terms = Terms { cases: Cases::Many, trials: 3000 };
            let play = |point: &[f64], case: u64, _: u64| normal(&mut generator(case)) - (point[0] - 3.0).abs();
            let mut whole = settings.start(&space, terms, 5);
            search(whole.as_mut(), 5, trials, play);
            let state = serde_json::from_str(&whole.state().to_string()).unwrap();
            let mut resumed = settings.resume(&space, terms, 5, &state).unwrap();
            assert_eq!(resumed.ask(), whole.ask(), "{} {keys:?}", method.name);
            assert_eq!((resumed.mean(), resumed.gain()), (whole.mean(), whole.gain()), "{} {keys:?}", method.name);
            search(whole.as_mut(), 5, trials, play);
            search(resumed.as_mut(), 5, trials, play);
            assert_eq!(resumed.state().to_string(), whole.state().to_string(), "{} {keys:?}", method.name);
            assert_eq!(resumed.recommended(), whole.recommended());
        }
    }
}

#[test]
fn states_of_other_jobs_are_refused() {
    for method in METHODS {
        let (settings, space) = (settings(method, ""), wide(4));
        let state = settings.start(&space, Cases::Many.into(), 5).state();
        assert!(settings.resume(&wide(3), Cases::Many.into(), 5, &state).is_err(), "{}: another space", method.name);
        assert!(settings.resume(&space, Cases::Many.into(), 5, &Value::Null).is_err(), "{}: null", method.name);
        let mut broken = state.clone();
        let count = ["/generation", "/model/batches"].into_iter().find(|count| state.pointer(count).is_some());
        *broken.pointer_mut(count.expect("generations are counted")).unwrap() = u64::MAX.into();
        assert!(
            settings.resume(&space, Cases::Many.into(), 5, &broken).is_err(),
            "{}: a count that is too large",
            method.name
        );
    }
}

#[test]
fn methods_have_their_names() {
    for method in METHODS {
        assert_eq!(settings(method, "").method().name, method.name);
        let written = settings(method, "").write();
        let text: String = written.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        assert_eq!(settings(method, &text).write(), written, "{}", method.name);
    }
}

#[test]
fn equal_members_keep_their_order() {
    assert_eq!(ranking(&[1.0, 3.0, 3.0, 2.0]), [1, 2, 3, 0]);
}
