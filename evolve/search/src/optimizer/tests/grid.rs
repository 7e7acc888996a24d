//! Tests of every optimizer in spaces with grids.

use super::{settings, variants};
use crate::model::parameter::Parameter;
use crate::model::parameter::condition::Condition;
use crate::model::seed::generator;
use crate::optimizer::sampling::normal;
use crate::optimizer::*;

/// Ranges and steps whose sums have noise, whose last step leaves a rest, or that hold few or many
/// values; each with its values, as a job would have them.
fn parameters() -> Vec<(Parameter, Vec<f64>)> {
    let float = |ends: [f64; 2], step: f64, values: &[&str]| {
        let values: Vec<f64> = values.iter().map(|value| value.parse().unwrap()).collect();
        let start = values[values.len() / 2];
        let name = format!("from {} in {step}", ends[0]);
        (Parameter::float(name, ends[0], ends[1], start).step(step).unwrap(), values)
    };
    let tenths: Vec<String> = (-35..=70).map(|tenth| format!("{tenth}e-1")).collect();
    let tenths: Vec<&str> = tenths.iter().map(String::as_str).collect();
    let int = |ends: [i64; 2], step: f64, values: &[i64]| {
        let parameter = Parameter::int(format!("by {step}"), ends[0], ends[1], values[1]).step(step).unwrap();
        (parameter, values.iter().map(|&value| value as f64).collect())
    };
    vec![
        float([0.1, 0.95], 0.1, &["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"]),
        float([-3.5, 7.05], 0.1, &tenths),
        float([1e-7, 1e-6], 3e-7, &["1e-7", "4e-7", "7e-7", "1e-6"]),
        float([0.3, 0.7], 0.4, &["0.3", "0.7"]),
        int([1, 100], 25.0, &[1, 26, 51, 76]),
        int(
            [-9_007_199_254_740_992, 9_007_199_254_740_992],
            6e15,
            &[-9_007_199_254_740_992, -3_007_199_254_740_992, 2_992_800_745_259_008, 8_992_800_745_259_008],
        ),
    ]
}

/// A space with this many numbers on a grid, and two without one.
fn space(count: usize) -> (Space, Vec<Vec<f64>>) {
    let number = |(i, (parameter, values))| (Parameter { name: format!("number {i}"), ..parameter }, values);
    let all = parameters().into_iter().cycle().take(count).enumerate().map(number);
    let (mut parameters, mut values): (Vec<Parameter>, Vec<Vec<f64>>) = all.unzip();
    parameters[1] = parameters[1].clone().prior(2.04, 1.0);
    for plain in [Parameter::float("plain", 0.0, 1.0, 0.25), Parameter::int("whole", 1, 9, 3)] {
        parameters.push(plain);
        values.push(Vec::new());
    }
    let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    let forbidden = Condition::parse("whole > 7", &parameters).unwrap();
    let places = (0..parameters.len()).collect();
    (Space::new(parameters, start, places).without(vec![forbidden]), values)
}

#[test]
fn every_value_is_on_its_grid() {
    // A small space has a model and then CMA-ES, a medium one the model and then mirrored pairs.
    for (count, trials) in [(3, 320), (16, 160), (45, 200)] {
        let (space, values) = space(count);
        let check = |candidate: &[f64], at: &dyn Fn() -> String| {
            for (own, value) in values.iter().zip(candidate) {
                assert!(own.is_empty() || own.contains(value), "{}: {value} is not one of {own:?}", at());
            }
        };
        for (method, keys) in METHODS.iter().flat_map(|method| variants(method).iter().map(move |keys| (method, keys)))
        {
            let settings = settings(method, keys);
            let mut optimizer = start(&*settings, &space, Cases::Many.into(), 7);
            let (mut played, mut others) = (0, vec![false; values.len()]);
            while played < trials {
                let ask = optimizer.ask();
                let recommended = optimizer.recommended().into_iter().map(|(_, point)| point);
                for point in ask.points.iter().cloned().chain([optimizer.mean().to_vec()]).chain(recommended) {
                    for candidate in [space.candidate(&point), space.rounded(&point)] {
                        check(&candidate, &|| format!("{} {keys:?} after {played}", optimizer.method()));
                        let moved = candidate.iter().zip(space.start()).map(|(value, start)| value != start);
                        others.iter_mut().zip(moved).for_each(|(other, moved)| *other |= moved);
                        assert_eq!(space.candidate(&space.point(&candidate)), candidate);
                    }
                }
                let mut random = generator(optimizer.generation());
                let objective = |&(point, _): &(usize, usize)| {
                    let candidate = space.candidate(&ask.points[point]);
                    normal(&mut random) - 3.0 * (candidate[0] - 0.8).abs() - (candidate[1] - 5.0).abs()
                };
                let objectives: Vec<f64> = ask.trials.iter().map(objective).collect();
                played += objectives.len();
                optimizer.tell(&ask, &Told::of(&objectives));
                if let Some(landscape) = optimizer.landscape().filter(|_| played > trials / 2) {
                    let slices = landscape.slices.iter();
                    for (place, value) in slices.flat_map(|slice| slice.points.iter().map(|(at, _)| (slice.place, at)))
                    {
                        let own = &values[place];
                        assert!(own.is_empty() || own.contains(value), "a slice has {value}, not one of {own:?}");
                    }
                }
            }
            assert!(others[..count.min(6)].iter().all(|other| *other), "{} {keys:?}: {others:?}", method.name);
            let state = serde_json::from_str(&optimizer.state().to_string()).unwrap();
            let resumed = resume(&*settings, &space, Cases::Many.into(), 7, &state).unwrap();
            assert_eq!(resumed.ask(), optimizer.ask(), "{}", method.name);
        }
    }
}

/// The search finds the best value of a grid, and the last one before a forbidden border.
#[test]
fn the_best_value_of_a_grid_is_found() {
    for method in METHODS {
        let mut parameters: Vec<Parameter> = parameters().into_iter().take(2).map(|(parameter, _)| parameter).collect();
        parameters[1].name = "second".to_string();
        let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        let forbidden = Condition::parse("second > 4.25", &parameters).unwrap();
        let space = Space::new(parameters, start, vec![0, 1]).without(vec![forbidden]);
        let mut optimizer = crate::optimizer::start(&*settings(method, ""), &space, Cases::Many.into(), 3);
        let point = super::search(optimizer.as_mut(), 3, 3000, |point, case, trial| {
            let values = space.candidate(point);
            let noise = 0.2 * normal(&mut generator(case)) + 0.02 * normal(&mut generator(trial));
            noise - 5.0 * (values[0] - 0.68).abs() - (values[1] - 6.0).abs()
        });
        let found = space.rounded(&point);
        assert!(found[0] == 0.7 && [4.1, 4.2].contains(&found[1]), "{}: {found:?}", method.name);
    }
}

/// Points of a space are not values of parameters: a logarithmic number, a choice, and a number
/// that is not tuned come before the one that is forbidden.
#[test]
fn slices_and_maps_leave_out_what_is_forbidden() {
    let parameters = vec![
        Parameter::float("fixed", 0.0, 1.0, 0.5),
        Parameter::float("log", 1.0, 1000.0, 10.0).log(),
        Parameter::choice("kind", ["a", "b", "c"], 0),
        Parameter::float("last", 0.0, 10.0, 2.0),
    ];
    let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    let forbidden = ["last > 5", "log > 100", "kind == \"b\""].map(|text| Condition::parse(text, &parameters).unwrap());
    let space = Space::new(parameters, start, vec![1, 2, 3]).without(forbidden.to_vec());
    let mut optimizer = crate::optimizer::start(&*settings(METHODS[0], ""), &space, Cases::Many.into(), 5);
    let mut random = generator(6);
    let mut played = 0;
    while played < 60 {
        let ask = optimizer.ask();
        let objective = |&(point, _): &(usize, usize)| {
            let candidate = space.candidate(&ask.points[point]);
            0.1 * normal(&mut random) - libm::log(candidate[1] / 50.0).abs() - (candidate[3] - 4.0).abs()
        };
        let objectives: Vec<f64> = ask.trials.iter().map(objective).collect();
        played += objectives.len();
        optimizer.tell(&ask, &Told::of(&objectives));
    }
    let landscape = optimizer.landscape().expect("a model has one");
    let largest = |place: usize| {
        let slice = landscape.slices.iter().find(|slice| slice.place == place).expect("it is tuned");
        slice.points.iter().map(|(at, _)| *at).fold(f64::MIN, f64::max)
    };
    assert!(largest(1) > 60.0 && largest(1) <= 100.0, "{}", largest(1));
    assert!(largest(3) > 4.0 && largest(3) <= 5.0, "{}", largest(3));
    let kinds = landscape.slices.iter().find(|slice| slice.place == 2).expect("it is tuned");
    assert_eq!(kinds.points.iter().map(|(at, _)| *at).collect::<Vec<f64>>(), [0.0, 2.0]);
    let map = landscape.maps.iter().find(|map| map.places == [1, 3]).expect("both are tuned");
    for (i, gain) in map.gains.iter().enumerate() {
        let (x, y) = (map.values[0][i % map.values[0].len()], map.values[1][i / map.values[0].len()]);
        assert_eq!(gain.is_some(), x <= 100.0 && y <= 5.0, "{x} {y}");
    }
}
