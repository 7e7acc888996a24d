//! The setup of a problem: its options, and a player with its settings.
//!
//! A problem declares its options as a struct and its players as an enum, tagged by `name`, whose
//! variants hold the settings. Both derive `Deserialize` and `JsonSchema`: their doc comments,
//! ranges and defaults are the complete declaration.

use crate::document::schema::{self, End};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// A kind of player, from the schema of the problem's enum of players.
#[derive(Clone, Debug)]
pub struct PlayerKind {
    /// The name in jobs.
    pub name: String,
    /// A description for people of how it plays.
    pub meaning: String,
    /// The schema of its settings.
    pub settings: Schema,
}

/// Returns the players that an enum declares, one for each variant.
///
/// # Panics
/// If `T` is not an enum tagged by `name`.
pub fn players<T: JsonSchema>() -> Vec<PlayerKind> {
    let all = schema::of::<T>();
    let forms = all.get("oneOf").and_then(Value::as_array).expect("players are an enum");
    let player = |form: &Value| {
        let mut settings = Schema::try_from(form.clone()).expect("a variant is an object");
        let mut keys = schema::properties(&settings);
        let name = keys.shift_remove("name").and_then(|name| Some(name["const"].as_str()?.to_string()));
        let required = form["required"].as_array().into_iter().flatten().filter(|&key| key != "name").cloned();
        settings.insert("required".to_string(), required.collect());
        settings.insert("properties".to_string(), Value::Object(keys));
        let meaning = form["description"].as_str().unwrap_or_default().to_string();
        PlayerKind { name: name.expect("players are tagged by `name`"), meaning, settings }
    };
    forms.iter().map(player).collect()
}

/// A fault in settings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// A value is not allowed, or missing; with the message of the schema.
    #[error("{0}")]
    Setting(String),
    /// No player has this name.
    #[error("{owner} has no player `{name}`; it has {known}")]
    Player {
        /// The problem.
        owner: String,
        /// The name.
        name: String,
        /// The names of its players.
        known: String,
    },
}

/// The values of all settings by name, valid under a schema.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Values(BTreeMap<String, Value>);

impl Values {
    /// Checks values against the schema of settings and fills in defaults. `owner` names the
    /// settings in messages.
    ///
    /// # Errors
    /// The first value that is not allowed, or the first missing setting.
    pub fn check(owner: &str, settings: &Schema, given: Map<String, Value>) -> Result<Self, SetupError> {
        let mut closed = settings.clone();
        closed.insert("additionalProperties".to_string(), json!(false));
        let given = Value::Object(given);
        if let Some(mistake) = schema::check(&closed, &given, owner, &[]).into_iter().next() {
            let value = mistake.at.last().and_then(|name| given.get(name)).filter(|_| mistake.end == End::Value);
            let instead = value.map(|value| format!(", not {value}")).unwrap_or_default();
            return Err(SetupError::Setting(mistake.message + &instead));
        }
        let Value::Object(mut values) = given else { unreachable!("it was made above") };
        for (name, key) in schema::properties(settings) {
            if let Some(default) = key.get("default").filter(|_| !values.contains_key(&name)) {
                values.insert(name, default.clone());
            }
        }
        Ok(Values(values.into_iter().collect()))
    }

    /// Deserializes the values into the struct that declares them.
    ///
    /// # Panics
    /// If the values were checked against the schema of another type.
    pub fn read<T: DeserializeOwned>(&self) -> T {
        read(self.json())
    }

    /// Returns all values as text, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, String)> {
        let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
        self.0.iter().map(move |(name, value)| (name.as_str(), shown(value)))
    }

    pub fn json(&self) -> Map<String, Value> {
        self.0.clone().into_iter().collect()
    }
}

fn read<T: DeserializeOwned>(values: Map<String, Value>) -> T {
    serde_json::from_value(Value::Object(values)).expect("the values were checked against the schema of this type")
}

/// Reads a value from the command line.
pub fn given(text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| json!(text), |number| json!(number))
}

/// A kind of player and its settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerChoice {
    /// The name of the [`PlayerKind`]; empty if the problem has no players to choose from.
    pub name: String,
    /// The values of its settings.
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
    /// Creates the player with this name and these settings. `owner` names the problem in messages.
    ///
    /// # Errors
    /// If no player has this name, or a setting is wrong.
    pub fn check(
        owner: &str,
        players: &[PlayerKind],
        name: &str,
        given: Map<String, Value>,
    ) -> Result<Self, SetupError> {
        let Some(kind) = players.iter().find(|kind| kind.name == name) else {
            let known: Vec<_> = players.iter().map(|kind| format!("`{}`", kind.name)).collect();
            return Err(SetupError::Player {
                owner: owner.to_string(),
                name: name.to_string(),
                known: known.join(", "),
            });
        };
        let values = Values::check(&format!("player `{name}`"), &kind.settings, given)?;
        Ok(PlayerChoice { name: name.to_string(), values })
    }

    /// Deserializes the player into the enum that declares it.
    ///
    /// # Panics
    /// If the player was checked against players of another enum.
    pub fn read<T: DeserializeOwned>(&self) -> T {
        let mut values = self.values.json();
        values.insert("name".to_string(), json!(self.name));
        read(values)
    }
}

/// The options and the player of a problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setup {
    /// The options of the problem.
    pub options: Values,
    /// The player.
    pub player: PlayerChoice,
}

/// Returns the schema of a section that names a player and its settings.
pub fn schema_of_player(player: &PlayerKind) -> Value {
    schema_of(&player.name, &player.meaning, &player.settings)
}

/// Returns the schema of a section that names something by `name`, with its settings.
pub fn schema_of(name: &str, meaning: &str, settings: &Schema) -> Value {
    let mut keys = Map::new();
    keys.insert("name".to_string(), json!({ "description": meaning, "const": name }));
    keys.extend(schema::properties(settings));
    let mut required = vec![json!("name")];
    required.extend(settings.get("required").and_then(Value::as_array).into_iter().flatten().cloned());
    json!({ "type": "object", "properties": keys, "required": required, "additionalProperties": false })
}
