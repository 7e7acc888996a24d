//! Exported programs: what a policy needs of the crate `policy`, and of a crate of one's own, in one source file with the
//! tuned weights as constants. This part knows no game; each game adds its constants and makes its player.
//!
//! A parser finds the items of the [`Sources`]; what the program's own text mentions is kept, and what that mentions, and
//! so on. All that is kept stays as it is written, comments and all.

mod code;
mod constants;
mod follow;
mod names;
mod parse;
mod paths;
mod sources;
#[cfg(test)]
mod tests;
mod write;

pub use constants::literal;
pub use include_dir;
pub use sources::Sources;

use code::Code;
use evolve_core::export::{Program, Tuned};
use follow::Kept;
use std::time::Duration;
use write::{Style, write};

/// The largest source that contests accept, in bytes.
pub const LARGEST: usize = 100_000;

/// What a game adds to a program.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The game's title, such as `Gomoku`.
    pub game: &'a str,
    /// What a reader of the source should know of it, a line each: what it was tuned in, the verdict of the run.
    pub about: Vec<String>,
    /// The game's function `play(input, output, clock, player)`.
    pub play: &'a str,
    /// The player, an expression.
    pub player: &'a str,
    /// The items that this expression needs: `use` and constants.
    pub items: String,
    /// The time that the judge gives a game.
    pub time_limit: Option<Duration>,
}

impl Entry<'_> {
    /// The program, made of these crates. Where it is too large for contests, it is indented less, and if that is not
    /// enough, it goes without the comments that document items, which is noted.
    ///
    /// # Errors
    /// If a path leads nowhere, a source is missing or cannot be parsed, or the program is too large even so.
    pub fn program(&self, crates: &[&Sources]) -> Result<Program, String> {
        let code = Code::read(&self.text(), crates)?;
        let kept = Kept::of(&code)?;
        let mut lines = vec![
            format!("A player of {}, exported by evolve {}.", self.game, env!("CARGO_PKG_VERSION")),
            String::new(),
        ];
        lines.extend(self.about.iter().cloned());
        lines.push("Build it with `rustc -O --edition 2021`. Licence: MIT OR Apache-2.0.".to_string());
        let header = format!("{}\n#![allow(dead_code, unused_imports)]\n\n", constants::header(&lines));
        let mut smallest = usize::MAX;
        for (explains, nests) in [(true, true), (true, false), (false, true), (false, false)] {
            let source = format!("{header}{}", write(&code, &kept, Style { nests, explains }));
            if source.len() <= LARGEST {
                let note = "the source goes without the comments that document items: with them it would be too large";
                let notes = if explains { Vec::new() } else { vec![note.to_string()] };
                return Ok(Program { source, notes });
            }
            smallest = smallest.min(source.len());
        }
        Err(format!("the program has {smallest} bytes; contests accept {LARGEST}"))
    }

    /// The program's own text.
    fn text(&self) -> String {
        let Entry { items, play, player, .. } = self;
        let time = constants::time(self.time_limit);
        format!(
            "\
use clock::Clock;
use std::process::ExitCode;
use std::time::{{Duration, Instant}};
{items}
{time}
fn main() -> ExitCode {{
    let start = Instant::now();
    let clock = TIME.map_or(Clock::UNLIMITED, |limit| Clock::start(&start, limit));
    let player = {player};
    match {play}(std::io::stdin().lock(), std::io::stdout().lock(), &clock, player) {{
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {{
            eprintln!(\"error: {{message}}\");
            ExitCode::FAILURE
        }}
    }}
}}
"
        )
    }
}

/// The policy of a program that plays by one alone.
///
/// # Errors
/// If there are more.
pub fn one<'a, 'p>(policies: &'a [Tuned<'p>]) -> Result<&'a Tuned<'p>, String> {
    match policies {
        [policy] => Ok(policy),
        _ => Err(format!("a program of this game takes one policy, not {}", policies.len())),
    }
}
