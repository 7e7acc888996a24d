//! Games: the kind of problem that files name in `[game]`, with options there and a player in
//! `[player]`.
//!
//! A game declares its options as a struct and its players as an enum, tagged by `name`, whose
//! variants hold the settings. Both derive `Deserialize`, `Serialize` and `JsonSchema`: their doc
//! comments, ranges and defaults are the complete declaration.

use super::kind::{ProblemKind, Reading};
use crate::document::schema::{self, properties};
use crate::document::text::nearest;
use crate::document::{Faults, Section, Table};
use crate::model::problem::Problem;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// A game that files can name.
#[derive(Clone)]
pub struct Game {
    /// The game with its first player. Options without a default have their smallest value.
    pub sample: Arc<dyn Problem>,
    /// The schema of the options.
    pub options: Schema,
    /// The players to choose from; none if there is only one way to play.
    pub players: Vec<PlayerKind>,
    make: Arc<Make>,
}

type Make = dyn Fn(Table, Table) -> Result<Arc<dyn Problem>, Misfit> + Send + Sync;

/// A value that the schema allows, but the type does not.
struct Misfit {
    is_option: bool,
    names: Vec<String>,
    message: String,
}

/// A kind of player.
#[derive(Clone, Debug)]
pub struct PlayerKind {
    /// The name in jobs.
    pub name: String,
    /// A description for people of how it plays.
    pub meaning: String,
    /// The schema of its settings.
    pub settings: Schema,
}

/// No options, or no players to choose from.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct Nothing {}

impl Game {
    /// Creates a game from its options `O` and its player `P`; [`Nothing`] if it has none.
    ///
    /// # Panics
    /// If the smallest values of required settings make no game.
    pub fn new<O, P, T>(make: impl Fn(O, P) -> T + Send + Sync + 'static) -> Self
    where
        O: DeserializeOwned + JsonSchema,
        P: DeserializeOwned + JsonSchema,
        T: Problem,
    {
        let (options, players) = (schema::of::<O>(), players::<P>());
        let make = move |options, player| -> Result<Arc<dyn Problem>, Misfit> {
            Ok(Arc::new(make(typed(options, true)?, typed(player, false)?)))
        };
        let first = players.first().map(|PlayerKind { name, settings, .. }| {
            let mut player = smallest(settings);
            player.insert("name".to_string(), json!(name));
            player
        });
        let sample = make(smallest(&options), first.unwrap_or_default());
        let sample = sample.unwrap_or_else(|Misfit { message, .. }| panic!("the smallest values are wrong: {message}"));
        Game { sample, options, players, make: Arc::new(make) }
    }

    /// Creates the game of a problem without options and players.
    pub fn plain(problem: Arc<dyn Problem>) -> Self {
        let sample = Arc::clone(&problem);
        let make = Arc::new(move |_, _| Ok(Arc::clone(&problem)));
        Game { sample, options: schema::none(), players: Vec::new(), make }
    }

    /// Returns the name in files and on the command line.
    pub fn name(&self) -> &str {
        self.sample.name()
    }

    /// Returns the game with these options and this player; the first player if it is empty.
    ///
    /// # Errors
    /// The first value that is not allowed.
    pub fn problem(&self, options: Table, player: Table) -> Result<Arc<dyn Problem>, String> {
        let player = if player.is_empty() { self.sample.player().unwrap_or_default() } else { player };
        let mut sections = Table::from_iter([("game".to_string(), json!({ "name": self.name() }))]);
        sections["game"].as_object_mut().expect("a table").extend(options.clone());
        sections.extend((!player.is_empty()).then(|| ("player".to_string(), Value::Object(player.clone()))));
        let mistakes = schema::check(&schema_of(std::slice::from_ref(self)), &Value::Object(sections), "a game", &[]);
        match mistakes.into_iter().next() {
            Some(mistake) => Err(mistake.message),
            None => (self.make)(options, player).map_err(|misfit| misfit.message),
        }
    }

    /// Reads the game from a checked file, with the player of the section `of_player`.
    fn read(&self, top: &Section<'_>, of_player: &str) -> Result<Arc<dyn Problem>, Faults> {
        let mut options = top.section("game").entries().clone();
        options.shift_remove("name");
        let player = top.section(of_player).entries().clone();
        (self.make)(options, player).map_err(|Misfit { is_option, names, message }| {
            let section = if is_option { "game" } else { of_player };
            let names: Vec<&str> = [section].into_iter().chain(names.iter().map(String::as_str)).collect();
            top.fault(&names, format!("`{}`: {message}", names.join(".")))
        })
    }
}

fn typed<T: DeserializeOwned>(values: Table, is_option: bool) -> Result<T, Misfit> {
    serde_path_to_error::deserialize(Value::Object(values)).map_err(|error| {
        let names = error.path().iter().map(ToString::to_string).collect();
        Misfit { is_option, names, message: error.inner().to_string() }
    })
}

/// Returns the players that an enum declares, one for each variant.
fn players<P: JsonSchema>() -> Vec<PlayerKind> {
    let all = schema::of::<P>();
    let player = |form: &Value| {
        let mut settings = Schema::try_from(form.clone()).expect("a variant is an object");
        let mut keys = properties(&settings);
        let name = keys.shift_remove("name").and_then(|name| Some(name["const"].as_str()?.to_string()));
        let required = form["required"].as_array().into_iter().flatten().filter(|&key| key != "name").cloned();
        settings.insert("required".to_string(), required.collect());
        settings.insert("properties".to_string(), Value::Object(keys));
        let meaning = form["description"].as_str().unwrap_or_default().to_string();
        PlayerKind { name: name.expect("players are tagged by `name`"), meaning, settings }
    };
    all.get("oneOf").and_then(Value::as_array).into_iter().flatten().map(player).collect()
}

/// Returns the smallest value of each setting without a default.
fn smallest(settings: &Schema) -> Table {
    let required = settings.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let keys = properties(settings);
    required.map(|name| (name.to_string(), schema::smallest(&keys[name]))).collect()
}

/// The name of a game or player, with the settings that it declares.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the game and its players declare the other settings")]
struct Named {
    /// the name, as listed by `evolve init --help` (games) or `evolve init --game NAME` (players)
    #[schemars(length(min = 1))]
    name: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "games read their own types")]
struct Sections {
    /// The game and its options; `evolve init --game NAME` lists them.
    #[schemars(extend("examples" = [{ "name": "solitaire-chess", "group": 3 }]))]
    game: Named,
    /// The player to tune and its settings; `evolve init --game NAME` lists them.
    #[schemars(extend("examples" = [{ "name": "beam", "width": 5, "depth": 10 }]))]
    player: Option<Named>,
    /// The player of the exported program; default: the player of the search.
    #[schemars(extend("examples" = [{ "name": "beam", "width": 10, "depth": 16 }]))]
    submission: Option<Named>,
}

/// Returns the schema of the sections of a game: of this one, or of any of several.
fn schema_of(games: &[Game]) -> Schema {
    let mut schema = schema::of::<Sections>();
    let players = || games.iter().flat_map(|game| &game.players);
    let mut keys = properties(&schema);
    for (name, section) in &mut keys {
        section["anyOf"] = match name.as_str() {
            "game" => games.iter().map(|game| form(game.name(), game.sample.summary(), &game.options)).collect(),
            _ => players().map(|player| form(&player.name, &player.meaning, &player.settings)).collect(),
        };
    }
    if players().next().is_none() {
        keys.retain(|name, _| name == "game");
    } else if games.len() == 1 {
        schema.insert("required".to_string(), json!(["game", "player"]));
    }
    schema.insert("properties".to_string(), Value::Object(keys));
    schema
}

/// Returns the schema of a section that names something, with its settings.
fn form(name: &str, meaning: &str, settings: &Schema) -> Value {
    let mut keys = Table::from_iter([("name".to_string(), json!({ "description": meaning, "const": name }))]);
    keys.extend(properties(settings));
    let mut required = vec![json!("name")];
    required.extend(settings.get("required").and_then(Value::as_array).into_iter().flatten().cloned());
    json!({ "type": "object", "properties": keys, "required": required, "additionalProperties": false })
}

/// A name that no game has, with the names of the games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct UnknownGame {
    name: String,
    known: Vec<String>,
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownGame { name, known } = self;
        write!(f, "no game `{}`; the games are: {}", name.escape_debug(), known.join(", "))?;
        match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => write!(f, "; did you mean `{near}`?"),
            None => Ok(()),
        }
    }
}

/// The games of a catalogue.
#[derive(Clone)]
pub(super) struct Games(pub Vec<Game>);

impl Games {
    pub fn find(&self, name: &str) -> Result<&Game, UnknownGame> {
        let found = self.0.iter().find(|game| game.name() == name);
        found.ok_or_else(|| UnknownGame {
            name: name.to_string(),
            known: self.0.iter().map(|game| game.name().to_string()).collect(),
        })
    }

    fn of(&self, top: &Section<'_>) -> Result<&Game, Faults> {
        let section = top.section("game");
        section.check(&schema::of::<Named>())?;
        let name = section.entries()["name"].as_str().unwrap_or_default();
        self.find(name).map_err(|message| section.fault(&["name"], message))
    }
}

impl ProblemKind for Games {
    fn sections(&self) -> &'static [&'static str] {
        &["game", "player", "submission"]
    }

    fn schema(&self) -> Schema {
        schema_of(&self.0)
    }

    fn schema_for(&self, top: &Section<'_>) -> Result<Schema, Faults> {
        self.of(top).map(|game| schema_of(std::slice::from_ref(game)))
    }

    fn read(&self, top: &Section<'_>, _: Reading) -> Result<Arc<dyn Problem>, Faults> {
        self.of(top)?.read(top, "player")
    }

    fn read_submission(&self, top: &Section<'_>, problem: &Arc<dyn Problem>) -> Result<Arc<dyn Problem>, Faults> {
        match top.has("submission") {
            true => self.of(top)?.read(top, "submission"),
            false => Ok(Arc::clone(problem)),
        }
    }
}
