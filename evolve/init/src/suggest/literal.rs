//! Literals of numbers and switches in a source, and the ranges to propose for them.

use evolve_search::model::parameter::{Kind, Parameter};

/// A regular expression for a number or a switch; excludes numbers in other bases than ten.
pub const LITERAL: &str =
    r"(?:[-+]?(?:[0-9][0-9_']*\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?[fFlLuU]{0,3}|[Tt]rue|[Ff]alse)";

/// Returns the parameter for a literal, with a proposed range; `None` if the literal cannot be
/// tuned.
pub fn around(name: &str, literal: &str, is_whole: Option<bool>) -> Option<Parameter> {
    if literal.eq_ignore_ascii_case("true") || literal.eq_ignore_ascii_case("false") {
        return Some(Parameter::switch(name, literal.eq_ignore_ascii_case("true")));
    }
    let digits: String = literal.trim_end_matches(['f', 'F', 'l', 'L', 'u', 'U']).replace(['_', '\''], "");
    let plain = digits.trim_start_matches(['-', '+']);
    if plain.len() > 1 && plain.starts_with('0') && plain.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value: f64 = digits.parse().ok().filter(|value: &f64| value.abs() <= 1e12)?;
    let is_whole = is_whole.unwrap_or(!(literal.contains(['.', 'e', 'E', 'f', 'F'])));
    Some(match is_whole && value.fract() == 0.0 {
        true => whole(name, value as i64),
        false => float(name, value),
    })
}

fn is_percentage(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("percent") || name.split('_').any(|word| word == "pct")
}

/// Proposes a tenth to ten times the value on a logarithmic scale, if that makes sense.
fn whole(name: &str, value: i64) -> Parameter {
    match value {
        0..=100 if is_percentage(name) => Parameter::int(name, 0, 100, value),
        ..0 => Parameter::int(name, 2 * value, 0, value),
        0 => Parameter::int(name, 0, 10, 0),
        1..10 => Parameter::int(name, 1, (4 * value).max(10), value),
        10.. => Parameter::int(name, value / 10, 10 * value, value).log(),
    }
}

fn float(name: &str, value: f64) -> Parameter {
    let rounded = |value: f64| format!("{value:.5e}").parse().expect("a number");
    match value {
        ..0.0 => Parameter::float(name, rounded(2.0 * value), 0.0, value),
        0.0..=100.0 if is_percentage(name) => Parameter::float(name, 0.0, 100.0, value),
        0.0 => Parameter::float(name, -1.0, 1.0, 0.0),
        // Most numbers below 1 are shares.
        0.1..1.0 => Parameter::float(name, rounded(value / 10.0), 1.0, value).log(),
        _ => Parameter::float(name, rounded(value / 10.0), rounded(10.0 * value), value).log(),
    }
}

/// Returns the text of a marker after `evolve:`.
pub fn marker(parameter: &Parameter) -> String {
    let log = |log: bool| if log { " log" } else { "" };
    match parameter.kind {
        Kind::Int { min, max, log: l } => format!("evolve: [{min}, {max}]{}", log(l)),
        Kind::Float { min, max, log: l } => format!("evolve: [{min:?}, {max:?}]{}", log(l)),
        _ => "evolve: bool".to_string(),
    }
}
