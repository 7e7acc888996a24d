//! The problem of a file: a game of the catalogue, named in `[game]` and `[player]`, or a problem
//! that the file declares in its own section, such as `[program]`.

use crate::document::schema::{self, properties};
use crate::document::text::nearest;
use crate::document::{Document, Faults, Section};
use crate::job::{Catalogue, Declares, Reading};
use crate::model::problem::Problem;
use crate::model::setup::{self, PlayerChoice, Setup, Values};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A problem and the way to play it.
#[derive(Clone)]
pub struct Source {
    /// The problem.
    pub problem: Arc<dyn Problem>,
    /// The options of the problem and its player.
    pub setup: Setup,
}

/// The name of a game or player, with the settings that it declares.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Choice {
    /// the name, as listed by `evolve init --help` (games) or `evolve init --game NAME` (players)
    #[schemars(length(min = 1))]
    pub name: String,
    /// Its settings.
    #[serde(flatten)]
    pub settings: Map<String, Value>,
}

impl Choice {
    fn of(name: &str, values: &Values) -> Self {
        Choice { name: name.to_string(), settings: values.json() }
    }

    /// Returns the choice of a player; `None` where the problem has no players to choose from.
    pub fn of_player(player: &PlayerChoice) -> Option<Self> {
        (!player.name.is_empty()).then(|| Choice::of(&player.name, &player.values))
    }
}

/// The kind of problem that a file is about.
pub enum About {
    /// A game of the catalogue.
    Game(Arc<dyn Problem>),
    /// A problem that the file declares, and the purpose of reading the file.
    Declared(&'static dyn Declares, Reading),
}

impl About {
    /// Finds the problem that a file names.
    ///
    /// # Errors
    /// If the file names no problem, an unknown one, or two.
    pub fn read(top: &Section<'_>, catalogue: &Catalogue) -> Result<Self, Faults> {
        for declares in catalogue.declares() {
            let name = first(declares);
            if top.has(&name) {
                let beside = ["game", "player", "submission"].into_iter().find(|section| top.has(section));
                let about = |section| format!("{} has both [{section}] and [{name}]: remove one", top.title());
                return match beside {
                    Some(section) => Err(top.fault(&[section], about(section))),
                    None => Ok(About::Declared(declares, catalogue.reading())),
                };
            }
        }
        if !top.has("game") {
            let sections: Vec<String> =
                catalogue.declares().map(|declares| format!(" or [{}]", first(declares))).collect();
            return Err(top.fault(&[], format!("{} needs a section [game]{}", top.title(), sections.concat())));
        }
        let section = top.section("game");
        section.check(&schema::of::<Choice>())?;
        let Choice { name, .. } = section.read()?;
        catalogue.find(&name).cloned().map(About::Game).map_err(|message| section.fault(&["name"], message))
    }

    /// Returns the name of the section that identifies the problem.
    pub fn section(&self) -> String {
        match self {
            About::Game(_) => "game".to_string(),
            About::Declared(declares, _) => first(*declares),
        }
    }
}

/// Returns the name of the section that declares a problem.
fn first(declares: &dyn Declares) -> String {
    properties(&declares.schema()).keys().next().cloned().unwrap_or_default()
}

/// Adds the sections of a problem to the schema of a file. If the problem is unknown, adds the
/// sections of all problems in the catalogue.
pub fn complete(mut schema: Schema, about: Option<&About>, catalogue: &Catalogue) -> Schema {
    let (games, kinds): (Vec<&dyn Problem>, Vec<&dyn Declares>) = match about {
        Some(About::Game(game)) => (vec![&**game], vec![]),
        Some(About::Declared(kind, _)) => (vec![], vec![*kind]),
        None => (catalogue.iter().map(|game| &**game).collect(), catalogue.declares().collect()),
    };
    let players: Vec<Value> =
        games.iter().flat_map(|game| game.players()).map(|player| setup::schema_of_player(&player)).collect();
    let mut keys = Map::new();
    let mut required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    for (name, section) in properties(&schema) {
        let forms = match name.as_str() {
            "game" => {
                kinds.iter().for_each(|kind| keys.extend(properties(&kind.schema())));
                games.iter().map(|game| setup::schema_of(game.name(), game.summary(), &game.options())).collect()
            }
            "player" | "submission" => players.clone(),
            _ => {
                keys.insert(name, section);
                continue;
            }
        };
        if !forms.is_empty() {
            keys.insert(name, json!({ "description": section["description"], "anyOf": forms }));
        }
    }
    match about {
        Some(About::Game(_)) => required.extend(keys.contains_key("player").then(|| json!("player"))),
        Some(About::Declared(kind, _)) => {
            required.extend(kind.schema().get("required").and_then(Value::as_array).cloned().into_iter().flatten())
        }
        None => {
            let named = (!games.is_empty())
                .then(|| "game".to_string())
                .into_iter()
                .chain(kinds.iter().map(|kind| first(*kind)));
            let one = named.map(|name| json!({ "required": [name] })).collect::<Vec<_>>();
            schema.insert("oneOf".to_string(), json!(one));
        }
    }
    schema.insert("properties".to_string(), Value::Object(keys));
    schema.insert("required".to_string(), Value::Array(required));
    schema.insert("additionalProperties".to_string(), json!(false));
    schema
}

/// The sections of a file that only declares a problem.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "they are read one by one")]
struct Alone {
    game: Option<Choice>,
    player: Option<Choice>,
}

impl Source {
    /// Reads a file that only declares a problem.
    ///
    /// # Errors
    /// All faults in the file.
    pub fn parse(document: &Document, catalogue: &Catalogue) -> Result<Self, Faults> {
        let top = document.top("a program")?;
        let about = About::read(&top, catalogue)?;
        top.check(&complete(schema::of::<Alone>(), Some(&about), catalogue))?;
        Source::read(&top, &about)
    }

    /// Reads the problem that a checked file names.
    ///
    /// # Errors
    /// The settings that the problem does not accept.
    pub fn read(top: &Section<'_>, about: &About) -> Result<Self, Faults> {
        let problem = match about {
            About::Game(problem) => Arc::clone(problem),
            About::Declared(kind, reading) => {
                return Ok(Source { problem: kind.read(top, *reading)?, setup: Setup::default() });
            }
        };
        let section = top.section("game");
        let options = Values::check(problem.name(), &problem.options(), section.read::<Choice>()?.settings);
        let options = options.map_err(|message| section.fault(&[], message))?;
        let player = match problem.players().is_empty() {
            true => PlayerChoice::default(),
            false => read_player(top, "player", &*problem)?,
        };
        Ok(Source { problem, setup: Setup { options, player } })
    }

    /// Returns the sections of a file that declare this source.
    pub fn sections(&self) -> Map<String, Value> {
        if let Some(declaration) = self.problem.declaration() {
            return toml::from_str(declaration).expect("a declaration is TOML");
        }
        let mut sections = Map::new();
        sections.insert("game".to_string(), json!(Choice::of(self.problem.name(), &self.setup.options)));
        sections.extend(Choice::of_player(&self.setup.player).map(|player| ("player".to_string(), json!(player))));
        sections
    }

    /// Returns whether both are the same problem with the same options. The players may differ.
    pub fn is_same_problem(&self, other: &Source) -> bool {
        match (self.problem.declaration(), other.problem.declaration()) {
            (None, None) => self.problem.name() == other.problem.name() && self.setup.options == other.setup.options,
            (of, others) => of == others,
        }
    }

    /// Returns whether the scores of both are comparable: the problems are the same, or measure
    /// scores in the same way.
    pub fn compares(&self, other: &Source) -> bool {
        let (measure, others) = (self.problem.measure(), other.problem.measure());
        self.is_same_problem(other) || measure.is_some() && measure == others
    }

    /// Returns whether the file [declares](Problem::declaration) the problem itself, rather than
    /// naming one of the catalogue.
    pub fn is_declared(&self) -> bool {
        self.problem.declaration().is_some()
    }

    /// Returns the error message for a name or pattern that fits none of the problem's parameters.
    pub fn unknown(&self, name: &str) -> String {
        let (noun, list) = match self.is_declared() {
            true => ("parameter", String::new()),
            false => ("weight", format!(" (`evolve init --game {}` lists all)", self.problem.name())),
        };
        if name.contains('*') {
            return format!("no {noun} matches `{name}`{list}");
        }
        let parameters = self.problem.parameters();
        let near = nearest(name, parameters.iter().map(|parameter| parameter.name.as_str()));
        let hint = near.map(|near| format!("; the nearest name is `{near}`")).unwrap_or_default();
        format!("no {noun} `{name}`{hint}{list}")
    }

    /// Describes the problem and its options for people, for example `solitaire-chess --group 3`.
    pub fn title(&self) -> String {
        let options: String = self.setup.options.iter().map(|(name, value)| format!(" --{name} {value}")).collect();
        format!("{}{options}", self.problem.name())
    }
}

/// Reads a section that names a player and its settings.
///
/// # Errors
/// The first setting that is not allowed.
pub fn read_player(top: &Section<'_>, what: &str, problem: &dyn Problem) -> Result<PlayerChoice, Faults> {
    let section = top.section(what);
    let Choice { name, settings } = section.read()?;
    let player = PlayerChoice::check(problem.name(), &problem.players(), &name, settings);
    player.map_err(|message| section.fault(&[], message))
}

/// Reads the player of an exported program, which defaults to the player of the search.
///
/// # Errors
/// The first setting that is not allowed.
pub fn read_submission(top: &Section<'_>, source: &Source) -> Result<PlayerChoice, Faults> {
    match top.has("submission") {
        true => read_player(top, "submission", &*source.problem),
        false => Ok(source.setup.player.clone()),
    }
}
