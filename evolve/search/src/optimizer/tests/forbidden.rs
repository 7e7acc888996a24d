//! Tests of every optimizer in spaces with forbidden combinations.

use super::{settings, variants};
use crate::model::parameter::Parameter;
use crate::model::parameter::condition::Condition;
use crate::model::seed::generator;
use crate::optimizer::sampling::normal;
use crate::optimizer::*;

/// A choice, a whole number, a number that matters for one choice only, and `more` further numbers.
fn space(forbidden: &[&str], more: usize) -> Space {
    let mut parameters = vec![
        Parameter::choice("move", ["swap", "2opt", "insert"], 1),
        Parameter::int("k", 1, 30, 5),
        Parameter::float("x", 0.0, 10.0, 1.0),
    ];
    let condition = Condition::parse("move == 'swap'", &parameters).unwrap();
    parameters.push(Parameter::float("share", 1e-3, 1.0, 0.2).log().when(condition));
    parameters.extend((0..more).map(|i| Parameter::float(format!("w_{i}"), -5.0, 5.0, 1.0)));
    let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    let forbidden: Vec<Condition> = forbidden.iter().map(|text| Condition::parse(text, &parameters).unwrap()).collect();
    let places = (0..parameters.len()).collect();
    Space::new(parameters, start, places).without(forbidden)
}

/// Scores a candidate. The optimum is forbidden: "swap" with the largest `k`, and `x` at 6.
fn score(values: &[f64]) -> f64 {
    let rest: f64 = values[4..].iter().map(|x| 0.05 * x * x).sum();
    let by_share = if values[0] == 0.0 { (libm::log(values[3]) + 1.0).abs() } else { 1.0 };
    values[1] / 10.0 - 0.1 * (values[2] - 6.0) * (values[2] - 6.0) - by_share - rest
        + f64::from(u8::from(values[0] == 0.0))
}

const FORBIDDEN: [&[&str]; 4] = [
    &["move == 'swap' && k > 10"],
    &["x > 5", "k > 8 || k < 3"],
    &["!(move in [swap, 2opt]) || share > 0.5 && x >= 2 || k > x && x > 1"],
    // These conditions forbid most of the space.
    &["k < 5 || k > 6", "x > 1.5", "w_0 > 1"],
];

/// Plays a search and checks that all points and recommendations are allowed. Returns the requests
/// and the recommendation.
fn play(optimizer: &mut dyn Optimizer, space: &Space, trials: usize) -> (Vec<Ask>, Vec<f64>) {
    let (mut asks, mut played) = (Vec::new(), 0);
    while played < trials {
        let ask = optimizer.ask();
        let recommended = optimizer.recommended().into_iter().map(|(_, point)| point);
        for point in ask.points.iter().chain([&optimizer.mean().to_vec()]).cloned().chain(recommended) {
            for values in [space.candidate(&point), space.rounded(&point)] {
                let forbidden = space.check(&values).err();
                assert_eq!(forbidden, None, "{}: {values:?} after {played} trials", optimizer.method());
            }
        }
        let mut random = generator(optimizer.generation());
        let objectives: Vec<f64> = (ask.trials.iter())
            .map(|&(point, _)| score(&space.candidate(&ask.points[point])) + 0.3 * normal(&mut random))
            .collect();
        played += objectives.len();
        optimizer.tell(&ask, &Told::of(&objectives));
        asks.push(ask);
    }
    (asks, space.rounded(optimizer.mean()))
}

#[test]
fn no_optimizer_requests_or_recommends_forbidden_points() {
    for method in METHODS {
        for (keys, forbidden) in variants(method).iter().flat_map(|keys| FORBIDDEN.map(|forbidden| (keys, forbidden))) {
            // A small space has a model for 300 trials and then CMA-ES; a large one has mirrored
            // pairs.
            for more in [1, 20] {
                let space = space(forbidden, more);
                for cases in [Cases::Many, Cases::One] {
                    let mut optimizer = start(&*settings(method, keys), &space, cases.into(), 1);
                    play(optimizer.as_mut(), &space, 500);
                }
            }
        }
    }
}

#[test]
fn a_resumed_search_with_forbidden_combinations_continues_identically() {
    for method in METHODS {
        for (more, trials) in [(1, 100), (1, 500), (20, 500)] {
            let (space, settings) = (space(FORBIDDEN[0], more), settings(method, ""));
            let mut whole = start(&*settings, &space, Cases::Many.into(), 5);
            play(whole.as_mut(), &space, trials);
            let state = serde_json::from_str(&whole.state().to_string()).unwrap();
            let mut resumed = resume(&*settings, &space, Cases::Many.into(), 5, &state).unwrap();
            assert_eq!((resumed.mean(), resumed.recommended()), (whole.mean(), whole.recommended()), "{}", method.name);
            let (a, b) = (play(whole.as_mut(), &space, 300), play(resumed.as_mut(), &space, 300));
            assert_eq!(a, b, "{}", method.name);
        }
    }
}

#[test]
fn the_optimum_at_the_border_of_a_forbidden_region_is_found() {
    for method in METHODS {
        let found = (1..=10).filter(|&seed| {
            let space = space(&["move == 'swap' && k > 10", "x > 5"], 0);
            let mut optimizer = start(&*settings(method, ""), &space, Cases::Many.into(), seed);
            let (_, values) = play(optimizer.as_mut(), &space, 6000);
            // Two optima score the same: "swap" with k = 10 scores 1 + 1, and another name with k =
            // 30 scores 3 - 1.
            let is_best = values[0] == 0.0 && values[1] >= 9.0 || values[0] != 0.0 && values[1] >= 28.0;
            is_best && values[2] > 4.5
        });
        let found = found.count();
        // After the model, which finds it, CMA-ES leaves a corner in some runs.
        assert!(found >= 8, "{}: {found} of 10", method.name);
    }
}

/// Forbidden regions do not waste trials: the model requests as many different candidates as
/// without them.
#[test]
fn the_model_does_not_waste_trials_on_repairs() {
    let space = space(&["move == 'swap' && k > 10", "k > 25"], 0);
    let mut optimizer = start(&*settings(METHODS[0], ""), &space, Cases::One.into(), 4);
    let (asks, _) = play(optimizer.as_mut(), &space, 200);
    let mut points: Vec<Vec<f64>> = asks.into_iter().flat_map(|ask| ask.points).collect();
    let played = points.len();
    points.sort_by(|a, b| a.partial_cmp(b).unwrap());
    points.dedup();
    assert!(points.len() as f64 > 0.98 * played as f64, "{} of {played}", points.len());
}
