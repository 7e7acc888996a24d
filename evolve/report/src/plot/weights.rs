//! The paths of all weights, each in a small chart.

use super::marks::Marks;
use crate::draw::{
    Anchor, Area, Axis, BLUE, Chart, Font, GREY, INK, Interval, MARGIN, Mark, PALETTE, Point, RED, Series, Svg,
    VERMILLION, axis_of, figure, fit, plus_minus, width,
};
use crate::page::thin;
use crate::tables::{Run, WeightPath};
use evolve_search::model::parameter::Parameter;

/// The number of charts side by side.
const COLUMNS: usize = 5;
/// The width and height of a chart with its title in pixels, and the space between two charts.
const PANEL: (f64, f64) = (360.0, 226.0);
const GAP: f64 = 28.0;
/// The height of labels in pixels.
const EM: f64 = 14.0;
/// The largest number of points in a curve; more are indistinguishable on a chart of this width.
const POINTS: usize = 240;

/// The chart of one weight, for all runs that have it.
struct Panel<'a> {
    name: &'a str,
    series: Vec<Series>,
    /// The parameter, if its job is known.
    parameter: Option<&'a Parameter>,
    /// The final value of the weight, if there is only one run.
    end: String,
}

const LINE: &str = "mean of the search";

/// Draws the figure as SVG, with weights in the order of the first run; returns `None` if no run
/// has weights.
pub fn draw(runs: &[Run], marks: &[Marks]) -> Option<String> {
    let panels = panels(runs, marks);
    if panels.is_empty() {
        return None;
    }
    // Even a single weight gets three columns, because the head needs their width.
    let columns = panels.len().clamp(3, COLUMNS);
    let wide = 2.0 * MARGIN - GAP + PANEL.0 * columns as f64;
    let below = MARGIN - GAP + PANEL.1 * panels.len().div_ceil(columns) as f64;
    let (mut svg, top) = figure(wide, below, "Parameters", &subtitle(runs), &legend(runs, marks));
    let x = Axis::counting(runs.iter().flat_map(|run| &run.generations).map(|row| row.trials_played).max()?, 4);
    for (i, panel) in panels.iter().enumerate() {
        let place = (MARGIN + PANEL.0 * (i % columns) as f64, top + PANEL.1 * (i / columns) as f64);
        panel.draw(&mut svg, place, &x);
    }
    Some(svg.finish())
}

fn panels<'r>(runs: &'r [Run], marks: &'r [Marks]) -> Vec<Panel<'r>> {
    let mut panels: Vec<Panel> = Vec::new();
    for ((run, marks), colour) in runs.iter().zip(marks).zip(PALETTE.into_iter().cycle()) {
        let Some(last) = run.generations.last() else { continue };
        let shown = thin(run.generations.len(), POINTS);
        let is_log = |weight: &WeightPath| marks.get(&weight.name).is_some_and(|mark| mark.parameter.is_log());
        for weight in &run.weights {
            let interval = |&i: &usize| {
                let (value, deviation) = (weight.mean[i], weight.deviation[i]);
                let x = run.generations[i].trials_played as f64;
                // On a logarithmic axis, the deviation is a factor.
                let low = if is_log(weight) { value / (1.0 + deviation / value) } else { value - deviation };
                Interval { x, low, value, high: value + deviation }
            };
            let path: Vec<Interval> = shown.iter().map(interval).collect();
            let ended = path[path.len() - 1];
            let mut end = plus_minus(ended.value, Some(ended.high - ended.value));
            let mut series = vec![Series::new(colour, Mark::Band, path.clone()), Series::new(colour, Mark::Line, path)];
            if let Some(mark) = marks.get(&weight.name) {
                let across = |value| [Interval::point(0.0, value)];
                series.push(Series::new(GREY, Mark::Level, across(mark.start)));
                series.extend([mark.low, mark.high].map(|bound| Series::new(RED, Mark::Bound, across(bound))));
                let recommended = mark.recommended.map(|value| Interval::point(last.trials_played as f64, value));
                let colour = if runs.len() == 1 { VERMILLION } else { colour };
                series.push(Series::new(colour, Mark::Dots, recommended));
                end = mark.recommended.map_or(end, |value| plus_minus(value, None));
            }
            match panels.iter_mut().find(|panel| panel.name == weight.name) {
                Some(panel) => {
                    panel.series.extend(series);
                    panel.end.clear();
                }
                None => {
                    let parameter = marks.get(&weight.name).map(|mark| &mark.parameter);
                    panels.push(Panel { name: &weight.name, series, parameter, end });
                }
            }
        }
    }
    panels
}

fn subtitle(runs: &[Run]) -> String {
    match runs {
        [run] => format!("Run {} · value by trials", run.name),
        _ => {
            format!("Value by trials: {LINE} (line) ± standard deviation (band), start (dashes), tuned (dot)")
        }
    }
}

/// Returns series that explain the marks in the legend.
fn legend(runs: &[Run], marks: &[Marks]) -> Vec<Series> {
    let key = |label: &str, colour, mark| Series::new(colour, mark, []).named(label);
    let [_] = runs else {
        return runs
            .iter()
            .zip(PALETTE.into_iter().cycle())
            .map(|(run, colour)| key(&run.name, colour, Mark::Line))
            .collect();
    };
    let mut legend = vec![key(LINE, BLUE, Mark::Line), key("± standard deviation", BLUE, Mark::Band)];
    let mut marks = marks.iter().flat_map(Marks::values).peekable();
    if marks.peek().is_some() {
        legend.extend([key("baseline", GREY, Mark::Level), key("bound", RED, Mark::Bound)]);
    }
    if marks.any(|mark| mark.recommended.is_some()) {
        legend.push(key("tuned", VERMILLION, Mark::Dots));
    }
    legend
}

impl Panel<'_> {
    fn draw(&self, svg: &mut Svg, (left, top): Point, x: &Axis) {
        let right = left + PANEL.0 - GAP;
        self.draw_title(svg, (left, top + EM), right);
        let y = axis_of(&self.series, self.parameter, 4);
        let left = left + y.label_width(Font::plain(EM, GREY)) + 0.5 * EM;
        let area = Area { left, right, top: top + 2.2 * EM, bottom: top + PANEL.1 - GAP - 1.6 * EM };
        Chart::new(svg, area, x, &y, EM).draw(&self.series, 2.0);
    }

    /// Draws the name and, if there is room, the final value of the weight next to it.
    fn draw_title(&self, svg: &mut Svg, (left, y): Point, right: f64) {
        let size = [16.0, 14.0, 12.0].into_iter().find(|&em| width(self.name, Font::bold(em, INK)) <= right - left);
        let (bold, plain) = (Font::bold(size.unwrap_or(11.0), INK), Font::plain(EM, GREY));
        let name = fit(self.name, bold, right - left);
        svg.text((left, y), bold, Anchor::Start, &name);
        if width(&name, bold) + 16.0 + width(&self.end, plain) <= right - left {
            svg.text((right, y), plain, Anchor::End, &self.end);
        }
    }
}
