//! Plots of finished or running runs: scores and weights over the generations.
//!
//! Of each run, `generations.csv` is required. Without `validation.csv` the held-out scores are left
//! out; without generations (a run just begun) the plots show the validation of the starting weights
//! alone, and without weights there is no page of weights.
//!
//! Each figure is an SVG file: `scores-by-generation`, `scores-by-games`, and `weights-1`,
//! `weights-2`, … with up to 30 weights each. The files depend
//! on nothing but the tables and the folders' names: the same input gives the same bytes. Texts are
//! set in a font that is part of the program.

mod axis;
mod chart;
mod figure;
mod marks;
mod scores;
mod style;

mod weights;

pub use crate::error::PlotError;

use crate::tables::Run;
use evolve_core::problem::Catalogue;
use evolve_core::run::atomic::make_folder;
use evolve_core::run::atomic::make_plain_folder;
use marks::Marks;
use scores::Progress;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Plots one run into the folder `plots` within the run's own.
///
/// # Errors
///
/// As [`plot_runs`].
pub fn plot_run(run: &Path, catalogue: &Catalogue) -> Result<Vec<PathBuf>, PlotError> {
    let figures = draw(&[run.to_path_buf()], catalogue)?;
    let output = run.join("plots");
    make_plain_folder(&output).map_err(|source| PlotError::Write { path: output.clone(), source })?;
    write(&figures, &output)
}

/// Plots runs into the folder `output`, which is made if missing, and gives the written files in
/// order.
///
/// A single run gets the difference to its start on held-out games with the verdict, and training beside the held-out
/// scores. Several runs share the figures, a colour for each (they repeat after seven), by their differences; weights
/// are matched by name. Where the job and the recommended weights are beside the tables, start, bounds and
/// recommendation are marked.
///
/// # Errors
///
/// [`PlotError`] tells which file, line and column is at fault. All runs are read before anything
/// is written.
pub fn plot_runs(folders: &[PathBuf], output: &Path, catalogue: &Catalogue) -> Result<Vec<PathBuf>, PlotError> {
    let figures = draw(folders, catalogue)?;
    make_folder(output).map_err(|source| PlotError::Write { path: output.to_path_buf(), source })?;
    write(&figures, output)
}

/// The figures of runs, with the stems of their names.
fn draw(folders: &[PathBuf], catalogue: &Catalogue) -> Result<Vec<(String, String)>, PlotError> {
    let runs = read_runs(folders)?;
    let marks = runs.iter().zip(folders).map(|(run, folder)| marks::read(folder, run, catalogue));
    let marks: Vec<Marks> = marks.collect::<Result<_, _>>()?;
    style::register_fonts()?;
    let mut figures = Vec::new();
    for (stem, progress) in [("scores-by-generation", Progress::Generation), ("scores-by-games", Progress::Games)] {
        let figure = match &runs[..] {
            [run] => scores::one_run(run, progress)?,
            runs => scores::several_runs(runs, progress)?,
        };
        figures.push((stem.to_string(), figure));
    }
    for (page, figure) in weights::pages(&runs, &marks)?.into_iter().enumerate() {
        figures.push((format!("weights-{}", page + 1), figure));
    }
    Ok(figures)
}

fn write(figures: &[(String, String)], output: &Path) -> Result<Vec<PathBuf>, PlotError> {
    figures.iter().map(|(stem, figure)| figure::write(output, stem, figure)).collect()
}

fn read_runs(folders: &[PathBuf]) -> Result<Vec<Run>, PlotError> {
    if folders.is_empty() {
        return Err(PlotError::NoRuns);
    }
    let mut runs: Vec<Run> = folders.iter().map(|folder| Run::read(folder)).collect::<Result<_, _>>()?;
    let names: HashSet<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    if names.len() < runs.len() {
        // Folders of one name in different places: only their paths tell them apart.
        for (run, folder) in runs.iter_mut().zip(folders) {
            run.name = folder.display().to_string();
        }
    }
    Ok(runs)
}
