//! Charts as SVG: axes with round ticks, lines, bands, points with intervals, and legends.
//!
//! The same input gives the same bytes on every machine. The viewer chooses the fonts, so the
//! widths of texts are estimated.

mod axis;
mod chart;
mod figure;
mod svg;
mod text;

pub use axis::{Axis, plus_minus};
pub use chart::{Area, Chart, Interval, Mark, Series, axis_of};
pub use figure::{MARGIN, figure};
pub use svg::{Anchor, Point, Svg};
pub use text::{Font, fit, width};

/// A colour as an SVG name or code.
pub type Colour = &'static str;

/// The colour of titles.
pub const INK: Colour = "#212529";
/// The colour of explanations: axis labels, subtitles, reference lines.
pub const GREY: Colour = "#5F656B";
pub const GRID: Colour = "#E4E7EB";
/// The colour of limits.
pub const RED: Colour = "#AA1E3C";

// Okabe and Ito's palette for all kinds of colour vision, without its yellow, which is faint on
// white.
pub const BLUE: Colour = "#0072B2";
pub const VERMILLION: Colour = "#D55E00";
/// The sky blue of the palette.
pub const SKY: Colour = "#56B4E9";
/// The colours of series, in order; they repeat after the seventh series.
pub const PALETTE: [Colour; 7] = [BLUE, VERMILLION, "#009E73", "#CC79A7", "#E69F00", SKY, "#000000"];
