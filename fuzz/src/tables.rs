//! Tables of runs, with the pages and plots made from them.

use crate::files::{assert_short, parts, scratch};
use arbitrary::{Result, Unstructured};
use evolve_core::job::Catalogue;
use evolve_games::GAMES;
use evolve_program::PROGRAM;
use evolve_report::page::{Input, Page};
use evolve_report::plot::plot_run;
use std::fs;
use std::sync::LazyLock;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(&GAMES).declaring(&PROGRAM));

const CONFIG: &str = include_str!("../../configs/king-rook.toml");
const WEIGHTS: &str = include_str!("../../results/king-rook/recommendation.toml");
const PROGRAM_CONFIG: &str = "name = \"program\"\n[program]\ncommand = \"true {k}\"\nscore = '(?<score>\\d+) (?<moves>\\d+)'\n\
                              [parameters]\nk = { int = [1, 20] }\n[search]\nbudget = 1000\n";

const TABLES: [&str; 5] = ["generations.csv", "validation.csv", "timing.csv", "explain.csv", "trials.csv"];

/// Reads the tables of a game's run.
pub fn page(bytes: Unstructured<'_>) -> Result<bool> {
    read(bytes, &[("config.toml", CONFIG), ("recommendation.toml", WEIGHTS)])
}

/// Reads the tables of a program's run.
pub fn trials(bytes: Unstructured<'_>) -> Result<bool> {
    read(bytes, &[("config.toml", PROGRAM_CONFIG)])
}

fn read(bytes: Unstructured<'_>, beside: &[(&str, &str)]) -> Result<bool> {
    let folder = scratch();
    for (name, text) in beside {
        fs::write(folder.path().join(name), text).expect("a file is written");
    }
    let tables: [&[u8]; TABLES.len()] = parts(bytes.take_rest());
    for (name, bytes) in TABLES.iter().zip(tables).filter(|(_, bytes)| !bytes.is_empty()) {
        fs::write(folder.path().join(name), bytes).expect("a file is written");
    }
    if let Err(error) = plot_run(folder.path(), &CATALOGUE) {
        assert_short(&error.to_string());
    }
    match Input::read(folder.path(), &CATALOGUE) {
        Err(error) => {
            assert_short(&error.to_string());
            Ok(false)
        }
        Ok(input) => {
            let page = Page::new(&[input], None, &GAMES).html();
            assert!(!page.contains(|letter: char| letter.is_control() && letter != '\n'), "controls in a page");
            Ok(true)
        }
    }
}
