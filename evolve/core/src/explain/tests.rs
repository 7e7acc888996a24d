use super::*;
use crate::evaluator::Threads;
use crate::fixture::job;

/// The recommendation has moved one weight to the bottom of the bowl, and one that bears on nothing.
fn explained(threads: usize) -> Explanation {
    let job = job(&[("\"heat\"]", "\"heat\", \"slope_far_drift\"]"), ("fixed = [\"*_drift\"]\n", "")]);
    let mut values = job.space.start().to_vec();
    (values[0], values[2]) = (1.0, 2.0);
    let evaluator = Threads::new(job.source.problem, &job.source.setup, threads).unwrap();
    let subject = Subject { problem: job.source.problem, setup: &job.source.setup, space: &job.space, values: &values };
    let effort = Effort { seed: 3, games: 60, slices: 3 };
    let mut played = 0;
    let explanation = explain(&subject, &evaluator, &effort, &mut |games| played += games).unwrap();
    assert!(played <= games(&subject, &effort), "{played}");
    explanation
}

#[test]
fn what_helps_is_told_from_what_does_nothing() {
    let explanation = explained(2);
    assert_eq!(explanation, explained(1));
    let of = |name: &str| explanation.worths.iter().find(|one| one.part.name == name).unwrap();
    // From 5 to 1 is worth 16 heights, half of that in the objective.
    let x = &of("slope_x").worth;
    assert!(x.low > 7.0 && x.low < 8.0 && x.high > 8.0 && x.high < 9.0, "{x:?}");
    assert_eq!((of("slope_x").games_changed, of("slope_x").moves_changed), (1.0, None));
    assert_eq!(of("slope_far_drift").worth, Difference { mean: 0.0, low: 0.0, high: 0.0 });
    assert_eq!(of("slope_far_drift").games_changed, 0.0);
    assert_eq!(of("slope_y").to(), Back::Zero);
    assert!(of("slope_y").is_settled());
    // The path has what moved, the most first; it ends at the whole difference.
    let names: Vec<&str> = explanation.path.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["slope_x", "slope_far_drift"]);
    assert_eq!(explanation.path[1].gain.mean, 0.0);
    assert_eq!(explanation.path[1].total, explanation.path[0].total);
    assert_ne!(explanation.path[0].gain.mean, x.mean, "on other deals");
}

#[test]
fn slices_fall_off_to_both_sides() {
    let explanation = explained(2);
    let slice = explanation.slices.iter().find(|slice| slice.name == "slope_x").unwrap();
    let flat: Vec<bool> = slice.points.iter().map(|point| point.is_flat).collect();
    assert_eq!(slice.points.len(), 7);
    assert_eq!(flat, [false, false, false, true, false, false, false]);
    let tables = explanation.tables();
    assert!(tables[0].1.starts_with("name,worth,low,high,moves_changed,games_changed,set_to,kind\nslope_x,"));
    assert_eq!(tables[2].1.lines().filter(|line| line.ends_with("true,true")).count(), 3);
}
