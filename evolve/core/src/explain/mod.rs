//! What the weights of a recommendation are worth: each is set back, and so is each group of weights that belong together.
//!
//! All candidates play the same fresh deals. Intervals hold for all of them together (Bonferroni), by units that are
//! independent.

pub mod parts;

use crate::comparison::Units;
use crate::evaluator::{Evaluator, together};
use crate::problem::Problem;
use crate::run::measured::{Measured, differences};
use crate::run::round::Round;
use crate::seed::{Purpose, seed};
use crate::space::Space;
use crate::statistics::{Estimate, two_sided};
use crate::trial::{Deal, Outcome, PlayError};
use parts::Part;

/// What is explained.
pub struct Subject<'a> {
    /// What is played.
    pub problem: &'a dyn Problem,
    /// The weights, and where they started.
    pub space: &'a Space,
    /// What is recommended.
    pub values: &'a [f64],
}

/// A difference with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The mean of the paired differences.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// What a part is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The part.
    pub part: Part,
    /// By how much the recommendation is better than without it.
    pub worth: Difference,
    /// The share of the games whose outcome it changes.
    pub games_changed: f64,
}

/// The share of answers that may be wrong, all together.
const ERROR: f64 = 0.05;

impl Subject<'_> {
    /// The parts that are set back: weights, then groups.
    fn parts(&self) -> Vec<Part> {
        let weights = parts::weights(self.space, self.values);
        let groups = parts::groups(&weights);
        [weights, groups].concat()
    }

    /// How many candidates an explanation plays.
    pub fn candidates(&self) -> usize {
        1 + self.parts().len()
    }

    /// Plays so many deals with each candidate: weights and then groups, each in the order of their worth, the most first.
    /// Every deal follows from the seed; `told` hears of games as they are played.
    ///
    /// # Errors
    /// The first trial that failed and does not count.
    pub fn explain(
        &self,
        evaluator: &dyn Evaluator,
        (run, games): (u64, usize),
        told: &mut dyn FnMut(usize),
    ) -> Result<Vec<Worth>, PlayError> {
        let parts = self.parts();
        let mut candidates = vec![self.values.to_vec()];
        candidates.extend(parts.iter().map(|part| part.without(self.values)));
        // Other deals than those by which commands measure with the same seed.
        let own = seed(run, Purpose::Measurement, 1, u64::MAX);
        let deals = Deal::first(own, Purpose::Measurement, games);
        // Deal by deal, so that a machine that slows down does so for all.
        let round = Round::all(candidates, &deals);
        let mut playing = evaluator.round(&round.candidates);
        let mut outcomes = vec![Vec::new(); round.candidates.len()];
        for trials in round.trials.chunks(round.candidates.len() * together(self.problem, evaluator.parallelism())) {
            for (trial, outcome) in trials.iter().zip(playing.play(trials)?) {
                outcomes[trial.candidate].push(outcome);
            }
            told(trials.len());
        }
        let units = Units::of(self.problem, Purpose::Measurement, games);
        let quantile = two_sided(ERROR / parts.len().max(1) as f64);
        let without = parts.into_iter().zip(&outcomes[1..]);
        let mut worths: Vec<Worth> = without
            .map(|(part, without)| Worth::of(self.problem, part, [&outcomes[0], without], units, quantile))
            .collect();
        worths.sort_by(|a, b| a.is_group().cmp(&b.is_group()).then(b.worth.mean.total_cmp(&a.worth.mean)));
        Ok(worths)
    }
}

impl Worth {
    /// What a part is worth by outcomes with it and without it on the same deals.
    fn of(problem: &dyn Problem, part: Part, [with, without]: [&[Outcome]; 2], units: Units, quantile: f64) -> Self {
        let [a, b] = [with, without].map(|all| all.iter().map(Measured::from).collect::<Vec<_>>());
        let differences = units.observations_by_number(&differences(problem, &a, &b));
        let estimate = Estimate::of(&differences.iter().map(|difference| difference.value).collect::<Vec<_>>());
        let (low, high) = estimate.interval_at(quantile);
        let is_other = |(a, b): &(&Outcome, &Outcome)| a.objective != b.objective || a.parts != b.parts;
        let games_changed = with.iter().zip(without).filter(is_other).count() as f64 / with.len() as f64;
        Worth { part, worth: Difference { mean: estimate.mean, low, high }, games_changed }
    }

    /// Whether it is a group.
    pub fn is_group(&self) -> bool {
        self.part.back.len() > 1
    }
}

/// An explanation as a table. `docs/files.md` describes its columns.
pub fn table(worths: &[Worth]) -> String {
    let mut text = String::from("name,worth,low,high,games_changed,set_to,kind\n");
    for one in worths {
        let Worth { part, worth: Difference { mean, low, high }, games_changed } = one;
        let kind = if one.is_group() { "group" } else { "weight" };
        text += &format!("{},{mean},{low},{high},{games_changed},{},{kind}\n", part.name, part.to.name());
    }
    text
}

#[cfg(test)]
mod tests;
