//! The first part of `evolve check`: whether the job can run, its cost, the smallest gain that it
//! can detect, and warnings.

use super::features::described;
use super::limit::BothLimits;
use super::measure::{Again, First, Sample, about};
use super::slower::Slower;
use super::table::{Row, Tried};
use crate::cli::time_limit;
use evolve_core::job::time_limit::slack;
use evolve_core::job::{Job, LearnedRun, MOST_TRIALS, Stage, TimeLimits};
use evolve_core::judgement::outlook::{DICE, Forecast, NO_INSTANCE, Noise, SHARED, moves, outlier, warnings};
use evolve_program::Program;
use evolve_search::model::constraint::Constraint;
use evolve_search::model::goal::Direction;
use evolve_search::model::limit::with_unit;
use evolve_search::model::seed::Split;
use evolve_search::model::space::Role;
use evolve_search::model::trial::Outcome;
use evolve_search::statistics::{Estimate, LEAST_CLAIM, counted, digits, mean, standard_deviation};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Trials that take less than this number of seconds take no longer than the search itself, whose
/// model takes 5 to 20 ms for each, and several times as much for each of many coefficients.
const SHORT: f64 = 0.05;
/// Names in a line.
const NAMED: usize = 5;
/// The smallest correlation worth reporting.
const CORRELATED: f64 = 0.1;

pub struct Answer<'a> {
    pub job: &'a Job,
    pub first: &'a First,
    pub sample: &'a Sample,
    pub rows: &'a [Row<'a>],
    /// Earlier runs to learn from.
    pub learned: Vec<LearnedRun>,
    /// The trials at both time limits, if there are two.
    pub both_limits: Option<&'a BothLimits>,
    pub noise: Noise,
    pub forecast: Forecast,
    /// Number of parallel trials.
    pub parallel: usize,
}

/// The answer for programs.
#[derive(Serialize)]
pub struct CheckJson<'a> {
    job: &'a str,
    problem: String,
    /// The largest number of trials, and their time; null if only a time limit ends the search.
    trials: f64,
    seconds: f64,
    deterministic: bool,
    /// The difference of the objective that the test detects with 80 % power, if it can be
    /// forecast.
    detects: Option<f64>,
    /// The lines of the answer for people.
    facts: BTreeMap<&'static str, String>,
    warnings: Vec<String>,
    /// Each tuned parameter at each tried value.
    parameters: Vec<Tried<'a>>,
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer { job, sample, .. } = self;
        let extent = &self.forecast.extent;
        let time = about(job.work(extent.trials) * sample.pace);
        let title = job.problem.title();
        let of = if title == job.name { String::new() } else { format!(" ({title})") };
        let trials = counted(extent.trials.total().round() as u64, "trial");
        let own = match job.problem.behaviour().is_external && sample.pace < SHORT {
            true if job.space.coordinates().iter().any(|one| one.role == Role::Coefficient) => {
                ", and minutes of the search itself, because parameters follow features"
            }
            true => ", and some seconds of the search itself",
            false => "",
        };
        writeln!(f, "job {}{of}\n\nthe job can run: at most {trials}, {time}{own}", job.name)?;
        for (name, text) in self.facts() {
            writeln!(f, "  {name:<15}{}", text.replace('\n', "\n                 "))?;
        }
        for warning in self.warnings() {
            writeln!(f, "warning: {warning}")?;
        }
        if let Some(left_out) = sample.plan.left_out(sample.pace) {
            writeln!(f, "note: {left_out}")?;
        }
        if let Some(time) = self.time() {
            writeln!(f, "note: {time}")?;
        }
        Ok(())
    }
}

impl Answer<'_> {
    /// The facts about the job, by name.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let facts = [
            ("goal", self.job.problem.goal().map(|goal| goal.to_string())),
            ("trials", Some(self.trials())),
            ("a trial", Some(self.speed())),
            ("time limit", self.time_limit()),
            ("short limit", self.both_limits.map(BothLimits::short_limit)),
            ("effects", self.both_limits.and_then(BothLimits::effects)),
            ("slack", self.slack()),
            ("baseline", Some(self.start())),
            ("constraints", self.constraints()),
            ("features", described(self.job, self.sample)),
            ("deterministic", Some(self.reproduces())),
            ("parameters", Some(self.parameters())),
            ("learned", self.learned()),
            ("held-out test", Some(self.verdict())),
            ("pairing", self.pairing()),
        ];
        facts.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
    }

    /// Returns the answer for programs.
    pub fn document(&self) -> CheckJson<'_> {
        let Answer { job, sample, forecast, .. } = self;
        let trials = forecast.extent.trials;
        CheckJson {
            job: &job.name,
            problem: job.problem.title(),
            trials: trials.total(),
            seconds: job.work(trials) * sample.pace,
            deterministic: self.first.again == Again::Same,
            detects: (forecast.found > 0.0).then_some(forecast.found),
            facts: self.facts().into_iter().collect(),
            warnings: self.warnings(),
            parameters: self.rows.iter().flat_map(Row::tried).collect(),
        }
    }

    /// The knowledge from earlier runs, if the job names any.
    fn learned(&self) -> Option<String> {
        let found: Vec<String> = self.learned.iter().map(ToString::to_string).collect();
        (!found.is_empty()).then(|| found.join("\n"))
    }

    /// The parameters that change the run time, and how to limit it.
    fn time(&self) -> Option<String> {
        let slower: Vec<String> = Slower::all(self.job, self.sample).iter().map(ToString::to_string).collect();
        let slower: Vec<&str> = slower.iter().map(String::as_str).collect();
        (!slower.is_empty()).then(|| {
            let seconds = self.sample.paired.base().filter_map(|outcome| Some(outcome.time?.as_secs_f64()));
            let limit = 1.1 * mean(&seconds.collect::<Vec<_>>());
            format!(
                "the run time depends on {}: the search may gain score by running longer; to allow 1.1 times the \
                 baseline's time, write `[constraints]` with `wall = \"<= {limit:.2e}\"` (trials are then not deterministic)",
                named(&slower)
            )
        })
    }

    /// The time limits, with the number of trials and their time.
    fn time_limit(&self) -> Option<String> {
        time_limit::plan(self.job, self.sample.pace).map(|lines| lines.join("\n"))
    }

    /// The longest trial, as a share of its time limit.
    fn slack(&self) -> Option<String> {
        let limits = TimeLimits::of(&*self.job.problem)?;
        let longest = self.sample.paired.base().filter_map(Outcome::time_of_run).max();
        let of_search = longest.map(|longest| format!("longest trial {}", slack(longest, limits.search)));
        self.both_limits.and_then(BothLimits::slack).or(of_search)
    }

    fn trials(&self) -> String {
        self.forecast.extent.trials.map(|trials| trials.round() as u64).to_string()
    }

    fn speed(&self) -> String {
        let each = match self.sample.each {
            each if each >= 1.0 => format!("{each:.2} s"),
            each if each >= 0.01 => format!("{:.0} ms", 1e3 * each),
            each => format!("{:.2} ms", 1e3 * each),
        };
        let rate = 1.0 / self.sample.pace.max(1e-9);
        let digits = if rate < 10.0 { 1 } else { 0 };
        let at_a_time = if self.parallel == 1 { "one".to_string() } else { self.parallel.to_string() };
        format!("{each}, {at_a_time} at a time: {rate:.digits$} a second")
    }

    fn start(&self) -> String {
        let all: Vec<_> = self.sample.paired.base().collect();
        let scores: Vec<f64> = all.iter().map(|outcome| outcome.score).collect();
        let Estimate { mean, standard_error, .. } = Estimate::of(&scores);
        let (digits, spread) = (digits(standard_error, mean), standard_deviation(&scores));
        let mut text = format!("mean score {mean:.digits$}, standard deviation of a trial {spread:.digits$}");
        let failed = all.iter().filter(|outcome| outcome.failure.is_some()).count();
        if failed > 0 {
            text += &format!("; {failed} of {} failed", counted(all.len() as u64, "trial"));
        }
        text
    }

    /// Each constraint, with the baseline's values on both sides of their mean.
    fn constraints(&self) -> Option<String> {
        let constraints = self.job.problem.constraints();
        let line = |constraint: &Constraint| {
            let values = self.values_of(constraint);
            let (low, high) = (values.iter().copied().reduce(f64::min)?, values.iter().copied().reduce(f64::max)?);
            let Estimate { mean, standard_error, .. } = Estimate::of(&values);
            let digits = digits(standard_error, mean);
            let mean = with_unit(mean, digits, constraint.unit);
            Some(format!("{constraint}: baseline {mean} on average (single trials: {low:.digits$} to {high:.digits$})"))
        };
        let line = |constraint: &Constraint| line(constraint).unwrap_or_else(|| format!("{constraint}: no value yet"));
        (!constraints.is_empty()).then(|| constraints.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    /// Returns the baseline's values of a quantity in trials that did not fail.
    fn values_of(&self, constraint: &Constraint) -> Vec<f64> {
        let sound = self.sample.paired.base().filter(|outcome| outcome.failure.is_none());
        sound.filter_map(|outcome| outcome.metrics.get(constraint.metric).copied()).collect()
    }

    fn reproduces(&self) -> String {
        let count = self.first.outcomes.len() as u64;
        match self.first.again {
            Again::Same if count == 1 => "yes: 1 trial repeated, same score".to_string(),
            Again::Same => format!("yes: {} repeated, same scores", counted(count, "trial")),
            Again::Undeclared => {
                "no: the job declares it or measures its trials, so results depend on the machine".to_string()
            }
            Again::Shared => "NO: a trial beside others gave another score than alone".to_string(),
            Again::Other if count == 1 => "NO: the trial gave a different score when repeated".to_string(),
            Again::Other => format!("NO: some of {} gave a different score when repeated", counted(count, "trial")),
        }
    }

    fn parameters(&self) -> String {
        let (all, _) = self.job.space.counts();
        let (cases, exact) = (counted(self.sample.cases as u64, "trial"), self.sample.is_exact());
        let clear = self.rows.iter().filter(|row| row.is_clear()).count();
        let matter = self.rows.iter().filter(|row| row.changes()).count();
        let mut text = match (exact, self.sample.plan.is_whole()) {
            (true, whole) => {
                let at_least = if whole { "" } else { "at least " };
                format!(
                    "{at_least}{matter} of {all} change outcomes; for {clear} of them the change of the mean is significant"
                )
            }
            (false, _) => {
                let tried = self.rows.len();
                let of = if tried < all { format!("the {tried} that were tried") } else { all.to_string() };
                format!("{clear} of {of} change the mean significantly, in {cases} paired with the baseline's")
            }
        };
        let silent = self.silent();
        if !silent.is_empty() {
            let names = if silent.len() <= NAMED { format!(": {}", silent.join(", ")) } else { String::new() };
            // Only runs with a selection set such parameters back.
            let keep = match (self.forecast.extent.trials[Stage::Effects] > 0.0, silent.len()) {
                (false, _) => "",
                (true, 1) => " and keeps its start",
                (true, _) => " and keep their start",
            };
            text += &format!("\n{} changed nothing in {cases}{keep}{names}", silent.len());
        }
        let space = &self.job.space;
        let asleep = space.tuned_indices().iter().filter(|&&place| !space.is_awake(place, space.start()));
        let asleep: Vec<&str> = asleep.map(|&place| space.parameters()[place].name.as_str()).collect();
        if !asleep.is_empty() {
            text += &format!("\nnot tried, because their condition is false at the start: {}", named(&asleep));
        }
        let moved: BTreeSet<usize> = moves(space).into_iter().map(|one| one.place).collect();
        let awake = space.tuned_indices().iter().filter(|&&place| space.is_awake(place, space.start()));
        let stuck = awake.filter(|&place| space.is_restricted() && !moved.contains(place));
        let stuck: Vec<&str> = stuck.map(|&place| space.parameters()[place].name.as_str()).collect();
        if !stuck.is_empty() {
            text += &format!("\nnot tried, because every other value is forbidden at the start: {}", named(&stuck));
        }
        text
    }

    /// Returns the parameters that changed no outcome, if outcomes can show it and all their values
    /// were tried.
    fn silent(&self) -> Vec<&str> {
        let is_known = self.sample.is_exact() && self.sample.plan.is_whole();
        let rows = self.rows.iter().filter(|row| is_known && !row.changes());
        rows.map(|row| row.parameter.name.as_str()).collect()
    }

    /// Returns the number of instances on which every candidate was tried.
    fn instances(&self) -> usize {
        let listed = self.job.problem.instances(Split::Search).map_or(usize::MAX, |names| names.len());
        self.sample.cases.min(listed)
    }

    fn verdict(&self) -> String {
        let Forecast { extent, found, .. } = self.forecast;
        let observations = extent.units.count;
        let count = counted(observations as u64, if extent.units.instances { "instance" } else { "trial" });
        if self.job.problem.behaviour().is_one_case() {
            return format!("none: {NO_INSTANCE}");
        }
        if observations == 0 {
            return "none, as the job says".to_string();
        }
        if self.job.problem.is_exact(extent.units.cases) {
            return format!("an exact comparison in {count}, all there are: nothing is held out");
        }
        if found == 0.0 {
            // How much a difference varies shows only on several instances.
            return match (self.noise.has_changed, self.instances()) {
                (_, 1) => {
                    "cannot be forecast: every candidate played one instance, which shows no noise; raise --time or \
                    --trials"
                        .to_string()
                }
                (true, tried) => format!(
                    "detects any difference, in {count}: on the {tried} instances tried, candidates differ from the \
                        baseline by the same amount"
                ),
                (false, tried) => format!(
                    "cannot be forecast: {} scored like the baseline on all {tried} instances",
                    counted(self.sample.plan.neighbours as u64, "other candidate")
                ),
            };
        }
        let mut text = format!("detects a difference of {} with 80 % power, in {count}", self.difference(found));
        // The test uses a sixth of the trials for each side, up to a number of its own.
        let night = (NIGHT / 6.0 / (self.sample.pace * self.job.cost(Stage::Test)).max(1e-9)).min(MOST_TRIALS);
        if !extent.units.instances && self.job.sizes.test.is_none() && night.round() != observations as f64 {
            let by_night = found * (observations as f64 / night.max(1.0)).sqrt();
            text += &format!("; a run of 8 hours could detect {}", self.difference(by_night));
        }
        let tried = self.instances();
        if tried < LEAST_CLAIM {
            text += &format!(
                "\n(a rough forecast, from {} only; raise --time or --trials)",
                counted(tried as u64, "instance")
            );
        }
        text
    }

    /// Returns a difference of objectives, with its share of the baseline's objective if that is
    /// meaningful.
    fn difference(&self, difference: f64) -> String {
        let share = match self.job.problem.goal() {
            Some(goal) if goal.rating.is_ratio() => {
                let share = 100.0 * difference;
                return format!("{share:.*} %", digits(share, share));
            }
            // A difference of logarithms is a ratio of scores.
            Some(goal) if goal.logarithm => 100.0 * difference.exp_m1(),
            _ => {
                let objectives: Vec<f64> = self.sample.paired.base().map(|outcome| outcome.objective).collect();
                100.0 * difference / mean(&objectives).abs().max(f64::MIN_POSITIVE)
            }
        };
        let text = format!("{difference:.*}", digits(difference, difference));
        match share < 1000.0 {
            true => format!("{text} ({share:.*} % of the baseline)", digits(share, share)),
            false => text,
        }
    }

    fn pairing(&self) -> Option<String> {
        let correlation = self.noise.correlation;
        let gains = self.noise.pairing_gains();
        // Ratios always need the same cases, and a few cases carry no information.
        let is_ratio = self.job.problem.rating().is_ratio();
        let units = self.forecast.extent.units;
        let is_tested = units.count > 0 && !self.job.problem.is_exact(units.cases);
        let says = is_tested && self.noise.has_changed && !is_ratio && self.sample.cases >= LEAST_CLAIM;
        (says && correlation >= CORRELATED).then(|| {
            let times = match gains {
                1000.0.. => "more than 1,000".to_string(),
                10.0.. => format!("{gains:.0}"),
                _ => format!("{gains:.1}"),
            };
            format!(
                "the correlation of scores on the same instances is {correlation:.2}; without pairing, the test would \
                    need {times} times as many trials"
            )
        })
    }

    fn warnings(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.first.again == Again::Other {
            all.push(format!("the job says that trials are deterministic, but they are not: results {DICE}"));
        }
        if self.first.again == Again::Shared {
            all.push(format!("scores are wrong: {SHARED}"));
        }
        all.extend(self.both_limits.and_then(BothLimits::warning));
        all.extend(outlier(&*self.job.problem, &self.first.outcomes));
        all.extend(self.rewarded_failures());
        let rounded = Program::of(&*self.job.problem).into_iter().flat_map(Program::rounded);
        all.extend(rounded.map(|(name, decimals)| {
            format!(
                "the program receives `{name}` with {}, and tables and exported values have more: give it a `step`, or write \
                 `{{{name}}}`",
                counted(decimals as u64, "decimal")
            )
        }));
        let silent = self.silent();
        if !self.noise.has_changed && self.rows.iter().all(|row| !row.changes()) {
            all.push(
                "no tuned parameter has any effect. Do the values reach the player or program, does it use them, and does it read its input?".to_string(),
            );
        } else if !silent.is_empty() && self.job.problem.behaviour().is_external {
            let names = named(&silent);
            all.push(format!(
                "no outcome changed with {names}. Do the values reach the program, and does it use them?"
            ));
        }
        let failing = self.rows.iter().flat_map(|row| row.ends.iter().map(move |end| (row, end)));
        let failing = failing.filter(|(_, end)| 2 * end.failed > end.cases);
        let failing: Vec<String> = failing
            .map(|(row, end)| {
                let (name, value) = (&row.parameter.name, row.parameter.show(end.value));
                format!("{name} = {value} ({} of {})", end.failed, counted(end.cases as u64, "trial"))
            })
            .collect();
        if !failing.is_empty() {
            let texts: Vec<&str> = failing.iter().map(String::as_str).collect();
            all.push(format!("trials fail where the baseline's do not: {}", named(&texts)));
        }
        for constraint in self.job.problem.constraints() {
            if constraint.limit.excess(&self.values_of(&constraint), 0.0) > 0.0 {
                all.push(format!("the baseline breaks {constraint}: any candidate that holds it counts as better"));
            }
        }
        all.extend(warnings(self.job, &self.forecast, &self.noise));
        all
    }
}

impl Answer<'_> {
    /// Returns a warning if a failed trial counts more than a trial of the baseline.
    fn rewarded_failures(&self) -> Option<String> {
        let problem = &*self.job.problem;
        let score = Program::of(problem)?.score_of_failure()?;
        let maximizes = problem.goal()?.direction == Direction::Maximize;
        let is_worse = |outcome: &&Outcome| match maximizes {
            true => outcome.score < score,
            false => outcome.score > score,
        };
        let scored = self.first.outcomes.iter().filter(|outcome| outcome.failure.is_none());
        let (worse, all) = (scored.clone().filter(is_worse).count(), scored.count());
        (worse > 0).then(|| {
            format!(
                "a failed trial scores {score}, which is better than {worse} of {} of the baseline: set `on_failure` to a score \
                 that is worse than all others",
                counted(all as u64, "trial")
            )
        })
    }
}

/// Eight hours, in seconds.
const NIGHT: f64 = 8.0 * 3600.0;

/// Returns some names and the number of others.
fn named(names: &[&str]) -> String {
    let shown = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        others => format!("{shown} and {others} others"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short() {
        assert_eq!(named(&["a", "b"]), "a, b");
        assert_eq!(named(&["a", "b", "c", "d", "e", "f", "g"]), "a, b, c, d, e and 2 others");
    }
}
