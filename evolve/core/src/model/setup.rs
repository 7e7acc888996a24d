//! Setup of a problem: its options, and a player with its settings.
//!
//! A problem declares its options as a struct and its players as an enum, tagged by `name`, whose variants hold their
//! settings. Both derive `Deserialize` and `JsonSchema`; their comments, ranges and defaults are the whole declaration.

use crate::document::schema;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// A kind of player, as the schema of the problem's enum of players has it.
#[derive(Clone, Debug)]
pub struct PlayerKind {
    /// Name in jobs.
    pub name: String,
    /// How it plays, for a person.
    pub meaning: String,
    /// Its settings.
    pub settings: Schema,
}

/// The players that an enum declares, each a variant with its settings.
///
/// # Panics
/// If it is no enum that is tagged by `name`.
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

/// Values of settings by their names: those that a schema allows, all of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Values(BTreeMap<String, Value>);

impl Values {
    /// Checks values against the schema of settings, and fills in defaults. `owner` names the settings in messages.
    ///
    /// # Errors
    /// The first value that is not allowed, or the first missing setting.
    pub fn check(owner: &str, settings: &Schema, given: Map<String, Value>) -> Result<Self, String> {
        let mut closed = settings.clone();
        closed.insert("additionalProperties".to_string(), json!(false));
        let given = Value::Object(given);
        if let Some(mistake) = schema::check(&closed, &given, owner, &[]).into_iter().next() {
            let value = mistake.at.last().and_then(|name| given.get(name)).filter(|_| mistake.shows_value);
            return Err(mistake.message + &value.map(|value| format!(", not {value}")).unwrap_or_default());
        }
        let Value::Object(mut values) = given else { unreachable!("it was made above") };
        for (name, key) in schema::properties(settings) {
            if let Some(default) = key.get("default").filter(|_| !values.contains_key(&name)) {
                values.insert(name, default.clone());
            }
        }
        Ok(Values(values.into_iter().collect()))
    }

    /// Reads the values into the struct that declares them.
    ///
    /// # Panics
    /// If they were checked against the schema of another type.
    pub fn read<T: DeserializeOwned>(&self) -> T {
        read(self.json())
    }

    /// All values as they are shown, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, String)> {
        let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
        self.0.iter().map(move |(name, value)| (name.as_str(), shown(value)))
    }

    /// All values as a table.
    pub fn json(&self) -> Map<String, Value> {
        self.0.clone().into_iter().collect()
    }
}

fn read<T: DeserializeOwned>(values: Map<String, Value>) -> T {
    serde_json::from_value(Value::Object(values)).expect("the values were checked against the schema of this type")
}

/// A value on a command line.
pub fn given(text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| json!(text), |number| json!(number))
}

/// A kind of player and its settings.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// The player of that name, among `players`, with these settings. `owner` names the problem.
    ///
    /// # Errors
    /// If there is no such player, or a setting is wrong.
    pub fn check(owner: &str, players: &[PlayerKind], name: &str, given: Map<String, Value>) -> Result<Self, String> {
        let Some(kind) = players.iter().find(|kind| kind.name == name) else {
            let known: Vec<_> = players.iter().map(|kind| format!("`{}`", kind.name)).collect();
            return Err(format!("{owner} has no player `{name}`; it has {}", known.join(", ")));
        };
        let values = Values::check(&format!("player `{name}`"), &kind.settings, given)?;
        Ok(PlayerChoice { name: name.to_string(), values })
    }

    /// The player as the enum that declares it.
    ///
    /// # Panics
    /// If it was checked against players of another enum.
    pub fn read<T: DeserializeOwned>(&self) -> T {
        let mut values = self.values.json();
        values.insert("name".to_string(), json!(self.name));
        read(values)
    }
}

/// How a problem is played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setup {
    /// The problem's options.
    pub options: Values,
    /// The player.
    pub player: PlayerChoice,
}

/// The schema of the section that chooses a player and its settings.
pub fn schema_of_player(player: &PlayerKind) -> Value {
    schema_of(&player.name, &player.meaning, &player.settings)
}

/// The schema of a section that chooses something by its name, with its settings.
pub fn schema_of(name: &str, meaning: &str, settings: &Schema) -> Value {
    let mut keys = Map::new();
    keys.insert("name".to_string(), json!({ "description": meaning, "const": name }));
    keys.extend(schema::properties(settings));
    let mut required = vec![json!("name")];
    required.extend(settings.get("required").and_then(Value::as_array).into_iter().flatten().cloned());
    json!({ "type": "object", "properties": keys, "required": required, "additionalProperties": false })
}
