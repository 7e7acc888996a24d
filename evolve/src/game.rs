//! What a game offers to the tuner: options, players, weights, an arena to play in, a referee, an export.

use crate::judge::referee::{Outcome, Referee};
use crate::policy_file::Policy;
use policy::weights::Weight;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// A whole-number setting of a game or a player, declared once.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Name in configurations and on the command line.
    pub name: &'static str,
    /// What it does, for a person.
    pub meaning: &'static str,
    /// Smallest value allowed.
    pub min: u32,
    /// Largest value allowed.
    pub max: u32,
    /// The value if none is given; `None` if it has to be given.
    pub default: Option<u32>,
}

/// A kind of player.
#[derive(Clone, Copy, Debug)]
pub struct PlayerKind {
    /// Name in configurations.
    pub name: &'static str,
    /// How it plays, for a person.
    pub meaning: &'static str,
    /// Its settings.
    pub settings: &'static [Setting],
}

/// Checked values of settings by name; every declared setting has one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<String, u32>);

/// Why given settings do not fit their declaration; `name` is the setting at fault if one was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError {
    /// The name as given; `None` if a setting is missing.
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
    pub fn check(
        owner: &str,
        declared: &[Setting],
        given: impl IntoIterator<Item = (String, i64)>,
    ) -> Result<Self, SettingError> {
        let mut values = BTreeMap::new();
        for (name, value) in given {
            let fault = |message| SettingError { name: Some(name.clone()), message };
            let Some(setting) = declared.iter().find(|setting| setting.name == name) else {
                return Err(fault(format!("{owner} has no setting `{name}`; {}", allowed_names(declared))));
            };
            let range = i64::from(setting.min)..=i64::from(setting.max);
            if !range.contains(&value) {
                let (min, max) = (setting.min, setting.max);
                return Err(fault(format!("`{name}` of {owner} is {value}; allowed are {min} to {max}")));
            }
            values.insert(name, value as u32);
        }
        for setting in declared {
            if values.contains_key(setting.name) {
                continue;
            }
            let Some(default) = setting.default else {
                let Setting { name, meaning, min, max, .. } = setting;
                let message = format!("{owner} needs `{name}` ({meaning}), from {min} to {max}");
                return Err(SettingError { name: None, message });
            };
            values.insert(setting.name.to_string(), default);
        }
        Ok(Values(values))
    }

    /// The value of a declared setting.
    ///
    /// # Panics
    /// If the setting was not declared when the values were checked.
    pub fn get(&self, name: &str) -> u32 {
        self.0[name]
    }

    /// All values in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        self.0.iter().map(|(name, &value)| (name.as_str(), value))
    }
}

fn allowed_names(declared: &[Setting]) -> String {
    match declared {
        [] => "it has none".to_string(),
        _ => format!("it has {}", declared.iter().map(|s| format!("`{}`", s.name)).collect::<Vec<_>>().join(", ")),
    }
}

/// A kind of player and its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerChoice {
    /// Name of the [`PlayerKind`].
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

/// A game that can be tuned. [`games`](crate::games) lists them all.
pub trait Game: Sync {
    /// Name on the command line and in configurations.
    fn name(&self) -> &'static str;
    /// One line for listings.
    fn summary(&self) -> &'static str;
    /// Options that make different problems of it.
    fn options(&self) -> &'static [Setting];
    /// Its players.
    fn players(&self) -> &'static [PlayerKind];
    /// The weights of its evaluation, in declaration order.
    fn weights(&self) -> Vec<Weight>;
    /// Where candidates play it.
    fn arena(&self, options: &Values, player: &PlayerChoice) -> Box<dyn Arena>;
    /// The contest's side of a dialogue over the game dealt from `deal`.
    fn referee(&self, options: &Values, deal: u64) -> Box<dyn Referee>;
    /// How many games a program plays in one dialogue.
    fn games_each(&self, _options: &Values) -> usize {
        1
    }
    /// The score of a game that a program failed to play as it should: no better than any that it could have played.
    fn failed(&self, _options: &Values) -> f64 {
        0.0
    }
    /// The contest's side of a dialogue over one of the contest's own games, by its number.
    ///
    /// # Errors
    /// A message if there is no such game, or none at all.
    fn original(&self, _options: &Values, _number: u64) -> Result<Box<dyn Referee>, String> {
        Err(format!("the contest's own games of {} are not known; --games plays others", self.name()))
    }
    /// Walks all that an opponent could do against the player of a policy, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// A message if no proof is possible for this game.
    fn prove(&self, _policy: &Policy) -> Result<Proof, String> {
        Err(format!("{} has no opponent whose every move could be walked through", self.name()))
    }
    /// A self-contained source file that plays each policy by the contest's dialogue, within `time_limit` a game.
    ///
    /// # Errors
    /// A message if the policies cannot be put in one program.
    fn export(&self, policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String>;
}

/// An exported program.
#[derive(Debug)]
pub struct Program {
    /// Its source file.
    pub source: String,
    /// What its user should know about it, a line each.
    pub notes: Vec<String>,
}

/// What came of an attempt to prove that a policy cannot be beaten.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// What was walked through, by name, such as positions: the certificate.
    pub counts: Vec<(&'static str, f64)>,
    /// How an opponent beats the policy; `None` if it is proven that none can.
    pub refutation: Option<Refutation>,
}

/// A line of play that beats a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refutation {
    /// How it ends, for a person.
    pub reason: String,
    /// The start and the moves of both sides, in the notation of the contest's dialogue.
    pub line: Vec<String>,
}

/// A place where candidates play games dealt from seeds; each game is independent of all others.
pub trait Arena: Send + Sync {
    /// A player with these weights, in declaration order.
    fn contestant(&self, weights: &[f64]) -> Box<dyn Contestant + '_>;
}

/// A player in an arena.
pub trait Contestant {
    /// Plays the game dealt from `deal`. The outcome depends on the weights and the deal alone.
    fn play(&mut self, deal: u64) -> Outcome;
}

impl dyn Game {
    /// The player of that name with these settings.
    pub fn player(
        &self,
        name: &str,
        given: impl IntoIterator<Item = (String, i64)>,
    ) -> Result<PlayerChoice, SettingError> {
        let Some(kind) = self.players().iter().find(|kind| kind.name == name) else {
            let known: Vec<_> = self.players().iter().map(|kind| format!("`{}`", kind.name)).collect();
            let message = format!("{} has no player `{name}`; it has {}", self.name(), known.join(", "));
            return Err(SettingError { name: Some("name".to_string()), message });
        };
        let values = Values::check(&format!("player `{name}`"), kind.settings, given)?;
        Ok(PlayerChoice { name: name.to_string(), values })
    }
}
