//! How a problem is played: its options, and which player with which settings.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::fmt;

/// A setting of a problem or of a player, declared once.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Name in jobs and on the command line.
    pub name: &'static str,
    /// What it does, for a person.
    pub meaning: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// The value if none is given, of names the place; `None` if it has to be given.
    pub default: Option<u32>,
}

/// What a setting takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// A whole number from the first to the second.
    Number(u32, u32),
    /// One of these names.
    Name(&'static [&'static str]),
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Takes::Number(min, max) => write!(f, "{min} to {max}"),
            Takes::Name(names) => write!(f, "{}", names.join(", ")),
        }
    }
}

/// The value of a setting as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A whole number.
    Number(i64),
    /// A name.
    Name(String),
}

impl Given {
    /// A value on a command line.
    pub fn from_text(text: &str) -> Self {
        text.parse().map_or_else(|_| Given::Name(text.to_string()), Given::Number)
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Number(number) => write!(f, "{number}"),
            Given::Name(name) => write!(f, "\"{}\"", name.escape_debug()),
        }
    }
}

impl Setting {
    /// The value that was given, as a number; of names it is the place.
    fn check(&self, given: &Given) -> Option<u32> {
        match (&self.takes, given) {
            (Takes::Number(min, max), Given::Number(number)) => {
                u32::try_from(*number).ok().filter(|number| (min..=max).contains(&number))
            }
            (Takes::Name(names), Given::Name(name)) => {
                names.iter().position(|other| other == name).map(|place| place as u32)
            }
            _ => None,
        }
    }

    /// A value as it is written in jobs, without quotation marks.
    pub fn show(&self, value: u32) -> String {
        match self.takes {
            Takes::Number(..) => value.to_string(),
            Takes::Name(names) => names[value as usize].to_string(),
        }
    }
}

/// A kind of player.
#[derive(Clone, Copy, Debug)]
pub struct PlayerKind {
    /// Name in jobs.
    pub name: &'static str,
    /// How it plays, for a person.
    pub meaning: &'static str,
    /// Its settings.
    pub settings: &'static [Setting],
}

/// Checked values of settings by name; every declared setting has one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<&'static str, (u32, Option<&'static str>)>);

/// Why given settings do not fit their declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError {
    /// The setting at fault as given; `None` if one is missing.
    pub name: Option<String>,
    /// What is wrong and what is allowed.
    pub message: String,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SettingError {}

impl Values {
    /// Checks given values against their declaration and fills in defaults. `owner` names what they are settings of.
    ///
    /// # Errors
    /// The first value that is not allowed, or a setting that is missing.
    pub fn check(
        owner: &str,
        declared: &[Setting],
        given: impl IntoIterator<Item = (String, Given)>,
    ) -> Result<Self, SettingError> {
        let mut values = BTreeMap::new();
        for (name, given) in given {
            let fault = |message| SettingError { name: Some(name.clone()), message };
            let Some(setting) = declared.iter().find(|setting| setting.name == name) else {
                return Err(fault(format!("{owner} has no setting `{name}`; {}", allowed_names(declared))));
            };
            let Some(value) = setting.check(&given) else {
                return Err(fault(format!("`{name}` of {owner} is {given}; allowed are {}", setting.takes)));
            };
            values.insert(setting.name, setting.entry(value));
        }
        for setting in declared {
            if values.contains_key(setting.name) {
                continue;
            }
            let Some(default) = setting.default else {
                let Setting { name, meaning, takes, .. } = setting;
                let message = format!("{owner} needs `{name}` ({meaning}): {takes}");
                return Err(SettingError { name: None, message });
            };
            values.insert(setting.name, setting.entry(default));
        }
        Ok(Values(values))
    }

    /// The value of a declared setting; of names it is the place.
    ///
    /// # Panics
    /// If the setting was not declared when the values were checked.
    pub fn get(&self, name: &str) -> u32 {
        self.0[name].0
    }

    /// All values as they are shown, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.0.iter().map(|(&name, &(value, text))| (name, text.map_or_else(|| value.to_string(), String::from)))
    }

    /// All values as a table.
    pub fn json(&self) -> Map<String, Json> {
        match json!(self) {
            Json::Object(table) => table,
            _ => unreachable!("values have names"),
        }
    }
}

/// A number as a number, a name as a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Number(u32),
    /// A name.
    Name(&'static str),
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = |(value, text): (u32, Option<&'static str>)| text.map_or(Value::Number(value), Value::Name);
        serializer.collect_map(self.0.iter().map(|(name, &entry)| (name, value(entry))))
    }
}

impl Setting {
    /// The value if none is given, for documents.
    pub fn default_value(&self) -> Option<Value> {
        self.default.map(|value| match self.takes {
            Takes::Number(..) => Value::Number(value),
            Takes::Name(names) => Value::Name(names[value as usize]),
        })
    }

    fn entry(&self, value: u32) -> (u32, Option<&'static str>) {
        match self.takes {
            Takes::Number(..) => (value, None),
            Takes::Name(names) => (value, Some(names[value as usize])),
        }
    }
}

fn allowed_names(declared: &[Setting]) -> String {
    match declared {
        [] => "it has none".to_string(),
        _ => format!("it has {}", declared.iter().map(|s| format!("`{}`", s.name)).collect::<Vec<_>>().join(", ")),
    }
}

/// A kind of player and its settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerChoice {
    /// Name of the [`PlayerKind`]; empty where a problem has no players to choose from.
    pub name: String,
    /// Its settings.
    pub values: Values,
}

impl fmt::Display for PlayerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings: Vec<_> = self.values.iter().map(|(name, value)| format!("{name} {value}")).collect();
        if settings.is_empty() {
            write!(f, "`{}`", self.name)
        } else {
            write!(f, "`{}` ({})", self.name, settings.join(", "))
        }
    }
}

impl PlayerChoice {
    /// The player of that name, among `players`, with these settings.
    ///
    /// # Errors
    /// If there is no such player, or a setting is wrong.
    pub fn check(
        owner: &str,
        players: &[PlayerKind],
        name: &str,
        given: impl IntoIterator<Item = (String, Given)>,
    ) -> Result<Self, SettingError> {
        let Some(kind) = players.iter().find(|kind| kind.name == name) else {
            let known: Vec<_> = players.iter().map(|kind| format!("`{}`", kind.name)).collect();
            let message = format!("{owner} has no player `{name}`; it has {}", known.join(", "));
            return Err(SettingError { name: Some("name".to_string()), message });
        };
        let values = Values::check(&format!("player `{name}`"), kind.settings, given)?;
        Ok(PlayerChoice { name: name.to_string(), values })
    }
}

/// How a problem is played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The problem's options.
    pub options: Values,
    /// The player.
    pub player: PlayerChoice,
}

/// The schema of the section that chooses a player and its settings.
pub fn schema_of_player(player: &PlayerKind) -> Json {
    schema_of(player.name, player.meaning, player.settings)
}

/// The schema of a section that chooses something by its name, with its settings.
pub fn schema_of(name: &str, meaning: &str, settings: &[Setting]) -> Json {
    let mut keys = Map::new();
    keys.insert("name".to_string(), json!({ "description": meaning, "const": name }));
    let mut required = vec!["name"];
    for setting in settings {
        let mut key = match setting.takes {
            Takes::Number(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
            Takes::Name(names) => json!({ "type": "string", "enum": names }),
        };
        key["description"] = json!(setting.meaning);
        match setting.default_value() {
            Some(default) => key["default"] = json!(default),
            None => required.push(setting.name),
        }
        keys.insert(setting.name.to_string(), key);
    }
    json!({ "type": "object", "properties": keys, "required": required, "additionalProperties": false })
}
