//! The trials of `evolve check` and their time limit.

use crate::cli::progress::{bar, rounded};
use evolve_core::job::Job;
use evolve_core::judgement::effect::changed;
use evolve_core::judgement::outlook::{ALONE, Move, NEIGHBOURS, Noise, Repeats, alone, beside, moves, neighbours};
use evolve_search::evaluator::{Base, Evaluator, Values, Variants, play_candidate};
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, Outcome, PlayError};
use evolve_search::statistics::{LEAST_CLAIM, counted, mean};
use std::time::{Duration, Instant};

/// The largest number of trials of the baseline that are played twice, and their share of the time.
const FIRST: usize = 12;
const FIRST_SHARE: f64 = 0.2;
/// The smallest number of cases for each candidate, unless time runs out, and the largest.
const LEAST: usize = LEAST_CLAIM;
const MOST: usize = 200;
/// Number of neighbours when time is short.
const FEW_NEIGHBOURS: usize = 2;
/// The share of the time that is planned; trials differ in length.
const PLANNED: f64 = 0.8;
/// The time in seconds between two checks of the time limit.
const PIECE: f64 = 1.0;

/// The limit on trials.
pub struct Effort {
    /// The time limit, unless the number of trials is given.
    pub time: Duration,
    /// Trials of each candidate.
    pub trials: Option<usize>,
}

/// Whether a repeated trial has the same outcome.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Again {
    Same,
    /// The same only if it is played alone.
    Shared,
    Other,
    /// The job says `deterministic = false`.
    Undeclared,
}

/// The first trials, all with the baseline.
pub struct First {
    pub outcomes: Vec<Outcome>,
    pub again: Again,
    /// The time in seconds divided by the number of trials, which run in parallel.
    pace: f64,
}

impl First {
    pub fn measure(job: &Job, evaluator: &dyn Evaluator, effort: &Effort) -> Result<Self, PlayError> {
        let problem = &job.problem;
        let start = Values::from(job.space.start());
        let mut queue = evaluator.queue();
        // On cases of the search, a ratio would reuse the remembered score of the baseline.
        let cases = Case::first(job.seed, Split::Validation, FIRST);
        let at_a_time = evaluator.parallelism().min(FIRST);
        let begin = Instant::now();
        let mut outcomes = beside(queue.as_mut(), &start, &cases[..at_a_time])?;
        let mut pace = begin.elapsed().as_secs_f64() / at_a_time as f64;
        let affordable = match effort.trials {
            Some(trials) => trials,
            None => (FIRST_SHARE * effort.time.as_secs_f64() / (2.0 * pace.max(1e-9))) as usize,
        };
        let count = affordable.clamp(at_a_time, FIRST);
        outcomes.extend(beside(queue.as_mut(), &start, &cases[at_a_time..count])?);
        pace = begin.elapsed().as_secs_f64() / count as f64;
        // Ratios need a baseline that does not always fail.
        let all_failed = outcomes.iter().all(|outcome| outcome.failure.is_some());
        if let Some(failure) = outcomes[0].failure.take_if(|_| all_failed && problem.rating().is_ratio()) {
            return Err(failure.into());
        }
        let again = match problem.behaviour().reproduces() {
            false => Again::Undeclared,
            true => {
                let again = play_candidate(queue.as_mut(), &start, &cases[..count])?;
                pace = begin.elapsed().as_secs_f64() / (2 * count) as f64;
                let others = changed(&outcomes, &again);
                // Trials side by side may disturb each other, perhaps in the same way again.
                let differs = |place: usize| changed(&outcomes[place..=place], &again[place..=place]) > 0;
                let is_dear = pace * (at_a_time * ALONE) as f64 > effort.time.as_secs_f64();
                let mut places: Vec<usize> = (0..count).collect();
                places.sort_by_key(|&place| !differs(place));
                places.truncate(if is_dear { 2 } else { ALONE });
                let of = |all: &[Outcome]| -> Vec<Outcome> { places.iter().map(|&place| all[place].clone()).collect() };
                let own: Vec<Case> = places.iter().map(|&place| cases[place]).collect();
                let mut repeats = Repeats::Always;
                // If the two differ, one of them may be right by chance.
                for side_by_side in [&outcomes, &again].into_iter().take(1 + others.min(1)) {
                    if at_a_time > 1 && repeats == Repeats::Always {
                        repeats = alone(queue.as_mut(), &start, &own, &of(side_by_side))?.0;
                    }
                }
                match (repeats, others) {
                    (Repeats::Always, 0) => Again::Same,
                    (Repeats::Alone, _) => Again::Shared,
                    _ => Again::Other,
                }
            }
        };
        Ok(First { outcomes, again, pace })
    }
}

/// The trials after the first ones: the baseline, neighbours with every parameter changed at once,
/// and the baseline with one parameter changed.
pub struct Plan {
    base: Base,
    pub neighbours: usize,
    pub moves: Vec<Move>,
    /// The number of all moves, and of the parameters that they change.
    all: usize,
    parameters: usize,
    cases: usize,
}

impl Plan {
    /// Returns the largest plan that fits into the remaining time.
    pub fn of(job: &Job, first: &First, effort: &Effort, passed: Duration) -> Self {
        let all = moves(&job.space);
        // One move for each parameter; for numbers, the upper end.
        let ends: Vec<&[Move]> = all.chunk_by(|a, b| a.place == b.place).collect();
        let one_end: Vec<Move> = ends.iter().filter_map(|ends| ends.last().copied()).collect();
        let base = match first.again {
            Again::Same => Base::Once,
            Again::Undeclared => Base::Anew,
            // Ratios assume a deterministic baseline, and would not play it again on the same case.
            Again::Other | Again::Shared => Base::Apart,
        };
        let instances = job.problem.instances(Split::Search).map_or(MOST, |names| names.len());
        let most = instances.clamp(LEAST, MOST);
        let parameters = ends.len();
        let plan = |neighbours, moves: &[Move], cases| Plan {
            base,
            neighbours,
            moves: moves.to_vec(),
            all: all.len(),
            parameters,
            cases,
        };
        if let Some(trials) = effort.trials {
            return plan(NEIGHBOURS, &all, trials);
        }
        let trials = PLANNED * effort.time.saturating_sub(passed).as_secs_f64() / first.pace.max(1e-9);
        let cases = |plan: &Plan| (trials / plan.trials_a_case() as f64) as usize;
        let fewer = (1..=one_end.len()).rev().map(|count| plan(FEW_NEIGHBOURS, &one_end[..count], LEAST));
        let mut plans = [plan(NEIGHBOURS, &all, LEAST), plan(FEW_NEIGHBOURS, &all, LEAST)].into_iter().chain(fewer);
        let fits = plans.find(|plan| cases(plan) >= LEAST);
        let plan = fits.unwrap_or_else(|| plan(FEW_NEIGHBOURS, &one_end[..parameters.min(1)], LEAST));
        Plan { cases: cases(&plan).clamp(LEAST, most), ..plan }
    }

    fn trials_a_case(&self) -> usize {
        Variants::trials_a_case(self.base, self.neighbours + self.moves.len())
    }

    /// The cost within the remaining time, in words.
    pub fn cost(&self, first: &First, left: Option<Duration>) -> String {
        let trials = self.cases * self.trials_a_case();
        let seconds = trials as f64 * first.pace;
        let time = about(left.map_or(seconds, |left| seconds.min(left.as_secs_f64())));
        let limit = if left.is_some() { " (limit: --time)" } else { "" };
        format!("checking with up to {}, {time}{limit}", counted(trials as u64, "more trial"))
    }

    /// Returns whether all values of each parameter are tried; the others remain unknown.
    pub fn is_whole(&self) -> bool {
        self.moves.len() == self.all
    }

    /// Describes the parts that do not fit, and the time limit with which they would.
    pub fn left_out(&self, pace: f64) -> Option<String> {
        if self.is_whole() {
            return None;
        }
        let whole = Variants::trials_a_case(self.base, FEW_NEIGHBOURS + self.all) * LEAST;
        let seconds = (whole as f64 * pace / PLANNED / (1.0 - FIRST_SHARE) / 10.0).ceil() * 10.0;
        let time = humantime::format_duration(Duration::try_from_secs_f64(seconds).unwrap_or_default());
        let tried = match self.moves.len() {
            count if count == self.parameters => "each parameter was tried at one value only".to_string(),
            count => {
                let of = counted(self.parameters as u64, "parameter");
                format!("{count} of {of} {} tried, at one value only", if count == 1 { "was" } else { "were" })
            }
        };
        Some(format!("{tried}, because of the time limit; `--time {}` tries all", time.to_string().replace(' ', "")))
    }
}

/// The trials played.
pub struct Sample {
    pub plan: Plan,
    pub paired: Variants,
    /// The number of cases that every candidate played.
    pub cases: usize,
    /// The time in seconds divided by the number of trials, which run in parallel.
    pub pace: f64,
    /// The time of a single trial in seconds.
    pub each: f64,
}

impl Sample {
    /// Plays case by case until all are played or the time limit, if any, is reached.
    pub fn measure(
        job: &Job,
        evaluator: &dyn Evaluator,
        plan: Plan,
        first: &First,
        time: Option<Duration>,
    ) -> Result<Self, PlayError> {
        let mut candidates = vec![job.space.start().to_vec()];
        candidates.extend(neighbours(job, plan.neighbours));
        candidates.extend(plan.moves.iter().map(|one| one.candidate(&job.space)));
        let mut queue = evaluator.queue();
        let mut paired = Variants::new(plan.base, candidates.into_iter().map(Values::from).collect());
        let cases = Case::first(job.seed, Split::Search, plan.cases);
        let bar = bar(plan.cases * plan.trials_a_case(), "{pos} of {len} trials played, about {eta} left");
        let begin = Instant::now();
        let (mut played, mut trials) = (0, 0);
        let mut pace = first.pace;
        loop {
            // The time for the next case, as long as the cases so far took.
            let of_case = pace * plan.trials_a_case() as f64;
            let fits = |time: Duration| begin.elapsed().as_secs_f64() + of_case <= time.as_secs_f64();
            if played == cases.len() || played > 0 && !time.is_none_or(fits) {
                break;
            }
            let size = (PIECE / of_case.max(1e-9)) as usize;
            let last = (played + size.max(1)).min(cases.len());
            match paired.play_cases(queue.as_mut(), &cases[played..last]) {
                // The trials played so far suffice for an answer.
                Err(PlayError::Stopped) if played > 0 => break,
                played => trials += played?,
            }
            played = last;
            pace = begin.elapsed().as_secs_f64() / trials as f64;
            bar.set_position(trials as u64);
        }
        bar.finish_and_clear();
        drop(queue);
        let times: Option<Vec<f64>> = paired.base().map(|one| Some(one.time?.as_secs_f64())).collect();
        // Trials that measure no time keep all threads busy.
        let each = times.map_or(pace * evaluator.parallelism() as f64, |times| mean(&times));
        Ok(Sample { plan, paired, cases: played, pace, each })
    }

    /// Returns whether outcomes show the exact effect of a change.
    pub fn is_exact(&self) -> bool {
        self.plan.base == Base::Once
    }

    /// Returns the noise of trials.
    pub fn noise(&self, problem: &dyn Problem) -> Noise {
        let pairs: Vec<_> = (0..self.plan.neighbours).map(|variant| self.paired.pair(variant)).collect();
        Noise::of(problem, &pairs)
    }

    /// Returns the outcomes of the start and of one of the moves, case by case.
    pub fn of_move(&self, number: usize) -> [&[Outcome]; 2] {
        self.paired.pair(self.plan.neighbours + number)
    }
}

/// Returns a time in words, rounded.
pub fn about(seconds: f64) -> String {
    match Duration::try_from_secs_f64(seconds) {
        Ok(_) if seconds < 1.0 => "less than a second".to_string(),
        Ok(time) => format!("about {}", rounded(time)),
        Err(_) => "longer than a century".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        assert_eq!(about(0.2), "less than a second");
        assert_eq!(about(75.4), "about 1m 15s");
        assert_eq!(about(f64::INFINITY), "longer than a century");
    }
}
