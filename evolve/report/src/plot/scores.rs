//! The scores over a run: how much better than the start on held-out games, and training beside them.

use super::PlotError;
use super::axis::Axis;
use super::chart::{Chart, Interval, Point, label_width};
use super::figure::{self, DrawingError, Key, Symbol};
use super::style;
use crate::tables::{Check, Generation, HELD_OUT, Run};
use evolve_core::statistics::{Z95, decimals};
use plotters::style::RGBColor;

/// Width and height in pixels, as long as the legend has one row.
const SIZE: (u32, u32) = (1600, 1000);
/// The part of the height that differences take where training stands below them.
const DIFFERENCES: f64 = 0.56;
/// Height of axis labels in pixels.
const EM: f64 = 18.0;

/// What the horizontal axis shows.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// Generations; 0 is the start.
    Generation,
    /// Games played, those of validations too.
    Games,
}

impl Progress {
    fn name(self) -> &'static str {
        match self {
            Self::Generation => "Generation",
            Self::Games => "Games played, validations included",
        }
    }

    fn of(self, generation: u64, games: u64) -> f64 {
        match self {
            Self::Generation => generation as f64,
            Self::Games => games as f64,
        }
    }

    fn end(self, run: &Run) -> f64 {
        let generations = run.generations.iter().map(|g| self.of(g.generation.saturating_add(1), g.games));
        // The generation of a finalist is where it is from, not where the run stands.
        let checks = run.checks.iter().map(|check| match self {
            Self::Generation if check.stage != HELD_OUT => 0.0,
            _ => self.of(check.generation, check.games_played),
        });
        generations.chain(checks).fold(0.0, f64::max)
    }
}

/// The series of one run, placed along the horizontal axis.
struct Curves {
    /// Difference to the start on held-out games ± 95 %.
    difference: Vec<Interval>,
    /// The same of the finalist, on the games of the verdict.
    verdict: Option<Interval>,
    best: Vec<Point>,
    mean: Vec<Point>,
    /// Score on held-out games ± 95 %.
    held_out: Vec<Interval>,
}

impl Curves {
    fn new(run: &Run, progress: Progress) -> Self {
        // A generation is complete at its end.
        let place = |g: &Generation| progress.of(g.generation.saturating_add(1), g.games);
        let of_check = |check: &Check| progress.of(check.generation, check.games_played);
        let generations = || run.generations.iter();
        let difference = |check: &Check, place: f64| {
            let (mean, low, high) = check.difference?;
            Some((place, mean, (high - low) / 2.0))
        };
        Self {
            difference: run.stage(HELD_OUT).filter_map(|check| difference(check, of_check(check))).collect(),
            verdict: run.verdict().and_then(|(_, chosen)| difference(chosen, progress.end(run))),
            best: generations().map(|g| (place(g), g.best)).collect(),
            mean: generations().map(|g| (place(g), g.mean)).collect(),
            held_out: run.stage(HELD_OUT).map(|c| (of_check(c), c.mean, Z95 * c.standard_error)).collect(),
        }
    }

    /// All values that [`draw_differences`](Self::draw_differences) shows.
    fn differences(&self) -> impl Iterator<Item = f64> {
        ends(self.difference.iter().chain(&self.verdict)).chain([0.0])
    }

    fn draw_differences(&self, chart: &mut Chart, colour: RGBColor, verdict: RGBColor) -> Result<(), DrawingError> {
        if !self.difference.is_empty() {
            chart.band(&self.difference, colour)?;
            chart.error_bars(&self.difference, colour)?;
        }
        self.verdict.map_or(Ok(()), |interval| chart.diamond(interval, verdict))
    }

    /// All values that [`draw_scores`](Self::draw_scores) shows.
    fn scores(&self) -> impl Iterator<Item = f64> {
        let training = self.best.iter().chain(&self.mean).map(|&(_, value)| value);
        training.chain(ends(&self.held_out))
    }

    fn draw_scores(&self, chart: &mut Chart) -> Result<(), DrawingError> {
        chart.line(&self.best, style::SKY, 2)?;
        chart.line(&self.mean, style::GREY, 2)?;
        match self.held_out.is_empty() {
            true => Ok(()),
            false => chart.error_bars(&self.held_out, style::BLUE),
        }
    }

    fn legend(&self) -> Vec<Key> {
        let mut legend = Vec::new();
        if !self.held_out.is_empty() {
            legend.push(Key::new("held-out games, 95 % interval", style::BLUE, Symbol::Points));
        }
        if self.verdict.is_some() {
            legend.push(Key::new("verdict, on fresh games", style::VERMILLION, Symbol::Diamond));
        }
        if !self.mean.is_empty() {
            legend.push(Key::new("training: best", style::SKY, Symbol::Line));
            legend.push(Key::new("training: mean", style::GREY, Symbol::Line));
        }
        legend
    }
}

fn ends<'a>(intervals: impl IntoIterator<Item = &'a Interval>) -> impl Iterator<Item = f64> {
    intervals.into_iter().flat_map(|&(_, value, half)| [value - half, value + half])
}

/// What a run gained by its verdict, with the interval; `None` until there is one.
fn gain(run: &Run) -> Option<String> {
    let (start, chosen) = run.verdict()?;
    let (mean, low, high) = chosen.difference?;
    let digits = decimals(start.mean.abs().max(chosen.mean.abs())).min(2);
    Some(format!("{mean:+.digits$} ({low:+.digits$} to {high:+.digits$})").replace('-', "\u{2212}"))
}

/// The verdict of a run in a line.
fn verdict(run: &Run) -> String {
    let (Some(gain), Some((_, chosen))) = (gain(run), run.verdict()) else { return "no verdict yet".to_string() };
    let better = chosen.difference.is_some_and(|(_, low, _)| low > 0.0);
    let result = if better { "better than the start" } else { "nothing found" };
    format!("{result}: {gain} on {} games", chosen.games)
}

const DIFFERENCE: &str = "Difference to the start (score)";

/// The figure of one run with all its curves, as SVG.
pub fn one_run(run: &Run, progress: Progress) -> Result<String, PlotError> {
    let curves = Curves::new(run, progress);
    let x = Axis::counting(progress.end(run) as u64, 10);
    let above = Axis::around(curves.differences(), 6);
    let below = Axis::around(curves.scores(), 5);
    let subtitle = format!("Run {} · {}", run.name, verdict(run));
    let legend = curves.legend();
    figure::svg(figure::with_legend(SIZE, &legend)?, |root| {
        let area = figure::header(root, "Score on games that nothing was trained on", &subtitle, &legend)?;
        let height = f64::from(area.dim_in_pixel().1);
        let (upper, lower) = area.split_vertically((DIFFERENCES * height) as u32);
        let labels = label_width(&area, &above, EM)?.max(label_width(&area, &below, EM)?);
        let mut chart = Chart::with_labels(&upper, (&x, &above), EM, "", DIFFERENCE, labels)?;
        chart.level(0.0, style::GREY)?;
        curves.draw_differences(&mut chart, style::BLUE, style::VERMILLION)?;
        curves.draw_scores(&mut Chart::with_labels(&lower, (&x, &below), EM, progress.name(), "Score", labels)?)
    })
}

/// The figure of several runs, each by its differences to its start, as SVG.
pub fn several_runs(runs: &[Run], progress: Progress) -> Result<String, PlotError> {
    let curves: Vec<_> = runs.iter().map(|run| Curves::new(run, progress)).collect();
    let end = runs.iter().map(|run| progress.end(run)).fold(0.0, f64::max);
    let x = Axis::counting(end as u64, 10);
    let y = Axis::around(curves.iter().flat_map(Curves::differences), 8);
    let subtitle =
        "Difference to the start on held-out games, with its 95 % interval; a diamond is the verdict of a run";
    let keys = runs.iter().enumerate().map(|(i, run)| {
        let label = gain(run).map_or(run.name.clone(), |gain| format!("{}: {gain}", run.name));
        Key::new(label, style::run_colour(i), Symbol::Points)
    });
    let legend: Vec<Key> = keys.collect();
    figure::svg(figure::with_legend(SIZE, &legend)?, |root| {
        let area = figure::header(root, "What each run gained", subtitle, &legend)?;
        let mut chart = Chart::new(&area, (&x, &y), EM, progress.name(), DIFFERENCE)?;
        chart.level(0.0, style::GREY)?;
        for (run, curves) in curves.iter().enumerate() {
            curves.draw_differences(&mut chart, style::run_colour(run), style::run_colour(run))?;
        }
        Ok(())
    })
}

/// A line per run in the run's colour.
pub fn run_legend(runs: &[Run]) -> Vec<Key> {
    let keys = runs.iter().enumerate();
    keys.map(|(i, run)| Key::new(&run.name, style::run_colour(i), Symbol::Line)).collect()
}
