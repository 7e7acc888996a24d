//! The verdict of a run: whether the selected finalist is better than the baseline.

use crate::job::Job;
use crate::judgement::comparison::{Comparison, Units};
use crate::judgement::held::{Held, Holding, worst};
use crate::judgement::measured::{Measured, scores};
use crate::model::constraint::{Constraint, Limit};
use crate::model::seed::Split;
use crate::run::finalist::Finalist;
use crate::search::FinalistKind;
use crate::statistics::{Estimate, Interval, digits, grouped};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The evidence of a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Basis {
    /// The held-out test.
    #[default]
    Test,
    /// The only outcome of each candidate: the problem has one deal.
    Exact,
    /// The search alone: the job disables the test.
    Search,
}

/// The comparison of the chosen finalist with the baseline, on instances that the choice did not use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The evidence.
    #[serde(default)]
    pub basis: Basis,
    /// The problem's [goal](crate::model::problem::Problem::goal).
    #[serde(default)]
    pub goal: Option<String>,
    /// The finalist.
    pub finalist: FinalistKind,
    /// The generation of the finalist.
    pub generation: u64,
    /// Number of trials that each of them played.
    #[serde(rename = "games")]
    pub trials: usize,
    /// Largest number of trials that the test planned for each.
    #[serde(default)]
    pub most: usize,
    /// Number of instances of the trials, if the problem lists instances, and whether the search used the same ones.
    #[serde(default)]
    pub instances: Option<(usize, bool)>,
    /// Mean score of the starting weights.
    pub start: f64,
    /// Standard error of that mean, by the units of the comparison.
    pub start_error: f64,
    /// Mean score of the finalist.
    pub mean: f64,
    /// Standard error of that mean.
    pub mean_error: f64,
    /// Number of trials in which the starting weights failed, and in which the finalist failed.
    #[serde(default)]
    pub failures: [usize; 2],
    /// Whether trials of the problem can fail, as far as is known.
    #[serde(default)]
    pub can_fail: bool,
    /// Number of tuned parameters that have an effect, and number of all tuned parameters; `None` if unknown.
    #[serde(default)]
    pub matter: Option<(usize, usize)>,
    /// Mean of the differences of objectives, trial by trial, with its 95 % interval, which decides. The interval remains
    /// valid under any number of interim analyses; it uses the means of instances if the problem lists some.
    pub difference: Interval,
    /// The same for scores, if they differ from the objectives.
    pub scores: Option<Interval>,
    /// The result for each constraint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Constrained>,
}

/// The results of baseline and finalist for a constraint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Constrained {
    /// The quantity.
    name: String,
    /// Its unit.
    unit: String,
    limit: Limit,
    start: Held,
    /// `None` without a finalist.
    finalist: Option<Held>,
}

fn constrained(job: &Job, start: &[Held], finalist: &[Held]) -> Vec<Constrained> {
    let constraints = job.source.problem.constraints();
    let of = |((place, constraint), &start): ((usize, Constraint), &Held)| {
        let Constraint { name, unit, limit, .. } = constraint;
        Constrained { name, unit: unit.to_string(), limit, start, finalist: finalist.get(place).copied() }
    };
    constraints.into_iter().enumerate().zip(start).map(of).collect()
}

impl Verdict {
    /// Returns the verdict from the outcomes of baseline and finalist on the same instances, and from the comparisons of
    /// their objectives and scores by units.
    pub(super) fn new(
        job: &Job,
        (finalist, can_fail): (&Finalist, bool),
        units: Units,
        [start, chosen]: &[Vec<Measured>; 2],
        [start_held, held]: &[Vec<Held>; 2],
        objectives: &Comparison,
        of_scores: &Comparison,
    ) -> Self {
        let is_score = |all: &[Measured]| all.iter().all(|measured| measured.objective == measured.score);
        let are_scores = !job.source.problem.is_rated_by_ratio() && is_score(start) && is_score(chosen);
        let [of_start, of_finalist] = [start, chosen].map(|all| Estimate::of(&units.means(&scores(all))));
        let names = |split| job.source.problem.instances(split);
        let are_seen = || names(Split::Test) == names(Split::Search);
        let is_exact = job.source.problem.is_one_deal();
        let exact = |of: &Comparison| Interval { mean: of.mean(), low: of.mean(), high: of.mean() };
        let interval = |of: &Comparison| if is_exact { exact(of) } else { of.interval() };
        Verdict {
            basis: if is_exact { Basis::Exact } else { Basis::Test },
            goal: job.source.problem.goal(),
            finalist: finalist.kind,
            generation: finalist.generation,
            trials: chosen.len(),
            most: units.deals,
            instances: units.instances.then(|| (objectives.count(), are_seen())),
            start: of_start.mean,
            start_error: of_start.standard_error,
            mean: of_finalist.mean,
            mean_error: of_finalist.standard_error,
            failures: [start, chosen].map(|all| all.iter().filter(|measured| measured.failed).count()),
            can_fail: can_fail && !is_exact,
            matter: finalist.matter.map(|matter| (matter, job.space.places().len())),
            difference: interval(objectives),
            scores: (!are_scores).then(|| interval(of_scores)),
            constraints: constrained(job, start_held, held),
        }
    }

    /// Returns the verdict of a run that chose the baseline, with its outcomes on held-out instances. No comparison was
    /// made.
    pub(super) fn of_start(job: &Job, start: &[Measured], held: &[Held]) -> Self {
        let Estimate { mean, standard_error, .. } = Estimate::of(&scores(start));
        let basis = if job.source.problem.is_one_deal() { Basis::Exact } else { Basis::Test };
        Verdict {
            basis,
            start: mean,
            start_error: standard_error,
            mean,
            mean_error: standard_error,
            constraints: constrained(job, held, &[]),
            ..Verdict::default()
        }
    }

    /// Returns the verdict of a run without a test.
    pub(super) fn untested(chosen: &Finalist) -> Self {
        let Finalist { kind, generation, .. } = *chosen;
        Verdict { basis: Basis::Search, finalist: kind, generation, ..Verdict::default() }
    }

    /// Returns whether the finalist is better: it holds all constraints, and either the whole interval lies above zero
    /// or the baseline breaks a constraint.
    pub fn is_improvement(&self) -> bool {
        self.is_held() && (self.difference.low > 0.0 || self.start_breaks().next().is_some())
    }

    /// Returns whether the finalist holds all constraints.
    pub fn is_held(&self) -> bool {
        worst(self.constraints.iter().flat_map(|one| &one.finalist)) == Holding::Held
    }

    /// Returns the constraints that the baseline breaks.
    fn start_breaks(&self) -> impl Iterator<Item = &Constrained> {
        self.constraints.iter().filter(|one| one.start.answer == Holding::Broken)
    }

    /// Returns the reason why a finalist that does not hold all constraints is not recommended.
    fn not_held(&self) -> Option<String> {
        let of =
            |answer| self.constraints.iter().filter(move |one| one.finalist.is_some_and(|held| held.answer == answer));
        match (names(of(Holding::Broken)), names(of(Holding::Open))) {
            (Some(broken), _) => Some(format!("the finalist breaks {broken}")),
            (None, open) => open.map(|open| format!("it is not clear that the finalist holds {open}")),
        }
    }

    /// Returns whether the run recommends the finalist: it is better, or the job disables the test.
    pub fn recommends_finalist(&self) -> bool {
        self.basis == Basis::Search || self.is_improvement()
    }

    /// Returns the end of the sentence which says that the baseline stays.
    fn as_it_is(&self) -> String {
        names(self.start_breaks()).map_or_else(|| ".".to_string(), |broken| format!(", though it breaks {broken}."))
    }

    /// Returns the sentence about failures; `None` if trials cannot fail.
    fn failures_text(&self) -> Option<String> {
        let [of_start, of_finalist] = self.failures;
        if of_finalist > 0 {
            return Some(format!("{of_finalist} of the finalist's trials, {of_start} of the baseline's"));
        }
        let (count, unit) = self.instances.map_or((self.trials, ""), |(count, _)| (count, " instances"));
        let most = 100.0 * most_failing(count);
        let digits = [1.0, 10.0].into_iter().filter(|&bound| most < bound).count();
        let of_start = if of_start > 0 { format!("; {of_start} of the baseline's trials") } else { String::new() };
        self.can_fail.then(|| {
            format!("none of {count}{unit} failed: failure rate below {most:.digits$} % (95 % confidence){of_start}")
        })
    }
}

/// Returns the names of constraints.
fn names<'c>(all: impl Iterator<Item = &'c Constrained>) -> Option<String> {
    let names: Vec<String> = all.map(|one| format!("`{} {}`", one.name, one.limit)).collect();
    (!names.is_empty()).then(|| names.join(" and "))
}

/// Returns the figures of the finalist, if there is one, and of the baseline, each against the limit.
impl fmt::Display for Constrained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Constrained { name, unit, limit, start, finalist } = self;
        let text = |held: &Held| format!("{} {limit}: {}", held.figures(limit, unit), held.answer);
        match finalist {
            Some(held) => write!(f, "{name}: {}; baseline {}", text(held), text(start)),
            None => write!(f, "{name}: baseline {}", text(start)),
        }
    }
}

/// Returns the largest failure rate that is consistent, at 95 % confidence, with this many trials without a failure.
fn most_failing(trials: usize) -> f64 {
    1.0 - libm::pow(0.05, 1.0 / trials.max(1) as f64)
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict { finalist, generation, trials, start, start_error, mean, mean_error, difference, .. } = self;
        let which = match finalist {
            FinalistKind::Baseline => {
                let held = if self.constraints.is_empty() { "" } else { " that holds the constraints" };
                writeln!(
                    f,
                    "finalist: none; the search found nothing better than the baseline{held}, so no test was played"
                )?;
                self.constraints.iter().try_for_each(|one| writeln!(f, "  {one}"))?;
                return write!(f, "no improvement found. The baseline stays{}", self.as_it_is());
            }
            FinalistKind::Mean => format!("the candidate recommended after generation {generation}"),
            FinalistKind::Last => format!("the search's position after generation {generation}"),
            FinalistKind::Elite => format!("the best member of generation {generation}"),
        };
        writeln!(f, "finalist: {which}")?;
        if self.basis == Basis::Search {
            return write!(f, "not tested, as the job says: `evolve compare` measures it against the baseline.");
        }
        let early = match self.most {
            most if most > *trials => format!(", of at most {}", grouped(most as u64)),
            _ => String::new(),
        };
        let trials = grouped(*trials as u64);
        match self.instances {
            _ if self.basis == Basis::Exact => {
                writeln!(f, "one outcome for each candidate, as the command names no instance; nothing was held out:")?
            }
            None => writeln!(f, "held-out test, {trials} trials{early}:")?,
            Some((count, false)) => {
                writeln!(f, "held-out test, {trials} trials of {count} instances{early}:")?;
            }
            Some((count, true)) => writeln!(
                f,
                "test on {trials} trials of the {count} instances of the search{early}; the verdict is about these \
                    instances only:"
            )?,
        }
        if let Some(goal) = &self.goal {
            writeln!(f, "  goal              {goal}")?;
        }
        let error = [*start_error, *mean_error].into_iter().filter(|&error| error > 0.0).fold(f64::INFINITY, f64::min);
        let digits = digits(error, start.abs().max(mean.abs()));
        let error_of = |error: &f64| match self.basis {
            Basis::Exact => String::new(),
            _ => format!("  (standard error {error:.digits$})"),
        };
        writeln!(f, "  baseline          {start:.digits$}{}", error_of(start_error))?;
        writeln!(f, "  finalist          {mean:.digits$}{}", error_of(mean_error))?;
        let objective = self.scores.map(|_| ("of the objective", *difference));
        let first = ("difference", self.scores.unwrap_or(*difference));
        for (what, interval) in [first].into_iter().chain(objective) {
            if self.basis == Basis::Exact {
                writeln!(f, "  {what:<16}  {:+.digits$}", interval.mean)?;
                continue;
            }
            let (Interval { mean, low, high }, digits) = (interval, interval.digits());
            writeln!(
                f,
                "  {what:<16}  {mean:+.digits$}  (95 % confidence interval {low:+.digits$} to \
                {high:+.digits$}, paired)"
            )?;
        }
        if let Some(failures) = self.failures_text() {
            writeln!(f, "  failures          {failures}")?;
        }
        match self.matter {
            Some((matter, all)) if matter < all => {
                let keep = match all - matter {
                    1 => "1 keeps its".to_string(),
                    kept => format!("{kept} keep their"),
                };
                writeln!(f, "  parameters        {matter} of {all} have an effect; {keep} start")?;
            }
            Some((_, all)) if all > 1 => writeln!(f, "  parameters        all {all} have an effect")?,
            _ => {}
        }
        self.constraints.iter().try_for_each(|one| writeln!(f, "  {one}"))?;
        match names(self.start_breaks()) {
            Some(broken) if self.is_improvement() => {
                write!(f, "improvement found: the finalist holds the constraints, and the baseline breaks {broken}.")
            }
            None if self.is_improvement() => write!(f, "improvement found: the finalist is better."),
            _ => {
                let why = self.not_held().unwrap_or_else(|| {
                    let why = match self.basis {
                        Basis::Exact => "the finalist is not better",
                        _ => "the interval includes zero or lies below it",
                    };
                    why.to_string()
                });
                write!(f, "no improvement found: {why}. The baseline stays{}", self.as_it_is())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::most_failing;

    #[test]
    fn what_was_never_seen_is_rare() {
        assert!((most_failing(300) - 0.009_936).abs() < 1e-6);
        assert!((most_failing(1) - 0.95).abs() < 1e-12);
    }
}
