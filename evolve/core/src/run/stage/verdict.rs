//! The verdict: the chosen finalist against the starting weights, on fresh games that nothing was selected on, until it
//! is clear.
//!
//! It is looked at after batches of fixed sizes, so that it does not depend on threads, stops or clocks. Every batch is a
//! round of its own.

use super::At;
use crate::comparison::{Answer, Comparison, Units};
use crate::config::Job;
use crate::run::measured::{Finalist, Measured};
use crate::run::round::Round;
use crate::run::state::{Phase, State};
use crate::run::verdict::Verdict;
use crate::seed::Purpose;

/// The share of verdicts that may be wrong, to both sides together.
const ERROR: f64 = 0.05;

fn chosen(state: &State) -> &Finalist {
    let chosen = state.chosen.as_ref().expect("a finalist was chosen before the verdict");
    &chosen.finalist
}

/// What the verdict plays, and when it looks.
pub struct Plan {
    units: Units,
    /// Whether it may end early.
    early: bool,
}

impl Plan {
    /// The plan of a verdict of so many games at most, that may end early or not.
    pub fn of(job: &Job, games: usize, early: bool) -> Self {
        Plan { units: Units::of(job.source.problem, Purpose::Verdict, games), early }
    }

    /// The plan of the verdict on whom the final round chose.
    fn in_state(job: &Job, state: &State) -> Self {
        let chosen = state.chosen.as_ref().expect("a finalist was chosen before the verdict");
        Self::of(job, chosen.verdict, chosen.early)
    }

    /// How many games it has at most.
    pub fn deals(&self) -> usize {
        self.units.deals
    }

    /// How many units the first so many games have; `None` if they are not those of whole batches.
    pub fn units_of(&self, games: usize) -> Option<usize> {
        let mut units = 0;
        while self.units.deals_before(units) < games {
            units += self.next(units);
        }
        (self.units.deals_before(units) == games).then_some(units)
    }

    /// How many units come after so many.
    fn next(&self, units: usize) -> usize {
        if self.early { self.units.next_batch(units) } else { self.units.count - units }
    }

    /// The comparison of all units so far by one of their numbers.
    fn compare(&self, judged: &[Vec<Measured>; 2], number: fn(&Measured) -> f64) -> Comparison {
        let differences: Vec<f64> = judged[1].iter().zip(&judged[0]).map(|(a, b)| number(a) - number(b)).collect();
        let mut comparison = match self.early {
            true => self.units.comparison(ERROR, 0.0),
            false => Comparison::once(ERROR, 0.0),
        };
        self.units.means(0, &differences).into_iter().for_each(|difference| comparison.add(difference));
        comparison
    }
}

pub(super) fn round(job: &Job, state: &State) -> Round {
    let candidates = vec![job.space.start().to_vec(), chosen(state).weights.clone()];
    let plan = Plan::in_state(job, state);
    let first = plan.units_of(state.judged[0].len()).expect("the verdict stands between two batches");
    Round::all(candidates, &plan.units.between(job.seed, Purpose::Verdict, first, first + plan.next(first)))
}

pub(super) fn complete(at: At<'_>, outcomes: &[Vec<Measured>]) {
    let At { job, state, tables, .. } = at;
    for (judged, outcomes) in state.judged.iter_mut().zip(outcomes) {
        judged.extend(outcomes);
    }
    let plan = Plan::in_state(job, state);
    let objectives = plan.compare(&state.judged, |measured| measured.objective);
    let is_start = chosen(state).weights == job.space.start();
    if state.judged[0].len() < plan.units.deals && !is_clear(&objectives) && !is_start {
        return;
    }
    let scores = plan.compare(&state.judged, |measured| measured.score);
    let verdict = Verdict::new(job, chosen(state), plan.units, &state.judged, &objectives, &scores);
    let Finalist { name, generation, .. } = chosen(state);
    let [start, of_chosen] = &state.judged;
    let (low, high) = verdict.interval;
    tables.compared(("verdict", 0), state.games, "start", start, (0.0, 0.0, 0.0));
    tables.compared(("verdict", *generation), state.games, name, of_chosen, (verdict.difference, low, high));
    state.judged = Default::default();
    state.verdict = Some(verdict);
    state.phase = Phase::Done;
}

/// Whether the rest of the games would change nothing: the finalist is worse, or better by a difference that is known to
/// within a half of it.
fn is_clear(comparison: &Comparison) -> bool {
    match comparison.answer() {
        Answer::Worse => true,
        Answer::Better => comparison.interval().0 >= 0.5 * comparison.mean(),
        Answer::Same | Answer::Open => false,
    }
}
