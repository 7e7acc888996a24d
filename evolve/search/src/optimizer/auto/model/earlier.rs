//! The trials of earlier runs in the model. Only their differences between candidates count, never
//! their levels.
//!
//! They stand in for trials that this run has not played yet. Each trial of the run replaces an
//! earlier one. Wrong knowledge is therefore gone after [`MOST_LEARNED`] trials, and the model
//! takes no more time.

use super::encoding::{Dimension, encoded, placed};
use super::process::ModelTrial;
use super::squash::squashed;
use crate::model::learned::{Lesson, MOST_LEARNED};
use crate::model::space::Space;
use crate::statistics::{mean, standard_deviation};

/// Earlier runs, and their best candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierRuns {
    /// The trials of each run, those kept longest first.
    runs: Vec<Vec<EarlierTrial>>,
    /// The best candidate of each run.
    pub best: Vec<Vec<f64>>,
}

/// A trial with its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierTrial {
    /// The trial.
    pub trial: ModelTrial,
    /// The difference of its outcome from the mean of its run. A difference much worse than most is
    /// reduced.
    pub outcome: f64,
    /// Whether the outcome is a lower bound.
    pub is_bound: bool,
}

impl EarlierRuns {
    pub fn of(space: &Space, dimensions: &[Dimension]) -> Self {
        let learned = &space.learned().runs;
        let of = |(place, run): (usize, &crate::model::learned::Earlier)| {
            let outcomes: Vec<f64> = run.trials.iter().map(|trial| -trial.objective).collect();
            let known = |(trial, outcome): (&Lesson, f64)| EarlierTrial {
                trial: ModelTrial {
                    values: placed(dimensions, &space.point(&trial.values)),
                    case: trial.case,
                    run: place + 1,
                },
                outcome,
                is_bound: trial.is_bound,
            };
            run.trials.iter().zip(centred(&squashed(&outcomes))).map(known).collect()
        };
        EarlierRuns {
            runs: learned.iter().enumerate().map(of).collect(),
            best: learned.iter().map(|run| encoded(dimensions, &space.point(&run.best))).collect(),
        }
    }

    /// Returns the number of runs.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Returns the trials that count next to `own` trials of this run, the same share of each
    /// earlier run.
    pub fn beside(&self, own: usize) -> impl Iterator<Item = &EarlierTrial> {
        let all: usize = self.runs.iter().map(Vec::len).sum();
        let left = all.min(MOST_LEARNED.saturating_sub(own));
        self.runs.iter().flat_map(move |run| &run[..run.len() * left / all])
    }

    /// Returns the unit of outcomes: their standard deviation within all runs, including these
    /// outcomes of this run.
    pub fn unit(&self, squashed: &[f64]) -> f64 {
        let earlier: Vec<f64> = self.beside(squashed.len()).map(|known| known.outcome).collect();
        if earlier.is_empty() {
            return standard_deviation(squashed);
        }
        let all = centred(squashed).into_iter().chain(earlier);
        let (sum, count) = all.fold((0.0, 0), |(sum, count), y| (sum + y * y, count + 1));
        (sum / f64::from(count - 1)).sqrt()
    }
}

fn centred(outcomes: &[f64]) -> Vec<f64> {
    let mean = mean(outcomes);
    outcomes.iter().map(|y| y - mean).collect()
}
