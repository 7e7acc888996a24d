//! The worth of each weight in a recommendation: the loss if the weight, or a group of related
//! weights, is set back.
//!
//! All candidates play the same new cases. Where trials are not deterministic, each candidate is
//! compared with a separate play of the recommendation. The
//! [comparison](crate::judgement::comparison) computes the intervals over independent units. They
//! hold for all parts together: the parts share the error rate (Bonferroni).

pub mod parts;

use crate::judgement::comparison::Units;
use crate::judgement::effect::{changed, effect, exact};
use crate::judgement::measured::differences_of;
use evolve_search::evaluator::{Base, Evaluator, Queue, Values, Variants, play_candidate, together};
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::{Split, seed};
use evolve_search::model::space::Space;
use evolve_search::model::trial::{Case, PlayError};
use evolve_search::statistics::Interval;
use parts::Part;

/// The recommendation to explain.
pub struct Subject<'a> {
    pub problem: &'a dyn Problem,
    /// The space of parameters, with its start.
    pub space: &'a Space,
    /// The recommended values.
    pub values: &'a [f64],
}

#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    pub part: Part,
    /// How much better the recommendation is than the candidate with the part set back.
    pub worth: Interval,
    /// The share of trials whose outcome the part changes; `None` if the same trial never repeats
    /// exactly.
    pub trials_changed: Option<f64>,
}

/// The error rate of all intervals together.
const ERROR: f64 = 0.05;
/// The number of cases that are played twice to test whether outcomes repeat.
const TWICE: usize = 12;

impl Subject<'_> {
    /// Returns the parts that can be set back, in the order of a table; and the parts that cannot,
    /// because the resulting candidate is forbidden.
    fn divided(&self) -> (Vec<Part>, Vec<Part>) {
        let weights = parts::weights(self.space, self.values);
        let groups = parts::groups(&weights);
        let is_allowed = |part: &Part| self.space.allows(&part.without(self.space, self.values));
        [weights, groups].concat().into_iter().partition(is_allowed)
    }

    fn parts(&self) -> Vec<Part> {
        self.divided().0
    }

    /// Returns the names of the parts that cannot be set back.
    pub fn fixed(&self) -> Vec<String> {
        self.divided().1.into_iter().map(|part| part.name).collect()
    }

    /// Returns the number of candidates, including the recommendation.
    pub fn candidates(&self) -> usize {
        1 + self.parts().len()
    }

    /// Returns the number of trials that find out beforehand whether trials repeat.
    pub fn repeated(&self, trials: usize) -> usize {
        if self.is_doubted() { 2 * trials.min(TWICE) } else { 0 }
    }

    /// Returns whether trials are said to repeat by a program, which may be wrong.
    fn is_doubted(&self) -> bool {
        let behaviour = self.problem.behaviour();
        behaviour.reproduces() && behaviour.is_external
    }

    /// Returns how often the recommendation must be played. One play of a case serves all
    /// candidates only if trials repeat exactly. A program may claim this wrongly, so it plays
    /// these cases twice.
    fn base(&self, queue: &mut dyn Queue, cases: &[Case]) -> Result<Base, PlayError> {
        let candidate = Values::from(self.values);
        let mut recommended = || play_candidate(queue, &candidate, cases);
        let is_same = match self.is_doubted() {
            true => changed(&recommended()?, &recommended()?) == 0,
            false => self.problem.behaviour().reproduces(),
        };
        Ok(if is_same { Base::Once } else { Base::Anew })
    }

    /// Plays `trials` trials with each candidate. Returns weights, then functions of features, then
    /// groups, each sorted by worth, largest first. All cases follow from the seed. `report`
    /// receives the number of trials played so far, and their total.
    ///
    /// # Errors
    /// The first failed trial, if failures end the run.
    pub fn explain(
        &self,
        evaluator: &dyn Evaluator,
        run: u64,
        trials: usize,
        report: &mut dyn FnMut(usize, usize),
    ) -> Result<Vec<Worth>, PlayError> {
        let parts = self.parts();
        let mut candidates = vec![Values::from(self.values)];
        candidates.extend(parts.iter().map(|part| Values::from(part.without(self.space, self.values))));
        // These cases differ from those of other measurements with the same seed.
        let own = seed(run, Split::Measurement, 1, u64::MAX);
        let cases = Case::first(own, Split::Measurement, trials);
        let mut queue = evaluator.queue();
        let base = self.base(queue.as_mut(), &cases[..trials.min(TWICE)])?;
        let mut paired = Variants::new(base, candidates);
        let (mut played, all) = (0, trials * Variants::trials_a_case(base, parts.len()));
        for piece in cases.chunks(together(self.problem, evaluator.parallelism())) {
            played += paired.play_cases(queue.as_mut(), piece)?;
            report(played, all);
        }
        let units = Units::of(self.problem, Split::Measurement, trials);
        let alpha = ERROR / parts.len().max(1) as f64;
        let is_exact = base == Base::Once && self.problem.is_exact(trials);
        let worth = |(variant, part)| {
            let [with, without] = paired.pair(variant);
            let trials_changed = (base == Base::Once).then(|| changed(with, without) as f64 / trials as f64);
            let differences = differences_of(self.problem, with, without);
            let worth = if is_exact { exact(&differences, units) } else { effect(&differences, units, alpha) };
            Worth { part, worth, trials_changed }
        };
        let mut worths: Vec<Worth> = parts.into_iter().enumerate().map(worth).collect();
        worths.sort_by(|a, b| a.part.kind.cmp(&b.part.kind).then(b.worth.mean.total_cmp(&a.worth.mean)));
        Ok(worths)
    }
}

/// Formats an explanation as a CSV table. `docs/files.md` describes its columns.
pub fn table(worths: &[Worth]) -> String {
    let mut rows = csv::Writer::from_writer(Vec::new());
    let mut write = |row: [&str; 7]| rows.write_record(row).expect("writing to memory does not fail");
    write(["name", "worth", "low", "high", "trials_changed", "set_to", "kind"]);
    for one in worths {
        let Worth { part, worth: Interval { mean, low, high }, trials_changed } = one;
        let [mean, low, high] = [mean, low, high].map(f64::to_string);
        let trials_changed = trials_changed.map(|share| share.to_string()).unwrap_or_default();
        write([&part.name, &mean, &low, &high, &trials_changed, part.to.name(), part.kind.name()]);
    }
    let bytes = rows.into_inner().expect("writing to memory does not fail");
    String::from_utf8(bytes).expect("all cells are text")
}

#[cfg(test)]
mod tests;
