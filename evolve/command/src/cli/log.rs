//! `evolve log`.

use super::change::Change;
use super::contestants::find_run;
use super::progress::{hand_out_json, say, show};
use super::run::rounds::Versions;
use super::table::{Align, Table};
use super::{Outcome, catalogue};
use clap::ValueHint;
use evolve_core::file::slashed;
use evolve_core::job::Job;
use evolve_core::job::policy_file::{Policy, RecordedVerdict, toml_value};
use evolve_core::model::rating::Rating;
use evolve_core::run::Snapshot;
use evolve_core::statistics::Interval;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// List the versions of a program: what each complete run changed, and its gain
///
/// A run that follows another (`evolve run ... --after`) makes the next version. Its gain over the
/// version before is that of its held-out test. If the program itself changed between two runs, the
/// gain of the new program comes first, by the comparison on the same instances before the run.
///
/// The last line of each series adds up the gains since its first baseline.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve log
  evolve log tour
  evolve log results --json")]
pub struct Args {
    /// Folder that contains runs, or the first run of a series by name or folder
    #[arg(value_name = "FOLDER", default_value = "results", value_hint = ValueHint::DirPath)]
    folder: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A complete run.
#[derive(Clone, Serialize)]
struct Entry {
    run: String,
    /// The run that it follows.
    after: Option<String>,
    /// The gain of a changed program before the run.
    change: Option<Change>,
    /// Whether the run recommends its finalist.
    is_better: bool,
    /// The gain of the finalist over the baseline, with its 95 % confidence interval; `None` if
    /// there was no test.
    gain: Option<Interval>,
    /// The parameters that the run changed: name, value before and value now.
    values: Vec<[String; 3]>,
    /// Whether the best version comes from this run.
    is_best: bool,
    #[serde(skip)]
    rating: Rating,
}

impl Entry {
    /// Reads a complete run; `None` for other runs.
    fn of(run: &Snapshot) -> Option<Self> {
        if !run.is_complete() {
            return None;
        }
        let job = Job::recorded(&run.folder, catalogue()).ok()?;
        let policy = Policy::read(&run.folder, catalogue()).ok()?;
        let change = Change::read(&run.folder);
        let followed = Path::new(&job.baseline).is_dir().then(|| job.baseline.clone());
        let is_better = run.is_improvement();
        let values = job.space.parameters().iter().zip(job.space.start()).zip(&policy.values);
        let values = values.filter(|((_, from), to)| from != to).map(|((parameter, &from), &to)| {
            [parameter.name.clone(), toml_value(parameter, from), toml_value(parameter, to)]
        });
        Some(Entry {
            run: slashed(&run.folder),
            after: change.as_ref().map(|change| change.run.clone()).or(followed),
            is_better,
            gain: policy.verdict.as_ref().and_then(RecordedVerdict::interval),
            values: values.collect(),
            change,
            is_best: false,
            rating: job.problem.behaviour().rating,
        })
    }

    /// Returns the gains that this run adds: of a changed program, and of its finalist.
    fn gains(&self) -> impl Iterator<Item = Interval> {
        let change = self.change.as_ref().map(|change| change.gain);
        change.into_iter().chain(self.gain.filter(|_| self.is_better))
    }

    fn found(&self) -> String {
        match self.gain {
            None => "nothing better found".to_string(),
            Some(gain) if self.is_better => self.rating.text(gain),
            Some(gain) => format!("{}, not better", self.rating.text(gain)),
        }
    }

    fn changed(&self) -> String {
        const SHOWN: usize = 4;
        let mut all: Vec<String> =
            self.values.iter().take(SHOWN).map(|[name, from, to]| format!("{name} {from} -> {to}")).collect();
        all.extend((self.values.len() > SHOWN).then(|| format!("{} more", self.values.len() - SHOWN)));
        all.join(", ")
    }
}

/// Returns the series of runs: each begins with a run that follows no other, and has those that
/// follow it, in the order in which they were saved.
fn series(mut runs: Vec<Snapshot>) -> Vec<Vec<Entry>> {
    runs.sort_by(|a, b| a.saved.cmp(&b.saved).then_with(|| a.folder.cmp(&b.folder)));
    let mut all: Vec<Vec<Entry>> = Vec::new();
    for entry in runs.iter().filter_map(Entry::of) {
        let follows = |series: &&mut Vec<Entry>| series.iter().any(|one| entry.after.as_ref() == Some(&one.run));
        match all.iter_mut().find(follows) {
            Some(series) => series.push(entry),
            None => all.push(vec![entry]),
        }
    }
    for series in &mut all {
        let best = Versions::of(Path::new(&series[0].run)).best();
        series
            .iter_mut()
            .for_each(|one| one.is_best = best.as_ref().is_some_and(|(_, version)| version.run == one.run));
    }
    all
}

fn text(series: &[Entry]) -> String {
    let mut table = Table::new([Align::Left, Align::Left, Align::Left]);
    table.row([&"version", &"gain over the one before", &"values"]);
    for entry in series {
        if let Some(change) = &entry.change {
            let gain = format!("{}, {}", entry.rating.text(change.gain), change.answer);
            table.row([&format!("{} changed", change.file), &gain, &""]);
        }
        let name = if entry.is_best { format!("{} (best)", entry.run) } else { entry.run.clone() };
        table.row([&evolve_process::plain(&name), &entry.found(), &entry.changed()]);
    }
    let first = &series[0];
    let gains: Vec<Interval> = series.iter().flat_map(Entry::gains).collect();
    let is_common = series.iter().all(|one| one.rating == first.rating);
    let total = (is_common && gains.len() > 1).then(|| {
        let steps = gains.len();
        format!(
            "since the baseline of {}: {}, by {steps} steps\n",
            first.run,
            first.rating.sentence(first.rating.sum(gains))
        )
    });
    format!("{table}{}", total.unwrap_or_default())
}

impl Args {
    pub fn run(self) -> Outcome {
        let folder = if self.folder == Path::new("results") { self.folder.clone() } else { find_run(&self.folder)? };
        // Runs that follow the first one of a series lie beside it.
        let is_run = Snapshot::of(&folder, catalogue()).is_some();
        let within = if is_run { folder.parent().unwrap_or(Path::new(".")) } else { &folder };
        let mut all = series(Snapshot::below(within, catalogue()).into_iter().filter_map(Result::ok).collect());
        if is_run {
            let name = slashed(&folder);
            all.retain(|series| series.iter().any(|one| one.run == name));
        }
        if self.json {
            hand_out_json(&all)?;
        } else if all.is_empty() {
            say(&format!("no complete runs in {}", slashed(&folder)));
        } else {
            let texts: Vec<String> = all.iter().map(|series| text(series)).collect();
            show(&texts.join("\n"))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
