//! The verdict: the chosen finalist against the starting weights, on fresh games that nothing was selected on.

use super::At;
use crate::config::Job;
use crate::run::measured::{Finalist, Measured};
use crate::run::round::Round;
use crate::run::state::{Phase, State};
use crate::run::verdict::Verdict;
use crate::seed::Purpose;
use crate::trial::Deal;

fn chosen(state: &State) -> &Finalist {
    let chosen = state.chosen.as_ref().expect("a finalist was chosen before the verdict");
    &chosen.finalist
}

pub(super) fn round(job: &Job, state: &State) -> Round {
    let candidates = vec![job.space.start().to_vec(), chosen(state).weights.clone()];
    Round::all(candidates, &Deal::first(job.seed, Purpose::Verdict, job.finals.verdict))
}

pub(super) fn complete(at: At<'_>, outcomes: &[Vec<Measured>]) {
    let (start, of_chosen) = (&outcomes[0], &outcomes[1]);
    let Finalist { name, generation, .. } = chosen(at.state);
    at.tables.compared("verdict", 0, at.state.games, "start", start, start);
    at.tables.compared("verdict", *generation, at.state.games, name, of_chosen, start);
    at.state.verdict = Some(Verdict::new(chosen(at.state), start, of_chosen));
    at.state.phase = Phase::Done;
}
