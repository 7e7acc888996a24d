//! `evolve log`.

use super::after::here;
use super::contestants::find_run;
use super::progress::{hand_out_json, say, show};
use super::run::rounds::Versions;
use super::table::{Align, Table};
use super::{Outcome, catalogue};
use crate::lineage::{Entry, Total, series};
use evolve_core::names::RESULTS;
use evolve_core::run::Snapshot;
use evolve_search::file::slashed;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// List the versions of a program: what each complete run changed, and its gain
///
/// A run that follows another (`evolve run ... --after`) makes the next version. Its gain over the
/// version before is that of its held-out test. If the program itself changed between two runs, the
/// gain of the new program comes first, by the comparison on the same instances before the run.
///
/// The last line of each series adds up the gains since its first baseline, if all are known.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve log
  evolve log tour
  evolve log results --json")]
pub struct Args {
    /// Folder that contains runs, or the first run of a series by name or folder
    #[arg(value_name = "FOLDER", default_value = RESULTS, add = super::completions::runs())]
    folder: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Returns the result of a run in words.
fn found(entry: &Entry) -> String {
    match entry.gain {
        None if entry.is_untested => "not tested".to_string(),
        None => "nothing better found".to_string(),
        Some(gain) if entry.recommends_finalist => entry.rating.text(gain),
        Some(gain) => format!("{}, not better", entry.rating.text(gain)),
    }
}

/// Returns the first values that a run changed.
fn changed(entry: &Entry) -> String {
    const SHOWN: usize = 4;
    let shown = entry.values.iter().take(SHOWN);
    let mut all: Vec<String> = shown.map(|[name, from, to]| format!("{name} {from} -> {to}")).collect();
    all.extend((entry.values.len() > SHOWN).then(|| format!("{} more", entry.values.len() - SHOWN)));
    all.join(", ")
}

fn text(series: &[Entry]) -> String {
    let mut table = Table::new([Align::Left, Align::Left, Align::Left]);
    table.row([&"version", &"gain over the one before", &"values"]);
    for entry in series {
        if let Some(change) = &entry.change {
            let gain = match change.gain {
                Some(gain) => format!("{}, {}", entry.rating.text(gain), change.answer),
                None => "not compared".to_string(),
            };
            table.row([&format!("{} changed", change.file), &gain, &""]);
        }
        let name = if entry.is_best { format!("{} (best)", entry.run) } else { entry.run.clone() };
        table.row([&evolve_process::plain(&name), &found(entry), &changed(entry)]);
    }
    let total = Total::of_series(series).map(|total| format!("{total}\n"));
    format!("{table}{}", total.unwrap_or_default())
}

impl Args {
    pub fn run(self) -> Outcome {
        let is_default = self.folder == Path::new(RESULTS);
        // Runs name the one that they follow in this form.
        let folder = here(&if is_default { self.folder.clone() } else { find_run(&self.folder)? });
        // Runs that follow the first one of a series lie beside it.
        let is_run = Snapshot::of(&folder, catalogue()).is_some();
        let within = if is_run { folder.parent().unwrap_or(Path::new(".")) } else { &folder };
        let runs = Snapshot::below(within, catalogue()).into_iter().filter_map(Result::ok);
        let mut all = series(runs.filter_map(|run| Entry::read(&run, catalogue())).collect());
        for series in &mut all {
            let best = Versions::of(Path::new(&series[0].run)).best();
            let is_best = |one: &Entry| best.as_ref().is_some_and(|(_, version)| version.run == one.run);
            series.iter_mut().for_each(|one| one.is_best = is_best(one));
        }
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
