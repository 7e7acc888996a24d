//! Every trial of a program, with the gain of the incumbent on top.

use crate::draw::{Area, Axis, BLUE, Chart, Font, GREY, Interval, MARGIN, Mark, PURPLE, Series, VERMILLION, figure};
use crate::page::History;
use crate::tables::Run;
use evolve_core::job::Stage;
use evolve_core::run::rows::ValidationRow;

/// The width of the figure in pixels, and the height of the area below its head.
const SIZE: (f64, f64) = (1600.0, 700.0);
/// The height of labels in pixels.
const EM: f64 = 18.0;

/// Draws the figure as SVG.
pub fn draw(run: &Run, history: &History) -> String {
    let points = history.points().into_iter().map(|(group, points)| {
        let mark = if group.is_cross { Mark::Crosses } else { Mark::Loose };
        let points = points.into_iter().map(|(x, y)| Interval::point(x, y));
        Series::new(group.colour, mark, points).named(group.name)
    });
    let interval = |row: &ValidationRow, x: u64| {
        let of = row.difference()?;
        Some(Interval { x: x as f64, low: of.low, value: of.mean, high: of.high })
    };
    let course = history.course().map(|(x, value, low, high, _)| Interval { x: x as f64, low, value, high });
    let course: Vec<Interval> = course.collect();
    let held = run.stage(Stage::Validation).filter_map(|row| interval(row, row.trials_played));
    let tested = run.tested().and_then(|(_, finalist)| interval(finalist, run.trials_played()));
    let mut series: Vec<Series> = points.collect();
    if history.is_related {
        series.push(Series::new(GREY, Mark::Level, [Interval::point(0.0, 0.0)]));
        series.push(Series::new(BLUE, Mark::Band, course.clone()));
        series.push(Series::new(BLUE, Mark::Line, course).named("incumbent, by the model"));
        series.push(Series::new(PURPLE, Mark::Points, held).named("incumbent, in validation"));
        series.push(Series::new(VERMILLION, Mark::Diamonds, tested).named("held-out test"));
    }
    series.retain(|one| !one.points.is_empty());
    let subtitle = format!("Run {} · each point is a trial; those beyond the axis lie at its edge", run.name);
    let (mut svg, top) = figure(SIZE.0, SIZE.1, "History", &subtitle, &series);
    let (x, y): (&Axis, &Axis) = (&history.axes.trials, &history.axes.height);
    let left = MARGIN + 2.4 * EM + y.label_width(Font::plain(EM, GREY));
    let area = Area { left, right: SIZE.0 - MARGIN, top: top + 10.0, bottom: top + SIZE.1 - MARGIN - 3.4 * EM };
    let mut chart = Chart::new(&mut svg, area, x, y, EM);
    let name = if history.is_related { "Difference from the baseline" } else { "Score" };
    chart.name(EM, "Trials", (MARGIN + EM / 2.0, name));
    chart.draw(&series, 2.5);
    svg.finish()
}
