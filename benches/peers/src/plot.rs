//! Plots the medians over the seeds: a panel for each problem, a line for each method, and a panel
//! with the legend.

use crate::summary::{self, Row};
use evolve_report::draw::{
    Anchor, Area, Axis, Chart, Colour, Font, INK, Interval, Mark, PALETTE, Point, Series, Svg, axis_of,
};
use std::fs;
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
    /// Problems, separated by commas [default: all]
    #[arg(long, value_delimiter = ',')]
    problems: Vec<String>,
    /// Methods to skip, separated by commas: one far below the others would squeeze them together
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
}

const PANEL: (f64, f64) = (480.0, 380.0);
const COLUMNS: usize = 3;
/// The height of labels in pixels.
const EM: f64 = 14.0;

impl Plot {
    /// Draws the tables into the file.
    pub fn carry_out(self) -> Result<(), String> {
        let mut rows = summary::read(&self.tables)?;
        let is_wanted = |row: &Row| {
            (self.problems.is_empty() || self.problems.contains(&row.problem)) && !self.without.contains(&row.method)
        };
        rows.retain(is_wanted);
        fs::write(&self.out, draw(&rows)).map_err(|error| format!("{}: {error}", self.out.display()))
    }
}

fn draw(rows: &[Row]) -> String {
    let (problems, methods, _) = summary::headings(rows);
    let panels = problems.len() + 1;
    let mut svg = Svg::new(PANEL.0 * panels.min(COLUMNS) as f64, PANEL.1 * panels.div_ceil(COLUMNS) as f64);
    let corner = |panel: usize| (PANEL.0 * (panel % COLUMNS) as f64, PANEL.1 * (panel / COLUMNS) as f64);
    for (i, problem) in problems.iter().enumerate() {
        draw_panel(&mut svg, corner(i), rows, problem, &methods);
    }
    let (left, top) = corner(problems.len());
    for (i, method) in methods.iter().enumerate() {
        let y = top + 48.0 + 22.0 * i as f64;
        let (colour, width) = style(i);
        svg.line(&[(left + 56.0, y), (left + 84.0, y)], colour, width);
        svg.text((left + 94.0, y), Font::plain(16.0, INK), Anchor::Start, method);
    }
    svg.finish()
}

/// Draws the panel of a problem. The index of a method among `methods` determines its colour in all
/// panels.
fn draw_panel(svg: &mut Svg, (left, top): Point, rows: &[Row], problem: &str, methods: &[&str]) {
    let own: Vec<Row> = rows.iter().filter(|row| row.problem == problem).cloned().collect();
    let (_, _, games) = summary::headings(&own);
    let curve = |(i, method): (usize, &&str)| {
        let at = |&games: &usize| {
            let median = summary::median(&summary::values(&own, problem, method, games));
            median.map(|median| Interval::point((games as f64).ln(), median))
        };
        Series::new(style(i).0, Mark::Line, games.iter().filter_map(at))
    };
    let curves: Vec<Series> = methods.iter().enumerate().map(curve).collect();
    // A single point is not a line, and may be far from all others.
    let is_line = |curve: &&Series| curve.points.len() > 1;
    let lines: Vec<Series> = curves.iter().filter(is_line).cloned().collect();
    let ticks: Vec<(f64, String)> = games.iter().map(|games| ((*games as f64).ln(), games.to_string())).collect();
    let x = Axis::with_ticks(ticks[0].0 - 0.1, ticks[ticks.len() - 1].0 + 0.1, ticks);
    let y = axis_of(&lines, None, 8);
    let (right, bottom) = (left + PANEL.0, top + PANEL.1);
    svg.text(((left + right) / 2.0, top + 28.0), Font::plain(20.0, INK), Anchor::Middle, problem);
    let area = Area { left: left + 90.0, right: right - 16.0, top: top + 48.0, bottom: bottom - 62.0 };
    let mut chart = Chart::new(svg, area, &x, &y, EM);
    chart.name(EM, "games", (left + 24.0, "held-out score, median"));
    for (i, curve) in curves.iter().enumerate().filter(|(_, curve)| is_line(curve)) {
        let dots = Series { mark: Mark::Dots, ..curve.clone() };
        chart.draw(&[curve.clone(), dots], style(i).1);
    }
}

/// Returns the colour and width of a method's line, by its index. When colours repeat, lines become
/// thin.
fn style(place: usize) -> (Colour, f64) {
    // Black is the first colour, for the reference method.
    let colour = PALETTE[(place + PALETTE.len() - 1) % PALETTE.len()];
    (colour, if place < PALETTE.len() { 2.0 } else { 1.0 })
}
