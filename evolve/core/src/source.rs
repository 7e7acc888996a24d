//! Which problem a file is about: a game of the catalogue in `[game]` and `[player]`, or one that the file declares
//! itself in a section of its own, such as `[program]`.

use crate::document::{Free, Section};
use crate::key::{Key, Takes};
use crate::problem::{Catalogue, Problem};
use crate::setup::{Given, PlayerChoice, SettingError, Setup, Values};
use std::fmt::Write;
use std::sync::Arc;

/// A problem, and how it is played.
#[derive(Clone)]
pub struct Source {
    /// The problem.
    pub problem: Arc<dyn Problem>,
    /// How it is played.
    pub setup: Setup,
}

/// The name of the game or player of a section.
pub const NAME: Key = Key {
    name: "name",
    takes: Takes::Text,
    default: "",
    meaning: "which one; `evolve init --help` lists games, and `evolve init --game NAME` writes their players",
};

impl Source {
    /// Reads which problem a file is about.
    pub fn read(top: &mut Section<'_>, catalogue: &Catalogue) -> Option<Self> {
        for declares in catalogue.declares() {
            if top.has(declares.sections()[0].name) {
                if top.has("game") {
                    let message =
                        format!("a job has one of [game] and [{}]: leave the other out", declares.sections()[0].name);
                    top.report(top.line_of("game"), message);
                    top.take("game");
                }
                let problem = declares.read(top, catalogue.reading())?;
                return Some(Source { problem, setup: Setup::default() });
            }
        }
        let mut section = top.section("game");
        let (name, line) = read_name(&mut section)?;
        let problem = match catalogue.find(&name) {
            Ok(problem) => Arc::clone(problem),
            Err(message) => {
                section.report(line, message);
                return None;
            }
        };
        let (given, lines) = settings(&mut section);
        let options = Values::check(problem.name(), problem.options(), given);
        let options = options.map_err(|error| report(&section, &lines, None, error)).ok();
        let player = match problem.players() {
            [] => Some(PlayerChoice::default()),
            _ => read_player(top, "player", &*problem),
        };
        Some(Source { problem, setup: Setup { options: options?, player: player? } })
    }

    /// The sections that [`read`](Self::read) takes, as a list of names.
    pub fn sections(catalogue: &Catalogue) -> Vec<&'static str> {
        let declared = catalogue.declares().flat_map(|declares| declares.sections().iter().map(|keys| keys.name));
        ["game", "player"].into_iter().chain(declared).collect()
    }

    /// The sections that read as this source.
    pub fn write(&self) -> String {
        if let Some(declaration) = self.problem.declaration() {
            return declaration.to_string();
        }
        let mut text = format!("[game]\nname = \"{}\"\n", self.problem.name());
        write_values(&mut text, &self.setup.options);
        write_player(&mut text, "player", &self.setup.player);
        text
    }

    /// Whether two are the same problem with the same options; players may differ.
    pub fn is_same_problem(&self, other: &Source) -> bool {
        match (self.problem.declaration(), other.problem.declaration()) {
            (None, None) => self.problem.name() == other.problem.name() && self.setup.options == other.setup.options,
            (of, others) => of == others,
        }
    }

    /// Whether scores of both compare: they are the same problem, or measured alike.
    pub fn compares(&self, other: &Source) -> bool {
        let (measure, others) = (self.problem.measure(), other.problem.measure());
        self.is_same_problem(other) || measure.is_some() && measure == others
    }

    /// Whether the file declares the problem itself, rather than naming one of the catalogue.
    pub fn is_declared(&self) -> bool {
        self.problem.declaration().is_some()
    }

    /// The problem and its options for a person, such as `solitaire-chess --group 3`.
    pub fn title(&self) -> String {
        let options: String = self.setup.options.iter().map(|(name, value)| format!(" --{name} {value}")).collect();
        format!("{}{options}", self.problem.name())
    }
}

/// Reads a section that chooses a player and its settings.
pub fn read_player(top: &mut Section<'_>, what: &str, problem: &dyn Problem) -> Option<PlayerChoice> {
    let mut section = top.section(what);
    let (name, line) = read_name(&mut section)?;
    let (given, lines) = settings(&mut section);
    let player = PlayerChoice::check(problem.name(), problem.players(), &name, given);
    player.map_err(|error| report(&section, &lines, line, error)).ok()
}

/// Writes a section that chooses a player, where there is a choice.
pub fn write_player(text: &mut String, what: &str, player: &PlayerChoice) {
    if !player.name.is_empty() {
        write!(text, "\n[{what}]\nname = \"{}\"\n", player.name).expect("writing to a string does not fail");
        write_values(text, &player.values);
    }
}

fn write_values(text: &mut String, values: &Values) {
    for (name, value) in values.toml() {
        writeln!(text, "{name} = {value}").expect("writing to a string does not fail");
    }
}

fn read_name(section: &mut Section<'_>) -> Option<(String, Option<usize>)> {
    let line = section.line_of(NAME.name);
    let name: String = section.get(&NAME);
    (!name.is_empty()).then_some((name, line))
}

/// Names and the lines where they stand.
type Lines = Vec<(String, usize)>;

/// The entries of a section as settings, and their lines. What can be none is reported.
fn settings(section: &mut Section<'_>) -> (Vec<(String, Given)>, Lines) {
    let free = section.rest();
    let mut given = Vec::new();
    let mut lines = Vec::new();
    for entry in free {
        match value(&entry) {
            Some(value) => given.push((entry.name.clone(), value)),
            None => section.report(Some(entry.line), format!("`{}` takes a whole number or a name", entry.name)),
        }
        lines.push((entry.name, entry.line));
    }
    (given, lines)
}

fn value(free: &Free<'_>) -> Option<Given> {
    free.integer().map(Given::Number).or_else(|| free.text().map(|text| Given::Name(text.to_string())))
}

fn report(section: &Section<'_>, lines: &Lines, otherwise: Option<usize>, error: SettingError) {
    let line = error.name.and_then(|name| lines.iter().find(|(given, _)| *given == name).map(|&(_, line)| line));
    section.report(line.or(otherwise), error.message);
}
