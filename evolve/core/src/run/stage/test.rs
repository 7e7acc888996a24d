//! The held-out test: the selected finalist against the baseline, on new deals, until the result is
//! clear.
//!
//! Interim analyses follow batches of fixed sizes, so that they do not depend on threads,
//! interruptions or clocks. Each batch is a separate round.

use super::At;
use crate::job::Job;
use crate::judgement::comparison::{Answer, Comparison, EarlierDifferences, Patience, Units};
use crate::judgement::held::{Held, Holding, broken_by_baseline, error_of_score, held_in_test, worst};
use crate::judgement::measured::{Measured, differences, differences_of_scores};
use crate::run::finalist::Finalist;
use crate::run::rows::Stage;
use crate::run::schedule::Schedule;
use crate::run::state::{Judging, Phase, State};
use crate::run::verdict::Verdict;
use crate::search::FinalistKind;
use crate::statistics::Interval;

/// The two-sided error probability of the test.
const ERROR: f64 = 0.05;

fn units(job: &Job, state: &State) -> Units {
    Units::of(&*job.source.problem, state.plan.split(), state.plan.test)
}

/// Returns the comparison of all units so far by the objective that decides.
fn compare(job: &Job, state: &State, judging: &Judging) -> Comparison {
    let units = units(job, state);
    let [start, chosen] = &judging.judged;
    let mut comparison = comparison(job, units).knowing(earlier(job, state, judging));
    units
        .observations(0, &differences(&*job.source.problem, chosen, start))
        .into_iter()
        .for_each(|one| comparison.add(one));
    comparison
}

/// What the outcomes of a test say so far.
pub(in crate::run) struct Judged {
    /// The comparison by the objective that decides.
    pub objectives: Comparison,
    /// Whether baseline and finalist hold each constraint.
    pub held: [Vec<Held>; 2],
    /// Whether the baseline clearly breaks each constraint, more than the finalist does.
    pub broken: Vec<bool>,
}

impl Judged {
    fn of(job: &Job, state: &State, judging: &Judging) -> Self {
        let (problem, units) = (&*job.source.problem, units(job, state));
        Judged {
            objectives: compare(job, state, judging),
            held: [0, 1].map(|side| held_in_test(problem, units, &judging.judged[side])),
            broken: broken_by_baseline(problem, units, ERROR, &judging.judged),
        }
    }

    /// Returns whether the remaining trials cannot change the verdict:
    ///
    /// - the finalist breaks a constraint;
    /// - the finalist is worse than a baseline that holds all constraints, or holds those that the
    ///   baseline breaks;
    /// - the finalist holds all constraints and is better, by a [settled](Comparison::is_settled)
    ///   difference.
    fn is_clear(&self) -> bool {
        let [start, chosen] = &self.held;
        match (worst(chosen), self.objectives.answer()) {
            (Holding::Broken, _) => true,
            (holding, Answer::Worse) => {
                worst(start) == Holding::Held || holding == Holding::Held && self.broken.contains(&true)
            }
            (Holding::Held, _) => self.objectives.is_settled(),
            (Holding::Open, _) => false,
        }
    }
}

/// Returns what is known of the differences before the test: from the selection, the last
/// validation and the search.
fn earlier(job: &Job, state: &State, judging: &Judging) -> EarlierDifferences {
    let traits = job.source.problem.traits();
    let differences = [&state.validation.differences[..], &judging.selection].concat();
    let warnings = state.search.recent.warnings(&job.space, &judging.chosen.weights, traits.by_ratio);
    let near = warnings.failures.unwrap_or_else(|| state.search.late.near());
    let worst = [near, warnings.losses].into_iter().flatten().map(|near| -near.worst);
    let possible = if traits.by_ratio { 1.0 } else { 0.0 };
    EarlierDifferences::new(differences).near(near).lost(warnings.losses).losing(worst.fold(possible, f64::max))
}

/// Returns an empty comparison with the interim analyses of the test.
fn comparison(job: &Job, units: Units) -> Comparison {
    let error = error_of_score(&*job.source.problem, ERROR);
    Comparison::new(units.looks(error, Patience::WithGains), 0.0)
}

/// Returns the same comparison by the contest's scores, for the report.
fn compare_scores(job: &Job, units: Units, [start, chosen]: &[Vec<Measured>; 2]) -> Comparison {
    let mut comparison = comparison(job, units);
    units.observations(0, &differences_of_scores(chosen, start)).into_iter().for_each(|one| comparison.add(one));
    comparison
}

fn is_exact(job: &Job, state: &State) -> bool {
    job.source.problem.is_exact(state.plan.test)
}

pub(super) fn round(job: &Job, state: &State, judging: &Judging) -> Schedule {
    let candidates = vec![job.space.start().to_vec(), judging.chosen.weights.clone()];
    let units = units(job, state);
    let first = units.in_batches(judging.judged[0].len()).expect("the test stands between two batches");
    if is_exact(job, state) {
        // The first deal is played twice: an exact result is one that repeats.
        let deals = units.between(job.seed, state.plan.split(), 0, units.count);
        return Schedule::all(candidates, &[&deals[..], &deals[..1]].concat(), 0);
    }
    let last = first + units.next_batch(first);
    Schedule::all(candidates, &units.between(job.seed, state.plan.split(), first, last), units.deals_before(first))
}

pub(super) fn complete(at: At<'_>, mut judging: Judging, outcomes: &[Vec<Measured>]) -> Phase {
    let At { job, ref state, .. } = at;
    let units = units(job, state);
    for (judged, outcomes) in judging.judged.iter_mut().zip(outcomes) {
        let left = units.deals - judged.len();
        judged.extend(outcomes.iter().take(left).cloned());
    }
    let judged = Judged::of(job, state, &judging);
    let played = judging.judged[0].len();
    let next = || 2 * units.next_batch(units.in_batches(played).unwrap_or(units.count)) as u64;
    let goes_on = played < units.deals && !judged.is_clear() && state.has_time(job, next());
    match goes_on || is_exact(job, state) && state.differing.is_some() {
        true => Phase::Test(judging),
        false => conclude(at, judging, &judged),
    }
}

/// Returns the end of a test that was taken for an exact comparison, until a trial did not repeat:
/// a test on repeated trials if the limits leave enough for one, or the verdict on what was played.
pub(super) fn repeat(mut at: At<'_>, mut judging: Judging) -> Phase {
    let At { job, state, .. } = &mut at;
    let trials = job.trials((state.trials() > 0).then(|| state.pace()));
    let played = judging.judged[0].len();
    state.plan.test = job.plan(trials).test;
    let (affordable, left) = (state.affordable_test(job), state.left(job));
    if 2 * affordable as u64 <= left {
        state.plan.test = affordable;
        judging.judged = Default::default();
        return Phase::Test(judging);
    }
    state.plan.test = played;
    let judged = Judged::of(job, state, &judging);
    conclude(at, judging, &judged)
}

/// Returns the verdict on the outcomes so far.
fn conclude(at: At<'_>, judging: Judging, found: &Judged) -> Phase {
    let At { job, state, log, .. } = at;
    let units = units(job, state);
    let Judging { chosen, judged, .. } = judging;
    let scores = compare_scores(job, units, &judged);
    let can_fail = job.source.problem.traits().is_external() || state.counters.failures.total() > 0;
    let verdict = Verdict::new(job, (&chosen, can_fail), units, &judged, found, &scores);
    let Finalist { kind, generation, .. } = chosen;
    let [start, of_chosen] = &judged;
    let difference = verdict.difference().expect("a test compares");
    log.candidate((Stage::Test, 0), state.trials(), FinalistKind::Baseline, start, Interval::default());
    log.candidate((Stage::Test, generation), state.trials(), kind, of_chosen, difference);
    Phase::Done { chosen, verdict }
}
