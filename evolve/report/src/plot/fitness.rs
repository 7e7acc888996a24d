//! The scores over a run: within the population, and on the held-out deals.

use super::PlotError;
use super::axis::Axis;
use super::chart::{Chart, Interval, Point};
use super::figure::{self, DrawingError, Key, Symbol};
use super::style;
use crate::tables::{Check, Generation, HELD_OUT, Run};
use evolve_core::statistics::Z95;

/// Width and height in pixels, as long as the legend has one row.
const SIZE: (u32, u32) = (1600, 1000);

/// What the horizontal axis shows.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// Generations; 0 is the start.
    Generation,
    /// Games played, those of validations too.
    Games,
}

impl Progress {
    fn title(self) -> &'static str {
        match self {
            Self::Generation => "Fitness by generation",
            Self::Games => "Fitness by games played",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Generation => "Generation",
            Self::Games => "Games played, validations included",
        }
    }

    fn of(self, generation: u64, games: u64) -> u64 {
        match self {
            Self::Generation => generation,
            Self::Games => games,
        }
    }

    fn end(self, run: &Run) -> u64 {
        let generations = run.generations.iter().map(|g| (g.generation, g.games));
        let validations = run.stage(HELD_OUT).map(|v| (v.generation, v.games_played));
        let places = generations.chain(validations);
        places.map(|(g, games)| self.of(g, games)).max().unwrap_or(0)
    }
}

/// The series of one run, placed along the horizontal axis.
struct Curves {
    best: Vec<Point>,
    mean: Vec<Point>,
    /// mean ± spread.
    population: Vec<Interval>,
    /// mean ± 95%.
    held_out: Vec<Interval>,
    /// The held-out mean of the starting weights.
    start: Option<f64>,
}

impl Curves {
    fn new(run: &Run, progress: Progress) -> Self {
        let place = |g: &Generation| progress.of(g.generation, g.games) as f64;
        let generations = || run.generations.iter();
        let held_out = |v: &Check| {
            let place = progress.of(v.generation, v.games_played) as f64;
            (place, v.mean, Z95 * v.standard_error)
        };
        Self {
            best: generations().map(|g| (place(g), g.best)).collect(),
            mean: generations().map(|g| (place(g), g.mean)).collect(),
            population: generations().map(|g| (place(g), g.mean, g.spread)).collect(),
            held_out: run.stage(HELD_OUT).map(held_out).collect(),
            start: run.stage(HELD_OUT).find(|v| v.generation == 0).map(|v| v.mean),
        }
    }

    fn legend(&self) -> Vec<Key> {
        let mut legend = Vec::new();
        if !self.mean.is_empty() {
            legend.push(Key::new("best of the generation", style::SKY, Symbol::Line));
            legend.push(Key::new("population mean", style::BLUE, Symbol::Line));
            legend.push(Key::new("± standard deviation", style::BLUE, Symbol::Band));
        }
        if !self.held_out.is_empty() {
            let label = "held-out deals, 95% interval";
            legend.push(Key::new(label, style::VERMILLION, Symbol::Points));
        }
        if self.start.is_some() {
            legend.push(Key::new("start level", style::GREY, Symbol::Dashes));
        }
        legend
    }

    fn draw(&self, chart: &mut Chart) -> Result<(), DrawingError> {
        chart.band(&self.population, style::BLUE)?;
        if let Some(start) = self.start {
            chart.level(start, style::GREY)?;
        }
        chart.line(&self.best, style::SKY, 2)?;
        chart.line(&self.mean, style::BLUE, 3)?;
        chart.error_bars(&self.held_out, style::VERMILLION)
    }

    /// All values that [`Curves::draw`] shows.
    fn values(&self) -> impl Iterator<Item = f64> {
        let best = self.best.iter().map(|&(_, value)| value);
        best.chain(ends(&self.population)).chain(ends(&self.held_out))
    }
}

fn ends(intervals: &[Interval]) -> impl Iterator<Item = f64> {
    intervals.iter().flat_map(|&(_, value, half)| [value - half, value + half])
}

/// The figure of one run with all its curves, as SVG.
pub fn one_run(run: &Run, progress: Progress) -> Result<String, PlotError> {
    let curves = Curves::new(run, progress);
    let x = Axis::counting(progress.end(run), 10);
    let y = Axis::around(curves.values(), 8);
    let subtitle = format!("Run {} · score, larger is better", run.name);
    let legend = curves.legend();
    figure::svg(figure::with_legend(SIZE, &legend)?, |root| {
        let area = figure::header(root, progress.title(), &subtitle, &legend)?;
        curves.draw(&mut Chart::new(&area, (&x, &y), 18.0, progress.name())?)
    })
}

/// The figure of several runs, each with its mean and its held-out validations, as SVG.
pub fn several_runs(runs: &[Run], progress: Progress) -> Result<String, PlotError> {
    let curves: Vec<_> = runs.iter().map(|run| Curves::new(run, progress)).collect();
    let end = runs.iter().map(|run| progress.end(run)).max();
    let x = Axis::counting(end.unwrap_or(0), 10);
    let means = curves.iter().flat_map(|c| &c.mean).map(|&(_, mean)| mean);
    let held_out = curves.iter().flat_map(|c| ends(&c.held_out));
    let y = Axis::around(means.chain(held_out), 8);
    let subtitle = "Score: population mean (thin) and held-out deals with 95% interval (dots)";
    let legend = run_legend(runs);
    figure::svg(figure::with_legend(SIZE, &legend)?, |root| {
        let area = figure::header(root, progress.title(), subtitle, &legend)?;
        let mut chart = Chart::new(&area, (&x, &y), 18.0, progress.name())?;
        for (run, curves) in curves.iter().enumerate() {
            chart.line(&curves.mean, style::run_colour(run), 2)?;
        }
        for (run, curves) in curves.iter().enumerate() {
            chart.error_bars(&curves.held_out, style::run_colour(run))?;
        }
        Ok(())
    })
}

/// A line per run in the run's colour.
pub fn run_legend(runs: &[Run]) -> Vec<Key> {
    let keys = runs.iter().enumerate();
    keys.map(|(i, run)| Key::new(&run.name, style::run_colour(i), Symbol::Line)).collect()
}
