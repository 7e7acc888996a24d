//! Writes SVG elements, with coordinates in pixels.

use super::text::{FAMILY, Font};
use super::{Colour, GRID, INK};
use evolve_search::document::text::has_power;
use std::fmt::Write;

/// A point, as distances from the left and upper edges.
pub type Point = (f64, f64);

/// The part of a text that is at its point.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// The left end.
    Start,
    Middle,
    /// The right end.
    End,
}

/// An SVG drawing on white.
#[derive(Debug)]
pub struct Svg(String);

impl Svg {
    /// Creates an empty drawing of this size in pixels.
    pub fn new(width: f64, height: f64) -> Self {
        Svg(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILY}\" fill=\"{INK}\" stroke-linejoin=\"round\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        ))
    }

    /// Returns the document.
    pub fn finish(self) -> String {
        self.0 + "</svg>\n"
    }

    fn element(&mut self, element: std::fmt::Arguments) {
        writeln!(self.0, "{element}").expect("writing to memory does not fail");
    }

    /// Draws a line through points.
    pub fn line(&mut self, points: &[Point], colour: Colour, width: f64) {
        let points = joined(points);
        self.element(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
        ));
    }

    /// Draws a grid between two corners as one path: upright lines at these distances from the left
    /// edge of the drawing, and level ones at these from its upper edge.
    pub fn grid(&mut self, (left, top): Point, (right, bottom): Point, upright: &[f64], level: &[f64]) {
        let upright = upright.iter().map(|x| format!("M{} {}V{}", short(*x), short(top), short(bottom)));
        let level = level.iter().map(|y| format!("M{} {}H{}", short(left), short(*y), short(right)));
        let path: String = upright.chain(level).collect();
        self.element(format_args!("<path d=\"{path}\" fill=\"none\" stroke=\"{GRID}\"/>"));
    }

    /// Draws a dashed line between two points.
    pub fn dashes(&mut self, ends: [Point; 2], colour: Colour) {
        let points = joined(&ends);
        self.element(format_args!(
            "<polyline points=\"{points}\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"10 7\"/>"
        ));
    }

    /// Draws a translucent area.
    pub fn area(&mut self, outline: &[Point], colour: Colour) {
        let points = joined(outline);
        self.element(format_args!("<polygon points=\"{points}\" fill=\"{colour}\" opacity=\"0.18\"/>"));
    }

    /// Draws a dot with a white rim, which separates it from its neighbours.
    pub fn dot(&mut self, (x, y): Point, radius: f64, colour: Colour) {
        let (x, y) = (short(x), short(y));
        self.element(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{colour}\" stroke=\"white\" stroke-width=\"1.5\"/>"
        ));
    }

    /// Draws small translucent dots as one path.
    pub fn specks(&mut self, places: &[Point], colour: Colour) {
        let path: String = places.iter().map(|(x, y)| format!("M{} {}h0", short(*x), short(*y))).collect();
        self.element(format_args!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"6\" stroke-linecap=\"round\" opacity=\"0.5\"/>"
        ));
    }

    /// Draws small crosses as one path.
    pub fn crosses(&mut self, places: &[Point], colour: Colour) {
        let cross = |(x, y): &Point| format!("M{} {}l8 8m0-8l-8 8", short(x - 4.0), short(y - 4.0));
        let path: String = places.iter().map(cross).collect();
        self.element(format_args!("<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"));
    }

    /// Draws small triangles as one path: those that point upwards, and the others.
    pub fn triangles(&mut self, places: &[(Point, bool)], colour: Colour) {
        if places.is_empty() {
            return;
        }
        let triangle = |((x, y), is_up): &(Point, bool)| {
            let (base, tip) = if *is_up { (y + 8.0, y - 3.0) } else { (y - 8.0, y + 3.0) };
            format!("M{} {}h12L{} {}z", short(x - 6.0), short(base), short(*x), short(tip))
        };
        let path: String = places.iter().map(triangle).collect();
        self.element(format_args!("<path d=\"{path}\" fill=\"{colour}\"/>"));
    }

    /// Draws a filled rectangle between two corners.
    pub fn bar(&mut self, (x, y): Point, (right, bottom): Point, colour: Colour) {
        let (width, height) = (short(right - x), short(bottom - y));
        let (x, y) = (short(x), short(y));
        self.element(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\"/>"
        ));
    }

    /// Draws a diamond with a white rim.
    pub fn diamond(&mut self, (x, y): Point, colour: Colour) {
        let points = joined(&[(x, y - 11.0), (x + 11.0, y), (x, y + 11.0), (x - 11.0, y)]);
        self.element(format_args!(
            "<polygon points=\"{points}\" fill=\"{colour}\" stroke=\"white\" stroke-width=\"2\"/>"
        ));
    }

    /// Draws a text that is vertically centred on the point.
    pub fn text(&mut self, place: Point, font: Font, anchor: Anchor, text: &str) {
        self.write(place, font, anchor, "", text);
    }

    /// Draws an upward text that is centred on the point.
    pub fn text_upwards(&mut self, (x, y): Point, font: Font, text: &str) {
        self.write(
            (x, y),
            font,
            Anchor::Middle,
            &format!(" transform=\"rotate(-90 {} {})\"", short(x), short(y)),
            text,
        );
    }

    fn write(&mut self, (x, y): Point, Font { em, colour, is_bold }: Font, anchor: Anchor, turn: &str, text: &str) {
        let (x, y) = (short(x), short(y + 0.35 * em));
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = if is_bold { " font-weight=\"bold\"" } else { "" };
        let text = escaped(text);
        self.element(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{em}\" fill=\"{colour}\"{anchor}{weight}{turn}>{text}</text>"
        ));
    }
}

/// Rounds to tenths of a pixel, which is finer than a screen shows.
fn short(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0
}

fn joined(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
    points.join(" ")
}

/// Escapes names of runs and weights, which users choose freely. XML allows no control characters
/// at all.
fn escaped(text: &str) -> String {
    let text: String = text.chars().map(|letter| if has_power(letter) { '\u{fffd}' } else { letter }).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
