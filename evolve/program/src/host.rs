//! Trials that somebody else plays, such as a function of the process that speaks to `evolve serve`.

use crate::failure::{Kind, Trouble};
use crate::scope::Scope;
use crate::score::Measured;
use evolve_core::model::trial::PlayError;
use serde_json::{Map, Value};

/// The answer to a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The score.
    Score(f64),
    /// It failed, for this reason; that counts as the job's `on_failure` says for `exit`.
    Failed(String),
}

/// Plays trials, several at the same time.
pub trait Host: Send + Sync {
    /// Plays the trial that a worker would read as this object; `None` if the run is to stop.
    fn play(&self, trial: Map<String, Value>) -> Option<Answer>;
}

/// Asks a host for the result of a trial.
pub(crate) fn ask(host: &dyn Host, scope: &Scope<'_>) -> Result<Measured, Trouble> {
    match host.play(scope.question()) {
        Some(Answer::Score(score)) => {
            Ok(Measured { score, metrics: vec![0.0; scope.program.declared.score.metrics().len()] })
        }
        Some(Answer::Failed(message)) => Err(Trouble::Failed(Kind::Exit, message)),
        None => Err(Trouble::Ends(PlayError::Stopped)),
    }
}
