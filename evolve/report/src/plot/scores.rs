//! The scores over a run: how much better than the start on held-out games, and training beside them.

use crate::draw::{
    Area, Axis, BLUE, Chart, Colour, Font, GREY, Interval, Key, MARGIN, PALETTE, Point, SKY, Symbol, VERMILLION, figure,
};
use crate::tables::{Check, HELD_OUT, Run};
use evolve_core::statistics::{Z95, decimals};

/// Width of a picture in pixels, and height of what is below its head.
const SIZE: (f64, f64) = (1600.0, 836.0);
/// Pixels that differences take where training stands below them.
const DIFFERENCES: f64 = 416.0;
/// Height of labels in pixels.
const EM: f64 = 18.0;
const GAMES: &str = "Games played, checks included";
const DIFFERENCE: &str = "Difference to the start (score)";

/// The series of one run, placed by the games played.
struct Curves {
    /// Difference to the start on held-out games.
    difference: Vec<Interval>,
    /// The same of the finalist, on the games of the verdict.
    verdict: Option<Interval>,
    /// The score on held-out games.
    held_out: Vec<Interval>,
    /// The best of each generation in training.
    best: Vec<Point>,
    /// The mean of each generation in training.
    mean: Vec<Point>,
}

impl Curves {
    fn new(run: &Run) -> Self {
        let difference = |check: &Check, x: f64| {
            let (value, low, high) = check.difference()?;
            Some(Interval { x, low, value, high })
        };
        let score = |check: &Check| {
            let half = Z95 * check.standard_error;
            let (x, value) = (check.games_played as f64, check.mean);
            Interval { x, low: value - half, value, high: value + half }
        };
        let held_out = || run.stage(HELD_OUT);
        let training = |value: fn(f64, f64) -> f64| {
            run.generations.iter().map(|row| (row.games_played as f64, value(row.best, row.mean))).collect()
        };
        Curves {
            difference: held_out().filter_map(|check| difference(check, check.games_played as f64)).collect(),
            verdict: run.verdict().and_then(|(_, chosen)| difference(chosen, run.games() as f64)),
            held_out: held_out().map(score).collect(),
            best: training(|best, _| best),
            mean: training(|_, mean| mean),
        }
    }

    /// All values that [`draw_differences`](Self::draw_differences) shows.
    fn differences(&self) -> impl Iterator<Item = f64> {
        self.difference.iter().chain(&self.verdict).flat_map(Interval::ends).chain([0.0])
    }

    fn draw_differences(&self, chart: &mut Chart, colour: Colour, verdict: Colour) {
        chart.band(&self.difference, colour);
        chart.error_bars(&self.difference, colour);
        if let Some(interval) = &self.verdict {
            chart.diamond(interval, verdict);
        }
    }

    /// All values that [`draw_scores`](Self::draw_scores) shows.
    fn scores(&self) -> impl Iterator<Item = f64> {
        let training = self.best.iter().chain(&self.mean).map(|&(_, value)| value);
        training.chain(self.held_out.iter().flat_map(Interval::ends))
    }

    fn draw_scores(&self, chart: &mut Chart) {
        chart.line(&self.best, SKY, 2.0);
        chart.line(&self.mean, GREY, 2.0);
        chart.error_bars(&self.held_out, BLUE);
    }

    fn legend(&self) -> Vec<Key> {
        let entries = [
            (!self.held_out.is_empty(), Key::new("held-out games, 95 % interval", BLUE, Symbol::Points)),
            (self.verdict.is_some(), Key::new("verdict, on fresh games", VERMILLION, Symbol::Diamond)),
            (!self.best.is_empty(), Key::new("training: best", SKY, Symbol::Line)),
            (!self.mean.is_empty(), Key::new("training: mean", GREY, Symbol::Line)),
        ];
        entries.into_iter().filter_map(|(is_shown, key)| is_shown.then_some(key)).collect()
    }
}

/// What a run gained by its verdict, with the interval; `None` until there is one.
fn gain(run: &Run) -> Option<String> {
    let (start, chosen) = run.verdict()?;
    let (mean, low, high) = chosen.difference()?;
    let digits = decimals(start.mean.abs().max(chosen.mean.abs())).min(2);
    Some(format!("{mean:+.digits$} ({low:+.digits$} to {high:+.digits$})").replace('-', "\u{2212}"))
}

/// The verdict of a run in a line.
fn verdict(run: &Run) -> String {
    let (Some(gain), Some((_, chosen))) = (gain(run), run.verdict()) else { return "no verdict yet".to_string() };
    let is_better = chosen.difference().is_some_and(|(_, low, _)| low > 0.0);
    let result = if is_better { "better than the start" } else { "nothing found" };
    format!("{result}: {gain} on {} games", chosen.games)
}

/// The area of a chart between two heights, with room for the labels of its vertical axes.
fn area(top: f64, bottom: f64, axes: &[&Axis]) -> Area {
    let labels = axes.iter().map(|axis| axis.label_width(Font::plain(EM, GREY))).fold(0.0, f64::max);
    Area { left: MARGIN + 2.4 * EM + labels, right: SIZE.0 - MARGIN, top, bottom }
}

/// The figure of one run with all its curves, as SVG.
pub fn one_run(run: &Run) -> String {
    let curves = Curves::new(run);
    let x = Axis::counting(run.games(), 10);
    let (above, below) = (Axis::around(curves.differences(), 6), Axis::around(curves.scores(), 5));
    let title = "Score on games that nothing was trained on";
    let subtitle = format!("Run {} · {}", run.name, verdict(run));
    let (mut svg, top) = figure(SIZE.0, SIZE.1, title, &subtitle, &curves.legend());
    let middle = top + DIFFERENCES;
    let upper = area(top + 10.0, middle, &[&above, &below]);
    let lower = Area { top: middle + 44.0, bottom: top + SIZE.1 - MARGIN - 3.4 * EM, ..upper };
    let mut chart = Chart::new(&mut svg, upper, &x, &above, EM);
    chart.name_beside(EM, MARGIN + EM / 2.0, DIFFERENCE);
    chart.level(0.0, GREY);
    curves.draw_differences(&mut chart, BLUE, VERMILLION);
    let mut chart = Chart::new(&mut svg, lower, &x, &below, EM);
    chart.name_beside(EM, MARGIN + EM / 2.0, "Score");
    chart.name_below(EM, GAMES);
    curves.draw_scores(&mut chart);
    svg.finish()
}

/// The figure of several runs, each by its differences to its start, as SVG.
pub fn several_runs(runs: &[Run]) -> String {
    let curves: Vec<Curves> = runs.iter().map(Curves::new).collect();
    let x = Axis::counting(runs.iter().map(Run::games).max().unwrap_or(0), 10);
    let y = Axis::around(curves.iter().flat_map(Curves::differences), 8);
    let subtitle =
        "Difference to the start on held-out games, with its 95 % interval; a diamond is the verdict of a run";
    let key = |(run, colour): (&Run, &Colour)| {
        let label = gain(run).map_or(run.name.clone(), |gain| format!("{}: {gain}", run.name));
        Key::new(label, colour, Symbol::Points)
    };
    let legend: Vec<Key> = runs.iter().zip(PALETTE.iter().cycle()).map(key).collect();
    let (mut svg, top) = figure(SIZE.0, SIZE.1, "What each run gained", subtitle, &legend);
    let area = area(top + 10.0, top + SIZE.1 - MARGIN - 3.4 * EM, &[&y]);
    let mut chart = Chart::new(&mut svg, area, &x, &y, EM);
    chart.name_beside(EM, MARGIN + EM / 2.0, DIFFERENCE);
    chart.name_below(EM, GAMES);
    chart.level(0.0, GREY);
    for (curves, colour) in curves.iter().zip(PALETTE.iter().cycle()) {
        curves.draw_differences(&mut chart, colour, colour);
    }
    svg.finish()
}
