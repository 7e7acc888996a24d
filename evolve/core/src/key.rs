//! Keys of files, each declared once: reading, checking, writing and the reference page follow from the declaration.

use std::fmt;
use std::time::Duration;
use toml::de::DeValue;

/// A key of a section, declared once.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name within its section.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// The value in TOML if the key is left out; empty if the meaning says what then holds.
    pub default: &'static str,
    /// What it does, for a person.
    pub meaning: &'static str,
}

/// A section of a file, for its reference.
#[derive(Clone, Copy, Debug)]
pub struct SectionKeys<'m> {
    /// Its name; empty for the top level.
    pub name: &'static str,
    /// What it is about.
    pub meaning: &'m str,
    /// Its keys.
    pub keys: &'static [Key],
}

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Takes {
    /// Any text that is not empty.
    Text,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A whole number from the first to the second.
    Integer(u64, u64),
    /// A number from the first to the second.
    Number(f64, f64),
    /// A length of time like "90s", "20m" or "8h 30m".
    Duration,
    /// A list of texts.
    Texts,
    /// True or false.
    Switch,
    /// One of several forms, as described. Texts are passed on; a key that takes anything else is read by hand.
    Form(&'static str),
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Takes::Text => write!(f, "a text"),
            Takes::Choice(texts) => {
                let texts: Vec<_> = texts.iter().map(|text| format!("\"{text}\"")).collect();
                write!(f, "{}", texts.join(" or "))
            }
            Takes::Integer(min, max) => write!(f, "a whole number from {min} to {max}"),
            Takes::Number(min, max) => write!(f, "a number from {min} to {max}"),
            Takes::Duration => write!(f, "a length of time like \"90s\", \"20m\" or \"8h\""),
            Takes::Texts => write!(f, "a list of texts"),
            Takes::Switch => write!(f, "true or false"),
            Takes::Form(form) => write!(f, "{form}"),
        }
    }
}

/// A checked value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of [`Takes::Text`], [`Takes::Choice`] and [`Takes::Form`].
    Text(String),
    /// Of [`Takes::Integer`].
    Integer(u64),
    /// Of [`Takes::Number`].
    Number(f64),
    /// Of [`Takes::Duration`].
    Duration(Duration),
    /// Of [`Takes::Texts`].
    Texts(Vec<String>),
    /// Of [`Takes::Switch`].
    Switch(bool),
}

impl Takes {
    /// The value, if it is allowed.
    pub(crate) fn check(&self, value: &DeValue<'_>) -> Option<Value> {
        match *self {
            Takes::Text | Takes::Form(_) => {
                value.as_str().filter(|text| !text.is_empty()).map(|text| Value::Text(text.to_string()))
            }
            Takes::Choice(texts) => {
                value.as_str().filter(|text| texts.contains(text)).map(|text| Value::Text(text.to_string()))
            }
            Takes::Integer(min, max) => {
                let integer = u64::try_from(integer(value)?).ok()?;
                (min..=max).contains(&integer).then_some(Value::Integer(integer))
            }
            Takes::Number(min, max) => {
                let number = number(value)?;
                (min..=max).contains(&number).then_some(Value::Number(number))
            }
            Takes::Duration => {
                let duration = humantime::parse_duration(value.as_str()?).ok()?;
                (!duration.is_zero()).then_some(Value::Duration(duration))
            }
            Takes::Texts => {
                let texts = value.as_array()?.iter();
                texts.map(|text| text.get_ref().as_str().map(String::from)).collect::<Option<_>>().map(Value::Texts)
            }
            Takes::Switch => value.as_bool().map(Value::Switch),
        }
    }
}

impl Key {
    /// The declared default, if there is one.
    ///
    /// # Panics
    /// If the declaration contradicts itself.
    pub fn default(&self) -> Option<Value> {
        if self.default.is_empty() {
            return None;
        }
        let value = DeValue::parse(self.default).expect("a declared default is TOML");
        Some(self.takes.check(value.get_ref()).expect("a declared default is allowed"))
    }
}

/// A whole number of TOML.
pub(crate) fn integer(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// A finite number, written as an integer or not.
pub(crate) fn number(value: &DeValue<'_>) -> Option<f64> {
    let number = match value {
        DeValue::Float(float) => float.as_str().parse().ok()?,
        _ => integer(value)? as f64,
    };
    f64::is_finite(number).then_some(number)
}

/// Whether a letter has power over a terminal or over the direction of text, line ends included.
pub fn has_power(letter: char) -> bool {
    let turns =
        matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || turns || matches!(letter, '\u{2028}' | '\u{2029}')
}

/// A text as TOML; letters that have power are escaped.
pub fn quoted(text: &str) -> String {
    let written = toml::Value::String(text.to_string()).to_string();
    if !written.contains(|letter| has_power(letter) && !"\n\t".contains(letter)) {
        return written;
    }
    let escape = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        _ if has_power(letter) => format!("\\u{:04X}", u32::from(letter)),
        _ => letter.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// A name as a key in TOML: in quotation marks, unless it may stand without.
pub fn quoted_key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if is_bare { name.to_string() } else { quoted(name) }
}

/// A type that a key's value is read into and written from.
pub trait Field: Sized {
    /// The value; `None` if it is of another type, or missing where it must not be.
    fn read(value: Option<Value>) -> Option<Self>;
    /// The value in TOML; `None` if the key is to be left out.
    fn write(&self) -> Option<String>;
    /// Stands in for a value that was wrong, until all mistakes of the file are told.
    fn stand_in() -> Self;
}

macro_rules! field {
    ($type:ty, $variant:ident, $value:ident => $read:expr, $self:ident => $write:expr, $stand_in:expr) => {
        impl Field for $type {
            fn read(value: Option<Value>) -> Option<Self> {
                match value {
                    Some(Value::$variant($value)) => Some($read),
                    _ => None,
                }
            }
            fn write(&$self) -> Option<String> {
                Some($write)
            }
            fn stand_in() -> Self {
                $stand_in
            }
        }
    };
}

field!(String, Text, text => text, self => quoted(self), String::new());
field!(u64, Integer, integer => integer, self => self.to_string(), 1);
field!(usize, Integer, integer => integer as usize, self => self.to_string(), 1);
field!(f64, Number, number => number, self => format!("{self:?}"), 1.0);
field!(bool, Switch, switch => switch, self => self.to_string(), false);
field!(Duration, Duration, time => time, self => quoted(&humantime::format_duration(*self).to_string()), Duration::ZERO);
field!(Vec<String>, Texts, texts => texts, self => {
    // One a line: lists of names can be long.
    let texts: String = self.iter().map(|text| format!("\n    {},", quoted(text))).collect();
    format!("[{texts}{}]", if self.is_empty() { "" } else { "\n" })
}, Vec::new());

impl<T: Field> Field for Option<T> {
    fn read(value: Option<Value>) -> Option<Self> {
        match value {
            None => Some(None),
            some => T::read(some).map(Some),
        }
    }

    fn write(&self) -> Option<String> {
        self.as_ref().and_then(Field::write)
    }

    fn stand_in() -> Self {
        None
    }
}
