//! The tables of a run: one row a generation, one a check, and wall time in a file of its own.
//!
//! `docs/files.md` describes their columns.

use super::error::RunError;
use super::folder::Folder;
use super::measured::{Measured, objectives, scores};
use super::round::Round;
use super::state::State;
use super::table::{GENERATIONS, TIMING, Table, VALIDATION};
use super::trials::{self, Trials};
use crate::config::Job;
use crate::evaluator::Trial;
use crate::optimizer::{FinalistKind, Generation, Optimizer};
use crate::statistics::Estimate;
use crate::trial::Outcome;
use serde::{Deserialize, Serialize};

/// The tables of a run.
pub struct Tables {
    generations: Table,
    validation: Table,
    timing: Table,
    trials: Option<Trials>,
    marks: Marks,
}

/// How many bytes of the tables belong to a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    generations: u64,
    validation: u64,
    timing: u64,
    trials: trials::Marks,
    /// Before the round under way.
    round: Place,
    /// At the end of the search, if that is over: what a run goes back to if it is prolonged.
    ended: Option<Place>,
}

/// A place that a run can go back to, in the tables that get rows beside those of generations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    validation: u64,
    trials: trials::Marks,
}

impl Marks {
    /// Whether they fit themselves and the state of their run.
    pub fn fit(&self, state: &State) -> bool {
        let is_before = |place: &Place| place.validation <= self.validation;
        self.ended.is_some() == state.ended.is_some() && [Some(self.round), self.ended].iter().flatten().all(is_before)
    }

    fn place(&self) -> Place {
        Place { validation: self.validation, trials: self.trials }
    }

    fn go_back(&mut self, place: Place) {
        self.round = place;
        Place { validation: self.validation, trials: self.trials } = place;
    }
}

pub use super::table::TABLES;

/// Generations that all have a row.
const ALL: u64 = 1000;

/// Whether a generation has a row in the table of generations, which would grow by gigabytes in a night otherwise: all of
/// the first thousand do, then every other one until there were two thousand, every fourth until four thousand, and so on.
fn has_row(generation: u64) -> bool {
    generation < ALL || generation.is_multiple_of(2 << (generation / ALL).ilog2())
}

impl Tables {
    /// The tables of a new run, with their headers still to be appended.
    ///
    /// # Errors
    /// If a file cannot be made.
    pub fn create(folder: &Folder, job: &Job) -> Result<Self, RunError> {
        Self::open(folder, job, Marks::default())
    }

    /// The tables of a run as they were at its checkpoint.
    ///
    /// # Errors
    /// If a file cannot be read, or is not what the run wrote.
    pub fn open(folder: &Folder, job: &Job, marks: Marks) -> Result<Self, RunError> {
        let mut tables = Tables {
            generations: Table::open(folder.file(GENERATIONS), marks.generations)?,
            validation: Table::open(folder.file(VALIDATION), marks.validation)?,
            timing: Table::open(folder.file(TIMING), marks.timing)?,
            // Of problems that jobs declare: what a trial of theirs costs is worth a row.
            trials: match job.source.is_declared() {
                true => Some(Trials::open(folder, job, marks.trials)?),
                false => None,
            },
            marks,
        };
        if tables.generations.length() == 0 {
            let mut header: Vec<String> =
                ["generation", "games_played", "best", "mean", "sd", "diversity", "step"].map(String::from).into();
            header.extend(job.space.evolving().map(|parameter| format!("weight.{}", parameter.name)));
            header.extend(job.space.evolving().map(|parameter| format!("mean.{}", parameter.name)));
            header.extend(job.space.evolving().map(|parameter| format!("sd.{}", parameter.name)));
            tables.generations.row(&header);
        }
        if tables.validation.length() == 0 {
            tables.validation.row([
                "stage",
                "generation",
                "games_played",
                "policy",
                "games",
                "score",
                "standard_error",
                "objective",
                "difference",
                "low",
                "high",
            ]);
        }
        if tables.timing.length() == 0 {
            tables.timing.row(["generation", "games_played", "seconds", "games_per_second"]);
        }
        Ok(tables)
    }

    /// What of the tables belongs to the run so far.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Remembers that a round is over, or none has begun, and its rows are appended.
    pub fn complete_round(&mut self, state: &State, was_check: bool) {
        let place = self.marks.place();
        if state.ended.is_some() && self.marks.ended.is_none() {
            // A longer run might not have had this check.
            self.marks.ended = Some(if was_check { self.marks.round } else { place });
        }
        self.marks.round = place;
    }

    /// Goes back to where the state says that the run stands now: before the round that was under way, or at the end of
    /// the search. The files follow by [`cut`](Self::cut), once the checkpoint is saved.
    pub fn go_back(&mut self, state: &State) {
        let Marks { round, ended, .. } = self.marks;
        self.marks.go_back(ended.unwrap_or(round));
        self.marks.ended = state.ended.map(|_| ended.unwrap_or(round));
    }

    /// Cuts off what goes beyond the marks.
    pub fn cut(&mut self) -> Result<(), RunError> {
        self.validation.cut(self.marks.validation)?;
        match &mut self.trials {
            Some(trials) => trials.cut(self.marks.trials),
            None => Ok(()),
        }
    }

    /// Takes notice of trials that were played.
    pub fn trials(&mut self, state: &State, round: &Round, trials: &[Trial], outcomes: &[Outcome]) {
        if let Some(table) = &mut self.trials {
            table.rows(state, round, trials, outcomes);
        }
    }

    /// Adds the rows of a generation that is over.
    pub fn generation(&mut self, job: &Job, state: &State, optimizer: &dyn Optimizer, generation: &Generation) {
        let speed = if state.seconds > 0.0 { state.games as f64 / state.seconds } else { 0.0 };
        let (number, games) = (generation.number.to_string(), state.games.to_string());
        self.timing.row([number, games, format!("{:.3}", state.seconds), format!("{speed:.1}")]);
        if has_row(generation.number) {
            self.generations.row(Self::row(job, state, optimizer, generation));
        }
    }

    fn row(job: &Job, state: &State, optimizer: &dyn Optimizer, generation: &Generation) -> Vec<String> {
        let Generation { number, best: (point, objective), mean, spread, deviations } = generation;
        let coordinates = job.space.coordinates();
        let relative = |deviations: &[f64]| {
            let relative = deviations.iter().zip(coordinates).map(|(sd, coordinate)| sd / coordinate.scale);
            relative.sum::<f64>() / coordinates.len() as f64
        };
        let (diversity, step) = (relative(deviations), relative(&optimizer.deviations()));
        let mut row = vec![number.to_string(), state.games.to_string()];
        row.extend([*objective, *mean, *spread, diversity, step].map(|value| value.to_string()));
        for point in [point, optimizer.mean()] {
            let values = job.space.evolving_values(&job.space.candidate(point));
            row.extend(values.iter().map(f64::to_string));
        }
        row.extend(job.space.by_parameter(deviations).iter().map(f64::to_string));
        row
    }

    /// Adds the row of a policy of a generation that played games of a stage, `games` trials into the run, with its
    /// difference to the starting weights and the interval of that.
    pub fn compared(
        &mut self,
        (stage, generation): (&str, u64),
        games: u64,
        policy: FinalistKind,
        outcomes: &[Measured],
        (difference, low, high): (f64, f64, f64),
    ) {
        let score = Estimate::of(&scores(outcomes));
        let objective = Estimate::of(&objectives(outcomes));
        let mut row = vec![stage.to_string(), generation.to_string(), games.to_string(), policy.to_string()];
        row.push(score.n.to_string());
        row.extend(
            [score.mean, score.standard_error, objective.mean, difference, low, high].map(|value| value.to_string()),
        );
        self.validation.row(&row);
    }

    /// Writes the rows added.
    pub fn append(&mut self) -> Result<(), RunError> {
        self.generations.append()?;
        self.validation.append()?;
        self.timing.append()?;
        if let Some(trials) = &mut self.trials {
            trials.append()?;
            self.marks.trials = trials.marks();
        }
        let Tables { generations, validation, timing, .. } = self;
        (self.marks.generations, self.marks.validation, self.marks.timing) =
            (generations.length(), validation.length(), timing.length());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_grows_by_half_a_thousand_rows_when_a_run_doubles() {
        let rows = |generations: u64| (0..generations).filter(|&generation| has_row(generation)).count();
        assert_eq!(rows(1000), 1000);
        assert_eq!([2000, 4000, 64_000].map(rows), [1500, 2000, 4000]);
        assert!(!has_row(1001) && has_row(1002) && !has_row(2002) && has_row(2004));
    }
}
