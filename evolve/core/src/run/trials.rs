//! The tables of single trials, for problems whose trials are dear: `trials.csv`, and their times, which do not
//! reproduce, in `trial-times.csv`.

use super::cell::cell;
use super::error::RunError;
use super::folder::Folder;
use super::round::Round;
use super::state::State;
use super::table::Table;
use crate::config::Job;
use crate::evaluator::Trial;
use crate::parameter::Parameter;
use crate::problem::Problem;
use crate::seed::Purpose;
use crate::trial::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The name of the table of trials.
pub const TRIALS: &str = "trials.csv";
/// The name of the table of their times.
pub const TIMES: &str = "trial-times.csv";

/// The tables of single trials.
pub struct Trials {
    trials: Table,
    times: Table,
    problem: Arc<dyn Problem>,
    /// The parameters that have a column: their places among all.
    columns: Vec<(usize, Parameter)>,
    instances: BTreeMap<Purpose, Option<Vec<String>>>,
}

/// How many bytes of the tables belong to a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    trials: u64,
    times: u64,
}

impl Trials {
    /// The tables as they were when they were marked.
    pub fn open(folder: &Folder, job: &Job, marks: Marks) -> Result<Self, RunError> {
        let places = job.space.places().iter().copied();
        let mut tables = Trials {
            trials: Table::open(folder.file(TRIALS), marks.trials)?,
            times: Table::open(folder.file(TIMES), marks.times)?,
            problem: Arc::clone(&job.source.problem),
            columns: places.zip(job.space.evolving().cloned()).collect(),
            instances: BTreeMap::new(),
        };
        if tables.trials.length() == 0 {
            let fixed = ["trial", "stage", "number", "instance", "repetition", "seed", "score", "objective", "failure"];
            let columns = tables.columns.iter().map(|(_, parameter)| format!("value.{}", parameter.name));
            let header: Vec<String> =
                fixed.into_iter().chain(["parts", "kinds"]).map(String::from).chain(columns).collect();
            tables.trials.row(&header);
        }
        if tables.times.length() == 0 {
            tables.times.row(["trial", "seconds"]);
        }
        Ok(tables)
    }

    /// Adds a row for each trial; the run has played `state.games` before them.
    pub fn rows(&mut self, state: &State, round: &Round, trials: &[Trial], outcomes: &[Outcome]) {
        for ((trial, outcome), number) in trials.iter().zip(outcomes).zip(state.games..) {
            let deal = &trial.deal;
            let problem = &self.problem;
            let instances = self.instances.entry(deal.purpose).or_insert_with(|| problem.instances(deal.purpose));
            let (instance, repetition) = match instances.as_deref() {
                Some(names) if !names.is_empty() => {
                    let count = names.len() as u64;
                    (cell(&names[(deal.number % count) as usize]).into_owned(), deal.number / count)
                }
                _ => (String::new(), 0),
            };
            let stage = match deal.purpose {
                Purpose::HeldOut => "held-out",
                Purpose::Finalists => "finalists",
                Purpose::Verdict => "verdict",
                _ => "search",
            };
            let failure = outcome.failure.as_ref().map(|failure| failure.kind.to_string()).unwrap_or_default();
            let named = |name: &str, value: &dyn fmt::Display| format!("{}={value}", name.replace(' ', ","));
            let parts: Vec<String> = outcome.parts.iter().map(|(name, value)| named(name, value)).collect();
            // The instance has a column of its own.
            let kinds = outcome.kinds.iter().filter(|(name, _)| name != "instance");
            let kinds: Vec<String> = kinds.map(|(name, value)| named(name, value)).collect();
            let mut row = vec![number.to_string(), stage.to_string(), deal.number.to_string(), instance];
            row.extend([repetition.to_string(), deal.seed.to_string()]);
            row.extend([
                outcome.score.to_string(),
                outcome.objective.to_string(),
                failure,
                cell(&parts.join(" ")).into_owned(),
                cell(&kinds.join(" ")).into_owned(),
            ]);
            let values = &round.candidates[trial.candidate];
            row.extend(
                self.columns.iter().map(|(place, parameter)| cell(&parameter.show(values[*place])).into_owned()),
            );
            self.trials.row(&row);
            let seconds = outcome.time.map(|time| format!("{:.4}", time.as_secs_f64())).unwrap_or_default();
            self.times.row([number.to_string(), seconds]);
        }
    }

    /// Writes the rows added.
    pub fn append(&mut self) -> Result<(), RunError> {
        self.trials.append()?;
        self.times.append()
    }

    /// What of the tables belongs to the run.
    pub fn marks(&self) -> Marks {
        Marks { trials: self.trials.length(), times: self.times.length() }
    }

    /// Cuts off what goes beyond marks made before.
    pub fn cut(&mut self, marks: Marks) -> Result<(), RunError> {
        self.trials.cut(marks.trials)?;
        self.times.cut(marks.times)
    }
}
