//! Every trial of a program, with the gain of the incumbent on top; of several runs, the gains
//! alone.

use super::interval;
use crate::draw::{
    Area, Axis, BLUE, Chart, Colour, Font, GREY, Interval, MARGIN, Mark, PALETTE, PURPLE, Series, VERMILLION, figure,
};
use crate::page::History;
use crate::tables::Run;
use evolve_core::job::Stage;
use evolve_search::model::rating::Rating;

/// The width of the figure in pixels, and the height of the area below its head.
const SIZE: (f64, f64) = (1600.0, 700.0);
/// The height of labels in pixels.
const EM: f64 = 18.0;
const DIFFERENCE: &str = "Difference from the baseline";

/// Draws the figure of a run as SVG.
pub fn draw(run: &Run, history: &History) -> String {
    let points = history.points().into_iter().map(|(group, points)| {
        let mark = if group.is_cross { Mark::Crosses } else { Mark::Loose };
        let points = points.into_iter().map(|(x, y)| Interval::point(x, y));
        Series::new(group.colour, mark, points).named(group.name)
    });
    let mut series: Vec<Series> = points.collect();
    if history.is_related {
        let validated =
            run.stage(Stage::Validation).filter_map(|row| interval(row, row.trials_played.saturating_sub(1)));
        series.extend(course(history, BLUE, "incumbent, by the model"));
        series.push(Series::new(PURPLE, Mark::Points, validated).named("incumbent, in validation"));
        series.push(tested(run, VERMILLION).named("held-out test"));
        series.push(Series::new(GREY, Mark::Level, [Interval::point(0.0, 0.0)]));
    }
    let subtitle = format!("Run {} · each point is a trial; a triangle is a point beyond the axis", run.name);
    let name = if history.is_related { DIFFERENCE } else { "Score" };
    figure_of(series, "History", &subtitle, &history.axes.trials, &history.axes.height, name)
}

/// Draws the gains of the incumbents of several runs as SVG; returns `None` if no run has any.
pub fn draw_several(runs: &[(&Run, History)], rating: Rating) -> Option<String> {
    let of_run = |((run, history), colour): (&(&Run, History), Colour)| {
        let test = tested(run, colour);
        course(history, colour, &run.name).into_iter().chain([test]).collect::<Vec<_>>()
    };
    let mut series: Vec<Series> = runs.iter().zip(PALETTE.into_iter().cycle()).flat_map(of_run).collect();
    if series.iter().all(|one| one.mark != Mark::Line || one.points.is_empty()) {
        return None;
    }
    series.push(Series::new(GREY, Mark::Level, [Interval::point(0.0, 0.0)]));
    let x = Axis::counting(runs.iter().map(|(run, _)| run.trials_played()).max().unwrap_or(0), 8);
    let tests = series.iter().filter(|one| one.mark == Mark::Diamonds).flat_map(|one| &one.points);
    let gains =
        tests.flat_map(|of| [of.low, of.high]).chain(runs.iter().flat_map(|(_, history)| history.gains_on_axis()));
    let y = Axis::around(gains.filter(|gain| gain.is_finite()).chain([0.0]), 5).in_percent(rating);
    let subtitle =
        "Gain of the incumbent by the model, with its 95 % confidence interval; a diamond is the held-out test";
    Some(figure_of(series, "Histories", subtitle, &x, &y, DIFFERENCE))
}

/// Returns the gain of the incumbent: a line with its band.
fn course(history: &History, colour: Colour, name: &str) -> [Series; 2] {
    let course = history.course().map(|(x, value, low, high, _)| Interval { x: x as f64, low, value, high });
    let course: Vec<Interval> = course.collect();
    [Series::new(colour, Mark::Band, course.clone()), Series::new(colour, Mark::Line, course).named(name)]
}

fn tested(run: &Run, colour: Colour) -> Series {
    let tested = run.tested().and_then(|(_, finalist)| interval(finalist, run.trials_played().saturating_sub(1)));
    Series::new(colour, Mark::Diamonds, tested)
}

fn figure_of(mut series: Vec<Series>, title: &str, subtitle: &str, x: &Axis, y: &Axis, name: &str) -> String {
    series.retain(|one| !one.points.is_empty());
    let (mut svg, top) = figure(SIZE.0, SIZE.1, title, subtitle, &series);
    let left = MARGIN + 2.4 * EM + y.label_width(Font::plain(EM, GREY));
    let area = Area { left, right: SIZE.0 - MARGIN, top: top + 10.0, bottom: top + SIZE.1 - MARGIN - 3.4 * EM };
    let mut chart = Chart::new(&mut svg, area, x, y, EM);
    chart.name(EM, "Trial", (MARGIN + EM / 2.0, name));
    chart.draw(&series, 2.5);
    svg.finish()
}
