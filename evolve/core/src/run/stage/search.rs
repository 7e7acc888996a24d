//! The search: the trials that the optimizer requests.

use super::At;
use crate::evaluator::Trial;
use crate::job::Job;
use crate::judgement::comparison::rates;
use crate::judgement::measured::{Measured, objectives};
use crate::model::constraint::Constraint;
use crate::model::seed::{Split, seed};
use crate::model::trial::Deal;
use crate::run::schedule::Schedule;
use crate::run::search::Search;
use crate::run::state::{Evidence, Gain, Phase, State};
use crate::search::{Again, Ask, Held, Told};
use std::borrow::Cow;

pub(super) fn round(job: &Job, state: &State, search: &Search) -> Schedule {
    schedule(job, &search.ask, search.optimizer.generation(), state.search.deals)
}

/// Returns the rounds of the next generations whose trials are known. The last one is the
/// generation that another stage follows.
pub(super) fn ahead(job: &Job, state: &State, search: &Search) -> Vec<Schedule> {
    let (mut rounds, mut generation, mut deals) = (Vec::new(), search.optimizer.generation(), state.search.deals);
    let mut before = &search.ask;
    for (ask, count) in search.ahead.iter().zip(1..) {
        if !state.goes_on(job, search, count) {
            break;
        }
        generation += 1;
        deals += before.deals as u64;
        rounds.push(schedule(job, ask, generation, deals));
        before = ask;
    }
    rounds
}

/// Returns the round of a generation. The search has played `deals` deals before it.
fn schedule(job: &Job, ask: &Ask, generation: u64, deals: u64) -> Schedule {
    let new = (0..ask.deals as u64).map(|place| Again { generation, place, number: deals + place });
    let deal = |Again { generation, place, number }: Again| Deal {
        split: Split::Search,
        number,
        seed: seed(job.seed, Split::Search, generation, place),
    };
    let deals: Vec<Deal> = new.chain(ask.again.iter().copied()).map(deal).collect();
    let rival = |place: usize| place.checked_sub(ask.deals).and_then(|again| ask.rivals.get(again).copied().flatten());
    let traits = job.source.problem.traits();
    let trial = |&place: &usize| {
        let (candidate, place) = ask.trials[place];
        let rival = rival(place).filter(|_| traits.caps);
        Trial { candidate, deal: deals[place], rival }
    };
    let (order, lead) = order(job, ask);
    Schedule {
        candidates: ask.points.iter().map(|point| job.space.candidate(point)).collect(),
        trials: order.iter().map(trial).collect(),
        lead,
    }
}

/// Returns the order in which trials are played, as indices into the request, and the number of
/// leading trials. If trials are capped and the optimizer knows no rivals, the first trial on each
/// deal leads: its outcome caps the others.
fn order(job: &Job, ask: &Ask) -> (Vec<usize>, usize) {
    let all = 0..ask.trials.len();
    if !job.source.problem.traits().caps || !ask.rivals.is_empty() {
        return (all.collect(), 0);
    }
    let mut is_played = vec![false; ask.deals + ask.again.len()];
    let leads = |&place: &usize| !std::mem::replace(&mut is_played[ask.trials[place].1], true);
    let (leaders, others): (Vec<usize>, Vec<usize>) = all.partition(leads);
    (leaders.iter().chain(&others).copied().collect(), leaders.len())
}

/// Returns, for each constraint, its quantity in the trials of a generation and of the baseline.
pub(in crate::run) fn held(
    constraints: &[Constraint],
    test: usize,
    outcomes: &[Measured],
    baseline: &[Measured],
) -> Vec<Held> {
    let of = |(place, constraint): (usize, &Constraint)| {
        let value = |one: &Measured| one.held.get(place).copied();
        let values = outcomes.iter().map(value).collect();
        Held { limit: constraint.limit, test, values, start: baseline.iter().filter_map(value).collect() }
    };
    constraints.iter().enumerate().map(of).collect()
}

pub(super) fn complete(at: At<'_>, round: &Schedule, outcomes: &[Measured]) -> Phase {
    let At { job, state, search, log } = at;
    let mut measured = Cow::Borrowed(outcomes);
    if round.lead > 0 {
        for (outcome, place) in outcomes.iter().zip(order(job, &search.ask).0) {
            measured.to_mut()[place] = outcome.clone();
        }
    }
    let capped: Vec<usize> = (0..measured.len()).filter(|&place| measured[place].capped).collect();
    let constraints = job.source.problem.constraints();
    let penalty = &mut state.search.penalty;
    let told = Told {
        penalized: &penalty.penalized(&constraints, state.plan.test, &search.ask, &measured),
        objectives: &objectives(&measured),
        capped: &capped,
        held: &held(&constraints, state.plan.test, &measured, &state.baseline),
    };
    let generation = search.optimizer.tell(&search.ask, &told);
    let searched = state.search_trials();
    state.search.late.add(round, outcomes, job.source.problem.traits().by_ratio, searched);
    state.search.recent.add(&*job.source.problem, &search.ask, round, outcomes);
    state.search.deals += search.ask.deals as u64;
    state.search.generations = search.optimizer.generation();
    state.search.latest = Some(log.generation(job, state, search.optimizer.as_ref(), &generation));
    search.advance();
    if state.plan.validation == 0 {
        // The scale of comparisons: a ratio to the baseline becomes a share of the better score.
        let by_ratio = job.source.problem.traits().by_ratio;
        let compared = |objective: f64| match rates(by_ratio, &[objective, 1.0])[..] {
            [own, baseline] if by_ratio => own - baseline,
            _ => objective,
        };
        let gain = search.optimizer.gain(&compared);
        state.gain = gain.map(|interval| Gain { interval, evidence: Evidence::Model });
    }
    if state.search.generations == 1 {
        state.search.first = Some((state.trials(), state.counters.seconds));
    }
    if state.search.generations > 1 && job.limits.time.is_some() {
        // Trials may turn out to take longer or shorter than the first ones.
        state.plan.test = state.planned(job).test;
    }
    if state.search.generations == 1 && job.limits.time.is_some() {
        // The first generation measures the time of a trial.
        state.plan = job.plan(job.trials(Some(state.pace())));
        if state.is_over(job, search) {
            state.plan.validation = state.baseline.len();
        } else if state.plan.validation > state.baseline.len() {
            return Phase::Baseline;
        }
    }
    if state.is_over(job, search) {
        state.ended = true;
    }
    state.phase_after_generation(job, search)
}
