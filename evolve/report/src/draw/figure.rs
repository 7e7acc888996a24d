//! A figure: a title, a subtitle and a legend above the drawing.

use super::chart::{Mark, Series};
use super::svg::{Anchor, Point, Svg};
use super::text::{Font, fit, width};
use super::{GREY, INK};

/// The margin around a figure in pixels.
pub const MARGIN: f64 = 36.0;
/// The height of a row in the legend, the width of its symbols, and the space next to them.
const ROW: f64 = 34.0;
const SYMBOL: f64 = 44.0;
const GAP: f64 = 12.0;
const LABEL: Font = Font::plain(18.0, INK);

fn draw_key(svg: &mut Svg, one: &Series, (x, y): Point) {
    let (end, middle) = (x + SYMBOL, (x + SYMBOL / 2.0, y));
    match one.mark {
        Mark::Bound | Mark::Line => svg.line(&[(x, y), (end, y)], one.colour, 3.0),
        Mark::Level => svg.dashes([(x, y), (end, y)], one.colour),
        Mark::Band => svg.area(&[(x, y - 9.0), (end, y - 9.0), (end, y + 9.0), (x, y + 9.0)], one.colour),
        Mark::Loose => svg.specks(&[middle], one.colour),
        Mark::Crosses => svg.crosses(&[middle], one.colour),
        Mark::Dots => svg.dot(middle, 6.0, one.colour),
        Mark::Diamonds => svg.diamond(middle, one.colour),
        Mark::Points => {
            svg.line(&[(x, y), (end, y)], one.colour, 3.0);
            svg.line(&[(middle.0, y - 12.0), (middle.0, y + 12.0)], one.colour, 2.0);
            svg.dot(middle, 6.0, one.colour);
        }
    }
}

/// Creates a figure with its head. Returns it with the upper edge of the remaining area, which is
/// `below` pixels high. The legend shows the series with names.
pub fn figure(wide: f64, below: f64, title: &str, subtitle: &str, series: &[Series]) -> (Svg, f64) {
    let room = wide - 2.0 * MARGIN;
    let legend: Vec<&Series> = series.iter().filter(|one| !one.label.is_empty()).collect();
    let places = lay_out(&legend, room);
    let top = MARGIN + 126.0 + places.last().map_or(0.0, |(_, (_, y))| *y);
    let mut svg = Svg::new(wide, top + below);
    svg.text((MARGIN, MARGIN + 12.0), Font::bold(30.0, INK), Anchor::Start, title);
    let font = Font::plain(19.0, GREY);
    svg.text((MARGIN, MARGIN + 50.0), font, Anchor::Start, &fit(subtitle, font, room));
    for (one, (label, (x, y))) in legend.into_iter().zip(&places) {
        let place = (MARGIN + x, MARGIN + 92.0 + y);
        draw_key(&mut svg, one, place);
        svg.text((place.0 + SYMBOL + GAP, place.1), LABEL, Anchor::Start, label);
    }
    (svg, top)
}

/// Places the entries side by side, in columns if they need several rows. Returns the text and
/// position of each.
fn lay_out(legend: &[&Series], room: f64) -> Vec<(String, Point)> {
    let labels: Vec<String> = legend.iter().map(|one| fit(&one.label, LABEL, room / 3.0)).collect();
    let mut widths: Vec<f64> = labels.iter().map(|label| SYMBOL + 4.0 * GAP + width(label, LABEL)).collect();
    if widths.iter().sum::<f64>() > room {
        let widest = widths.iter().copied().fold(0.0, f64::max);
        widths.fill(widest);
    }
    let (mut x, mut y) = (0.0, 0.0);
    let mut places = Vec::new();
    for (label, taken) in labels.into_iter().zip(widths) {
        if x > 0.0 && x + taken > room {
            (x, y) = (0.0, y + ROW);
        }
        places.push((label, (x, y)));
        x += taken;
    }
    places
}
