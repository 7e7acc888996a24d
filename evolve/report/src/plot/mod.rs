//! Plots of runs, finished or not: `scores.svg` and `weights.svg`, over the number of trials. For a
//! single run of a program also `history.svg`, its trials, and with a model `landscape.svg`; for
//! several runs with a model `history.svg`, their gains.
//!
//! `generations.csv` is required. Without `validation.csv`, the held-out scores are missing. A run
//! that has just started shows only the measurement of its baseline, and has no plot of weights.

mod history;
mod landscape;
mod marks;
mod scores;
mod weights;

use crate::draw::Interval;
use crate::error::ReportError;
use crate::page::History;
use crate::tables::Run;
use evolve_core::job::{Catalogue, Job};
use evolve_core::names::PLOTS;
use evolve_core::run::rows::ValidationRow;
use evolve_search::file::{make_folder, make_plain_folder, replace_plain};
use evolve_search::model::rating::Rating;
use evolve_search::optimizer::landscape::Landscape;
use marks::Marks;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// Plots one run into its own folder `plots`, and returns the paths of the files.
pub fn plot_run(run: &Path, catalogue: &Catalogue) -> Result<Vec<PathBuf>, ReportError> {
    plot(&[run.to_path_buf()], &run.join(PLOTS), catalogue, make_plain_folder)
}

/// Plots runs into the folder `output`, which is created if missing, and returns the paths of the
/// files.
///
/// Several runs share the plots, each with its own colour (colours repeat after seven). Weights are
/// matched by name. If the job and the recommended weights are in the same folder, the start,
/// bounds and recommendation are marked.
///
/// # Errors
/// If a table cannot be read or a file cannot be written. All runs are read before the first file
/// is written.
pub fn plot_runs(folders: &[PathBuf], output: &Path, catalogue: &Catalogue) -> Result<Vec<PathBuf>, ReportError> {
    plot(folders, output, catalogue, make_folder)
}

fn plot(
    folders: &[PathBuf],
    output: &Path,
    catalogue: &Catalogue,
    make: fn(&Path) -> io::Result<()>,
) -> Result<Vec<PathBuf>, ReportError> {
    let runs = read(folders)?;
    let marks = runs.iter().zip(folders).map(|(run, folder)| marks::read(folder, run, catalogue));
    let marks: Vec<Marks> = marks.collect::<Result<_, _>>()?;
    let jobs: Vec<Option<Job>> = folders.iter().map(|folder| Job::recorded(folder, catalogue).ok()).collect();
    let rating = |job: &Option<Job>| job.as_ref().map_or(Rating::Objective, |job| job.problem.rating());
    let scores = scores::draw(&runs, Rating::common(jobs.iter().map(rating)));
    let weights = weights::draw(&runs, &marks);
    let known =
        || runs.iter().zip(folders).zip(&jobs).filter_map(|((run, folder), job)| Some((run, folder, job.as_ref()?)));
    let (history, landscape) = match runs.len() {
        1 => known().next().map_or((None, None), |(run, folder, job)| of_program(run, folder, job)),
        _ => (several(known()), None),
    };
    make(output).map_err(ReportError::write(output))?;
    let write = |(name, svg): (&str, String)| {
        let path = output.join(name);
        replace_plain(&path, svg.as_bytes()).map_err(ReportError::write(&path))?;
        Ok(path)
    };
    let plots = [
        ("scores.svg", Some(scores)),
        ("weights.svg", weights),
        ("history.svg", history),
        ("landscape.svg", landscape),
    ];
    plots.into_iter().filter_map(|(name, svg)| Some((name, svg?))).map(write).collect()
}

/// Draws the history and the landscape of a run, if it has them.
fn of_program(run: &Run, folder: &Path, job: &Job) -> (Option<String>, Option<String>) {
    let (found, history) = modelled(run, folder, job);
    let history = history.map(|history| history::draw(run, &history));
    let landscape = found.filter(|found| !found.slices.is_empty());
    (history, landscape.map(|found| landscape::draw(&run.name, job, &found)))
}

/// Draws the histories of several runs on one axis, if they have a model.
fn several<'r>(runs: impl Iterator<Item = (&'r Run, &'r PathBuf, &'r Job)>) -> Option<String> {
    let read = |(run, folder, job): (&'r Run, &PathBuf, &Job)| {
        let (_, history) = modelled(run, folder, job);
        Some(((run, history?), job.problem.rating()))
    };
    let (histories, ratings): (Vec<(&Run, History)>, Vec<Rating>) = runs.filter_map(read).unzip();
    history::draw_several(&histories, Rating::common(ratings.into_iter()))
}

/// Reads the landscape and the history of a run, if it has them.
fn modelled(run: &Run, folder: &Path, job: &Job) -> (Option<Landscape>, Option<History>) {
    let found = evolve_core::run::landscape(folder, job);
    let history = History::read(folder, job, run, found.as_ref()).filter(|history| !history.is_empty());
    (found, history)
}

/// Returns the difference of a candidate from the baseline, drawn at `x`.
fn interval(row: &ValidationRow, x: u64) -> Option<Interval> {
    let of = row.difference()?;
    Some(Interval { x: x as f64, low: of.low, value: of.mean, high: of.high })
}

fn read(folders: &[PathBuf]) -> Result<Vec<Run>, ReportError> {
    let mut runs: Vec<Run> = folders.iter().map(|folder| Run::read(folder)).collect::<Result<_, _>>()?;
    let names: HashSet<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    if names.len() < runs.len() {
        // Folders in different places can have the same name; name these runs by their paths.
        for (run, folder) in runs.iter_mut().zip(folders) {
            run.name = folder.display().to_string();
        }
    }
    Ok(runs)
}
