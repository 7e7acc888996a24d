//! The choice of the next trial, a candidate and a deal: the trial with the largest expected improvement of the
//! recommendation.

use super::encoding::Dimension;
use super::process::{Known, Met, ModelTrial, Process};
use crate::search::Deals;
use crate::search::sampling::normal;
use crate::statistics::quantile;
use chacha20::ChaCha8Rng;
use rand::RngExt;

/// Number of candidates in the first round, and the share of them drawn from the whole space.
const CANDIDATES: usize = 300;
const ANYWHERE: f64 = 0.3;
/// Number of played candidates whose neighbours are drawn.
const ORIGINS: usize = 5;
/// Rounds of steps from the best candidates: number of candidates, steps from each, and step size.
const BEST: usize = 4;
const STEPS: usize = 25;
const ROUNDS: [f64; 2] = [0.1, 0.05];
/// The same for exact outcomes, which distinguish small steps.
const FINE_ROUNDS: [f64; 5] = [0.1, 0.05, 0.02, 0.006, 0.002];
/// The size of a first step, as a share of the range, and its variation, in powers of ten.
const STEP: f64 = 0.25;
const POWERS: (f64, f64) = (-1.3, 0.3);
/// The share of steps drawn from the whole space.
const DRAWN: u32 = 10;
/// The variance is computed for this many candidates with the best means, and for one in [`OTHERS`] of the rest.
const SCREENED: usize = 60;
const OTHERS: usize = 6;
/// Number of candidates compared with each other: the most promising ones, and the best played ones.
const PROMISING: usize = 40;
const PLAYED: usize = 15;
/// Number of quantiles of a trial's possible outcome.
const QUANTILES: usize = 11;

/// The region in which a process is searched.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    pub dimensions: &'a [Dimension],
    pub deals: Deals,
    /// Returns the candidate if it is allowed, or else the nearest one that is.
    pub allowed: &'a dyn Fn(Vec<f64>) -> Vec<f64>,
    /// Returns the weight of priors for a candidate.
    pub belief: &'a dyn Fn(&[f64]) -> f64,
}

/// Returns the next trial of a process. `seen` lists the played candidates, each once, the best mean first; `share`
/// returns numbers between 0 and 1 that cover the space evenly, by index and dimension.
pub fn next(
    process: &Process<'_>,
    around: Around<'_>,
    seen: &[Met],
    share: &dyn Fn(u32, u32) -> f64,
    random: &mut ChaCha8Rng,
) -> ModelTrial {
    let best: Vec<Known> = seen.iter().take(PLAYED).map(|met| process.known(met.clone())).collect();
    let incumbent = &best[0];
    let promising = promising(process, around, incumbent, seen, share, random);
    let deals = around.deals;
    let mut rivals: Vec<&Known> = promising.iter().collect();
    for known in &best {
        if rivals.iter().all(|other| other.values != known.values) {
            rivals.push(known);
        }
    }
    let chosen = rivals[most_telling(process, around, &rivals)];
    if deals == Deals::One {
        return ModelTrial::new(chosen.values.clone(), 0);
    }
    let rival = if chosen.values == incumbent.values { best.get(1).unwrap_or(incumbent) } else { incumbent };
    ModelTrial::new(chosen.values.clone(), telling_deal(process, chosen, rival))
}

/// Returns the candidates with the largest expected improvement on the incumbent, the best first.
fn promising(
    process: &Process<'_>,
    around: Around<'_>,
    incumbent: &Known,
    seen: &[Met],
    share: &dyn Fn(u32, u32) -> f64,
    random: &mut ChaCha8Rng,
) -> Vec<Known> {
    let Around { dimensions, deals, allowed, belief } = around;
    let anywhere = (CANDIDATES as f64 * ANYWHERE) as usize;
    let mut candidates: Vec<Vec<f64>> = (0..anywhere as u32)
        .map(|i| {
            let of = |(dimension, d): (&Dimension, u32)| match i.is_multiple_of(2) {
                true => dimension.drawn(share(i, d)),
                false => dimension.at(share(i, d)),
            };
            dimensions.iter().zip(0..).map(of).collect()
        })
        .collect();
    for i in anywhere..CANDIDATES {
        let origin = &seen[i % seen.len().min(ORIGINS)].values;
        candidates.push(step(dimensions, origin, STEP, POWERS, random));
    }
    let candidates = candidates.into_iter().map(allowed).collect();
    let mut ranked = ranked(process, incumbent, candidates, belief);
    for &size in if deals == Deals::One { &FINE_ROUNDS[..] } else { &ROUNDS } {
        let origins: Vec<Vec<f64>> = ranked.iter().take(BEST).map(|(_, known)| known.values.clone()).collect();
        let steps = origins.iter().flat_map(|origin| std::iter::repeat_n(origin, STEPS));
        let candidates = steps.map(|origin| allowed(step(dimensions, origin, size, (0.0, 0.0), random))).collect();
        ranked.extend(self::ranked(process, incumbent, candidates, belief));
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    }
    let mut promising: Vec<Known> = Vec::new();
    for (_, known) in ranked {
        if promising.iter().all(|other| other.values != known.values) {
            promising.push(known);
        }
        if promising.len() == PROMISING {
            break;
        }
    }
    promising
}

/// Returns candidates by expected improvement, weighted by priors, largest first. Only those with good means and some
/// of the others get a variance.
fn ranked(
    process: &Process<'_>,
    incumbent: &Known,
    candidates: Vec<Vec<f64>>,
    belief: &dyn Fn(&[f64]) -> f64,
) -> Vec<(f64, Known)> {
    let mut by_mean: Vec<Met> = candidates.into_iter().map(|values| process.met(values)).collect();
    by_mean.sort_by(|a, b| a.mean.total_cmp(&b.mean));
    let is_kept = |i: usize| i < SCREENED || i.is_multiple_of(OTHERS);
    let kept = by_mean.into_iter().enumerate().filter(|&(i, _)| is_kept(i)).map(|(_, met)| met);
    let mut ranked: Vec<(f64, Known)> = kept
        .map(|met| {
            let known = process.known(met);
            let deviation = process.variance_between(&known, incumbent).sqrt();
            (improvement(incumbent.mean - known.mean, deviation) * belief(&known.values), known)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked
}

/// Returns the expected positive part of a normal deviate with this mean and standard deviation.
fn improvement(mean: f64, deviation: f64) -> f64 {
    if deviation <= 0.0 {
        return mean.max(0.0);
    }
    let z = mean / deviation;
    let below = 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
    let density = libm::exp(-0.5 * z * z) / (2.0 * std::f64::consts::PI).sqrt();
    deviation * (density + z * below)
}

/// Returns a candidate near another, with one, two or many dimensions changed.
fn step(dimensions: &[Dimension], origin: &[f64], size: f64, powers: (f64, f64), random: &mut ChaCha8Rng) -> Vec<f64> {
    let changes = match random.random_range(0..4u32) {
        0 | 1 => 1,
        2 => 2,
        _ => (dimensions.len() / 2).max(2),
    };
    let mut values = origin.to_vec();
    for _ in 0..changes.min(dimensions.len()) {
        let d = random.random_range(0..dimensions.len() as u32) as usize;
        let power = powers.0 + random.random::<f64>() * (powers.1 - powers.0);
        let (drawn, deviate) = (random.random_range(0..DRAWN) == 0, normal(random));
        values[d] = match drawn {
            true => dimensions[d].at(random.random()),
            false => dimensions[d].stepped(values[d], deviate, size * libm::exp10(power), random),
        };
    }
    values
}

/// Returns the candidate whose trial is expected to lower the least mean most (a knowledge gradient: Frazier, Powell
/// and Dayanik, 2009).
fn most_telling(process: &Process<'_>, around: Around<'_>, rivals: &[&Known]) -> usize {
    let quantiles = quantiles();
    let least = rivals.iter().map(|known| known.mean).fold(f64::INFINITY, f64::min);
    let gain = |x: &Known| {
        if around.deals == Deals::One && process.has(&x.values, 0) {
            return f64::NEG_INFINITY;
        }
        let deviation = process.variance_of_outcome(x).sqrt();
        let moves: Vec<f64> = rivals.iter().map(|a| process.covariance(a, x) / deviation).collect();
        let after = |z: f64| {
            let means = rivals.iter().zip(&moves).map(|(a, by)| a.mean + by * z);
            means.fold(f64::INFINITY, f64::min)
        };
        (least - quantiles.iter().map(|&z| after(z)).sum::<f64>() / QUANTILES as f64) * (around.belief)(&x.values)
    };
    let gains: Vec<f64> = rivals.iter().map(|x| gain(x)).collect();
    (0..gains.len()).fold(0, |best, i| if gains[i] > gains[best] { i } else { best })
}

/// Returns quantiles of equal probability of a normal distribution, scaled to variance 1.
fn quantiles() -> [f64; QUANTILES] {
    let raw: [f64; QUANTILES] = std::array::from_fn(|i| quantile((i as f64 + 0.5) / QUANTILES as f64));
    let deviation = (raw.iter().map(|z| z * z).sum::<f64>() / QUANTILES as f64).sqrt();
    raw.map(|z| z / deviation)
}

/// Returns the deal on which a trial of a candidate is most informative about its difference from a rival: a deal that
/// it has not played, or a new one.
pub fn telling_deal(process: &Process<'_>, chosen: &Known, rival: &Known) -> usize {
    let deals = process.deals();
    let open = (0..=deals).filter(|&deal| !process.has(&chosen.values, deal));
    let told = open.map(|deal| (process.told(chosen, rival, deal), deal));
    told.fold((f64::NEG_INFINITY, deals), |best, one| if one.0 > best.0 { one } else { best }).1
}
