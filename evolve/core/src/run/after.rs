//! Runs that start where an earlier one ended.

use crate::job::Job;
use crate::job::policy_file::{RecordedVerdict, weights_file};
use crate::names::CONFIG;
use evolve_search::model::rating::Rating;
use evolve_search::statistics::Interval;
use std::fmt;
use std::path::Path;

/// The gain over several runs, each of which started at the values that the one before recommended.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The folder of the first run.
    first: String,
    runs: usize,
    /// The gain of the objective over the baseline of the first run, with its 95 % confidence
    /// interval.
    gain: Interval,
    rating: Rating,
}

/// The largest number of runs to follow: a folder may name itself.
const MOST: usize = 1000;

impl Chain {
    /// Adds up the verdicts of a run and of those before it. Returns `None` if the job does not
    /// start where a run ended, or the runs do not measure in the same unit.
    pub fn of(job: &Job, verdict: &RecordedVerdict) -> Option<Self> {
        let rating = job.problem.behaviour().rating;
        let gain = |verdict: &RecordedVerdict| verdict.interval().filter(|_| verdict.recommends_finalist());
        let (mut first, mut runs, mut gains) = (None, 1, vec![gain(verdict)]);
        let mut baseline = job.baseline.clone();
        while runs < MOST && Path::new(&baseline).join(CONFIG).exists() {
            let folder = Path::new(&baseline);
            gains.push(gain(&RecordedVerdict::read(&weights_file(folder)).ok()?));
            let earlier = Job::recorded(folder, &job.catalogue).ok()?;
            if earlier.problem.behaviour().rating != rating || earlier.problem.goal() != job.problem.goal() {
                return None;
            }
            (first, runs) = (Some(baseline), runs + 1);
            baseline = earlier.baseline;
        }
        Some(Chain { first: first?, runs, gain: rating.sum(gains.into_iter().flatten()), rating })
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Chain { first, runs, gain, rating } = self;
        let gain = rating.sentence(*gain);
        write!(f, "gain of the objective over the baseline of {first}: {gain}, by the verdicts of {runs} runs")
    }
}
