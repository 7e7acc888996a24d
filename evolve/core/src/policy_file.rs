//! Weights files: a policy for one problem, readable by a person and by every command that takes weights.
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
//! [weights]       # a value for every parameter that the problem declares
//! tile_bronze = 2.0
//!
//! [run]           # of which run they are
//! name = "solitaire-chess/group-6"
//! version = 2
//! ```

use crate::document::{Document, Faults, Free, Section, nearest};
use crate::export::Tuned;
use crate::key::{quoted, quoted_key};
use crate::parameter::{Kind, Parameter};
use crate::problem::Catalogue;
use crate::setup::{PlayerChoice, Setup};
use crate::source::{Source, read_player, write_player};
use crate::statistics::Interval;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

/// A policy: for which problem, how it plays, and a value for each parameter.
#[derive(Clone)]
pub struct Policy {
    /// The problem and the player that the values were tuned in.
    pub source: Source,
    /// The player of an exported program.
    pub submission: PlayerChoice,
    /// The values in the order of the problem's parameters.
    pub values: Vec<f64>,
    /// The run that recommends them, if one does.
    pub run: Option<Origin>,
    /// What that run found; `None` if it did not judge them.
    pub verdict: Option<Found>,
}

/// The run that values are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its name.
    pub name: String,
    /// The version of players and search that it is of.
    pub version: u64,
}

/// The verdict of a run, as its weights file has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Whether the finalist was better than the start, and is recommended.
    pub improvement: bool,
    /// Games that both played.
    pub games: u64,
    /// The mean of the differences of objectives, with its 95 % interval.
    pub difference: Interval,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Found { improvement, games, difference } = self;
        let (Interval { mean, low, high }, digits) = (difference, difference.digits());
        let what = if improvement { "" } else { "the start itself; the finalist had " };
        write!(
            f,
            "{what}{mean:+.digits$} against the start on {games} games (95 %: {low:+.digits$} to {high:+.digits$})"
        )
    }
}

/// Name of the file with the recommended weights in the folder of a run.
pub const FILE_NAME: &str = "weights.toml";
/// Name of the file with what a run that goes on would recommend by now.
pub const SO_FAR: &str = "so-far.toml";

/// The weights file that a path names: itself, or in the folder of a run what it recommends, or what it would recommend
/// by now.
pub fn weights_file(path: &Path) -> PathBuf {
    let (final_one, so_far) = (path.join(FILE_NAME), path.join(SO_FAR));
    match path.is_dir() {
        // What cannot be looked at may well be there: whoever reads it is told.
        true if matches!(final_one.try_exists(), Ok(false)) && so_far.exists() => so_far,
        true => final_one,
        false => path.to_path_buf(),
    }
}

impl Policy {
    /// Reads the [weights file](weights_file) that a path names. What its problem names, such as a program, need not be
    /// there any more.
    ///
    /// # Errors
    /// If the file cannot be read or does not fit the problem's declarations.
    pub fn read(path: &Path, catalogue: &Catalogue) -> Result<Self, Faults> {
        Self::parse(&Document::read(&weights_file(path))?, catalogue)
    }

    /// The policy of a weights file.
    ///
    /// # Errors
    /// If it does not fit the problem's declarations.
    pub fn parse(document: &Document, catalogue: &Catalogue) -> Result<Self, Faults> {
        document.parse("a weights file", |top| {
            let source = Source::read(top, &catalogue.to_look())?;
            let submission = match top.has("submission") {
                true => read_player(top, "submission", &*source.problem)?,
                false => source.setup.player.clone(),
            };
            let parameters = source.problem.parameters();
            let mut section = top.section("weights");
            let mut values = vec![None; parameters.len()];
            for (place, value, line) in read_values(&mut section, &source, &parameters) {
                if values[place].replace(value).is_some() {
                    section.report(Some(line), "this weight is given twice");
                }
            }
            let missing: Vec<_> = parameters.iter().zip(&values).filter(|(_, value)| value.is_none()).collect();
            for (parameter, _) in &missing {
                section.report(None, format!("the weight `{}` is missing", parameter.name));
            }
            let run = read_origin(&mut top.section("run"));
            let verdict = read_found(&mut top.section("verdict"));
            top.finish(&[&Source::sections(catalogue)[..], &["submission", "weights", "run", "verdict"]].concat());
            Some(Policy { submission, values: values.into_iter().flatten().collect(), run, verdict, source })
        })
    }

    /// The setup in which the exported program plays.
    pub fn submission_setup(&self) -> Setup {
        Setup { options: self.source.setup.options.clone(), player: self.submission.clone() }
    }

    /// What an exported program has of it.
    pub fn tuned(&self) -> Tuned<'_> {
        let run = self.run.as_ref().map(|Origin { name, version }| format!(", run `{name}` (version {version})"));
        let found = self.verdict.map_or("not judged yet".to_string(), |found| found.to_string());
        let about = format!("Player {}{}: {found}.", self.source.setup.player, run.unwrap_or_default());
        Tuned { setup: self.submission_setup(), values: &self.values, about }
    }

    /// The text of a weights file.
    pub fn to_toml(&self) -> String {
        let mut text = self.source.write();
        write_player(&mut text, "submission", &self.submission);
        text.push_str("\n[weights]\n");
        write_parameters(&mut text, &self.source.problem.parameters(), &self.values);
        if let Some(Origin { name, version }) = &self.run {
            write!(text, "\n[run]\nname = {}\nversion = {version}\n", quoted(name))
                .expect("writing to a string does not fail");
        }
        text
    }
}

fn read_origin(section: &mut Section<'_>) -> Option<Origin> {
    let name = section.take("name").and_then(|name| name.text().map(String::from));
    let version = section.take("version").and_then(|version| u64::try_from(version.integer()?).ok());
    section.rest();
    Some(Origin { name: name?, version: version? })
}

/// The rest of a run's verdict is for people.
fn read_found(section: &mut Section<'_>) -> Option<Found> {
    let improvement = section.take("improvement").and_then(|improvement| improvement.switch());
    let games = section.take("games").and_then(|games| u64::try_from(games.integer()?).ok());
    let [mean, low, high] =
        ["difference", "low", "high"].map(|name| section.take(name).and_then(|value| value.number()));
    section.rest();
    let difference = Interval { mean: mean?, low: low?, high: high? };
    Some(Found { improvement: improvement?, games: games?, difference })
}

/// Writes a line for each parameter with its value.
pub fn write_parameters(text: &mut String, parameters: &[Parameter], values: &[f64]) {
    for (parameter, &value) in parameters.iter().zip(values) {
        writeln!(text, "{} = {}", quoted_key(&parameter.name), toml_value(parameter, value))
            .expect("writing to a string does not fail");
    }
}

/// A value in TOML.
pub fn toml_value(parameter: &Parameter, value: f64) -> String {
    match &parameter.kind {
        Kind::Choice(_) => quoted(&parameter.show(value)),
        _ => parameter.show(value),
    }
}

/// Reads values of parameters: place in the declaration, value, line. What is wrong is reported.
pub fn read_values(section: &mut Section<'_>, source: &Source, parameters: &[Parameter]) -> Vec<(usize, f64, usize)> {
    let places: HashMap<&str, usize> = parameters.iter().enumerate().map(|(i, p)| (p.name.as_str(), i)).collect();
    let mut found = Vec::new();
    for free in section.rest() {
        let Some(&place) = places.get(free.name.as_str()) else {
            if section.is_full() {
                section.report(Some(free.line), String::new());
            } else {
                section.report(Some(free.line), unknown(source, parameters, &free.name));
            }
            continue;
        };
        match read_value(&free, &parameters[place]) {
            Some(value) => found.push((place, value, free.line)),
            None => {
                let Parameter { name, .. } = &parameters[place];
                section.report(Some(free.line), format!("`{name}` takes {}", parameters[place].allowed()));
            }
        }
    }
    found
}

/// A value of TOML as one of a parameter.
pub fn read_value(free: &Free<'_>, parameter: &Parameter) -> Option<f64> {
    let value = match &parameter.kind {
        Kind::Float { .. } => free.number(),
        Kind::Int { .. } => free.integer().map(|value| value as f64),
        Kind::Choice(_) => free.text().and_then(|text| parameter.parse(text)),
        Kind::Switch => free.switch().map(|on| f64::from(u8::from(on))),
    };
    value.filter(|&value| parameter.allows(value))
}

/// What to say of a parameter that a problem does not have.
pub fn unknown(source: &Source, parameters: &[Parameter], name: &str) -> String {
    let near = nearest(name, parameters.iter().map(|parameter| parameter.name.as_str()));
    let hint = near.map(|near| format!("; the nearest name is `{near}`")).unwrap_or_default();
    match source.is_declared() {
        false => {
            format!("there is no weight `{name}`{hint} (`evolve init --game {}` lists all)", source.problem.name())
        }
        true => format!("there is no parameter `{name}`{hint}"),
    }
}
