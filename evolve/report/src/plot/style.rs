//! Colours and type: one look for all plots.

use super::PlotError;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, TextStyle, register_font};

/// The families that an SVG asks for. The first is the one whose font is built in, which texts are measured by; Verdana
/// has the same widths, so that a viewer without the first keeps the layout.
const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// The built-in fonts, regular and bold.
pub fn fonts() -> [&'static [u8]; 2] {
    [dejavu::sans::regular(), dejavu::sans::bold()]
}

/// Lets texts be measured; due once before the first drawing.
pub fn register_fonts() -> Result<(), PlotError> {
    let styles = [FontStyle::Normal, FontStyle::Bold];
    for (font, style) in fonts().into_iter().zip(styles) {
        register_font(FAMILY, style, font).map_err(|_| PlotError::Draw("the built-in font is damaged".to_string()))?;
    }
    Ok(())
}

/// Titles.
pub const INK: RGBColor = RGBColor(33, 37, 41);
/// Everything that only explains: axis labels, subtitles, reference lines.
pub const GREY: RGBColor = RGBColor(95, 101, 107);
/// Grid lines.
pub const GRID: RGBColor = RGBColor(228, 231, 235);
/// How much of a band's colour covers what is below.
pub const BAND_OPACITY: f64 = 0.18;

// Okabe and Ito's palette for all kinds of colour vision, without its yellow, which fades on white.
/// Blue of the palette.
pub const BLUE: RGBColor = RGBColor(0, 114, 178);
/// Vermillion of the palette.
pub const VERMILLION: RGBColor = RGBColor(213, 94, 0);
/// What limits.
pub const RED: RGBColor = RGBColor(170, 30, 60);
/// Sky blue of the palette.
pub const SKY: RGBColor = RGBColor(86, 180, 233);
const RUNS: [RGBColor; 7] =
    [BLUE, VERMILLION, RGBColor(0, 158, 115), RGBColor(204, 121, 167), RGBColor(230, 159, 0), SKY, RGBColor(0, 0, 0)];

/// The colour of the run at this place on the command line; they repeat after seven.
pub fn run_colour(run: usize) -> RGBColor {
    RUNS[run % RUNS.len()]
}

/// Text of this height (the em, in pixels).
pub fn text(em: f64, colour: RGBColor) -> TextStyle<'static> {
    styled(em, colour, FontStyle::Normal)
}

/// Bold text of this height (the em, in pixels).
pub fn bold(em: f64, colour: RGBColor) -> TextStyle<'static> {
    styled(em, colour, FontStyle::Bold)
}

fn styled(em: f64, colour: RGBColor, style: FontStyle) -> TextStyle<'static> {
    // The SVG backend divides sizes by this factor.
    let font = FontDesc::new(FontFamily::Name(FAMILY), em * 1.24, style);
    font.color(&colour.to_rgba()).pos(Pos::new(HPos::Left, VPos::Center))
}

/// The same text, ending at its position instead of starting there.
pub fn right_aligned(text: TextStyle<'static>) -> TextStyle<'static> {
    text.pos(Pos::new(HPos::Right, VPos::Center))
}
