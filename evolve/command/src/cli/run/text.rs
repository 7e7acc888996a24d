//! The lines of `evolve run`: the job and its plan, and at the end the verdict, the files, and what
//! to do next.

use crate::cli::progress::rounded;
use crate::cli::{catalogue, games};
use crate::lineage::Total;
use evolve_core::job::recorded::Found;
use evolve_core::job::{Job, Limits, Plan, Stage};
use evolve_core::judgement::outlook::NO_INSTANCE;
use evolve_core::names::{CONFIG, FAILURES, FINALIST, GENERATIONS, PLOTS, RECOMMENDATION, REPORT, TRIALS, VALIDATION};
use evolve_core::run::{Compared, Run, Sample, Verdict};
use evolve_program::changed_note;
use evolve_report::page::{Command, next};
use evolve_search::file::slashed;
use evolve_search::model::parameter::Kind;
use evolve_search::shell::shell_word;
use evolve_search::statistics::{counted, grouped};
use std::io::{self, Write};
use std::time::Duration;

pub fn extent_in_time(run: &Run<'_>) -> String {
    let time = Duration::try_from_secs_f64(run.state().counters.seconds).unwrap_or_default();
    format!("{}, in {}", extent(run), rounded(time))
}

pub fn extent(run: &Run<'_>) -> String {
    let (generation, state) = (run.generation(), run.state());
    format!("after {} and {}", counted(generation, "generation"), counted(state.trials(), "trial"))
}

/// The job in one line.
pub fn headline(job: &Job) -> String {
    let (tuned, all) = job.space.counts();
    let Limits { budget, generations, time } = job.limits;
    let budget = budget.map(|budget| counted(budget, "trial"));
    let generations = generations.map(|generations| counted(generations, "generation"));
    let time = time.map(|time| humantime::format_duration(*time).to_string());
    let limits: Vec<String> = budget.into_iter().chain(generations).chain(time).collect();
    let problem = &job.problem;
    let player = problem.player().map(|_| format!("player {}, ", problem.player_title())).unwrap_or_default();
    let title = problem.title();
    let title = if title == job.name { String::new() } else { format!("{title}, ") };
    format!(
        "{}: {title}{player}tuning {tuned} of {} with {}, for {}",
        job.name,
        counted(all as u64, "parameter"),
        job.optimizer.method().name,
        limits.join(" or ")
    )
}

/// The division of the trials, and how the search begins.
pub fn plan(run: &Run<'_>) -> String {
    let Plan { validation, selection, test, .. } = run.state().plan;
    let part = |trials: usize, what: &str| (trials > 0).then(|| format!("{what} {}", grouped(trials as u64)));
    let of_test = match run.job().problem.is_tested_on_searched() {
        true => "test on the instances of the search of up to",
        false => "held-out test of up to",
    };
    let parts = [part(validation, "validation of"), part(selection, "selection of"), part(test, of_test)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let search = format!("plan: search by {}", run.method());
    match (parts.is_empty(), run.generation() == 0 && run.job().limits.time.is_some()) {
        _ if run.job().problem.behaviour().is_one_case() => format!("{search}; no held-out test: {NO_INSTANCE}"),
        (_, true) => format!("{search}; the speed of the first trials determines their number"),
        (true, false) => search,
        (false, false) => {
            let trials = if [validation, selection, test].iter().all(|&part| part <= 1) { "trial" } else { "trials" };
            format!("{search}; {} {trials} per candidate", parts.join(", "))
        }
    }
}

/// Returns advice on detecting a smaller difference, if all trials were played and the answer is
/// not clear.
fn advice(verdict: &Verdict, run: &Run<'_>) -> Option<String> {
    let Verdict::Tested(Compared { trials, paired, failures, .. }, Sample { instances, most, .. }) = verdict else {
        return None;
    };
    let gain = paired.gain();
    let job = run.job();
    let listed = job.problem.instances(run.state().plan.split(Stage::Test)).map_or(0, |names| names.len());
    let limit = match instances {
        Some((count, _)) if *most < listed => {
            let limit = if job.limits.time.is_some() { "time" } else { "budget" };
            format!("raise `{limit}`: it left {count} of {} for the test", counted(listed as u64, "instance"))
        }
        Some((count, _)) => format!("list more instances (the test has {count})"),
        None => {
            let trials = counted(*trials as u64, "trial");
            format!("raise `budget`, or `test` in [search] (the test has {trials})")
        }
    };
    // More trials do not help a finalist that fails.
    let is_open = gain.low <= 0.0 && gain.high > 0.0 && failures[1] <= failures[0];
    is_open.then(|| format!("to detect smaller improvements, {limit}"))
}

/// Returns advice on recommended numbers that moved to a bound of their range: better ones may lie
/// beyond it.
fn at_bounds(run: &Run<'_>) -> Option<String> {
    let (verdict, chosen) = (run.state().verdict()?, run.state().chosen());
    let space = &run.job().space;
    let places = space.tuned_indices().iter().filter(|_| verdict.recommends_finalist());
    let bounds = places.filter_map(|&place| {
        let (parameter, value) = (&space.parameters()[place], chosen.values[place]);
        let (min, max) = parameter.range();
        let bound = [(min, "lower"), (max, "upper")].into_iter().find(|(bound, _)| *bound == value)?.1;
        // A range of two numbers, such as 0 and 1, is a switch.
        let is_switch = matches!(parameter.kind, Kind::Int { .. }) && max - min <= 1.0;
        let is_new = parameter.is_number() && !is_switch && value != space.start()[place];
        is_new.then_some((parameter.name.as_str(), bound))
    });
    let bounds: Vec<(&str, &str)> = bounds.collect();
    match &bounds[..] {
        [] => None,
        [(name, bound)] => Some(format!("{name} is at its {bound} bound: a wider range may have better values")),
        [rest @ .., (last, _)] => {
            let names: Vec<&str> = rest.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            Some(format!("{names} and {last} are at a bound of their ranges: wider ranges may have better values"))
        }
    }
}

/// The verdict, the files, and what to do next.
pub fn summary(verdict: &Verdict, run: &Run<'_>, job: &Job) -> io::Result<()> {
    let folder = run.folder();
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{verdict}\n")?;
    if let Some(total) = Total::to(folder, catalogue()) {
        writeln!(stdout, "{total}\n")?;
    }
    for note in run.state().notes(job).into_iter().chain(changed_note(folder)) {
        writeln!(stdout, "note: {note}\n")?;
    }
    for advice in [advice(verdict, run), at_bounds(run)].into_iter().flatten() {
        writeln!(stdout, "{advice}\n")?;
    }
    let rejected =
        (verdict.found() == Found::NotBetter).then_some((FINALIST, "the values of the finalist, and this verdict"));
    let of_trials =
        job.problem.behaviour().is_external.then_some((TRIALS, "one row for each trial, with its values and score"));
    let plots = format!("{PLOTS}/");
    let files = [
        (RECOMMENDATION, "the recommended values and this verdict"),
        (GENERATIONS, "one row for each generation"),
        (VALIDATION, "one row for each candidate in validation, selection and test"),
        (&*plots, "pictures of scores and values"),
        (CONFIG, "the job with every key"),
    ];
    let failures = format!("{FAILURES}/");
    let failed =
        folder.join(FAILURES).exists().then_some((&*failures, "failed trials, each with a command that repeats it"));
    let report = folder.join(REPORT).exists().then_some((REPORT, "the page of this run; open it in a browser"));
    let [weights, tables @ ..] = files;
    let files = report.into_iter().chain([weights]).chain(rejected).chain(of_trials).chain(tables).chain(failed);
    for (name, what) in files {
        writeln!(stdout, "{}  {what}", slashed(&folder.join(format!("{name:<19}"))))?;
    }
    let folder = slashed(folder);
    let make = || (format!("evolve report {}", shell_word(&folder)), "make the page of this run");
    let missing = report.is_none().then(make);
    let next: Vec<Command> =
        missing.into_iter().chain(next(&folder, &*job.problem, verdict.found(), games())).collect();
    let wide = next.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    writeln!(stdout, "\nnext:")?;
    next.iter().try_for_each(|(command, what)| writeln!(stdout, "  {command:<wide$}  {what}"))
}
