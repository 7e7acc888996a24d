//! Games: the kind of problem that files name in `[game]`, with options there and a player in
//! `[player]`.
//!
//! A game declares its options as a struct and its players as an enum, whose variants hold the
//! settings; `name` in `[player]` is the name of the variant. Both derive `Deserialize`,
//! `Serialize` and `JsonSchema`: their doc comments, ranges and defaults are the complete
//! declaration.

use super::kind::{ProblemKind, Reading};
use evolve_search::document::schema::{self, properties};
use evolve_search::document::text::{suggestion, to_toml};
use evolve_search::document::{Document, Fault, Section, Table};
use evolve_search::model::problem::Problem;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// A game that files can name.
#[derive(Clone)]
pub struct Game {
    /// The game with its first player. Options without a default have their smallest value.
    pub sample: Arc<dyn Problem>,
    pub options: Schema,
    /// The players to choose from; none if there is only one way to play.
    pub players: Vec<PlayerKind>,
    make: Arc<Make>,
}

/// Makes the problem of a file, with the player of a section.
type Make = dyn Fn(&Section<'_>, &str) -> Result<Arc<dyn Problem>, Fault> + Send + Sync;

#[derive(Clone, Debug)]
pub struct PlayerKind {
    /// The name in jobs.
    pub name: String,
    /// A description for people of how it plays.
    pub meaning: String,
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
        let all = players.clone();
        let make = move |top: &Section<'_>, of_player: &str| -> Result<Arc<dyn Problem>, Fault> {
            let options = top.section("game").without_name().read()?;
            Ok(Arc::new(make(options, read_player(&top.section(of_player), &all)?)))
        };
        let player = players.first().map(|PlayerKind { name, settings, .. }| named(name, smallest(settings)));
        let smallest = Table::from_iter([
            ("game".to_string(), Value::Object(smallest(&options))),
            ("player".to_string(), Value::Object(player.unwrap_or_default())),
        ]);
        let sample = read(smallest, |top| make(top, "player"));
        let sample = sample.unwrap_or_else(|message| panic!("the smallest values are wrong: {message}"));
        Game { sample, options, players, make: Arc::new(make) }
    }

    /// Creates the game of a problem without options and players.
    pub fn plain(problem: Arc<dyn Problem>) -> Self {
        let sample = Arc::clone(&problem);
        let make = Arc::new(move |top: &Section<'_>, of_player: &str| {
            top.section("game").without_name().only([].into_iter())?;
            top.section(of_player).only([].into_iter()).map(|()| Arc::clone(&problem))
        });
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
        let sections = [("game".to_string(), Value::Object(options)), ("player".to_string(), Value::Object(player))];
        read(Table::from_iter(sections), |top| (self.make)(top, "player"))
    }
}

/// Reads a game from sections that no file has.
fn read<T>(sections: Table, read: impl Fn(&Section<'_>) -> Result<T, Fault>) -> Result<T, String> {
    let document = Document::new(Path::new(""), to_toml(&sections));
    document.top("a game").and_then(|top| read(&top)).map_err(|fault| fault.message)
}

fn read_player<P: DeserializeOwned + JsonSchema>(section: &Section<'_>, players: &[PlayerKind]) -> Result<P, Fault> {
    if players.is_empty() {
        return section.read();
    }
    let list = || players.iter().map(|player| format!("`{}`", player.name)).collect::<Vec<_>>().join(", ");
    if !section.has("name") {
        return Err(section.fault(&[], format!("{} needs `name`: one of {}", section.title(), list())));
    }
    let Named { name } = section.part()?;
    match players.iter().find(|player| player.name == name) {
        Some(PlayerKind { name, settings, .. }) => section.clone().without_name().variant(name, settings),
        None => {
            let hint = suggestion(&name, players.iter().map(|player| player.name.as_str()));
            let message = format!("no player `{}`; the choices are {}{hint}", name.escape_debug(), list());
            Err(section.fault(&["name"], message))
        }
    }
}

/// Returns the table of settings with their name first.
fn named(name: &str, settings: Table) -> Table {
    [("name".to_string(), json!(name))].into_iter().chain(settings).collect()
}

/// Returns the players that an enum declares, one for each variant.
fn players<P: JsonSchema>() -> Vec<PlayerKind> {
    let all = schema::of::<P>();
    let player = |form: &Value| {
        let keys = form["properties"].as_object();
        let variant = keys.and_then(|keys| keys.iter().next()).map(|(name, keys)| (name.as_str(), keys.clone()));
        let unit = || Some((form["const"].as_str()?, schema::none().into()));
        let (name, settings) = variant.or_else(unit).expect("players are variants");
        let meaning = form["description"].as_str().unwrap_or_default().to_string();
        let settings = Schema::try_from(settings).expect("settings are an object");
        PlayerKind { name: name.to_string(), meaning, settings }
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
#[derive(Deserialize, JsonSchema)]
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

/// Returns the schema of a section that names something, with its settings.
fn form(name: &str, meaning: &str, settings: &Schema) -> Value {
    let mut keys = Table::from_iter([("name".to_string(), json!({ "description": meaning, "const": name }))]);
    keys.extend(properties(settings));
    let mut required = vec![json!("name")];
    required.extend(settings.get("required").and_then(Value::as_array).into_iter().flatten().cloned());
    json!({ "type": "object", "properties": keys, "required": required, "additionalProperties": false })
}

/// The games of a catalogue.
#[derive(Clone)]
pub(super) struct GameKind(pub Vec<Game>);

impl GameKind {
    pub fn find(&self, name: &str) -> Result<&Game, String> {
        self.0.iter().find(|game| game.name() == name).ok_or_else(|| {
            let known: Vec<&str> = self.0.iter().map(Game::name).collect();
            let hint = suggestion(name, known.iter().copied());
            format!("no game `{}`; the games are: {}{hint}", name.escape_debug(), known.join(", "))
        })
    }

    /// Reads the game of a file, with the player of a section.
    fn read_with(&self, top: &Section<'_>, of_player: &str) -> Result<Arc<dyn Problem>, Fault> {
        let section = top.section("game");
        let Named { name } = section.part()?;
        let game = self.find(&name).map_err(|message| section.fault(&["name"], message))?;
        (game.make)(top, of_player)
    }
}

impl ProblemKind for GameKind {
    fn sections(&self) -> &'static [&'static str] {
        &["game", "player", "submission"]
    }

    fn schema(&self) -> Schema {
        let mut schema = schema::of::<Sections>();
        let mut keys = properties(&schema);
        let players = || self.0.iter().flat_map(|game| &game.players);
        for (name, section) in &mut keys {
            section["anyOf"] = match name.as_str() {
                "game" => self.0.iter().map(|game| form(game.name(), game.sample.summary(), &game.options)).collect(),
                _ => players().map(|player| form(&player.name, &player.meaning, &player.settings)).collect(),
            };
        }
        schema.insert("properties".to_string(), Value::Object(keys));
        schema
    }

    fn read(&self, top: &Section<'_>, _: Reading) -> Result<Arc<dyn Problem>, Fault> {
        self.read_with(top, "player")
    }

    fn read_submission(&self, top: &Section<'_>, problem: &Arc<dyn Problem>) -> Result<Arc<dyn Problem>, Fault> {
        match top.has("submission") {
            true => self.read_with(top, "submission"),
            false => Ok(Arc::clone(problem)),
        }
    }
}
