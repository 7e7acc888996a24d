//! `evolve status`.

use super::contestants::{defaults, find_run, weights};
use super::progress::{hand_out_json, left, say, show};
use super::table::{Align, Table};
use super::{Failure, Outcome, catalogue};
use evolve_core::job::Job;
use evolve_core::job::policy_file::{Policy, toml_value, weights_file};
use evolve_core::job::recorded::Found;
use evolve_core::names::RESULTS;
use evolve_core::run::state::Evidence;
use evolve_core::run::{Figures, RunState, Snapshot, Status, Unreadable};
use evolve_program::changed_note;
use evolve_search::file::slashed;
use evolve_search::statistics::grouped;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// List runs: progress, gain, and whether each is running
///
/// Reads the last checkpoint of each run below results/ or another folder, newest run first.
///
/// The gain is the difference from the baseline, with its 95 % confidence interval. For a complete
/// run, it comes from the held-out test; before that, from the last validation. In a run without
/// validation, the model of the search estimates it, and the line says "by the model".
///
/// Four or more runs that differ only in name and seed share one line, unless they are the only
/// runs. With --all, each has a line of its own.
///
/// For a single run, also prints the verdict and the recommended values. Until the run is complete,
/// these are the values that it would recommend now (the incumbent).
///
/// The exit status is 1 if any run cannot be read. The reason is printed to standard error or, with
/// --json, in the run's entry.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve status
  evolve status tour
  evolve status --last 10
  evolve status results/tour --json")]
pub struct Args {
    /// Folder that contains runs, or a run by name or folder
    #[arg(value_name = "FOLDER", default_value = RESULTS, add = super::completions::runs())]
    folder: PathBuf,

    /// Print only the NUMBER newest lines
    #[arg(long, value_name = "NUMBER")]
    last: Option<usize>,

    /// Print a line for each run
    #[arg(long)]
    all: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Returns the cells of a run: run, state, share, trials, difference, time left.
fn cells(run: &Snapshot) -> [String; 6] {
    let &Figures { share, trials, ref gain, evidence, seconds_left, .. } = &run.run.figures;
    let by = if evidence == Some(Evidence::Model) { ", by the model" } else { "" };
    let gain = gain.as_ref().map(|gain| format!("{gain}{by}"));
    let untested = match run.run.found {
        Some(Found::Kept) => "no finalist",
        Some(Found::Untested) => "not tested",
        _ => "",
    };
    [
        name(run),
        run.run_state().to_string(),
        percent(share),
        trials.map(grouped).unwrap_or_default(),
        gain.unwrap_or_else(|| untested.to_string()),
        left(seconds_left).map(|left| left.to_string()).unwrap_or_default(),
    ]
}

fn name(run: &Snapshot) -> String {
    evolve_process::plain(&slashed(&run.folder))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// The largest number of runs of one job that keep separate lines if there are other jobs.
const FEW: usize = 3;

/// Groups runs into lines. The lines, and the runs within each, are ordered from newest to oldest.
/// More than a few runs of one job, which differ only in name and seed, share a line if there are
/// other runs as well, unless `all` gives each run a line.
fn groups(mut runs: Vec<&Snapshot>, all: bool) -> Vec<Vec<&Snapshot>> {
    let newest_first = |a: &Snapshot, b: &Snapshot| b.saved.cmp(&a.saved).then_with(|| a.folder.cmp(&b.folder));
    runs.sort_by(|a, b| newest_first(a, b));
    let mut groups: Vec<(u32, Vec<&Snapshot>)> = Vec::new();
    for run in runs {
        match groups.iter_mut().find(|(other, _)| *other == run.run.group) {
            Some((_, group)) => group.push(run),
            None => groups.push((run.run.group, vec![run])),
        }
    }
    let each = all || groups.len() == 1;
    let shares = |group: &Vec<&Snapshot>| group.len() > FEW && !each;
    let (shared, apart): (Vec<_>, Vec<_>) = groups.into_iter().map(|(_, group)| group).partition(shares);
    let mut lines: Vec<Vec<&Snapshot>> = apart.concat().into_iter().map(|run| vec![run]).chain(shared).collect();
    lines.sort_by(|a, b| newest_first(a[0], b[0]));
    lines
}

/// Returns the cells of a group that shares a line.
fn shared(group: &[&Snapshot]) -> [String; 6] {
    let names: Vec<String> = group.iter().map(|run| name(run)).collect();
    let common = names.iter().map(String::as_str).reduce(common_prefix).unwrap_or_default();
    let of_state = |state: RunState| group.iter().filter(|run| run.run_state() == state).count();
    let all = [RunState::Running, RunState::Stopped, RunState::Failed, RunState::Complete];
    let states = all.map(|state| (of_state(state), state));
    let states: Vec<String> =
        states.into_iter().filter(|(count, _)| *count > 0).map(|(count, state)| format!("{count} {state}")).collect();
    let better = group.iter().filter(|run| run.run.found == Some(Found::Better)).count();
    let figures: Vec<&Figures> = group.iter().map(|run| &run.run.figures).collect();
    let longest = figures.iter().filter_map(|run| run.seconds_left).reduce(f64::max);
    [
        format!("{common}* ({} runs)", group.len()),
        states.join(", "),
        percent(figures.iter().map(|run| run.share).sum::<f64>() / group.len() as f64),
        grouped(figures.iter().filter_map(|run| run.trials).sum()),
        match of_state(RunState::Complete) {
            0 => String::new(),
            complete => format!("improvement in {better} of {complete}"),
        },
        left(longest).map(|left| left.to_string()).unwrap_or_default(),
    ]
}

/// Returns the common beginning of two texts.
fn common_prefix<'a>(a: &'a str, b: &'a str) -> &'a str {
    let same = a.char_indices().zip(b.chars()).take_while(|((_, one), other)| one == other).last();
    same.map_or("", |((place, letter), _)| &a[..place + letter.len_utf8()])
}

impl Args {
    pub fn run(self) -> Outcome {
        let is_default = self.folder == Path::new(RESULTS) && !self.folder.exists();
        let folder = if is_default { self.folder.clone() } else { find_run(&self.folder)? };
        let found = Snapshot::below(&folder, catalogue());
        let unreadable: Vec<&Unreadable> = found.iter().filter_map(|run| run.as_ref().err()).collect();
        let status = ExitCode::from(u8::from(!unreadable.is_empty()));
        let mut groups = groups(found.iter().flatten().collect(), self.all);
        groups.truncate(self.last.unwrap_or(usize::MAX));
        if self.json {
            let here = Path::new("");
            let readable = groups.concat().into_iter().map(|run| run.status(here));
            let runs: Vec<Status> = readable.chain(unreadable.iter().map(|run| run.status(here))).collect();
            hand_out_json(&runs)?;
            return Ok(status);
        }
        if found.is_empty() {
            show(&format!("no runs in {}/ yet; start one with: evolve run job.toml\n", folder.display()))?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut table = Table::new([Align::Left, Align::Left, Align::Right, Align::Right, Align::Left, Align::Right]);
        table.row([&"run", &"state", &"done", &"trials", &"gain", &"left"]);
        for group in &groups {
            let row = match &group[..] {
                [one] => cells(one),
                many => shared(many),
            };
            table.row(row.each_ref().map(|cell| cell as &dyn fmt::Display));
        }
        if !groups.is_empty() {
            show(&table.to_string())?;
        }
        if let [group] = &groups[..]
            && let Some(message) = group.iter().find_map(|run| run.failure())
        {
            say(&format!("the run ended: {message}"));
        }
        for Unreadable { folder, reason } in unreadable {
            say(&format!("{}: cannot read this run: {reason}", slashed(folder)));
        }
        // A folder above several runs has no weights of its own.
        let file = weights_file(&folder);
        if file.exists() {
            let run = found.iter().flatten().find(|run| run.folder == folder);
            show(&recommendation(&file, run)?)?;
        }
        if let [group] = &groups[..]
            && let [run] = &group[..]
        {
            let changed = changed_note(&run.folder);
            run.run.notes.iter().chain(&changed).for_each(|note| say(&format!("note: {note}")));
        }
        Ok(status)
    }
}

/// Formats the verdict of a run, and each recommended value beside that of the baseline.
fn recommendation(file: &Path, run: Option<&Snapshot>) -> Result<String, Failure> {
    let policy = weights(file)?;
    let job = run.and_then(|run| Job::recorded(&run.folder, catalogue()).ok());
    let baseline = job.map_or_else(|| defaults(&policy), |job| Policy::of_job(&job)).values;
    let verdict = match (run.and_then(Snapshot::verdict), &policy.verdict) {
        (Some(verdict), _) => verdict.to_string(),
        // The results of a complete run may be kept without its checkpoint.
        (None, Some(_)) => policy.result(),
        (None, None) => format!("not tested yet: {}", slashed(file)),
    };
    let mut shown = format!("\n{verdict}\n\n");
    for ((parameter, &value), &start) in policy.problem.parameters().iter().zip(&policy.values).zip(&baseline) {
        let [value, start] = [value, start].map(|value| toml_value(parameter, value));
        let was = if value == start { String::new() } else { format!("  # baseline: {start}") };
        shown += &format!("{} = {value}{was}\n", parameter.name);
    }
    Ok(shown)
}
