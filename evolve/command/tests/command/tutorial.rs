//! Runs every command of docs/tutorial.md and compares its output with the page.

use crate::shared::Bench;
use regex::Regex;
use std::fs;
use std::path::Path;

/// A fenced block: the word after the language, and the text.
fn blocks(page: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    page.split("\n```").skip(1).step_by(2).map(|block| {
        let (info, text) = block.split_once('\n').unwrap();
        let (language, name) = info.split_once(' ').unwrap_or((info, ""));
        (language, name, text)
    })
}

/// Output as shown on the page: a line `...` stands for any lines, `[..]` for any text within a
/// line.
fn pattern(shown: &str) -> Regex {
    let lines = shown.lines().map(|line| match line.trim() {
        "..." => "(?:.*\n)*?".to_string(),
        _ => format!("{} *\n", regex::escape(line.trim_end()).replace(r"\[\.\.\]", ".*")),
    });
    Regex::new(&format!("^{}$", lines.collect::<String>())).unwrap()
}

#[test]
fn every_command_prints_what_the_tutorial_shows() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial.md");
    let page = fs::read_to_string(page).unwrap();
    let bench = Bench::empty();
    let mut commands = 0;
    for (language, name, text) in blocks(&page) {
        if !name.is_empty() {
            bench.write(Path::new("tour").join(name), text);
        }
        if language != "console" {
            continue;
        }
        for step in format!("\n{text}").split("\n$ ").skip(1) {
            let (command, shown) = step.split_once('\n').unwrap_or((step, ""));
            let output = bench.shell("tour", &format!("{{ {command}\n}} 2>&1"));
            let printed = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success(), "{command}:\n{printed}");
            assert!(pattern(shown.trim_end()).is_match(&printed), "{command} printed\n{printed}\nand not\n{shown}");
            commands += 1;
        }
    }
    assert!(commands >= 10);
}
