//! Exported programs: the modules of `policy` that a game needs, inlined into one source file, with the tuned weights
//! as constants. This part knows no game; each game adds its constants and its `main`.

use policy::weights::Weight;
use std::fmt::Write;
use std::time::Duration;

/// A module of `policy` with its source, and those modules inside it that a program needs. Modules that it declares
/// but are not listed here are left out.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// Its name.
    pub name: &'static str,
    /// Its source.
    pub text: &'static str,
    /// The modules inside it.
    pub inside: &'static [Module],
}

/// The source of a module of `policy`, by its path below `src`, as a [`Module`] with nothing inside it.
#[macro_export]
macro_rules! policy_module {
    ($name:literal, $path:literal) => {
        $crate::export::Module {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../policy/src/", $path)),
            inside: &[],
        }
    };
}

/// Time as a budget over a game.
pub const CLOCK: Module = policy_module!("clock", "clock.rs");
/// Types of pieces of the puzzles with stacked tiles.
pub const PIECE: Module = policy_module!("piece", "piece.rs");
/// Random numbers of players that sample.
pub const RANDOM: Module = policy_module!("random", "random.rs");
/// What a weight is.
pub const WEIGHTS: Module = policy_module!("weights", "weights.rs");

/// The words that a judge sends.
pub const WORDS: Module = policy_module!("words", "words.rs");

/// The largest source that contests accept, in bytes.
pub const LARGEST: usize = 100_000;

/// The modules as one source text, nested as they are in `policy`, without their tests. What is inside a module is not
/// indented, because contests count bytes.
pub fn inline(modules: &[Module]) -> String {
    let mut text = String::new();
    for module in modules {
        text.push('\n');
        write_module(&mut text, module);
    }
    text
}

fn write_module(out: &mut String, module: &Module) {
    let mut put = |line: &str| {
        // Not two empty lines in a row, where something was left out.
        if !line.is_empty() || !out.ends_with("\n\n") {
            out.push_str(line);
            out.push('\n');
        }
    };
    put(&format!("pub mod {} {{", module.name));
    let mut lines = module.text.lines();
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" {
            skip_item(&mut lines);
        } else if let Some(name) = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')) {
            if let Some(inside) = module.inside.iter().find(|inside| inside.name == name) {
                let mut text = String::new();
                write_module(&mut text, inside);
                put(&text);
            }
        } else {
            put(line);
        }
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out.push_str("}\n");
}

/// Skips the item after an attribute: up to its closing brace, which rustfmt puts in the first column, or its `;`.
fn skip_item<'a>(lines: &mut impl Iterator<Item = &'a str>) {
    for line in lines {
        if line.ends_with(';') && !line.starts_with(' ') || line == "}" {
            return;
        }
    }
}

/// The most that a program keeps of its time limit in reserve: judges count the start of the process, their own pipes
/// and a loaded machine as well, and the last search of a move runs on a little after its time is up.
const RESERVE: Duration = Duration::from_secs(1);

/// The constant `TIME` of a program: the time that a game may take by its own clock.
pub fn time(limit: Option<Duration>) -> String {
    match limit {
        Some(limit) => {
            let planned = limit - (limit / 4).min(RESERVE);
            format!(
                "\n/// The time that a game may take by the player's own clock, of {} allowed by the judge.\n\
                 const TIME: Option<std::time::Duration> = Some(std::time::Duration::from_micros({}));\n",
                humantime::format_duration(limit),
                planned.as_micros()
            )
        }
        None => "\n/// No time limit.\nconst TIME: Option<std::time::Duration> = None;\n".to_string(),
    }
}

/// A struct literal of weights: those that differ from `default`, and the rest from the constant of that name.
///
/// # Errors
/// If a weight is not finite.
pub fn literal(
    of: &str,
    declared: &[Weight],
    values: &[f64],
    (default, named): (&[f64], &str),
    indent: &str,
) -> Result<String, String> {
    if let Some((weight, value)) = declared.iter().zip(values).find(|(_, value)| !value.is_finite()) {
        return Err(format!("the weight `{}` is {value}, not a finite number", weight.name));
    }
    if values == default {
        return Ok(format!("{of}::{named}"));
    }
    let fields = fields(declared, values, default, &format!("{indent}    "));
    Ok(format!("{of} {{\n{fields}{indent}    ..{of}::{named}\n{indent}}}"))
}

/// The program, indented by tabs because contests count bytes, if they accept its size.
///
/// # Errors
/// If it is larger than [`LARGEST`].
pub fn checked(source: String) -> Result<String, String> {
    let mut tabbed = String::with_capacity(source.len());
    for line in source.lines() {
        let text = line.trim_start_matches("    ");
        tabbed.extend(std::iter::repeat_n('\t', (line.len() - text.len()) / 4));
        tabbed.push_str(text);
        tabbed.push('\n');
    }
    let source = tabbed;
    match source.len() {
        ..=LARGEST => Ok(source),
        length => Err(format!("the program has {length} bytes; contests accept {LARGEST}")),
    }
}

/// The fields of a struct literal of weights that differ from `default`, one a line, each exact.
fn fields(declared: &[Weight], values: &[f64], default: &[f64], indent: &str) -> String {
    let mut text = String::new();
    for ((weight, value), default) in declared.iter().zip(values).zip(default) {
        if value != default {
            writeln!(text, "{indent}{}: {value:?},", weight.name).expect("writing to a string does not fail");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_nest_and_tests_stay_out() {
        const INNER: Module =
            Module { name: "inner", text: "//! Inner.\n\npub fn f() {}\n\n#[cfg(test)]\nmod tests;\n", inside: &[] };
        const OUTER: Module = Module {
            name: "outer",
            text: "//! Outer.\n\npub mod inner;\npub mod other;\n\nuse self::inner::f;\n\n#[cfg(test)]\nmod tests {\n    fn g() {\n    }\n}\n\nfn h() {\n}\n",
            inside: &[INNER],
        };
        let expected = "
pub mod outer {
//! Outer.

pub mod inner {
//! Inner.

pub fn f() {}
}

use self::inner::f;

fn h() {
}
}
";
        assert_eq!(inline(&[OUTER]), expected);
    }
}
