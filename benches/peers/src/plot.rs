//! Medians over the seeds as a picture: a panel for each problem, a line for each method, and a panel that tells which is which.

use crate::summary::{self, Row};
use plotters::prelude::*;
use plotters::style::register_font;
use std::error::Error;
use std::path::PathBuf;

/// Draws tables.
#[derive(clap::Args)]
pub struct Plot {
    /// The tables.
    #[arg(required = true)]
    tables: Vec<PathBuf>,
    /// The picture, an SVG file.
    #[arg(long)]
    out: PathBuf,
    /// The problems, with commas between them; all if left out.
    #[arg(long, value_delimiter = ',')]
    problems: Vec<String>,
    /// Methods that are left out, with commas between them: one far below presses all others together.
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
}

const PANEL: (u32, u32) = (480, 380);
const COLUMNS: usize = 3;
/// A font that a viewer without it replaces by one of the same widths, so that the layout stays.
const FONT: &str = "DejaVu Sans, Verdana, sans-serif";
/// Okabe and Ito's palette, for all kinds of colour vision.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 0, 0),
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

impl Plot {
    /// Draws the tables into the file.
    pub fn carry_out(self) -> Result<(), String> {
        let mut rows = summary::read(&self.tables)?;
        let is_wanted = |row: &Row| {
            (self.problems.is_empty() || self.problems.contains(&row.problem)) && !self.without.contains(&row.method)
        };
        rows.retain(is_wanted);
        self.draw(&rows).map_err(|error| format!("{}: {error}", self.out.display()))
    }

    fn draw(&self, rows: &[Row]) -> Result<(), Box<dyn Error>> {
        register_font(FONT, FontStyle::Normal, dejavu::sans::regular()).map_err(|_| "the font is damaged")?;
        let (problems, methods, _) = summary::headings(rows);
        let panels = problems.len() + 1;
        let (columns, lines) = (panels.min(COLUMNS), panels.div_ceil(COLUMNS));
        let root = SVGBackend::new(&self.out, (PANEL.0 * columns as u32, PANEL.1 * lines as u32)).into_drawing_area();
        root.fill(&WHITE)?;
        let areas = root.split_evenly((lines, columns));
        for (area, problem) in areas.iter().zip(&problems) {
            draw_panel(area, rows, problem, &methods)?;
        }
        draw_legend(&areas[problems.len()], &methods)?;
        root.present()?;
        Ok(())
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// A method has the same colour in all panels: its place among all `methods`.
fn draw_panel(panel: &Area, rows: &[Row], problem: &str, methods: &[&str]) -> Result<(), Box<dyn Error>> {
    let own: Vec<Row> = rows.iter().filter(|row| row.problem == problem).cloned().collect();
    let (_, _, games) = summary::headings(&own);
    let curves: Vec<(usize, Vec<(f64, f64)>)> = methods
        .iter()
        .enumerate()
        .map(|(place, method)| {
            let at = |&games: &usize| {
                summary::median(&summary::values(&own, problem, method, games)).map(|median| (games as f64, median))
            };
            (place, games.iter().filter_map(at).collect::<Vec<_>>())
        })
        // A single point is no line, and may be far from all others.
        .filter(|(_, curve)| curve.len() > 1)
        .collect();
    let all = || curves.iter().flat_map(|(_, curve)| curve).map(|&(_, score)| score);
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let margin = 0.04 * (high - low).max(1e-9);
    let (first, last) = (games[0] as f64 / 1.1, games[games.len() - 1] as f64 * 1.1);
    // One digit more than the range has.
    let digits = (1.0 - (high - low).log10()).ceil().clamp(0.0, 9.0) as usize;

    let mut chart = ChartBuilder::on(panel)
        .margin(16)
        .caption(problem, (FONT, 20))
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(
            (first..last).log_scale().with_key_points(games.iter().map(|&g| g as f64).collect()),
            low - margin..high + margin,
        )?;
    chart
        .configure_mesh()
        .label_style((FONT, 14))
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(228, 231, 235))
        .x_label_formatter(&|games| format!("{games:.0}"))
        .y_label_formatter(&|score| format!("{score:.digits$}"))
        .x_desc("games")
        .y_desc("held-out score, median")
        .draw()?;
    for (place, curve) in curves {
        let style = style(place);
        let dot = if place < COLOURS.len() { style.filled() } else { style };
        chart.draw_series(curve.iter().map(|&point| Circle::new(point, 3, dot)))?;
        chart.draw_series(LineSeries::new(curve, style))?;
    }
    Ok(())
}

fn draw_legend(panel: &Area, methods: &[&str]) -> Result<(), Box<dyn Error>> {
    for (place, &method) in methods.iter().enumerate() {
        let y = 48 + 22 * place as i32;
        panel.draw(&PathElement::new([(56, y), (84, y)], style(place)))?;
        panel.draw(&Text::new(method, (94, y - 8), (FONT, 16)))?;
    }
    Ok(())
}

/// The line of the method at a place among all; where colours come round again it is thin, with rings for dots.
fn style(place: usize) -> ShapeStyle {
    COLOURS[place % COLOURS.len()].stroke_width(if place < COLOURS.len() { 3 } else { 1 })
}
