//! The program's own part: constants, and the comment at its top.

use evolve_core::model::export::ExportError;
use policy::weights::Weight;
use std::fmt::Write;
use std::time::Duration;

/// The most that a program keeps of its time limit in reserve: judges count the start of the process, their own pipes
/// and a loaded machine as well, and the last search of a move runs on a little after its time is up.
const RESERVE: Duration = Duration::from_secs(1);
/// Least reserve, if that is at most a quarter of the limit.
const LEAST_RESERVE: Duration = Duration::from_millis(50);

/// The constant `TIME` of a program: the time that a game may take by its own clock.
pub(super) fn time(limit: Option<Duration>) -> String {
    match limit {
        Some(limit) => {
            let planned = limit - (limit / 8).max(LEAST_RESERVE.min(limit / 4)).min(RESERVE);
            format!(
                "/// Time limit of a game on the player's own clock; the judge allows {}.\n\
                 const TIME: Option<Duration> = Some(Duration::from_micros({}));\n",
                humantime::format_duration(limit),
                planned.as_micros()
            )
        }
        None => "/// No time limit.\nconst TIME: Option<Duration> = None;\n".to_string(),
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
) -> Result<String, ExportError> {
    if let Some((weight, value)) = declared.iter().zip(values).find(|(_, value)| !value.is_finite()) {
        let message = format!("the weight `{}` is {value}, which is not a finite number", weight.name);
        return Err(ExportError::Policies(message));
    }
    let mut fields = String::new();
    for ((weight, value), default) in declared.iter().zip(values).zip(default) {
        if value.to_bits() != default.to_bits() {
            // Of all decimal numbers that are read as this very value it is the shortest.
            writeln!(fields, "{indent}\t{}: {value:?},", weight.name).expect("writing to a string does not fail");
        }
    }
    if fields.is_empty() {
        return Ok(format!("{of}::{named}"));
    }
    Ok(format!("{of} {{\n{fields}{indent}\t..{of}::{named}\n{indent}}}"))
}

/// The comment at the top of a program. No text of a line can leave it.
pub(super) fn header(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let is_plain =
            |letter: &char| !letter.is_control() && !"\u{2028}\u{2029}".contains(*letter) && !is_bidi(*letter);
        let line: String = line.chars().map(|letter| if is_plain(&letter) { letter } else { ' ' }).collect();
        text.push_str(format!("//! {line}").trim_end());
        text.push('\n');
    }
    text
}

/// Whether a letter changes the direction of text: compilers turn it down in comments.
fn is_bidi(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
