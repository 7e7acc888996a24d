//! Texts with placeholders: `./solver --k {k} --seed {seed:04}`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    Text(String),
    /// The selected option of a choice, and its index in the list of options.
    Choice(String, usize),
    Int(i64),
    Float(f64),
    Switch(bool),
    /// The elements of an array, and their separator.
    List(Vec<Shown>, String),
    /// The start value of a parameter whose condition is false.
    Inactive(Box<Shown>),
}

/// A text with placeholders.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct Template {
    text: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    Placeholder(Placeholder),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Placeholder {
    pub name: String,
    /// `None` for parameters and scenario variables.
    pub built_in: Option<BuiltIn>,
    pub format: ValueFormat,
}

/// A placeholder that every job may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltIn {
    Seed,
    Instance,
    Input,
    Output,
    Random,
    Cap,
    Limit(Unit),
    Dir,
    Params,
    Args,
}

/// The unit of a time limit in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Milliseconds,
    Seconds,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ValueFormat {
    Plain,
    /// `:04`: a whole number with at least this many digits.
    Digits(usize),
    /// `:.3`: a number with this many decimals.
    Decimals(usize),
    /// `:d`: a switch as 0 or 1, or a choice as its index.
    Number,
    /// `:--fast`: this text if the switch is on, otherwise empty. `:--k` for another value: the
    /// text and the value, as two words, or as one after `:--k=`. Nothing for an inactive
    /// parameter.
    Flag(String),
}

/// A fault in a text for a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TemplateError {
    /// It has a zero byte.
    #[error("a zero byte cannot be passed to a program")]
    ZeroByte,
    /// A brace of this text has no partner.
    #[error("unmatched brace in `{0}`; write `{{{{` and `}}}}` for single braces")]
    Brace(String),
    /// This text between braces is not a name.
    #[error("`{{{0}}}` is not a placeholder; write `{{{{` and `}}}}` for single braces")]
    Placeholder(String),
    /// A placeholder has an unknown format.
    #[error("`{{{inside}}}`: unknown format `{format}`; the formats are `:04`, `:.3`, `:d` and `:--flag`")]
    Format {
        /// The text between the braces.
        inside: String,
        /// The format in it.
        format: String,
    },
}

/// The largest number of digits or decimals.
const MOST_DIGITS: usize = 100;

impl Template {
    /// Parses a text. `{{` and `}}` are literal braces.
    ///
    /// # Errors
    /// If a brace or format is invalid.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        no_zero_byte(text)?;
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(place) = rest.find(['{', '}']) {
            plain.push_str(&rest[..place]);
            rest = &rest[place..];
            if let Some(after) = rest.strip_prefix("{{").or_else(|| rest.strip_prefix("}}")) {
                plain.push_str(&rest[..1]);
                rest = after;
                continue;
            }
            let inside = rest.strip_prefix('{').and_then(|inside| inside.split_once('}'));
            let Some((inside, after)) = inside else {
                return Err(TemplateError::Brace(text.to_string()));
            };
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            pieces.push(Piece::Placeholder(Placeholder::parse(inside)?));
            rest = after;
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Template { text: text.to_string(), pieces })
    }

    /// Creates a text without placeholders.
    pub fn plain(text: &str) -> Self {
        let escaped = text.replace('{', "{{").replace('}', "}}");
        Template { text: escaped, pieces: vec![Piece::Text(text.to_string())] }
    }

    /// Returns the text as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the placeholders, in order.
    pub fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Placeholder(placeholder) => Some(placeholder),
            Piece::Text(_) => None,
        })
    }

    /// Returns the placeholder if the template consists only of it.
    pub fn sole(&self) -> Option<&Placeholder> {
        match &self.pieces[..] {
            [Piece::Placeholder(placeholder)] => Some(placeholder),
            _ => None,
        }
    }

    /// Returns whether it has this placeholder.
    pub fn mentions(&self, built_in: BuiltIn) -> bool {
        self.placeholders().any(|placeholder| placeholder.built_in == Some(built_in))
    }

    /// Returns the text if it has no placeholders.
    pub fn literal(&self) -> Option<&str> {
        match &self.pieces[..] {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Returns the text with values for its placeholders. Placeholders unknown to `value` become
    /// empty.
    pub fn render(&self, value: &dyn Fn(&Placeholder) -> Option<Shown>) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(plain) => text.push_str(plain),
                Piece::Placeholder(placeholder) => {
                    if let Some(shown) = value(placeholder) {
                        text.push_str(&shown.words(&placeholder.format).join(" "));
                    }
                }
            }
        }
        text
    }
}

impl TryFrom<String> for Template {
    type Error = TemplateError;

    fn try_from(text: String) -> Result<Self, TemplateError> {
        Template::parse(&text)
    }
}

impl From<Template> for String {
    fn from(template: Template) -> Self {
        template.text
    }
}

/// Checks that a text has no zero byte, which ends texts in arguments and in the environment.
///
/// # Errors
/// If the text has one.
pub fn no_zero_byte(text: &str) -> Result<(), TemplateError> {
    match text.contains('\0') {
        true => Err(TemplateError::ZeroByte),
        false => Ok(()),
    }
}

impl Placeholder {
    fn parse(inside: &str) -> Result<Self, TemplateError> {
        let (name, format) = inside.split_once(':').unwrap_or((inside, ""));
        let is_name = name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c)) && !name.is_empty();
        if !is_name {
            return Err(TemplateError::Placeholder(inside.to_string()));
        }
        let digits = |text: &str| text.parse().ok().filter(|&n: &usize| n <= MOST_DIGITS);
        let read = match format {
            "" => Some(ValueFormat::Plain),
            "d" => Some(ValueFormat::Number),
            flag if flag.starts_with('-') => Some(ValueFormat::Flag(flag.to_string())),
            decimals if decimals.starts_with('.') => digits(&decimals[1..]).map(ValueFormat::Decimals),
            width if width.starts_with('0') => digits(&width[1..]).map(ValueFormat::Digits),
            _ => None,
        };
        let format =
            read.ok_or_else(|| TemplateError::Format { inside: inside.to_string(), format: format.to_string() })?;
        Ok(Placeholder { name: name.to_string(), built_in: BuiltIn::find(name), format })
    }
}

impl BuiltIn {
    pub const ALL: [BuiltIn; 11] = [
        BuiltIn::Seed,
        BuiltIn::Instance,
        BuiltIn::Input,
        BuiltIn::Output,
        BuiltIn::Random,
        BuiltIn::Cap,
        BuiltIn::Limit(Unit::Milliseconds),
        BuiltIn::Limit(Unit::Seconds),
        BuiltIn::Dir,
        BuiltIn::Params,
        BuiltIn::Args,
    ];

    pub fn name(self) -> &'static str {
        match self {
            BuiltIn::Seed => "seed",
            BuiltIn::Instance => "instance",
            BuiltIn::Input => "input",
            BuiltIn::Output => "output",
            BuiltIn::Random => "random",
            BuiltIn::Cap => "cap",
            BuiltIn::Limit(Unit::Milliseconds) => "limit_ms",
            BuiltIn::Limit(Unit::Seconds) => "limit_s",
            BuiltIn::Dir => "dir",
            BuiltIn::Params => "params",
            BuiltIn::Args => "args",
        }
    }

    fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|built_in| built_in.name() == name)
    }
}

impl Unit {
    pub const ALL: [Unit; 2] = [Unit::Milliseconds, Unit::Seconds];

    /// Returns a limit in this unit.
    pub fn shown(self, limit: Duration) -> Shown {
        match self {
            Unit::Milliseconds => Shown::Int(limit.as_millis() as i64),
            Unit::Seconds => Shown::Float(limit.as_secs_f64()),
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&ValueFormat::Plain))
    }
}

impl Shown {
    /// Returns whether the value can be written in a format.
    pub fn takes(&self, format: &ValueFormat) -> bool {
        match format {
            ValueFormat::Plain => true,
            ValueFormat::Digits(_) => matches!(self.first(), Shown::Int(_)),
            ValueFormat::Decimals(_) => matches!(self.first(), Shown::Float(_)),
            ValueFormat::Number => matches!(self.first(), Shown::Switch(_) | Shown::Choice(..)),
            ValueFormat::Flag(_) => true,
        }
    }

    /// Returns the first element of an array, or the value itself.
    fn first(&self) -> &Shown {
        match self {
            Shown::List(elements, _) => elements.first().unwrap_or(self),
            Shown::Inactive(start) => start.first(),
            _ => self,
        }
    }

    /// Returns the value in a format, as the words of a command.
    pub fn words(&self, format: &ValueFormat) -> Vec<String> {
        match (self, format) {
            (Shown::Inactive(_) | Shown::Switch(false), ValueFormat::Flag(_)) => Vec::new(),
            (Shown::Switch(true), ValueFormat::Flag(flag)) => vec![flag.clone()],
            (value, ValueFormat::Flag(flag)) if flag.ends_with('=') => vec![format!("{flag}{value}")],
            (value, ValueFormat::Flag(flag)) => vec![flag.clone(), value.to_string()],
            _ => vec![self.text(format)],
        }
    }

    fn text(&self, format: &ValueFormat) -> String {
        match (self, format) {
            (Shown::List(elements, separator), _) => {
                elements.iter().map(|element| element.text(format)).collect::<Vec<_>>().join(separator)
            }
            (Shown::Inactive(start), _) => start.text(format),
            (Shown::Int(value), ValueFormat::Digits(width)) => format!("{value:0width$}"),
            (Shown::Float(value), ValueFormat::Decimals(decimals)) => format!("{value:.decimals$}"),
            (Shown::Switch(on), ValueFormat::Number) => u8::from(*on).to_string(),
            (Shown::Choice(_, place), ValueFormat::Number) => place.to_string(),
            (Shown::Text(plain) | Shown::Choice(plain, _), _) => plain.clone(),
            (Shown::Int(value), _) => value.to_string(),
            (Shown::Float(value), _) => format!("{value:?}"),
            (Shown::Switch(on), _) => on.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(placeholder: &Placeholder) -> Option<Shown> {
        Some(match placeholder.name.as_str() {
            "k" => Shown::Int(5),
            "low" => Shown::Int(-5),
            "temp" => Shown::Float(13.9),
            "idle" => Shown::Inactive(Box::new(Shown::Int(7))),
            "move" => Shown::Choice("2opt".to_string(), 1),
            "greedy" => Shown::Switch(true),
            "table" => Shown::List(vec![Shown::Float(0.5), Shown::Float(1.0)], ",".to_string()),
            _ => return None,
        })
    }

    #[test]
    fn placeholders_become_values() {
        for (template, text) in [
            ("--k {k} {k:04}", "--k 5 0005"),
            ("{low:04}", "-005"),
            ("{temp}{{k}}{temp:.3}", "13.9{k}13.900"),
            ("{move}/{move:d}", "2opt/1"),
            ("{greedy} {greedy:d} {greedy:--greedy}", "true 1 --greedy"),
            ("{table} {table:.2}", "0.5,1.0 0.50,1.00"),
            ("{k:--k} {move:--move=}", "--k 5 --move=2opt"),
            ("{table:-t} {idle} {idle:--idle}{idle:--idle=}.", "-t 0.5,1.0 7 ."),
            ("", ""),
        ] {
            assert_eq!(Template::parse(template).unwrap().render(&value), text, "{template}");
        }
    }

    #[test]
    fn invalid_placeholders_are_refused() {
        for wrong in ["{k", "k}", "{}", "{a b}", "{k:x}", "{k:.}", "{k:0999}", "{\"a\": 1}"] {
            assert!(Template::parse(wrong).is_err(), "{wrong}");
        }
    }
}
