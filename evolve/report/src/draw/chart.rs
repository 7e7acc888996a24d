//! A chart: a pair of axes, and the series between them.

use super::axis::Axis;
use super::svg::{Anchor, Point, Svg};
use super::text::Font;
use super::{Colour, GREY};
use evolve_search::model::parameter::Parameter;

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// A value with an interval, at a position of the horizontal axis.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    /// The horizontal position.
    pub x: f64,
    pub low: f64,
    pub value: f64,
    pub high: f64,
}

impl Interval {
    /// Creates a value without an interval.
    pub fn point(x: f64, value: f64) -> Self {
        Interval { x, low: value, value, high: value }
    }
}

/// The style of a series. Styles are drawn in this order, so later ones cover earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// A horizontal line across the chart, if it is within the range.
    Bound,
    /// A dashed horizontal line across the chart.
    Level,
    /// A band between the ends of the intervals.
    Band,
    /// A line through the values.
    Line,
    /// Dots with error bars, joined by a line.
    Points,
    Dots,
    /// Small dots without intervals. Dots beyond the range are triangles at its edge.
    Loose,
    /// The same as crosses.
    Crosses,
    /// Diamonds with error bars.
    Diamonds,
}

/// A series in one colour.
#[derive(Clone, Debug)]
pub struct Series {
    /// The label in the legend; empty for a series without one.
    pub label: String,
    pub colour: Colour,
    /// The style of the series.
    pub mark: Mark,
    pub points: Vec<Interval>,
}

impl Series {
    /// Creates a series without a label.
    pub fn new(colour: Colour, mark: Mark, points: impl IntoIterator<Item = Interval>) -> Self {
        Series { label: String::new(), colour, mark, points: points.into_iter().collect() }
    }

    /// Sets the label.
    pub fn named(self, label: impl Into<String>) -> Self {
        Series { label: label.into(), ..self }
    }
}

/// Creates a vertical axis that shows all values of some series, with about `count` steps between
/// ticks; of values of a parameter, one of its kind.
pub fn axis_of(series: &[Series], parameter: Option<&Parameter>, count: usize) -> Axis {
    let shown = series.iter().filter(|one| one.mark != Mark::Bound).flat_map(|one| &one.points);
    let values = shown.flat_map(|point| [point.low, point.value, point.high]);
    match parameter {
        Some(parameter) => Axis::like(parameter, values, count),
        None => Axis::around(values, count),
    }
}

/// A chart that fills an area.
pub struct Chart<'a> {
    svg: &'a mut Svg,
    area: Area,
    x: &'a Axis,
    y: &'a Axis,
}

impl<'a> Chart<'a> {
    /// Draws a grid, with labels of height `em` below it and to its left.
    pub fn new(svg: &'a mut Svg, area: Area, x: &'a Axis, y: &'a Axis, em: f64) -> Self {
        let chart = Chart { svg, area, x, y };
        let Area { left, right, top, bottom } = area;
        let font = Font::plain(em, GREY);
        let (mut upright, mut level) = (vec![left], vec![bottom]);
        for (tick, label) in x.ticks() {
            let (at, _) = chart.place(tick, 0.0);
            upright.push(at);
            chart.svg.text((at, bottom + em), font, Anchor::Middle, &label);
        }
        for (tick, label) in y.ticks() {
            let (_, at) = chart.place(0.0, tick);
            level.push(at);
            chart.svg.text((left - 0.5 * em, at), font, Anchor::End, &label);
        }
        chart.svg.grid((left, top), (right, bottom), &upright, &level);
        chart
    }

    /// Draws the names of the axes: the horizontal one if it has a name, and the vertical one at
    /// this distance from the left edge.
    pub fn name(&mut self, em: f64, below: &str, (x, beside): (f64, &str)) {
        let Area { left, right, top, bottom } = self.area;
        let font = Font::plain(em, GREY);
        if !below.is_empty() {
            self.svg.text(((left + right) / 2.0, bottom + 2.6 * em), font, Anchor::Middle, below);
        }
        self.svg.text_upwards((x, (top + bottom) / 2.0), font, beside);
    }

    /// Draws series, with lines of this width in pixels.
    pub fn draw(&mut self, series: &[Series], width: f64) {
        let mut ordered: Vec<&Series> = series.iter().filter(|one| !one.points.is_empty()).collect();
        ordered.sort_by_key(|one| one.mark);
        for one in ordered {
            self.draw_one(one, width);
        }
    }

    fn draw_one(&mut self, Series { colour, mark, points, .. }: &Series, width: f64) {
        let colour = *colour;
        let values: Vec<Point> = points.iter().map(|point| self.place(point.x, point.value)).collect();
        let highs = points.iter().map(|point| self.place(point.x, point.high));
        let lows = points.iter().map(|point| self.place(point.x, point.low));
        let bars: Vec<[Point; 2]> = highs.clone().zip(lows.clone()).map(|(high, low)| [high, low]).collect();
        let across = [(self.area.left, values[0].1), (self.area.right, values[0].1)];
        // A line or band of a single point would be invisible.
        match mark {
            Mark::Bound if !self.y.contains(points[0].value) => {}
            Mark::Bound => self.svg.line(&across, colour, width),
            Mark::Level => self.svg.dashes(across, colour),
            Mark::Band if points.len() == 1 => self.svg.line(&bars[0], colour, width),
            Mark::Band => {
                let outline: Vec<Point> = highs.chain(lows.rev()).collect();
                self.svg.area(&outline, colour);
            }
            Mark::Line if points.len() == 1 => self.svg.dot(values[0], 2.0 * width, colour),
            Mark::Line => self.svg.line(&values, colour, width),
            Mark::Points => {
                self.svg.line(&values, colour, width + 1.0);
                let radius = if points.len() > 60 { 3.5 } else { 5.5 };
                for (value, bar) in values.iter().zip(&bars) {
                    self.svg.line(bar, colour, width);
                    self.svg.dot(*value, radius, colour);
                }
            }
            Mark::Loose | Mark::Crosses => {
                let is_beyond = |point: &Interval| !self.y.contains(point.value);
                let placed = || points.iter().zip(&values);
                let inside: Vec<Point> = placed().filter(|of| !is_beyond(of.0)).map(|of| *of.1).collect();
                let beyond: Vec<(Point, bool)> = placed()
                    .filter(|of| is_beyond(of.0))
                    .map(|(point, place)| (*place, self.y.share(point.value) > 0.5))
                    .collect();
                match mark {
                    Mark::Crosses => self.svg.crosses(&inside, colour),
                    _ => self.svg.specks(&inside, colour),
                }
                self.svg.triangles(&beyond, colour);
            }
            Mark::Dots => values.iter().for_each(|value| self.svg.dot(*value, 2.0 + 1.75 * width, colour)),
            Mark::Diamonds => {
                for (value, bar) in values.iter().zip(&bars) {
                    self.svg.line(bar, colour, 2.0 * width);
                    self.svg.diamond(*value, colour);
                }
            }
        }
    }

    fn place(&self, x: f64, y: f64) -> Point {
        let Area { left, right, top, bottom } = self.area;
        (left + self.x.share(x) * (right - left), bottom - self.y.share(y) * (bottom - top))
    }
}

#[cfg(test)]
mod tests {
    use super::super::RED;
    use super::*;

    #[test]
    fn points_beyond_the_axis_are_triangles_that_point_outwards() {
        let mut svg = Svg::new(100.0, 100.0);
        let area = Area { left: 0.0, right: 100.0, top: 10.0, bottom: 90.0 };
        let axis = Axis::around([0.0, 1.0], 4);
        let points = [0.5, 7.0, -7.0].map(|value| Interval::point(0.5, value));
        for mark in [Mark::Loose, Mark::Crosses] {
            Chart::new(&mut svg, area, &axis, &axis, 10.0).draw(&[Series::new(RED, mark, points)], 1.0);
        }
        let text = svg.finish();
        assert_eq!(text.matches("h12L").count(), 4, "{text}");
        // The one above has its tip at a smaller height than its base.
        assert!(text.contains("M44 18h12L50 7z") && text.contains("M44 82h12L50 93z"), "{text}");
        assert_eq!((text.matches("h0").count(), text.matches("m0-8").count()), (1, 1));
    }
}
