//! The appearance of texts, and their estimated widths.

use super::Colour;

/// The font families of an SVG, which have the same widths.
pub const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// The appearance of a text.
#[derive(Clone, Copy, Debug)]
pub struct Font {
    /// The height of the font, the em, in pixels.
    pub em: f64,
    pub colour: Colour,
    pub is_bold: bool,
}

impl Font {
    pub const fn plain(em: f64, colour: Colour) -> Self {
        Font { em, colour, is_bold: false }
    }

    pub const fn bold(em: f64, colour: Colour) -> Self {
        Font { em, colour, is_bold: true }
    }
}

/// Estimates the width of a text in pixels. Fonts differ, so the estimate is rather too large.
pub fn width(text: &str, font: Font) -> f64 {
    let letter = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | '|' | '\'' | '.' | ',' | ':' | ';' | '!' | ' ' => 0.34,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' => 0.42,
        'm' | 'M' | 'w' | 'W' | '@' | '%' | '…' | '±' | '−' | '+' => 0.93,
        'A'..='Z' => 0.71,
        '\u{1100}'.. => 1.1,
        _ => 0.63,
    };
    let weight = if font.is_bold { 1.12 } else { 1.0 };
    text.chars().map(letter).sum::<f64>() * font.em * weight
}

/// The largest number of characters in a text; no figure has room for more.
const LETTERS: usize = 200;

/// Shortens a text in the middle to fit `room`, because both ends of a name distinguish it from its
/// neighbours.
pub fn fit(text: &str, font: Font, room: f64) -> String {
    let length = text.chars().count();
    if length <= LETTERS && width(text, font) <= room {
        return text.to_string();
    }
    let ends = |kept: usize| {
        let head = text.chars().take(kept.div_ceil(2)).chain(['…']);
        head.chain(text.chars().skip(length - kept / 2)).collect::<String>()
    };
    let kept = (1..length.min(LETTERS)).rev().find(|&kept| width(&ends(kept), font) <= room);
    ends(kept.unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_both_ends() {
        let font = Font::plain(10.0, super::super::INK);
        assert_eq!(fit("short", font, 100.0), "short");
        assert_eq!(fit("own_fours", font, 40.0), "ow…rs");
        assert_eq!(fit("own_fours", font, 1.0), "o…");
        assert_eq!(fit("", font, 0.0), "");
        let cut = fit(&format!("a{}z", "-".repeat(1_000_000)), font, 300.0);
        assert!(cut.starts_with("a-") && cut.ends_with("-z") && width(&cut, font) <= 300.0, "{cut}");
    }
}
