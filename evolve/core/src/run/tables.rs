//! The tables of a run: one row a generation, one a check, and wall time in a file of its own.
//!
//! `docs/files.md` describes their columns.

use super::error::RunError;
use super::folder::Folder;
use super::progress::Watch;
use super::round::Round;
use super::state::{Measured, State, objectives, scores};
use super::table::{Mark, Table};
use super::trials::{self, Trials};
use crate::config::Job;
use crate::evaluator::Trial;
use crate::optimizer::{Generation, Optimizer};
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
    /// Whether the tables of trials are to be marked as well once they are appended.
    mark_trials: bool,
}

/// What of the tables belongs to a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    generations: Mark,
    validation: Mark,
    timing: Mark,
    trials: Option<trials::Marks>,
    /// `validation.csv` at the end of the search, if that is over: what a run goes back to if it is prolonged.
    ended: Option<Mark>,
    /// The tables of trials at the same time.
    trials_ended: Option<trials::Marks>,
}

impl Marks {
    /// Whether they fit themselves and a run whose search has ended or not.
    pub fn fit(&self, ended: bool) -> bool {
        self.ended.is_some() == ended && self.ended.is_none_or(|mark| mark.length <= self.validation.length)
    }
}

/// The names of the tables that every run has.
pub const TABLES: [&str; 3] = [GENERATIONS, VALIDATION, TIMING];
const GENERATIONS: &str = "generations.csv";
const VALIDATION: &str = "validation.csv";
const TIMING: &str = "timing.csv";

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
            trials: match job.source.declaration.is_empty() {
                true => None,
                false => Some(Trials::open(folder, job, marks.trials.unwrap_or_default())?),
            },
            marks,
            mark_trials: false,
        };
        if tables.generations.is_empty() {
            let mut header: Vec<String> =
                ["generation", "games_played", "best", "mean", "sd", "diversity", "step"].map(String::from).into();
            header.extend(job.space.evolving().map(|parameter| format!("weight.{}", parameter.name)));
            header.extend(job.space.evolving().map(|parameter| format!("mean.{}", parameter.name)));
            header.extend(job.space.evolving().map(|parameter| format!("sd.{}", parameter.name)));
            tables.generations.row(&header);
        }
        if tables.validation.is_empty() {
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
        if tables.timing.is_empty() {
            tables.timing.row(["generation", "games_played", "seconds", "games_per_second"]);
        }
        Ok(tables)
    }

    /// What of the tables belongs to the run so far.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Remembers where the search ended.
    pub fn mark(&mut self) {
        self.marks.ended = Some(self.marks.validation);
        // With what is still to be appended: the trials of the last generation.
        self.mark_trials = true;
    }

    /// Goes back to where the search ended.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn rewind(&mut self) -> Result<(), RunError> {
        if let Some(mark) = self.marks.ended.take() {
            self.validation.cut(mark)?;
            self.marks.validation = mark;
        }
        if let (Some(trials), Some(marks)) = (&mut self.trials, self.marks.trials_ended.take()) {
            trials.cut(marks)?;
            self.marks.trials = Some(marks);
        }
        Ok(())
    }

    /// Takes notice of trials that were played.
    pub fn trials(&mut self, state: &State, round: &Round, trials: &[Trial], outcomes: &[Outcome]) {
        if let Some(table) = &mut self.trials {
            table.rows(state, round, trials, outcomes);
        }
    }

    /// Adds the row of a generation that is over.
    pub fn generation(&mut self, job: &Job, state: &State, optimizer: &dyn Optimizer, generation: &Generation) {
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
        self.generations.row(&row);
        let speed = if state.seconds > 0.0 { state.games as f64 / state.seconds } else { 0.0 };
        self.timing.row([
            number.to_string(),
            state.games.to_string(),
            format!("{:.3}", state.seconds),
            format!("{speed:.1}"),
        ]);
    }

    /// Adds the row of a policy of a generation that played games of a stage, `games` trials into the run, with its
    /// difference to the starting weights and the interval of that.
    pub fn compared(
        &mut self,
        (stage, generation): (&str, u64),
        games: u64,
        policy: &str,
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
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn append(&mut self, watch: &mut dyn Watch) -> Result<(), RunError> {
        self.generations.append(watch)?;
        self.validation.append(watch)?;
        self.timing.append(watch)?;
        if let Some(trials) = &mut self.trials {
            trials.append(watch)?;
            self.marks.trials = Some(trials.marks());
            if std::mem::take(&mut self.mark_trials) {
                self.marks.trials_ended = self.marks.trials;
            }
        }
        let Tables { generations, validation, timing, .. } = self;
        (self.marks.generations, self.marks.validation, self.marks.timing) =
            (generations.mark(), validation.mark(), timing.mark());
        Ok(())
    }
}
