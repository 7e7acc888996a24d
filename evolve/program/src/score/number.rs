//! Reads a number that a program printed: the only reader, for scores, metrics and answers of
//! workers.
//!
//! A number that is cut short is a wrong score that looks right, so the text after a number must
//! end it, and separators between digits are refused.

use evolve_search::model::trial::{LARGEST, is_usable};
use memchr::memchr;
use regex::Regex;
use serde_json::Value;
use std::ops::Range;
use std::sync::LazyLock;
use thiserror::Error;

/// Why a text does not count as a number. The message continues a quotation of the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Misread {
    /// It does not begin with a number.
    #[error("is not a number")]
    NoNumber,
    /// Its digits are in groups. Holds the number without separators.
    #[error("has separators between its digits: print {0}")]
    Grouped(String),
    /// Something follows the number that does not end it.
    #[error("is not only a number: print a space or a line end after its last digit")]
    Cut,
    /// It is too large to count.
    #[error("is out of range: numbers lie within plus or minus {LARGEST:e}")]
    Large,
}

/// Digits in groups of three, as in `1,234,567`, and what may follow them.
static GROUPS: LazyLock<Regex> = LazyLock::new(|| {
    let separator = r"[ ,_'’.\u{a0}\u{2009}\u{202f}]";
    Regex::new(&format!(r"^([-+]?[1-9][0-9]{{0,2}}(?:{separator}[0-9]{{3}})+(?:\.[0-9]+)?)(?:[^0-9]|$)"))
        .expect("a regex")
});

/// Characters that end a number unless a digit follows them.
const ENDS: &str = ",;:!?()[]{}<>\"'`’”»|*&\\\u{1b}";

/// Reads a text that is a number, apart from spaces around it.
///
/// # Errors
/// Why it is not a number.
pub fn whole(text: &[u8]) -> Result<f64, Misread> {
    let text = &*String::from_utf8_lossy(text);
    let text = text.trim();
    match (text.parse::<f64>(), GROUPS.captures(text)) {
        // Words such as `nan` and `inf` have no digit.
        (Ok(number), _) if text.contains(|c: char| c.is_ascii_digit()) => usable(number),
        (_, Some(groups)) => Err(Misread::Grouped(ungrouped(&groups[1]))),
        _ => Err(leading(text.as_bytes()).err().unwrap_or(Misread::Cut)),
    }
}

/// Reads the number at the beginning of a text. The next character must end it: a space, a line end
/// or a punctuation mark.
///
/// # Errors
/// Why the text begins with none.
pub fn leading(text: &[u8]) -> Result<f64, Misread> {
    let text = &*String::from_utf8_lossy(&text[..memchr(b'\n', text).unwrap_or(text.len())]);
    let length = text.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(text.len());
    let (digits, rest) = text.split_at(length);
    if let Some(groups) = GROUPS.captures(text)
        && groups[1].len() > length
    {
        return Err(Misread::Grouped(ungrouped(&groups[1])));
    }
    // A dot may end a sentence.
    let number = digits.parse::<f64>().or_else(|_| digits.strip_suffix('.').unwrap_or(digits).parse());
    match number {
        Ok(number) if ends(rest) => usable(number),
        Err(_) if GROUPS.is_match(digits) => Err(Misread::Grouped(ungrouped(digits))),
        Err(_) if !digits.contains(|c: char| c.is_ascii_digit()) => Err(Misread::NoNumber),
        _ => Err(Misread::Cut),
    }
}

/// Reads the number at a place of a text, where a pattern found it. Unless the pattern also covers
/// what follows, that must end the number.
///
/// # Errors
/// Why it is not a number.
pub fn within(text: &[u8], place: Range<usize>, is_covered: bool) -> Result<f64, Misread> {
    let number = whole(&text[place.clone()])?;
    match is_covered || leading(text[place.start..].trim_ascii_start())? == number {
        true => Ok(number),
        // The pattern stops inside the number, as `(\d+)` does in `12.5`.
        false => Err(Misread::Cut),
    }
}

/// Reads a number in JSON; `None` for null.
///
/// # Errors
/// Why it is not a number.
pub fn of_json(value: &Value) -> Result<Option<f64>, Misread> {
    match value {
        Value::Null => Ok(None),
        Value::Number(number) => usable(number.as_f64().unwrap_or(f64::INFINITY)).map(Some),
        _ => Err(Misread::NoNumber),
    }
}

fn usable(number: f64) -> Result<f64, Misread> {
    if is_usable(number) { Ok(number) } else { Err(Misread::Large) }
}

/// Returns whether a text after digits ends the number.
fn ends(rest: &str) -> bool {
    let mut next = rest.chars();
    match next.next() {
        None => true,
        Some(c) if c.is_whitespace() => !is_divided(rest),
        Some(c) => ENDS.contains(c) && next.next().is_none_or(|c| !c.is_ascii_digit()),
    }
}

/// Returns whether a number is divided by another one: `17 / 20`.
fn is_divided(rest: &str) -> bool {
    let divisor = rest.trim_start_matches([' ', '\t']).strip_prefix('/');
    divisor.is_some_and(|divisor| divisor.trim_start_matches([' ', '\t']).starts_with(|c: char| c.is_ascii_digit()))
}

/// Removes the separators between groups of digits.
fn ungrouped(text: &str) -> String {
    let groups = text.matches('.').count();
    let is_digit = |c: &char| c.is_ascii_digit() || "+-".contains(*c) || (*c == '.' && groups == 1);
    text.chars().filter(is_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_where_it_stops() {
        for (text, number) in [
            ("12", 12.0),
            ("-12.5 s", -12.5),
            ("+3\r\nmore", 3.0),
            ("1e3, moves: 3", 1e3),
            (".5;", 0.5),
            ("5.", 5.0),
            ("12.5. Done", 12.5),
            ("7)", 7.0),
            ("7\u{1b}[0m", 7.0),
            ("5,moves=3", 5.0),
            ("5 0.5", 5.0),
            ("1.234", 1.234),
            ("12 1000", 12.0),
            ("1234 567", 1234.0),
            ("0 123", 0.0),
            ("7\t234", 7.0),
            ("17 // the best", 17.0),
            ("3</score>", 3.0),
        ] {
            assert_eq!(leading(text.as_bytes()), Ok(number), "{text}");
        }
    }

    #[test]
    fn cut_and_grouped_digits_are_refused() {
        for text in [
            "12k", "17/20", "17 / 20", "12%", "12,5", "0x1F", "1e5x", "12:34", "12ms", "1.2.3", "12.x", "1.#IND", "5-3",
        ] {
            assert_eq!(leading(text.as_bytes()), Err(Misread::Cut), "{text}");
        }
        for text in ["nan", "-inf", "None", "", " ", "x12", "e", "-", "\u{ff11}"] {
            assert_eq!(leading(text.as_bytes()), Err(Misread::NoNumber), "{text}");
            assert_eq!(whole(text.as_bytes()), Err(Misread::NoNumber), "{text}");
        }
        for text in [
            "1,234,567",
            "1_234_567",
            "1 234 567",
            "1'234'567",
            "1’234’567",
            "1.234.567",
            "1\u{a0}234\u{a0}567",
            "1\u{202f}234\u{202f}567",
        ] {
            assert_eq!(leading(text.as_bytes()), Err(Misread::Grouped("1234567".to_string())), "{text}");
            assert_eq!(whole(text.as_bytes()), Err(Misread::Grouped("1234567".to_string())), "{text}");
        }
        assert_eq!(leading(b"-1,234.5 s"), Err(Misread::Grouped("-1234.5".to_string())));
        for text in ["1e999", "-2e150"] {
            assert_eq!(leading(text.as_bytes()), Err(Misread::Large), "{text}");
            assert_eq!(whole(text.as_bytes()), Err(Misread::Large), "{text}");
        }
        assert_eq!(whole(b"12 points"), Err(Misread::Cut));
        assert_eq!(whole(b" 12\r"), Ok(12.0));
    }
}
