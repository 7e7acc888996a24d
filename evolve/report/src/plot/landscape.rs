//! The landscape by the model of the search: importance, and a slice for each parameter.

use crate::draw::{
    Anchor, Area, Axis, BLUE, Chart, Font, GREY, GRID, INK, Interval, MARGIN, Mark, Point, SKY, Series, Svg,
    VERMILLION, figure, fit, plus_minus,
};
use crate::page::{by_importance, heights, large_shares};
use evolve_core::job::Job;
use evolve_search::model::space::Space;
use evolve_search::optimizer::landscape::{Landscape, Share, Slice};

/// The number of slices side by side, their width and height with titles in pixels, and the space
/// between two of them.
const COLUMNS: usize = 4;
const PANEL: (f64, f64) = (380.0, 270.0);
const GAP: f64 = 28.0;
/// The height of labels in pixels, and of a row of importance.
const EM: f64 = 14.0;
const ROW: f64 = 26.0;
/// The width of names and of bars of importance.
const NAMES: f64 = 320.0;
const BARS: f64 = 600.0;

/// Draws the figure as SVG.
pub fn draw(name: &str, job: &Job, landscape: &Landscape) -> String {
    let space = &job.space;
    let (shares, slices) = (large_shares(landscape), by_importance(landscape));
    let columns = slices.len().clamp(3, COLUMNS);
    let wide = 2.0 * MARGIN - GAP + PANEL.0 * columns as f64;
    let importance = 2.0 * ROW + ROW * shares.len() as f64;
    let below = MARGIN + importance + PANEL.1 * slices.len().div_ceil(columns) as f64;
    let key = |label: &str, colour, mark| Series::new(colour, mark, []).named(label);
    let legend = [
        key("mean effect", BLUE, Mark::Line),
        key("95 % interval", BLUE, Mark::Band),
        key("trials", SKY, Mark::Loose),
        key("incumbent", VERMILLION, Mark::Dots),
    ];
    let subtitle = format!(
        "Run {name} · shares in the variance of the mean effect (ranges: jackknife over trials), and slices \
            through the incumbent, after {} trials",
        landscape.trials.len()
    );
    let (mut svg, top) = figure(wide, below, "Landscape", &subtitle, &legend);
    for (i, share) in shares.iter().enumerate() {
        draw_share(&mut svg, (MARGIN, top + ROW * (i as f64 + 0.5)), space, share);
    }
    let y = heights(landscape, job.problem.rating());
    for (i, slice) in slices.into_iter().enumerate() {
        let (column, row) = ((i % columns) as f64, (i / columns) as f64);
        draw_slice(
            &mut svg,
            (MARGIN + PANEL.0 * column, top + importance + PANEL.1 * row),
            space,
            landscape,
            (slice, &y),
        );
    }
    svg.finish()
}

fn draw_share(svg: &mut Svg, (x, y): Point, space: &Space, share: &Share) {
    let name = |place: usize| space.parameters()[place].name.as_str();
    let names =
        share.other.map_or(name(share.place).to_string(), |other| format!("{} × {}", name(share.place), name(other)));
    let font = Font::plain(EM + 2.0, INK);
    svg.text((x, y), font, Anchor::Start, &fit(&names, font, NAMES));
    svg.bar((x + NAMES, y - 1.0), (x + NAMES + BARS, y + 1.0), GRID);
    let Share { share: interval, .. } = share;
    let at = |share: f64| x + NAMES + BARS * share;
    svg.bar((x + NAMES, y - 8.0), (at(interval.mean), y + 8.0), BLUE);
    // White below the whisker, which lies on the bar.
    for (colour, width) in [(GRID, 5.0), (INK, 2.0)] {
        svg.line(&[(at(interval.low), y), (at(interval.high), y)], colour, width);
    }
    let [mean, low, high] = [interval.mean, interval.low, interval.high].map(|share| format!("{:.0}", 100.0 * share));
    let text = format!("{mean} % ({low} to {high})");
    svg.text((x + NAMES + BARS + 24.0, y), font, Anchor::Start, &text);
}

fn draw_slice(svg: &mut Svg, (left, top): Point, space: &Space, landscape: &Landscape, (slice, y): (&Slice, &Axis)) {
    let parameter = &space.parameters()[slice.place];
    let place = space.tuned_indices().iter().position(|&place| place == slice.place).unwrap_or_default();
    let here = landscape.values[place];
    let right = left + PANEL.0 - GAP;
    let bold = Font::bold(EM + 2.0, if slice.is_awake { INK } else { GREY });
    let asleep = if slice.is_awake { "" } else { ", inactive" };
    let value = if parameter.is_number() { plus_minus(here, None) } else { parameter.show(here) };
    let title = format!("{} = {value}{asleep}", parameter.name);
    svg.text((left, top + EM), bold, Anchor::Start, &fit(&title, bold, right - left));
    let x = Axis::of_parameter(parameter, 5);
    let area = Area {
        left: left + y.label_width(Font::plain(EM, GREY)) + 0.5 * EM,
        right: right - EM,
        top: top + 2.2 * EM,
        bottom: top + PANEL.1 - GAP - 1.6 * EM,
    };
    let interval = |(x, of): &(f64, evolve_search::statistics::Interval)| Interval {
        x: *x,
        low: of.low,
        value: of.mean,
        high: of.high,
    };
    let effect: Vec<Interval> = slice.points.iter().map(interval).collect();
    let dots = landscape.trials.iter().map(|trial| Interval::point(trial.values[place], trial.gain));
    let nearest = effect.iter().min_by(|a, b| (a.x - here).abs().total_cmp(&(b.x - here).abs())).copied();
    let mut series = vec![
        Series::new(GREY, Mark::Level, [Interval::point(0.0, 0.0)]),
        Series::new(SKY, Mark::Loose, dots),
        Series::new(VERMILLION, Mark::Dots, nearest),
    ];
    match parameter.is_number() {
        true => {
            series.push(Series::new(BLUE, Mark::Band, effect.clone()));
            series.push(Series::new(BLUE, Mark::Line, effect));
        }
        false => series.push(Series::new(BLUE, Mark::Diamonds, effect)),
    }
    Chart::new(svg, area, &x, y, EM).draw(&series, 2.0);
}
