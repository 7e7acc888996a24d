//! Values written for other programs: as arguments, as data or as source code.

use crate::command::{ARGS, shell_line};
use crate::parameters::json;
use crate::program::Program;
use crate::template::{Shown, Template};
use evolve_core::text::has_power;
use serde_json::Value;

/// A way to write values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `--k 12 --temp 13.9`, as the command has them.
    Args,
    /// A JSON object.
    Json,
    /// Constants of C and C++.
    C,
    /// Constants of Rust.
    Rust,
    /// Assignments of Python.
    Python,
}

impl Format {
    /// All formats, each with its name and what it is for a person.
    pub const ALL: [(Format, &'static str, &'static str); 5] = [
        (Format::Args, "args", "As arguments, by the command's own template"),
        (Format::Json, "json", "As JSON"),
        (Format::C, "c", "As constants of C or C++"),
        (Format::Rust, "rust", "As constants of Rust"),
        (Format::Python, "python", "As assignments of Python"),
    ];

    /// The format of that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|&(_, other, _)| other == name).map(|(format, ..)| format)
    }
}

impl Program {
    /// Values of all parameters, in the order of their declaration, in a format; it ends with a line end.
    pub fn format(&self, format: Format, values: &[f64]) -> String {
        let parameters = &self.declared.parameters;
        let lines = |line: &dyn Fn(&str, &Shown) -> String| -> String {
            parameters.items(values).iter().map(|(name, shown)| line(name, shown) + "\n").collect()
        };
        match format {
            Format::Args => shell_line(self.arguments(values).iter().map(String::as_str)) + "\n",
            Format::Json => format!("{}\n", escaped(&format!("{:#}", Value::Object(parameters.json(values))))),
            Format::C => lines(&|name, shown| {
                let (kind, count) = (c_type(first(shown)), count(shown));
                let dimension = count.map(|count| format!("[{count}]")).unwrap_or_default();
                format!("const {kind}{}{dimension} = {};", identifier(name), literal(shown, ("{", "}"), c_text))
            }),
            Format::Rust => lines(&|name, shown| {
                let (kind, name) = (rust_type(first(shown)), identifier(name).to_uppercase());
                let kind = count(shown).map_or(kind.to_string(), |count| format!("[{kind}; {count}]"));
                format!("pub const {name}: {kind} = {};", literal(shown, ("[", "]"), |text| format!("{text:?}")))
            }),
            Format::Python => lines(&|name, shown| format!("{} = {}", identifier(name), python(shown))),
        }
    }

    /// The words of the command that have parameters in them, each with the flag before it. A command without any gives
    /// all as `--name value`.
    pub fn arguments(&self, values: &[f64]) -> Vec<String> {
        let parameters = &self.declared.parameters;
        let value = |name: &str| parameters.shown(name, values);
        let is_own = |template: &Template| {
            let mut own = template.placeholders().map(|placeholder| placeholder.name.as_str());
            own.any(|name| name == ARGS || value(name).is_some())
        };
        let others =
            |template: &Template| template.placeholders().any(|placeholder| value(&placeholder.name).is_none());
        let templates = self.declared.command.templates();
        let mut words = Vec::new();
        for (i, template) in templates.iter().enumerate().filter(|(_, template)| is_own(template)) {
            if template.sole().is_some_and(|sole| sole.name == ARGS) {
                words.extend(parameters.args(values));
                continue;
            }
            let flag = i.checked_sub(1).and_then(|before| templates[before].literal());
            let is_value = template.sole().is_some() && !others(template);
            words.extend(flag.filter(|flag| is_value && flag.starts_with('-')).map(String::from));
            words.extend(Some(template.render(&value)).filter(|word| !word.is_empty()));
        }
        if words.is_empty() { parameters.args(values) } else { words }
    }
}

fn first(shown: &Shown) -> &Shown {
    match shown {
        Shown::List(elements, _) => &elements[0],
        _ => shown,
    }
}

fn count(shown: &Shown) -> Option<usize> {
    match shown {
        Shown::List(elements, _) => Some(elements.len()),
        _ => None,
    }
}

fn c_type(shown: &Shown) -> &'static str {
    match shown {
        // Larger than an `int` of 32 bits.
        Shown::Int(value) if i32::try_from(*value).is_err() => "long long ",
        Shown::Int(_) => "int ",
        Shown::Float(_) => "double ",
        Shown::Switch(_) => "bool ",
        _ => "char *const ",
    }
}

fn rust_type(shown: &Shown) -> &'static str {
    match shown {
        Shown::Int(_) => "i64",
        Shown::Float(_) => "f64",
        Shown::Switch(_) => "bool",
        _ => "&str",
    }
}

/// A value in C and in Rust.
fn literal(shown: &Shown, (open, close): (&str, &str), text: fn(&str) -> String) -> String {
    match shown {
        Shown::List(elements, _) => {
            let elements: Vec<_> = elements.iter().map(|element| literal(element, (open, close), text)).collect();
            format!("{open}{}{close}", elements.join(", "))
        }
        Shown::Text(own) | Shown::Choice(own, _) => text(own),
        other => json(other).to_string(),
    }
}

/// A text in C. The escapes that it has for all letters are of bytes, with three digits.
fn c_text(text: &str) -> String {
    let octal = |letter: char| letter.to_string().bytes().map(|byte| format!("\\{byte:03o}")).collect::<String>();
    let escape = |letter: char| match letter {
        '"' | '\\' | '?' => format!("\\{letter}"),
        _ if has_power(letter) => octal(letter),
        _ => letter.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// JSON in which letters that have power over a terminal are escaped; those that it may have itself are line ends.
fn escaped(json: &str) -> String {
    let escape = |letter: char| match letter {
        _ if letter != '\n' && has_power(letter) => format!("\\u{:04x}", u32::from(letter)),
        _ => letter.to_string(),
    };
    json.chars().map(escape).collect()
}

fn python(shown: &Shown) -> String {
    match shown {
        Shown::Switch(on) => if *on { "True" } else { "False" }.to_string(),
        Shown::List(elements, _) => format!("[{}]", elements.iter().map(python).collect::<Vec<_>>().join(", ")),
        other => escaped(&json(other).to_string()),
    }
}

/// A name as one of a programming language.
fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_gets_out_of_its_literal() {
        let hostile = "a\"; evil(); //\\\n\u{1b}[2J\u{9b}\u{202e}??/";
        assert_eq!(c_text(hostile), r#""a\"; evil(); //\\\012\033[2J\302\233\342\200\256\?\?/""#);
        let python = python(&Shown::Choice(hostile.to_string(), 0));
        assert_eq!(python, r#""a\"; evil(); //\\\n\u001b[2J\u009b\u202e??/""#);
        assert_eq!(serde_json::from_str::<String>(&python).unwrap(), hostile);
        let rust = literal(&Shown::Choice(hostile.to_string(), 0), ("[", "]"), |text| format!("{text:?}"));
        assert_eq!(rust, r#""a\"; evil(); //\\\n\u{1b}[2J\u{9b}\u{202e}??/""#);
    }
}
