//! Plots of runs, finished or not: `scores.svg` and `weights.svg`, over the number of trials.
//!
//! `generations.csv` is required. Without `validation.csv`, the held-out scores are missing. A run
//! that has just started shows only the measurement of its baseline, and has no plot of weights.

mod marks;
mod scores;
mod weights;

use crate::error::ReportError;
use crate::tables::Run;
use evolve_core::file::{make_folder, make_plain_folder, replace_plain};
use evolve_core::job::Catalogue;
use marks::Marks;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// Plots one run into its own folder `plots`, and returns the paths of the files.
pub fn plot_run(run: &Path, catalogue: &Catalogue) -> Result<Vec<PathBuf>, ReportError> {
    plot(&[run.to_path_buf()], &run.join("plots"), catalogue, make_plain_folder)
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
    let scores = scores::draw(&runs);
    let weights = weights::draw(&runs, &marks);
    make(output).map_err(ReportError::write(output))?;
    let write = |(name, svg): (&str, String)| {
        let path = output.join(name);
        replace_plain(&path, svg.as_bytes()).map_err(ReportError::write(&path))?;
        Ok(path)
    };
    [Some(("scores.svg", scores)), weights.map(|svg| ("weights.svg", svg))].into_iter().flatten().map(write).collect()
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
