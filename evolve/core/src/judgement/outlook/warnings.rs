//! Warnings about a job, each one sentence.

use super::{Extent, Forecast, Noise};
use crate::job::{Job, Stage};
use evolve_search::model::problem::Problem;
use evolve_search::model::trial::{INSTANCE, Outcome};
use evolve_search::statistics::{LEAST_CLAIM, counted, grouped};

/// Advice for trials that are not deterministic although the job declares them so.
pub const DICE: &str = "will not be reproducible; set `deterministic = false` or seed your RNG from {random}";

/// The likely reasons why trials disturb each other, and the remedies.
pub const SHARED: &str = "trials that run at the same time share a file, or run until a time limit. Write files into `{dir}`, \
    the folder of the trial, or play one trial at a time (`--parallel 1`); if the program watches the clock, set \
    `deterministic = false`";

/// The reason why a job without instances has no held-out test, and how to add some.
pub const NO_INSTANCE: &str = "the command names no instance, so every trial plays the same one and nothing is held out; to \
    play several, add `{seed}` to `command`, or set `stdin = \"in/{seed:04}.txt\"` or `files`";

/// Returns the warnings about a job.
pub fn warnings(job: &Job, forecast: &Forecast, noise: &Noise) -> Vec<String> {
    let extent = &forecast.extent;
    let search = extent.trials[Stage::Search];
    let mut warnings: Vec<String> = few_instances(job, extent).into_iter().collect();
    warnings.extend(ranges(job));
    if extent.generations < 10.0 {
        let (count, plural) = (extent.generations.floor(), if extent.generations < 2.0 { "" } else { "s" });
        let limits = job.limits;
        let limit = match (limits.budget, limits.time) {
            (Some(_), _) => "budget",
            (None, Some(_)) => "time",
            (None, None) => "generations",
        };
        warnings.push(format!("the search has only about {count:.0} generation{plural}: raise `{limit}`"));
    }
    let coordinates = job.space.dimensions();
    let least = 20.0 * coordinates as f64;
    if search < least {
        warnings.push(format!(
            "{} trials are few for {coordinates} dimensions; at least {} are recommended",
            grouped(search as u64),
            grouped(least as u64),
        ));
    }
    if extent.units.count > 0 && noise.largest > 0.0 && forecast.found > noise.largest {
        let more = if extent.units.instances { "list more instances" } else { "raise `budget`, or `test` in [search]" };
        warnings.push(format!("the largest difference seen here is too small for the test to detect: {more}"));
    }
    let others = [Stage::Baseline, Stage::Validation, Stage::Selection, Stage::Test].map(|stage| extent.trials[stage]);
    if others.iter().sum::<f64>() > 1.5 * search {
        warnings.push("validation, selection and test play more trials than the search".to_string());
    }
    warnings
}

/// Returns a warning if the test has too few instances for its size.
pub fn few_instances(job: &Job, extent: &Extent) -> Option<String> {
    let (count, cases) = (extent.units.count, extent.units.cases);
    if !extent.units.instances || job.sizes.test == Some(0) || job.problem.is_exact(cases) {
        return None;
    }
    if count < LEAST_CLAIM {
        return Some(format!(
            "the test has {}, and needs {LEAST_CLAIM} to find an improvement: list more instances",
            counted(count as u64, "instance")
        ));
    }
    (job.sizes.test.is_some() && cases >= 2 * count).then(|| {
        format!(
            "`search.test` asks for {cases} trials on {count} instances: the interval is computed from {count} differences, \
                one for each instance; list more instances"
        )
    })
}

/// A score this many times the median, or this fraction of it, is an outlier: a penalty, or an
/// instance of another kind.
const OUTLIER: f64 = 1000.0;

/// Returns a warning if objectives are ratios to the baseline's scores, and one of these scores is
/// an outlier: every ratio on that instance is then extreme.
pub fn outlier(problem: &dyn Problem, baseline: &[Outcome]) -> Option<String> {
    if !problem.rating().is_ratio() {
        return None;
    }
    let mut scores: Vec<f64> = baseline.iter().map(|outcome| outcome.score).filter(|&score| score > 0.0).collect();
    scores.sort_by(f64::total_cmp);
    // That of an instance, and of two the smaller one: penalties are large.
    let median = *scores.get(scores.len().saturating_sub(1) / 2)?;
    let is_outlier = |score: f64| score > OUTLIER * median || score > 0.0 && score < median / OUTLIER;
    let outcome = baseline.iter().find(|outcome| is_outlier(outcome.score))?;
    let place = problem.metrics().groups.iter().position(|group| group == INSTANCE);
    let at =
        place.and_then(|place| outcome.groups.get(place)).map_or(String::new(), |name| format!(" on instance {name}"));
    Some(format!(
        "the baseline scores {}{at}, and {median} on the median instance: with `scale = \"relative\"`, differences on that \
         instance are as large as they can be; give the baseline values without a penalty, or leave the instance out",
        outcome.score
    ))
}

/// Warns about parameters that the search can hardly move.
fn ranges(job: &Job) -> Vec<String> {
    let mut warnings = Vec::new();
    let at_bound = |&&place: &&usize| {
        let (parameter, start) = (&job.space.parameters()[place], job.space.start()[place]);
        let (min, max) = parameter.range();
        parameter.is_number() && (start == min || start == max)
    };
    let name = |&place: &usize| job.space.parameters()[place].name.as_str();
    let names: Vec<&str> = job.space.tuned_indices().iter().filter(at_bound).map(name).collect();
    if !names.is_empty() {
        let names = names.join(", ");
        warnings.push(format!("these parameters start at a bound of their range: {names}"));
    }
    let coordinates = job.space.coordinates();
    if coordinates.len() == job.space.tuned_indices().len() {
        let is_narrow = |&place: &usize| {
            let coordinate = coordinates[place];
            coordinate.max - coordinate.min < 3.0 * coordinate.unit
        };
        let narrow = (0..coordinates.len()).filter(is_narrow).map(|place| name(&job.space.tuned_indices()[place]));
        let narrow: Vec<&str> = narrow.collect();
        if !narrow.is_empty() {
            let names = narrow.join(", ");
            warnings.push(format!("ranges too narrow to search (narrower than three units): {names}"));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::job;
    use crate::judgement::comparison::Units;
    use evolve_search::model::goal::{Direction, Goal};
    use evolve_search::model::parameter::Parameter;
    use evolve_search::model::problem::{Context, OpenError, Session};
    use evolve_search::model::rating::Rating;
    use evolve_search::model::trial::Metrics;

    const NOISE: Noise = Noise { paired: 1.0, correlation: 0.0, largest: 0.01, has_changed: true };

    #[test]
    fn jobs_that_cannot_work_are_reported() {
        let job = job(&[("slope_y = [-4, 4]", "slope_y = [-3, -2]\nslope_x = [4, 5]")]);
        let all = warnings(&job, &Forecast::of(&job, &NOISE, 0.001), &NOISE).join("\n");
        for said in [
            "these parameters start at a bound of their range: slope_x, slope_y",
            "about 3 generations",
            "play more trials than the search",
            "for the test to detect: raise `budget`, or `test` in [search]",
        ] {
            assert!(all.contains(said), "{said}: {all}");
        }
    }

    #[test]
    fn an_outlier_of_the_baseline_is_named() {
        struct Listed;
        impl Problem for Listed {
            fn name(&self) -> &str {
                "listed"
            }
            fn parameters(&self) -> Vec<Parameter> {
                Vec::new()
            }
            fn metrics(&self) -> Metrics {
                Metrics::new(&[], &["instance"])
            }
            fn goal(&self) -> Option<Goal> {
                Some(Goal::of_score(Direction::Maximize, Rating::Ratio))
            }
            fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
                unreachable!()
            }
        }
        let outcomes = |scores: &[f64]| {
            let outcome = |(i, &score): (usize, &f64)| Outcome::of(score).group(format!("{i}"));
            scores.iter().enumerate().map(outcome).collect::<Vec<_>>()
        };
        let said = outlier(&Listed, &outcomes(&[900.0, 1e9, 1100.0, 1000.0])).unwrap();
        assert!(
            said.starts_with("the baseline scores 1000000000 on instance 1, and 1000 on the median instance"),
            "{said}"
        );
        assert_eq!(outlier(&Listed, &outcomes(&[900.0, 5000.0, 1100.0, 30.0])), None);
    }

    #[test]
    fn repetitions_of_few_instances_are_no_more_evidence() {
        let asked = job(&[]);
        let with = |count, instances| {
            let units = Units { count, cases: 30, instances };
            few_instances(&asked, &Extent { units, ..Extent::of(&asked, None) })
        };
        assert!(with(5, true).unwrap().contains("needs 6 to find an improvement"));
        assert!(with(15, true).unwrap().contains("30 trials on 15 instances"));
        assert_eq!(with(16, true), None);
        assert_eq!(with(5, false), None);
    }
}
