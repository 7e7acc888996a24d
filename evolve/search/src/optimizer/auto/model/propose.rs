//! The choice of the next trial, a candidate and a case: the trial with the largest expected
//! improvement of the recommendation.

use super::encoding::Dimension;
use super::posterior::{Posterior, Rival, Seen};
use super::process::{Assessed, Met, ModelTrial, Process};
use crate::optimizer::Cases;
use crate::optimizer::sampling::normal;
use crate::statistics::{below, density, quantile};
use chacha20::ChaCha8Rng;
use rand::RngExt;
use std::ops::Range;

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
/// The variance is computed for this many candidates with the best means, and for one in [`OTHERS`]
/// of the rest.
const SCREENED: usize = 60;
const OTHERS: usize = 6;
/// Number of candidates compared with each other: the most promising ones, and the best played
/// ones.
const PROMISING: usize = 40;
const PLAYED: usize = 15;
/// The number of cases for which the value of a trial, and of a pair of trials, is computed.
const CASES: usize = 12;
/// Factor on the standard deviation of an improvement after many trials, and the numbers of trials
/// between which it grows from 1. The posterior of the most probable kernel leaves out how
/// uncertain the kernel itself is, which misleads most once steps are small.
const DOUBT: f64 = 1.5;
const DOUBTING: (f64, f64) = (40.0, 100.0);
/// How much worse a mean counts in the screening for each standard deviation beyond a limit.
const BEYOND: f64 = 3.0;
/// Number of quantiles of a trial's possible outcome.
const QUANTILES: usize = 11;

/// The region in which a process is searched.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    pub dimensions: &'a [Dimension],
    pub cases: Cases,
    /// Returns the candidate if it is allowed, or else the nearest one that is.
    pub allowed: &'a dyn Fn(Vec<f64>) -> Vec<f64>,
    /// Returns the weight of priors for a candidate.
    pub belief: &'a dyn Fn(&[f64]) -> f64,
}

/// Returns the next trial, or a pair of trials. `seen` lists the played candidates, each once, the
/// best first; `offers` are the cases to choose from; `share` returns numbers between 0 and 1 that
/// cover the space evenly, by index and dimension.
pub fn next(
    posterior: &Posterior<'_>,
    around: Around<'_>,
    seen: &[Seen],
    offers: Range<usize>,
    share: &dyn Fn(u32, u32) -> f64,
    random: &mut ChaCha8Rng,
) -> Vec<ModelTrial> {
    let best: Vec<Rival> = seen.iter().take(PLAYED).map(|seen| posterior.rival(seen.met.clone())).collect();
    let incumbent = &best[0];
    let promising = promising(posterior, around, incumbent, seen, share, random);
    let cases = around.cases;
    let mut rivals: Vec<&Rival> = promising.iter().collect();
    for one in &best {
        if rivals.iter().all(|other| other.of.values != one.of.values) {
            rivals.push(one);
        }
    }
    let chosen = &rivals[most_telling(&posterior.process, around, &rivals, offers.clone())].of;
    let incumbent = &incumbent.of;
    if cases == Cases::One {
        return vec![ModelTrial::new(chosen.values.clone(), 0)];
    }
    let rival =
        if chosen.values == incumbent.values { best.get(1).map_or(incumbent, |second| &second.of) } else { incumbent };
    let trials = most_telling_trials(posterior, chosen, rival, offers);
    // Everything was played: the search ends after some repeated trials.
    if trials.is_empty() { vec![ModelTrial::new(chosen.values.clone(), 0)] } else { trials }
}

/// Returns the candidate with the largest expected improvement on `own`, within the aim of the
/// process.
pub fn improving(
    posterior: &Posterior<'_>,
    around: Around<'_>,
    own: Met,
    seen: &[Seen],
    share: &dyn Fn(u32, u32) -> f64,
    random: &mut ChaCha8Rng,
) -> Vec<f64> {
    let incumbent = posterior.rival(own);
    let promising = promising(posterior, around, &incumbent, seen, share, random);
    promising.into_iter().next().map_or(incumbent.of.values, |best| best.of.values)
}

/// Returns the candidates with the largest expected improvement on the incumbent, the best first.
fn promising(
    posterior: &Posterior<'_>,
    around: Around<'_>,
    incumbent: &Rival,
    seen: &[Seen],
    share: &dyn Fn(u32, u32) -> f64,
    random: &mut ChaCha8Rng,
) -> Vec<Rival> {
    let Around { dimensions, cases, allowed, belief } = around;
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
        let origin = &seen[i % seen.len().min(ORIGINS)].met.values;
        candidates.push(step(dimensions, origin, STEP, POWERS, random));
    }
    let candidates = candidates.into_iter().map(allowed).collect();
    let mut ranked = ranked(posterior, incumbent, candidates, belief);
    for &size in if cases == Cases::One { &FINE_ROUNDS[..] } else { &ROUNDS } {
        let origins: Vec<Vec<f64>> = ranked.iter().take(BEST).map(|(_, one)| one.of.values.clone()).collect();
        let steps = origins.iter().flat_map(|origin| std::iter::repeat_n(origin, STEPS));
        let candidates = steps.map(|origin| allowed(step(dimensions, origin, size, (0.0, 0.0), random))).collect();
        ranked.extend(self::ranked(posterior, incumbent, candidates, belief));
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    }
    let mut promising: Vec<Rival> = Vec::new();
    for (_, one) in ranked {
        if promising.iter().all(|other| other.of.values != one.of.values) {
            promising.push(one);
        }
        if promising.len() == PROMISING {
            break;
        }
    }
    promising
}

/// Returns candidates by expected improvement, weighted by priors and the chance to hold all
/// constraints, largest first; by the probability to hold them, if the incumbent does not. Only
/// those with good means and some of the others get a variance.
fn ranked(
    posterior: &Posterior<'_>,
    incumbent: &Rival,
    candidates: Vec<Vec<f64>>,
    belief: &dyn Fn(&[f64]) -> f64,
) -> Vec<(f64, Rival)> {
    let Posterior { process, limits } = posterior;
    let doubt = doubt(process.count());
    let mean = |met: &Met| met.mean + BEYOND * limits.distance(&met.values);
    let mut by_mean: Vec<(f64, Met)> =
        candidates.into_iter().map(|values| process.met(values)).map(|met| (mean(&met), met)).collect();
    by_mean.sort_by(|a, b| a.0.total_cmp(&b.0));
    let is_kept = |i: usize| i < SCREENED || i.is_multiple_of(OTHERS);
    let kept = by_mean.into_iter().enumerate().filter(|&(i, _)| is_kept(i)).map(|(_, (_, met))| met);
    let promise = |Rival { of, prospect }: &Rival| {
        if !incumbent.prospect.is_feasible {
            return prospect.log;
        }
        let deviation = process.variance_between(of, &incumbent.of).sqrt();
        improvement(incumbent.of.mean - of.mean, doubt * deviation) * belief(&of.values) * prospect.chance
    };
    let mut ranked: Vec<(f64, Rival)> = posterior.rivals(kept.collect()).map(|one| (promise(&one), one)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked
}

fn doubt(trials: usize) -> f64 {
    let (first, last) = DOUBTING;
    1.0 + (DOUBT - 1.0) * ((trials as f64 - first) / (last - first)).clamp(0.0, 1.0)
}

/// Returns the expected positive part of a normal deviate with this mean and standard deviation.
fn improvement(mean: f64, deviation: f64) -> f64 {
    if deviation <= 0.0 {
        return mean.max(0.0);
    }
    let z = mean / deviation;
    deviation * (density(z) + z * below(z))
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

/// Returns the candidate whose trial is expected to lower the least mean of those that hold all
/// constraints most (a knowledge gradient: Frazier, Powell and Dayanik, 2009); if none holds them,
/// the most probable one to do so. A candidate that has played all cases tells no more.
fn most_telling(process: &Process<'_>, around: Around<'_>, rivals: &[&Rival], offers: Range<usize>) -> usize {
    let quantiles = quantiles();
    let feasible = || rivals.iter().filter(|rival| rival.prospect.is_feasible);
    let least = feasible().map(|rival| rival.of.mean).fold(f64::INFINITY, f64::min);
    let gain = |x: &Rival| {
        if around.cases != Cases::Many && offers.clone().all(|case| process.has(&x.of.values, case)) {
            return f64::NEG_INFINITY;
        }
        if least == f64::INFINITY {
            return x.prospect.log;
        }
        let deviation = process.variance_of_outcome(&x.of).sqrt();
        let moved = |a: &Rival| (a.of.mean, process.covariance(&a.of, &x.of) / deviation);
        let gain = |moves: &[(f64, f64)]| {
            let after = |z: f64| moves.iter().map(|(mean, by)| mean + by * z).fold(f64::INFINITY, f64::min);
            least - quantiles.iter().map(|&z| after(z)).sum::<f64>() / QUANTILES as f64
        };
        let with_x: Vec<(f64, f64)> =
            rivals.iter().filter(|a| a.prospect.is_feasible || a.of.values == x.of.values).map(|a| moved(a)).collect();
        let mut gained = gain(&with_x);
        if !x.prospect.is_feasible {
            // The others may gain from the trial, even if `x` turns out to break a constraint.
            let others: Vec<(f64, f64)> = feasible().map(|a| moved(a)).collect();
            gained = x.prospect.chance * gained + (1.0 - x.prospect.chance) * gain(&others);
        }
        gained * (around.belief)(&x.of.values)
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

/// Returns the trials that are most informative about the difference of a candidate from a rival,
/// each trial counted as a cost: one of the candidate on a case that it has not played, or one of
/// each on a case that neither has played. The level of a new instance is not known, so that a
/// single trial there says little. Returns none if the candidate has played all cases on offer.
pub fn most_telling_trials(
    posterior: &Posterior<'_>,
    chosen: &Assessed,
    rival: &Assessed,
    offers: Range<usize>,
) -> Vec<ModelTrial> {
    let Posterior { process, limits } = posterior;
    let variance = process.variance_between(chosen, rival);
    let of_limits = limits.told(&chosen.values);
    let duel = process.duel(chosen, rival);
    let open = offers.clone().filter(|&case| !process.has(&chosen.values, case));
    let mut ways: Vec<(usize, bool)> = open.map(|case| (case, false)).collect();
    if chosen.values != rival.values {
        let pairs = ways.clone().into_iter().filter(|&(case, _)| !process.has(&rival.values, case));
        ways.extend(pairs.map(|(case, _)| (case, true)));
    }
    let promising = |is_pair: bool| {
        let own = ways.iter().filter(|way| way.1 == is_pair);
        let mut own: Vec<(f64, usize)> = own.map(|&(case, _)| (duel.promise(case, is_pair), case)).collect();
        own.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        own.into_iter().take(CASES).map(move |(_, case)| (case, is_pair))
    };
    let mut best: Option<(f64, usize, bool)> = None;
    for (case, is_pair) in promising(false).chain(promising(true)) {
        let cost = if is_pair { 2.0 } else { 1.0 };
        let told = (duel.told(case, is_pair) + variance * of_limits(case)) / cost;
        if best.is_none_or(|(most, ..)| told > most) {
            best = Some((told, case, is_pair));
        }
    }
    let Some((_, case, is_pair)) = best else { return Vec::new() };
    let rival = is_pair.then(|| ModelTrial::new(rival.values.clone(), case));
    [ModelTrial::new(chosen.values.clone(), case)].into_iter().chain(rival).collect()
}
