//! What is likely to go wrong with a job, in sentences.

use super::{Extent, Forecast, Noise};
use crate::job::Job;
use crate::judgement::comparison::LEAST_CLAIM;

/// How to go on about what is found where trials do not reproduce although the job says so.
pub const DICE: &str =
    "will not come out again. Write `deterministic = false`, or take the program's dice from {random}";

/// What is likely to go wrong with a job.
pub fn warnings(job: &Job, forecast: &Forecast, noise: &Noise) -> Vec<String> {
    let extent = &forecast.extent;
    let mut warnings: Vec<String> = few_instances(job, extent).into_iter().collect();
    warnings.extend(ranges(job));
    if extent.generations < 10.0 {
        let (count, plural) = (extent.generations.floor(), if extent.generations < 2.0 { "" } else { "s" });
        warnings.push(format!(
            "the search has about {count:.0} generation{plural}: give it a larger limit, or fewer candidates or games a \
             generation"
        ));
    }
    let coordinates = job.space.coordinates().len();
    let least = 20.0 * coordinates as f64;
    if extent.search < least {
        warnings.push(format!(
            "{:.0} trials are few for {coordinates} coordinates; {least:.0} are the least that is likely to find anything",
            extent.search,
        ));
    }
    if noise.largest > 0.0 && forecast.found > noise.largest {
        let more = if extent.units.instances { "list more instances" } else { "give it more games" };
        warnings
            .push(format!("the verdict cannot tell even the largest difference that was seen here from luck: {more}"));
    }
    if extent.checks + extent.finals > extent.search {
        warnings.push("checks, final round and verdict play more than the search".to_string());
    }
    warnings
}

/// What to say where the verdict has too few instances for what is asked of it.
pub fn few_instances(job: &Job, extent: &Extent) -> Option<String> {
    let (count, deals) = (extent.units.count, extent.units.deals);
    if !extent.units.instances {
        return None;
    }
    if count < LEAST_CLAIM {
        return Some(format!(
            "the verdict has {count} instances, and claims nothing of fewer than {LEAST_CLAIM}: list more instances"
        ));
    }
    (job.named.verdict && deals >= 2 * count).then(|| {
        format!(
            "[final] asks for a verdict on {deals} trials, of {count} instances: an interval is made of {count} \
             differences, however often each is played; list more instances"
        )
    })
}

/// Parameters that the search can hardly move.
fn ranges(job: &Job) -> Vec<String> {
    let mut warnings = Vec::new();
    let at_bound = |&&place: &&usize| {
        let (parameter, start) = (&job.space.parameters()[place], job.space.start()[place]);
        let (min, max) = parameter.range();
        parameter.is_number() && (start == min || start == max)
    };
    let name = |&place: &usize| job.space.parameters()[place].name.as_str();
    let names: Vec<&str> = job.space.places().iter().filter(at_bound).map(name).collect();
    if !names.is_empty() {
        let names = names.join(", ");
        warnings.push(format!("at a bound from the start, so that one side is closed: {names}"));
    }
    let coordinates = job.space.coordinates();
    if coordinates.len() == job.space.places().len() {
        let is_narrow = |&place: &usize| {
            let coordinate = coordinates[place];
            coordinate.max - coordinate.min < 3.0 * coordinate.scale
        };
        let narrow = (0..coordinates.len()).filter(is_narrow).map(|place| name(&job.space.places()[place]));
        let narrow: Vec<&str> = narrow.collect();
        if !narrow.is_empty() {
            let names = narrow.join(", ");
            warnings.push(format!("ranges narrower than three units of variation, too narrow to search: {names}"));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::job;
    use crate::judgement::comparison::Units;

    const NOISE: Noise = Noise { level: 1.0, paired: 1.0, correlation: 0.0, largest: 0.01, has_changed: true };

    #[test]
    fn what_cannot_work_is_told() {
        let job = job(&[("slope_y = [-4, 4]", "slope_y = [-3, -2]\nslope_x = [4, 5]")]);
        let told = warnings(&job, &Forecast::of(&job, &NOISE, 0.001), &NOISE).join("\n");
        for said in [
            "at a bound from the start, so that one side is closed: slope_x, slope_y",
            "about 3 generations",
            "play more than the search",
            "from luck: give it more games",
        ] {
            assert!(told.contains(said), "{said}: {told}");
        }
    }

    #[test]
    fn repetitions_of_few_instances_are_no_more_evidence() {
        let asked = job(&[]);
        let with = |count, instances| {
            let units = Units { count, deals: 30, instances };
            few_instances(&asked, &Extent { units, ..Extent::of(&asked, None) })
        };
        assert!(with(5, true).unwrap().contains("claims nothing of fewer than 6"));
        assert!(with(15, true).unwrap().contains("30 trials, of 15 instances"));
        assert_eq!(with(16, true), None);
        assert_eq!(with(5, false), None);
    }
}
