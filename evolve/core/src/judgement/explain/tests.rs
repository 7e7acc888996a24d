use super::parts::Back;
use super::*;
use crate::fixture::job;
use evolve_search::evaluator::Threads;
use evolve_search::model::behaviour::Behaviour;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{Context, OpenError, Session, session};
use evolve_search::model::seed::generator;
use evolve_search::model::trial::Outcome;
use evolve_search::optimizer::sampling::normal;
use std::sync::atomic::{AtomicU64, Ordering};

/// Explains a recommendation that moved one weight to the optimum, and one weight without effect.
fn explained(threads: usize) -> Vec<Worth> {
    let job = job(&[("\"heat\"]", "\"heat\", \"slope_far_drift\"]"), ("exclude = [\"*_drift\"]\n", "")]);
    let mut values = job.space.start().to_vec();
    (values[0], values[2]) = (1.0, 2.0);
    let evaluator = Threads::open(&*job.problem, threads, Context::default()).unwrap();
    let subject = Subject { problem: &*job.problem, space: &job.space, values: &values };
    let mut played = 0;
    let worths = subject.explain(&evaluator, 3, 60, &mut |trials, _| played = trials).unwrap();
    assert_eq!(played, 60 * subject.candidates());
    worths
}

#[test]
fn weights_with_and_without_effect_are_distinguished() {
    let worths = explained(2);
    assert_eq!(worths, explained(1));
    let of = |name: &str| worths.iter().find(|one| one.part.name == name).unwrap();
    // The move from 5 to 1 reduces the height by 16, and improves the objective by half of that.
    let x = &of("slope_x").worth;
    assert!(x.low > 7.0 && x.low < 8.0 && x.high > 8.0 && x.high < 9.0, "{x:?}");
    assert_eq!(of("slope_x").trials_changed, Some(1.0));
    assert_eq!(of("slope_far_drift").worth, Interval { mean: 0.0, low: 0.0, high: 0.0 });
    assert_eq!(of("slope_far_drift").trials_changed, Some(0.0));
    assert_eq!(of("slope_y").part.to, Back::Zero);
    assert!(table(&worths).starts_with("name,worth,low,high,trials_changed,set_to,kind\nslope_x,"));
}

/// A problem whose scores are noise without the job declaring so. No parameter has an effect.
struct Clocked;

static PLAYED: AtomicU64 = AtomicU64::new(0);

impl Problem for Clocked {
    fn name(&self) -> &str {
        "clocked"
    }

    fn parameters(&self) -> Vec<Parameter> {
        (0..20).map(|i| Parameter::float(format!("w{}x", i), -9.0, 9.0, 0.0)).collect()
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour { is_external: true, ..Behaviour::default() }
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        Ok(session(|_| {
            |_: &Case| {
                // The machine becomes slower and slower.
                let played = PLAYED.fetch_add(1, Ordering::Relaxed);
                Ok(Outcome::of(normal(&mut generator(played)) - 0.01 * played as f64))
            }
        }))
    }
}

#[test]
fn candidates_that_do_not_reproduce_are_played_side_by_side() {
    let parameters = Clocked.parameters();
    let space = Space::new(parameters, vec![0.0; 20], (0..20).collect());
    let evaluator = Threads::open(&Clocked, 1, Context::default()).unwrap();
    let subject = Subject { problem: &Clocked, space: &space, values: &[1.0; 20] };
    let mut all = 0;
    let worths = subject.explain(&evaluator, 3, 60, &mut |_, of| all = of).unwrap();
    assert_eq!((worths.len(), all), (20, 2 * 20 * 60));
    assert_eq!(PLAYED.load(Ordering::Relaxed), all as u64 + 2 * 12);
    for Worth { worth, trials_changed, .. } in &worths {
        // Each of twenty simultaneous intervals has 60 differences with a deviation of two: about 3
        // standard errors.
        assert!(worth.low < 0.0 && worth.high > 0.0 && worth.half_width() < 0.75, "{worth:?}");
        assert_eq!(*trials_changed, None);
    }
    assert!(table(&worths).lines().nth(1).unwrap().ends_with(",,start,weight"));
    // The name of a function lists its features.
    let part = Part { name: "temp by n, k".to_string(), ..worths[0].part.clone() };
    let table = table(&[Worth { part, ..worths[0].clone() }]);
    assert_eq!(&csv::Reader::from_reader(table.as_bytes()).records().next().unwrap().unwrap()[0], "temp by n, k");
}
