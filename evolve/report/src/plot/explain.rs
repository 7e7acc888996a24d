//! What weights are worth, and the path from the start to the recommendation, as bars with intervals; slices as small
//! charts.

use super::PlotError;
use super::axis::Axis;
use super::chart::Chart;
use super::figure::{self, Area, DrawingError, Key, Symbol};
use super::style;
use evolve_core::explain::{Difference, Explanation, Slice};
use evolve_core::run::atomic::make_folder;
use plotters::element::{PathElement, Rectangle};
use plotters::style::{Color, RGBColor};
use std::path::{Path, PathBuf};

/// Width of a figure in pixels.
const WIDTH: u32 = 1200;
/// Height of a bar with its gap, of the title and legend, and of the axis.
const ROW: i32 = 30;
const HEADER: u32 = 190;
const AXIS: u32 = 60;
/// Pixels for names.
const NAMES: i32 = 260;
/// Bars of a figure at most.
const MOST: usize = 60;
/// Width and height of a slice in pixels, and how many stand side by side.
const PANEL: (u32, u32) = (400, 300);
const COLUMNS: usize = 3;

/// A bar.
struct Bar<'a> {
    name: &'a str,
    length: Difference,
    colour: RGBColor,
}

/// Draws an explanation into a folder, which is made if missing, and gives the written files.
///
/// # Errors
/// If a file cannot be written.
pub fn plot_explanation(explanation: &Explanation, title: &str, folder: &Path) -> Result<Vec<PathBuf>, PlotError> {
    style::register_fonts()?;
    make_folder(folder).map_err(|source| PlotError::Write { path: folder.to_path_buf(), source })?;
    let colour = |worth: &Difference| match worth {
        Difference { low, .. } if *low > 0.0 => style::BLUE,
        Difference { high, .. } if *high < 0.0 => style::VERMILLION,
        _ => style::GREY,
    };
    let bar = |name, length: Difference| Bar { name, length, colour: colour(&length) };
    let worths: Vec<Bar> = explanation.worths.iter().map(|one| bar(&one.part.name, one.worth)).collect();
    let path: Vec<Bar> = explanation.path.iter().map(|step| bar(&step.name, step.total)).collect();
    let mut figures = Vec::new();
    if !worths.is_empty() {
        figures.push(("explain", bars("What weights are worth", title, "lost without it", &worths)?));
    }
    if !path.is_empty() {
        figures
            .push(("ablation", bars("From the start to the recommendation", title, "difference to the start", &path)?));
    }
    if !explanation.slices.is_empty() {
        figures.push(("slices", slices(title, &explanation.slices)?));
    }
    figures.iter().map(|(stem, figure)| figure::write(folder, stem, figure)).collect()
}

fn bars(heading: &str, title: &str, name: &str, bars: &[Bar]) -> Result<String, PlotError> {
    let shown = &bars[..bars.len().min(MOST)];
    let legend = [
        Key::new("clearly better", style::BLUE, Symbol::Band),
        Key::new("clearly worse", style::VERMILLION, Symbol::Band),
        Key::new("not clear", style::GREY, Symbol::Band),
    ];
    let ends = shown.iter().flat_map(|bar| [bar.length.mean, bar.length.low, bar.length.high]);
    let axis = Axis::around(ends.filter(|end| end.is_finite()).chain([0.0]), 6);
    let size = (WIDTH, HEADER + AXIS + (ROW * shown.len() as i32) as u32);
    figure::svg(figure::with_legend(size, &legend)?, |root| {
        let subtitle = match bars.len() - shown.len() {
            0 => format!("{title} · {name}, with simultaneous 95 % intervals"),
            more => format!("{title} · {name}, with simultaneous 95 % intervals; {more} more are in the table"),
        };
        let area = figure::header(root, heading, &subtitle, &legend)?;
        let (width, _) = area.dim_in_pixel();
        let bottom = ROW * shown.len() as i32;
        let range = axis.range.end - axis.range.start;
        let across = (width as i32 - NAMES - 20) as f64;
        let at = |value: f64| {
            let value = value.clamp(axis.range.start, axis.range.end);
            NAMES + (across * (value - axis.range.start) / range).round() as i32
        };
        for &tick in &axis.ticks {
            area.draw(&PathElement::new([(at(tick), 0), (at(tick), bottom)], style::GRID.stroke_width(1)))?;
            let label = axis.label(tick);
            let text = style::text(16.0, style::GREY);
            let left = at(tick) - figure::text_width(&area, &label, &text)? / 2;
            area.draw_text(&label, &text, (left, bottom + 18))?;
        }
        for (i, bar) in shown.iter().enumerate() {
            draw(&area, bar, ROW * i as i32, &at)?;
        }
        area.draw(&PathElement::new([(at(0.0), 0), (at(0.0), bottom)], style::INK.stroke_width(1)))
    })
}

fn draw(area: &Area, bar: &Bar, top: i32, at: &impl Fn(f64) -> i32) -> Result<(), DrawingError> {
    let middle = top + ROW / 2;
    let style = style::text(16.0, style::INK);
    let name = figure::fit(area, bar.name, &style, NAMES - 20)?;
    area.draw_text(&name, &style::right_aligned(style), (NAMES - 14, middle))?;
    let Difference { mean, low, high } = bar.length;
    let (from, to) = (at(mean.min(0.0)), at(mean.max(0.0)));
    area.draw(&Rectangle::new([(from, top + 6), (to.max(from + 1), top + ROW - 6)], bar.colour.mix(0.45).filled()))?;
    area.draw(&PathElement::new([(at(low), middle), (at(high), middle)], bar.colour.stroke_width(3)))
}

fn slices(title: &str, slices: &[Slice]) -> Result<String, PlotError> {
    let legend = [
        Key::new("clearly worse", style::VERMILLION, Symbol::Points),
        Key::new("flat part", style::BLUE, Symbol::Dot),
        Key::new("recommended", style::INK, Symbol::Diamond),
    ];
    let rows = slices.len().div_ceil(COLUMNS);
    let size = (PANEL.0 * COLUMNS as u32, HEADER + PANEL.1 * rows as u32);
    figure::svg(figure::with_legend(size, &legend)?, |root| {
        let subtitle = format!("{title} · difference to the recommended value, the other weights as recommended");
        let area = figure::header(root, "Slices through the recommendation", &subtitle, &legend)?;
        for (slice, cell) in slices.iter().zip(&area.split_evenly((rows, COLUMNS))) {
            panel(slice, cell)?;
        }
        Ok(())
    })
}

fn panel(slice: &Slice, cell: &Area) -> Result<(), DrawingError> {
    let points = &slice.points;
    let ends = points.iter().flat_map(|point| [point.difference.low, point.difference.high]);
    let (x, y) = (Axis::around(points.iter().map(|point| point.value), 4), Axis::around(ends, 4));
    let (head, body) = cell.margin(8, 8, 0, 26).split_vertically(26);
    let style = style::bold(16.0, style::INK);
    let name = figure::fit(&head, &slice.name, &style, head.dim_in_pixel().0 as i32)?;
    head.draw_text(&name, &style, (0, 12))?;
    let mut chart = Chart::new(&body, (&x, &y), 14.0, "", "")?;
    chart.level(0.0, style::GREY)?;
    let intervals = points.iter().map(|point| {
        let difference = &point.difference;
        (point.value, difference.mean, (difference.high - difference.low) / 2.0)
    });
    chart.error_bars(&intervals.collect::<Vec<_>>(), style::VERMILLION)?;
    for point in points.iter().filter(|point| point.is_flat) {
        let place = (point.value, point.difference.mean);
        match point.is_recommended {
            true => chart.diamond((place.0, place.1, 0.0), style::INK)?,
            false => chart.dot(place, style::BLUE)?,
        }
    }
    Ok(())
}
