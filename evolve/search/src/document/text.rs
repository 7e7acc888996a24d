//! Names, and values formatted as TOML that parses back to the same values and is safe to print.

use serde::Serialize;
use serde_json::{Map, Value};

/// The width in characters beyond which a list of strings is written with one element on each line.
const WIDTH: usize = 100;

/// Returns whether a character controls a terminal or the direction of text. Line ends do.
pub fn has_power(letter: char) -> bool {
    let turns =
        matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || turns || matches!(letter, '\u{2028}' | '\u{2029}')
}

/// The largest number of characters of a text on one line.
const LONGEST: usize = 400;

/// Returns a text, such as one of a comment, as one line of bounded length without control
/// characters.
pub fn one_line(text: &str) -> String {
    let mut letters = text.split_whitespace().flat_map(|word| [" ", word]).skip(1).flat_map(str::chars);
    let mut line = String::new();
    for letter in letters.by_ref().take(LONGEST) {
        match has_power(letter) {
            true => line.extend(letter.escape_unicode()),
            false => line.push(letter),
        }
    }
    if letters.next().is_some() {
        line += "..";
    }
    line
}

/// Formats a text as TOML and escapes control characters.
pub fn toml_string(text: &str) -> String {
    let written = toml::Value::String(text.to_string()).to_string();
    if !written.contains(|letter| has_power(letter) && !"\n\t".contains(letter)) {
        return written;
    }
    escaped(text)
}

/// Formats a text as a TOML string on one line.
fn escaped(text: &str) -> String {
    let escape = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        _ if has_power(letter) => format!("\\u{:04X}", u32::from(letter)),
        _ => letter.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// Formats a key as TOML, without quotes where possible.
pub fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    // A key has no form of several lines.
    if is_bare { name.to_string() } else { escaped(name) }
}

/// Returns the name that was probably meant, if one is similar enough.
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // Longer than any name. The limit bounds the time of the comparison, which grows with both
    // lengths.
    const LONGEST: usize = 100;
    let short: String = name.chars().take(LONGEST).collect();
    let near = names.into_iter().map(|other| (strsim::jaro_winkler(&short, other), other));
    let best = near.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.8).then_some(best.1)
}

/// Returns the question after a message about an unknown name; empty if no name is similar enough.
pub fn suggestion<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(name, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// Returns the text with its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns the offset at which the line of an offset begins.
pub fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Returns the entries of a table as it is written to files, where a missing value has no entry.
///
/// # Panics
/// If the value is not a table.
pub fn table(value: &impl Serialize) -> Map<String, Value> {
    let mut value = serde_json::to_value(value).expect("a table");
    drop_missing(&mut value);
    match value {
        Value::Object(table) => table,
        other => panic!("not a table: {other}"),
    }
}

fn drop_missing(value: &mut Value) {
    match value {
        Value::Object(table) => {
            table.values_mut().for_each(drop_missing);
            table.retain(|_, value| !value.is_null());
        }
        Value::Array(items) => items.iter_mut().for_each(drop_missing),
        _ => {}
    }
}

/// Formats a value for people, a text without quotes.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

/// Formats a value as TOML on one line.
///
/// # Panics
/// If the value is null, which TOML does not have.
pub fn inline(value: &Value) -> String {
    match value {
        Value::Null => panic!("TOML has no null"),
        Value::String(text) => toml_string(text),
        Value::Number(number) if number.is_f64() => format!("{:?}", number.as_f64().unwrap_or_default()),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(table) => {
            let entries = table.iter().filter(|(_, value)| !value.is_null());
            let entries = entries.map(|(name, value)| format!("{} = {}", key(name), inline(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Formats a file as TOML. Tables become sections; `null` is omitted.
pub fn to_toml(file: &Map<String, Value>) -> String {
    let mut text = String::new();
    let (sections, top): (Map<_, _>, Map<_, _>) =
        file.iter().map(|(name, value)| (name.clone(), value.clone())).partition(|(_, value)| value.is_object());
    write_entries(&mut text, &top);
    for (name, section) in &sections {
        let gap = if text.is_empty() { "" } else { "\n" };
        text += &format!("{gap}[{name}]\n");
        write_entries(&mut text, section.as_object().expect("a section is a table"));
    }
    text
}

/// Formats the entries of a table, whose numbers may be infinite.
///
/// # Panics
/// If the value is not a table of TOML.
pub fn entries(table: &impl Serialize) -> String {
    let table = toml::Table::try_from(table).expect("a table");
    let entry = |(name, value): (&String, &toml::Value)| match value {
        toml::Value::Float(number) => format!("{} = {number:?}\n", key(name)),
        value => format!("{} = {value}\n", key(name)),
    };
    table.iter().map(entry).collect()
}

fn write_entries(text: &mut String, entries: &Map<String, Value>) {
    let written = entries.iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| entry(name, value));
    text.extend(written);
}

/// Formats a key and its value as a line of TOML, or as several lines if it is a long list of
/// strings.
///
/// # Panics
/// If the value is null, which TOML does not have.
pub fn entry(name: &str, value: &Value) -> String {
    let written = inline(value);
    match value {
        Value::Array(items) if written.len() > WIDTH && items.iter().all(Value::is_string) => {
            let lines: String = items.iter().map(|item| format!("    {},\n", inline(item))).collect();
            format!("{} = [\n{lines}]\n", key(name))
        }
        _ => format!("{} = {written}\n", key(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_text_becomes_one_line() {
        assert_eq!(one_line(" a\r\nb =\t1 \u{85}\u{2028} \u{1b}[2J\n"), "a b = 1 \\u{1b}[2J");
        assert_eq!(one_line(&"é".repeat(1000)), format!("{}..", "é".repeat(LONGEST)));
        assert_eq!(one_line(" \n"), "");
    }

    #[test]
    fn written_values_are_read_back() {
        let long: Vec<String> = (0..20).map(|i| format!("name_{i}")).collect();
        let entries = json!({
            "plain": 1, "0.5": 0.5, "größe": [1e-6, 1e300, -0.0, 7], "a.b": { "c d": true, "\\'\n\"": 2, "e": "\u{202e}\u{7}\"" },
            "none": null, "empty": "", "": [], "long": long,
        });
        let file = json!({ "of": entries, "first": 1 });
        let text = to_toml(file.as_object().unwrap());
        assert!(text.starts_with("first = 1\n\n[of]\nplain = 1\n"), "{text}");
        assert!(!text.contains('\u{202e}') && text.contains("\n    \"name_19\",\n]\n"), "{text}");
        let mut read: Value = toml::from_str(&text).unwrap();
        read["of"]["none"] = Value::Null;
        assert_eq!(read["of"], entries);
    }
}
