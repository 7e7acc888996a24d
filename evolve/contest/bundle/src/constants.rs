//! The program's own part: constants, and the header comment.

use evolve_contest::export::ExportError;
use policy::weights::Weight;
use std::time::Duration;

/// The largest reserve that a program keeps of its time limit: judges also count the start of the
/// process, their own pipes and the load of the machine, and the last search of a move continues a
/// little after its time is up.
const RESERVE: Duration = Duration::from_secs(1);
/// The smallest reserve, unless that is more than a quarter of the limit.
const LEAST_RESERVE: Duration = Duration::from_millis(50);

/// Returns the constant `TIME` of a program: the time for a game by its own clock.
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

/// Returns a struct literal with the weights that differ from `default`; the constant of that name
/// provides the others.
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
            // This is the shortest decimal number that parses to exactly this value.
            fields += &format!("{indent}\t{}: {value:?},\n", weight.name);
        }
    }
    if fields.is_empty() {
        return Ok(format!("{of}::{named}"));
    }
    Ok(format!("{of} {{\n{fields}{indent}\t..{of}::{named}\n{indent}}}"))
}

/// Returns the header comment of a program. No text in a line can end the comment.
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

/// Returns whether a character changes the direction of text, which compilers reject in comments.
fn is_bidi(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
