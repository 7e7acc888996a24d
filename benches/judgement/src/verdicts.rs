//! Measures how often a comparison claims a gain that does not exist, and how often it finds one
//! that does: feeds simulated differences of known mean to the comparison that verdicts use.

use evolve_core::judgement::comparison::{
    Answer, Comparison, Difference, EarlierDifferences, Looks, Near, Patience, large_loss,
};
use evolve_search::model::seed::generator;
use evolve_search::optimizer::sampling::normal;
use rand::RngExt;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Verdicts of each cell
    #[arg(long, default_value_t = 2000)]
    runs: u64,

    /// Differences that the selection saw before
    #[arg(long, default_value_t = 300)]
    earlier: usize,

    /// Trials of the search by candidates near the finalist, for each trial of the test
    #[arg(long, default_value_t = 0)]
    searched: usize,
}

type Random = chacha20::ChaCha8Rng;

fn uniform(random: &mut Random) -> f64 {
    random.random()
}

/// A distribution of differences between a finalist and the start.
struct Case {
    name: &'static str,
    draw: fn(&mut Random) -> Difference,
}

/// Returns `(x - s) / max(x, s)` of two noisy scores, where the finalist's is larger by `gain`.
fn relative(noise: f64, gain: f64, random: &mut Random) -> f64 {
    let x = (1.0 + gain) * libm::exp(noise * normal(random));
    let s = libm::exp(noise * normal(random));
    (x - s) / x.max(s)
}

/// Draws a difference where the finalist fails in this share of games, and gains as much in the
/// others.
fn failing(noise: f64, share: f64, random: &mut Random) -> Difference {
    match uniform(random) < share {
        true => Difference { value: -1.0, failed: [true, false] },
        false => Difference::of(share / (1.0 - share) + relative(noise, 0.0, random)),
    }
}

/// Draws a difference with a long tail of losses: a lognormal deviate below its mean.
fn tail(sigma: f64, random: &mut Random) -> Difference {
    Difference::of(0.01 * (libm::exp(0.5 * sigma * sigma) - libm::exp(sigma * normal(random))))
}

/// Draws a difference that loses in one of a number of trials, and gains as much in total in the
/// others.
fn losing(one_in: f64, random: &mut Random) -> Difference {
    Difference::of(if uniform(random) < 1.0 / one_in { -0.01 * (one_in - 1.0) } else { 0.01 })
}

/// Draws a difference of two minimized lognormal scores with the same mean, and these deviations of
/// their logarithms.
fn spread(of: f64, other: f64, random: &mut Random) -> Difference {
    let mut score = |sigma: f64| libm::exp(sigma * normal(random) - 0.5 * sigma * sigma);
    let [own, other] = [score(of), score(other)];
    Difference::of(other - own)
}

/// Draws a difference where both fail independently in 2 %, and the finalist gains a share
/// elsewhere.
fn both(gain: f64, random: &mut Random) -> Difference {
    let failed = [uniform(random) < 0.02, uniform(random) < 0.02];
    let value = match failed {
        [false, false] => relative(0.03, gain, random),
        [a, b] => f64::from(u8::from(b)) - f64::from(u8::from(a)),
    };
    Difference { value, failed }
}

/// Cases without a gain in the mean.
const NULL: [Case; 21] = [
    Case { name: "noise 0.3 %", draw: |r| Difference::of(relative(0.003, 0.0, r)) },
    Case { name: "noise 3 %", draw: |r| Difference::of(relative(0.03, 0.0, r)) },
    Case { name: "noise 10 %", draw: |r| Difference::of(relative(0.1, 0.0, r)) },
    Case { name: "noise 30 %", draw: |r| Difference::of(relative(0.3, 0.0, r)) },
    Case { name: "long tail of losses (lognormal 1)", draw: |r| tail(1.0, r) },
    Case { name: "longer tail of losses (lognormal 1.5)", draw: |r| tail(1.5, r) },
    Case { name: "fails in 0.5 %, gains as much", draw: |r| failing(0.03, 0.005, r) },
    Case { name: "fails in 1 %, gains as much", draw: |r| failing(0.03, 0.01, r) },
    Case { name: "fails in 2 %, gains as much", draw: |r| failing(0.03, 0.02, r) },
    Case { name: "fails in 5 %, gains as much", draw: |r| failing(0.03, 0.05, r) },
    Case { name: "the same of 0.5 %, noise 0.3 %", draw: |r| failing(0.003, 0.005, r) },
    Case { name: "the same of 1 %, noise 0.3 %", draw: |r| failing(0.003, 0.01, r) },
    Case { name: "the same of 2 %, noise 0.3 %", draw: |r| failing(0.003, 0.02, r) },
    Case { name: "the same of 5 %, noise 0.3 %", draw: |r| failing(0.003, 0.05, r) },
    Case { name: "loses 9 in 1 of 10, wins 1 elsewhere", draw: |r| losing(10.0, r) },
    Case { name: "loses 49 in 1 of 50, wins 1 elsewhere", draw: |r| losing(50.0, r) },
    Case { name: "loses 199 in 1 of 200, wins 1 elsewhere", draw: |r| losing(200.0, r) },
    Case { name: "lognormal scores of sigma 1 against 0.5", draw: |r| spread(1.0, 0.5, r) },
    Case {
        name: "90 % ties, else a long tail of losses",
        draw: |r| if uniform(r) < 0.9 { Difference::of(0.0) } else { tail(1.0, r) },
    },
    Case { name: "-1 or +1 alike", draw: |r| Difference::of(if uniform(r) < 0.5 { 1.0 } else { -1.0 }) },
    Case { name: "both fail in 2 %", draw: |r| both(0.0, r) },
];

/// Cases with a gain.
const GAINS: [Case; 6] = [
    Case { name: "gain 1 %, noise 1 %", draw: |r| Difference::of(relative(0.01, 0.01, r)) },
    Case { name: "gain 1 %, noise 3 %", draw: |r| Difference::of(relative(0.03, 0.01, r)) },
    Case { name: "gain 2 %, noise 3 %", draw: |r| Difference::of(relative(0.03, 0.02, r)) },
    Case { name: "gain 5 %, noise 3 %", draw: |r| Difference::of(relative(0.03, 0.05, r)) },
    Case { name: "gain 5 %, noise 10 %", draw: |r| Difference::of(relative(0.1, 0.05, r)) },
    Case { name: "gain 10 %, both fail in 2 %", draw: |r| both(0.1, r) },
];

/// The largest numbers of observations of a verdict.
const SIZES: [usize; 7] = [6, 10, 20, 33, 100, 166, 333];

/// Returns the failures among differences of the search.
fn failures(all: &[Difference]) -> Option<Near> {
    let failed: Vec<f64> = all.iter().filter(|one| one.failed[0]).map(|one| one.value).collect();
    let worst = failed.iter().copied().reduce(f64::min)?;
    Some(Near { share: failed.len() as f64 / all.len() as f64, worst })
}

/// Returns the large losses among differences of the search.
fn losses(all: &[Difference]) -> Option<Near> {
    large_loss(&all.iter().filter(|one| !one.failed[0]).map(|one| one.value).collect::<Vec<_>>())
}

impl Args {
    pub fn run(&self) {
        let sizes: Vec<String> = SIZES.iter().map(ToString::to_string).collect();
        println!("| \"better\" claimed, % of {} verdicts | {} |", self.runs, sizes.join(" | "));
        println!("|---|{}", "---|".repeat(SIZES.len()));
        for case in NULL.iter().chain(&GAINS) {
            let cells: Vec<String> = SIZES.iter().map(|&size| format!("{:.1}", self.claimed(case, size))).collect();
            println!("| {} | {} |", case.name, cells.join(" | "));
        }
    }

    /// Returns the share of verdicts that claim a gain, in percent.
    fn claimed(&self, case: &Case, size: usize) -> f64 {
        let looks = Looks::planned(0.05, size, Patience::WithGains);
        let claims = |run: &u64| {
            let mut random = generator(*run);
            let differences = (0..self.earlier).map(|_| (case.draw)(&mut random)).collect();
            let searched: Vec<Difference> = (0..self.searched * size).map(|_| (case.draw)(&mut random)).collect();
            let (near, lost) = (failures(&searched), losses(&searched));
            let earlier = EarlierDifferences { differences, near, lost, seen: 0.0 };
            let mut comparison = Comparison::new(looks.clone(), 0.0).knowing(earlier);
            comparison.set_possible(1.0);
            while comparison.count() < size {
                comparison.add((case.draw)(&mut random));
                let is_look = looks.boundaries(comparison.count()).is_some();
                if is_look && (comparison.answer() == Answer::Worse || comparison.is_settled()) {
                    break;
                }
            }
            comparison.answer() == Answer::Better
        };
        100.0 * (0..self.runs).filter(claims).count() as f64 / self.runs as f64
    }
}
