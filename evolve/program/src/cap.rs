//! Caps: the scores at which trials of the search stop, because a rival needed far less on the same
//! instance.
//!
//! A cap is a multiple of the rival's score on the instance (the per-instance bound of irace's
//! `boundType`). It depends only on outcomes of earlier rounds, so simultaneous trials do not
//! affect each other.

use crate::file::{Capping, ProgramKeys};
use crate::program::{Attempt, Declaration};
use crate::scenarios::Scenarios;
use crate::score::{Clock, Score};
use crate::template::{BuiltIn, Shown};
use evolve_process::{Exceeded, Finished, Interruption};
use evolve_search::document::{Fault, Section};
use evolve_search::model::constraint::Constraint;
use evolve_search::model::goal::Direction;
use std::time::Duration;

/// The default factor: the bound multiplier of ParamILS (Hutter et al., "ParamILS: an automatic
/// algorithm configuration framework", 2009, section 4.2). SMAC uses 1.2, but for sums over all
/// instances so far, which vary less.
const FACTOR: f64 = 2.0;
/// The shortest cap in seconds. With a shorter one, the program's start and the sampling rate would
/// decide.
const SHORTEST: f64 = 0.05;
/// The value of `{cap}` without a cap: the largest number that solvers accept as a limit.
const NONE: f64 = i32::MAX as f64;
/// The relative error up to which a score counts as whole.
const WHOLE: f64 = 1e-9;
/// The share of a cap by which a printed score may be below it, though the program stopped at the cap: it
/// compares the score with the cap first, and may then round it down. C++ prints six digits by
/// default, and half a unit of the last one is at most this share.
const ROUNDED: f64 = 5e-6;

/// The score at which a trial stops.
#[derive(Clone, Copy, Debug)]
pub struct Cap(pub f64);

impl Cap {
    /// Returns the time at which the supervisor stops a program, if its run time on this clock is
    /// the score.
    pub fn time(self, declared: &Declaration, clock: Clock) -> Option<Duration> {
        (declared.score.clock() == Some(clock)).then(|| Duration::from_secs_f64(self.0))
    }

    /// Returns whether the supervisor stopped a program at this cap, rather than at a limit of the
    /// job.
    pub fn has_stopped(self, declared: &Declaration, finished: &Finished) -> bool {
        let Some(Interruption::Exceeded(exceeded)) = &finished.interruption else { return false };
        match declared.score.clock() {
            Some(Clock::Cpu) => matches!(exceeded, Exceeded::Cpu { .. }),
            Some(Clock::Wall) => matches!(exceeded, Exceeded::Wall { .. }),
            None => false,
        }
    }

    /// Returns whether a trial reached the cap, so that its score is a bound.
    pub fn is_reached(self, attempt: &Attempt) -> bool {
        attempt.result.as_ref().is_ok_and(|scored| self.stops(scored.score))
    }

    /// Returns whether a printed score is at the cap. Whole caps are of counts, which are printed
    /// exactly: one less than a large cap is below it.
    fn stops(self, score: f64) -> bool {
        let rounded = if self.0.fract() == 0.0 { 0.0 } else { ROUNDED * self.0 };
        score >= self.0 - rounded
    }
}

impl Declaration {
    /// Returns the multiple of a rival's score at which trials stop, if they do.
    pub(crate) fn factor(&self) -> Option<f64> {
        match self.keys.capping {
            Some(Capping::Factor(factor)) => Some(factor),
            _ => None,
        }
    }

    /// Returns the score at which a trial stops, given the rival's objective and the reference of
    /// ratios on the case. Returns `None` if only the limits of the job stop it.
    pub(crate) fn cap(&self, rival: f64, reference: f64) -> Option<Cap> {
        let score = self.keys.scale.score(rival, reference);
        let is_number = score.is_finite() && score > 0.0;
        let factor = self.factor().filter(|_| is_number)?;
        let Some(clock) = self.score.clock() else {
            // The cap of a count is a count as well.
            let is_whole = (score - score.round()).abs() <= WHOLE * score;
            return Some(Cap(if is_whole { (factor * score.round()).ceil() } else { factor * score }));
        };
        let cap = (factor * score).max(SHORTEST);
        (cap < limit(self, clock)).then_some(Cap(cap))
    }
}

/// Returns the job's own limit for a clock, in seconds.
fn limit(declared: &Declaration, clock: Clock) -> f64 {
    let keys = &declared.keys;
    let cpu = keys.cpu_limit.filter(|_| clock == Clock::Cpu);
    cpu.map_or(keys.timeout.0, |cpu| cpu.0.min(keys.timeout.0)).as_secs_f64()
}

/// Returns the value of `{cap}`. For counts it is a whole number, because solvers take whole
/// numbers as limits.
pub fn shown(declared: &Declaration, cap: Option<Cap>) -> Shown {
    let clock = declared.score.clock();
    let cap = cap.map_or_else(|| clock.map_or(NONE, |clock| limit(declared, clock)), |Cap(cap)| cap);
    if clock.is_none() && cap.fract() == 0.0 && cap <= NONE { Shown::Int(cap as i64) } else { Shown::Float(cap) }
}

/// Returns the `capping` of a program: the given one, or its default.
///
/// # Errors
/// If `capping` does not fit the score, or no trial would stop at a cap.
pub fn capping(
    keys: &ProgramKeys,
    score: &Score,
    scenarios: &Scenarios,
    constraints: &[Constraint],
    section: &Section<'_>,
) -> Result<Option<Capping>, Fault> {
    let is_shown = keys.mentions(BuiltIn::Cap);
    let is_time = score.clock().is_some();
    let unfit = match () {
        () if keys.goal == Direction::Maximize => Some("the score is maximized, and only a minimized one has a cap"),
        () if !constraints.is_empty() => {
            Some("[constraints] needs the values of every trial, and a stopped trial has none")
        }
        () if scenarios.rows().len() > 1 => Some("a trial of several scenarios cannot have a cap"),
        () => None,
    };
    let fault = |names: &[&str], what: &str| Err(section.fault(names, what));
    match (keys.capping, unfit) {
        (None, Some(unfit)) if is_shown => fault(&["command"], &format!("`{{cap}}`: {unfit}; remove it")),
        (None, None) if is_shown || is_time => Ok(Some(Capping::Factor(FACTOR))),
        (None | Some(Capping::Off), _) => Ok(keys.capping),
        (Some(Capping::Factor(_)), Some(unfit)) => fault(&["capping"], &format!("`capping`: {unfit}; remove it")),
        (Some(Capping::Factor(factor)), None) if !(factor.is_finite() && factor >= 1.0) => {
            fault(&["capping"], &format!("`capping` is {factor}; write a number of 1 or more, or \"off\""))
        }
        (Some(Capping::Factor(_)), None) if !(is_shown || is_time || keys.worker) => fault(
            &["capping"],
            "`capping`: the program does not receive the score at which to stop: write `{cap}` in `command`, or remove `capping`",
        ),
        (Some(Capping::Factor(_)), None) => Ok(keys.capping),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_at_the_cap_may_be_rounded() {
        let stops = |cap: f64, score: f64| Cap(cap).stops(score);
        // 5 decimals, and 6 digits.
        assert!(stops(1_481.617_144, 1_481.617_14) && stops(1.000_004_9, 1.0) && stops(1_234_564.9, 1_234_560.0));
        assert!(stops(400.0, 400.0) && stops(400.5, 401.0));
        assert!(!stops(1_481.617_144, 1_481.60) && !stops(1.000_004_9, 0.999_99));
        // Counts are not rounded.
        assert!(!stops(2_000_000.0, 1_999_999.0));
    }
}
