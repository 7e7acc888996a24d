//! Tests of the benefit of good priors and the cost of wrong ones.

use crate::model::parameter::Parameter;
use crate::model::seed::generator;
use crate::optimizer::sampling::normal;
use crate::optimizer::*;
use crate::testing::settings;

/// The best values of the three numbers: on a linear scale, on a logarithmic scale, and a whole
/// number.
const BEST: [f64; 3] = [0.3, 40.0, 31.0];

/// A space of `times` three numbers, whose priors are `off` standard deviations away from the best
/// values; `None`: no priors.
fn space(times: usize, off: Option<f64>) -> Space {
    let parameters = [
        (Parameter::float("x", 0.0, 1.0, 0.8), 0.05),
        (Parameter::float("temp", 1e-3, 1e3, 0.1).log(), 0.6),
        (Parameter::int("k", 1, 100, 70), 6.0),
    ];
    let parameters = parameters.into_iter().zip(BEST).map(|((parameter, deviation), best)| match off {
        None => parameter,
        Some(off) if parameter.name == "temp" => parameter.prior(best * libm::exp(-off * deviation), deviation),
        Some(off) => parameter.prior(best + off * deviation, deviation),
    });
    let parameters = vec![parameters.collect::<Vec<Parameter>>(); times].concat();
    let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    Space::new(parameters, start, (0..3 * times).collect())
}

/// Returns the distance from the best values: 1 for a quarter of the range in one number.
fn loss(values: &[f64]) -> f64 {
    let square = |distance: f64, range: f64| 16.0 * (distance / range) * (distance / range);
    let of = |values: &[f64]| {
        let temp = libm::log10(values[1] / BEST[1]);
        square(values[0] - BEST[0], 1.0) + square(temp, 6.0) + square(values[2] - BEST[2], 99.0)
    };
    values.chunks(3).map(of).sum()
}

/// Returns the mean loss of the recommendation after `trials` trials, or up to seven more.
fn regret(times: usize, off: Option<f64>, trials: usize, seeds: u64) -> f64 {
    let space = space(times, off);
    let of = |seed: u64| {
        let mut optimizer = start(&*settings(METHODS[0], ""), &space, Cases::Many.into(), seed);
        let mut random = generator(1000 + seed);
        let mut played = 0;
        while played < trials {
            let ask = optimizer.ask();
            let objectives: Vec<f64> = (ask.trials.iter())
                .map(|&(point, _)| 0.3 * normal(&mut random) - loss(&space.candidate(&ask.points[point])))
                .collect();
            played += objectives.len();
            optimizer.tell(&ask, &Told::of(&objectives));
        }
        loss(&space.candidate(optimizer.mean()))
    };
    (1..=seeds).map(of).sum::<f64>() / seeds as f64
}

#[test]
fn a_good_prior_helps_at_once() {
    let (with, without) = (regret(3, Some(0.5), 30, 10), regret(3, None, 30, 10));
    assert!(with < 0.5 * without, "{with} {without}");
}

#[test]
fn a_wrong_prior_costs_little_in_the_end() {
    // The prior is ten standard deviations off, so good values are considered very unlikely.
    let (wrong, without) = (regret(1, Some(10.0), 300, 4), regret(1, None, 300, 4));
    assert!(wrong < without + 0.05, "{wrong} {without}");
    let early = regret(1, Some(10.0), 30, 4);
    assert!(early > 2.0 * wrong, "a prior counts at first: {early} {wrong}");
}

#[test]
fn methods_without_a_model_start_at_the_prior() {
    let mut parameters: Vec<Parameter> = (0..20).map(|i| Parameter::float(format!("w_{i}"), -9.0, 9.0, 0.0)).collect();
    parameters[3] = parameters[3].clone().prior(5.0, 0.25);
    parameters.push(Parameter::float("temp", 1e-3, 1e3, 0.1).log().prior(100.0, 0.5));
    let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    let space = Space::new(parameters, start, (0..21).collect());
    for method in METHODS {
        let optimizer = crate::optimizer::start(&*settings(method, ""), &space, Cases::Many.into(), 1);
        let values = space.candidate(optimizer.mean());
        assert_eq!((values[2], values[3]), (0.0, 5.0), "{}", method.name);
        assert!((values[20] - 100.0).abs() < 1e-9, "{}: {}", method.name, values[20]);
        let deviations = optimizer.deviations();
        let ratio = deviations[3] / deviations[2];
        assert!((ratio - 0.25 / 1.8).abs() < 1e-9, "{}: {ratio}", method.name);
        // The baseline does not change.
        assert_eq!(space.start()[3], 0.0);
        let resumed = resume(&*settings(method, ""), &space, Cases::Many.into(), 1, &optimizer.state()).unwrap();
        assert_eq!((resumed.ask(), resumed.mean()), (optimizer.ask(), optimizer.mean()), "{}", method.name);
    }
}
