//! `evolve check`.

use super::progress::{rounded, say};
use super::table::{Align, Table};
use super::{Failure, Outcome, catalogue, surroundings};
use evolve_core::config::{Job, Limits};
use evolve_core::evaluator::{Evaluator, Round, Threads, Trial};
use evolve_core::parameter::{Kind, Parameter};
use evolve_core::problem::Surroundings;
use evolve_core::seed::Purpose;
use evolve_core::statistics::{Estimate, decimals, mean, standard_deviation};
use evolve_core::trial::{self, Deal};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Tries a job before its night: builds, plays a few trials, and says what the run can hope for
///
/// Plays some deals of the search twice with the starting weights: scores, their noise, and whether a trial gives the same
/// again. Then each parameter that evolves is set to its two ends (numbers: two units of variation away from the start),
/// on the same deals: what changes nothing at all is told, because it may never arrive. In the end it forecasts the run:
/// trials, time, and what difference the verdict can see.
///
/// The exit status is 0 if the job can run, and 2 if it cannot.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve check job.toml
  evolve check job.toml --trials 200")]
pub struct Args {
    /// The job
    #[arg(value_name = "CONFIG")]
    config: PathBuf,

    /// Trials of the starting weights
    #[arg(long, value_name = "NUMBER", default_value_t = 12, value_parser = clap::value_parser!(u16).range(4..))]
    trials: u16,

    /// Trials to play at the same time; 0: one for each core
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    threads: usize,
}

impl Args {
    /// Tries the job and reports.
    pub fn run(self) -> Outcome {
        let job = Job::read(&self.config, catalogue()).map_err(|faults| Failure::Usage(faults.to_string()))?;
        let stop = super::interrupt::flag()?;
        job.source.problem.surround(Surroundings { stop: Some(stop), ..surroundings() });
        let threads = Threads::new(job.source.problem, &job.source.setup, self.threads).map_err(Failure::Usage)?;
        let deals = Deal::first(job.seed, Purpose::Training, self.trials.into());
        let mut candidates = vec![job.space.start().to_vec()];
        let moves = moves(&job);
        candidates.extend(moves.iter().map(|one| one.values.clone()));
        let mut round = threads.round(&candidates);
        let begin = Instant::now();
        let start = play(round.as_mut(), 0, &deals)?;
        let seconds = begin.elapsed().as_secs_f64() / deals.len() as f64;
        let again = play(round.as_mut(), 0, &deals)?;

        let mut out = io::stdout().lock();
        let scores: Vec<f64> = start.iter().map(|outcome| outcome.score).collect();
        let digits = decimals(mean(&scores).abs());
        let Estimate { mean: score, .. } = Estimate::of(&scores);
        let noise = standard_deviation(&scores);
        writeln!(out, "{}: {}", job.name, job.source.title())?;
        writeln!(
            out,
            "  score of the start     {score:.digits$}, from trial to trial {noise:.digits$} (standard deviation)"
        )?;
        let each = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        writeln!(out, "  a trial takes          {each:.2?} on {} at a time", threads.parallelism())?;
        let failed: Vec<&trial::Outcome> = start.iter().filter(|outcome| outcome.failure.is_some()).collect();
        if let Some(failure) = failed.first().and_then(|outcome| outcome.failure.as_ref()) {
            let failure = evolve_process::plain(&failure.to_string());
            writeln!(out, "  failed                 {} of {} trials; the first: {failure}", failed.len(), start.len())?;
        }
        let same = start.iter().zip(&again).all(|(a, b)| a.objective == b.objective);
        match (same, job.source.problem.reproduces()) {
            (true, _) => writeln!(out, "  reproduces             yes: every trial gave the same again")?,
            (false, false) => {
                writeln!(out, "  reproduces             no, as the job says; results depend on the machine")?
            }
            (false, true) => writeln!(
                out,
                "  reproduces             NO: the same trials gave other scores. The run goes on all the same, but what it \
                 finds will not come out again; say `reproduces = false`, or take the program's dice from {{random}}"
            )?,
        }

        let objectives = |outcomes: &[trial::Outcome]| outcomes.iter().map(|o| o.objective).collect::<Vec<_>>();
        let base = objectives(&start);
        // Differences are of what is optimized, which may be of another size than scores.
        let digits = decimals(mean(&base).abs());
        let mut table = Table::new([Align::Left, Align::Left, Align::Right, Align::Right]);
        table.row([&"parameter", &"set to", &"difference", &"standard error"]);
        let mut silent = Vec::new();
        let mut deviations = Vec::new();
        let mut changed = false;
        for (i, one) in moves.iter().enumerate() {
            let outcomes = play(round.as_mut(), i + 1, &deals)?;
            let other = objectives(&outcomes);
            let difference = Estimate::paired(&other, &base);
            changed |= other != base;
            deviations.push(difference.standard_error * (difference.n as f64).sqrt());
            let (mean, error) = (difference.mean, difference.standard_error);
            table.row([&one.name, &one.shown, &format!("{mean:+.digits$}"), &format!("{error:.digits$}")]);
            // Both ends of a parameter stand side by side.
            let is_last = moves.get(i + 1).is_none_or(|next| next.name != one.name);
            if is_last {
                if !changed {
                    silent.push(one.name.as_str());
                }
                changed = false;
            }
        }
        writeln!(out, "\n{table}")?;
        if !silent.is_empty() {
            writeln!(
                out,
                "changed nothing in {} trials: {}. Does the player look at them, and do their values arrive?",
                deals.len(),
                silent.join(", ")
            )?;
        }
        write!(out, "{}", forecast(&job, seconds, mean(&deviations), digits))?;
        drop(out);
        say("the job can run");
        Ok(ExitCode::SUCCESS)
    }
}

/// What the run will take, and what it can see.
fn forecast(job: &Job, seconds: f64, deviation: f64, digits: usize) -> String {
    let Limits { budget, generations, time } = job.limits;
    let settings = job.optimizer.start(job.space.coordinates(), job.seed);
    let each = settings.ask(0.0).trials.len() as f64;
    let by_time = time.map(|time| time.as_secs_f64() / seconds.max(1e-9));
    let by_generations = generations.map(|generations| generations as f64 * each);
    let limits = [budget.map(|budget| budget as f64), by_generations, by_time];
    let search = limits.into_iter().flatten().fold(f64::INFINITY, f64::min);
    let held_out = job.validation.games as f64;
    let checks = match job.validation.every {
        Some(0) => 0.0,
        Some(every) => 1.0 + search / each / every as f64,
        None => 2.0 + search / (10.0 * held_out),
    };
    let finalists = (job.finals.leaders + 1 + settings.recommended().len()) as f64;
    let rest = checks * held_out + finalists * job.finals.games as f64 + 2.0 * job.finals.verdict as f64;
    let all = Duration::try_from_secs_f64((search + rest) * seconds).unwrap_or_default();
    let seen = 2.0 * deviation / (job.finals.verdict as f64).sqrt();
    format!(
        "forecast: about {search:.0} trials of the search and {rest:.0} for checks, final round and verdict, {} in all\n\
         the verdict, on {} deals, can see a difference of about {seen:.digits$}\n",
        rounded(all),
        job.finals.verdict
    )
}

/// A candidate with one parameter set to something else.
struct Move {
    name: String,
    shown: String,
    values: Vec<f64>,
}

/// Each parameter that evolves, at two other values: numbers two units of variation to both sides, as far as the range
/// goes; of a choice the first two others; of a switch the other one.
fn moves(job: &Job) -> Vec<Move> {
    let start = job.space.start();
    let mut moves = Vec::new();
    for &place in job.space.places() {
        let parameter = &job.space.parameters()[place];
        for value in others(parameter, start[place]) {
            let mut values = start.to_vec();
            values[place] = value;
            moves.push(Move { name: parameter.name.clone(), shown: parameter.show(value), values });
        }
    }
    moves
}

fn others(parameter: &Parameter, start: f64) -> Vec<f64> {
    let (min, max) = parameter.range();
    let far = |sign: f64| match parameter.kind {
        Kind::Float { log: true, .. } | Kind::Int { log: true, .. } => {
            let ratio = 1.0 + 2.0 * parameter.scale;
            if sign > 0.0 { start * ratio } else { start / ratio }
        }
        _ => start + sign * 2.0 * parameter.scale,
    };
    let values = match &parameter.kind {
        Kind::Float { .. } => vec![far(-1.0).clamp(min, max), far(1.0).clamp(min, max)],
        Kind::Int { .. } => {
            let below = far(-1.0).floor().min(start - 1.0).clamp(min, max);
            vec![below, far(1.0).ceil().max(start + 1.0).clamp(min, max)]
        }
        Kind::Choice(names) => (0..names.len()).map(|i| i as f64).filter(|&i| i != start).take(2).collect(),
        Kind::Switch => vec![1.0 - start],
    };
    values.into_iter().filter(|&value| value != start).map(|value| parameter.rounded(value)).collect()
}

fn play(round: &mut dyn Round, candidate: usize, deals: &[Deal]) -> Result<Vec<trial::Outcome>, Failure> {
    let trials: Vec<Trial> = deals.iter().map(|&deal| Trial { candidate, deal }).collect();
    round.play(&trials).map_err(|failure| Failure::Work(evolve_process::plain(&failure.to_string())))
}
