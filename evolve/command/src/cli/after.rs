//! Jobs of runs that start where an earlier one ended.

use super::{Failure, catalogue, overrides};
use evolve_core::file::slashed;
use evolve_core::job::policy_file::Policy;
use evolve_core::job::{Job, TRIALS};
use evolve_core::search::Settings;
use serde_json::{Value, json};
use std::path::Path;

/// Reads a job that starts at the values which a run recommends, and learns from its trials where
/// its search can. Its name and seed follow those of the run, unless they are given.
pub fn job(
    config: &Path,
    run: &Path,
    set: &[(String, String)],
    (name, seed): (Option<&str>, Option<u64>),
) -> Result<Job, Failure> {
    let usage = |what: String| Failure::Usage(format!("--after {}: {what}", run.display()));
    let earlier = Job::recorded(run, catalogue()).map_err(|fault| usage(format!("no run: {fault}")))?;
    let policy = Policy::read(run, catalogue()).map_err(|fault| usage(fault.to_string()))?;
    if policy.verdict.is_none() && earlier.sizes.test != Some(0) {
        return Err(usage("the run has no verdict yet: resume it (`evolve run ... --resume`)".to_string()));
    }
    let folder = slashed(run);
    let of = |key: &str, value: Value| (key.to_string(), value.to_string());
    // Start values of the job would outweigh those of the run.
    let mut keys = vec![of("weights.values", json!({})), of("weights.start", json!(folder))];
    keys.extend(set.iter().cloned());
    let next = next_name(&earlier.name);
    let named = (Some(name.unwrap_or(&next)), Some(seed.unwrap_or_else(|| earlier.seed.wrapping_add(1))));
    let job = overrides::job(config, &keys, named)?;
    let Some(mut names) = learned(&*job.optimizer).filter(|_| run.join(TRIALS).exists()) else { return Ok(job) };
    if !names.contains(&folder) {
        names.push(folder);
    }
    keys.push(of("search.learn_from", json!(names)));
    let learning = overrides::job(config, &keys, named)?;
    // A space that is too large to learn in starts at the values alone.
    Ok(if learning.optimizer.learns_from(&learning.space).is_ok() { learning } else { job })
}

/// Returns the runs that an optimizer learns from; `None` if it cannot learn.
fn learned(settings: &dyn Settings) -> Option<Vec<String>> {
    let keys = settings.write();
    let names = keys.get("learn_from").and_then(Value::as_array).into_iter().flatten();
    let names = names.filter_map(Value::as_str).map(String::from).collect();
    (settings.method().name == "auto").then_some(names)
}

/// Returns the name after one: `tour-2` after `tour`, `tour-3` after `tour-2`.
pub fn next_name(name: &str) -> String {
    let numbered = name.rsplit_once('-').and_then(|(stem, number)| Some((stem, number.parse::<u32>().ok()?)));
    match numbered {
        Some((stem, number)) if number < u32::MAX => format!("{stem}-{}", number + 1),
        _ => format!("{name}-2"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_count_on() {
        for (name, next) in
            [("tour", "tour-2"), ("tour-2", "tour-3"), ("a/b-9", "a/b-10"), ("first-try", "first-try-2")]
        {
            assert_eq!(super::next_name(name), next);
        }
    }
}
