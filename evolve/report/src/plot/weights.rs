//! The path of every weight over the generations, as pages of small charts.

use super::PlotError;
use super::axis::{self, Axis};
use super::chart::{Chart, Interval, Point};
use super::figure::{self, Area, DrawingError, Key, Symbol};
use super::fitness::run_legend;
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
    /// leader ± standard deviation over the population.
    intervals: Vec<Interval>,
}

/// One weight in all the runs that have it.
struct Panel<'a> {
    name: &'a str,
    curves: Vec<Curve>,
}

/// The pages as SVG, weights in the order of the first run; none if no run has weights to show.
pub fn pages(runs: &[Run]) -> Result<Vec<String>, PlotError> {
    let panels = panels(runs);
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
            page(&subtitle, &legend(runs), panels, &x)
        })
        .collect()
}

fn panels(runs: &[Run]) -> Vec<Panel<'_>> {
    let mut panels: Vec<Panel> = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        if run.generations.is_empty() {
            continue;
        }
        for weight in &run.weights {
            let curve = Curve { colour: style::run_colour(number), intervals: intervals(run, weight) };
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
    generations.zip(values).map(|(generation, (&leader, &deviation))| (generation, leader, deviation)).collect()
}

fn caption(runs: &[Run]) -> String {
    match runs {
        [run] => format!("Run {} · value by generation", run.name),
        _ => "Value by generation: leader (line) ± standard deviation over the population (band)".to_string(),
    }
}

fn legend(runs: &[Run]) -> Vec<Key> {
    match runs {
        [_] => vec![
            Key::new("leader of the generation", style::BLUE, Symbol::Line),
            Key::new("± standard deviation over the population", style::BLUE, Symbol::Band),
        ],
        runs => run_legend(runs),
    }
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
        let y = Axis::around(ends, 4);
        let (title, body) = cell.margin(8, 8, 0, 26).split_vertically(26);
        self.draw_title(&title)?;
        let mut chart = Chart::new(&body, (x, &y), 14.0, "")?;
        for curve in &self.curves {
            chart.band(&curve.intervals, curve.colour)?;
        }
        for curve in &self.curves {
            let leader: Vec<Point> = curve.intervals.iter().map(|&(x, v, _)| (x, v)).collect();
            chart.line(&leader, curve.colour, 2)?;
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
        let end = curve.intervals.last();
        let end = end.map_or(String::new(), |&(_, v, half)| axis::plus_minus(v, half));
        let room = width - 16 - figure::text_width(area, &name, &style)?;
        let style = style::right_aligned(style::text(14.0, style::GREY));
        if figure::text_width(area, &end, &style)? <= room {
            area.draw_text(&end, &style, (width, 12))?;
        }
        Ok(())
    }
}
