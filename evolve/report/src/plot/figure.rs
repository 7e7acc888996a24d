//! A figure, drawn as SVG.

use super::PlotError;
use super::style;
use evolve_core::run::atomic::replace_plain;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::prelude::SVGBackend;
use plotters::style::{Color, RGBColor, TextStyle, WHITE};
use std::path::{Path, PathBuf};

/// A rectangle of a figure, in pixels.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Why a drawing step failed.
pub type DrawingError = DrawingAreaErrorKind<std::io::Error>;

/// Blank pixels around a figure.
const MARGIN: i32 = 36;

/// A drawing of `size` (width and height in pixels) on white, as an SVG document.
pub fn svg(size: (u32, u32), draw: impl FnOnce(&Area) -> Result<(), DrawingError>) -> Result<String, PlotError> {
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    root.fill(&WHITE)
        .and_then(|()| draw(&root))
        .and_then(|()| root.present())
        .map_err(|error| PlotError::Draw(error.to_string()))?;
    drop(root);
    // Names of runs and weights are escaped, but XML has no place at all for control characters.
    let is_allowed = |letter: char| !letter.is_control() || "\n\r\t".contains(letter);
    let svg: String = svg.chars().map(|letter| if is_allowed(letter) { letter } else { '\u{fffd}' }).collect();
    // Thick lines otherwise have long spikes where a series jumps up and down.
    Ok(svg.replacen("<svg ", "<svg stroke-linejoin=\"round\" ", 1))
}

/// Writes `stem.svg` into a folder and gives its path.
pub fn write(folder: &Path, stem: &str, svg: &str) -> Result<PathBuf, PlotError> {
    let path = folder.join(format!("{stem}.svg"));
    match replace_plain(&path, svg.as_bytes()) {
        Ok(()) => Ok(path),
        Err(source) => Err(PlotError::Write { path, source }),
    }
}

/// One entry of a legend.
pub struct Key {
    pub label: String,
    pub colour: RGBColor,
    pub symbol: Symbol,
}

/// How a legend shows a series.
#[derive(Clone, Copy)]
pub enum Symbol {
    Line,
    Dashes,
    Band,
    Points,
    Diamond,
    Dot,
}

impl Key {
    pub fn new(label: impl Into<String>, colour: RGBColor, symbol: Symbol) -> Self {
        Self { label: label.into(), colour, symbol }
    }
}

/// Heads a figure with a title, a subtitle and a legend; gives the area that is left below them.
pub fn header<'a>(root: &Area<'a>, title: &str, subtitle: &str, legend: &[Key]) -> Result<Area<'a>, DrawingError> {
    let width = root.dim_in_pixel().0 as i32 - 2 * MARGIN;
    let title_style = style::bold(30.0, style::INK);
    root.draw_text(title, &title_style, (MARGIN, MARGIN + 12))?;
    let subtitle_style = style::text(19.0, style::GREY);
    let subtitle = fit(root, subtitle, &subtitle_style, width)?;
    root.draw_text(&subtitle, &subtitle_style, (MARGIN, MARGIN + 50))?;
    let bottom = draw_legend(root, legend, MARGIN + 92, width)?;
    let (_, below) = root.split_vertically(bottom);
    Ok(below.margin(0, MARGIN / 2, MARGIN, MARGIN))
}

/// The size of a figure that is as large as `size` if its legend has one row: higher by what other rows take.
pub fn with_legend((width, height): (u32, u32), legend: &[Key]) -> Result<(u32, u32), PlotError> {
    // Widths of texts are measured on a drawing, but not drawn.
    let mut unused = String::new();
    let root = SVGBackend::with_string(&mut unused, (width, height)).into_drawing_area();
    let places = lay_out(&root, legend, width as i32 - 2 * MARGIN).map_err(|e| PlotError::Draw(e.to_string()))?;
    let further = places.last().map_or(0, |place| place.y);
    Ok((width, height + further as u32))
}

/// Where an entry of a legend goes, from its upper left corner, and what it says.
struct Place {
    x: i32,
    y: i32,
    label: String,
}

/// Height of a legend's row.
const ROW: i32 = 34;
/// Width of a legend's symbols.
const SYMBOL: i32 = 44;
/// What is left blank beside them.
const GAP: i32 = 12;

fn label_style() -> TextStyle<'static> {
    style::text(18.0, style::INK)
}

/// Places the entries side by side, in columns if they need several rows.
fn lay_out(root: &Area, keys: &[Key], width: i32) -> Result<Vec<Place>, DrawingError> {
    let style = label_style();
    let mut labels = Vec::new();
    let mut widths = Vec::new();
    for key in keys {
        let label = fit(root, &key.label, &style, width / 3)?;
        widths.push(SYMBOL + GAP + text_width(root, &label, &style)? + 3 * GAP);
        labels.push(label);
    }
    if widths.iter().sum::<i32>() > width {
        let widest = widths.iter().copied().max().unwrap_or(0);
        widths.fill(widest);
    }
    let (mut x, mut y) = (0, 0);
    let mut places = Vec::new();
    for (label, taken) in labels.into_iter().zip(widths) {
        if x > 0 && x + taken > width {
            (x, y) = (0, y + ROW);
        }
        places.push(Place { x, y, label });
        x += taken;
    }
    Ok(places)
}

/// Draws the entries; gives the lower edge.
fn draw_legend(root: &Area, keys: &[Key], top: i32, width: i32) -> Result<i32, DrawingError> {
    let places = lay_out(root, keys, width)?;
    for (key, Place { x, y, label }) in keys.iter().zip(&places) {
        symbol(root, key, (MARGIN + x, top + y), SYMBOL)?;
        root.draw_text(label, &label_style(), (MARGIN + x + SYMBOL + GAP, top + y))?;
    }
    Ok(top + places.last().map_or(0, |place| place.y) + ROW)
}

fn symbol(root: &Area, key: &Key, (x, y): (i32, i32), width: i32) -> Result<(), DrawingError> {
    let line = |from, to| PathElement::new([(x + from, y), (x + to, y)], key.colour.stroke_width(3));
    match key.symbol {
        Symbol::Line => root.draw(&line(0, width)),
        Symbol::Dashes => (0..3).try_for_each(|dash| root.draw(&line(dash * 17, dash * 17 + 10))),
        Symbol::Band => {
            let fill = key.colour.mix(style::BAND_OPACITY).filled();
            root.draw(&Rectangle::new([(x, y - 9), (x + width, y + 9)], fill))
        }
        Symbol::Dot => root.draw(&Circle::new((x + width / 2, y), 6, key.colour.filled())),
        Symbol::Diamond => {
            let middle = x + width / 2;
            let rhombus = [(middle, y - 10), (middle + 10, y), (middle, y + 10), (middle - 10, y)];
            root.draw(&Polygon::new(rhombus, key.colour.filled()))
        }
        Symbol::Points => {
            let middle = x + width / 2;
            let bar = [(middle, y - 12), (middle, y + 12)];
            root.draw(&line(0, width))?;
            root.draw(&PathElement::new(bar, key.colour.stroke_width(2)))?;
            root.draw(&Circle::new((middle, y), 6, key.colour.filled()))
        }
    }
}

/// The text's width in pixels.
pub fn text_width(area: &Area, text: &str, style: &TextStyle) -> Result<i32, DrawingError> {
    Ok(area.estimate_text_size(text, style)?.0 as i32)
}

/// The text, with as much left out of its middle as `width` pixels demand: both ends of a name tell
/// it from its neighbours.
pub fn fit(area: &Area, text: &str, style: &TextStyle, width: i32) -> Result<String, DrawingError> {
    cut(text, |shown| Ok(text_width(area, shown, style)? <= width))
}

/// No more letters than this are ever measured: no figure has room for them.
const LETTERS: usize = 1000;

/// The longest text that fits: `text` itself, or its two ends, of one letter at least.
fn cut<E>(text: &str, mut fits: impl FnMut(&str) -> Result<bool, E>) -> Result<String, E> {
    let length = text.chars().count();
    let ends = |kept: usize| {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let head = text.chars().take(head).chain(['…']);
        head.chain(text.chars().skip(length - tail)).collect::<String>()
    };
    if length <= LETTERS && fits(text)? {
        return Ok(text.to_string());
    }
    // As many letters as fit, by halves: the widths of texts are about those of their letters.
    let (mut fitting, mut too_many) = (1, length.min(LETTERS));
    while fitting + 1 < too_many {
        let middle = (fitting + too_many) / 2;
        match fits(&ends(middle))? {
            true => fitting = middle,
            false => too_many = middle,
        }
    }
    Ok(ends(fitting))
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn long_names_keep_both_ends_and_are_measured_a_few_times() {
        let mut measured = 0;
        let mut shown = |text: &str, most: usize| {
            let fits = |shown: &str| {
                measured += shown.chars().count();
                Ok::<_, ()>(shown.chars().count() <= most)
            };
            cut(text, fits).unwrap()
        };
        assert_eq!(shown("short", 5), "short");
        assert_eq!(shown("own_fours", 6), "own…rs");
        assert_eq!(shown("own_fours", 1), "o…");
        assert_eq!(shown("", 0), "");
        let long = format!("a{}z", "-".repeat(1_000_000));
        let cut = shown(&long, 40);
        assert!(cut.chars().count() == 40 && cut.starts_with("a-") && cut.ends_with("-z"), "{cut}");
        assert!(measured < 10_000, "{measured} letters");
    }
}
