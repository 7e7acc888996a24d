//! Stops of trials: the limits of the job and, in the search, caps. A trial stops at its cap, a
//! score, because a rival needed far less on the same instance.
//!
//! A cap is a multiple of the rival's score on the instance (the per-instance bound of irace's
//! `boundType`). It depends only on outcomes of earlier rounds, so simultaneous trials do not
//! affect each other.

use crate::failure::Trouble;
use crate::file::Capping;
use crate::program::{Attempt, Declaration};
use crate::score::{Clock, Scored};
use crate::template::{BuiltIn, Shown};
use evolve_process::{Exceeded, Finished, Interruption};
use evolve_search::document::{Fault, Section};
use evolve_search::model::goal::Direction;
use evolve_search::model::trial::FailureKind;
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
/// The share of a cap by which a printed score may be below it, though the program stopped at the
/// cap: it compares the score with the cap first, and may then round it down. C++ prints six digits
/// by default, and half a unit of the last one is at most this share.
const ROUNDED: f64 = 5e-6;

/// The score at which a trial stops.
#[derive(Clone, Copy, Debug)]
struct Cap(f64);

/// The stop of a trial: the limits of the job, or a cap below them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop(Option<Cap>);

impl Stop {
    /// Returns what stops a trial, given the objective of a rival and the reference of ratios on
    /// the case.
    pub fn of(declared: &Declaration, rival: Option<f64>, reference: f64) -> Self {
        Stop(rival.and_then(|rival| declared.cap(rival, reference)))
    }

    /// Returns the time on a clock at which the supervisor stops a program.
    pub fn time(self, declared: &Declaration, clock: Clock) -> Option<Duration> {
        let keys = &declared.keys;
        let is_score = declared.score.clock() == Some(clock);
        let cap = self.0.filter(|_| is_score).map(|Cap(cap)| Duration::from_secs_f64(cap));
        cap.or(match clock {
            Clock::Wall => Some(keys.timeout.0),
            Clock::Cpu => keys.cpu_limit.map(|cpu| cpu.0),
        })
    }

    /// Returns the result of a program that the supervisor stopped at the cap, rather than at a
    /// limit of the job.
    pub fn result(self, declared: &Declaration, finished: &Finished) -> Option<Scored> {
        let Some(Interruption::Exceeded(exceeded)) = &finished.interruption else { return None };
        let is_score = match declared.score.clock()? {
            Clock::Cpu => matches!(exceeded, Exceeded::Cpu { .. }),
            Clock::Wall => matches!(exceeded, Exceeded::Wall { .. }),
        };
        self.score().filter(|_| is_score).map(|score| Scored { score, metrics: Vec::new() })
    }

    /// Returns whether a trial reached the cap, so that its score is a bound.
    pub fn is_reached(self, attempt: &Attempt) -> bool {
        self.0.zip(attempt.result.as_ref().ok()).is_some_and(|(cap, scored)| cap.stops(scored.score))
    }

    /// Checks the score of a program that received `{cap}` without a cap: it may have stopped
    /// there.
    ///
    /// # Errors
    /// If the score is not below the largest cap.
    pub fn check(self, declared: &Declaration, score: f64) -> Result<(), Trouble> {
        let is_shown = declared.keys.mentions(BuiltIn::Cap) && declared.score.clock().is_none();
        match self.0 {
            None if is_shown && score >= NONE => {
                let message = format!(
                    "its score {score} reaches {NONE}, the `{{cap}}` of a trial without one, at which it may have stopped: print \
                     smaller scores, such as thousandths, or remove `{{cap}}`"
                );
                Err(Trouble::Failed(FailureKind::Score, message))
            }
            _ => Ok(()),
        }
    }

    /// Returns the score at which the program should stop, if the job's limits do not stop it
    /// first.
    pub fn score(self) -> Option<f64> {
        self.0.map(|Cap(score)| score)
    }

    /// Returns the value of `{cap}`. For counts it is a whole number, because solvers take whole
    /// numbers as limits.
    pub fn shown(self, declared: &Declaration) -> Shown {
        let clock = declared.score.clock();
        let cap = self.score().unwrap_or_else(|| clock.map_or(NONE, |clock| limit(declared, clock)));
        if clock.is_none() && cap.fract() == 0.0 && cap <= NONE { Shown::Int(cap as i64) } else { Shown::Float(cap) }
    }
}

impl Cap {
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
    fn cap(&self, rival: f64, reference: f64) -> Option<Cap> {
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

    /// Completes `capping`: the given one, or its default.
    ///
    /// # Errors
    /// If `capping` does not fit the score, or no trial would stop at a cap.
    pub(crate) fn with_stops(mut self, section: &Section<'_>) -> Result<Self, Fault> {
        self.keys.capping = self.capping(section)?;
        Ok(self)
    }

    fn capping(&self, section: &Section<'_>) -> Result<Option<Capping>, Fault> {
        let keys = &self.keys;
        let is_shown = keys.mentions(BuiltIn::Cap);
        let is_time = self.score.clock().is_some();
        let is_maximized = keys.goal == Direction::Maximize;
        let unfit = is_maximized
            .then_some("the score is maximized, and only a minimized one has a cap")
            .or_else(|| self.constraints.needs_values())
            .or((self.scenarios.rows().len() > 1).then_some("a trial of several scenarios cannot have a cap"));
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
}

/// Returns the job's own limit for a clock, in seconds.
fn limit(declared: &Declaration, clock: Clock) -> f64 {
    let keys = &declared.keys;
    let cpu = keys.cpu_limit.filter(|_| clock == Clock::Cpu);
    cpu.map_or(keys.timeout.0, |cpu| cpu.0.min(keys.timeout.0)).as_secs_f64()
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
