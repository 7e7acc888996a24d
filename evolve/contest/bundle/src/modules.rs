//! Combines the files of modules into one text: each file is a block at its declaration, without
//! its tests.

use evolve_contest::export::ExportError;
use include_dir::{Dir, include_dir};

/// The sources of the crate `policy`.
pub static POLICY: Dir<'_> = include_dir!("$POLICY_SOURCES");

/// A module that no program needs: random games for benchmarks.
const LEFT_OUT: &str = "playout";
/// The start of a file's tests; nothing else may follow them.
const TESTS: &str = "#[cfg(test)]";

/// A line of a program.
pub struct Line {
    /// The depth of indentation.
    depth: usize,
    text: String,
}

/// How much of the text apart from code is kept.
#[derive(Clone, Copy, Debug)]
pub enum Style {
    /// Everything.
    Whole,
    /// No comments on separate lines.
    Uncommented,
    /// No comments on separate lines, and no indentation.
    Bare,
}

/// Returns the lines of a module and all modules inside it. `files` is the root of the crate.
///
/// # Errors
/// If a file is missing, or a literal spans several lines other than by a `\`: indentation would
/// change it.
pub fn module(files: &Dir<'_>, name: &str) -> Result<Vec<Line>, ExportError> {
    let mut lines = vec![Line { depth: 0, text: String::new() }];
    inline(files, &format!("pub mod {name};"), "", 0, &mut lines)?;
    Ok(lines)
}

fn inline(files: &Dir<'_>, text: &str, folder: &str, depth: usize, lines: &mut Vec<Line>) -> Result<(), ExportError> {
    let mut is_literal = false;
    for line in text.lines().take_while(|line| *line != TESTS) {
        let code = line.trim_start_matches(' ');
        let depth = depth + (line.len() - code.len()) / 4;
        let Some(name) = declared(code) else {
            is_literal ^= !code.starts_with("//") && ends_in_literal(code);
            if is_literal && !code.ends_with('\\') {
                return Err(ExportError::Source(format!(
                    "{folder}: an exported program cannot have a literal that spans several lines: `{code}`"
                )));
            }
            lines.push(Line { depth, text: code.to_string() });
            continue;
        };
        if name == LEFT_OUT {
            continue;
        }
        let path = format!("{folder}{name}");
        let file = [format!("{path}.rs"), format!("{path}/mod.rs")].iter().find_map(|path| files.get_file(path));
        let missing = |why| ExportError::Source(format!("the source of the module `{path}` {why}"));
        let file = file.ok_or_else(|| missing("is missing"))?;
        let inner = file.contents_utf8().ok_or_else(|| missing("is not UTF-8"))?;
        lines.push(Line { depth, text: code.replace(';', " {") });
        inline(files, inner, &format!("{path}/"), depth + 1, lines)?;
        lines.push(Line { depth, text: "}".to_string() });
    }
    Ok(())
}

/// Returns the name of the module that a line declares, if it has a separate file.
fn declared(line: &str) -> Option<&str> {
    let (before, name) = line.strip_suffix(';')?.split_once("mod ")?;
    (before.is_empty() || before.starts_with("pub")).then_some(name)
}

/// Returns whether a line starts or ends a literal that spans several lines.
fn ends_in_literal(line: &str) -> bool {
    line.replace("\\\\", "").replace("\\\"", "").replace("'\"'", "").matches('"').count() % 2 == 1
}

/// Formats the lines as a text, indented by tabs.
pub fn written(lines: &[Line], style: Style) -> String {
    let mut text = String::new();
    for Line { depth, text: line } in lines {
        let is_doubled = line.is_empty() && (text.ends_with("\n\n") || text.ends_with("{\n"));
        if is_doubled || (line.starts_with("//") && !matches!(style, Style::Whole)) {
            continue;
        }
        let depth = if line.is_empty() || matches!(style, Style::Bare) { 0 } else { *depth };
        text += &format!("{}{line}\n", "\t".repeat(depth));
    }
    text
}
