//! Problems: descriptions of the games and programs to tune.
//!
//! A [`Problem`] is complete: it has its options, and the player whose parameters are tuned. It has
//! a name, parameters and a [`Session`], which plays it.

pub use crate::model::candidate::Candidate;
pub use crate::model::session::{
    Contender, Context, Input, Notes, OpenError, Player, Remembering, Session, StopFlags, session,
};

use crate::document::Table;
use crate::document::text::{nearest, plain, table, to_toml};
use crate::model::behaviour::{Behaviour, Variation};
use crate::model::constraint::Constraint;
use crate::model::features::Features;
use crate::model::goal::Goal;
use crate::model::parameter::Parameter;
use crate::model::rating::Rating;
use crate::model::seed::Split;
use crate::model::space::{ForbiddenError, Space};
use crate::model::trial::Metrics;
use serde::Serialize;
use serde_json::{Value, json};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The reason why a score has no objective.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NoObjective(pub String);

/// A game or program that can be tuned. It starts nothing and holds no resources before
/// [`open`](Self::open).
pub trait Problem: Any + Send + Sync {
    /// Returns the name on the command line and in jobs.
    fn name(&self) -> &str;

    /// Returns one line for listings.
    fn summary(&self) -> &str {
        ""
    }

    /// Returns the options in `[game]`, beside the name, as [`written`].
    fn options(&self) -> Table {
        Table::new()
    }

    /// Returns the player whose parameters are tuned, as [`written`]; `None` if there is only
    /// one way to play.
    fn player(&self) -> Option<Table> {
        None
    }

    /// Returns the parameters, in the order of a candidate's values.
    fn parameters(&self) -> Vec<Parameter>;

    /// Returns the names of the numbers and groups in outcomes.
    fn metrics(&self) -> Metrics {
        Metrics::default()
    }

    /// Returns the limits that a recommended candidate has to hold, on numbers among the
    /// [`metrics`](Self::metrics).
    fn constraints(&self) -> Vec<Constraint> {
        Vec::new()
    }

    /// Returns the problem as a declared one, if a file declares it with its parameters.
    fn declared(&self) -> Option<&dyn Declared> {
        None
    }

    /// Returns the names of the instances of a split, if they are listed. Case `n` of the split is
    /// replicate `n / len` of the instance at index `n % len`. Cases of the same instance are not
    /// independent.
    fn instances(&self, _split: Split) -> Option<Vec<String>> {
        None
    }

    /// Returns what is known of the instances of the search before they are played, in the order of
    /// [`instances`](Self::instances).
    fn features(&self) -> Arc<Features> {
        Arc::default()
    }

    /// Returns the same problem for runs in which the same trial gave different outcomes: its
    /// trials are not deterministic. `None` if that cannot happen.
    fn not_deterministic(&self) -> Option<Arc<dyn Problem>> {
        None
    }

    /// Opens the problem for play: builds, reads and solves the data that all trials need, on the
    /// calling thread.
    ///
    /// # Errors
    /// If the problem cannot be played, or opening was stopped on request.
    fn open(&self, context: Context) -> Result<Box<dyn Session>, OpenError>;

    /// Returns how its trials behave.
    fn behaviour(&self) -> Behaviour {
        Behaviour::default()
    }

    /// Returns the goal; `None` if the rules of the contest state it.
    fn goal(&self) -> Option<Goal> {
        None
    }

    /// Returns the objective of a score alone; larger is better.
    ///
    /// # Errors
    /// If the score has no objective, or the objective depends on more than the score.
    fn objective(&self, score: f64) -> Result<f64, NoObjective> {
        Ok(score)
    }
}

/// The further methods of a problem that a file declares together with its parameters, as in
/// `[program]`.
pub trait Declared {
    /// Returns the sections of a file that declare the problem.
    fn sections(&self) -> Table;

    /// Returns the space of candidates with these parameters, which are its own with other ranges,
    /// from a start. Those at the indices `tuned` are tuned.
    fn space(&self, parameters: Vec<Parameter>, start: Vec<f64>, tuned: Vec<usize>) -> Space;

    /// Returns a text that identifies the cases and scores. Problems with the same text, such as
    /// two versions of a program, can be compared.
    fn comparison_key(&self) -> String;

    /// Returns the time limit that a player receives and uses up on cases of a split; `None` if
    /// there is none.
    fn time_limit(&self, split: Split) -> Option<Duration>;

    /// Returns the source file into which `evolve export` writes values back, if any.
    fn marked_source(&self) -> Option<&str>;
}

impl dyn Problem {
    /// Returns the sections of a file that declare the problem.
    pub fn sections(&self) -> Table {
        if let Some(declared) = self.declared() {
            return declared.sections();
        }
        let mut game = Table::from_iter([("name".to_string(), json!(self.name()))]);
        game.extend(self.options());
        let player = self.player().map(|player| ("player".to_string(), Value::Object(player)));
        [("game".to_string(), Value::Object(game))].into_iter().chain(player).collect()
    }

    /// Returns the space of candidates with these parameters, which are its own with other ranges,
    /// from a start. Those at the indices `tuned` are tuned.
    pub fn space(&self, parameters: Vec<Parameter>, start: Vec<f64>, tuned: Vec<usize>) -> Space {
        match self.declared() {
            Some(declared) => declared.space(parameters, start, tuned),
            None => Space::new(parameters, start, tuned),
        }
    }

    /// Returns the [key](Declared::comparison_key) of comparisons. Without one, the problem can
    /// only be compared with itself.
    pub fn comparison_key(&self) -> Option<String> {
        self.declared().map(Declared::comparison_key)
    }

    /// Returns how many of `cases` cases of a split are worth playing: of a listed instance without
    /// replicates, only one.
    pub fn worth_playing(&self, split: Split, cases: usize) -> usize {
        match self.instances(split) {
            Some(names) if !names.is_empty() && !self.behaviour().has_replicates() => cases.min(names.len()),
            _ => cases,
        }
    }

    /// Returns whether `cases` cases of the test are all there is, so that a comparison on them is
    /// exact: outcomes are deterministic, and the cases cover the only instance, or the whole list
    /// that the search uses as well.
    pub fn is_exact(&self, cases: usize) -> bool {
        match self.behaviour().variation {
            Variation::OneCase => true,
            Variation::Instances => {
                let listed = self.instances(Split::Test).map_or(0, |names| names.len());
                (1..=cases).contains(&listed) && self.is_tested_on_searched()
            }
            Variation::Cases | Variation::Chance => false,
        }
    }

    /// Returns whether the test uses the instances of the search, so that its result is about these
    /// instances only.
    pub fn is_tested_on_searched(&self) -> bool {
        let searched = self.instances(Split::Search);
        searched.is_some() && searched == self.instances(Split::Test)
    }

    /// Returns how candidates on the same case are rated against each other, as the goal says.
    pub fn rating(&self) -> Rating {
        self.goal().map_or(Rating::Objective, |goal| goal.rating)
    }

    /// Returns whether there are constraints.
    pub fn is_constrained(&self) -> bool {
        !self.constraints().is_empty()
    }

    /// Describes the problem and its options for people, for example `solitaire-chess --group 3`.
    pub fn title(&self) -> String {
        let option = |(name, value): (&String, &Value)| format!(" --{name} {}", plain(value));
        let options: String = self.options().iter().map(option).collect();
        format!("{}{options}", self.name())
    }

    /// Describes the player for people, for example `beam depth=10 width=5`; empty if there is only
    /// one way to play.
    pub fn player_title(&self) -> String {
        let Some(mut player) = self.player() else { return String::new() };
        let name = player.shift_remove("name").unwrap_or_default();
        let setting = |(name, value): (&String, &Value)| format!(" {name}={}", plain(value));
        format!("{}{}", plain(&name), player.iter().map(setting).collect::<String>())
    }

    /// Formats the sections that declare the problem.
    pub fn to_toml(&self) -> String {
        to_toml(&self.sections())
    }

    /// Returns whether both are the same problem with the same options. The players may differ.
    pub fn is_same(&self, other: &dyn Problem) -> bool {
        let of = |problem: &dyn Problem| {
            let mut sections = problem.sections();
            sections.shift_remove("player");
            to_toml(&sections)
        };
        of(self) == of(other)
    }

    /// Returns whether the scores of both are comparable: the problems are the same, or measure
    /// scores in the same way.
    pub fn compares(&self, other: &dyn Problem) -> bool {
        let (key, others) = (self.comparison_key(), other.comparison_key());
        self.is_same(other) || key.is_some() && key == others
    }

    /// Checks that the values of a candidate are allowed.
    ///
    /// # Errors
    /// If their combination is forbidden.
    pub fn check_values(&self, values: &[f64]) -> Result<(), ForbiddenError> {
        let parameters = self.parameters();
        let start = parameters.iter().map(|parameter| parameter.start).collect();
        self.space(parameters, start, Vec::new()).check(values)
    }

    /// Returns the error message for a name or pattern that fits none of the parameters.
    pub fn unknown(&self, name: &str) -> String {
        let (noun, list) = match self.declared().is_some() {
            true => ("parameter", String::new()),
            false => ("weight", format!(" (`evolve init --game {}` lists all)", self.name())),
        };
        if name.contains('*') {
            return format!("no {noun} matches `{name}`{list}");
        }
        let parameters = self.parameters();
        let near = nearest(name, parameters.iter().map(|parameter| parameter.name.as_str()));
        let hint = near.map(|near| format!("; the nearest name is `{near}`")).unwrap_or_default();
        format!("no {noun} `{name}`{hint}{list}")
    }
}

/// Returns the options of a game as files have them, in alphabetical order.
///
/// # Panics
/// If they are not a table.
pub fn written(options: &impl Serialize) -> Table {
    let mut options = table(options);
    options.sort_keys();
    options
}

/// Returns a player as files have it: the `name` of the variant first, then its settings in
/// alphabetical order.
///
/// # Panics
/// If it is not a variant with named settings, or none.
pub fn written_player(player: &impl Serialize) -> Table {
    let (name, settings) = match serde_json::to_value(player).expect("a variant") {
        Value::Object(variant) => variant.into_iter().next().expect("a variant has a name"),
        name => (plain(&name), Value::Object(Table::new())),
    };
    [("name".to_string(), Value::String(name))].into_iter().chain(written(&settings)).collect()
}
