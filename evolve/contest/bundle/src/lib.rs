//! Exports a player as one source file: the tuned weights as constants, then the modules of the
//! game and the modules that games share. This crate knows nothing about particular games; each
//! game adds its constants and its player.

mod constants;
mod modules;
#[cfg(test)]
mod tests;

pub use constants::literal;
pub use include_dir;
pub use modules::POLICY;

use evolve_contest::export::{ExportError, ExportedProgram, Tuned};
use include_dir::Dir;
use modules::{Style, module, written};
use std::time::Duration;

/// The largest source that contests accept, in bytes.
pub const LARGEST: usize = 100_000;

/// The modules of `policy` that all games share.
const SHARED: [&str; 5] = ["clock", "piece", "random", "weights", "words"];

/// The part of a program that a game provides.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The game's title, such as `Gomoku`.
    pub title: &'a str,
    /// Notes for readers of the source, one line each: the setup of the run, and its verdict.
    pub about: Vec<String>,
    /// The sources of the crate that contains the game, from [`include_dir!`](mod@include_dir):
    /// [`POLICY`], or another crate's. Players must use only `std` and `policy`, each file must
    /// have its tests at the end, and no literal may span several lines.
    pub sources: &'a Dir<'a>,
    /// The game's module at the root of its crate, with a function `dialogue::play(input, output,
    /// clock, player)`.
    pub module: &'a str,
    /// The player, as an expression.
    pub player: &'a str,
    /// The items that the expression needs: `use` declarations and constants.
    pub items: String,
    /// The judge's time limit for a game.
    pub time_limit: Option<Duration>,
}

impl Entry<'_> {
    /// Builds the program. If it is too large for contests, omits the comments of the modules, with
    /// a note, and then the indentation if necessary.
    ///
    /// # Errors
    /// If a source is missing, or the program is still too large.
    pub fn program(&self) -> Result<ExportedProgram, ExportError> {
        let mut own = self.text();
        let mut modules = module(self.sources, self.module)?;
        let game = written(&modules, Style::Bare);
        for shared in SHARED {
            let is_used = |text: &str| text.contains(&format!("{shared}::"));
            if is_used(&own) || is_used(&game) {
                modules.extend(module(&POLICY, shared)?);
            }
        }
        if game.contains("policy::") {
            own += "\nextern crate self as policy;\n";
        }
        let mut smallest = usize::MAX;
        for style in [Style::Whole, Style::Uncommented, Style::Bare] {
            let source = format!("{own}{}", written(&modules, style));
            if source.len() <= LARGEST {
                let note = "comments in the modules were omitted, because the source would otherwise be too large";
                let notes = if matches!(style, Style::Whole) { Vec::new() } else { vec![note.to_string()] };
                return Ok(ExportedProgram { source, notes });
            }
            smallest = smallest.min(source.len());
        }
        Err(ExportError::TooLarge { bytes: smallest, most: LARGEST })
    }

    /// Returns the program's own text, before its modules.
    fn text(&self) -> String {
        let Entry { title, module, items, player, .. } = self;
        let mut lines =
            vec![format!("A player of {title}, exported by evolve {}.", env!("CARGO_PKG_VERSION")), String::new()];
        lines.extend(self.about.iter().cloned());
        lines.push("Build it with `rustc -O --edition 2021`. Licence: MIT OR Apache-2.0.".to_string());
        let header = constants::header(&lines);
        let time = constants::time(self.time_limit);
        format!(
            "\
{header}
// Each module below is complete, although this player uses only a part of it.
#![allow(dead_code, unused_imports)]

use clock::Clock;
use std::process::ExitCode;
use std::time::{{Duration, Instant}};
{items}
{time}
fn main() -> ExitCode {{
\tlet start = Instant::now();
\tlet clock = TIME.map_or(Clock::UNLIMITED, |limit| Clock::start(&start, limit));
\tlet player = {player};
\tmatch {module}::dialogue::play(std::io::stdin().lock(), std::io::stdout().lock(), &clock, player) {{
\t\tOk(()) => ExitCode::SUCCESS,
\t\tErr(message) => {{
\t\t\teprintln!(\"error: {{message}}\");
\t\t\tExitCode::FAILURE
\t\t}}
\t}}
}}
"
        )
    }
}

/// Returns the policy of a program that plays only one.
///
/// # Errors
/// If `policies` has several.
pub fn one<'a, 'p>(policies: &'a [Tuned<'p>]) -> Result<&'a Tuned<'p>, ExportError> {
    match policies {
        [policy] => Ok(policy),
        _ => {
            let message = format!("a program for this game has one policy, not {}", policies.len());
            Err(ExportError::Policies(message))
        }
    }
}
