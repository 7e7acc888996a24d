//! Formats values for other programs: as arguments, data or source code.

use crate::command::words_of;
use crate::function::{expression, is_long};
use crate::parameters::json;
use crate::program::Program;
use crate::source::Language;
use crate::template::{BuiltIn, Placeholder, Shown, Template, ValueFormat};
use evolve_search::document::text::has_power;
use evolve_search::model::parameter::Kind;
use evolve_search::model::parameter::follow::Function;
use evolve_search::shell::shell_line;
use serde_json::Value;
use std::collections::BTreeMap;
use thiserror::Error;

/// A format of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `--k 12 --temp 13.9`, as in the command.
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
    /// All formats, each with its name and a description.
    pub const ALL: [(Format, &'static str, &'static str); 5] = [
        (
            Format::Args,
            "args",
            "Arguments, in the form of the job's `command`; --NAME VALUE if the command has no parameters",
        ),
        (Format::Json, "json", "JSON object"),
        (Format::C, "c", "Constants in C or C++"),
        (Format::Rust, "rust", "Constants in Rust"),
        (Format::Python, "python", "Assignments in Python"),
    ];

    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|&(_, other, _)| other == name).map(|(format, ..)| format)
    }
}

/// The reason why values have no form in a format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormatError {
    /// Two parameters would have the same name.
    #[error(
        "`{}` and `{}` would both be `{own}`: give one of them another name, or use --format json or args",
        names[0],
        names[1]
    )]
    Twice {
        /// The parameters.
        names: [String; 2],
        /// Their common name.
        own: String,
    },
    /// A parameter is not a constant.
    #[error("`{0}` follows {1}: use --format c, rust or python, or --into a source file")]
    Follows(String, String),
}

impl Program {
    /// Formats values of all parameters, in the order of their declaration. The text ends with a
    /// line end.
    ///
    /// # Errors
    /// If two parameters would have the same name in this format, or one follows features, which
    /// only code can.
    pub fn format(&self, format: Format, values: &[f64]) -> Result<String, FormatError> {
        let parameters = &self.declared.parameters;
        let items = parameters.items(values);
        let names = identifiers(items.iter().map(|(name, _)| *name), format)?;
        let functions = Function::all(parameters.all(), values);
        let function_of = |name: &str| {
            let of = functions.iter().find(|(_, function)| function.parameter.name == name)?;
            Some(&of.1)
        };
        if let (Format::Args | Format::Json, Some((_, function))) = (format, functions.first()) {
            let feature = function.features().remove(0);
            return Err(FormatError::Follows(function.parameter.name.clone(), feature.to_string()));
        }
        let lines = |line: &dyn Fn(&str, &Shown) -> String| -> String {
            let written = |(name, (own, shown)): (&String, &(&str, Shown))| match function_of(own) {
                Some(function) => defined(function, name, format) + "\n",
                None => line(name, shown) + "\n",
            };
            names.iter().zip(&items).map(written).collect()
        };
        Ok(match format {
            Format::Args => shell_line(self.arguments(values).iter().map(String::as_str)) + "\n",
            Format::Json => format!("{}\n", escaped(&format!("{:#}", Value::Object(parameters.json(values))))),
            Format::C => lines(&|name, shown| {
                let (kind, count) = (c_type(shown), count(shown));
                let dimension = count.map(|count| format!("[{count}]")).unwrap_or_default();
                format!("const {kind}{name}{dimension} = {};", literal(shown, ("{", "}"), c_text))
            }),
            Format::Rust => lines(&|name, shown| {
                let kind = rust_type(first(shown));
                let kind = count(shown).map_or(kind.to_string(), |count| format!("[{kind}; {count}]"));
                format!("pub const {name}: {kind} = {};", literal(shown, ("[", "]"), |text| format!("{text:?}")))
            }),
            Format::Python => lines(&|name, shown| format!("{name} = {}", python(shown))),
        })
    }

    /// Returns the words of the command that contain parameters, each with its preceding flag. If
    /// there are none, returns all parameters as `--name value`.
    pub fn arguments(&self, values: &[f64]) -> Vec<String> {
        let parameters = &self.declared.parameters;
        let value = |placeholder: &Placeholder| parameters.shown(&placeholder.name, values);
        let is_own = |template: &Template| {
            template.mentions(BuiltIn::Args) || template.placeholders().any(|placeholder| value(placeholder).is_some())
        };
        let others = |template: &Template| template.placeholders().any(|placeholder| value(placeholder).is_none());
        let is_value = |sole: &Placeholder| !matches!(sole.format, ValueFormat::Flag(_));
        let templates = self.declared.keys.command.templates();
        if !templates.iter().any(is_own) {
            return parameters.args(values);
        }
        let mut words = Vec::new();
        for (i, template) in templates.iter().enumerate().filter(|(_, template)| is_own(template)) {
            let flag = i.checked_sub(1).and_then(|before| templates[before].literal());
            let is_value = !others(template) && template.sole().is_some_and(is_value);
            words.extend(flag.filter(|flag| is_value && flag.starts_with('-')).map(String::from));
            words.extend(words_of(template, &value, &|| parameters.args(values)));
        }
        words
    }
}

/// Defines a function of features.
fn defined(function: &Function<'_>, name: &str, format: Format) -> String {
    let features = function.features();
    let own: Vec<String> = features.iter().map(|feature| legal(plain(feature).to_lowercase(), format)).collect();
    let named = |feature: &str| Some(own[features.iter().position(|other| *other == feature)?].clone());
    let is_number = |feature: &str| !function.words.contains(&feature);
    let arguments = |form: &dyn Fn(&str, bool) -> String| -> String {
        let all: Vec<String> = features.iter().zip(&own).map(|(feature, own)| form(own, is_number(feature))).collect();
        all.join(", ")
    };
    let is_int = matches!(function.parameter.kind, Kind::Int { .. });
    let written = |language| expression(function, language, &named, None).expect("all have names and forms");
    match format {
        Format::Rust => {
            let arguments = arguments(&|name, is_number| format!("{name}: {}", if is_number { "f64" } else { "&str" }));
            let (kind, body) = (if is_int { "i64" } else { "f64" }, written(Language::Rust));
            format!("pub fn {}({arguments}) -> {kind} {{\n    {body}\n}}", legal(name.to_lowercase(), format))
        }
        Format::Python => {
            let arguments = arguments(&|name, _| name.to_string());
            format!("def {name}({arguments}):\n    return {}", written(Language::Python))
        }
        Format::C | Format::Args | Format::Json => {
            let arguments = arguments(&|name, is_number| {
                if is_number { format!("double {name}") } else { format!("const char *{name}") }
            });
            let kind = match is_int {
                true if is_long(function.parameter) => "long long",
                true => "int",
                false => "double",
            };
            format!("static inline {kind} {name}({arguments}) {{ return {}; }}", written(Language::C))
        }
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
        // A value exceeds an `int` of 32 bits.
        Shown::Int(value) if i32::try_from(*value).is_err() => "long long ",
        Shown::List(elements, _) => {
            let mut kinds = elements.iter().map(c_type);
            kinds.clone().find(|kind| kind.starts_with("long")).or(kinds.next()).expect("an array has elements")
        }
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

/// Formats a value for C or Rust.
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

/// Formats a text for C. Its escapes for arbitrary characters are bytes with three octal digits.
fn c_text(text: &str) -> String {
    let octal = |letter: char| letter.to_string().bytes().map(|byte| format!("\\{byte:03o}")).collect::<String>();
    let escape = |letter: char| match letter {
        '"' | '\\' | '?' => format!("\\{letter}"),
        _ if has_power(letter) => octal(letter),
        _ => letter.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// Escapes the characters in JSON that could control a terminal, except line ends.
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

/// Converts names to identifiers of the format's language.
///
/// # Errors
/// If two of them become equal, so that one would hide the other.
fn identifiers<'n>(names: impl Iterator<Item = &'n str>, format: Format) -> Result<Vec<String>, FormatError> {
    let mut known = BTreeMap::new();
    let own = |name: &'n str| {
        let own = identifier(name, format);
        match known.insert(own.clone(), name) {
            None => Ok(own),
            Some(other) => Err(FormatError::Twice { names: [other, name].map(String::from), own }),
        }
    };
    names.map(own).collect()
}

/// Converts the name of a constant to an identifier.
fn identifier(name: &str, format: Format) -> String {
    match format {
        Format::Args | Format::Json => name.to_string(),
        Format::Rust => legal(plain(name).to_uppercase(), format),
        Format::C | Format::Python => legal(plain(name), format),
    }
}

/// Replaces invalid characters of a name by `_`.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Puts `_` before a digit, and after a keyword.
fn legal(name: String, format: Format) -> String {
    let keywords = match format {
        Format::Args | Format::Json => &[],
        Format::C => C_KEYWORDS,
        Format::Rust => RUST_KEYWORDS,
        Format::Python => PYTHON_KEYWORDS,
    };
    match () {
        () if name.starts_with(|c: char| c.is_ascii_digit()) => format!("_{name}"),
        () if keywords.contains(&name.as_str()) => name + "_",
        () => name,
    }
}

/// The keywords of C 23 and C++ 20.
#[rustfmt::skip]
const C_KEYWORDS: &[&str] = &[
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
    "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
    "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
    "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict", "return", "short",
    "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local",
    "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "typeof_unqual", "union", "unsigned", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "_Alignas", "_Alignof", "_Atomic", "_BitInt",
    "_Bool", "_Complex", "_Decimal128", "_Decimal32", "_Decimal64", "_Generic", "_Imaginary", "_Noreturn",
    "_Static_assert", "_Thread_local", "main",
];

/// The keywords of Rust in small letters, and `_`, which cannot be a name.
#[rustfmt::skip]
const RUST_KEYWORDS: &[&str] = &[
    "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "try",
    "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The keywords of Python 3.
#[rustfmt::skip]
const PYTHON_KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
    "pass", "raise", "return", "try", "while", "with", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_end_their_literals() {
        let hostile = "a\"; evil(); //\\\n\u{1b}[2J\u{9b}\u{202e}??/";
        assert_eq!(c_text(hostile), r#""a\"; evil(); //\\\012\033[2J\302\233\342\200\256\?\?/""#);
        let python = python(&Shown::Choice(hostile.to_string(), 0));
        assert_eq!(python, r#""a\"; evil(); //\\\n\u001b[2J\u009b\u202e??/""#);
        assert_eq!(serde_json::from_str::<String>(&python).unwrap(), hostile);
        let rust = literal(&Shown::Choice(hostile.to_string(), 0), ("[", "]"), |text| format!("{text:?}"));
        assert_eq!(rust, r#""a\"; evil(); //\\\n\u{1b}[2J\u{9b}\u{202e}??/""#);
    }

    #[test]
    fn names_become_identifiers_of_the_language() {
        let names = |names: &[&str], format| identifiers(names.iter().copied(), format);
        let odd = ["class", "while", "a.b", "x-y", "größe", "_"];
        assert_eq!(names(&odd, Format::C).unwrap(), ["class_", "while_", "a_b", "x_y", "gr__e", "_"]);
        assert_eq!(names(&odd, Format::Rust).unwrap(), ["CLASS", "WHILE", "A_B", "X_Y", "GR__E", "__"]);
        assert_eq!(names(&["2nd"], Format::C).unwrap(), ["_2nd"]);
        assert_eq!(
            [legal("move".to_string(), Format::Rust), legal("2nd".to_string(), Format::Rust)],
            ["move_", "_2nd"]
        );
        assert_eq!(names(&["None", "none"], Format::Python).unwrap(), ["None_", "none"]);
        assert_eq!(names(&["a_b", "A_B"], Format::C).unwrap(), ["a_b", "A_B"]);
        let twice = names(&["a_b", "A_B"], Format::Rust).unwrap_err().to_string();
        assert!(twice.starts_with("`a_b` and `A_B` would both be `A_B`"), "{twice}");
        assert!(names(&["a.b", "a_b"], Format::Python).is_err() && names(&["a.b", "a_b"], Format::Json).is_ok());
        assert!(names(&["class", "class_"], Format::C).is_err());
    }
}
