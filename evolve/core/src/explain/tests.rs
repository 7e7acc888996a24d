use super::parts::Back;
use super::*;
use crate::evaluator::Threads;
use crate::fixture::job;
use crate::problem::Context;

/// The recommendation has moved one weight to the bottom of the bowl, and one that bears on nothing.
fn explained(threads: usize) -> Vec<Worth> {
    let job = job(&[("\"heat\"]", "\"heat\", \"slope_far_drift\"]"), ("fixed = [\"*_drift\"]\n", "")]);
    let mut values = job.space.start().to_vec();
    (values[0], values[2]) = (1.0, 2.0);
    let evaluator = Threads::open(&*job.source.problem, &job.source.setup, threads, Context::default()).unwrap();
    let subject = Subject { problem: &*job.source.problem, space: &job.space, values: &values };
    let mut played = 0;
    let worths = subject.explain(&evaluator, (3, 60), &mut |games| played += games).unwrap();
    assert_eq!(played, 60 * subject.candidates());
    worths
}

#[test]
fn what_helps_is_told_from_what_does_nothing() {
    let worths = explained(2);
    assert_eq!(worths, explained(1));
    let of = |name: &str| worths.iter().find(|one| one.part.name == name).unwrap();
    // From 5 to 1 is worth 16 heights, half of that in the objective.
    let x = &of("slope_x").worth;
    assert!(x.low > 7.0 && x.low < 8.0 && x.high > 8.0 && x.high < 9.0, "{x:?}");
    assert_eq!(of("slope_x").games_changed, 1.0);
    assert_eq!(of("slope_far_drift").worth, Difference { mean: 0.0, low: 0.0, high: 0.0 });
    assert_eq!(of("slope_far_drift").games_changed, 0.0);
    assert_eq!(of("slope_y").part.to, Back::Zero);
    assert!(table(&worths).starts_with("name,worth,low,high,games_changed,set_to,kind\nslope_x,"));
}
