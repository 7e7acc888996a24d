//! The path of every weight, a small chart for each.

use super::marks::{Mark, Marks};
use crate::draw::{
    Anchor, Area, Axis, BLUE, Chart, Colour, Font, GREY, INK, Interval, Key, MARGIN, PALETTE, Point, RED, Svg, Symbol,
    VERMILLION, figure, fit, plus_minus, width,
};
use crate::page::thin;
use crate::tables::Run;

/// Charts side by side.
const COLUMNS: usize = 5;
/// Width and height of a chart with its title, in pixels, and what is blank between two.
const PANEL: (f64, f64) = (360.0, 226.0);
const GAP: f64 = 28.0;
/// Height of labels in pixels.
const EM: f64 = 14.0;
/// Points of a curve at most: more cannot be told apart on a chart of this width.
const POINTS: usize = 240;

/// One weight in one run.
struct Curve {
    colour: Colour,
    /// mean ± standard deviation over the population.
    intervals: Vec<Interval>,
    mark: Option<Mark>,
}

/// One weight in all the runs that have it.
struct Panel<'a> {
    name: &'a str,
    curves: Vec<Curve>,
}

/// The figure as SVG, weights in the order of the first run; `None` if no run has weights to show.
pub fn draw(runs: &[Run], marks: &[Marks]) -> Option<String> {
    let panels = panels(runs, marks);
    if panels.is_empty() {
        return None;
    }
    // Three columns even for a single weight: the head needs their width.
    let columns = panels.len().clamp(3, COLUMNS);
    let wide = 2.0 * MARGIN - GAP + PANEL.0 * columns as f64;
    let below = MARGIN - GAP + PANEL.1 * panels.len().div_ceil(columns) as f64;
    let (mut svg, top) = figure(wide, below, "Weights", &subtitle(runs), &legend(runs, marks));
    let x = Axis::counting(runs.iter().flat_map(|run| &run.generations).map(|row| row.games_played).max()?, 4);
    for (i, panel) in panels.iter().enumerate() {
        let place = (MARGIN + PANEL.0 * (i % columns) as f64, top + PANEL.1 * (i / columns) as f64);
        panel.draw(&mut svg, place, &x);
    }
    Some(svg.finish())
}

fn panels<'r>(runs: &'r [Run], marks: &[Marks]) -> Vec<Panel<'r>> {
    let mut panels: Vec<Panel> = Vec::new();
    for ((run, marks), colour) in runs.iter().zip(marks).zip(PALETTE.iter().cycle()) {
        let shown = thin(run.generations.len(), POINTS);
        for weight in run.weights.iter().filter(|_| !run.generations.is_empty()) {
            let interval = |&i: &usize| {
                let (value, deviation) = (weight.mean[i], weight.deviation[i]);
                let x = run.generations[i].games_played as f64;
                Interval { x, low: value - deviation, value, high: value + deviation }
            };
            let intervals = shown.iter().map(interval).collect();
            let curve = Curve { colour, intervals, mark: marks.get(&weight.name).copied() };
            match panels.iter_mut().find(|panel| panel.name == weight.name) {
                Some(panel) => panel.curves.push(curve),
                None => panels.push(Panel { name: &weight.name, curves: vec![curve] }),
            }
        }
    }
    panels
}

/// What the line is.
fn line(runs: &[Run]) -> &'static str {
    match runs.iter().flat_map(|run| &run.weights).any(|weight| weight.is_smoothed) {
        true => "leaders, smoothed",
        false => "mean of the population",
    }
}

fn subtitle(runs: &[Run]) -> String {
    match runs {
        [run] => format!("Run {} · value by games played", run.name),
        runs => format!(
            "Value by games played: {} (line) ± standard deviation (band), start (dashes), recommended (dot)",
            line(runs)
        ),
    }
}

fn legend(runs: &[Run], marks: &[Marks]) -> Vec<Key> {
    let [_] = runs else {
        let keys = runs.iter().zip(PALETTE.iter().cycle());
        return keys.map(|(run, colour)| Key::new(&run.name, colour, Symbol::Line)).collect();
    };
    let mut legend =
        vec![Key::new(line(runs), BLUE, Symbol::Line), Key::new("± standard deviation", BLUE, Symbol::Band)];
    let mut marks = marks.iter().flat_map(Marks::values).peekable();
    if marks.peek().is_some() {
        legend.push(Key::new("start", GREY, Symbol::Dashes));
        legend.push(Key::new("bound", RED, Symbol::Line));
    }
    if marks.any(|mark| mark.recommended.is_some()) {
        legend.push(Key::new("recommended", VERMILLION, Symbol::Dot));
    }
    legend
}

impl Panel<'_> {
    fn draw(&self, svg: &mut Svg, (left, top): Point, x: &Axis) {
        let right = left + PANEL.0 - GAP;
        self.draw_title(svg, (left, top + EM), right);
        let marks = || self.curves.iter().filter_map(|curve| curve.mark);
        let ends = self.curves.iter().flat_map(|curve| &curve.intervals).flat_map(Interval::ends);
        let marked = marks().flat_map(|mark| [Some(mark.start), mark.recommended]).flatten();
        let y = Axis::around(ends.chain(marked), 4);
        let room = y.label_width(Font::plain(EM, GREY)) + 0.5 * EM;
        let area = Area { left: left + room, right, top: top + 2.2 * EM, bottom: top + PANEL.1 - GAP - 1.6 * EM };
        let mut chart = Chart::new(svg, area, x, &y, EM);
        for bound in marks().flat_map(|mark| [mark.low, mark.high]).filter(|&bound| y.contains(bound)) {
            chart.edge(bound, RED);
        }
        for mark in marks() {
            chart.level(mark.start, GREY);
        }
        for curve in &self.curves {
            chart.band(&curve.intervals, curve.colour);
        }
        for curve in &self.curves {
            let means: Vec<Point> = curve.intervals.iter().map(Interval::point).collect();
            chart.line(&means, curve.colour, 2.0);
        }
        for curve in &self.curves {
            let recommended = curve.mark.and_then(|mark| mark.recommended);
            if let (Some(value), Some(last)) = (recommended, curve.intervals.last()) {
                let colour = if self.curves.len() == 1 { VERMILLION } else { curve.colour };
                chart.dot((last.x, value), 5.5, colour);
            }
        }
    }

    /// The name; beside it, if there is room, where the weight ended.
    fn draw_title(&self, svg: &mut Svg, (left, y): Point, right: f64) {
        let size = [16.0, 14.0, 12.0].into_iter().find(|&em| width(self.name, Font::bold(em, INK)) <= right - left);
        let bold = Font::bold(size.unwrap_or(11.0), INK);
        let name = fit(self.name, bold, right - left);
        svg.text((left, y), bold, Anchor::Start, &name);
        let [Curve { mark, intervals, .. }] = &self.curves[..] else { return };
        let end = match mark.and_then(|mark| mark.recommended) {
            Some(recommended) => plus_minus(recommended, None),
            None => intervals.last().map_or(String::new(), |last| plus_minus(last.value, Some(last.high - last.value))),
        };
        let font = Font::plain(EM, GREY);
        if width(&name, bold) + 16.0 + width(&end, font) <= right - left {
            svg.text((right, y), font, Anchor::End, &end);
        }
    }
}
