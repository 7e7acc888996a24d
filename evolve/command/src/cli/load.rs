//! Warns if the machine was busy with other work while a program played, which may lower its score.

use super::machines::Playing;
use super::progress::say;
use evolve_core::job::{Job, Stage};
use evolve_core::run::rows::TrialTimeRow;
use evolve_core::run::trials::{Trials, times};
use evolve_search::model::space::Space;
use evolve_search::statistics::median;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

/// Returns a warning if `at_a_time` trials and a load of `others` exceed the machine's cores.
fn overload(others: f64, at_a_time: usize, cores: usize) -> Option<String> {
    let is_overloaded = others >= 0.5 && others + at_a_time as f64 > 1.25 * cores as f64;
    is_overloaded.then(|| {
        format!(
            "the load average is {others:.1} on {cores} cores: a solver with a time limit may score worse than on an idle \
                machine; wait until the machine is idle, or run fewer trials in parallel (-j)"
        )
    })
}

/// Returns the warning for the system's load before the first trial; `None` if the system reports
/// no load.
fn now(at_a_time: usize, cores: usize) -> Option<String> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    let running: f64 = text.split(' ').next()?.parse().ok()?;
    overload(running, at_a_time, cores)
}

/// The smallest number of trials for a comparison.
const ENOUGH: usize = 6;

/// Returns a warning if trials of the baseline took longer or shorter in the test than before the
/// search, which indicates that the machine's speed changed.
fn drift(folder: &Path, space: &Space) -> Option<String> {
    let trials = Trials::open(folder)?.played(space);
    let start = space.evolving_values(space.start());
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (trial, TrialTimeRow { seconds, .. }) in trials.iter().zip(times(folder)) {
        match trial.row.stage {
            Stage::Baseline => before.extend(seconds),
            Stage::Test if trial.is_of(&start) => after.extend(seconds),
            _ => {}
        }
    }
    drifted(&before, &after)
}

/// Returns the warning for the durations of the baseline's trials.
fn drifted(before: &[f64], after: &[f64]) -> Option<String> {
    if before.len().min(after.len()) < ENOUGH {
        return None;
    }
    let [usual, later] = [before, after].map(median);
    let slow = after.iter().filter(|&&seconds| seconds > 2.0 * usual).count();
    // Very short durations are mostly noise.
    let is_different = usual.max(later) >= 0.01 && (later > 1.5 * usual || usual > 1.5 * later);
    is_different.then(|| {
        let twice = match slow {
            0 => String::new(),
            _ => format!(", and {slow} of {} took more than twice as long", after.len()),
        };
        format!(
            "trials of the baseline took {usual:.2} s before the search and {later:.2} s in the test (medians){twice}: the \
                machine's load has changed, or the instances differ"
        )
    })
}

/// This machine, if it runs programs: only their times depend on its load.
pub struct Machine {
    is_of_interest: bool,
    /// Whether scores depend on the machine, as the job says.
    has_clock: bool,
    at_a_time: usize,
    cores: usize,
}

impl Machine {
    pub fn of(job: &Job, playing: &Playing) -> Self {
        Machine {
            is_of_interest: job.problem.behaviour().is_external && playing.is_here(),
            has_clock: !job.problem.behaviour().reproduces(),
            at_a_time: playing.evaluator().parallelism(),
            cores: thread::available_parallelism().map_or(1, NonZeroUsize::get),
        }
    }

    /// Warns if more programs run in parallel than there are cores, or if other processes are busy.
    pub fn warn(&self, quiet: bool) {
        let Machine { is_of_interest, has_clock, at_a_time, cores } = *self;
        if is_of_interest && at_a_time > cores {
            say(&format!(
                "note: {at_a_time} parallel trials on {cores} cores: a solver with a time limit will score worse; use \
                    --parallel {cores} or less"
            ));
        } else if let Some(load) = now(at_a_time, cores).filter(|_| is_of_interest && has_clock && !quiet) {
            say(&format!("note: {load}"));
        }
    }

    /// Warns if trials show that the machine was busier at times.
    pub fn warn_of_drift(&self, folder: &Path, space: &Space) {
        if let Some(seen) = self.is_of_interest.then(|| drift(folder, space)).flatten() {
            say(&format!("note: {seen}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_core::names::{TRIAL_TIMES, TRIALS};
    use evolve_search::model::parameter::Parameter;

    #[test]
    fn other_load_counts() {
        assert_eq!(overload(0.3, 2, 2), None);
        assert_eq!(overload(4.0, 2, 16), None);
        let warning = overload(1.5, 2, 2).unwrap();
        assert!(warning.starts_with("the load average is 1.5 on 2 cores: a solver with a time limit"), "{warning}");
    }

    #[test]
    fn trials_of_the_baseline_reveal_a_busy_machine() {
        let folder = tempfile::TempDir::new().unwrap();
        let space = Space::new(vec![Parameter::int("k", 1, 9, 5)], vec![5.0], vec![0]);
        let write = |slower: f64| {
            let mut trials = String::from(
                "trial,stage,number,instance,replicate,seed,score,objective,failure,metrics,groups,value.k\n",
            );
            let mut times = String::from("trial,seconds\n");
            let stages = ["baseline", "search", "validation", "test", "test"].into_iter().zip([5, 7, 7, 5, 9]);
            for (i, (stage, k)) in stages.flat_map(|one| [one; 8]).enumerate() {
                trials += &format!("{i},{stage},0,,0,s7,1.5,1.5,,a=1 b=2,,{k}\n");
                // The durations of other candidates do not matter.
                let seconds = if k == 5 { 0.5 * if stage == "test" { slower } else { 1.0 } } else { 60.0 };
                times += &format!("{i},{seconds}\n");
            }
            fs::write(folder.path().join(TRIALS), trials).unwrap();
            fs::write(folder.path().join(TRIAL_TIMES), times).unwrap();
            drift(folder.path(), &space)
        };
        assert_eq!(write(1.2), None);
        let warning = write(3.0).unwrap();
        assert!(
            warning.starts_with("trials of the baseline took 0.50 s before the search and 1.50 s in the test"),
            "{warning}"
        );
        assert!(warning.contains("8 of 8 took more than twice"), "{warning}");
        assert_eq!(drift(Path::new("missing"), &space), None);
    }
}
