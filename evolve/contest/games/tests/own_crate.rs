//! Tests the export of a game in a custom crate, beside `policy`.

use evolve_bundle::Entry;
use evolve_bundle::include_dir::{Dir, DirEntry, File};
use evolve_games_testing::{assert_answers, build};
use std::time::Duration;
use tempfile::TempDir;

/// The sources of the crate: the code that plays, and the code that tunes, which the program omits.
static SOURCES: Dir<'_> = Dir::new(
    "",
    &[
        DirEntry::File(File::new("main.rs", b"mod echo;\nuse evolve::Game;\n")),
        DirEntry::File(File::new("echo/mod.rs", b"pub mod dialogue;\npub mod weights;\n")),
        DirEntry::File(File::new(
            "echo/weights.rs",
            b"policy::weights! {\n    /// Mine.\n    pub struct Weights {\n        a: \"b\", 0.0..=1.0, 1.0, 0.5;\n    }\n}\n",
        )),
        DirEntry::File(File::new(
            "echo/dialogue.rs",
            b"use crate::echo::weights::Weights;
use policy::clock::Clock;
use policy::words::Words;
use std::io::{BufRead, Write};

/// Says the first word and a weight.
pub fn play(input: impl BufRead, mut output: impl Write, _: &Clock, weights: Weights) -> Result<(), String> {
    let word = Words::new(input).next()?;
    writeln!(output, \"{word:?} {}\", weights.a).map_err(|error| error.to_string())
}
",
        )),
    ],
);

#[test]
fn it_compiles_and_plays() {
    let entry = Entry {
        title: "echo",
        about: Vec::new(),
        sources: &SOURCES,
        module: "echo",
        player: "echo::weights::Weights { a: 0.25 }",
        items: String::new(),
        time_limit: Some(Duration::from_secs(2)),
    };
    let folder = TempDir::new().unwrap();
    let program = build(&entry.program().unwrap().source, &folder);
    assert_answers(&program, &[("hello\n", 0, "")]);
}
