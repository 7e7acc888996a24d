//! `evolve check`.

use super::progress::{rounded, say, show};
use super::table::{Align, Table};
use super::{Failure, Outcome, catalogue, context};
use evolve_core::config::Job;
use evolve_core::evaluator::{Evaluator, Threads};
use evolve_core::outlook::{Effect, Forecast, NEIGHBOURS, Noise, play, warnings};
use evolve_core::parameter::{Kind, Parameter};
use evolve_core::problem::{Context, OpenError, Stop};
use evolve_core::seed::Purpose;
use evolve_core::statistics::{Estimate, decimals, mean, standard_deviation};
use evolve_core::trial::{self, Deal};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Try a job before its night: play a few trials, and say what the run can hope for
///
/// Plays some deals of the search twice with the starting weights: scores, their noise, and whether a trial gives the same
/// again. Then each parameter that evolves is set to its two ends (numbers: two units of variation away from the start),
/// on the same deals: which change anything, and which nothing at all, because they may never arrive. Neighbours of the
/// start, in which everything is changed at once, say what playing the same deals gains.
///
/// In the end it forecasts the run: trials, time, and what difference the verdict can see; and it warns of what cannot work.
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

    /// Trials of each set of weights [default: what takes about half a minute in all, 12 to 200]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(4..))]
    trials: Option<u16>,

    /// Trials to play at the same time; 0: one for each core
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    threads: usize,
}

/// Trials at first, by whose speed the others are sized, and what all of them should take.
const FIRST: usize = 12;
const MOST: f64 = 200.0;
const SECONDS: f64 = 30.0;
/// A night.
const NIGHT: f64 = 8.0 * 3600.0;

impl Args {
    /// Tries the job and reports.
    pub fn run(self) -> Outcome {
        let job = Job::read(&self.config, catalogue()).map_err(|faults| Failure::Usage(faults.to_string()))?;
        let context = Context { stop: Stop::all(&super::interrupt::flag()?), ..context() };
        let threads = Threads::open(&*job.source.problem, &job.source.setup, self.threads, context);
        let threads = threads.map_err(|error| match error {
            OpenError::Stopped(message) => Failure::Stopped(message),
            OpenError::Failed(message) => Failure::Usage(message),
        })?;
        let mut candidates = vec![job.space.start().to_vec()];
        let moves = moves(&job);
        candidates.extend(moves.iter().map(|one| one.values.clone()));
        let mut round = threads.round(&candidates);
        let first = self.trials.map_or(FIRST, usize::from);
        let mut deals = Deal::first(job.seed, Purpose::Training, first);
        let begin = Instant::now();
        let mut start = play(round.as_mut(), 0, &deals)?;
        let mut seconds = begin.elapsed().as_secs_f64() / deals.len() as f64;
        let afford = SECONDS / seconds.max(1e-9) / (candidates.len() + NEIGHBOURS) as f64;
        if self.trials.is_none() && afford > FIRST as f64 {
            deals = Deal::first(job.seed, Purpose::Training, afford.min(MOST) as usize);
            let begin = Instant::now();
            start = play(round.as_mut(), 0, &deals)?;
            seconds = begin.elapsed().as_secs_f64() / deals.len() as f64;
        }
        // Of the search's deals, a ratio remembers what the start did.
        let repeated = Deal::first(job.seed, Purpose::HeldOut, deals.len().min(FIRST));
        let mut scores = || {
            let outcomes = play(round.as_mut(), 0, &repeated)?;
            Ok::<_, Failure>(outcomes.iter().map(|outcome| outcome.score).collect::<Vec<_>>())
        };
        let is_same = scores()? == scores()?;

        show(&of_start(&job, &start, is_same, seconds, threads.parallelism())?)?;
        let mut effects = Vec::new();
        for i in 1..=moves.len() {
            let outcomes = play(round.as_mut(), i, &deals)?;
            effects.push(Effect::of(&outcomes, &start));
        }
        drop(round);
        let noise = Noise::measure(&job, &threads, deals.len())?;
        // Differences are of what is optimized, which may be of another size than scores.
        let digits = decimals(noise.level.abs());
        show(&format!("\n{}\n", of_parameters(&moves, &effects, deals.len(), digits)))?;
        let forecast = Forecast::of(&job, &noise, seconds);
        show(&outlook(&noise, &forecast, seconds, digits))?;
        for warning in warnings(&job, &forecast, &noise) {
            show(&format!("WARNING: {warning}\n"))?;
        }
        say("the job can run");
        Ok(ExitCode::SUCCESS)
    }
}

/// Scores and speed of the start, and whether it reproduces.
fn of_start(
    job: &Job,
    start: &[trial::Outcome],
    is_same: bool,
    seconds: f64,
    parallel: usize,
) -> Result<String, Failure> {
    let scores: Vec<f64> = start.iter().map(|outcome| outcome.score).collect();
    let digits = decimals(mean(&scores).abs());
    let (score, noise) = (Estimate::of(&scores).mean, standard_deviation(&scores));
    let each = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    let mut text = format!(
        "{}: {}\n  score of the start     {score:.digits$}, from trial to trial {noise:.digits$} (standard deviation)\n  \
         a trial takes          {each:.2?} on {parallel} at a time: {:.0} a second\n",
        job.name,
        job.source.title(),
        1.0 / seconds.max(1e-9)
    );
    let failed: Vec<&trial::Outcome> = start.iter().filter(|outcome| outcome.failure.is_some()).collect();
    if let Some(failure) = failed.first().and_then(|outcome| outcome.failure.as_ref()) {
        let failure = evolve_process::plain(&failure.to_string());
        let _ =
            writeln!(text, "  failed                 {} of {} trials; the first: {failure}", failed.len(), start.len());
    }
    text += match (is_same, job.source.problem.reproduces()) {
        (true, _) => "  reproduces             yes: every trial gave the same again\n",
        (false, false) => "  reproduces             no, as the job says; results depend on the machine\n",
        (false, true) => {
            "  reproduces             NO: the same trials gave other scores. The run goes on all the same, but what it \
             finds will not come out again; say `reproduces = false`, or take the program's dice from {random}\n"
        }
    };
    Ok(text)
}

/// What each parameter does at its ends.
fn of_parameters(moves: &[Move], effects: &[Effect], deals: usize, digits: usize) -> String {
    let mut table = Table::new([Align::Left, Align::Left, Align::Right, Align::Right, Align::Right]);
    table.row([&"parameter", &"set to", &"difference", &"standard error", &"trials changed"]);
    // Both ends of a parameter stand side by side.
    let mut changes: Vec<(&str, f64)> = Vec::new();
    for (one, Effect { difference, changed }) in moves.iter().zip(effects) {
        let (mean, error) = (difference.mean, difference.standard_error);
        let share = format!("{:.0} %", 100.0 * changed);
        table.row([&one.name, &one.shown, &format!("{mean:+.digits$}"), &format!("{error:.digits$}"), &share]);
        match changes.last_mut() {
            Some((name, most)) if *name == one.name => *most = most.max(*changed),
            _ => changes.push((&one.name, *changed)),
        }
    }
    let mut text = table.to_string();
    let silent: Vec<&str> = changes.iter().filter(|(_, changed)| *changed == 0.0).map(|(name, _)| *name).collect();
    if !silent.is_empty() {
        let _ = writeln!(
            text,
            "changed nothing in {deals} trials: {}. Does the player look at them, and do their values arrive?",
            silent.join(", ")
        );
    }
    if changes.len() > 5 {
        changes.sort_by(|a, b| b.1.total_cmp(&a.1));
        let most: Vec<&str> = changes.iter().take(5).map(|(name, _)| *name).collect();
        let _ = writeln!(text, "change most: {}", most.join(", "));
    }
    text
}

/// What the run will take, and what it can see.
fn outlook(noise: &Noise, forecast: &Forecast, seconds: f64, digits: usize) -> String {
    let all = Duration::try_from_secs_f64(forecast.trials() * seconds).unwrap_or_default();
    let one = 0.01 * noise.level.abs();
    let percent = |difference: f64| 100.0 * difference / noise.level.abs().max(f64::MIN_POSITIVE);
    // A tenth of a night's trials go to either side of the verdict.
    let night = NIGHT / seconds.max(1e-9);
    let by_night = forecast.found * (forecast.units as f64 / (0.1 * night).max(1.0)).sqrt();
    let mut text = format!(
        "same deals for all: outcomes of neighbours correlate by {:.2}; without, it would take {:.1} times as many games\n",
        noise.correlation,
        noise.pairing_gains().min(1e6)
    );
    if noise.paired > 0.0 && one > 0.0 {
        let _ = writeln!(
            text,
            "a difference of 1 % ({one:.digits$}) takes {:.0} games to see; a night of 8 hours, {night:.0} games, can hope to \
             see {by_night:.digits$} ({:.2} %)",
            noise.deals_to_see(one).ceil().max(30.0),
            percent(by_night)
        );
    }
    let _ = write!(
        text,
        "forecast: about {:.0} trials of the search and at most {:.0} for checks, final round and verdict, {} in all\n\
         the verdict, on {} deals at most, finds a difference of {:.digits$} four times of five\n",
        forecast.search,
        forecast.checks + forecast.finals,
        rounded(all),
        forecast.units,
        forecast.found
    );
    text
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
