//! The verdict of a run: whether the selected finalist is better than the baseline.

use crate::job::Job;
use crate::judgement::comparison::{Comparison, Units};
use crate::judgement::measured::{Measured, scores};
use crate::model::seed::Split;
use crate::run::finalist::Finalist;
use crate::search::FinalistKind;
use crate::statistics::{Estimate, Interval, digits, grouped};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a verdict is based on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Basis {
    /// The held-out test.
    #[default]
    Test,
    /// The only outcome of each candidate: the problem has one deal.
    Exact,
    /// The search alone: the job wants no test.
    Search,
}

/// The comparison of the chosen finalist with the starting weights, on games that neither was selected on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What it is based on.
    #[serde(default)]
    pub basis: Basis,
    /// The problem's [goal](crate::model::problem::Problem::goal).
    #[serde(default)]
    pub goal: Option<String>,
    /// Which finalist.
    pub finalist: FinalistKind,
    /// The generation that it is from.
    pub generation: u64,
    /// Games that both played.
    pub games: usize,
    /// Games that both would have played at most, had it not been clear before.
    #[serde(default)]
    pub most: usize,
    /// How many instances the games are of, where there is a list of them; and whether the search saw the same ones.
    #[serde(default)]
    pub instances: Option<(usize, bool)>,
    /// Mean score of the starting weights.
    pub start: f64,
    /// Standard error of that mean, by units as in the comparison.
    pub start_error: f64,
    /// Mean score of the finalist.
    pub mean: f64,
    /// Standard error of that mean.
    pub mean_error: f64,
    /// Games in which the starting weights failed, and those in which the finalist did.
    #[serde(default)]
    pub failures: [usize; 2],
    /// Whether trials of the problem can fail, as far as is known.
    #[serde(default)]
    pub can_fail: bool,
    /// How many of the evolving parameters matter, of how many; `None` if that is not known.
    #[serde(default)]
    pub matter: Option<(usize, usize)>,
    /// Mean of the differences of objectives, game by game, with its 95 % interval. It decides. The interval holds however
    /// often was looked, by the means of instances where there are some.
    pub difference: Interval,
    /// The same for scores, where they differ from the objective.
    pub scores: Option<Interval>,
}

impl Verdict {
    /// The verdict from the outcomes of the starting weights and the finalist on the same games, and the comparisons of
    /// their objectives and scores by units of games.
    pub(super) fn new(
        job: &Job,
        (finalist, can_fail): (&Finalist, bool),
        units: Units,
        [start, chosen]: &[Vec<Measured>; 2],
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
            games: chosen.len(),
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
        }
    }

    /// The verdict of a run that chose the starting weights, of which these were the outcomes on held-out games: nothing
    /// was compared.
    pub(super) fn of_start(job: &Job, start: &[Measured]) -> Self {
        let Estimate { mean, standard_error, .. } = Estimate::of(&scores(start));
        let basis = if job.source.problem.is_one_deal() { Basis::Exact } else { Basis::Test };
        Verdict {
            basis,
            start: mean,
            start_error: standard_error,
            mean,
            mean_error: standard_error,
            ..Verdict::default()
        }
    }

    /// The verdict of a run without a test.
    pub(super) fn untested(chosen: &Finalist) -> Self {
        let Finalist { kind, generation, .. } = *chosen;
        Verdict { basis: Basis::Search, finalist: kind, generation, ..Verdict::default() }
    }

    /// Whether the finalist is better: the whole interval lies above zero.
    pub fn is_improvement(&self) -> bool {
        self.difference.low > 0.0
    }

    /// Whether the run recommends the finalist: it is better, or the job wants no test.
    pub fn recommends_finalist(&self) -> bool {
        self.basis == Basis::Search || self.is_improvement()
    }

    /// The sentence about failures; `None` where there can be none.
    fn failures_told(&self) -> Option<String> {
        let [of_start, of_finalist] = self.failures;
        if of_finalist > 0 {
            return Some(format!("{of_finalist} of the finalist's trials, {of_start} of the baseline's"));
        }
        let (count, unit) = self.instances.map_or((self.games, ""), |(count, _)| (count, " instances"));
        let most = 100.0 * most_failing(count);
        let digits = [1.0, 10.0].into_iter().filter(|&bound| most < bound).count();
        let of_start = if of_start > 0 { format!("; {of_start} of the baseline's trials") } else { String::new() };
        self.can_fail
            .then(|| format!("none of {count}{unit} failed: fewer than {most:.digits$} % (95 % confidence){of_start}"))
    }
}

/// The share of failures that so many trials without any rule out with 95 % confidence.
fn most_failing(trials: usize) -> f64 {
    1.0 - libm::pow(0.05, 1.0 / trials.max(1) as f64)
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict { finalist, generation, games, start, start_error, mean, mean_error, difference, .. } = self;
        let which = match finalist {
            FinalistKind::Baseline => {
                writeln!(
                    f,
                    "finalist: none; the search found nothing better than the baseline, so no test was played"
                )?;
                return write!(f, "no improvement found. The baseline stays.");
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
            most if most > *games => format!(", of at most {}", grouped(most as u64)),
            _ => String::new(),
        };
        let games = grouped(*games as u64);
        match self.instances {
            _ if self.basis == Basis::Exact => {
                writeln!(f, "one outcome for each candidate, as the command names no instance; nothing was held out:")?
            }
            None => writeln!(f, "held-out test, {games} trials{early}:")?,
            Some((count, false)) => {
                writeln!(f, "held-out test, {games} trials of {count} instances{early}:")?;
            }
            Some((count, true)) => writeln!(
                f,
                "test on {games} new trials of the {count} instances of the search{early}; the verdict is about these \
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
        if let Some(failures) = self.failures_told() {
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
        if self.is_improvement() {
            write!(f, "improvement found: the finalist is better.")
        } else {
            let why = match self.basis {
                Basis::Exact => "the finalist is not better",
                _ => "the interval includes zero or lies below",
            };
            write!(f, "no improvement found: {why}. The baseline stays.")
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
