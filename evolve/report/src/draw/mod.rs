//! Charts as SVG: axes with round ticks, lines, bands, points with intervals, and legends.
//!
//! The same input gives the same bytes on every machine. Texts are set by the viewer's fonts; where their widths matter,
//! they are estimated.

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

/// A colour, as SVG names it.
pub type Colour = &'static str;

/// Titles.
pub const INK: Colour = "#212529";
/// Everything that only explains: axis labels, subtitles, reference lines.
pub const GREY: Colour = "#5F656B";
pub const GRID: Colour = "#E4E7EB";
/// Limits.
pub const RED: Colour = "#AA1E3C";

// Okabe and Ito's palette for all kinds of colour vision, without its yellow, which fades on white.
pub const BLUE: Colour = "#0072B2";
pub const VERMILLION: Colour = "#D55E00";
/// Sky blue of the palette.
pub const SKY: Colour = "#56B4E9";
/// Colours that tell series apart, in this order; series beyond the seventh start over.
pub const PALETTE: [Colour; 7] = [BLUE, VERMILLION, "#009E73", "#CC79A7", "#E69F00", SKY, "#000000"];
