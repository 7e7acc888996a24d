//! `evolve status`.

use super::contestants::{find_run, weights};
use super::progress::{say, show};
use super::table::{Align, Table};
use super::{Failure, Outcome, catalogue};
use evolve_core::document::read_text;
use evolve_core::file::slashed;
use evolve_core::job::Job;
use evolve_core::job::policy_file::{toml_value, weights_file};
use evolve_core::run::state::{Evidence, State};
use evolve_core::run::{Standing, Unreadable, Verdict};
use evolve_core::statistics::{Interval, grouped};
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// List runs: progress, gain, and whether each is running
///
/// Reads the last checkpoint of each run below results/ or another folder, newest run first.
///
/// The gain is the difference from the baseline, with its 95 % confidence interval. A complete run has it from the
/// held-out test. Until then, it comes from the last validation. In a run without validation, the model of the search
/// estimates it, and the line says "by the model".
///
/// Four or more runs that differ only in name and seed share one line. With --all, or if there are no other runs, each
/// has its own.
///
/// For a single run, also prints the verdict and the recommended values. Until the run is complete, these are the
/// values that it would recommend now (the incumbent).
///
/// The exit status is 1 if any run cannot be read. The reason is printed to standard error or, with --json, in the
/// run's entry.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve status
  evolve status tour
  evolve status --last 10
  evolve status results/tour --json")]
pub struct Args {
    /// Folder that contains runs, or a run by name or folder
    #[arg(value_name = "FOLDER", default_value = "results")]
    folder: PathBuf,

    /// Print only the first NUMBER lines, which have the newest runs
    #[arg(long, value_name = "NUMBER")]
    last: Option<usize>,

    /// Print a line for each run
    #[arg(long)]
    all: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A run in the listing.
#[derive(Default, Serialize)]
struct Line {
    run: String,
    /// `complete`, `running`, `stopped`, `failed` or `unreadable`.
    state: &'static str,
    /// The completed share by time, from 0 to 1.
    share: f64,
    trials: Option<u64>,
    difference: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    /// The source of the difference.
    evidence: Option<Evidence>,
    /// The estimated seconds left.
    seconds_left: Option<f64>,
    /// The reason why a complete run has no difference.
    #[serde(skip)]
    untested: &'static str,
    /// Whether the run found an improvement.
    #[serde(skip)]
    is_improvement: bool,
    /// Whether differences are ratios.
    #[serde(skip)]
    by_ratio: bool,
    /// The failed trial that ended the run, or the reason why the run cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl Line {
    fn of(standing: &Standing) -> Self {
        let found = standing.state.as_ref();
        let gain = found.and_then(State::gain);
        let verdict = found.and_then(State::verdict);
        let difference = gain.map(|gain| gain.interval);
        Line {
            run: evolve_process::plain(&slashed(&standing.folder)),
            state: standing.condition(),
            share: standing.share,
            trials: found.map(State::trials),
            difference: difference.map(|of| of.mean),
            low: difference.map(|of| of.low),
            high: difference.map(|of| of.high),
            evidence: gain.map(|gain| gain.evidence),
            seconds_left: standing.left.map(|left| left.as_secs_f64()),
            untested: match verdict {
                Some(Verdict::Kept { .. }) => "no finalist",
                Some(Verdict::Untested { .. }) => "not tested",
                Some(Verdict::Exact(_) | Verdict::Tested(..)) | None => "",
            },
            is_improvement: verdict.is_some_and(Verdict::is_improvement),
            by_ratio: standing.job.source.problem.traits().by_ratio,
            reason: standing.failure().map(evolve_process::plain),
        }
    }

    fn unreadable(Unreadable { folder, reason }: &Unreadable) -> Self {
        let run = evolve_process::plain(&slashed(folder));
        Line { run, state: "unreadable", reason: Some(evolve_process::plain(reason)), ..Line::default() }
    }

    /// Returns the cells: run, state, share, trials, difference, time left.
    fn cells(&self) -> [String; 6] {
        let Line { run, state, share, trials, difference, low, high, seconds_left, .. } = self;
        let difference = difference.zip(low.zip(*high)).map(|(mean, (low, high))| {
            let interval = Interval { mean, low, high };
            let text = if self.by_ratio { interval.percent() } else { interval.to_string() };
            if self.evidence == Some(Evidence::Model) { format!("{text}, by the model") } else { text }
        });
        [
            run.clone(),
            state.to_string(),
            percent(*share),
            trials.map(grouped).unwrap_or_default(),
            difference.unwrap_or_else(|| self.untested.to_string()),
            left(*seconds_left),
        ]
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn left(seconds: Option<f64>) -> String {
    let left = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    left.map(|left| super::progress::rounded(left).to_string()).unwrap_or_default()
}

/// The largest number of runs of one job that keep separate lines if there are other jobs.
const FEW: usize = 3;

/// Groups runs into lines. The lines, and the runs within each, are ordered from newest to oldest. More than a few runs
/// of one job, which differ only in name and seed, share a line if there are other runs as well, unless `all` gives
/// each run a line.
fn groups(mut runs: Vec<&Standing>, all: bool) -> Vec<Vec<&Standing>> {
    let newest_first = |a: &Standing, b: &Standing| b.saved.cmp(&a.saved).then_with(|| a.folder.cmp(&b.folder));
    runs.sort_by(|a, b| newest_first(a, b));
    let mut groups: Vec<(String, Vec<&Standing>)> = Vec::new();
    for run in runs {
        let job = Job { name: String::new(), seed: 0, ..run.job.clone() }.comparable();
        match groups.iter_mut().find(|(other, _)| *other == job) {
            Some((_, group)) => group.push(run),
            None => groups.push((job, vec![run])),
        }
    }
    let each = all || groups.len() == 1;
    let shares = |group: &Vec<&Standing>| group.len() > FEW && !each;
    let (shared, apart): (Vec<_>, Vec<_>) = groups.into_iter().map(|(_, group)| group).partition(shares);
    let mut lines: Vec<Vec<&Standing>> = apart.concat().into_iter().map(|run| vec![run]).chain(shared).collect();
    lines.sort_by(|a, b| newest_first(a[0], b[0]));
    lines
}

/// Returns the cells of a group that shares a line.
fn shared(group: &[&Standing]) -> [String; 6] {
    let lines: Vec<Line> = group.iter().map(|run| Line::of(run)).collect();
    let common = lines.iter().map(|line| line.run.as_str()).reduce(common_prefix).unwrap_or_default();
    let of_state = |state: &str| lines.iter().filter(|line| line.state == state).count();
    let states = ["running", "stopped", "failed", "complete"].map(|state| (of_state(state), state));
    let states: Vec<String> =
        states.into_iter().filter(|(count, _)| *count > 0).map(|(count, state)| format!("{count} {state}")).collect();
    let complete: Vec<&Line> = lines.iter().filter(|line| line.state == "complete").collect();
    let better = complete.iter().filter(|line| line.is_improvement).count();
    let trials: u64 = lines.iter().filter_map(|line| line.trials).sum();
    let longest = lines.iter().filter_map(|line| line.seconds_left).reduce(f64::max);
    [
        format!("{common}* ({} runs)", lines.len()),
        states.join(", "),
        percent(lines.iter().map(|line| line.share).sum::<f64>() / lines.len() as f64),
        grouped(trials),
        if complete.is_empty() { String::new() } else { format!("improvement in {better} of {}", complete.len()) },
        left(longest),
    ]
}

/// Returns the common beginning of two texts.
fn common_prefix<'a>(a: &'a str, b: &'a str) -> &'a str {
    let same = a.char_indices().zip(b.chars()).take_while(|((_, one), other)| one == other).last();
    same.map_or("", |((place, letter), _)| &a[..place + letter.len_utf8()])
}

impl Args {
    pub fn run(self) -> Outcome {
        let is_default = self.folder == Path::new("results") && !self.folder.exists();
        let folder = if is_default { self.folder.clone() } else { find_run(&self.folder)? };
        let found = Standing::below(&folder, catalogue());
        let unreadable: Vec<Line> = found.iter().filter_map(|run| run.as_ref().err()).map(Line::unreadable).collect();
        let status = ExitCode::from(u8::from(!unreadable.is_empty()));
        let mut groups = groups(found.iter().flatten().collect(), self.all);
        groups.truncate(self.last.unwrap_or(usize::MAX));
        if self.json {
            let lines: Vec<Line> = groups.concat().into_iter().map(Line::of).chain(unreadable).collect();
            let text = serde_json::to_string_pretty(&lines).map_err(io::Error::from)?;
            writeln!(io::stdout(), "{text}")?;
            return Ok(status);
        }
        if found.is_empty() {
            show(&format!("no runs in {}/ yet; start one with: evolve run job.toml\n", folder.display()))?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut table = Table::new([Align::Left, Align::Left, Align::Right, Align::Right, Align::Left, Align::Right]);
        table.row([&"run", &"state", &"done", &"trials", &"difference from the baseline", &"left"]);
        for group in &groups {
            let row = match &group[..] {
                [one] => Line::of(one).cells(),
                many => shared(many),
            };
            table.row(row.each_ref().map(|cell| cell as &dyn fmt::Display));
        }
        if !groups.is_empty() {
            write!(io::stdout(), "{table}")?;
        }
        if let [group] = &groups[..]
            && let Some(message) = group.iter().find_map(|run| run.failure())
        {
            say(&format!("the run ended with a failed trial: {}", evolve_process::plain(message)));
        }
        for line in &unreadable {
            say(&format!("{}: cannot read this run: {}", line.run, line.reason.as_deref().unwrap_or_default()));
        }
        // A folder above several runs has no weights of its own.
        let file = weights_file(&folder);
        if file.exists() {
            show(&recommendation(&folder, &file)?)?;
        }
        Ok(status)
    }
}

/// Formats the verdict of a run from its weights file, and each value with the baseline's value beside it.
fn recommendation(folder: &Path, file: &Path) -> Result<String, Failure> {
    let policy = weights(folder)?;
    let text = read_text(file).map_err(|error| Failure::Work(format!("{}: {error}", file.display())))?;
    let mut shown = String::from("\n");
    for line in text.lines().map_while(|line| line.strip_prefix('#')) {
        shown += &format!("{}\n", line.trim());
    }
    shown.push('\n');
    for (parameter, &value) in policy.source.problem.parameters().iter().zip(&policy.values) {
        let (value, declared) = (toml_value(parameter, value), toml_value(parameter, parameter.start));
        let was = if value == declared { String::new() } else { format!("  # baseline: {declared}") };
        shown += &format!("{} = {value}{was}\n", parameter.name);
    }
    Ok(shown)
}
