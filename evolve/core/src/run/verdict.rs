//! What a run found: whether the chosen finalist is better than the starting weights.

use super::measured::{Finalist, Measured, difference, scores};
use crate::statistics::{Estimate, decimals};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The comparison of the chosen finalist with the starting weights, on games that neither was selected on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Which finalist: `start`, `mean`, `average` or `leader`.
    pub finalist: String,
    /// The generation that it is from.
    pub generation: u64,
    /// Games that both played.
    pub games: usize,
    /// Mean score of the starting weights.
    pub start: f64,
    /// Standard error of that mean.
    pub start_error: f64,
    /// Mean score of the finalist.
    pub mean: f64,
    /// Standard error of that mean.
    pub mean_error: f64,
    /// Mean of the differences of objectives, game by game. It decides.
    pub difference: f64,
    /// The 95 % interval of that mean.
    pub interval: (f64, f64),
    /// Mean of the differences of scores, game by game, and its 95 % interval, where scores are not what is optimized.
    pub scores: Option<(f64, (f64, f64))>,
}

impl Verdict {
    /// The verdict from the outcomes of both on the same games.
    pub(super) fn new(finalist: &Finalist, start: &[Measured], chosen: &[Measured]) -> Self {
        let difference = difference(chosen, start);
        let of_scores = Estimate::paired(&scores(chosen), &scores(start));
        let is_score = |all: &[Measured]| all.iter().all(|measured| measured.objective == measured.score);
        let (of_start, of_finalist) = (Estimate::of(&scores(start)), Estimate::of(&scores(chosen)));
        Verdict {
            finalist: finalist.name.clone(),
            generation: finalist.generation,
            games: chosen.len(),
            start: of_start.mean,
            start_error: of_start.standard_error,
            mean: of_finalist.mean,
            mean_error: of_finalist.standard_error,
            difference: difference.mean,
            interval: difference.interval(),
            scores: (!is_score(start) || !is_score(chosen)).then(|| (of_scores.mean, of_scores.interval())),
        }
    }

    /// Whether the finalist is better: the whole interval lies above zero.
    pub fn is_improvement(&self) -> bool {
        self.interval.0 > 0.0
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict { finalist, generation, games, start, start_error, mean, mean_error, difference, interval, scores } =
            self;
        let which = match finalist.as_str() {
            "start" => "the starting weights themselves".to_string(),
            "leader" => format!("the leader of generation {generation}"),
            "average" => "the average of the last generations' means".to_string(),
            _ => format!("the mean of generation {generation}"),
        };
        writeln!(f, "finalist chosen:  {which}")?;
        writeln!(f, "on {games} games that nothing was selected on:")?;
        let digits = decimals(start.abs().max(mean.abs()));
        writeln!(f, "  starting weights  {start:.digits$}  (standard error {start_error:.digits$})")?;
        writeln!(f, "  finalist          {mean:.digits$}  (standard error {mean_error:.digits$})")?;
        if let Some((difference, (low, high))) = scores {
            writeln!(
                f,
                "  difference        {difference:+.digits$}  (95 % interval {low:+.digits$} to {high:+.digits$}, paired)"
            )?;
            let (difference, (low, high)) = (self.difference, interval);
            let digits = decimals(difference.abs());
            writeln!(
                f,
                "  of the objective  {difference:+.digits$}  (95 % interval {low:+.digits$} to {high:+.digits$}, paired)"
            )?;
        } else {
            let (low, high) = interval;
            writeln!(
                f,
                "  difference        {difference:+.digits$}  (95 % interval {low:+.digits$} to {high:+.digits$}, paired)"
            )?;
        }
        if self.is_improvement() {
            write!(f, "improvement found: the finalist is better.")
        } else {
            write!(f, "no improvement found: the interval includes zero or lies below. The starting weights stay.")
        }
    }
}
