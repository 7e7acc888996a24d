//! A pair of axes and the kinds of series drawn between them.

use super::axis::Axis;
use super::figure::{Area, DrawingError, text_width};
use super::style;
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::cartesian::Cartesian2d;
use plotters::element::{Circle, EmptyElement, PathElement, Polygon};
use plotters::prelude::SVGBackend;
use plotters::series::DashedLineSeries;
use plotters::style::{Color, RGBColor, WHITE};

type Context<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Axis, Axis>>;

/// A value at a place of the horizontal axis.
pub type Point = (f64, f64);

/// A value with a symmetric interval: place, value, half width.
pub type Interval = (f64, f64, f64);

/// The width of an axis's widest label in pixels.
pub fn label_width(area: &Area<'_>, axis: &Axis, em: f64) -> Result<i32, DrawingError> {
    let style = style::text(em, style::GREY);
    let mut widest = 0;
    for &tick in &axis.ticks {
        widest = widest.max(text_width(area, &axis.label(tick), &style)?);
    }
    Ok(widest)
}

/// Axes with a grid, ready for series.
pub struct Chart<'a>(Context<'a>);

impl<'a> Chart<'a> {
    /// Fills the area with axes; `em` is the height of their labels in pixels, `name` stands below
    /// the horizontal axis, `title` beside the vertical one.
    pub fn new(area: &Area<'a>, axes: (&Axis, &Axis), em: f64, name: &str, title: &str) -> Result<Self, DrawingError> {
        let widest = label_width(area, axes.1, em)?;
        Self::with_labels(area, axes, em, name, title, widest)
    }

    /// The same with so many pixels for the labels of the vertical axis, for charts that stand in line.
    pub fn with_labels(
        area: &Area<'a>,
        (x, y): (&Axis, &Axis),
        em: f64,
        name: &str,
        title: &str,
        widest: i32,
    ) -> Result<Self, DrawingError> {
        let style = style::text(em, style::GREY);
        let rows = if name.is_empty() { 1.8 } else { 3.4 };
        let mut context = ChartBuilder::on(area)
            .margin_top((0.6 * em) as i32)
            .x_label_area_size((rows * em) as i32)
            .y_label_area_size(widest + (if title.is_empty() { em } else { 2.8 * em }) as i32)
            .build_cartesian_2d(x.clone(), y.clone())?;
        context
            .configure_mesh()
            .bold_line_style(style::GRID)
            .light_line_style(style::GRID)
            .max_light_lines(0)
            .axis_style(style::GRID)
            .set_all_tick_mark_size((0.3 * em) as i32)
            .label_style(style.clone())
            .axis_desc_style(style)
            .x_desc(name)
            .y_desc(title)
            .draw()?;
        Ok(Self(context))
    }

    /// A line through the points; a single point becomes a dot.
    pub fn line(&mut self, points: &[Point], colour: RGBColor, width: u32) -> Result<(), DrawingError> {
        if let [point] = points {
            let dot = Circle::new(*point, 2 * width, colour.filled());
            return self.draw(dot);
        }
        self.draw(PathElement::new(points, colour.stroke_width(width)))
    }

    /// A horizontal dashed line across the chart.
    pub fn level(&mut self, value: f64, colour: RGBColor) -> Result<(), DrawingError> {
        let across = self.0.x_range();
        let ends = [(across.start, value), (across.end, value)];
        let dashes = DashedLineSeries::new(ends, 12, 8, colour.stroke_width(2));
        self.0.draw_series(dashes).map(drop)
    }

    /// A band of value ± half width; a single interval becomes a bar.
    pub fn band(&mut self, intervals: &[Interval], colour: RGBColor) -> Result<(), DrawingError> {
        let colour = colour.mix(style::BAND_OPACITY);
        if let [(x, value, half)] = *intervals {
            let bar = [(x, value - half), (x, value + half)];
            return self.draw(PathElement::new(bar, colour.stroke_width(10)));
        }
        let upper = intervals.iter().map(|&(x, value, half)| (x, value + half));
        let lower = intervals.iter().map(|&(x, value, half)| (x, value - half));
        let outline: Vec<Point> = upper.chain(lower.rev()).collect();
        self.draw(Polygon::new(outline, colour))
    }

    /// Points with error bars, joined by a line.
    pub fn error_bars(&mut self, intervals: &[Interval], colour: RGBColor) -> Result<(), DrawingError> {
        let points: Vec<Point> = intervals.iter().map(|&(x, value, _)| (x, value)).collect();
        // A white rim keeps neighbouring points apart, unless it would hide the line between them.
        let (radius, rim) = if points.len() > 60 { (3, 0) } else { (5, 2) };
        self.draw(PathElement::new(&points[..], colour.stroke_width(3)))?;
        for (point, &(x, value, half)) in points.into_iter().zip(intervals) {
            let bar = [(x, value - half), (x, value + half)];
            self.draw(Circle::new(point, radius + rim, WHITE.filled()))?;
            self.draw(PathElement::new(bar, colour.stroke_width(2)))?;
            self.draw(Circle::new(point, radius, colour.filled()))?;
        }
        Ok(())
    }

    /// A point that stands out, with an error bar.
    pub fn diamond(&mut self, (x, value, half): Interval, colour: RGBColor) -> Result<(), DrawingError> {
        self.draw(PathElement::new([(x, value - half), (x, value + half)], colour.stroke_width(4)))?;
        let rhombus = |size: i32| vec![(0, -size), (size, 0), (0, size), (-size, 0)];
        for (size, colour) in [(13, WHITE), (10, colour)] {
            let shape = EmptyElement::at((x, value)) + Polygon::new(rhombus(size), colour.filled());
            self.0.draw_series([shape]).map(drop)?;
        }
        Ok(())
    }

    /// A horizontal line across the chart.
    pub fn edge(&mut self, value: f64, colour: RGBColor) -> Result<(), DrawingError> {
        let across = self.0.x_range();
        self.draw(PathElement::new([(across.start, value), (across.end, value)], colour.stroke_width(2)))
    }

    /// A dot.
    pub fn dot(&mut self, point: Point, colour: RGBColor) -> Result<(), DrawingError> {
        self.draw(Circle::new(point, 6, WHITE.filled()))?;
        self.draw(Circle::new(point, 5, colour.filled()))
    }

    fn draw<E>(&mut self, element: E) -> Result<(), DrawingError>
    where
        for<'b> &'b E: plotters::element::PointCollection<'b, Point>,
        E: plotters::element::Drawable<SVGBackend<'a>>,
    {
        self.0.draw_series([element]).map(drop)
    }
}
