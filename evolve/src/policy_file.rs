//! Weights files: a policy for one game, readable by a person and by every command that takes weights.
//!
//! ```toml
//! [game]
//! name = "solitaire-chess"
//! group = 6
//!
//! [player]        # how it was tuned
//! name = "beam"
//! width = 5
//! depth = 10
//!
//! [submission]    # how the exported program plays; left out: as it was tuned
//! name = "beam"
//! width = 10
//! depth = 16
//!
//! [weights]       # every weight that the game declares
//! tile_bronze = 2.0
//! ```

use crate::document::{Document, Fault, Key, Section, Takes, Value};
use crate::game::{Game, PlayerChoice, Values};
use policy::weights::Weight;
use std::fmt::Write;
use std::path::Path;

/// A policy: for which options of which game, how it plays, and its weights.
#[derive(Clone)]
pub struct Policy {
    /// The game.
    pub game: &'static dyn Game,
    /// The game's options.
    pub options: Values,
    /// The player that the weights were tuned in.
    pub player: PlayerChoice,
    /// The player of an exported program.
    pub submission: PlayerChoice,
    /// The weights in declaration order.
    pub weights: Vec<f64>,
}

/// Name of the file with the recommended weights in the folder of a run.
pub const FILE_NAME: &str = "weights.toml";

impl Policy {
    /// Reads a weights file, or the one in the folder of a run.
    ///
    /// # Errors
    /// If the file cannot be read or does not fit the game's declarations.
    pub fn read(path: &Path) -> Result<Self, Fault> {
        if path.is_dir() {
            Self::parse(&Document::read(&path.join(FILE_NAME))?)
        } else {
            Self::parse(&Document::read(path)?)
        }
    }

    /// The policy of a weights file.
    ///
    /// # Errors
    /// If it does not fit the game's declarations.
    pub fn parse(document: &Document) -> Result<Self, Fault> {
        let mut top = document.top("a weights file")?;
        let (game, options) = read_game(&mut top)?;
        let player = read_player(&mut top, "player", game)?;
        let submission =
            if top.has("submission") { read_player(&mut top, "submission", game)? } else { player.clone() };
        let mut section = top.section("weights")?;
        let mut weights = vec![None; game.weights().len()];
        for (place, value, line) in read_weights(&mut section, game)? {
            if weights[place].replace(value).is_some() {
                return Err(section.fault(Some(line), "this weight is given twice"));
            }
        }
        let mut complete = Vec::new();
        for (value, declared) in weights.into_iter().zip(game.weights()) {
            let lacking = || section.fault(None, format!("the weight `{}` is missing", declared.name));
            complete.push(value.ok_or_else(lacking)?);
        }
        // A run's verdict is for people.
        let _ = top.section("verdict")?;
        top.finish(&["game", "player", "submission", "weights", "verdict"])?;
        Ok(Policy { game, options, player, submission, weights: complete })
    }

    /// The text of a weights file.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        write_game(&mut text, self.game, &self.options);
        write_player(&mut text, "player", &self.player);
        write_player(&mut text, "submission", &self.submission);
        text.push_str("\n[weights]\n");
        for (weight, value) in self.game.weights().iter().zip(&self.weights) {
            writeln!(text, "{} = {value:?}", weight.name).expect("writing to a string does not fail");
        }
        text
    }
}

/// The name of the game or player of a section.
pub const NAME: Key =
    Key { name: "name", takes: Takes::Text, default: None, meaning: "which one; `evolve games` lists what there is" };

fn read_name(section: &mut Section<'_>, what: &str) -> Result<(String, Option<usize>), Fault> {
    let line = section.line_of(NAME.name);
    match section.take(&NAME)? {
        Some(Value::Text(name)) => Ok((name, line)),
        _ => Err(section.fault(None, format!("[{what}] needs a `name`; `evolve games` lists what there is"))),
    }
}

/// Reads `[game]`: its name and options.
pub(crate) fn read_game(top: &mut Section<'_>) -> Result<(&'static dyn Game, Values), Fault> {
    let mut section = top.section("game")?;
    let (name, line) = read_name(&mut section, "game")?;
    let game = crate::games::find(&name).map_err(|message| section.fault(line, message))?;
    let given = integers(&mut section)?;
    let lines = given.clone();
    let options = Values::check(game.name(), game.options(), given.into_iter().map(|(name, value, _)| (name, value)))
        .map_err(|error| section.fault(line_of(&lines, error.name.as_deref()), error.message))?;
    Ok((game, options))
}

/// Reads a section that chooses a player and its settings.
pub(crate) fn read_player(top: &mut Section<'_>, what: &str, game: &'static dyn Game) -> Result<PlayerChoice, Fault> {
    let mut section = top.section(what)?;
    let (name, line) = read_name(&mut section, what)?;
    let given = integers(&mut section)?;
    let lines = given.clone();
    game.player(&name, given.into_iter().map(|(name, value, _)| (name, value))).map_err(|error| {
        let line = line_of(&lines, error.name.as_deref()).or(line);
        section.fault(line, error.message)
    })
}

/// Reads the values of weights: place in the declaration, value, line.
pub(crate) fn read_weights(section: &mut Section<'_>, game: &dyn Game) -> Result<Vec<(usize, f64, usize)>, Fault> {
    let declared = game.weights();
    let mut found = Vec::new();
    for free in section.rest() {
        let place =
            find_weight(game, &declared, &free.name).map_err(|message| section.fault(Some(free.line), message))?;
        let weight = &declared[place];
        let value = free.number().filter(|value| (weight.min..=weight.max).contains(value)).ok_or_else(|| {
            let message = format!("`{}` takes a number from {} to {}", weight.name, weight.min, weight.max);
            section.fault(Some(free.line), message)
        })?;
        found.push((place, value, free.line));
    }
    Ok(found)
}

/// The place of a weight of a game in its declaration.
pub(crate) fn find_weight(game: &dyn Game, declared: &[Weight], name: &str) -> Result<usize, String> {
    declared.iter().position(|weight| weight.name == name).ok_or_else(|| {
        let near = declared.iter().map(|weight| weight.name).min_by_key(|other| distance(name, other));
        let hint = near.map(|near| format!("; the nearest name is `{near}`")).unwrap_or_default();
        format!("there is no weight `{name}`{hint} (`evolve games {}` lists all)", game.name())
    })
}

/// How many letters differ, by the longest common subsequence: small for names that are alike.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row = vec![0; b.len() + 1];
    for x in a.chars() {
        let mut diagonal = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if x == *y { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
    }
    a.chars().count() + b.len() - 2 * row[b.len()]
}

type Integers = Vec<(String, i64, usize)>;

fn integers(section: &mut Section<'_>) -> Result<Integers, Fault> {
    let mut found = Vec::new();
    for free in section.rest() {
        let Some(value) = free.integer() else {
            return Err(section.fault(Some(free.line), format!("`{}` takes a whole number", free.name)));
        };
        found.push((free.name, value, free.line));
    }
    Ok(found)
}

fn line_of(given: &Integers, name: Option<&str>) -> Option<usize> {
    let name = name?;
    given.iter().find(|(given, _, _)| given == name).map(|&(_, _, line)| line)
}

/// Writes `[game]`.
pub(crate) fn write_game(text: &mut String, game: &dyn Game, options: &Values) {
    write!(text, "[game]\nname = \"{}\"\n", game.name()).expect("writing to a string does not fail");
    write_values(text, options);
}

/// Writes a section that chooses a player.
pub(crate) fn write_player(text: &mut String, what: &str, player: &PlayerChoice) {
    write!(text, "\n[{what}]\nname = \"{}\"\n", player.name).expect("writing to a string does not fail");
    write_values(text, &player.values);
}

fn write_values(text: &mut String, values: &Values) {
    for (name, value) in values.iter() {
        writeln!(text, "{name} = {value}").expect("writing to a string does not fail");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_told_as_those_of_a_weights_file() {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/gomoku");
        let text = Policy::read(&results).unwrap().to_toml();
        let fault = |text: String| {
            let parsed = Policy::parse(&Document::new(Path::new("weights.toml"), text));
            parsed.map(|_| ()).unwrap_err().message
        };
        assert_eq!(
            fault(format!("seed = 1\n{text}")),
            "a weights file has no key `seed`; it has `game`, `player`, `submission`, `weights`, `verdict`"
        );
        assert_eq!(
            fault(text.replace("three_three =", "threes_three =")),
            "there is no weight `threes_three`; the nearest name is `three_three` (`evolve games gomoku` lists all)"
        );
    }
}
