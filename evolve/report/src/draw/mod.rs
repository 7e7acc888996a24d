//! Charts as SVG: axes with round ticks, lines, bands, points with intervals, and legends.
//!
//! The same input gives the same bytes on every machine. The viewer chooses the fonts, so the
//! widths of texts are estimated.

mod axis;
mod chart;
mod colour;
mod figure;
mod svg;
mod text;

pub use axis::{Axis, column_decimals, plus_minus};
pub use chart::{Area, Chart, Interval, Mark, Series, axis_of};
pub use colour::{BLUE, Colour, GREEN, GREY, GRID, INK, OCHRE, PALETTE, PURPLE, RED, SKY, VERMILLION, declarations};
pub use figure::{MARGIN, figure};
pub use svg::{Anchor, Point, Svg};
pub use text::{Font, fit, width};
