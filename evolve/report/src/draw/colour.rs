//! The colours of pictures and pages.

use serde::{Serialize, Serializer};
use std::fmt;

/// A colour on a light and on a dark ground. Pictures are light; a page refers to it by its name.
#[derive(Clone, Copy, Debug)]
pub struct Colour {
    name: &'static str,
    light: &'static str,
    dark: &'static str,
}

const fn colour(name: &'static str, light: &'static str, dark: &'static str) -> Colour {
    Colour { name, light, dark }
}

/// The colour of titles.
pub const INK: Colour = colour("ink", "#1b1f24", "#e9ebee");
/// The colour of explanations: axis labels, subtitles, reference lines.
pub const GREY: Colour = colour("soft", "#5a626b", "#a0a9b2");
pub const GRID: Colour = colour("line", "#dfe2e6", "#343b42");
/// The colour of limits and failures.
pub const RED: Colour = colour("bad", "#b93a0e", "#ff8a5c");
/// The colours of series, in order; they repeat after the seventh series. Okabe and Ito's palette
/// for all kinds of colour vision, without its yellow, and with the faint ones darker.
pub const PALETTE: [Colour; 7] = [
    colour("s0", "#0072b2", "#58b2ea"),
    colour("s1", "#d55e00", "#ff9147"),
    colour("s2", "#009e73", "#33cfa0"),
    colour("s3", "#b8578c", "#eaa0ca"),
    colour("s4", "#9a7200", "#e5b53c"),
    colour("s5", "#3d93c7", "#8fd0f5"),
    colour("s6", "#6b7280", "#a3abb5"),
];
/// The colours of small to large numbers, which differ in brightness and in hue: orange is worse
/// and blue is better, as elsewhere.
pub const RAMP: [Colour; 5] = [
    colour("r0", "#d98a00", "#f5b342"),
    colour("r1", "#7d9018", "#b4cf4a"),
    colour("r2", "#17897a", "#3fcfb4"),
    colour("r3", "#2f6db5", "#5fa8f5"),
    colour("r4", "#5b2a86", "#a88be0"),
];
pub const BLUE: Colour = PALETTE[0];
pub const VERMILLION: Colour = PALETTE[1];
pub const GREEN: Colour = PALETTE[2];
pub const PURPLE: Colour = PALETTE[3];
pub const OCHRE: Colour = PALETTE[4];
pub const SKY: Colour = PALETTE[5];

/// Returns the declarations of all colours for the style of a page, light and dark.
pub fn declarations() -> [String; 2] {
    let declared = |of: fn(&Colour) -> &'static str| {
        let all = [INK, GREY, GRID, RED].into_iter().chain(PALETTE).chain(RAMP);
        all.map(|colour| format!("--{}: {};", colour.name, of(&colour))).collect::<Vec<_>>().join(" ")
    };
    [declared(|colour| colour.light), declared(|colour| colour.dark)]
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.light)
    }
}

impl Serialize for Colour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("var(--{})", self.name))
    }
}
