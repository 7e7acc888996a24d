//! The held-out test: the selected finalist against the baseline, on new cases, until the result is
//! clear.
//!
//! Interim analyses follow batches of fixed sizes, so that they do not depend on threads,
//! interruptions or clocks. Each batch is a separate schedule.

use super::Course;
use super::record::Record;
use super::rows::ValidationRow;
use super::schedule::Schedule;
use super::verdict::{Judged, Verdict};
use crate::job::{ByStage, Stage};
use crate::judgement::comparison::{Comparison, EarlierDifferences, Patience, Units};
use crate::judgement::feasibility::ConstraintResults;
use crate::judgement::feasibility::error_of_score;
use crate::judgement::measured::{Measured, possible_loss};
use crate::judgement::versus::Versus;
use evolve_search::evaluator::Values;
use evolve_search::model::trial::Case;
use evolve_search::optimizer::FinalistKind;
use evolve_search::statistics::Interval;

/// The two-sided error probability of the test.
const ERROR: f64 = 0.05;

fn units(course: &Course) -> Units {
    let units = Units::of(course.problem(), course.split(), course.state.plan.test);
    let fresh = course.job.test_instances(course.split()).map_or(units.count, |names| names.len());
    Units { count: units.count.min(fresh), ..units }
}

/// Returns the cases of units. They leave out the instances that earlier tests used.
fn cases(course: &Course, first: usize, last: usize) -> Vec<Case> {
    let (units, job) = (units(course), &course.job);
    let mut cases = units.between(job.seed, course.split(), first, last);
    let all = job.problem.instances(course.split()).map_or(0, |names| names.len());
    if units.instances && job.test_skips > 0 {
        for case in &mut cases {
            let (replicate, unit) = (case.number as usize / units.count, case.number as usize % units.count);
            *case = Case::at(job.seed, course.split(), (job.test_skips + unit + replicate * all) as u64);
        }
    }
    cases
}

/// Returns an empty comparison with the interim analyses of the test.
fn comparison(course: &Course) -> Comparison {
    let error = error_of_score(course.problem(), ERROR);
    Comparison::new(units(course).looks(error, Patience::WithGains), 0.0)
}

/// Returns what is known of the differences before the test: from the selection, the last
/// validation and the search.
fn earlier(course: &Course) -> EarlierDifferences {
    let Course { job, state, .. } = course;
    let differences = [&state.validation.differences[..], &state.judging.selection].concat();
    let warnings = state.search.recent.warnings(&job.space, &state.judging.chosen.values, job.problem.rating());
    if job.is_shortened() {
        // Differences at a shorter time limit are those of another program.
        return EarlierDifferences { near: warnings.failures, ..EarlierDifferences::default() };
    }
    let worst = [warnings.failures, warnings.losses].into_iter().flatten().map(|near| -near.worst);
    let seen = worst.fold(0.0, f64::max);
    EarlierDifferences { differences, near: warnings.failures, lost: warnings.losses, seen }
}

fn versus<'a>(course: &'a Course, [baseline, candidate]: &'a [Vec<Measured>; 2]) -> Versus<'a> {
    Versus { problem: course.problem(), units: units(course), baseline, candidate }
}

/// Returns what the outcomes so far say.
fn judged(course: &Course) -> Judged {
    let versus = versus(course, &course.state.judging.judged);
    let mut objectives = comparison(course).knowing(earlier(course)).with(versus.objectives());
    objectives.set_possible(possible_loss(versus.problem, versus.baseline));
    Judged { objectives, constraints: ConstraintResults::of_test(versus, ERROR) }
}

pub(super) fn schedule(course: &Course) -> Schedule {
    let Course { job, state, .. } = course;
    let candidates = [job.space.start(), &state.judging.chosen.values].map(Values::from).to_vec();
    let units = units(course);
    let between = |first: usize, last: usize| cases(course, first, last);
    if course.plays_again() {
        // The first case is played twice: an exact result is one that repeats.
        let cases = between(0, units.count);
        return Schedule::all(candidates, &[&cases[..], &cases[..1]].concat(), 0);
    }
    let first = units.in_batches(state.judging.judged[0].len()).expect("the test stands between two batches");
    Schedule::all(candidates, &between(first, first + units.next_batch(first)), units.cases_before(first))
}

pub(super) fn complete(course: &mut Course, outcomes: &[Vec<Measured>]) -> Vec<Record> {
    let units = units(course);
    for (judged, outcomes) in course.state.judging.judged.iter_mut().zip(outcomes) {
        let first = units.in_batches(judged.len()).expect("the test stands between two batches");
        let left = units.cases - judged.len();
        judged.extend(units.by_unit(first, &outcomes[..left.min(outcomes.len())]));
    }
    let judged = judged(course);
    let played = course.state.judging.judged[0].len();
    let next = || {
        let batch = 2 * units.next_batch(units.in_batches(played).unwrap_or(units.count)) as u64;
        ByStage::of(|stage| if stage == Stage::Test { batch } else { 0 })
    };
    let goes_on = played < units.cases && !judged.is_clear() && course.has_time(next());
    match goes_on || course.plays_again() && course.state.differing.is_some() {
        true => Vec::new(),
        false => conclude(course, &judged),
    }
}

/// Goes on with a test that was taken for an exact comparison, until a trial did not repeat: as a
/// test on repeated trials if the limits leave enough for one, or to the verdict on what was
/// played.
pub(super) fn repeat(course: &mut Course) -> Vec<Record> {
    let played = course.state.judging.judged[0].len();
    course.state.plan.test = course.job.plan(course.allowed_trials()).test;
    let affordable = course.affordable_test();
    if 2 * affordable as u64 <= course.left() {
        course.state.plan.test = affordable;
        course.state.judging.judged = Default::default();
        return Vec::new();
    }
    course.state.plan.test = played;
    let judged = judged(course);
    conclude(course, &judged)
}

/// Ends the run with the verdict on the outcomes so far.
fn conclude(course: &mut Course, found: &Judged) -> Vec<Record> {
    let judged = std::mem::take(&mut course.state.judging.judged);
    let versus = versus(course, &judged);
    let units = versus.units;
    let scores = comparison(course).with(versus.scores());
    let chosen = &course.state.judging.chosen;
    let can_fail = versus.problem.behaviour().is_external || course.state.counters.failures.total() > 0;
    let verdict = Verdict::new(&course.job, chosen, can_fail, versus, found, &scores);
    let state = &mut course.state;
    let chosen = &state.judging.chosen;
    let difference = verdict.difference().expect("a test compares");
    let [start, of_chosen] = &judged;
    let row = |kind, generation, outcomes: &[Measured], difference| {
        let row = ValidationRow::of(Stage::Test, kind, generation, state.trials(), outcomes, units, difference);
        Record::Validation(row)
    };
    let records = vec![
        row(FinalistKind::Baseline, 0, start, Interval::default()),
        row(chosen.kind, chosen.generation, of_chosen, difference),
    ];
    state.verdict = Some(verdict);
    records
}
