//! Whether a shorter time limit of the search may stand for the full one: the same candidates play
//! the same instances at both.

use super::measure::Effort;
use evolve_core::job::Job;
use evolve_core::job::time_limit::{TimeLimits, extrapolated, seconds, slack};
use evolve_core::judgement::comparison::{Difference, Units};
use evolve_core::judgement::effect::effect;
use evolve_core::judgement::measured::differences_of;
use evolve_core::judgement::outlook::{Agreement, Agrees, Move, moves, neighbours};
use evolve_search::evaluator::{Evaluator, Trial, Values, play};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, Outcome, PlayError};
use evolve_search::statistics::{LEAST_CLAIM, counted};
use std::time::{Duration, Instant};

/// The share of the time of a check for the comparison of both limits.
pub const SHARE: f64 = 0.5;
/// The number of candidates beside the baseline: fewer say too little about a correlation. Some
/// change a single parameter, whose effect they show, and at least `NEAR` change all of them.
const CANDIDATES: usize = 12;
const SINGLE: usize = 12;
const NEAR: usize = 4;
/// The probability that an effect at one of the limits is a chance result.
const ERROR: f64 = 0.05;
/// The smallest number of instances, and the largest.
const LEAST: usize = LEAST_CLAIM;
const MOST: usize = 30;

/// The trials at both limits.
pub struct BothLimits {
    limits: TimeLimits,
    /// The agreement that they show; `None` if time allows too few.
    agreement: Option<Agreement>,
    /// The seconds with which `check` can play enough.
    enough: f64,
    /// The run times of the trials at the full limit.
    times: Vec<Duration>,
    /// The effects of parameters.
    effects: Vec<Effect>,
}

/// The effect of changing a single parameter.
struct Effect {
    /// The parameter and its values.
    change: String,
    /// `better`, `worse` or, if not clear, an empty text: at the short and at the full limit.
    found: [&'static str; 2],
}

/// Returns one change of each parameter.
fn single(job: &Job) -> Vec<Move> {
    let all = moves(&job.space);
    let of_parameters = all.chunk_by(|one, other| one.place == other.place);
    of_parameters.filter_map(|of| of.last().copied()).take(SINGLE).collect()
}

impl BothLimits {
    /// Plays candidates with both evaluators, case by case, if a trial at the short limit starts
    /// every `pace` seconds. Without a given number of trials, they take about the time left.
    pub fn measure(
        job: &Job,
        [short, full]: [&dyn Evaluator; 2],
        pace: f64,
        effort: &Effort,
        left: Duration,
    ) -> Result<Option<Self>, PlayError> {
        let Some(limits) = TimeLimits::of(&*job.problem) else { return Ok(None) };
        let single = single(job);
        let near = CANDIDATES.saturating_sub(single.len()).max(NEAR);
        let of_case = pace * (1.0 + limits.ratio()) * (1 + single.len() + near) as f64;
        let affordable = (left.as_secs_f64() / of_case.max(1e-9)) as usize;
        let listed = job.problem.instances(Split::Search).map_or(MOST, |names| names.len().min(MOST));
        let count = effort.trials.unwrap_or(affordable.min(listed));
        let enough = LEAST as f64 * of_case / SHARE;
        let mut both = BothLimits { limits, agreement: None, enough, times: Vec::new(), effects: Vec::new() };
        if count < LEAST.min(listed) && effort.trials.is_none() {
            return Ok(Some(both));
        }
        let moved = single.iter().map(|one| one.candidate(&job.space)).collect();
        let candidates = [vec![job.space.start().to_vec()], moved, neighbours(job, near)].concat();
        let candidates: Vec<Values> = candidates.into_iter().map(Values::from).collect();
        let mut outcomes = vec![[Vec::new(), Vec::new()]; candidates.len()];
        let mut queues = [short.queue(), full.queue()];
        let begin = Instant::now();
        let cases = Case::first(job.seed, Split::Search, count);
        for (place, &case) in cases.iter().enumerate() {
            if place >= LEAST && effort.trials.is_none() && begin.elapsed() > left {
                break;
            }
            // Each limit is first on every other case.
            for way in [place % 2, 1 - place % 2] {
                let trials = candidates.iter().map(|candidate| Trial::new(candidate, case)).collect();
                for (outcomes, outcome) in outcomes.iter_mut().zip(play(queues[way].as_mut(), trials)?) {
                    outcomes[way].push(outcome);
                }
            }
        }
        let (start, others) = outcomes.split_first().expect("the baseline is first");
        let problem = &*job.problem;
        let differences =
            |other: &[Vec<Outcome>; 2]| [0, 1].map(|way| differences_of(problem, &other[way], &start[way]));
        let differences: Vec<_> = others.iter().map(differences).collect();
        let units = Units::of(problem, Split::Search, start[0].len());
        both.agreement = Some(Agreement::of(&differences, units));
        both.times = outcomes.iter().flat_map(|of| &of[1]).filter_map(Outcome::time_of_run).collect();
        both.effects =
            single.iter().zip(&differences).map(|(one, found)| Effect::of(job, *one, found, units)).collect();
        Ok(Some(both))
    }

    /// Says whether the short limit may be trusted.
    pub fn short_limit(&self) -> String {
        let Some(agreement) = &self.agreement else {
            return format!(
                "not known whether it agrees with the full one: the time of the check is too short to play both; \
                 `--time {}` plays enough",
                self.enough()
            );
        };
        let Agreement { candidates, cases, correlation, reach, opposed } = agreement;
        let found = format!(
            "the correlation of differences from the baseline is {:.2} (95 % confidence interval {:.2} to {:.2}), by {} \
             on {}",
            correlation.mean,
            correlation.low,
            correlation.high,
            counted(*candidates as u64, "candidate"),
            counted(*cases as u64, "trial"),
        );
        let opposed = (*opposed > 0)
            .then(|| format!("\n{opposed} of them are clearly better at one limit and worse at the other"));
        let opposed = opposed.unwrap_or_default();
        match agreement.answer() {
            Agrees::Yes => format!("agrees with the full one: {found}"),
            Agrees::No => format!("does NOT agree with the full one: {found}{opposed}"),
            Agrees::Unknown => {
                let noise = format!(
                    "\nnoise alone would leave {reach:.2} of a perfect correlation; `--time {}` plays more",
                    self.more()
                );
                format!("not known whether it agrees with the full one: {found}{noise}")
            }
        }
    }

    /// Warns if the short limit may not be trusted.
    pub fn warning(&self) -> Option<String> {
        let is_wrong = self.agreement.as_ref()?.answer() == Agrees::No;
        let [full, search] = [self.limits.full, self.limits.search].map(seconds);
        is_wrong.then(|| {
            format!(
                "what is better with {search} is not what is better with {full}, so the search would find the wrong values: \
                 remove `search` from `limit`, or set it closer to `full` and check again"
            )
        })
    }

    /// Returns the longest trial at the full limit, its share of the limit, and what the longest of
    /// a thousand would be.
    pub fn slack(&self) -> Option<String> {
        let longest = slack(*self.times.iter().max()?, self.limits.full);
        let most = extrapolated(self.times.iter().copied());
        let most = most.map(|most| format!("; 99.9 % within {}, extrapolated", slack(most, self.limits.full)));
        Some(format!("longest trial {longest}{}", most.unwrap_or_default()))
    }

    /// Says in which direction each parameter acts at both limits.
    pub fn effects(&self) -> Option<String> {
        let [full, search] = [self.limits.full, self.limits.search].map(seconds);
        let count = |wanted: fn(&[&str; 2]) -> bool| self.effects.iter().filter(|one| wanted(&one.found)).count();
        let open = count(|[short, long]| short.is_empty() && long.is_empty());
        let one_sided = count(|[short, long]| short.is_empty() != long.is_empty());
        let same = count(|[short, long]| !short.is_empty() && short == long);
        let is_opposed = |found: &[&str; 2]| found.iter().all(|way| !way.is_empty()) && found[0] != found[1];
        let opposed = self.effects.iter().filter(|one| is_opposed(&one.found));
        let lines: String = opposed
            .map(|Effect { change, found: [short, long] }| {
                format!("\n{change} is {short} with {search}, and {long} with {full}")
            })
            .collect();
        let text = format!(
            "in the same direction at both limits: {same} of {}; in opposite ones: {}; clear at one limit only: {one_sided}; \
             not clear: {open}",
            counted(self.effects.len() as u64, "parameter"),
            self.effects.len() - same - one_sided - open,
        );
        (!self.effects.is_empty()).then(|| text + &lines)
    }

    fn enough(&self) -> String {
        text(self.enough)
    }

    /// The time for four times as many trials.
    fn more(&self) -> String {
        let cases = self.agreement.map_or(LEAST, |agreement| agreement.cases);
        text(self.enough * 4.0 * cases as f64 / LEAST as f64)
    }
}

impl Effect {
    /// Returns the effect by the differences from the baseline at both limits.
    fn of(job: &Job, one: Move, differences: &[Vec<Difference>; 2], units: Units) -> Self {
        let parameter = &job.space.parameters()[one.place];
        let [from, to] = [job.space.start()[one.place], one.value].map(|value| parameter.show(value));
        let found = differences.each_ref().map(|way| effect(way, units, ERROR).clearly("better", "worse"));
        Effect { change: format!("{} {from} -> {to}", parameter.name), found }
    }
}

/// Returns a time for `--time`, rounded up.
fn text(seconds: f64) -> String {
    let tens = Duration::from_secs(10 * (seconds / 10.0).ceil().min(1e12) as u64);
    humantime::format_duration(tens).to_string().replace(' ', "")
}
