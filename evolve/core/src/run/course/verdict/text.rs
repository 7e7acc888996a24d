//! The verdict of a run in words.

use super::{Compared, Sample, Verdict};
use crate::job::recorded::Found;
use crate::judgement::comparison::{Answer, Unseen, unseen};
use crate::judgement::groups;
use crate::judgement::measured::TENFOLD;
use evolve_search::optimizer::FinalistKind;
use evolve_search::statistics::{counted, decimals, digits, grouped};
use std::fmt;

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Kept { constraints, .. } => {
                let feasible = if constraints.is_empty() { "" } else { " that holds the constraints" };
                writeln!(
                    f,
                    "finalist: none; the search found nothing better than the baseline{feasible}, so no test was played"
                )?;
                constraints.iter().try_for_each(|one| writeln!(f, "  {one}"))?;
                write!(f, "no improvement found. {}", constraints.baseline_stays())
            }
            Verdict::Untested { finalist, generation } => {
                writeln!(f, "finalist: {}", origin(*finalist, *generation))?;
                write!(f, "not tested, as the job says: `evolve compare` measures it against the baseline.")
            }
            Verdict::Exact(compared, listed) => compared.write(Err(*listed), f),
            Verdict::Tested(compared, sample) => compared.write(Ok(sample), f),
        }
    }
}

/// Returns the point of the search that a finalist is.
fn origin(finalist: FinalistKind, generation: u64) -> String {
    match finalist {
        FinalistKind::Baseline => "the baseline".to_string(),
        FinalistKind::Mean => format!("the candidate recommended after generation {generation}"),
        FinalistKind::Last => format!("the search's position after generation {generation}"),
        FinalistKind::Elite => format!("the best member of generation {generation}"),
        FinalistKind::Model => "the recommendation of the Gaussian process".to_string(),
    }
}

impl Verdict {
    /// Returns the sentence about a loss that can have been missed, and would cancel the gain.
    pub fn unseen(&self) -> Option<String> {
        match self {
            Verdict::Tested(compared, sample) => Some(compared.unseen_text(compared.unseen?, sample)),
            _ => None,
        }
    }
}

impl Compared {
    /// Writes the comparison on the instances of a test, or the exact one on the only case or all
    /// listed instances.
    fn write(&self, sample: Result<&Sample, Option<usize>>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Compared { goal, finalist, generation, start, mean, matter, constraints, .. } = self;
        writeln!(f, "finalist: {}", origin(*finalist, *generation))?;
        match sample {
            Err(None) => {
                writeln!(f, "one outcome for each candidate, as the command names no instance; nothing was held out:")?
            }
            Err(Some(1)) => writeln!(f, "one outcome for each candidate, on the only instance; nothing was held out:")?,
            Err(Some(count)) => {
                writeln!(f, "exact comparison on all {} instances; nothing was held out:", grouped(count as u64))?
            }
            Ok(sample) => writeln!(f, "{}:", self.extent(sample))?,
        }
        let sample = sample.ok();
        if let Some(goal) = goal {
            writeln!(f, "  goal              {goal}")?;
        }
        let errors = sample.map(|sample| sample.errors);
        let least = errors.into_iter().flatten().filter(|&error| error > 0.0).fold(f64::INFINITY, f64::min);
        let digits = digits(least, start.abs().max(mean.abs()));
        let error = |side: usize| {
            errors.map_or_else(String::new, |errors| format!("  (standard error {:.digits$})", errors[side]))
        };
        writeln!(f, "  baseline          {start:.digits$}{}", error(0))?;
        writeln!(f, "  finalist          {mean:.digits$}{}", error(1))?;
        self.paired.lines(digits).iter().try_for_each(|line| writeln!(f, "{line}"))?;
        if let Some(failures) = self.failures_text(sample) {
            writeln!(f, "  failures          {failures}")?;
        }
        if let (Some(unseen), Some(sample)) = (self.unseen, sample) {
            writeln!(f, "  unseen            {}", self.unseen_text(unseen, sample))?;
        }
        match *matter {
            Some((matter, all)) if matter < all => {
                let others = match all - matter {
                    1 => "the other keeps its start value".to_string(),
                    kept => format!("the other {kept} keep their start values"),
                };
                writeln!(f, "  parameters        {matter} of {all} have an effect; {others}")?;
            }
            Some((_, all)) if all > 1 => writeln!(f, "  parameters        all {all} have an effect")?,
            _ => {}
        }
        constraints.iter().try_for_each(|one| writeln!(f, "  {one}"))?;
        self.group_lines().iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        f.write_str(&self.result(sample.is_some()))
    }

    /// Returns the last sentence.
    fn result(&self, is_tested: bool) -> String {
        let broken = || self.constraints.broken_by_baseline();
        if self.found() == Found::Holds {
            let of = self.paired.difference;
            let cost = match self.paired.objective_gain {
                Some(_) if self.paired.by_score() != Some(Answer::Worse) => {
                    " on the scale of the objective".to_string()
                }
                _ => format!(" by {:.*}", of.digits(), of.mean.abs()),
            };
            return format!(
                "the finalist holds the constraints, and the baseline breaks {}; its score is worse{cost}. \
                 The finalist is recommended, because constraints come first.",
                broken()
            );
        }
        if self.found() == Found::NotBetter {
            let why = self.constraints.reason_against_finalist().unwrap_or_else(|| self.not_better(is_tested));
            return format!("no improvement found: {why}. {}", self.constraints.baseline_stays());
        }
        let what = match self.paired.gain().low <= 0.0 {
            true => format!("the finalist holds the constraints, and the baseline breaks {}", broken()),
            false => format!("the finalist is {}", self.paired.words(Answer::Better)),
        };
        let worse = match &groups::worse(&self.groups, self.direction())[..] {
            [] => String::new(),
            worse => format!(", but it is worse where {}", worse.join(" and where ")),
        };
        format!("improvement found: {what}{worse}.")
    }

    /// Returns why a finalist that holds all constraints is not better.
    fn not_better(&self, is_tested: bool) -> String {
        let interval = match () {
            () if !is_tested => return "the finalist is not better".to_string(),
            () if self.paired.gain().high < 0.0 => "lies below zero",
            () => "includes zero",
        };
        match self.paired.objective_gain {
            Some(gain) if self.paired.by_score() == Some(Answer::Better) && gain.high >= 0.0 => {
                format!("the interval of the objective gain, which decides, {interval}; the mean score is better")
            }
            Some(_) => format!("the interval of the objective gain {interval}"),
            None => format!("the interval {interval}"),
        }
    }

    /// Returns the number of trials of a test, and of their instances.
    fn extent(&self, &Sample { most, instances, .. }: &Sample) -> String {
        let early = if most > self.trials { format!(" of at most {}", grouped(most as u64)) } else { String::new() };
        let trials = match early.is_empty() {
            true => counted(self.trials as u64, "trial"),
            false => format!("{}{early} trials", grouped(self.trials as u64)),
        };
        let on = |count: usize| counted(count as u64, "instance");
        match instances {
            None => format!("held-out test, {trials} of each candidate"),
            Some((count, false)) => format!("held-out test, {trials} of each candidate, on {}", on(count)),
            Some((count, true)) => {
                let on = on(count);
                format!(
                    "test, {trials} of each candidate, on {on} of the search; the verdict is about these instances only"
                )
            }
        }
    }

    /// Returns the sentence about failures; `None` if trials cannot fail.
    fn failures_text(&self, sample: Option<&Sample>) -> Option<String> {
        let [of_start, of_finalist] = self.failures;
        if of_finalist > 0 {
            return Some(format!("{of_finalist} of the finalist's trials, {of_start} of the baseline's"));
        }
        let sample = sample.filter(|sample| sample.can_fail)?;
        let (count, unit) = sample.instances.map_or((self.trials, ""), |(count, _)| (count, " instances"));
        let most = share(unseen(count));
        let of_start = if of_start > 0 { format!("; {of_start} of the baseline's trials") } else { String::new() };
        Some(format!("none of {count}{unit} failed: failure rate below {most} (95 % confidence){of_start}"))
    }

    /// Returns the sentence about a loss that can have been missed.
    fn unseen_text(&self, unseen: Unseen, sample: &Sample) -> String {
        let unit = if sample.instances.is_some() { "instances" } else { "trials" };
        let loss = match self.rating.is_ratio() {
            true if sample.can_fail => "a failure".to_string(),
            true => "a loss of the whole score".to_string(),
            false if unseen.loss == TENFOLD && !unseen.is_seen => "a score ten times worse".to_string(),
            false => {
                let what = match self.paired.objective_gain {
                    _ if unseen.is_seen => "the worst seen in the run",
                    None => "as much as the baseline's score",
                    Some(_) => "as much as the baseline's objective",
                };
                format!("a loss of {:.*}, {what},", decimals(unseen.loss), unseen.loss)
            }
        };
        format!(
            "{loss} in {} of {unit} cancels the gain, and one in fewer than {} can have been missed; {} {unit} would exclude it",
            share(unseen.cancels),
            share(unseen.rate),
            grouped(unseen.needed())
        )
    }
}

/// Formats a small share in percent.
fn share(share: f64) -> String {
    let percent = 100.0 * share;
    let digits = [0.1, 1.0, 10.0].into_iter().filter(|&bound| percent < bound).count();
    format!("{percent:.digits$} %")
}
