//! An evaluator that plays trials one after another.

use super::{Evaluator, Opened, Queue, Trial};
use crate::model::problem::{Contender, Context, Input, OpenError, Player, Problem};
use crate::model::trial::{Outcome, PlayError};
use std::collections::{BTreeMap, VecDeque};

/// Plays trials on the calling thread, in the requested order.
pub struct Serial(Opened);

impl Serial {
    /// Opens a problem.
    ///
    /// # Errors
    /// If the problem cannot be played.
    pub fn open(problem: &dyn Problem, context: Context) -> Result<Self, OpenError> {
        Opened::open(problem, context).map(Serial)
    }
}

impl Evaluator for Serial {
    fn queue(&self) -> Box<dyn Queue + '_> {
        Box::new(SerialQueue { opened: &self.0, trials: VecDeque::new() })
    }

    fn inputs(&self) -> &[Input] {
        self.0.inputs()
    }

    fn changed(&self) -> Option<String> {
        self.0.changed()
    }

    fn parallelism(&self) -> usize {
        1
    }
}

struct SerialQueue<'a> {
    opened: &'a Opened,
    trials: VecDeque<Trial>,
}

impl Queue for SerialQueue<'_> {
    fn push(&mut self, trials: Vec<Trial>) {
        self.trials.extend(trials);
    }

    fn pop(&mut self, count: usize) -> Result<Vec<Outcome>, PlayError> {
        let trials: Vec<Trial> = self.trials.drain(..count).collect();
        let contenders: BTreeMap<*const f64, Box<dyn Contender>> =
            trials.iter().map(|trial| (trial.candidate.as_ptr(), self.opened.contender(&trial.candidate))).collect();
        let mut players: BTreeMap<*const f64, Box<dyn Player + '_>> =
            contenders.iter().map(|(&candidate, contender)| (candidate, contender.player())).collect();
        let play = |Trial { candidate, case, rival }: &Trial| {
            let player = players.get_mut(&candidate.as_ptr()).expect("every candidate has a player");
            player.play(case, *rival)
        };
        trials.iter().map(play).collect::<Result<_, _>>().inspect_err(|_| self.trials.clear())
    }
}
