//! The search: the trials that the optimizer requests.

use super::Course;
use super::record::{GenerationRecord, Record};
use super::rows::GenerationRow;
use super::schedule::{Planned, Schedule};
use super::state::{Evidence, Gain};
use crate::job::{Job, Stage};
use crate::judgement::feasibility::limited;
use crate::judgement::measured::{Measured, objectives};
use evolve_search::model::seed::{Split, seed};
use evolve_search::model::trial::Case;
use evolve_search::optimizer::{Again, Ask, Generation, Optimizer, Told};
use std::borrow::Cow;

/// An optimizer and its current requests.
pub struct Search {
    pub optimizer: Box<dyn Optimizer>,
    /// The request for the next trials.
    pub ask: Ask,
    /// The [requests after it](Optimizer::ahead) that are known.
    pub ahead: Vec<Ask>,
}

impl Search {
    /// Asks an optimizer for its first requests.
    pub fn new(optimizer: Box<dyn Optimizer>) -> Self {
        let (ask, ahead) = (optimizer.ask(), optimizer.ahead());
        Search { optimizer, ask, ahead }
    }

    /// Returns the request at this index among the known ones.
    pub fn known(&self, index: usize) -> Option<&Ask> {
        match index.checked_sub(1) {
            None => Some(&self.ask),
            Some(ahead) => self.ahead.get(ahead),
        }
    }

    /// Returns the number of trials of the first `count` known requests.
    pub fn trials(&self, count: usize) -> u64 {
        (0..count).filter_map(|index| self.known(index)).map(|ask| ask.trials.len() as u64).sum()
    }

    /// Asks for the next requests, once the optimizer has received the objectives of the previous
    /// one.
    fn advance(&mut self) {
        self.ask = self.optimizer.ask();
        self.ahead = self.optimizer.ahead();
    }
}

pub(super) fn schedule(course: &Course) -> Schedule {
    let Course { job, state, search } = course;
    of_generation(job, &search.ask, search.optimizer.generation(), state.search.cases)
}

/// Returns the schedules of the next generations whose trials are known. The last one is the
/// generation that another stage follows.
pub(super) fn ahead(course: &Course) -> Vec<Schedule> {
    let Course { job, state, search } = course;
    let (mut schedules, mut generation, mut cases) = (Vec::new(), search.optimizer.generation(), state.search.cases);
    let mut before = &search.ask;
    for (ask, count) in search.ahead.iter().zip(1..) {
        if !course.goes_on(count) {
            break;
        }
        generation += 1;
        cases += before.cases as u64;
        schedules.push(of_generation(job, ask, generation, cases));
        before = ask;
    }
    schedules
}

/// Returns the schedule of a generation. The search has played `cases` cases before it.
fn of_generation(job: &Job, ask: &Ask, generation: u64, cases: u64) -> Schedule {
    let case = |Again { generation, place, number }: Again| Case {
        split: Split::Search,
        number,
        seed: seed(job.seed, Split::Search, generation, place),
    };
    let cases: Vec<Case> = ask.all_cases(generation, cases).map(case).collect();
    let rival = |place: usize| place.checked_sub(ask.cases).and_then(|again| ask.rivals.get(again).copied().flatten());
    let behaviour = job.problem.behaviour();
    let trial = |&place: &usize| {
        let (candidate, place) = ask.trials[place];
        let rival = rival(place).filter(|_| behaviour.has_rivals);
        Planned { candidate, case: cases[place], rival }
    };
    let (order, lead) = order(job, ask);
    Schedule {
        candidates: ask.points.iter().map(|point| job.space.candidate(point).into()).collect(),
        trials: order.iter().map(trial).collect(),
        lead,
    }
}

/// Returns the order in which trials are played, as indices into the request, and the number of
/// leading trials. If trials have rivals and the optimizer knows none, the first trial on each case
/// leads: it is the rival of the others.
fn order(job: &Job, ask: &Ask) -> (Vec<usize>, usize) {
    let all = 0..ask.trials.len();
    if !job.problem.behaviour().has_rivals || !ask.rivals.is_empty() {
        return (all.collect(), 0);
    }
    let mut is_played = vec![false; ask.cases + ask.again.len()];
    let leads = |&place: &usize| !std::mem::replace(&mut is_played[ask.trials[place].1], true);
    let (leaders, others): (Vec<usize>, Vec<usize>) = all.partition(leads);
    (leaders.iter().chain(&others).copied().collect(), leaders.len())
}

pub(super) fn complete(course: &mut Course, schedule: &Schedule, outcomes: &[Measured]) -> Vec<Record> {
    let Course { job, state, search } = course;
    let mut measured = Cow::Borrowed(outcomes);
    if schedule.lead > 0 {
        for (outcome, place) in outcomes.iter().zip(order(job, &search.ask).0) {
            measured.to_mut()[place] = outcome.clone();
        }
    }
    let bounds: Vec<usize> = (0..measured.len()).filter(|&place| measured[place].is_bound()).collect();
    let (test, penalty) = (state.plan.test, &mut state.search.penalty);
    let (penalized, quantities) = limited(&*job.problem, penalty, test, &search.ask, &measured, &state.baseline);
    let objectives = objectives(&measured);
    let told = Told { penalized: &penalized, objectives: &objectives, bounds: &bounds, quantities: &quantities };
    let generation = search.optimizer.tell(&search.ask, &told);
    let searched = state.search_trials();
    state.search.recent.add(&*job.problem, &search.ask, schedule, outcomes, searched);
    state.search.cases += search.ask.cases as u64;
    state.search.generations = search.optimizer.generation();
    let record = record(course, &generation);
    course.search.advance();
    course.state.search.latest = Some(record.clone());
    if course.state.plan.validation == 0 {
        let gain = course.search.optimizer.gain();
        course.state.gain = gain.map(|interval| Gain { interval, evidence: Evidence::Model });
    }
    course.state.stage = next(course);
    vec![Record::Generation(record)]
}

/// Returns the stage after a generation. If time is limited, the plan follows the pace of trials.
fn next(course: &mut Course) -> Stage {
    let is_first = course.state.search.generations == 1;
    if is_first {
        course.state.search.first = Some((course.state.trials(), course.state.counters.seconds));
    }
    match course.job.limits.time {
        Some(_) if is_first => {
            // The first generation measures the time of a trial.
            let state = &mut course.state;
            state.plan = course.job.plan(course.job.trials(Some(state.pace(&course.job))));
            let baseline = state.baseline.len();
            if course.is_search_over() {
                course.state.plan.validation = baseline;
            } else if course.state.plan.validation > baseline {
                return Stage::Baseline;
            }
        }
        // Trials may turn out to take longer or shorter than the first ones.
        Some(_) => course.state.plan.test = course.planned().test,
        None => {}
    }
    course.after_generation()
}

fn record(Course { job, state, search }: &Course, generation: &Generation) -> GenerationRecord {
    let Generation { number, best: (point, objective), mean, spread, deviations } = generation;
    let coordinates = job.space.coordinates();
    let relative = |deviations: &[f64]| {
        let relative = deviations.iter().zip(coordinates).map(|(sd, coordinate)| sd / coordinate.unit);
        relative.sum::<f64>() / coordinates.len() as f64
    };
    let values = |point: &[f64]| job.space.evolving_values(&job.space.candidate(point));
    GenerationRecord {
        row: GenerationRow {
            generation: *number,
            trials_played: state.trials(),
            best: *objective,
            mean: *mean,
            sd: *spread,
            diversity: relative(deviations),
            step: relative(&search.optimizer.deviations()),
        },
        points: [values(point), values(search.optimizer.mean()), job.space.by_parameter(deviations)],
        seconds: state.counters.seconds,
    }
}
