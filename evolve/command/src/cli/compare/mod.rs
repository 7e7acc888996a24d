//! `evolve compare`: plays the trials. `answer` has its answers as JSON and as text, `instances`
//! compares candidates instance by instance.

mod answer;
mod instances;

use super::contestants::{Contestant, read};
use super::overrides::{Overrides, Set};
use super::progress::{bar, hand_out_json, say, show};
use super::{Failure, Outcome, check_inputs, context};
pub use answer::{CompareJson, Compared};
use answer::{Row, Summary, each};
use evolve_core::job::recorded::RecordedVerdict;
use evolve_core::judgement::comparison::{Answer, Comparison, Patience, Units};
use evolve_core::judgement::feasibility::Findings;
use evolve_core::judgement::groups::lines;
use evolve_core::judgement::measured::{self, Measured, Measuring, differences, failures, possible_loss};
use evolve_core::judgement::paired::Paired;
use evolve_core::judgement::versus::Versus;
use evolve_core::run::schedule::Schedule;
use evolve_judge::report::Scores;
use evolve_search::document::text::plain;
use evolve_search::evaluator::{Evaluator, Threads, Values, together};
use evolve_search::model::goal::Direction;
use evolve_search::model::seed::Split;
use evolve_search::model::trial;
use evolve_search::statistics::{Estimate, LEAST_SAMPLE, counted};
use instances::ByInstance;
use serde::Serialize;
use std::ops::Bound::{Excluded, Included};
use std::ops::RangeBounds;
use std::process::ExitCode;
use std::time::Instant;

/// Measure a candidate, or compare several
///
/// A candidate is a run (by name or folder), `RUN:finalist` (the finalist of its test, even if the
/// run does not recommend it), a weights file, a job (its baseline), `defaults` (the start values
/// in the other candidates' job), or `NAME: COMMAND`, which is another version of a program. Such a
/// version takes its instances and score settings from the first candidate that is a run, a weights
/// file or a job. If there is none, `evolve` detects the format of its score, larger scores are
/// better, and every trial has a new `{seed}`; `--set` changes this, as in `--set
/// program.goal=minimize`.
///
/// A single candidate gets a summary of its scores. Several candidates play the same trials, and
/// each is compared with the first, so name the baseline first. The trials end at --trials, or as
/// soon as every comparison has a clear result: the difference is known to within half its size,
/// and a loss that cancels it would have been seen. The results are analysed for this up to ten
/// times on the way (only at the end with at most 30 trials or instances), and the confidence
/// intervals account for it. Where the trials are all there is, as on a whole list without held-out
/// instances, all are played and the differences are exact. If the trials have groups (such as
/// `group_by` of a program), each comparison has a line for each group. If a job has constraints
/// ([constraints]), each candidate is also measured against them.
///
/// The same seed always gives the same trials. If a program has a list of instances, `compare`
/// plays the instances of its split `test`. The held-out test of a run with a budget below 2,000
/// also plays the instances of validation and selection, which `compare` leaves out. Several trials
/// of one instance count as one observation, their mean. The instances on which a candidate is
/// worse are listed, the worst first; --json lists all instances.
///
/// The exit status is 0, whatever the result.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve compare results/first --trials 1000
  evolve compare results/first --set player.name=beam --set player.width=20
  evolve compare defaults results/first
  evolve compare defaults results/first:finalist
  evolve compare results/first results/second job.toml --trials 100000
  evolve compare results/first results/second --margin 0.5 --json
  evolve compare results/first --slowdown 1.1
  evolve compare job.toml 'new: ./v2 --k {k} {seed}'")]
pub struct Args {
    /// Runs, finalists of runs, weights files, jobs, `defaults`, or `NAME: COMMAND`
    #[arg(required = true, value_name = "CANDIDATE", add = crate::cli::completions::runs())]
    candidates: Vec<String>,

    /// Number of trials of each candidate; with several candidates, the maximum number, which must
    /// be at least 30 if there is no list of instances [default: one for each instance; without a
    /// list, 1,000 for one candidate and 10,000 for several]
    #[arg(short = 'n', long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    trials: Option<u32>,

    /// Set a key of every candidate's job, as in player.name=beam or program.timeout=20s
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Set>,

    /// Use the player that the job's section [submission] names for `evolve export`, but without a
    /// time limit
    #[arg(long)]
    submission: bool,

    /// Also play each candidate as on a machine that is slower by this factor: with its full time
    /// limit divided by it, which shows what a slower judge costs
    #[arg(long, value_name = "FACTOR",
        value_parser = number((Excluded(1.0), Included(100.0)), "a factor must be above 1, and at most 100"))]
    slowdown: Option<f64>,

    /// Count candidates as equal if their mean objectives differ by at most this much; with `scale
    /// = "relative"`, 0.01 is 1 %
    #[arg(long, value_name = "DIFFERENCE", default_value_t = 0.0,
        value_parser = number(0.0..f64::INFINITY, "a margin must be at least 0"))]
    margin: f64,

    /// Error rate: the probability that any of the comparisons shows a difference by chance; with
    /// several comparisons, each gets an equal share of it
    #[arg(long, value_name = "SHARE", default_value_t = 0.05,
        value_parser = number(0.0001..=0.5, "an error rate must be between 0.0001 and 0.5"))]
    alpha: f64,

    /// Seed of the trials
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Number of parallel trials; 0: one for each core
    #[arg(short = 'j', long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    parallel: usize,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Returns the parser of a number within a range. `rule` describes the range.
fn number(range: impl RangeBounds<f64> + Clone, rule: &'static str) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text: &str| match text.parse::<f64>() {
        Ok(value) if range.contains(&value) => Ok(value),
        Ok(_) => Err(rule.to_string()),
        Err(_) => Err(format!("`{text}` is not a number")),
    }
}

/// Says that two candidates are the same, and how to compare the finalist of a run that recommends
/// the baseline.
fn same(first: &Contestant, other: &Contestant) -> String {
    let kept = |one: &&Contestant| one.policy.recommends_baseline();
    match [first, other].into_iter().find(kept) {
        None => format!("{} and {} have the same values", first.name, other.name),
        Some(run) => {
            let other = if run.name == first.name { other } else { first };
            let tested = run.policy.verdict.as_ref().and_then(RecordedVerdict::interval);
            let finalist = tested.map(|_| format!(" (the finalist of its test is {}:finalist)", run.name));
            format!(
                "{} found no improvement and recommends the baseline: it has the same values as {}{}",
                run.name,
                other.name,
                finalist.unwrap_or_default()
            )
        }
    }
}

/// Returns the split of the trials. Comparisons use other cases than measurements of one candidate:
/// otherwise, users who measure several candidates and then compare the best would have selected it
/// on the same cases.
fn split(others: usize) -> Split {
    if others == 0 { Split::Measurement } else { Split::Comparison }
}

/// Returns whether each candidate has one outcome, because no command names an instance.
fn are_one_case(all: &[Contestant]) -> bool {
    all.iter().all(|one| one.policy.problem.behaviour().is_one_case())
}

/// The trials of a comparison.
struct Played {
    /// The outcomes of each candidate.
    outcomes: Vec<Vec<trial::Outcome>>,
    /// Whether they are all there is, and trials repeat, so that differences are exact.
    is_exact: bool,
}

impl Args {
    /// Returns the arguments of a comparison of candidates that are not named.
    pub fn of(trials: usize, seed: u64, parallel: usize) -> Self {
        Args {
            candidates: Vec::new(),
            trials: Some(u32::try_from(trials).unwrap_or(u32::MAX)),
            set: Vec::new(),
            submission: false,
            slowdown: None,
            margin: 0.0,
            alpha: 0.05,
            seed,
            parallel,
            json: false,
        }
    }

    /// Compares candidates, at least two, with the first of them.
    pub fn compare(&self, all: &[Contestant]) -> Result<CompareJson, Failure> {
        let others = all.len() - 1;
        let units = self.units(all)?;
        let mut comparisons = vec![self.comparison(units, others); others];
        let played = self.play_contestants(all, units, &mut comparisons)?;
        let has_no_ratio = |outcome: &trial::Outcome| outcome.failure.is_none() && outcome.objective <= 0.0;
        if all[0].policy.problem.rating().is_ratio() && played.outcomes.iter().flatten().all(has_no_ratio) {
            let message = "no score is above 0, so there are no ratios; add `--set program.scale=raw`";
            return Err(Failure::Usage(message.to_string()));
        }
        Ok(self.document(all, units, &comparisons, &played))
    }

    /// Plays the trials and reports.
    pub fn run(self) -> Outcome {
        let mut contestants = read(&self.candidates, &Overrides::new(&self.set), self.submission)?;
        if let Some(factor) = self.slowdown {
            let slowed: Vec<_> = contestants.iter().map(|one| one.slowed(factor)).collect::<Result<_, _>>()?;
            contestants.extend(slowed);
        }
        let (first, others) = (&contestants[0], contestants.len() - 1);
        if others > 0 && contestants[1..].iter().all(|other| first.is_same(other)) {
            let same = same(first, &contestants[1]);
            if first.policy.problem.behaviour().reproduces() {
                return Err(Failure::Usage(format!("{same}, so every difference would be 0")));
            }
            say(&format!("note: {same}, so every difference is noise"));
        }
        if are_one_case(&contestants) {
            say(
                "note: one trial each, because the command names no instance: add `{seed}` to it or, if scores differ by \
                 chance, `--set program.deterministic=false`",
            );
        }
        match &contestants[..] {
            [one] => {
                let units = self.units(&contestants)?;
                let Played { outcomes, .. } = self.play_contestants(&contestants, units, &mut [])?;
                let measured = self.measured(one, units, &outcomes[0]);
                self.print(&measured, &measured.text())
            }
            all => {
                let document = self.compare(all)?;
                self.print(&document, &document.text())
            }
        }
    }

    fn print(&self, json: &impl Serialize, text: &str) -> Outcome {
        if self.json {
            hand_out_json(json)?;
        } else {
            show(text)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Returns an empty comparison with the first of `others` other candidates. Without a margin,
    /// only settled differences end it early.
    fn comparison(&self, units: Units, others: usize) -> Comparison {
        let patience = if self.margin > 0.0 { Patience::None } else { Patience::WithBoth };
        let looks = units.looks(self.alpha / others.max(1) as f64, patience);
        Comparison::new(looks, self.margin)
    }

    /// Returns the units to play, at most.
    fn units(&self, all: &[Contestant]) -> Result<Units, Failure> {
        let (problem, others) = (&*all[0].policy.problem, all.len() - 1);
        if are_one_case(all) {
            return Ok(Units::of(problem, split(others), 1));
        }
        let instances = problem.instances(split(others)).map(|names| names.len());
        let otherwise = if others == 0 { 1000 } else { 10_000 };
        let asked = self.trials.map_or(instances.unwrap_or(otherwise), |trials| trials as usize);
        let most = problem.worth_playing(split(others), asked);
        if most < asked {
            say(&format!("note: {}, one for each instance: further ones would only repeat them", each(most)));
        }
        match instances {
            None if others > 0 && most < LEAST_SAMPLE => {
                Err(Failure::Usage(format!("--trials {most}: the minimum is {LEAST_SAMPLE}")))
            }
            _ => Ok(Units::of(problem, split(others), most)),
        }
    }

    /// Plays until every answer is clear, or all trials of a single candidate or of an exact
    /// comparison.
    fn play_contestants(
        &self,
        all: &[Contestant],
        units: Units,
        comparisons: &mut [Comparison],
    ) -> Result<Played, Failure> {
        let most = units.count;
        let mut is_exact = !comparisons.is_empty() && all.iter().all(|one| one.policy.problem.is_exact(units.cases));
        // Each candidate has its own player, but all share the threads: the candidates play a case
        // one after another, so that a machine that slows down affects all of them.
        let sides = all.iter().map(|one| &*one.policy.problem);
        let threads = Threads::of_several(sides, self.parallel, &context())?;
        let candidates: Vec<Values> = all.iter().map(|one| one.policy.values.as_slice().into()).collect();
        let mut queue = threads.queue();
        let bar = bar(units.cases, "{pos} of at most {len} trials each{msg}");
        let start = Instant::now();
        let mut outcomes = vec![Vec::new(); all.len()];
        let (mut played, mut baseline) = (0, Vec::new());
        let is_open = |comparison: &&Comparison| match self.margin > 0.0 {
            true => comparison.answer() == Answer::Open,
            false => !comparison.is_settled(),
        };
        let plays_all = comparisons.is_empty() || is_exact;
        while played < most && (plays_all || comparisons.iter().any(|one| is_open(&one))) {
            let size = if plays_all { most } else { units.next_batch(played) };
            let cases = units.between(self.seed, split(all.len() - 1), played, played + size);
            let schedule = Schedule::all(candidates.clone(), &cases, units.cases_before(played));
            queue.push(schedule.coming(0..schedule.trials.len(), &[]).collect());
            for trials in schedule.trials.chunks(all.len() * together(&*all[0].policy.problem, threads.parallelism())) {
                let batch = queue.pop(trials.len())?;
                for (trial, outcome) in trials.iter().zip(batch) {
                    outcomes[trial.candidate].push(outcome);
                }
                bar.inc((trials.len() / all.len()) as u64);
            }
            let last = |of: &[trial::Outcome]| -> Vec<Measured> {
                of[of.len() - cases.len()..].iter().map(Measured::of_scores).collect()
            };
            let first = last(&outcomes[0]);
            baseline.extend_from_slice(&first);
            let possible = possible_loss(&*all[0].policy.problem, &baseline);
            for (comparison, other) in comparisons.iter_mut().zip(&outcomes[1..]) {
                comparison.set_possible(possible);
                let differences = differences(&*all[0].policy.problem, &last(other), &first);
                units.observations(played, &differences).into_iter().for_each(|one| comparison.add(one));
            }
            played += size;
            if !comparisons.is_empty() {
                let open = comparisons.iter().filter(is_open).count() as u64;
                bar.set_message(format!(", {} open", counted(open, "answer")));
            }
        }
        if is_exact {
            // An exact result is one that repeats, as in the test of a run.
            let first = units.between(self.seed, split(all.len() - 1), 0, 1);
            let schedule = Schedule::all(candidates, &first, 0);
            queue.push(schedule.coming(0..schedule.trials.len(), &[]).collect());
            let again = queue.pop(all.len())?;
            let repeats = |(one, again): (&Vec<trial::Outcome>, &trial::Outcome)| {
                let [first, again] = [&one[0], again].map(Measured::of_scores);
                first == again
            };
            is_exact = outcomes.iter().zip(&again).all(repeats);
            if !is_exact {
                say(
                    "note: repeating a trial gave other numbers: set `deterministic = false`, or seed the random numbers",
                );
            }
        }
        bar.finish_and_clear();
        check_inputs(&threads)?;
        let trials = outcomes[0].len();
        let speed = (trials * all.len()) as f64 / start.elapsed().as_secs_f64().max(1e-6);
        say(&format!("{}, {speed:.1} trials/s", each(trials)));
        Ok(Played { outcomes, is_exact })
    }

    fn measured(&self, one: &Contestant, units: Units, outcomes: &[trial::Outcome]) -> Summary {
        let problem = &one.policy.problem;
        let mut settings = problem.player().unwrap_or_default();
        let player = settings.shift_remove("name").as_ref().map(plain).unwrap_or_default();
        let measured: Vec<Measured> = outcomes.iter().map(Measured::of_scores).collect();
        let mut scores = Scores::new(&problem.metrics(), outcomes);
        if let Some(score) = scores.score.as_mut().filter(|_| units.instances) {
            let of_instances = units.estimate(&measured::scores(&measured));
            score.mean = of_instances.mean;
            score.standard_error = (of_instances.n > 1).then_some(of_instances.standard_error);
        }
        Summary {
            problem: problem.title(),
            seed: self.seed,
            candidate: evolve_process::plain(&one.name),
            player,
            settings,
            trials: outcomes.len(),
            scores,
            failures: failures(&measured),
            findings: Findings::lines_of(&**problem, units, outcomes),
        }
    }

    fn document(
        &self,
        all: &[Contestant],
        units: Units,
        comparisons: &[Comparison],
        &Played { ref outcomes, is_exact }: &Played,
    ) -> CompareJson {
        let problem = &*all[0].policy.problem;
        let goal = problem.goal();
        let direction = goal.map_or(Direction::Maximize, |goal| goal.direction);
        let measuring = Measuring::new(problem, true);
        let measured: Vec<Vec<Measured>> =
            outcomes.iter().map(|outcomes| outcomes.iter().map(|one| measuring.of(one)).collect()).collect();
        let versus = |other: usize| Versus { problem, units, baseline: &measured[0], candidate: &measured[other] };
        let instances = problem.instances(split(comparisons.len()));
        let compared = |other: usize| {
            let comparison = &comparisons[other - 1];
            let by_scores = self.comparison(units, comparisons.len()).with(versus(other).scores());
            let paired = Paired::new(versus(other), [comparison, &by_scores], is_exact, 100.0 * (1.0 - self.alpha));
            let (wins, losses) = comparison.wins_and_losses();
            let answer = paired.answer(self.margin);
            let by_instance = ByInstance::of(versus(other), instances.as_deref());
            Compared { answer, paired, wins, losses, by_instance }
        };
        let rows = all.iter().zip(outcomes).enumerate().map(|(i, (one, outcomes))| {
            let Estimate { mean, standard_error, .. } = units.estimate(&measured::scores(&measured[i]));
            let compared = (i > 0).then(|| compared(i));
            let groups = if i > 0 { lines(&versus(i).groups(is_exact), direction) } else { Vec::new() };
            let findings = Findings::lines_of(&*one.policy.problem, units, outcomes);
            let failures = failures(&measured[i]);
            Row {
                candidate: evolve_process::plain(&one.name),
                score: mean,
                standard_error,
                failures,
                findings,
                groups,
                compared,
            }
        });
        let mut titles: Vec<String> = all.iter().map(|one| one.policy.problem.title()).collect();
        titles.dedup();
        CompareJson {
            problem: titles.join(", "),
            seed: self.seed,
            trials: outcomes[0].len(),
            instances: units.instances.then(|| comparisons[0].count()),
            error: self.alpha,
            margin: self.margin,
            candidates: rows.collect(),
            is_exact,
        }
    }
}
