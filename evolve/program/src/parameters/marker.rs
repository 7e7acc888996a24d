//! Parameters declared by comments in a source file of any language: `const int K = 5; // evolve: [1, 20]`.
//!
//! A marker is a comment that ends its line and begins with `evolve:`. After it stands what values the parameter takes:
//! `[1, 20]`, `[0.001, 10] log`, `["swap", "2opt"]` or `bool`. The name is the last one before the value, the value the
//! one before the comment. A number without a point and exponent is a whole number.

use super::{LARGEST_INT, Parameters};
use evolve_core::parameter::{Kind, Parameter};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A parameter that a line of source declares.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    pub parameter: Parameter,
    /// Where its value stands in the text, quotation marks included.
    pub place: Range<usize>,
}

/// Code, the beginning of a comment, and what stands behind `evolve:`.
static LINE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(.*?)(?://|#|--|;|%|/\*|\(\*|<!--)[\s;#/!*]*evolve:(.*)$").expect("a regex"));
/// A name and its value at the end of code: `int K = 5;`, `K: 5,`, `#define K 5`, `let k: f64 = 5.0;`. No suffix begins with
/// a letter of `0x`, `0b`, `0o` or an exponent: such numbers are not read for others.
static VALUE: LazyLock<Regex> = LazyLock::new(|| {
    let value = r#"(?<text>"[^"]*"|'[^']*')|(?<number>[-+]?(?:[0-9][0-9_']*\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?<suffix>[ac-df-np-wyzAC-DF-NP-WYZ][A-Za-z0-9_]*)?|(?<word>[Tt]rue|[Ff]alse|TRUE|FALSE)"#;
    let name = r#"(?<name>[A-Za-z_][A-Za-z0-9_]*)["'\])]?(?:\s*:\s*[^=:,;]+)?"#;
    Regex::new(&format!(r"{name}\s*(?:[:=]+|\s)\s*\(?\s*(?:{value})\s*[\s;,)\]}}]*$")).expect("a regex")
});

/// The markers of a text.
///
/// # Errors
/// All lines that are meant as markers and are none, with their numbers and what is wrong.
pub fn find(text: &str) -> Result<Vec<Marker>, Vec<(usize, String)>> {
    let mut markers = Vec::new();
    let mut faults = Vec::new();
    let mut start = 0;
    for (i, line) in text.split_inclusive('\n').enumerate() {
        match read_line(line.trim_end(), start) {
            Some(Ok(marker)) => markers.push(marker),
            Some(Err(message)) => faults.push((i + 1, message)),
            None => {}
        }
        start += line.len();
    }
    if faults.is_empty() { Ok(markers) } else { Err(faults) }
}

/// Adds the parameters that a text declares.
///
/// # Errors
/// As of [`find`], and names that are declared twice.
pub fn read(text: &str, parameters: &mut Parameters) -> Result<(), Vec<(usize, String)>> {
    let mut faults = Vec::new();
    for Marker { parameter, place } in find(text)? {
        let line = text[..place.start].lines().count().max(1);
        faults.extend(parameters.add(parameter).err().map(|message| (line, message)));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn read_line(line: &str, offset: usize) -> Option<Result<Marker, String>> {
    let parts = LINE.captures(line)?;
    let (code, spec) = (&parts[1], parts[2].trim().trim_end_matches(['*', '/', ')', '-', '>']).trim_end());
    let Some(found) = VALUE.captures(code) else {
        return Some(Err("a marker stands behind a name and its value, as in `K = 5; // evolve: [1, 20]`".to_string()));
    };
    let name = &found["name"];
    let value = ["text", "number", "word"].iter().find_map(|group| found.name(group))?;
    let literal = match (found.name("text"), found.name("number")) {
        (Some(text), _) => Literal::Text(text.as_str().trim_matches(['"', '\''])),
        (_, Some(number)) => {
            Literal::Number(number.as_str(), found.name("suffix").map_or("", |suffix| suffix.as_str()))
        }
        _ => Literal::Word(value.as_str()),
    };
    let place = offset + value.start()..offset + value.end();
    let parameter = parameter(name, &literal, spec).map_err(|what| format!("`{name}`: {what}"));
    Some(parameter.map(|parameter| Marker { parameter, place }))
}

enum Literal<'t> {
    Text(&'t str),
    Number(&'t str, &'t str),
    Word(&'t str),
}

fn parameter(name: &str, literal: &Literal<'_>, spec: &str) -> Result<Parameter, String> {
    const FORM: &str = "behind `evolve:` stands `[1, 20]`, `[0.001, 10] log`, `[\"a\", \"b\"]` or `bool`";
    match literal {
        Literal::Word(word) => match spec {
            "bool" | "" => Ok(Parameter::switch(name, word.eq_ignore_ascii_case("true"))),
            _ => Err(format!("its value is a switch; {FORM}")),
        },
        Literal::Number(number, _) if spec == "bool" => match *number {
            "0" | "1" => Ok(Parameter::switch(name, *number == "1")),
            _ => Err("a switch is 0 or 1, true or false".to_string()),
        },
        Literal::Text(start) => {
            let names: Vec<String> = serde_json::from_str(spec).map_err(|_| FORM)?;
            // They are put between the quotation marks of a language that nobody knows here.
            let is_odd = |c: char| c.is_control() || "\"'\\\u{2028}\u{2029}".contains(c);
            if names.iter().any(|name| name.contains(is_odd)) {
                return Err("choices have no quotation marks, backslashes or control characters".to_string());
            }
            let start = names.iter().position(|name| name == start);
            let start = start.ok_or_else(|| "its value is none of the choices".to_string())?;
            Ok(Parameter::choice(name, names, start))
        }
        Literal::Number(number, suffix) => {
            let (range, log) = match spec.strip_suffix("log") {
                Some(range) => (range.trim_end().trim_end_matches(','), true),
                None => (spec, false),
            };
            let ends = range.strip_prefix('[').and_then(|range| range.strip_suffix(']'));
            let (min, max) = ends.and_then(|ends| ends.split_once(',')).ok_or(FORM)?;
            let digits: String = number.chars().filter(|c| !"_'".contains(*c)).collect();
            let float = |text: &str| text.trim().parse().ok().filter(|value: &f64| value.is_finite()).ok_or(FORM);
            let is_float = number.contains(['.', 'e', 'E']) || suffix.starts_with('f');
            let parameter = if is_float {
                Parameter::float(name, float(min)?, float(max)?, float(&digits)?)
            } else {
                let whole = |text: &str| {
                    let number = text.trim().parse().map_err(|_| "it is a whole number, and its range is not")?;
                    match (-LARGEST_INT..=LARGEST_INT).contains(&number) {
                        true => Ok(number),
                        false => Err("whole numbers are within plus or minus 2^53"),
                    }
                };
                Parameter::int(name, whole(min)?, whole(max)?, whole(&digits)?)
            };
            match log && parameter.range().0 <= 0.0 {
                true => Err("the range of a logarithmic parameter must lie above 0".to_string()),
                false => Ok(if log { parameter.log() } else { parameter }),
            }
        }
    }
}

impl Marker {
    /// The text that puts another value in the place of this one, in the way in which it was written.
    pub fn written(&self, old: &str, value: f64) -> String {
        let shown = self.parameter.show(value);
        match &self.parameter.kind {
            Kind::Choice(_) => {
                let quote = old.chars().next().filter(|c| *c == '\'').unwrap_or('"');
                format!("{quote}{shown}{quote}")
            }
            Kind::Switch if old == "0" || old == "1" => u8::from(value != 0.0).to_string(),
            Kind::Switch if old.starts_with('T') || old.starts_with('F') => {
                let upper = shown.to_uppercase();
                if old == old.to_uppercase() { upper } else { upper[..1].to_string() + &shown[1..] }
            }
            _ => shown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_of_many_languages() {
        for (line, parameter, value) in [
            ("const int K = 5; // evolve: [1, 20]", Parameter::int("K", 1, 20, 5), "5"),
            (
                "static constexpr double TEMP=1e1; // evolve: [1e-3, 1e3] log",
                Parameter::float("TEMP", 1e-3, 1e3, 10.0).log(),
                "1e1",
            ),
            ("float x = -2.5f; /* evolve: [-5, 5] */", Parameter::float("x", -5.0, 5.0, -2.5), "-2.5"),
            (
                "long n = 100'000; // evolve: [1, 1000000] log",
                Parameter::int("n", 1, 1_000_000, 100_000).log(),
                "100'000",
            ),
            ("MOVE = '2opt'  # evolve: [\"swap\", \"2opt\"]", Parameter::choice("MOVE", ["swap", "2opt"], 1), "'2opt'"),
            ("GREEDY = False  # evolve: bool", Parameter::switch("GREEDY", false), "False"),
            ("pub const WIDTH: usize = 30; // evolve: [1, 100]", Parameter::int("WIDTH", 1, 100, 30), "30"),
            ("#define K 5 // evolve: [1, 20]", Parameter::int("K", 1, 20, 5), "5"),
            ("  \"k\": 5, // evolve: [1, 20]", Parameter::int("k", 1, 20, 5), "5"),
            ("(defvar k 5) ;; evolve: [1, 20]", Parameter::int("k", 1, 20, 5), "5"),
            ("k :: Int; k = 5 -- evolve: [1, 20]", Parameter::int("k", 1, 20, 5), "5"),
            ("let k: f64 = 5.0; // evolve: [1, 20]", Parameter::float("k", 1.0, 20.0, 5.0), "5.0"),
        ] {
            let found = find(line).unwrap();
            assert_eq!(found.len(), 1, "{line}");
            assert_eq!(found[0].parameter, parameter, "{line}");
            assert_eq!(&line[found[0].place.clone()], value, "{line}");
        }
        assert_eq!(find("int k = 5; // no evolve here\n").unwrap(), []);
    }

    #[test]
    fn wrong_markers_are_told_with_their_lines() {
        let text = "int a = 1; // evolve: [0, 9]\nint b; // evolve: [1, 2]\nint c = 3; // evolve: 3\nint d = 3; // evolve: [0, 9.5]\nint e = 0x10; // evolve: [0, 20]\nint f = 1; // evolve: [0, 9223372036854775807]\n";
        let lines: Vec<_> = find(text).unwrap_err().into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [2, 3, 4, 5, 6]);
        let twice = "int a = 1; // evolve: [0, 9]\nint a = 10; // evolve: [0, 9]\n";
        assert_eq!(read(twice, &mut Parameters::default()).unwrap_err()[0].0, 2);
    }
}
