//! A pair of axes and what is drawn between them.

use super::axis::Axis;
use super::svg::{Anchor, Point, Svg};
use super::text::Font;
use super::{Colour, GREY, GRID};

/// A rectangle, in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// Its left edge.
    pub left: f64,
    /// Its right edge.
    pub right: f64,
    /// Its upper edge.
    pub top: f64,
    /// Its lower edge.
    pub bottom: f64,
}

/// A value with an interval, at a place of the horizontal axis.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    /// The place.
    pub x: f64,
    /// The lower end.
    pub low: f64,
    /// The value.
    pub value: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The place and the value.
    pub fn point(&self) -> Point {
        (self.x, self.value)
    }

    /// Both ends.
    pub fn ends(&self) -> [f64; 2] {
        [self.low, self.high]
    }
}

/// Axes with a grid, ready for series.
pub struct Chart<'a> {
    svg: &'a mut Svg,
    area: Area,
    x: &'a Axis,
    y: &'a Axis,
}

impl<'a> Chart<'a> {
    /// Draws the grid that fills the area, with labels of height `em` below and to the left of it.
    pub fn new(svg: &'a mut Svg, area: Area, x: &'a Axis, y: &'a Axis, em: f64) -> Self {
        let chart = Chart { svg, area, x, y };
        let Area { left, right, top, bottom } = area;
        let font = Font::plain(em, GREY);
        for (tick, label) in x.ticks() {
            let (at, _) = chart.place((*tick, 0.0));
            chart.svg.line([(at, top), (at, bottom)], GRID, 1.0);
            chart.svg.text((at, bottom + em), font, Anchor::Middle, label);
        }
        for (tick, label) in y.ticks() {
            let (_, at) = chart.place((0.0, *tick));
            chart.svg.line([(left, at), (right, at)], GRID, 1.0);
            chart.svg.text((left - 0.5 * em, at), font, Anchor::End, label);
        }
        chart.svg.line([(left, top), (left, bottom), (right, bottom)], GRID, 1.0);
        chart
    }

    /// Names the horizontal axis.
    pub fn name_below(&mut self, em: f64, name: &str) {
        let Area { left, right, bottom, .. } = self.area;
        self.svg.text(((left + right) / 2.0, bottom + 2.6 * em), Font::plain(em, GREY), Anchor::Middle, name);
    }

    /// Names the vertical axis, at this distance from the left edge of the picture.
    pub fn name_beside(&mut self, em: f64, x: f64, name: &str) {
        let middle = (self.area.top + self.area.bottom) / 2.0;
        self.svg.text_upwards((x, middle), Font::plain(em, GREY), name);
    }

    fn place(&self, (x, y): Point) -> Point {
        let Area { left, right, top, bottom } = self.area;
        (left + self.x.share(x) * (right - left), bottom - self.y.share(y) * (bottom - top))
    }

    fn bar(&mut self, interval: &Interval, colour: Colour, width: f64) {
        let ends = interval.ends().map(|end| self.place((interval.x, end)));
        self.svg.line(ends, colour, width);
    }

    /// A line through the points; a single point becomes a dot.
    pub fn line(&mut self, points: &[Point], colour: Colour, width: f64) {
        match points {
            [] => {}
            [point] => self.dot(*point, 2.0 * width, colour),
            points => {
                let places: Vec<Point> = points.iter().map(|&point| self.place(point)).collect();
                self.svg.line(places, colour, width);
            }
        }
    }

    /// A horizontal line across the chart.
    pub fn edge(&mut self, value: f64, colour: Colour) {
        self.svg.line(self.across(value), colour, 2.0);
    }

    /// A dashed horizontal line across the chart.
    pub fn level(&mut self, value: f64, colour: Colour) {
        self.svg.dashes(self.across(value), colour);
    }

    fn across(&self, value: f64) -> [Point; 2] {
        let (_, at) = self.place((0.0, value));
        [(self.area.left, at), (self.area.right, at)]
    }

    /// A band between the ends of intervals; a single interval becomes a bar.
    pub fn band(&mut self, intervals: &[Interval], colour: Colour) {
        if let [interval] = intervals {
            return self.bar(interval, colour, 2.0);
        }
        let upper = intervals.iter().map(|interval| (interval.x, interval.high));
        let lower = intervals.iter().rev().map(|interval| (interval.x, interval.low));
        let outline: Vec<Point> = upper.chain(lower).map(|point| self.place(point)).collect();
        self.svg.area(outline, colour);
    }

    /// Points with error bars, joined by a line.
    pub fn error_bars(&mut self, intervals: &[Interval], colour: Colour) {
        let points: Vec<Point> = intervals.iter().map(Interval::point).collect();
        if points.len() > 1 {
            self.line(&points, colour, 3.0);
        }
        let radius = if points.len() > 60 { 3.5 } else { 5.5 };
        for interval in intervals {
            self.bar(interval, colour, 2.0);
            self.dot(interval.point(), radius, colour);
        }
    }

    /// A point that stands out, with an error bar.
    pub fn diamond(&mut self, interval: &Interval, colour: Colour) {
        self.bar(interval, colour, 4.0);
        self.svg.diamond(self.place(interval.point()), colour);
    }

    /// A dot.
    pub fn dot(&mut self, point: Point, radius: f64, colour: Colour) {
        self.svg.dot(self.place(point), radius, colour);
    }
}
