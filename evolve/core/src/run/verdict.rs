//! What a run found: whether the chosen finalist is better than the starting weights.

use super::measured::{Finalist, Measured, scores};
use crate::comparison::{Comparison, Units};
use crate::config::Job;
use crate::optimizer::FinalistKind;
use crate::seed::Purpose;
use crate::statistics::{Estimate, Interval, decimals};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The comparison of the chosen finalist with the starting weights, on games that neither was selected on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
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
    /// Standard error of that mean.
    pub start_error: f64,
    /// Mean score of the finalist.
    pub mean: f64,
    /// Standard error of that mean.
    pub mean_error: f64,
    /// Games in which the starting weights failed, and those in which the finalist did.
    #[serde(default)]
    pub failures: [usize; 2],
    /// Mean of the differences of objectives, game by game, with its 95 % interval. It decides. The interval holds however
    /// often was looked, by the means of instances where there are some.
    pub difference: Interval,
    /// The same of scores, where they are not what is optimized.
    pub scores: Option<Interval>,
}

impl Verdict {
    /// The verdict from the outcomes of the starting weights and the finalist on the same games, and the comparisons of
    /// their objectives and scores by units of games.
    pub(super) fn new(
        job: &Job,
        finalist: &Finalist,
        units: Units,
        [start, chosen]: &[Vec<Measured>; 2],
        objectives: &Comparison,
        of_scores: &Comparison,
    ) -> Self {
        let is_score = |all: &[Measured]| all.iter().all(|measured| measured.objective == measured.score);
        let (of_start, of_finalist) = (Estimate::of(&scores(start)), Estimate::of(&scores(chosen)));
        let names = |purpose| job.source.problem.instances(purpose);
        let are_seen = || names(Purpose::Verdict) == names(Purpose::Training);
        Verdict {
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
            difference: objectives.interval(),
            scores: (!is_score(start) || !is_score(chosen)).then(|| of_scores.interval()),
        }
    }

    /// The verdict of a run that chose the starting weights, of which these were the outcomes on held-out games: nothing
    /// was compared.
    pub(super) fn of_start(job: &Job, start: &[Measured]) -> Self {
        let Estimate { mean, standard_error, .. } = Estimate::of(&scores(start));
        Verdict {
            finalist: FinalistKind::Start,
            generation: 0,
            games: 0,
            most: job.finals.verdict,
            instances: None,
            start: mean,
            start_error: standard_error,
            mean,
            mean_error: standard_error,
            failures: [0, 0],
            difference: Interval::default(),
            scores: None,
        }
    }

    /// Whether the finalist is better: the whole interval lies above zero.
    pub fn is_improvement(&self) -> bool {
        self.difference.low > 0.0
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict { finalist, generation, games, start, start_error, mean, mean_error, difference, .. } = self;
        let which = match finalist {
            FinalistKind::Start => "the starting weights themselves".to_string(),
            FinalistKind::Mean => format!("the mean of generation {generation}"),
            FinalistKind::Last => format!("where the search was after generation {generation}"),
            FinalistKind::Elite => format!("the best member of generation {generation}"),
        };
        writeln!(f, "finalist chosen:  {which}")?;
        if self.games == 0 {
            return write!(
                f,
                "no improvement found: nothing did better in the final round. The starting weights stay."
            );
        }
        let early = match self.most {
            most if most > *games => format!(", of at most {most}"),
            _ => String::new(),
        };
        match self.instances {
            None => writeln!(f, "on {games} games that nothing was selected on{early}:")?,
            Some((count, false)) => {
                writeln!(f, "on {games} games of {count} instances that nothing was selected on{early}:")?;
            }
            Some((count, true)) => writeln!(
                f,
                "on {games} fresh games of the {count} instances that the search saw, too{early}; nothing is claimed of \
                 others:"
            )?,
        }
        let digits = decimals(start.abs().max(mean.abs()));
        writeln!(f, "  starting weights  {start:.digits$}  (standard error {start_error:.digits$})")?;
        writeln!(f, "  finalist          {mean:.digits$}  (standard error {mean_error:.digits$})")?;
        let objective = self.scores.map(|_| ("of the objective", difference, decimals(difference.mean.abs())));
        let first = ("difference      ", self.scores.as_ref().unwrap_or(difference), digits);
        for (name, Interval { mean, low, high }, digits) in [first].into_iter().chain(objective) {
            writeln!(f, "  {name}  {mean:+.digits$}  (95 % interval {low:+.digits$} to {high:+.digits$}, paired)")?;
        }
        let [of_start, of_finalist] = self.failures;
        if of_start + of_finalist > 0 {
            writeln!(f, "  failures          {of_finalist} of the finalist's games, {of_start} of the start's")?;
        }
        if self.is_improvement() {
            write!(f, "improvement found: the finalist is better.")
        } else {
            write!(f, "no improvement found: the interval includes zero or lies below. The starting weights stay.")
        }
    }
}
