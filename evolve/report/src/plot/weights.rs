//! The path of every weight over the generations, as pages of small charts.

use super::PlotError;
use super::axis::{self, Axis};
use super::chart::{Chart, Interval, Point};
use super::figure::{self, Area, DrawingError, Key, Symbol};
use super::marks::{Mark, Marks};
use super::scores::run_legend;
use super::style;
use crate::tables::{Run, WeightPath};
use plotters::style::RGBColor;

/// Panels side by side.
const COLUMNS: usize = 5;
/// Panels on one page at most.
const PAGE: usize = 6 * COLUMNS;
/// Width and height of a panel in pixels.
const PANEL: (u32, u32) = (370, 250);
/// Height of the title and the legend in pixels, as long as the legend has one row.
const HEADER: u32 = 190;

/// One weight in one run.
struct Curve {
    colour: RGBColor,
    /// mean ± standard deviation over the population.
    intervals: Vec<Interval>,
    mark: Option<Mark>,
}

/// One weight in all the runs that have it.
struct Panel<'a> {
    name: &'a str,
    curves: Vec<Curve>,
}

/// The pages as SVG, weights in the order of the first run; none if no run has weights to show.
pub fn pages(runs: &[Run], marks: &[Marks]) -> Result<Vec<String>, PlotError> {
    let panels = panels(runs, marks);
    if panels.is_empty() {
        return Ok(Vec::new());
    }
    let count = panels.len().div_ceil(PAGE);
    let last = runs.iter().flat_map(|run| &run.generations);
    let x = Axis::counting(last.map(|g| g.generation).max().unwrap_or(0), 4);
    // Pages of about the same length look better than a full one and a rest.
    let length = panels.len().div_ceil(count).next_multiple_of(COLUMNS);
    let pages = panels.chunks(length).enumerate();
    pages
        .map(|(number, panels)| {
            let subtitle = format!("{} · page {} of {count}", caption(runs), number + 1);
            page(&subtitle, &legend(runs, marks), panels, &x)
        })
        .collect()
}

fn panels<'r>(runs: &'r [Run], marks: &[Marks]) -> Vec<Panel<'r>> {
    let mut panels: Vec<Panel> = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        if run.generations.is_empty() {
            continue;
        }
        for weight in &run.weights {
            let mark = marks[number].get(&weight.name).copied();
            let curve = Curve { colour: style::run_colour(number), intervals: intervals(run, weight), mark };
            match panels.iter_mut().find(|panel| panel.name == weight.name) {
                Some(panel) => panel.curves.push(curve),
                None => panels.push(Panel { name: &weight.name, curves: vec![curve] }),
            }
        }
    }
    panels
}

fn intervals(run: &Run, weight: &WeightPath) -> Vec<Interval> {
    let values = weight.mean.iter().zip(&weight.deviation);
    let generations = run.generations.iter().map(|g| g.generation as f64);
    generations.zip(values).map(|(generation, (&mean, &deviation))| (generation, mean, deviation)).collect()
}

/// What the line is.
fn line(runs: &[Run]) -> &'static str {
    match runs.iter().flat_map(|run| &run.weights).any(|weight| weight.smoothed) {
        true => "leaders, smoothed",
        false => "mean of the population",
    }
}

fn caption(runs: &[Run]) -> String {
    match runs {
        [run] => format!("Run {} · value by generation", run.name),
        runs => format!(
            "Value by generation: {} (line) ± standard deviation (band), start (dashes), recommended (dot)",
            line(runs)
        ),
    }
}

fn legend(runs: &[Run], marks: &[Marks]) -> Vec<Key> {
    let [_] = runs else { return run_legend(runs) };
    let mut legend = vec![
        Key::new(line(runs), style::BLUE, Symbol::Line),
        Key::new("± standard deviation", style::BLUE, Symbol::Band),
    ];
    let marks = || marks.iter().flat_map(Marks::values);
    if marks().next().is_some() {
        legend.push(Key::new("start", style::GREY, Symbol::Dashes));
    }
    if marks().any(|mark| mark.recommended.is_some()) {
        legend.push(Key::new("recommended", style::VERMILLION, Symbol::Dot));
    }
    if marks().next().is_some() {
        legend.push(Key::new("bound", style::RED, Symbol::Line));
    }
    legend
}

fn page(subtitle: &str, legend: &[Key], panels: &[Panel], x: &Axis) -> Result<String, PlotError> {
    // Three columns even for a single weight: the header needs their width.
    let columns = panels.len().clamp(3, COLUMNS);
    let rows = panels.len().div_ceil(columns);
    let size = (PANEL.0 * columns as u32, HEADER + PANEL.1 * rows as u32);
    figure::svg(figure::with_legend(size, legend)?, |root| {
        let area = figure::header(root, "Weights", subtitle, legend)?;
        let cells = area.split_evenly((rows, columns));
        for (panel, cell) in panels.iter().zip(&cells) {
            panel.draw(cell, x)?;
        }
        Ok(())
    })
}

impl Panel<'_> {
    fn draw(&self, cell: &Area, x: &Axis) -> Result<(), DrawingError> {
        let intervals = self.curves.iter().flat_map(|curve| &curve.intervals);
        let ends = intervals.flat_map(|&(_, value, half)| [value - half, value + half]);
        let marks = || self.curves.iter().filter_map(|curve| curve.mark);
        let marked = marks().flat_map(|mark| [Some(mark.start), mark.recommended]).flatten();
        let y = Axis::around(ends.chain(marked), 4);
        let (title, body) = cell.margin(8, 8, 0, 26).split_vertically(26);
        self.draw_title(&title)?;
        let mut chart = Chart::new(&body, (x, &y), 14.0, "Generation", "")?;
        for bound in marks().flat_map(|mark| [mark.low, mark.high]).filter(|bound| y.range.contains(bound)) {
            chart.edge(bound, style::RED)?;
        }
        for mark in marks() {
            chart.level(mark.start, style::GREY)?;
        }
        for curve in &self.curves {
            chart.band(&curve.intervals, curve.colour)?;
        }
        for curve in &self.curves {
            let mean: Vec<Point> = curve.intervals.iter().map(|&(x, v, _)| (x, v)).collect();
            chart.line(&mean, curve.colour, 2)?;
        }
        for curve in &self.curves {
            let recommended = curve.mark.and_then(|mark| mark.recommended);
            if let (Some(value), Some(&(end, _, _))) = (recommended, curve.intervals.last()) {
                let colour = if self.curves.len() == 1 { style::VERMILLION } else { curve.colour };
                chart.dot((end, value), colour)?;
            }
        }
        Ok(())
    }

    /// The name, as large as it fits; beside it, if there is room, where the weight ended.
    fn draw_title(&self, area: &Area) -> Result<(), DrawingError> {
        let width = area.dim_in_pixel().0 as i32;
        let mut style = style::bold(16.0, style::INK);
        for em in [14.0, 12.0, 11.0] {
            if figure::text_width(area, self.name, &style)? > width {
                style = style::bold(em, style::INK);
            }
        }
        let name = figure::fit(area, self.name, &style, width)?;
        area.draw_text(&name, &style, (0, 12))?;

        let [curve] = &self.curves[..] else {
            return Ok(());
        };
        let end = match curve.mark.and_then(|mark| mark.recommended) {
            Some(recommended) => axis::plus_minus(recommended, 0.0).replace(" ± 0", ""),
            None => curve.intervals.last().map_or(String::new(), |&(_, v, half)| axis::plus_minus(v, half)),
        };
        let room = width - 16 - figure::text_width(area, &name, &style)?;
        let style = style::right_aligned(style::text(14.0, style::GREY));
        if figure::text_width(area, &end, &style)? <= room {
            area.draw_text(&end, &style, (width, 12))?;
        }
        Ok(())
    }
}
