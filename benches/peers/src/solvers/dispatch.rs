//! Apparent tardiness cost with setups: a dispatching rule for one machine (Lee, Bhaskaran and
//! Pinedo, 1997). Its best look-aheads depend on how tight due dates and how long setups are.

use evolve_search::model::parameter::Parameter;
use rand::RngExt;

/// Whether due dates are loose or tight, and setups short or long.
pub const KINDS: [&str; 4] = ["loose-short", "loose-long", "tight-short", "tight-long"];
/// The jobs are of families; a setup depends on the families before and after it.
const FAMILIES: usize = 6;

struct Job {
    family: usize,
    weight: f64,
    time: f64,
    due: f64,
}

pub struct Shop {
    kind: usize,
    jobs: Vec<Job>,
    setups: Vec<[f64; FAMILIES]>,
}

pub fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::float("due_ahead", 0.05, 50.0, 1.0).log().meaning("look-ahead for due dates, in mean times"),
        Parameter::float("setup_ahead", 0.01, 20.0, 1.0).log().meaning("look-ahead for setups, in mean setups"),
        Parameter::float("weight_power", 0.0, 4.0, 1.0),
        Parameter::float("time_power", 0.0, 4.0, 1.0),
        Parameter::float("setup_share", 0.0, 2.0, 0.0).meaning("share of the setup in the time of a job"),
        Parameter::float("late", 0.05, 20.0, 1.0).log().meaning("factor of jobs that are late already"),
    ]
}

impl Shop {
    pub fn new(random: &mut impl RngExt) -> Self {
        let kind = random.random_range(0..KINDS.len() as u32) as usize;
        let (is_tight, is_long) = (kind >= 2, kind % 2 == 1);
        let count = random.random_range(25..60u32);
        let longest = if is_long { 60.0 } else { 4.0 };
        let setups =
            (0..FAMILIES).map(|_| [(); FAMILIES].map(|()| longest * random.random::<f64>())).collect::<Vec<_>>();
        let horizon = f64::from(count) * (10.5 + if is_long { 0.4 * longest / 2.0 } else { longest / 2.0 });
        let (from, spread) = if is_tight { (0.0, 0.3) } else { (0.2, 1.0) };
        let job = |_| Job {
            family: random.random_range(0..FAMILIES as u32) as usize,
            weight: f64::from(random.random_range(1..10u32)),
            time: f64::from(random.random_range(1..20u32)),
            due: horizon * (from + spread * random.random::<f64>()),
        };
        let jobs = (0..count).map(job).collect();
        Shop { kind, jobs, setups }
    }

    pub fn kind(&self) -> &'static str {
        KINDS[self.kind]
    }

    /// Returns the total weighted tardiness.
    pub fn tardiness(&self, x: &[f64]) -> f64 {
        let &[due_ahead, setup_ahead, weight_power, time_power, setup_share, late] = x else {
            unreachable!("a dispatching rule has six parameters");
        };
        let mean = self.jobs.iter().map(|job| job.time).sum::<f64>() / self.jobs.len() as f64;
        let setup = self.setups.iter().flatten().sum::<f64>() / (FAMILIES * FAMILIES) as f64;
        let worth = |job: &Job| weight_power * libm::log(job.weight) - time_power * libm::log(job.time);
        let mut left: Vec<(&Job, f64)> = self.jobs.iter().map(|job| (job, worth(job))).collect();
        let (mut time, mut family, mut total) = (0.0, 0, 0.0);
        while !left.is_empty() {
            let priority = |(job, worth): (&Job, f64)| {
                let setup_now = self.setups[family][job.family];
                let slack = job.due - job.time - setup_share * setup_now - time;
                let urgency = if slack < 0.0 { libm::log(late) } else { -slack / (due_ahead * mean) };
                worth + urgency - setup_now / (setup_ahead * setup)
            };
            let (mut next, mut highest) = (0, f64::NEG_INFINITY);
            for (i, &one) in left.iter().enumerate() {
                let value = priority(one);
                if value > highest {
                    (next, highest) = (i, value);
                }
            }
            let (job, _) = left.swap_remove(next);
            time += self.setups[family][job.family] + job.time;
            family = job.family;
            total += job.weight * (time - job.due).max(0.0);
        }
        total
    }
}
