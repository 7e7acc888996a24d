//! A figure: a title, a subtitle and a legend above what is drawn.

use super::svg::{Anchor, Point, Svg};
use super::text::{Font, fit, width};
use super::{Colour, GREY, INK};

/// Blank pixels around a figure.
pub const MARGIN: f64 = 36.0;
/// Height of a legend's row, width of its symbols, and what is left blank beside them.
const ROW: f64 = 34.0;
const SYMBOL: f64 = 44.0;
const GAP: f64 = 12.0;
const LABEL: Font = Font::plain(18.0, INK);

/// One entry of a legend.
#[derive(Clone, Debug)]
pub struct Key {
    label: String,
    colour: Colour,
    symbol: Symbol,
}

/// How a legend shows a series.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "each is what it says")]
pub enum Symbol {
    Line,
    Dashes,
    Band,
    Points,
    Diamond,
    Dot,
}

impl Key {
    /// An entry.
    pub fn new(label: impl Into<String>, colour: Colour, symbol: Symbol) -> Self {
        Key { label: label.into(), colour, symbol }
    }

    fn draw(&self, svg: &mut Svg, (x, y): Point) {
        let (end, middle) = (x + SYMBOL, (x + SYMBOL / 2.0, y));
        match self.symbol {
            Symbol::Line => svg.line([(x, y), (end, y)], self.colour, 3.0),
            Symbol::Dashes => svg.dashes([(x, y), (end, y)], self.colour),
            Symbol::Band => svg.area([(x, y - 9.0), (end, y - 9.0), (end, y + 9.0), (x, y + 9.0)], self.colour),
            Symbol::Dot => svg.dot(middle, 6.0, self.colour),
            Symbol::Diamond => svg.diamond(middle, self.colour),
            Symbol::Points => {
                svg.line([(x, y), (end, y)], self.colour, 3.0);
                svg.line([(middle.0, y - 12.0), (middle.0, y + 12.0)], self.colour, 2.0);
                svg.dot(middle, 6.0, self.colour);
            }
        }
    }
}

/// A figure with its head drawn, and the upper edge of what is left: `below` pixels.
pub fn figure(wide: f64, below: f64, title: &str, subtitle: &str, legend: &[Key]) -> (Svg, f64) {
    let room = wide - 2.0 * MARGIN;
    let places = lay_out(legend, room);
    let top = MARGIN + 126.0 + places.last().map_or(0.0, |(_, (_, y))| *y);
    let mut svg = Svg::new(wide, top + below);
    svg.text((MARGIN, MARGIN + 12.0), Font::bold(30.0, INK), Anchor::Start, title);
    let font = Font::plain(19.0, GREY);
    svg.text((MARGIN, MARGIN + 50.0), font, Anchor::Start, &fit(subtitle, font, room));
    for (key, (label, (x, y))) in legend.iter().zip(&places) {
        let place = (MARGIN + x, MARGIN + 92.0 + y);
        key.draw(&mut svg, place);
        svg.text((place.0 + SYMBOL + GAP, place.1), LABEL, Anchor::Start, label);
    }
    (svg, top)
}

/// Places the entries side by side, in columns if they need several rows: what each says, and where.
fn lay_out(keys: &[Key], room: f64) -> Vec<(String, Point)> {
    let labels: Vec<String> = keys.iter().map(|key| fit(&key.label, LABEL, room / 3.0)).collect();
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
