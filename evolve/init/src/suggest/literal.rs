//! Literals of numbers and switches in a source, and the ranges to propose for them.

use evolve_program::source::Language;
use evolve_search::model::parameter::{Kind, Parameter};
use std::ops::RangeInclusive;

/// A regular expression for a number or a switch; excludes numbers in other bases than ten.
pub const LITERAL: &str =
    r"(?:[-+]?(?:[0-9][0-9_']*\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?[fFlLuU]{0,3}|[Tt]rue|[Ff]alse)";

/// The numbers that a type holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numbers {
    Floats,
    Whole(RangeInclusive<i64>),
}

impl Numbers {
    /// All whole numbers.
    pub const WHOLE: Numbers = Numbers::Whole(i64::MIN..=i64::MAX);

    /// Returns the numbers that the type in a declaration holds; `None` for an unknown type.
    pub fn of(declaration: &str, language: Language) -> Option<Numbers> {
        let words = || declaration.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        if words().any(|word| is_float(word, language)) {
            return Some(Numbers::Floats);
        }
        // `unsigned`, `long` and others may have an `int` beside them, which says less than they
        // do.
        let mut types: Vec<(bool, u32)> = words().filter_map(|word| whole_type(word, language)).collect();
        types.sort_by_key(|&(_, bits)| bits == 32);
        let &(_, bits) = types.first()?;
        let is_unsigned = types.iter().any(|&(is_unsigned, _)| is_unsigned);
        let largest = i64::MAX >> (64 - bits.min(64) - u32::from(is_unsigned && bits < 64));
        Some(Numbers::Whole(if is_unsigned { 0 } else { -1 - largest }..=largest))
    }

    pub fn are_whole(&self) -> bool {
        matches!(self, Numbers::Whole(_))
    }

    /// Limits the range of a parameter to these numbers; `None` if its start is none of them.
    pub fn limit(&self, parameter: Parameter) -> Option<Parameter> {
        let (Numbers::Whole(own), Kind::Int { min, max, log }) = (self, &parameter.kind) else {
            return Some(parameter);
        };
        let (min, max) = ((*min).max(*own.start()), (*max).min(*own.end()));
        if !(min..=max).contains(&(parameter.start as i64)) {
            return None;
        }
        let limited = Parameter::int(parameter.name, min, max, parameter.start as i64);
        Some(if *log { limited.log() } else { limited })
    }
}

fn is_float(word: &str, language: Language) -> bool {
    let is_one = |word: &str| ["double", "float", "ld", "f64", "f32", "float64", "float32"].contains(&word);
    // Kotlin and Swift have `Double`.
    is_one(word) || matches!(language, Language::Slashes) && is_one(&word.to_ascii_lowercase())
}

/// Returns whether a type of whole numbers is unsigned, and its bits.
fn whole_type(word: &str, language: Language) -> Option<(bool, u32)> {
    let is_of_c = matches!(language, Language::C | Language::Cpp);
    let lower = word.to_ascii_lowercase();
    // Kotlin and Swift have `Int`.
    let word = match word {
        // Go, C# and D have an unsigned `byte`.
        "Byte" => "sbyte",
        _ if language == Language::Slashes => &lower,
        _ => word,
    };
    Some(match word {
        "unsigned" | "uint" => (true, 32),
        "signed" | "int" => (false, 32),
        "char" if is_of_c => (false, 8),
        "char" if language != Language::Rust => (true, 16),
        "byte" if language == Language::Slashes => (true, 8),
        "byte" | "sbyte" => (false, 8),
        "ubyte" => (true, 8),
        "short" => (false, 16),
        "ushort" => (true, 16),
        "long" | "ll" | "lint" | "isize" => (false, 64),
        "ulong" | "ull" | "size_t" | "usize" => (true, 64),
        _ => {
            let word = word.strip_suffix("_t").unwrap_or(word);
            let (is_unsigned, word) = word.strip_prefix('u').map_or((false, word), |rest| (true, rest));
            let bits = word.strip_prefix("int").or(word.strip_prefix('i')).or(is_unsigned.then_some(word))?;
            let bits: u32 = bits.parse().ok()?;
            [8, 16, 32, 64, 128].contains(&bits).then_some((is_unsigned, bits))?
        }
    })
}

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
